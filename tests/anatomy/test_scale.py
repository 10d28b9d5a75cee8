"""Metres: as the file says when that is credible, else by the rhythm of the strides, else a stated guess."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest

from canter.anatomy import Anatomy, detect, understand
from canter.anatomy.overrides import apply_overrides
from canter.anatomy.scale import STRIDE_FREQUENCY, Evidence, find_scale, likely_height
from canter.motion import Asset
from canter.synthetic import synthetic_rig

from .animals import example, moved


def animal(hips: float, metres: float, gait: str = "walk", trunk: float = float("nan")) -> Evidence:
    """An animal with hips of so many file units that goes as one whose hips are so many metres high."""
    seconds = float(np.sqrt(metres / 9.81) / STRIDE_FREQUENCY[gait])
    return Evidence(hips, [(gait, seconds)], trunk)


def test_a_credible_promise_is_believed() -> None:
    scale = find_scale(1.0, [animal(0.5, 0.6)])
    assert (scale.metres_per_unit, scale.known) == (1.0, True)


@pytest.mark.parametrize("hips", [46.0, 460.0])
def test_an_incredible_promise_is_not(hips: float) -> None:
    scale = find_scale(1.0, [animal(hips, 0.46)])
    assert scale.metres_per_unit * hips == pytest.approx(0.46)
    assert not scale.known
    assert "by the file's own unit hips would be at 46" in scale.reason


@pytest.mark.parametrize(
    ("what", "evidence", "low", "high"),
    [
        ("a pig", animal(2.3, 0.55, "walk", 1.6), 0.3, 0.9),
        ("a sheep at full gallop", animal(2.3, 0.6, "gallop", 1.25), 0.4, 1.1),
        ("a mouse as large as a dog", animal(0.6, 0.03, "trot", 2.4), 0.03, 0.15),
        ("a horse as small as a mouse", animal(0.05, 1.2, "trot", 1.05), 0.6, 1.8),
    ],
)
def test_a_promise_that_does_not_suit_the_animal_is_not_believed(
    what: str, evidence: Evidence, low: float, high: float
) -> None:
    scale = find_scale(1.0, [evidence])
    assert low < scale.metres_per_unit * evidence.hip_height < high, what
    assert not scale.known


@pytest.mark.parametrize(
    ("evidence", "known"),
    [
        (animal(0.8, 1.0, "trot", 1.1), True),
        (animal(1.2, 0.5, "trot", 1.32), False),
        (animal(1.6, 0.8, "gallop", 1.1), False),
        (animal(0.3, 0.7, "trot", 1.1), False),
    ],
    ids=["as it goes", "too large for its stride", "and for its shape", "too small"],
)
def test_a_promise_is_a_guess_unless_the_animal_bears_it_out(evidence: Evidence, known: bool) -> None:
    scale = find_scale(1.0, [evidence])
    assert (scale.metres_per_unit, scale.known) == (1.0, known)
    assert known or "strides and shape suggest" in scale.reason


@pytest.mark.parametrize("hips", [0.5, 50.0, 500.0])
def test_a_size_that_the_file_does_not_give_is_a_guess(hips: float) -> None:
    scale = find_scale(None, [animal(hips, 0.5, "trot", 1.3)])
    assert scale.metres_per_unit * hips == pytest.approx(0.5)
    assert not scale.known
    assert "guessed as" in scale.reason


def test_known_sizes_are_mostly_true() -> None:
    """Of 10 made-up animals more are known by their true unit than, on average, by one that is off by two."""
    known = dict.fromkeys((0.5, 1.0, 2.0), 0)
    for seed in range(300, 310):
        asset, anatomy = made_up(seed)
        for factor in known:
            promised = replace(moved(asset, scale=factor), metres_per_unit=1.0)
            known[factor] += understand(promised, anatomy.scaled(factor)).transform.scale_known
    assert known[1.0] >= 5
    assert known[0.5] + known[2.0] <= known[1.0]


@pytest.mark.parametrize(
    "evidence",
    [
        animal(1.2, 0.8, "walk", 1.05),
        animal(1.7, 0.9, "walk", 1.0),
        animal(0.03, 0.06, "gallop", 2.3),
        Evidence(0.2, [("walk", 2.8), ("walk", 1.2)], 2.0),
        Evidence(2.2, [], 0.8),
    ],
    ids=["horse", "elephant", "mouse", "tortoise", "giraffe that only stands"],
)
def test_true_promises_are_kept_also_of_unusual_animals(evidence: Evidence) -> None:
    assert find_scale(1.0, [evidence]).metres_per_unit == 1.0


def test_a_slow_walk_makes_no_giant() -> None:
    slow, quick = (Evidence(1.0, [("walk", seconds)], 1.2) for seconds in (3.0, 0.4))
    (high, _), (low, _) = likely_height(slow), likely_height(quick)
    shape, _ = likely_height(Evidence(1.0, [], 1.2))
    assert high - shape < shape - low


@pytest.mark.parametrize(
    ("hip", "unit", "metres"), [(0.2, "mm", 1e-3), (0.46, "cm", 1e-2), (1.5, "m", 1.0), (1.5, "cm", 1e-2)]
)
def test_rhythm_tells_the_metric_unit(hip: float, unit: str, metres: float) -> None:
    scale = find_scale(None, [animal(hip / metres, hip)])
    assert scale.metres_per_unit == metres
    assert f"as {unit}" in scale.reason


@pytest.mark.parametrize("hips", [1e7, 5.0])
def test_where_no_unit_fits_the_height_is_guessed(hips: float) -> None:
    scale = find_scale(None, [animal(hips, 0.5, "trot", 1.2)])
    assert not scale.known
    assert "guess" in scale.reason
    assert 0.3 < scale.metres_per_unit * hips < 1.0


@pytest.mark.parametrize("hips", [float("nan"), 0.0, -1.0])
def test_without_hips_the_unit_stays(hips: float) -> None:
    assert find_scale(None, [Evidence(hips)]).metres_per_unit == 1.0
    assert find_scale(0.01, [Evidence(hips)]).metres_per_unit == 0.01


def test_without_strides_it_is_a_guess() -> None:
    scale = find_scale(None, [Evidence(46.0)])
    assert (scale.metres_per_unit, scale.known) == (0.01, False)


def test_a_pack_has_one_unit() -> None:
    """Each of a pack that is three times too large might be right; all of them together are not."""
    pack = [animal(3 * h, h, "walk", trunk) for h, trunk in ((0.5, 1.2), (0.3, 1.4), (0.6, 1.6), (0.4, 1.25))]
    assert sum(find_scale(1.0, [one]).metres_per_unit == 1 for one in pack) >= 2
    scale = find_scale(1.0, pack)
    assert not scale.known
    assert scale.metres_per_unit == pytest.approx(1 / 3, rel=0.35)
    assert "of this pack" in scale.reason


@lru_cache
def made_up(seed: int) -> tuple[Asset, Anatomy]:
    rig = synthetic_rig(seed, plain=True, clip="closed loop", units="metres")
    return rig.asset, detect(rig.asset)


@pytest.mark.parametrize(("factor", "least"), [(0.1, 8), (0.3, 3), (1.0, 10), (3.0, 5), (10.0, 8)])
def test_made_up_animals_of_a_wrong_promise(factor: float, least: int) -> None:
    """How many of 10 come within a factor of two of their true size, when the file promises metres."""
    close = 0
    for seed in range(300, 310):
        asset, anatomy = made_up(seed)
        promised = replace(moved(asset, scale=factor), metres_per_unit=1.0)
        character = understand(promised, anatomy.scaled(factor))
        close += 0.5 < character.transform.scale * factor < 2.0
    assert close >= least


@pytest.mark.parametrize("given", [0.2, 1.4])
def test_a_height_that_is_given_is_taken(given: float) -> None:
    asset = example()
    table = {"hip_height_metres": given}
    character = understand(asset, apply_overrides(detect(asset), asset, table))
    assert character.anatomy.hip_height == pytest.approx(given)
    assert character.transform.scale_known
    assert "given" in character.transform.scale_reason
    assert character.anatomy.confidence == detect(asset).confidence, "it says nothing of the legs"


@pytest.mark.parametrize("unit", [1.0, 100.0, 1000.0])
def test_a_whole_file_in_another_unit(unit: float) -> None:
    character = understand(moved(example(), scale=unit))
    assert character.transform.scale == pytest.approx(1 / unit)
    assert character.anatomy.hip_height == pytest.approx(0.47, rel=0.03)
    assert character.clip("trot").footfalls.speed == pytest.approx(1.6, rel=0.01)

"""The topic `animals`: its ruler measures what is known, and its rows miss what is made wrong."""

from dataclasses import replace

import numpy as np
import pytest

from canter.animals.animal import Animal, horse
from canter.body.mass import masses
from canter.evaluation import Options
from canter.evaluation.animals.facts import measured
from canter.evaluation.animals.figures import (
    FINE,
    Sample,
    depth,
    harmonics,
    loop_gap,
    pops,
    sample,
    slip,
    touchdowns,
)
from canter.evaluation.animals.measured import matched, measured_rows
from canter.evaluation.animals.topic import rows, sound_rows


@pytest.fixture(scope="module")
def animal() -> Animal:
    return horse()


def changed(s: Sample, frame: int, joint: int, by: tuple[float, float, float]) -> Sample:
    """The sample with one joint of one frame moved."""
    positions = s.motion.positions.copy()
    positions[frame, joint] += np.array(by)
    return Sample(s.animal, s.row, replace(s.motion, positions=positions))


def test_tables_hold_what_was_published() -> None:
    dog, horse_facts = measured("dog"), measured("horse")
    assert dog["trot"].cells["fore duty"][0] == 0.483
    assert dog["gallop"].cells["leading fore"][0] == 0.518
    assert dog["back"].source == "captured Labrador"
    assert horse_facts["walk"].hips == pytest.approx(1.10, abs=0.01)
    assert horse_facts["walk"].froude == pytest.approx(1.59**2 / (9.81 * 1.10), rel=0.02)
    assert measured("turtle") == {}


def test_tables_are_in_order() -> None:
    for facts in (*measured("dog").values(), *measured("horse").values()):
        for name in ("froude", "frequency", "stride", "fore duty", "hind duty", "fore lift", "hips A1", "withers A2"):
            median, low, high = facts.cells[name]
            assert low <= median <= high, (facts.gait, name)


def test_harmonics_are_found_again() -> None:
    phase = np.arange(90) / 90
    height = 1.2 + 0.03 * np.cos(2 * np.pi * (phase - 0.7)) + 0.01 * np.cos(4 * np.pi * (phase - 0.35))
    first, second = harmonics(height, start=0.1)
    assert (first.size, first.at) == pytest.approx((0.03, 0.6))
    assert (second.size, second.at) == pytest.approx((0.01, 0.25))


def test_touchdowns_of_uneven_gaits_go_by_lead(animal: Animal) -> None:
    found = touchdowns(animal.row("canter"), by_lead=True)
    assert list(found) == ["leading hind", "trailing fore", "leading fore"]
    assert 0 < found["leading hind"] <= found["trailing fore"] < found["leading fore"] < 1
    assert list(touchdowns(animal.row("trot"), by_lead=False)) == ["LF", "RF", "RH"]


def test_the_ruler_sees_a_foot_that_slips_and_sinks(animal: Animal) -> None:
    s = sample(animal, "walk")
    hoof = animal.anatomy.legs[3].foot
    middle = int((s.row.touchdowns[3] + 0.3) % 1.0 * len(s.places))
    assert slip(changed(s, middle, hoof, (0.02, -0.03, 0.0))).value > slip(s).value + 1
    sunk = depth(changed(s, middle, hoof, (0.0, -0.03, 0.0)))
    assert sunk.value > 2
    assert animal.skeleton.names[hoof] in sunk.where


def test_loops_close_and_the_ruler_sees_when_not(animal: Animal) -> None:
    s = sample(animal, "trot")
    assert loop_gap(s) < 1e-9
    assert loop_gap(changed(s, -1, 3, (0.0, 0.01, 0.0))) > 0.005


def test_the_ruler_sees_a_pop(animal: Animal) -> None:
    s = sample(animal, "trot")
    rotations = s.motion.rotations.copy()
    rotations[10, 5] = np.array([0.7071068, 0.7071068, 0.0, 0.0])
    assert pops(Sample(s.animal, s.row, replace(s.motion, rotations=rotations))).value > pops(s).value + 1


def test_masses_are_those_of_a_horse(animal: Animal) -> None:
    share = masses(animal.skeleton, animal.anatomy, animal.standing.places)
    legs = sum(share[list(leg.joints)].sum() for leg in animal.anatomy.legs)
    assert share.sum() == pytest.approx(1)
    assert 0.15 < legs < 0.4
    middle = animal.standing.centre_of_mass(sample(animal, "walk").places)[:, 1].mean()
    assert 0.9 < middle / animal.anatomy.hip_height < 1.2


def test_strides_are_compared_at_the_same_froude_number(animal: Animal) -> None:
    facts = measured("horse")["trot"]
    s = matched(animal, facts)
    assert s.froude == pytest.approx(facts.froude, rel=0.05)
    assert s.motion.frame_rate == pytest.approx(FINE, rel=0.02)


def test_a_wrong_number_is_missed(animal: Animal) -> None:
    lame = replace(animal, rows=(replace(animal.row("trot"), touchdowns=(0.46, 0.8, 0.0, 0.5)),))
    found = {row.name: row.status for row in measured_rows(lame, "trot")}
    assert found["horse trot: touchdown of RF"] == "missed"
    assert found["horse trot: touchdown of RH"] == "met"


def test_gaits_nobody_measured_are_still_judged_for_soundness(animal: Animal) -> None:
    names = [row.name for row in sound_rows(animal, "canter", quick=True)]
    assert "horse canter: stance slip" in names
    assert "horse canter: sequence" in names


def test_the_topic_runs_through_every_gait_once() -> None:
    found = list(rows(Options(quick=True)))
    names = [row.name for row in found]
    assert len(names) == len(set(names))
    assert {"dog trot: stride frequency", "horse walk: skating", "horse gallop, literature: duty factor"} <= set(names)
    assert all(np.isfinite(row.value) for row in found if isinstance(row.value, float))

"""Metres: as the file says when that is credible, else by the rhythm of the strides, else a stated guess."""

from __future__ import annotations

import numpy as np
import pytest

from canter.anatomy import understand
from canter.anatomy.scale import MAX_HIP_HEIGHT, MIN_HIP_HEIGHT, STRIDE_FREQUENCY, find_scale

from .animals import example, moved


def walk_seconds(hip: float) -> float:
    """How long a stride of an animal with hips at `hip` m takes."""
    return float(np.sqrt(hip / 9.81) / STRIDE_FREQUENCY["walk"])


def test_a_credible_promise_is_believed() -> None:
    scale = find_scale(1.0, 0.5, [("walk", 0.9)])
    assert (scale.metres_per_unit, scale.known) == (1.0, True)


@pytest.mark.parametrize("hips", [46.0, 460.0])
def test_an_incredible_promise_is_not(hips: float) -> None:
    scale = find_scale(1.0, hips, [("walk", walk_seconds(0.46))])
    assert scale.metres_per_unit * hips == pytest.approx(0.46)
    assert scale.known


@pytest.mark.parametrize(
    ("hip", "unit", "metres"), [(0.2, "mm", 1e-3), (0.46, "cm", 1e-2), (1.5, "m", 1.0), (1.5, "cm", 1e-2)]
)
def test_rhythm_tells_the_metric_unit(hip: float, unit: str, metres: float) -> None:
    scale = find_scale(None, hip / metres, [("walk", walk_seconds(hip))])
    assert scale.metres_per_unit == metres
    assert f"as {unit}" in scale.reason


def test_no_unit_fits() -> None:
    scale = find_scale(None, 1e7, [("trot", 0.6)])
    assert not scale.known
    assert "guess" in scale.reason
    assert MIN_HIP_HEIGHT <= scale.metres_per_unit * 1e7 <= MAX_HIP_HEIGHT


@pytest.mark.parametrize("hips", [float("nan"), 0.0, -1.0])
def test_without_hips_the_unit_stays(hips: float) -> None:
    assert find_scale(None, hips, []).metres_per_unit == 1.0
    assert find_scale(0.01, hips, []).metres_per_unit == 0.01


def test_without_strides_it_is_a_guess() -> None:
    scale = find_scale(None, 46.0, [])
    assert (scale.metres_per_unit, scale.known) == (0.01, False)


@pytest.mark.parametrize("unit", [1.0, 100.0, 1000.0])
def test_a_whole_file_in_another_unit(unit: float) -> None:
    character = understand(moved(example(), scale=unit))
    assert character.transform.scale == pytest.approx(1 / unit)
    assert character.anatomy.hip_height == pytest.approx(0.47, rel=0.03)
    assert character.clip("trot").footfalls.speed == pytest.approx(1.6, rel=0.01)

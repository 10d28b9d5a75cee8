"""Tilted floors are found where feet rest, and only there."""

from __future__ import annotations

import numpy as np
import pytest

from canter.anatomy import detect
from canter.anatomy.floor import floor_slope
from canter.motion import rotations as rot
from canter.motion.arrays import Floats
from canter.synthetic import synthetic_rig

from .animals import example, moved, with_clips


def walking(slope: tuple[float, float], seconds: float = 8.0, rate: float = 60.0) -> Floats:
    """Four feet `(T, 4, 3)` that step along x and then along z over a tilted floor, at one metre a second."""
    time = np.arange(round(seconds * rate)) / rate
    feet = []
    for k in range(4):
        phase = time + k / 4
        share = np.clip((phase % 1.0 - 0.6) / 0.4, 0, 1)
        along = np.floor(phase) + share - k / 4
        x, z = np.minimum(along, seconds / 2), np.maximum(along - seconds / 2, 0)
        feet.append(np.stack([x, slope[0] * x + slope[1] * z + 0.1 * np.sin(np.pi * share), z], axis=-1))
    return np.stack(feet, axis=1)


@pytest.mark.parametrize("slope", [(0.03, 0.0), (0.0, -0.03), (-0.02, 0.025)])
def test_a_tilt_is_found(slope: tuple[float, float]) -> None:
    np.testing.assert_allclose(floor_slope([(walking(slope), 60.0)], 0.5), slope, atol=0.004)


def test_a_level_floor_and_a_staircase_stay() -> None:
    assert not floor_slope([(walking((0.0, 0.0)), 60.0)], 0.5).any()
    assert not floor_slope([(walking((0.3, 0.0)), 60.0)], 0.5).any()  # 17 degrees: a slope that was walked up


def test_an_animal_that_stays_tells_nothing() -> None:
    feet = walking((0.03, 0.0))
    feet[..., [0, 2]] *= 0.05
    assert not floor_slope([(feet, 60.0)], 0.5).any()


@pytest.mark.parametrize("height", [0.5, -0.5, float("nan")])
def test_nothing_to_see_tells_nothing(height: float) -> None:
    assert not floor_slope([], height).any()
    assert not floor_slope([(walking((0.03, 0.0))[:4], 60.0)], height).any()


def test_an_anatomy_stands_square_on_its_floor() -> None:
    options = {"plain": True, "clip": "straight", "body": "dog", "gait": "walk"}
    level, tilted = (detect(synthetic_rig(3, floor_tilted=t, **options).asset) for t in (False, True))
    assert level.up.tolist() == [0.0, 1.0, 0.0]
    assert 0.2 < np.degrees(np.arccos(tilted.up[1])) < 2.5
    assert tilted.up @ tilted.forward == pytest.approx(0, abs=1e-9)
    assert tilted.hip_height == pytest.approx(level.hip_height, rel=0.03)


@pytest.mark.parametrize("degrees", [4, 12])
def test_a_long_way_up_a_slope_does_not_hide_the_legs(degrees: float) -> None:
    """Over 90 metres the body of the example rises by more than it is tall."""
    level = with_clips(example(60), example(60).clip("canter"))
    for way in np.eye(3)[[0, 2]]:
        climbing = detect(moved(level, rot.about(way, np.radians(degrees))))
        assert [leg.joints for leg in climbing.legs] == [leg.joints for leg in detect(level).legs]

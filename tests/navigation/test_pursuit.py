"""Following a path: what is aimed at, and how speeds fall before bends and ends."""

from __future__ import annotations

import math

import numpy as np
import pytest

from canter.control.world import Wall
from canter.navigation.lines import WallLines
from canter.navigation.pursuit import Pursuit

NOTHING = WallLines.of(())
CORNER = np.array([(0, 0), (0, 6), (6, 6)], float)


def test_the_aim_is_ahead_on_the_path() -> None:
    pursuit = Pursuit(CORNER, 1.0, 1.0, 0.5)
    assert pursuit.advance(np.array([0.2, 2.0])) == pytest.approx(0.2)
    assert (pursuit.along, pursuit.remaining) == (pytest.approx(2), pytest.approx(10))
    np.testing.assert_allclose(pursuit.aim(np.array([0.2, 2.0]), NOTHING, 0.3), (0, 3))
    pursuit.advance(np.array([0.0, 4.0]))
    pursuit.advance(np.array([0.0, 5.5]))
    np.testing.assert_allclose(pursuit.aim(np.array([0.0, 5.5]), NOTHING, 0.3), (0.5, 6))


def test_the_aim_is_nearer_where_a_wall_is_in_the_way() -> None:
    pursuit = Pursuit(CORNER, 2.0, 1.0, 0.5)
    pursuit.advance(np.array([0.0, 5.0]))
    walls = WallLines.of((Wall((0.8, 5.2), (6, 5.2)),))
    np.testing.assert_allclose(pursuit.aim(np.array([0.0, 5.0]), NOTHING, 0.3), (1, 6))
    aim = pursuit.aim(np.array([0.0, 5.0]), walls, 0.5)
    assert tuple(aim) != (1, 6)
    assert aim[0] < 0.6


def test_an_animal_slows_down_before_a_bend_and_the_end() -> None:
    pursuit = Pursuit(CORNER, 1.0, 1.0, 0.3)
    limits = []
    for z in np.linspace(0, 5.9, 12):
        pursuit.advance(np.array([0.0, z]))
        limits.append(pursuit.speed_limit(1.0))
    assert limits[0] > 5
    assert np.all(np.diff(limits) < 0)
    bend = math.radians(90) / 0.5
    assert limits[-1] == pytest.approx(1.0 / bend, abs=0.15)
    for x in np.linspace(0, 6, 9):
        pursuit.advance(np.array([x, 6.0]))
    assert pursuit.speed_limit(1.0) == pytest.approx(0.3)


def test_a_slow_turner_takes_bends_more_slowly() -> None:
    quick, slow = (Pursuit(CORNER, 1.0, rate, 0.5) for rate in (2.0, 0.5))
    for pursuit in (quick, slow):
        for z in (2.0, 4.0, 5.8):
            pursuit.advance(np.array([0.0, z]))
    assert slow.speed_limit(0.5) < 0.6 * quick.speed_limit(0.5)


def test_a_path_of_one_point_can_be_followed() -> None:
    pursuit = Pursuit(np.array([(1.0, 2.0)]), 1.0, 1.0, 0.3)
    assert pursuit.advance(np.zeros(2)) == pytest.approx(math.hypot(1, 2))
    np.testing.assert_allclose(pursuit.aim(np.zeros(2), NOTHING, 0.3), (1, 2))
    assert pursuit.speed_limit(1.0) == pytest.approx(0.3)

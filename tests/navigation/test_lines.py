"""Distances to walls: by hand, and against a dense sampling of both lines."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from canter.control.world import Wall
from canter.navigation.lines import WallLines, room_along, room_at

COORDINATE = st.floats(-5, 5)
PLACE = st.tuples(COORDINATE, COORDINATE)
BAR = (Wall((-1, 2), (1, 2), thickness=0.2),)


def test_points_are_as_far_as_the_surface() -> None:
    points = [(0, 0), (0, 2), (1.5, 2), (0, 2.1), (4, 6)]
    np.testing.assert_allclose(room_at(BAR, points), [1.9, -0.1, 0.4, 0, 4.9], atol=1e-12)
    assert room_at((), (0, 0)) == math.inf


def test_lines_that_cross_a_wall_are_inside_it() -> None:
    room = room_along(BAR, [(0, 0), (0, 0), (-3, 2), (0, 0)], [(0, 3), (0, 1), (-2, 2), (2, 0)])
    np.testing.assert_allclose(room, [-0.1, 0.9, 0.9, 1.9])


def test_a_wall_without_length_is_a_post() -> None:
    post = (Wall((1, 1), (1, 1), thickness=0.5),)
    assert room_at(post, (1, 3)) == pytest.approx(1.75)
    assert room_along(post, (0, 0), (2, 0)) == pytest.approx(0.75)
    assert room_along(post, (1, 0), (1, 3)) == pytest.approx(-0.25)


@given(PLACE, PLACE, PLACE, PLACE)
def test_the_room_along_a_line_is_the_least_of_its_points(
    a: tuple[float, float], b: tuple[float, float], c: tuple[float, float], d: tuple[float, float]
) -> None:
    walls = (Wall(c, d),)
    along = np.linspace(a, b, 400)
    step = math.dist(a, b) / 399
    sampled = float(room_at(walls, along).min())
    assert sampled - step - 1e-9 <= float(room_along(walls, a, b)) <= sampled + 1e-9


def test_only_walls_that_are_near_are_kept() -> None:
    lines = WallLines.of((*BAR, Wall((8, 8), (9, 9))))
    assert len(lines.near(np.zeros((1, 2)), 2.0)) == 1
    assert len(lines.near(np.array([[0.0, 0], [7, 7]]), 1.5)) == 2
    assert len(lines.near(np.zeros((1, 2)), 1.0)) == 0

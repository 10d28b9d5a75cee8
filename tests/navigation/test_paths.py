"""Paths: of known length, as clear of walls as promised, with round corners, and from goal to goal."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from canter.control.world import Wall
from canter.motion.arrays import Floats
from canter.navigation import find_path, random_maze, read_maze, visiting_order, wall_space
from canter.navigation.lines import WallLines, room_along
from canter.navigation.paths import pulled, rounded


def length(path: Floats) -> float:
    return float(np.linalg.norm(np.diff(path, axis=0), axis=1).sum())


def turns(path: Floats) -> Floats:
    """The angles between the pieces of a path."""
    steps = np.diff(path, axis=0)
    cross = steps[:-1, 0] * steps[1:, 1] - steps[:-1, 1] * steps[1:, 0]
    result: Floats = np.abs(np.arctan2(cross, np.sum(steps[:-1] * steps[1:], axis=1)))
    return result


def test_a_path_along_a_corridor_is_straight() -> None:
    maze = read_maze("+--+--+--+--+\n|S         G|\n+--+--+--+--+", 2.0)
    path = find_path(wall_space(maze.walls(), maze.goal_places, 0.15, 1.0), (0, 0), maze.goal_places[0], 0.4)
    assert path is not None
    np.testing.assert_allclose(path[[0, -1]], [(0, 0), (-6, 0)], atol=1e-9)
    assert length(path) == pytest.approx(6.0, abs=0.01)


def test_a_path_goes_round_a_wall_at_its_clearance() -> None:
    walls = (Wall((0, -3), (0, 1), thickness=0.2),)
    space = wall_space(walls, [(-2, 0), (2, 0)], 0.1, 1.0)
    path = find_path(space, (-2, 0), (2, 0), 0.5, radius=0.8)
    assert path is not None
    far, radius = math.hypot(2, 1), 0.6  # tangents to a circle around the end of the wall, and the arc between them
    arc = math.tau - 2 * math.atan2(2, 1) - 2 * math.acos(radius / far)
    shortest = 2 * math.sqrt(far**2 - radius**2) + radius * arc
    assert shortest - 0.05 < length(path) < 1.05 * shortest
    assert room_along(walls, path[:-1], path[1:]).min() >= 0.5
    assert turns(path).max() < math.radians(12), "corners are arcs"


@given(st.integers(0, 1000), st.floats(0.2, 0.6), st.floats(0.0, 1.5))
@settings(max_examples=15)
def test_paths_through_mazes_keep_the_clearance(seed: int, clearance: float, radius: float) -> None:
    maze = random_maze(4, 4, 2.0, seed).scattered(2, seed)
    walls = maze.walls()
    space = wall_space(walls, maze.goal_places, clearance / 3, 1.0)
    for goal in maze.goal_places:
        path = find_path(space, (0, 0), goal, clearance, comfort=0.8, radius=radius)
        assert path is not None, "every cell can be reached"
        np.testing.assert_allclose(path[[0, -1]], [(0, 0), goal], atol=1e-9)
        assert room_along(walls, path[:-1], path[1:]).min() >= clearance - 1e-9


def test_ends_near_a_wall_are_left_and_reached_in_a_straight_line() -> None:
    walls = (Wall((-5, 0), (5, 0)),)
    space = wall_space(walls, [(-4, 0.2), (4, 0.2)], 0.1, 1.0)
    path = find_path(space, (-4, 0.2), (4, 0.2), 0.5)
    assert path is not None
    np.testing.assert_allclose(path[0], (-4, 0.2))
    assert room_along(walls, path[1:-1], path[2:]).min() >= 0.5
    assert path[-1, 1] > 0.5, "as near to the goal as the clearance allows"
    assert find_path(space, (-4, 0.2), (4, 0.2), 0.5, reach=0.2) is None


def test_what_is_walled_in_has_no_path() -> None:
    maze = read_maze("+--+--+\n|S |G |\n+--+--+", 2.0)
    space = wall_space(maze.walls(), maze.goal_places, 0.15, 1.0)
    assert find_path(space, (0, 0), maze.goal_places[0], 0.3, reach=0.5) is None


def test_a_string_is_pulled_straight_where_nothing_is_in_the_way() -> None:
    steps = np.array([(0, 0), (0, 1), (1, 1), (1, 2), (2, 2), (2, 3), (3, 3)], float)
    np.testing.assert_allclose(pulled(WallLines.of(()), steps, 0.5), [(0, 0), (3, 3)])
    walls = WallLines.of((Wall((2, 0), (2, 0.5)),))
    bent = np.array([(0, 0), (0, 1), (1, 1.2), (2, 1.2), (3, 1.2), (4, 1), (4, 0)], float)
    corners = pulled(walls, bent, 0.4)
    assert 3 <= len(corners) < len(bent)
    assert room_along(walls, corners[:-1], corners[1:]).min() >= 0.4 - 1e-6


def test_a_corner_becomes_an_arc_of_the_radius() -> None:
    corner = np.array([(0, 0), (0, 3), (3, 3)], float)
    arc = rounded(WallLines.of(()), corner, 0.1, 1.0)
    middle = np.array([1.0, 2.0])
    np.testing.assert_allclose(np.linalg.norm(arc[1:-1] - middle, axis=1), 1.0)
    np.testing.assert_allclose(arc[[1, -2]], [(0, 2), (1, 3)], atol=1e-12)
    assert length(arc) == pytest.approx(4 + math.pi / 2, rel=0.01)
    post = WallLines.of((Wall((0.9, 2.1), (0.9, 2.1), thickness=0.2),))
    narrow = rounded(post, corner, 0.7, 3.0)
    assert room_along(post, narrow[:-1], narrow[1:]).min() >= 0.7
    assert 2 < len(narrow) < len(rounded(WallLines.of(()), corner, 0.7, 3.0)) + 1


def test_goals_are_visited_nearest_next() -> None:
    maze = read_maze(
        """
        +--+--+--+--+
        |G |G       |
        +  +--+--+  +
        |S          |
        +--+--+--+--+
        """,
        2.0,
    )
    space = wall_space(maze.walls(), maze.goal_places, 0.15, 1.0)
    assert visiting_order(space, (0, 0), maze.goal_places, 0.4) == [0, 1]
    ahead = [maze.place(cell) for cell in ((1, 3), (0, 1), (1, 1))]
    assert visiting_order(space, (0, 0), ahead, 0.4) == [2, 0, 1]


def test_goals_that_cannot_be_reached_are_left_out() -> None:
    maze = read_maze("+--+--+--+\n|G  S |G |\n+--+--+--+", 2.0)
    space = wall_space(maze.walls(), maze.goal_places, 0.15, 1.0)
    assert visiting_order(space, (0, 0), maze.goal_places, 0.4) == [0]
    assert visiting_order(space, (0, 0), [], 0.4) == []

"""The grid over the ground: room at its points, and shortest ways of known length."""

from __future__ import annotations

import math

import numpy as np
import pytest

from canter.control.world import Wall
from canter.navigation import random_maze, read_maze, wall_space
from canter.navigation.lines import room_along, room_at
from canter.navigation.space import ways_from

MAP = """
+--+--+--+
|      G |
+  +--+  +
|  |G |  |
+  +  +  +
|S |     |
+--+--+--+
"""


def test_room_is_the_distance_to_the_nearest_wall() -> None:
    walls = random_maze(3, 4, 2.0, 1).walls()
    space = wall_space(walls, [(0, 0)], 0.25, 1.2)
    points = space.points(np.argwhere(np.ones(space.room.shape, bool))).reshape(*space.room.shape, 2)
    np.testing.assert_allclose(space.room, np.minimum(room_at(walls, points), 1.2), atol=1e-12)


def test_a_space_without_walls_is_free() -> None:
    space = wall_space((), [(0, 0), (3, 4)], 0.25, 0.5)
    ways = ways_from(space, np.zeros(2), 0.3, 0.3)
    assert ways is not None
    node = ways.node_near(np.array([3.0, 4.0]))
    assert node is not None
    assert ways.costs[node] == pytest.approx(3 * math.sqrt(2) + 1, abs=0.5), "along diagonals and axes"


def test_shortest_ways_of_a_small_maze() -> None:
    maze = read_maze(MAP, 2.0)
    walls = maze.walls()
    space = wall_space(walls, maze.goal_places, 0.2, 1.0)
    ways = ways_from(space, np.zeros(2), 0.85, 0.85)  # in corridors of 1.9 m, so all ways are almost cell by cell
    assert ways is not None
    lengths = {}
    for cell in ((0, 1), (1, 1)):
        node = ways.node_near(np.array(maze.place(cell)))
        assert node is not None
        points = ways.points_to(node)
        lengths[cell] = float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum())
        assert room_along(walls, points[:-1], points[1:]).min() >= 0.85
        passed = [maze.cell_at(point) for point in points]
        assert (
            list(dict.fromkeys(passed))
            == {
                (0, 1): [(2, 0), (1, 0), (0, 0), (0, 1)],
                (1, 1): [(2, 0), (1, 0), (0, 0), (0, 1), (0, 2), (1, 2), (2, 2), (2, 1), (1, 1)],
            }[cell]
        )
    assert lengths[0, 1] == pytest.approx(6, abs=0.5)
    assert lengths[1, 1] == pytest.approx(16 - 1.5, abs=0.5), "six corners are cut a little"


def test_ways_begin_on_this_side_of_a_wall() -> None:
    walls = (Wall((-3, 0.1), (3, 0.1)),)
    space = wall_space(walls, [(0, 0), (0, 4)], 0.1, 1.0)
    ways = ways_from(space, np.array([0.0, 0.04]), 0.4, 0.4)
    assert ways is not None
    beginning = ways.points_to(int(np.argmin(ways.costs)))[0]
    assert beginning[1] < 0, "the nearest point with room is below, and others are behind the wall"


def test_without_room_there_are_no_ways() -> None:
    maze = read_maze("+--+--+\n|S   G|\n+--+--+", 1.0)
    space = wall_space(maze.walls(), maze.goal_places, 0.1, 1.0)
    assert ways_from(space, np.zeros(2), 0.3, 0.3) is not None
    inside = ways_from(space, np.zeros(2), 0.6, 0.6)
    assert inside is None, "there is room outside, but not in line of sight"


def test_ways_keep_to_the_middle_of_corridors() -> None:
    maze = read_maze("+--+--+--+--+\n|S         G|\n+--+--+--+--+", 2.0)
    space = wall_space(maze.walls(), maze.goal_places, 0.1, 1.0)
    start = np.array([0.0, 0.4])
    ways = ways_from(space, start, 0.2, 0.9)
    assert ways is not None
    node = ways.node_near(maze.goal_places[0])
    assert node is not None
    assert np.median(np.abs(ways.points_to(node)[:, 1])) < 0.15

"""Mazes: how their cells hang together, and where their walls stand."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from canter.control.world import Slope, World
from canter.navigation import Maze, random_maze, read_maze
from canter.navigation.lines import room_along, room_at

SMALL = """
+--+--+--+
|     |G |
+  +--+  +
|S       |
+--+--+--+
"""
SIDE = st.integers(1, 8)


def passages(maze: Maze) -> int:
    return sum(len(maze.neighbours(cell)) for cell in maze.cells()) // 2


@given(SIDE, SIDE, st.integers(0, 10**6), st.floats(0, 1))
def test_every_cell_of_a_random_maze_can_be_reached(rows: int, columns: int, seed: int, loops: float) -> None:
    maze = random_maze(rows, columns, 2.0, seed, loops=loops)
    assert maze.connected() == set(maze.cells())
    perfect = random_maze(rows, columns, 2.0, seed, loops=0)
    assert passages(perfect) == rows * columns - 1, "one way between any two cells"
    walls = (rows - 1) * (columns - 1)
    assert passages(maze) == rows * columns - 1 + round(loops * walls)


def test_the_same_seed_gives_the_same_maze() -> None:
    assert random_maze(6, 5, 2.0, 3) == random_maze(6, 5, 2.0, 3)
    assert random_maze(6, 5, 2.0, 3) != random_maze(6, 5, 2.0, 4)
    assert hash(random_maze(6, 5, 2.0, 3)) == hash(random_maze(6, 5, 2.0, 3))


@given(st.integers(0, 1000))
@settings(max_examples=30)
def test_an_animal_can_go_ahead_from_the_start(seed: int) -> None:
    maze = random_maze(5, 4, 2.0, seed)
    row, column = maze.start
    assert (row - 1, column) in maze.neighbours(maze.start)


def test_the_start_is_the_origin_and_the_top_is_ahead() -> None:
    maze = read_maze(SMALL, 2.0)
    assert maze.start_place == (0, 0)
    assert maze.facing == 0
    assert maze.place((0, 0)) == (0, 2), "the row above is ahead"
    assert maze.place((1, 2)) == (-4, 0), "columns to the right are at -X"
    np.testing.assert_array_equal(maze.goal_places, [(-4, 2)])
    for cell in maze.cells():
        assert maze.cell_at(maze.place(cell)) == cell


def test_pieces_in_one_line_are_one_wall() -> None:
    walls = read_maze(SMALL, 2.0).walls(height=0.8, thickness=0.2)
    lines = {(wall.start, wall.end) for wall in walls}
    assert lines == {
        ((1, 3), (-5, 3)),
        ((-1, 1), (-3, 1)),
        ((1, -1), (-5, -1)),
        ((1, 3), (1, -1)),
        ((-3, 3), (-3, 1)),
        ((-5, 3), (-5, -1)),
    }
    assert {(wall.height, wall.thickness) for wall in walls} == {(0.8, 0.2)}


@given(st.integers(0, 1000))
@settings(max_examples=20)
def test_walls_stand_between_cells_that_are_not_neighbours_and_nowhere_else(seed: int) -> None:
    maze = random_maze(4, 5, 2.0, seed)
    walls = maze.walls()
    assert room_at(walls, [maze.place(cell) for cell in maze.cells()]).min() >= 0.95 - 1e-9
    for row, column in maze.cells():
        for other in ((row + 1, column), (row, column + 1)):
            crosses = float(room_along(walls, maze.place((row, column)), maze.place(other))) < 0
            assert crosses == (other not in maze.neighbours((row, column)))


def test_a_maze_can_be_on_any_ground() -> None:
    world = read_maze(SMALL, 2.0).world(terrain=Slope(0.1), friction=0.5, thickness=0.15)
    assert world == World(Slope(0.1), 0.5, walls=read_maze(SMALL, 2.0).walls(thickness=0.15))
    assert World.from_table(world.to_table()) == world
    with pytest.raises(ValueError, match="leave no room"):
        read_maze(SMALL, 0.1).world(thickness=0.1)


@given(st.integers(0, 1000), st.integers(0, 19))
@settings(max_examples=30)
def test_goals_are_scattered_over_cells_of_their_own(seed: int, count: int) -> None:
    maze = random_maze(4, 5, 2.0, seed).scattered(count, seed)
    assert len(set(maze.goals)) == count
    assert maze.start not in maze.goals
    assert set(maze.goals) <= maze.connected()


def test_goals_are_only_where_they_can_be_reached() -> None:
    closed = read_maze("+--+--+\n|S |  |\n+--+--+", 2.0)
    assert closed.connected() == {(0, 0)}
    with pytest.raises(ValueError, match="1 goals do not fit: 0 cells"):
        closed.scattered(1)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"cell": 0.0}, "maze.cell"),
        ({"cell": float("nan")}, "maze.cell must be finite"),
        ({"start": (2, 0)}, "maze.start: there is no cell"),
        ({"goals": ((0, 0), (0, 0))}, "cells of their own"),
        ({"goals": ((0, 7),)}, "maze.goals: there is no cell"),
        ({"across": ((True,) * 3,) * 2}, "needs 3 rows of 3 pieces across"),
        ({"across": ((True, False, True),) * 3}, "border"),
    ],
)
def test_impossible_mazes_are_refused(change: dict[str, object], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        dataclasses.replace(read_maze(SMALL, 2.0), **change)  # type: ignore[arg-type]


def test_impossible_random_mazes_are_refused() -> None:
    with pytest.raises(ValueError, match="1 to 50 rows"):
        random_maze(0, 4, 2.0)
    with pytest.raises(ValueError, match="1 to 50 rows"):
        random_maze(4, 51, 2.0)
    with pytest.raises(ValueError, match="loops"):
        random_maze(4, 4, 2.0, loops=1.5)

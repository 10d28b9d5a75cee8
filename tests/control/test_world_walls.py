"""Walls of a world: what is refused, and that tables keep them."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from canter.control import World
from canter.control.ride import format_script, parse_script
from canter.control.script import Script
from canter.control.world import MAX_WALLS, Rolling, Wall

COORDINATE = st.floats(-1e4, 1e4)
WALL = st.builds(
    Wall,
    st.tuples(COORDINATE, COORDINATE),
    st.tuples(COORDINATE, COORDINATE),
    st.floats(0.01, 100),
    st.floats(0.01, 10),
)


@given(st.lists(WALL, max_size=5))
def test_tables_keep_walls(walls: list[Wall]) -> None:
    world = World(Rolling(0.3), walls=tuple(walls))
    assert World.from_table(world.to_table()) == world
    assert hash(World.from_table(world.to_table())) == hash(world)


def test_a_world_without_walls_is_written_as_before() -> None:
    assert World().to_table() == {"terrain": "flat", "friction": 0.9, "tilt": [0.0, 0.0]}
    assert World.from_table({"terrain": "flat"}) == World(walls=())


def test_usual_walls_are_four_numbers() -> None:
    world = World(walls=(Wall((0, 1), (2, 3)), Wall((0, 1), (2, 3), 0.5, 0.2)))
    assert world.to_table()["walls"] == [[0, 1, 2, 3], [0, 1, 2, 3, 0.5, 0.2]]
    assert World.from_table({"walls": [[0, 1, 2, 3]]}).walls == (Wall((0.0, 1.0), (2.0, 3.0), 1.0, 0.1),)


def test_walls_make_worlds_differ_and_change_nothing_else() -> None:
    bare, walled = World.slope(0.1), World.slope(0.1, walls=(Wall((0, 1), (2, 3)),))
    assert bare != walled
    assert walled == World.slope(0.1, walls=[Wall((0, 1), (2, 3))])
    assert bare.height([1.0, 2.0]) == walled.height([1.0, 2.0])


def test_rides_keep_walls() -> None:
    script = Script("dog", world=World(walls=(Wall((0, 1), (2, 3)), Wall((1, 1), (1, 1), 2.0, 0.3))))
    assert parse_script(format_script(script)) == script


@pytest.mark.parametrize(
    ("values", "words"),
    [
        (((0, math.nan), (1, 1)), r"wall\.start\[1\] must be finite"),
        (((0, 0, 0), (1, 1)), r"wall\.start must be 2 numbers"),
        (((0, 0), (1, 2e4)), r"wall\.end must be within 10000 m"),
        (((0, 0), (1, 1), 0.0), r"wall\.height must be above zero"),
        (((0, 0), (1, 1), 1.0, -0.1), r"wall\.thickness must be above zero"),
        (((0, 0), (1, 1), 1e6), r"wall\.height must be .* at most 100 m"),
        (((0, 0), (1, 1), 1.0, 11.0), r"wall\.thickness must be .* at most 10 m"),
        (((0, 0), "ab"), r"wall\.end"),
    ],
)
def test_impossible_walls_are_refused(values: tuple[Any, ...], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Wall(*values)


@pytest.mark.parametrize(
    ("walls", "words"),
    [
        (3, "list of rows"),
        ("0123", "list of rows"),
        ([[0, 0, 1]], r"world\.walls\[0\] must be 4 or 6 numbers, not 3"),
        ([[0, 0, 1, 1], [0, 0, 1, "x"]], r"world\.walls\[1\]\[3\] must be a number"),
        ([[0, 0, 1, 1, 0, 1]], r"world\.walls\[0\]: wall\.height"),
        ([[0, 0, 1, 1]] * (MAX_WALLS + 1), "at most 2000, not 2001"),
    ],
)
def test_strange_tables_are_refused(walls: object, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        World.from_table({"walls": walls})


def test_a_world_refuses_too_many_walls_and_strange_ones() -> None:
    with pytest.raises(ValueError, match="at most 2000"):
        World(walls=(Wall((0, 0), (1, 1)),) * (MAX_WALLS + 1))
    with pytest.raises(ValueError, match="must be of Wall"):
        World(walls=((0, 0, 1, 1),))  # type: ignore[arg-type]

"""The ray sensor: ranges by hand and against stepping along rays, what is in line of sight, and room for a body."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from canter.control.world import Wall, World
from canter.navigation import RaySensor, ranges, read_maze, visible
from canter.navigation.lines import room_at
from canter.navigation.rays import room_ahead

from .carts import state_at

BAR = (Wall((-1, 2), (1, 2), thickness=0.2),)
COORDINATE = st.floats(-5, 5)


@pytest.mark.parametrize(
    ("yaw", "distance"),
    [
        (0.0, 1.9),
        (math.pi, 5.0),
        (math.atan2(1, 1.9), math.hypot(1, 1.9)),
        (math.atan2(0.5, 1), 1.9 * math.hypot(0.5, 1)),
        (-math.atan2(0.5, 1), 1.9 * math.hypot(0.5, 1)),
        (math.atan2(1.2, 2), 5.0),
    ],
)
def test_ranges_to_a_wall_ahead(yaw: float, distance: float) -> None:
    assert ranges(BAR, (0, 0), [yaw], 5.0) == pytest.approx(distance)


def test_ranges_to_the_round_ends_of_a_wall() -> None:
    assert ranges(BAR, (3, 2), [-math.pi / 2], 5.0) == pytest.approx(1.9)
    assert ranges(BAR, (-3, 2.05), [math.pi / 2], 5.0) == pytest.approx(2 - math.sqrt(0.01 - 0.0025))
    assert ranges((Wall((0, 3), (0, 3), thickness=1.0),), (0, 0), [0.0, 1.0], 5.0) == pytest.approx([2.5, 5.0])


def test_ranges_inside_a_wall_are_zero_and_without_walls_the_reach() -> None:
    np.testing.assert_array_equal(ranges(BAR, (0.5, 2.05), np.linspace(-3, 3, 7), 5.0), np.zeros(7))
    np.testing.assert_array_equal(ranges((), (0, 0), [0.0, 1.0], 4.0), [4, 4])


@given(
    st.lists(st.tuples(COORDINATE, COORDINATE, COORDINATE, COORDINATE, st.floats(0.01, 1)), min_size=1, max_size=8),
    st.tuples(COORDINATE, COORDINATE),
)
@settings(max_examples=60)
def test_ranges_are_those_of_stepping_along_the_rays(
    rows: list[tuple[float, float, float, float, float]], place: tuple[float, float]
) -> None:
    walls = [Wall((a, b), (c, d), thickness=t) for a, b, c, d, t in rows]
    yaws, reach = np.linspace(-math.pi, math.pi, 25), 8.0
    found = ranges(walls, place, yaws, reach)
    rays = np.stack([np.sin(yaws), np.cos(yaws)], axis=-1)
    ends = np.asarray(place) + found[:, None] * rays
    assert np.abs(room_at(walls, ends))[(found > 0) & (found < reach)].max(initial=0) < 1e-6, "rays end at a wall"
    for share in np.linspace(0, 1, 40)[:-1]:
        room = room_at(walls, np.asarray(place) + (share * found)[:, None] * rays)
        assert room[found > 0].min(initial=0) > -1e-6, "and go through none"


def test_what_is_in_line_of_sight() -> None:
    targets = [(0, 1), (0, 3), (3, 3), (0, -2)]
    np.testing.assert_array_equal(visible(BAR, (0, 0), targets), [True, False, True, True])


def test_room_for_a_body_is_less_than_for_a_ray() -> None:
    yaws = np.radians(np.arange(-90.0, 91.0, 1.0))
    corner = (Wall((0.3, 2), (3, 2)),)
    distances = ranges(corner, (0, 0), yaws, 4.0)
    assert room_ahead(yaws, distances, 0.1, 0.0) == pytest.approx(4.0, rel=1e-3)
    assert room_ahead(yaws, distances, 0.4, 0.0) == pytest.approx(1.95, abs=0.02)
    assert room_ahead(yaws, distances, 0.1, -0.8) == pytest.approx(4.0, rel=1e-3)


def test_a_sensor_looks_from_where_the_animal_is() -> None:
    sensor = RaySensor(World(walls=BAR), [(0, 1), (0, 4), (-3, 0)], reach=5.0, rays=8)
    sighting = sensor(state_at(0.0, -1.0, math.pi / 4))
    np.testing.assert_allclose(sighting.yaws, math.pi / 4 * (1 + np.arange(8)))
    np.testing.assert_allclose(sighting.distances, [5, 5, 5, 5, 5, 5, 5, 2.9])
    np.testing.assert_allclose(sighting.goal_distances, [2, math.hypot(3, 1)], err_msg="the nearest first")
    np.testing.assert_allclose(sighting.goal_yaws, [0, math.atan2(-3, 1)], atol=1e-12)


def test_a_sensor_sees_nothing_through_walls() -> None:
    maze = read_maze("+--+--+\n|G |  |\n+--+  +\n|S   G|\n+--+--+", 2.0)
    sighting = RaySensor(maze.world(), maze.goal_places)(state_at(0.0, 0.0, 0.0))
    np.testing.assert_allclose(sighting.goal_distances, [2.0])
    assert sighting.distances[0] == pytest.approx(0.95)


def test_impossible_sensors_are_refused() -> None:
    with pytest.raises(ValueError, match="reach"):
        RaySensor(World(), reach=math.inf)
    with pytest.raises(ValueError, match="8 rays"):
        RaySensor(World(), rays=3)

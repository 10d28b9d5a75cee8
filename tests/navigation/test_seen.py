"""What an animal has seen: cells along rays, walls where they end, and the border of both."""

from __future__ import annotations

import numpy as np
import pytest

from canter.control.world import World
from canter.navigation import RaySensor, read_maze
from canter.navigation.lines import room_at
from canter.navigation.seen import SeenMap
from canter.navigation.space import ways_from

from .carts import state_at

CORRIDOR = read_maze("+--+--+--+\n|S       |\n+--+--+  +\n|G       |\n+--+--+--+", 2.0)


def seen_from(*places: tuple[float, float]) -> SeenMap:
    seen, sensor = SeenMap(0.12), RaySensor(CORRIDOR.world(), reach=6.0)
    for x, z in places:
        seen.add(np.array([x, z]), sensor(state_at(x, z, 0.3)))
    return seen


def test_cells_are_free_where_there_is_no_wall() -> None:
    seen = seen_from((0, 0), (-3, 0), (-4, -2))
    places = seen.origin + seen.spacing * np.argwhere(seen.free & ~seen.wall)
    assert room_at(CORRIDOR.walls(), places).min() > -seen.spacing
    walls = seen.origin + seen.spacing * np.argwhere(seen.wall)
    assert np.abs(room_at(CORRIDOR.walls(), walls)).max() < seen.spacing


def test_nothing_is_seen_behind_walls() -> None:
    seen = seen_from((0, 0))
    places = seen.origin + seen.spacing * np.argwhere(seen.free)
    hidden = (places[:, 1] < -1.2) & (places[:, 0] > -2.5)
    assert not hidden.any()
    assert (places[:, 0] < -4).any(), "the end of the corridor is seen"


def test_the_border_is_where_there_is_more_to_see() -> None:
    seen = seen_from((0, 0))
    ways = ways_from(seen.space(), np.zeros(2), 0.3, 0.5)
    assert ways is not None
    places = ways.space.points(ways.numbers[seen.frontier(ways)])
    assert len(places)
    assert (places[:, 0] < -3).all(), "only where the corridor turns"


def test_when_everything_is_seen_there_is_no_border() -> None:
    corridor = [(-0.5 * k, 0.0) for k in range(9)]
    seen = seen_from(*corridor, (-4, -1), *((x, -2.0) for x, _ in corridor))
    ways = ways_from(seen.space(), np.zeros(2), 0.3, 0.5)
    assert ways is not None
    assert len(seen.frontier(ways)) == 0
    assert ways.node_near(CORRIDOR.goal_places[0], 0.3) is not None


def test_the_map_grows_with_what_is_seen() -> None:
    seen, sensor = SeenMap(0.2), RaySensor(World(), reach=4.0)
    for x in (0.0, 10.0, -25.0):
        seen.add(np.array([x, 2.0]), sensor(state_at(x, 2.0, 0.0)))
    places = seen.origin + seen.spacing * np.argwhere(seen.free)
    assert places[:, 0].min() == pytest.approx(-29, abs=0.7)
    assert places[:, 0].max() == pytest.approx(14, abs=0.7)
    assert not seen.wall.any()
    for x in (0.0, 10.0, -25.0):
        disc = np.linalg.norm(places - (x, 2.0), axis=1) < 3.4
        assert disc.sum() * seen.spacing**2 == pytest.approx(np.pi * 3.4**2, rel=0.05), "without gaps between rays"

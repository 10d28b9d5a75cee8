"""The tables of the shipped animals: what any table must hold, whatever its numbers."""

from __future__ import annotations

import pytest

from canter.animals.generator.action_rows import ActionRow
from canter.animals.generator.gait_rows import GaitRow
from canter.animals.generator.waves import points

from .loaded import animal

CHANNELS = ("height", "sway", "pitch", "roll", "flexion", "bend", "neck", "head", "look", "tilt", "tail", "curl", "wag")
"""Tracks of an action that are 0 in the standing pose."""
ROWS = [(name, row) for name in ("horse", "dog", "turtle") for row in animal(name).rows]
ACTIONS = [(name, row) for name in ("horse", "dog", "turtle") for row in animal(name).action_rows]


def test_names_are_unique() -> None:
    for name in ("horse", "dog", "turtle"):
        names = [row.name for row in (*animal(name).rows, *animal(name).action_rows)]
        assert len(names) == len(set(names))


@pytest.mark.parametrize(("name", "row"), ROWS, ids=lambda x: getattr(x, "name", x))
def test_gait_rows_are_consistent(name: str, row: GaitRow) -> None:
    low, high = row.speeds
    assert low <= row.speed <= high
    assert row.frequency > 0
    assert row.touchdowns.count(0.0) >= 1, "phases are counted from a touchdown"
    for leg, roles in ((row.fore, animal(name).standing.roles[0]), (row.hind, animal(name).standing.roles[2])):
        assert 0.15 <= leg.duty <= 0.85
        assert set(leg.bends) <= set(roles), "a bend of a joint that the leg does not have"
        for curve in (leg.lift, *(part for pair in leg.bends.values() for part in pair)):
            at = [position for position, _ in curve]
            assert at == sorted(at)
            assert 0 <= at[0] <= at[-1] <= 1


@pytest.mark.parametrize(("name", "row"), ACTIONS, ids=lambda x: getattr(x, "name", x))
def test_tracks_begin_and_end_in_the_standing_pose(name: str, row: ActionRow) -> None:
    for channel in CHANNELS:
        keys = points(getattr(row, channel))
        if keys:
            assert keys[0] == (0.0, 0.0), f"{row.name} {channel}"
            assert keys[-1][1] == 0.0, f"{row.name} {channel}"
            assert [at for at, _ in keys] == sorted(at for at, _ in keys)
            assert keys[-1][0] <= row.seconds

"""The cycles that a controller drives a character by, and the speeds that they are taken at."""

from __future__ import annotations

from functools import lru_cache

from canter.anatomy import Character
from canter.cycles.build.drivable import drivable
from canter.cycles.build.rows import Row, driven_cycles
from canter.cycles.engine.cycle import Cycle


@lru_cache(maxsize=4)
def gait_cycles(character: Character) -> tuple[tuple[Cycle, ...], tuple[str, ...]]:
    """The cycles of a character's gaits and their names, mirror images included.

    Those of the last characters are kept: all controllers of one animal share them.
    """
    cycles = driven_cycles(_rows(character), character.anatomy)
    return cycles, tuple(cycle.name for cycle in cycles)


def speed_ranges(character: Character) -> dict[str, tuple[float, float]]:
    """The speeds in m/s at which gaits are taken, by name, as the animal's table or its file says."""
    return {row.cycle.name: row.speeds for row in _rows(character) if row.speeds is not None}


def gait_labels(character: Character) -> dict[str, str]:
    """What gaits are called where people read it, by name (see `Row.label`)."""
    return {row.cycle.name: row.label for row in _rows(character)}


@lru_cache(maxsize=4)
def _rows(character: Character) -> tuple[Row, ...]:
    return drivable(character).rows

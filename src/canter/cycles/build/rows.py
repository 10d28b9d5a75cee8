"""A stride or stand of an animal, where it was taken from, and the cycle that the engine makes of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from canter.anatomy import Character, Clip
from canter.cycles.build.cycle import make_cycle
from canter.cycles.engine.cycle import Cycle
from canter.motion.mirroring import mirror

ONE_SIDED_GAITS = ("side", "turn")
"""Gaits that go to one side: their mirror images go to the other."""


@dataclass(frozen=True, eq=False)
class Taken:
    """A closed stride that travels along +Z, or a stand; the clip and the frames that it was taken from.

    `gap` is by how many centimetres a joint of its last pose missed the first before it was closed, `how` what it is in
    words, and `cost` how far it is from a steady stride that closes, in hip heights.
    """

    clip: Clip
    source: str
    frames: tuple[int, int]
    gap: float
    cost: float
    how: str


@dataclass(frozen=True, eq=False)
class Row:
    """A stride, its cycle, the speeds in m/s at which its gait is taken (None for one that is not taken by speed), and
    the cycle of its mirror image if it goes to one side."""

    taken: Taken
    cycle: Cycle
    speeds: tuple[float, float] | None = None
    mirrored: Cycle | None = None


def goes_ahead(cycle: Cycle) -> bool:
    """Whether a cycle travels mostly ahead and does not turn on the spot."""
    return bool(cycle.velocity[1] > 0.5 * cycle.speed > 0) and cycle.gait != "turn"


def make_row(character: Character, taken: Taken) -> Row:
    """The row of a stride, without a range of speeds."""
    return Row(taken, make_cycle(character, taken.clip), None, mirrored_cycle(character, taken.clip))


def mirrored_cycle(character: Character, clip: Clip) -> Cycle | None:
    """The cycle of a clip's mirror image, called `NAME right`; None for a gait that goes to no side."""
    if clip.footfalls.gait not in ONE_SIDED_GAITS:
        return None
    anatomy = character.anatomy
    order = [[leg.foot for leg in anatomy.legs].index(int(anatomy.mirror[leg.foot])) for leg in anatomy.legs]
    footfalls = replace(clip.footfalls, contacts=clip.footfalls.contacts[:, order])
    return replace(make_cycle(character, Clip(mirror(clip.motion, anatomy.mirror), footfalls)), name=right(clip.name))


def right(name: str) -> str:
    """What the mirror image of a cycle is called."""
    return f"{name} right"


def driven_cycles(rows: Iterable[Row]) -> tuple[Cycle, ...]:
    """The cycles that an animal is driven by: of several stands the first, and mirror images after their originals."""
    cycles: list[Cycle] = []
    for row in rows:
        if row.cycle.gait == "stand" and any(cycle.gait == "stand" for cycle in cycles):
            continue
        cycles += [row.cycle, *([] if row.mirrored is None else [row.mirrored])]
    return tuple(cycles)

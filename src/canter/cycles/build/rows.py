"""A stride or stand of an animal, where it was taken from, and the cycle that the engine makes of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from canter.anatomy import Anatomy, Character, Clip
from canter.cycles.build.cycle import make_cycle
from canter.cycles.engine.cycle import Cycle
from canter.motion import Motion, Skeleton
from canter.motion.mirroring import mirror

ONE_SIDED_GAITS = ("side", "turn")
"""Gaits that go to one side: their mirror images go to the other."""
FIXED = 1e-6
"""Metres within which a joint that does not move in its parent stays."""


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
    """A stride, its cycle, and the speeds in m/s at which its gait is taken (None for one that is not taken by
    speed)."""

    taken: Taken
    cycle: Cycle
    speeds: tuple[float, float] | None = None


def goes_ahead(cycle: Cycle) -> bool:
    """Whether a cycle travels mostly ahead and does not turn on the spot."""
    return bool(cycle.velocity[1] > 0.5 * cycle.speed > 0) and cycle.gait != "turn"


def make_row(character: Character, taken: Taken) -> Row:
    """The row of a stride, without a range of speeds."""
    return Row(taken, make_cycle(character, taken.clip))


def driven_cycles(rows: Iterable[Row], anatomy: Anatomy) -> tuple[Cycle, ...]:
    """The cycles that an animal is driven by: of several stands the first, and after each cycle that favours a side its
    mirror image (steps aside, turns on the spot, gaits with a lead)."""
    cycles: list[Cycle] = []
    for row in rows:
        cycle = row.cycle
        if cycle.gait == "stand" and any(other.gait == "stand" for other in cycles):
            continue
        cycles.append(cycle)
        if cycle.gait in ONE_SIDED_GAITS or (cycle.lead and goes_ahead(cycle)):
            cycles.append(mirror_image(cycle, row.taken.clip.motion.skeleton, anatomy))
    return tuple(cycles)


def mirror_image(cycle: Cycle, skeleton: Skeleton, anatomy: Anatomy) -> Cycle:
    """A cycle with left and right exchanged. Bones keep their own lengths, also in a rig whose sides differ."""
    motion = mirror(Motion(skeleton, 1.0, cycle.positions, cycle.rotations), anatomy.mirror)
    fixed = (np.ptp(cycle.positions, axis=0).max(axis=-1) < FIXED) & (skeleton.parents >= 0)
    other, across = anatomy.partners, np.array([-1.0, 1.0])
    return replace(
        cycle,
        name=f"{cycle.name} {'left lead' if cycle.lead < 0 else 'right lead' if cycle.lead else 'right'}",
        velocity=cycle.velocity * across,
        turn=-cycle.turn,
        positions=np.where(fixed[:, None], cycle.positions, motion.positions),
        rotations=motion.rotations,
        touchdowns=cycle.touchdowns[other],
        duty=cycle.duty[other],
        sweep=cycle.sweep[other] * across,
        is_mirror_image=True,
    )

"""A stride or stand of an animal, where it was taken from, and the cycle that the engine makes of it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from canter.anatomy import Anatomy, Character, Clip
from canter.anatomy.loose_joints import LooseJoints, carried, find_companions
from canter.cycles.build.cycle import make_cycle
from canter.cycles.engine.cycle import Cycle
from canter.motion import Motion, Skeleton
from canter.motion.kinematics import forward
from canter.motion.mirroring import mirror

ONE_SIDED_GAITS = ("side", "turn")
"""Gaits that go to one side: their mirror images go to the other."""
MADE = "made for it"
"""How a stride was taken that no clip shows."""
FIXED, MAX_WOBBLE = 1e-6, 0.1
"""Hip heights within which a joint stays in its parent that does not move in it, and one that has its place there; feet
on the root have none."""


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

    @property
    def label(self) -> str:
        """What the gait is called where people read it: as the artist called the clip, and what its feet say beside it,
        unless that is the same word ("fox_jog: trot", but "slow walk")."""
        name, gait = self.cycle.name, self.cycle.gait
        artists = (self.taken.source if name == gait and self.taken.how != MADE else name).rpartition("|")[2]
        same = gait.casefold() in re.findall(r"[^\W\d_]+", _spaced(artists).casefold())
        return artists if same else f"{artists}: {gait}"


def _spaced(name: str) -> str:
    """A name like WalkSlow in words."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)


def goes_ahead(cycle: Cycle) -> bool:
    """Whether a cycle travels mostly ahead and does not turn on the spot."""
    return bool(cycle.velocity[1] > 0.5 * cycle.speed > 0) and cycle.gait != "turn"


def make_row(character: Character, taken: Taken, loose: LooseJoints) -> Row:
    """The row of a stride, without a range of speeds; `loose` joints go with the legs that were moved."""
    taken = replace(taken, clip=replace(taken.clip, motion=carried(taken.clip.motion, loose)))
    cycle = make_cycle(character, taken.clip)
    positions = loose.put(character.skeleton, cycle.positions, cycle.rotations)
    return Row(taken, replace(cycle, positions=positions))


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
    """A cycle with left and right exchanged. Joints keep their own mean places in their parents, also in a rig whose
    sides differ, and joints that go with a leg, which may have no partners, go with it still."""
    motion = mirror(Motion(skeleton, 1.0, cycle.positions, cycle.rotations), anatomy.mirror)
    wobble = np.ptp(cycle.positions, axis=0).max(axis=-1) / anatomy.hip_height
    wobble = np.where(skeleton.parents < 0, np.inf, wobble)[:, None]
    loose = find_companions(skeleton, anatomy, *forward(skeleton, cycle.positions, cycle.rotations))
    own = motion.positions + (cycle.positions.mean(axis=0) - motion.positions.mean(axis=0))
    positions = np.where(wobble < FIXED, cycle.positions, np.where(wobble < MAX_WOBBLE, own, motion.positions))
    other, across = anatomy.partners, np.array([-1.0, 1.0])
    return replace(
        cycle,
        name=f"{cycle.name} {'left lead' if cycle.lead < 0 else 'right lead' if cycle.lead else 'right'}",
        velocity=cycle.velocity * across,
        turn=-cycle.turn,
        positions=loose.put(skeleton, positions, motion.rotations),
        rotations=motion.rotations,
        touchdowns=cycle.touchdowns[other],
        duty=cycle.duty[other],
        sweep=cycle.sweep[other] * across,
        is_mirror_image=True,
    )

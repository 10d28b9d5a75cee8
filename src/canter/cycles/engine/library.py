"""The cycles of one animal as stacked arrays, and poses sampled from them at any phase of any leg."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from canter.anatomy import Character
from canter.cycles.engine.cycle import GRID, Cycle
from canter.footing.leg_tree import LegTree, as_slice, leg_chain, make_leg_tree
from canter.footing.lock import Limits, limits_of
from canter.motion import Skeleton
from canter.motion import rotations as rot
from canter.motion.arrays import Floats, Ints
from canter.motion.kinematics import forward

SAMPLE_STEP = 10
"""Every so many samples of a cycle are looked at to find the joints that open a leg."""


@dataclass(frozen=True, eq=False)
class Library:
    """Cycles of one character, `S` of them on `GRID` samples; see `Cycle` for what the arrays hold."""

    character: Character
    cycles: tuple[Cycle, ...]

    @property
    def skeleton(self) -> Skeleton:
        return self.character.skeleton

    @cached_property
    def rotations(self) -> Floats:
        """Local rotations `(S, GRID, J, 4)` in one hemisphere, so that they may be blended linearly."""
        stacked = np.stack([cycle.rotations for cycle in self.cycles])
        middle = stacked[0].mean(axis=0)
        for _ in range(2):
            stacked = same_side(stacked, middle)
            middle = stacked.mean(axis=(0, 1))
        return stacked

    @cached_property
    def positions(self) -> Floats:
        """Local positions `(S, GRID, J, 3)`."""
        return np.stack([cycle.positions for cycle in self.cycles])

    @cached_property
    def moving(self) -> Ints:
        """Joints whose local position is not always the same: the roots, and others in odd rigs."""
        spread: Floats = np.ptp(self.positions, axis=(0, 1)).max(axis=-1)
        return np.flatnonzero((spread > 1e-6) | (self.skeleton.parents < 0))

    @cached_property
    def still(self) -> Floats:
        """Local positions `(J, 3)` of the joints that do not move in their parents."""
        first: Floats = self.positions[0, 0]
        return first.copy()

    @cached_property
    def owner(self) -> Ints:
        """Which leg each joint belongs to `(J,)`; the number of legs for the rest of the body."""
        legs = self.character.anatomy.legs
        owner = np.full(len(self.skeleton), len(legs))
        for k, leg in enumerate(legs):
            owner[list(leg_chain(leg))] = k
        owner[self.tree.loose.joints] = self.tree.loose.legs
        for joint in range(len(owner)):  # toes and tips follow their leg
            parent = int(self.skeleton.parents[joint])
            if parent >= 0 and owner[joint] == len(legs) and owner[parent] < len(legs):
                owner[joint] = owner[parent]
        return owner

    @cached_property
    def tree(self) -> LegTree:
        """The legs, told from the poses of all cycles."""
        joints = len(self.skeleton)
        positions, rotations = (
            x[:, ::SAMPLE_STEP].reshape(-1, joints, x.shape[-1]) for x in (self.positions, self.rotations)
        )
        return make_leg_tree(self.skeleton, self.character.anatomy, positions, rotations)

    @cached_property
    def feet(self) -> Floats:
        """Where the feet are in each cycle `(S, GRID, L, 3)`, seen from the travelling animal."""
        return forward(self.skeleton, self.positions, self.rotations)[0][:, :, self.character.anatomy.feet]

    @cached_property
    def limits(self) -> Limits:
        """How far the legs extend in the cycles, in stance and ever."""
        extensions = self.tree.extensions(self.positions, self.rotations)
        since = (np.arange(GRID)[:, None] / GRID - self.stacked("touchdowns")[:, None]) % 1.0
        stands = since < self.stacked("duty")[:, None]
        legs = extensions.shape[-1]
        return limits_of(self.tree, extensions.reshape(-1, legs), stands.reshape(-1, legs))

    def stacked(self, name: str) -> Floats:
        """One field of all cycles, stacked `(S, ...)`."""
        return np.stack([getattr(cycle, name) for cycle in self.cycles])

    def sample(self, which: Ints, phase: Floats) -> tuple[Floats, Floats, Floats]:
        """Local positions `(M, J, 3)`, rotations `(M, J, 4)` and feet `(M, L, 3)` of cycles `which (M,)`; `phase
        (M, L + 1)` is that of the cycle for each leg's joints and foot, and last for the body's. Rotations are not yet
        of unit length."""
        return self.unpacked(self.sample_slots(which, phase))

    def sample_slots(self, which: Ints, phase: Floats) -> Floats:
        """The same packed into slots `(M, P)`, which may be blended before they are `unpacked`."""
        at = (phase - np.floor(phase)) * GRID
        first = np.floor(at)
        owner, offsets = self._slots.owner, self._slots.offsets
        first_rows = (first.astype(np.int64) + (which * (GRID + 1))[:, None]) * len(owner)
        found = self._steps.take(first_rows.take(owner, axis=1) + offsets, axis=0)
        size = found.shape[-1] // 2
        values: Floats = found[..., size:] * (at - first).take(owner, axis=1)[..., None]
        values += found[..., :size]
        return values.reshape(len(which), -1)

    def unpacked(self, slots: Floats) -> tuple[Floats, Floats, Floats]:
        """Local positions `(M, J, 3)`, rotations `(M, J, 4)` and feet `(M, L, 3)` from slots `(M, P)`."""
        layout, joints = self._slots, len(self.skeleton)
        each = slots.reshape(len(slots), -1, 4)
        positions = np.empty((len(slots), joints, 3))
        positions[:] = self.still
        positions[:, layout.moving] = each.take(layout.positions, axis=1)[..., :3]
        return positions, each.take(layout.rotations, axis=1), each.take(layout.feet, axis=1)[..., :3]

    @cached_property
    def body_means(self) -> Floats:
        """The mean of each cycle in slots `(S, P)`; zero for what belongs to a leg."""
        size, legs = len(self._slots.owner), self.feet.shape[2]
        steps = self._steps.reshape(len(self.cycles), GRID + 1, size, 2, -1)[:, :GRID, :, 0]
        means: Floats = steps.mean(axis=1) * (self._slots.owner == legs)[:, None]
        return means.reshape(len(means), -1)

    @cached_property
    def _slots(self) -> Slots:
        return make_slots(self.owner, self.moving, self.feet.shape[2])

    @cached_property
    def _steps(self) -> Floats:
        """Rows `(S * (GRID + 1) * G, 2 C)` of all slots: a group's values, and how far it is to those of the next
        sample. The first sample is repeated as the last, for a phase just below a whole one is rounded up to it."""
        layout = self._slots
        values = np.zeros((len(self.cycles), GRID, layout.count, 4))
        values[:, :, layout.rotations] = self.rotations
        values[:, :, layout.positions, :3] = self.positions[:, :, self.moving]
        values[:, :, layout.feet, :3] = self.feet
        values = values.reshape(len(self.cycles), GRID, len(layout.owner), -1)
        steps = np.empty((len(values), GRID + 1, len(layout.owner), 2, values.shape[3]))
        steps[:, :GRID, :, 0], steps[:, GRID, :, 0] = values, values[:, 0]
        np.subtract(steps[:, 1:, :, 0], steps[:, :-1, :, 0], out=steps[:, :-1, :, 1])
        steps[:, GRID, :, 1] = steps[:, 0, :, 1]
        return steps.reshape(-1, 2 * values.shape[3])


@dataclass(frozen=True, eq=False)
class Slots:
    """Where a sample of a cycle keeps what: rotations of the J joints, positions of the `moving` ones and places of the
    L feet, each in a slot of four numbers. Slots of one `owner (G,)`, a leg or the body, are in groups of equal size,
    because what has one phase is then read at once."""

    owner: Ints
    count: int
    rotations: Ints
    positions: Ints
    feet: Ints
    moving: slice | Ints

    @cached_property
    def offsets(self) -> Ints:
        """Where the groups are in a sample `(G,)`."""
        return np.arange(len(self.owner))


def make_slots(owner: Ints, moving: Ints, legs: int) -> Slots:
    """Slots of joints that belong to `owner (J,)`, a leg or, with the number of legs, the body."""
    owners = np.concatenate([owner, owner[moving], np.arange(legs)])
    size = 1 + int(np.bincount(owner, minlength=legs)[:legs].max())
    groups = [-(-int((owners == k).sum()) // size) for k in range(legs + 1)]
    number, first = np.empty(len(owners), np.int64), 0
    for k, count in enumerate(groups):
        mine = np.flatnonzero(owners == k)
        number[mine] = first + np.arange(len(mine))
        first += count * size
    rotations, positions, feet = np.split(number, [len(owner), len(owner) + len(moving)])
    return Slots(np.repeat(np.arange(legs + 1), groups), first, rotations, positions, feet, as_slice(moving))


def same_side(rotations: Floats, middle: Floats) -> Floats:
    """Quaternions `(..., J, 4)` with the signs that bring them nearest to `middle (J, 4)`."""
    return np.where((rotations * middle).sum(axis=-1, keepdims=True) < 0, -rotations, rotations)


def free_joints(library: Library) -> Ints:
    """Joints that carry no leg: neck, head and tail."""
    skeleton = library.skeleton
    ends = [joint for leg in library.character.anatomy.legs for joint in (leg.foot, leg.joints[-1])]
    carry = np.concatenate([np.flatnonzero(skeleton.parents < 0), *(skeleton.chain(joint) for joint in ends)])
    return np.setdiff1d(np.arange(len(skeleton)), carry)


def fastest_joints(cycle: Cycle) -> Floats:
    """The greatest speed of each joint in a cycle relative to its parent `(J,)`, in radians a second."""
    closed = np.concatenate([cycle.rotations, cycle.rotations[:1]])
    turns = rot.log(rot.multiply(rot.conjugate(closed[:-1]), closed[1:]))
    result: Floats = np.linalg.norm(turns, axis=-1).max(axis=0) * len(cycle.rotations) / cycle.seconds
    return result


def make_library(character: Character, cycles: Sequence[Cycle]) -> Library:
    """The library of a character with four legs."""
    if len(character.anatomy.legs) != 4:
        raise ValueError(f"{character.name!r} has {len(character.anatomy.legs)} legs; gaits need four")
    if not any(cycle.speed > 0 for cycle in cycles):
        raise ValueError(f"{character.name!r} has no loop that travels; `canter build RIG --gaits dog` makes some")
    return Library(character, tuple(cycles))

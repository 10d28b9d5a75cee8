"""The cycles of one animal as stacked arrays, and poses sampled from them at any phase of any leg."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from canter.anatomy import Character
from canter.cycles.engine.cycle import GRID, Cycle
from canter.footing.leg_tree import LegTree, leg_chain, make_leg_tree
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

    def sample_feet(self, which: Ints, phase: Floats) -> Floats:
        """Places of the feet `(M, L, 3)` in cycles `which (M,)` at phases `(M, L)` of the cycle, leg by leg."""
        legs = np.arange(phase.shape[1])
        row, share = _row(which, phase, len(legs))
        return _between(self._feet, row + legs, share)

    def stacked(self, name: str) -> Floats:
        """One field of all cycles, stacked `(S, ...)`."""
        return np.stack([getattr(cycle, name) for cycle in self.cycles])

    def sample(self, which: Ints, phase: Floats) -> tuple[Floats, Floats]:
        """Local positions `(M, J, 3)` and rotations `(M, J, 4)` of cycles `which (M,)`; `phase (M, L + 1)` is that of
        the cycle for each leg's joints, and last for the body's. Rotations are not yet of unit length."""
        owner, moving, count = self.owner, self.moving, len(self.skeleton)
        row, share = _row(which, phase, 1)
        whose, part = row.take(owner, axis=1), share.take(owner, axis=1)
        rotations = _between(self._rotations, whose * count + np.arange(count), part)
        positions = np.empty((len(which), count, 3))
        positions[:] = self.still
        moves = whose.take(moving, axis=1) * len(moving) + np.arange(len(moving))
        positions[:, moving] = _between(self._positions, moves, part.take(moving, axis=1))
        return positions, rotations

    @cached_property
    def _rotations(self) -> Floats:
        return _steps(self.rotations)

    @cached_property
    def _positions(self) -> Floats:
        return _steps(self.positions[:, :, self.moving])

    @cached_property
    def _feet(self) -> Floats:
        return _steps(self.feet)


def same_side(rotations: Floats, middle: Floats) -> Floats:
    """Quaternions `(..., J, 4)` with the signs that bring them nearest to `middle (J, 4)`."""
    return np.where((rotations * middle).sum(axis=-1, keepdims=True) < 0, -rotations, rotations)


def _steps(samples: Floats) -> Floats:
    """Rows `(S * GRID * K, 2 C)` of loops `(S, GRID, K, C)`: a value, and how far it is to the next sample's."""
    pairs = np.concatenate([samples, np.roll(samples, -1, axis=1) - samples], axis=-1)
    return np.ascontiguousarray(pairs.reshape(-1, pairs.shape[-1]))


def _row(which: Ints, phase: Floats, size: int) -> tuple[Ints, Floats]:
    """Where in loops of `size` rows a sample the phases `(M, K)` of cycles `which (M,)` are, and the share on."""
    at = (phase - np.floor(phase)) * GRID
    first = np.minimum(at.astype(np.int64), GRID - 1)  # a phase just below a whole one is rounded up to GRID
    share: Floats = at - first
    rows: Ints = (which[:, None] * GRID + first) * size
    return rows, share


def _between(steps: Floats, rows: Ints, share: Floats) -> Floats:
    """Values `(M, K, C)` at rows `(M, K)` and the share on to the next."""
    found = steps.take(rows, axis=0)
    size = found.shape[-1] // 2
    result: Floats = found[..., :size] + found[..., size:] * share[..., None]
    return result


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

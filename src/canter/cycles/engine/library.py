"""The cycles of one animal as stacked arrays: poses read off at any phase of any leg, feet and legs by index."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations

import numpy as np

from canter.anatomy import Character, Leg
from canter.cycles.build.cycle import GRID, Cycle
from canter.motion import Skeleton
from canter.motion import rotations as rot
from canter.motion.arrays import Bools, Floats, Ints
from canter.motion.kinematics import forward

SHORT_FOOT = 0.12
"""A last bone below this share of the leg is a hoof: it keeps its turn when the leg is moved."""


@dataclass(frozen=True, eq=False)
class Legs:
    """Joints of the four legs by index `(L,)`: where a leg hangs, the knee that opens it, the hock that folds with the
    knee (the ankle, where none does), the joint that is put in place, and the foot that meets the ground, with its
    parent `above` it; `paired` legs have a hock, `hoofed` ones keep the turn of their ankle."""

    hip: Ints
    knee: Ints
    hock: Ints
    ankle: Ints
    foot: Ints
    above: Ints
    paired: Bools
    hoofed: Bools
    apart: Ints
    """Legs whose foot hangs elsewhere in the rig, as a target for its own leg to follow."""

    @cached_property
    def alone(self) -> Floats:
        """1 for legs whose knee has no hock to fold with, else 0."""
        return np.where(self.paired, 0.0, 1.0)

    def numbered(self, number: Ints) -> Legs:
        """The same legs with other numbers for the joints."""
        names = ("hip", "knee", "hock", "ankle", "foot", "above")
        return replace(self, **{name: number[getattr(self, name)] for name in names})


@dataclass(frozen=True, eq=False)
class Tree:
    """What carries the legs: `joints (K,)` level by level, where each level begins, the parents of its joints within
    the level above, and the `legs` numbered as in `joints`.

    A leg that reaches turns its `movers (M,)`, numbered as in the skeleton: hips, knees, the hocks of the legs `pairs`
    and the ankles of the legs `hooves`; `over (M,)` are their parents, numbered as in `joints`.
    """

    joints: Ints
    starts: tuple[int, ...]
    parents: tuple[Ints, ...]
    legs: Legs
    movers: Ints
    over: Ints
    pairs: Ints
    hooves: Ints


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
        """Local rotations `(S, GRID, J, 4)`, all on one side, so that they may be mixed."""
        stacked = np.stack([cycle.rotations for cycle in self.cycles])
        middle = stacked[0].mean(axis=0)
        for _ in range(2):
            stacked = np.where((stacked * middle).sum(axis=-1, keepdims=True) < 0, -stacked, stacked)
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
            owner[list(_own_joints(leg))] = k
        for joint in range(len(owner)):  # toes and tips follow their leg
            parent = int(self.skeleton.parents[joint])
            if parent >= 0 and owner[joint] == len(legs) and owner[parent] < len(legs):
                owner[joint] = owner[parent]
        return owner

    @cached_property
    def legs(self) -> Legs:
        anatomy = self.character.anatomy
        places = forward(self.skeleton, self.positions[:, ::10], self.rotations[:, ::10])[0].reshape(
            -1, len(self.skeleton), 3
        )
        chosen = [_leg(leg, places, self.skeleton) for leg in anatomy.legs]
        hip, knee, hock, ankle = np.array(chosen).T
        foot = np.array(anatomy.feet)
        apart = np.array([int(h) not in self.skeleton.chain(int(f)) for h, f in zip(hip, foot, strict=True)])
        above = np.maximum(self.skeleton.parents[foot], 0)
        hoofed = (ankle != foot) & ~apart
        return Legs(hip, knee, hock, ankle, foot, above, hock != ankle, hoofed, np.flatnonzero(apart))

    @cached_property
    def feet(self) -> Floats:
        """Where the feet are in each cycle `(S, GRID, L, 3)`, seen from the travelling animal."""
        return forward(self.skeleton, self.positions, self.rotations)[0][:, :, self.character.anatomy.feet]

    @cached_property
    def stretch(self) -> tuple[Floats, Floats]:
        """The greatest share of its length that each leg needs in any cycle `(L,)`: while it stands, and ever."""
        places = forward(self.skeleton, self.positions, self.rotations)[0]
        upper, lower = bones(places, self.legs)
        shares = np.linalg.norm(upper + lower, axis=-1)
        shares /= np.linalg.norm(upper, axis=-1) + np.linalg.norm(lower, axis=-1)
        since = (np.arange(GRID)[:, None] / GRID - self.stacked("touchdowns")[:, None]) % 1.0
        stands = since < self.stacked("duty")[:, None]
        return np.where(stands, shares, 0.0).max(axis=(0, 1)), shares.max(axis=(0, 1))

    def sample_feet(self, which: Ints, phase: Floats) -> Floats:
        """Places of the feet `(M, L, 3)` in cycles `which (M,)` at phases `(M, L)` of the cycle, leg by leg."""
        legs = np.arange(phase.shape[1])
        row, share = _row(which, phase, len(legs))
        return _between(self._feet, row + legs, share)

    @cached_property
    def tree(self) -> Tree:
        legs, parents = self.legs, self.skeleton.parents
        ends = np.concatenate([legs.hip, legs.knee, legs.hock, legs.ankle, legs.foot])
        wanted = {int(j) for end in ends for j in self.skeleton.chain(int(end))}
        roots = np.array(sorted(j for j in wanted if parents[j] < 0))
        levels = [roots, *(x[np.isin(x, list(wanted))] for x, _ in self.skeleton.levels)]
        levels = [level for level in levels if len(level)]
        joints = np.concatenate(levels)
        number = np.zeros(len(self.skeleton), np.int64)
        number[joints] = np.arange(len(joints))
        starts = tuple(int(x) for x in np.cumsum([0, *map(len, levels)]))
        above = [number[parents[level]] - start for level, start in zip(levels[1:], starts, strict=False)]
        pairs, hooves = np.flatnonzero(legs.paired), np.flatnonzero(legs.hoofed)
        movers = np.concatenate([legs.hip, legs.knee, legs.hock[pairs], legs.ankle[hooves]])
        over = number[np.maximum(parents[movers], 0)]
        return Tree(joints, starts, tuple(above), legs.numbered(number), movers, over, pairs, hooves)

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


def _steps(samples: Floats) -> Floats:
    """Rows `(S * GRID * K, 2 C)` of loops `(S, GRID, K, C)`: a value, and how far it is to the next sample's."""
    pairs = np.concatenate([samples, np.roll(samples, -1, axis=1) - samples], axis=-1)
    return np.ascontiguousarray(pairs.reshape(-1, pairs.shape[-1]))


def _row(which: Ints, phase: Floats, size: int) -> tuple[Ints, Floats]:
    """Where in loops of `size` rows a sample the phases `(M, K)` of cycles `which (M,)` are, and the share on."""
    at = (phase - np.floor(phase)) * GRID
    first = at.astype(np.int64)
    share: Floats = at - first
    rows: Ints = (which[:, None] * GRID + np.minimum(first, GRID - 1)) * size
    return rows, share


def _between(steps: Floats, rows: Ints, share: Floats) -> Floats:
    """Values `(M, K, C)` at rows `(M, K)` and the share on to the next."""
    found = steps.take(rows, axis=0)
    size = found.shape[-1] // 2
    result: Floats = found[..., :size] + found[..., size:] * share[..., None]
    return result


def _own_joints(leg: Leg) -> Sequence[int]:
    return leg.joints[leg.joints.index(leg.hip) :]


def bones(places: Floats, legs: Legs) -> tuple[Floats, Floats]:
    """The two bones that a leg reaches with `(..., L, 3)`, of world places `(..., J, 3)`.

    Knee and hock fold together, by the same angle to opposite sides, as the muscles of hind legs make them do. So what
    is above and what is below keep their directions and act as one bone, and what is between them is the other.
    """
    hip, knee, hock, ankle = (places.take(joints, axis=-2) for joints in (legs.hip, legs.knee, legs.hock, legs.ankle))
    return knee - hip + ankle - hock, hock - knee


def _leg(leg: Leg, places: Floats, skeleton: Skeleton) -> tuple[int, int, int, int]:
    """Hip, knee, hock and ankle of a leg: of all joints and pairs of joints that bend to opposite sides, those that
    always change the length of the leg the most. Of a foreleg with a scapula the leg proper hangs on that."""
    joints = list(_own_joints(leg))
    if leg.name.endswith("F") and len(joints) > 4:
        joints = joints[1:]
    lengths = np.linalg.norm(np.diff(places[0, joints], axis=0), axis=-1)
    own = [joint for joint in joints if joints[0] in skeleton.chain(joint)]
    hoofed = own == joints and len(joints) > 3 and lengths[-1] < SHORT_FOOT * lengths.sum()
    ankle = own[-2] if hoofed else own[-1]
    inner = joints[1 : joints.index(ankle)]
    if not inner:
        raise ValueError(f"leg {leg.name} has no joint to bend between its hip and its foot")
    hip = joints[0]
    worth = {(knee, hock): _lever(places, hip, knee, hock, ankle) for knee, hock in combinations([*inner, ankle], 2)}
    knee, hock = max(worth, key=lambda pair: worth[pair])
    return hip, knee, hock, ankle


def _lever(places: Floats, hip: int, knee: int, hock: int, ankle: int) -> float:
    """Metres by which a leg gets longer per radian that its knee opens (with its hock), at the straight end of what
    poses `(N, J, 3)` do."""
    above, between, below = (
        places[:, knee] - places[:, hip],
        places[:, hock] - places[:, knee],
        places[:, ankle] - places[:, hock],
    )
    if hock != ankle and np.median((np.cross(above, between) * np.cross(between, below)).sum(axis=-1)) >= 0:
        return 0.0
    upper = above + below
    lever = np.linalg.norm(np.cross(upper, between), axis=-1) / np.linalg.norm(upper + between, axis=-1)
    return float(np.percentile(lever, 5))


def loose_joints(library: Library) -> Ints:
    """Joints that carry no leg: neck, head and tail. They never snap, whatever the gait before was."""
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

"""The legs of a rig as two-bone levers: which joints carry, open and aim each leg, found from sample poses.

A leg is reduced to hip, knee, hock and ankle. Knee and hock fold together by the same angle to opposite sides, as the
muscles of a hind leg couple them; so the bones above the knee and below the hock keep their directions and act as one,
and the bone between them is the other. A leg without a hock that folds is an ordinary two-bone leg.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations

import numpy as np

from canter.anatomy import Anatomy, Leg
from canter.anatomy.loose_joints import LooseJoints, find_loose_joints
from canter.motion import Skeleton
from canter.motion import rotations as rot
from canter.motion.arrays import Bools, Floats, Ints
from canter.motion.kinematics import forward

HOOF_LENGTH = 0.12
"""A last bone shorter than this share of its leg is a hoof: its ankle keeps the world rotation when the leg moves."""
STRAIGHT_PERCENTILE = 5
"""The percentile of the lever arms over all sample poses that a joint pair is judged by: near the straight leg."""

MIN_LEVER = 0.03
"""The least lever of a joint that opens a leg, as a share of the length of the leg: forelegs without a scapula that are
straight below the elbow open at the elbow."""


@dataclass(frozen=True, eq=False)
class LegJoints:
    """Joint numbers of the L legs `(L,)`.

    `hip` is where the leg proper hangs, `knee` opens it, `hock` folds with the knee (the ankle itself where none does),
    `ankle` is the joint that is put in place, `foot` meets the ground. `paired` legs have a hock; `hoofed` legs keep
    the world rotation of their ankle. The ankle of a leg whose foot hangs elsewhere in the rig (an IK target as a bone)
    is the first joint that does: its place is wherever the leg ends (see `LooseJoints`).
    """

    hip: Ints
    knee: Ints
    hock: Ints
    ankle: Ints
    foot: Ints
    paired: Bools
    hoofed: Bools

    def renumbered(self, number: Ints) -> LegJoints:
        """The same legs with `number[joint]` for each joint."""
        names = ("hip", "knee", "hock", "ankle", "foot")
        return replace(self, **{name: number[getattr(self, name)] for name in names})


@dataclass(frozen=True, eq=False)
class LegTree:
    """The legs of a skeleton and the K joints from the roots to their feet, level by level.

    `legs` numbers joints as in the skeleton, `inner` as in `joints (K,)`; from K on come the places where `loose`
    joints belong, the ankles of their legs among them. `starts` says where each level of `joints` begins, `parents` the
    parents of its joints within the level above. Reaching rotates `movers (M,)` (skeleton numbers): hips, knees, the
    hocks of the legs `pairs` and the ankles of the legs `hooves`; `mover_parents (M,)` are their parents. These,
    `posed_ankles (L,)`, `loose_carriers (D,)` and `loose_parents (D,)`, -1 for a root, are numbered as in `joints`.
    `hinges (L, 3)` is the axis about which each leg folds, in the frame of its hip: for legs that are straight.
    """

    skeleton: Skeleton
    legs: LegJoints
    joints: Ints
    starts: tuple[int, ...]
    parents: tuple[Ints, ...]
    inner: LegJoints
    movers: Ints
    mover_parents: Ints
    pairs: Ints
    hooves: Ints
    loose: LooseJoints
    posed_ankles: Ints
    loose_carriers: Ints
    loose_parents: Ints
    hinges: Floats

    @cached_property
    def roots(self) -> Ints:
        """Joints without a parent."""
        return np.flatnonzero(self.skeleton.parents < 0)

    @cached_property
    def root_index(self) -> slice | Ints:
        """The roots as an index of joints."""
        return as_slice(self.roots)

    @cached_property
    def parent_indices(self) -> tuple[slice | Ints, ...]:
        """`parents` as indices of the level above."""
        same = [slice(int(x[0]), int(x[0]) + 1) if np.ptp(x) == 0 else as_slice(x) for x in self.parents]
        return tuple(same)

    @cached_property
    def doublings(self) -> tuple[tuple[int, Ints], ...]:
        """How local transforms become world ones in as few products as levels can be halved: again and again those of
        the joints from a number on are multiplied by those of their ancestors `(K - number,)`, who are one, two, four
        ... levels above and by then have as many of theirs in them."""
        above = np.concatenate([np.zeros(self.starts[1], np.int64), *map(np.add, self.parents, self.starts)])
        steps, distance, depth = [], 1, len(self.starts) - 1
        while distance < depth:
            start = self.starts[distance]
            steps.append((start, above[start:]))
            above, distance = above[above], 2 * distance
        return tuple(steps)

    @cached_property
    def spans(self) -> Floats:
        """What to multiply places of the tree's joints `(..., K + D)` by for spans of the legs `(3, K + D, L)`: the
        equivalent bones `upper` and `lower`, and what to add to the place of a foot for the way from hip to ankle."""
        legs, one = self.inner, np.eye(len(self.joints) + len(self.loose))
        hip, knee, hock, ankle, foot = (one[:, x] for x in (legs.hip, legs.knee, legs.hock, legs.ankle, legs.foot))
        return np.stack([knee - hip + ankle - hock, hock - knee, one[:, self.posed_ankles] - foot - hip])

    @cached_property
    def loose_shifts(self) -> Floats:
        """From each carrier to its loose joint, as matrices `(D, 1, 4, 4)`."""
        shifts = np.tile(np.eye(4), (len(self.loose), 1, 1, 1))
        shifts[:, 0, :3, 3] = self.loose.spots
        return shifts

    @cached_property
    def companions(self) -> Ints:
        """Which of the `loose` joints are no feet of legs."""
        return np.flatnonzero(~np.isin(self.loose.joints, self.legs.ankle))

    @cached_property
    def mover_turns(self) -> Ints:
        """Which rotation each of `movers (M,)` makes, of those of all L legs one after the other: aim, bend, both."""
        legs = np.arange(len(self.legs.hip))
        hooves = np.where(self.legs.paired, 0, 2 * len(legs))[self.hooves] + self.hooves  # hocks rotate bends back
        return np.concatenate([legs, len(legs) + legs, len(legs) + self.pairs, hooves])

    @cached_property
    def has_both(self) -> bool:
        """Whether a mover makes both rotations of its leg."""
        return bool((self.mover_turns >= 2 * len(self.legs.hip)).any())

    @cached_property
    def mover_signs(self) -> Floats:
        """Whether each of `movers (M,)` makes its rotation, 1, or undoes it, -1."""
        signs = np.ones(len(self.movers))
        signs[2 * len(self.legs.hip) :] = -1.0
        return signs

    def extensions(self, positions: Floats, rotations: Floats) -> Floats:
        """The share of its length that each leg has `(..., L)` in poses `(..., J, 3)` and `(..., J, 4)`."""
        places, turns = forward(self.skeleton, positions, rotations)
        if len(self.loose):
            places[..., self.loose.joints, :] = self.loose.places(places, turns)
        upper, lower = bones(places, self.legs)
        shares: Floats = np.linalg.norm(upper + lower, axis=-1)
        shares /= np.linalg.norm(upper, axis=-1) + np.linalg.norm(lower, axis=-1)
        return shares


def make_leg_tree(skeleton: Skeleton, anatomy: Anatomy, positions: Floats, rotations: Floats) -> LegTree:
    """The leg tree of a rig; sample poses `(M, J, 3)` and `(M, J, 4)` show which joints open its legs, and which go
    with a leg though they hang elsewhere."""
    places, turns = forward(skeleton, positions, rotations)
    legs = _leg_joints(skeleton, anatomy, places)
    parents, loose = skeleton.parents, find_loose_joints(skeleton, anatomy, places, turns)
    ends = np.concatenate([legs.hip, legs.knee, legs.hock, legs.ankle, legs.foot, loose.joints, loose.carriers])
    wanted = {int(j) for end in ends for j in skeleton.chain(int(end))}
    roots = np.array(sorted(j for j in wanted if parents[j] < 0))
    levels = [roots, *(x[np.isin(x, list(wanted))] for x, _ in skeleton.levels)]
    levels = [level for level in levels if len(level)]
    joints = np.concatenate(levels)
    number = np.zeros(len(skeleton), np.int64)
    number[joints] = np.arange(len(joints))
    starts = tuple(int(x) for x in np.cumsum([0, *map(len, levels)]))
    above = [number[parents[level]] - start for level, start in zip(levels[1:], starts, strict=False)]
    pairs, hooves = np.flatnonzero(legs.paired), np.flatnonzero(legs.hoofed)
    movers = np.concatenate([legs.hip, legs.knee, legs.hock[pairs], legs.ankle[hooves]])
    over = number[np.maximum(parents[movers], 0)]
    carried = number.copy()
    carried[loose.joints] = len(joints) + np.arange(len(loose))
    hung = np.where(parents[loose.joints] < 0, -1, number[parents[loose.joints]])
    return LegTree(
        skeleton,
        legs,
        joints,
        starts,
        tuple(above),
        replace(legs.renumbered(number), hock=carried[legs.hock], ankle=carried[legs.ankle]),
        movers,
        over,
        pairs,
        hooves,
        loose,
        number[legs.ankle],
        number[loose.carriers],
        hung,
        _hinges(places, turns, legs),
    )


def as_slice(numbers: Ints) -> slice | Ints:
    """Consecutive numbers as a slice, by which NumPy reads and writes several times faster; others as they are."""
    first = int(numbers[0])
    return slice(first, first + len(numbers)) if (np.diff(numbers) == 1).all() else numbers


def bones(places: Floats, legs: LegJoints) -> tuple[Floats, Floats]:
    """The two equivalent bones of each leg `(..., L, 3)`, from world places of joints `(..., J, 3)`."""
    hip, knee, hock, ankle = (places.take(joints, axis=-2) for joints in (legs.hip, legs.knee, legs.hock, legs.ankle))
    return knee - hip + ankle - hock, hock - knee


def leg_chain(leg: Leg) -> tuple[int, ...]:
    """The joints of a leg from its hip or scapula down, toes included."""
    return tuple(leg.joints[leg.joints.index(leg.hip) :])


def _leg_joints(skeleton: Skeleton, anatomy: Anatomy, places: Floats) -> LegJoints:
    chosen: dict[str, tuple[int, ...]] = {}
    for end in dict.fromkeys(leg.name[1:] for leg in anatomy.legs):
        pair = [leg for leg in anatomy.legs if leg.name[1:] == end]
        alike = len({_shape(leg, skeleton) for leg in pair}) == 1
        for legs in [pair] if alike else [[leg] for leg in pair]:
            chosen |= _choose(legs, places, skeleton)
    hip, knee, hock, ankle = np.array([chosen[leg.name] for leg in anatomy.legs]).T
    foot = np.array(anatomy.feet)
    attached = np.array([int(h) in skeleton.chain(int(f)) for h, f in zip(hip, foot, strict=True)])
    return LegJoints(hip, knee, hock, ankle, foot, hock != ankle, (ankle != foot) & attached)


def _shape(leg: Leg, skeleton: Skeleton) -> tuple[bool, ...]:
    """For each joint of a leg, whether it hangs on the first; those of a foot may hang elsewhere in the rig."""
    return tuple(leg.hip in skeleton.chain(joint) for joint in leg_chain(leg))


def _choose(legs: list[Leg], places: Floats, skeleton: Skeleton) -> dict[str, tuple[int, ...]]:
    """Hip, knee, hock and ankle of each leg, by its name. Left and right legs that are built alike are judged together
    and get the same: what differs between the sides is the poses, not the rig."""
    chains, hangs = np.array([leg_chain(leg) for leg in legs]), _shape(legs[0], skeleton)
    ankle = hangs.index(False) if False in hangs else len(hangs) - 1
    scapula = legs[0].name.endswith("F") and len(hangs) > 4
    hips = (1, 0) if scapula and ankle > 2 else (0,)
    found = [_judged(chains[:, hip:], ankle - hip, all(hangs), places) for hip in hips]
    best = next((joints for joints, lever in found if lever > MIN_LEVER), found[-1][0])
    if best is None:
        raise ValueError(f"leg {legs[0].name} has no joint to bend between its hip and its foot")
    return {leg.name: tuple(joints) for leg, joints in zip(legs, best, strict=True)}


def _judged(chains: Ints, ankle: int, attached: bool, places: Floats) -> tuple[Ints | None, float]:
    """Hip, knee, hock and ankle `(N, 4)` of legs with joints `chains (N, C)`, None if there is nothing to bend; and
    their lever as a share of their length. The knee is the joint, or knee and hock are the pair of joints that bend to
    opposite sides, with the longest levers in all poses together."""
    lengths = np.linalg.norm(np.diff(places[0, chains], axis=1), axis=-1)
    if attached and chains.shape[1] > 3 and lengths[:, -1].sum() < HOOF_LENGTH * lengths.sum():
        ankle -= 1
    if ankle < 2:
        return None, 0.0
    levers = {
        (knee, hock): sum(_lever(places, *chain[[0, knee, hock, ankle]]) for chain in chains)
        for knee, hock in combinations(range(1, ankle + 1), 2)
    }
    knee, hock = max(levers, key=lambda pair: levers[pair])
    return chains[:, [0, knee, hock, ankle]], levers[knee, hock] / float(lengths.sum())


def _hinges(places: Floats, turns: Floats, legs: LegJoints) -> Floats:
    """The mean axis of folding of each leg `(L, 3)` over poses `(M, J, ...)`, seen from its hip: where a leg never
    folds, across the animal."""
    back = rot.conjugate(turns.take(legs.hip, axis=-2))
    folds = rot.rotate(back, np.cross(*bones(places, legs))).mean(axis=0)
    across = rot.rotate(back[0], np.array([1.0, 0.0, 0.0]))
    size = np.linalg.norm(folds, axis=-1, keepdims=True)
    return np.where(size > 1e-9, folds / np.maximum(size, 1e-9), across)


def _lever(places: Floats, hip: int, knee: int, hock: int, ankle: int) -> float:
    """Metres by which a leg lengthens per radian that its knee opens (with its hock), near the straight end of the
    poses `(M, J, 3)`; 0 for a pair that bends to the same side."""
    above, between, below = (
        places[:, knee] - places[:, hip],
        places[:, hock] - places[:, knee],
        places[:, ankle] - places[:, hock],
    )
    if hock != ankle and np.median((np.cross(above, between) * np.cross(between, below)).sum(axis=-1)) >= 0:
        return 0.0
    upper = above + below
    lever = np.linalg.norm(np.cross(upper, between), axis=-1) / np.linalg.norm(upper + between, axis=-1)
    return float(np.percentile(lever, STRAIGHT_PERCENTILE))

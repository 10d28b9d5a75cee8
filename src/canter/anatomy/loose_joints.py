"""Joints that go with a leg but hang elsewhere in the rig: feet on the root, IK targets, a second foot at the first.

Whoever moves a leg leaves them behind, unless they are put in place afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from canter.anatomy.character import Anatomy, Character, Leg
from canter.motion import Motion, Skeleton
from canter.motion import rotations as rot
from canter.motion.arrays import Floats, Ints
from canter.motion.kinematics import forward

MAX_SPREAD = 0.03
"""Hip heights within which a joint stays, seen from a joint of a leg, that goes with that leg."""
MAX_GAP = 0.02
"""Hip heights from the end of a leg within which a joint goes with it that never moves against its own parent, as in
files without motion."""
SAMPLES = 80
"""Poses of all clips together that are looked at, about."""

Found = tuple[int, int, int]
"""A loose joint, the joint that carries it, and the number of their leg."""


@dataclass(frozen=True, eq=False)
class LooseJoints:
    """D joints that a leg carries though they do not hang on it.

    `joints (D,)` and their `carriers (D,)`, joints of the leg, are numbers of the skeleton; `spots (D, 3)` is where a
    joint is as seen from its carrier, `legs (D,)` which leg that is.
    """

    joints: Ints
    carriers: Ints
    spots: Floats
    legs: Ints

    def __len__(self) -> int:
        return len(self.joints)

    def places(self, places: Floats, turns: Floats) -> Floats:
        """Where they belong `(..., D, 3)`, from world places `(..., J, 3)` and rotations `(..., J, 4)`."""
        away = rot.rotate(turns.take(self.carriers, axis=-2), self.spots)
        result: Floats = places.take(self.carriers, axis=-2) + away
        return result

    def put(self, skeleton: Skeleton, positions: Floats, rotations: Floats) -> Floats:
        """Local positions `(..., J, 3)` of poses with these rotations `(..., J, 4)`, all of them where they belong."""
        if not len(self):
            return positions
        places, turns = forward(skeleton, positions, rotations)
        parents, positions = skeleton.parents[self.joints], positions.copy()
        wanted, hung = self.places(places, turns), np.maximum(parents, 0)
        local = rot.rotate(rot.conjugate(turns[..., hung, :]), wanted - places[..., hung, :])
        positions[..., self.joints, :] = np.where(parents[:, None] < 0, wanted, local)
        return positions


def find_loose_joints(skeleton: Skeleton, anatomy: Anatomy, places: Floats, turns: Floats) -> LooseJoints:
    """The first joint of each leg that hangs elsewhere, and the companions of the legs, in poses with world places
    `(M, J, 3)` and rotations `(M, J, 4)`."""
    found = [*_own(skeleton, anatomy), *_companions(skeleton, anatomy, places, turns)]
    return _made(found, places, turns)


def find_companions(skeleton: Skeleton, anatomy: Anatomy, places: Floats, turns: Floats) -> LooseJoints:
    """The joints that go with a leg and belong to none, in such poses."""
    return _made([*_companions(skeleton, anatomy, places, turns)], places, turns)


def companions(character: Character) -> LooseJoints:
    """The joints of a character that go with a leg and belong to none, by its clips and its rest pose."""
    skeleton, anatomy = character.skeleton, character.anatomy
    motions = [clip.motion for clip in character.clips if len(clip.motion)]
    step = max(sum(map(len, motions)) // SAMPLES, 1)
    rest = forward(skeleton, skeleton.offsets[None], skeleton.rotations[None])
    poses = [(m.position_world[::step], m.rotation_world[::step]) for m in motions] or [rest]
    places, turns = (np.concatenate(x).astype(np.float64) for x in zip(*poses, strict=True))
    return find_companions(skeleton, anatomy, places, turns)


def carried(motion: Motion, loose: LooseJoints) -> Motion:
    """The motion with its loose joints where their legs carry them."""
    if not len(loose):
        return motion
    return replace(motion, positions=loose.put(motion.skeleton, motion.positions, motion.rotations))


def moved_along(moved: Motion, source: Motion, loose: LooseJoints) -> Motion:
    """`moved`, frame by frame with its loose joints as seen from their carriers in `source`, place and rotation."""
    if not len(loose):
        return moved
    before, after = (forward(m.skeleton, m.positions.astype(np.float64), m.rotations) for m in (source, moved))
    joints, carriers, parents = loose.joints, loose.carriers, moved.skeleton.parents[loose.joints]
    turn = rot.multiply(after[1][:, carriers], rot.conjugate(before[1][:, carriers]))
    places = after[0][:, carriers] + rot.rotate(turn, before[0][:, joints] - before[0][:, carriers])
    turns = rot.multiply(turn, before[1][:, joints])
    hung = np.maximum(parents, 0)
    back, is_root = rot.conjugate(after[1][:, hung]), (parents < 0)[:, None]
    positions, rotations = moved.positions.astype(np.float64), moved.rotations.astype(np.float64)
    positions[:, joints] = np.where(is_root, places, rot.rotate(back, places - after[0][:, hung]))
    rotations[:, joints] = np.where(is_root, turns, rot.multiply(back, turns))
    return replace(moved, positions=positions, rotations=rotations)


def own_joints(leg: Leg, skeleton: Skeleton) -> list[int]:
    """The joints of a leg from its hip down, as long as they hang on it."""
    chain = list(leg.joints[leg.joints.index(leg.hip) :])
    hangs = [leg.hip in skeleton.chain(joint) for joint in chain]
    return chain[: hangs.index(False)] if False in hangs else chain


def _own(skeleton: Skeleton, anatomy: Anatomy) -> Iterator[Found]:
    for k, leg in enumerate(anatomy.legs):
        own = own_joints(leg, skeleton)
        if own[-1] != leg.joints[-1]:
            yield leg.joints[leg.joints.index(own[-1]) + 1], own[-1], k


def _companions(skeleton: Skeleton, anatomy: Anatomy, places: Floats, turns: Floats) -> Iterator[Found]:
    """Joints outside the legs that move against their own parents, but hardly against a joint of a leg; and those that
    move against neither, at the very end of a leg."""
    most, gap = MAX_SPREAD * anatomy.hip_height, MAX_GAP * anatomy.hip_height
    taken = {j for leg in anatomy.legs for top in leg.joints for j in (*skeleton.subtree(top), *skeleton.chain(top))}
    options = [(carrier, k) for k, leg in enumerate(anatomy.legs) for carrier in own_joints(leg, skeleton)[1:]]
    for joint in range(len(skeleton)):
        parent = int(skeleton.parents[joint])
        if joint in taken or not options:
            continue
        hung = places[:, joint] if parent < 0 else _seen_from(places, turns, parent, joint)
        steady = [option for option in options if _spread(_seen_from(places, turns, option[0], joint)) < most]
        if not steady:
            continue
        carrier, k = min(steady, key=lambda option: float(np.linalg.norm(places[0, option[0]] - places[0, joint])))
        ends = [own_joints(anatomy.legs[k], skeleton)[-1], anatomy.legs[k].foot]
        near = np.percentile(np.linalg.norm(places[:, ends] - places[:, joint, None], axis=-1), 90, axis=0).min() < gap
        if near or _spread(hung) > 2 * most:
            yield joint, carrier, k
            taken |= set(skeleton.subtree(joint))


def _made(found: list[Found], places: Floats, turns: Floats) -> LooseJoints:
    joints, carriers, legs = np.array(found, np.int64).reshape(-1, 3).T
    spots = [np.median(_seen_from(places, turns, carrier, joint), axis=0) for joint, carrier, _ in found]
    return LooseJoints(joints, carriers, np.array(spots).reshape(-1, 3), legs)


def _seen_from(places: Floats, turns: Floats, carrier: int, joint: int) -> Floats:
    """Where a joint is `(M, 3)`, seen from another."""
    return rot.rotate(rot.conjugate(turns[:, carrier]), places[:, joint] - places[:, carrier])


def _spread(places: Floats) -> float:
    """How far apart places `(M, 3)` usually are: from the 10th to the 90th percentile, for markers drop out."""
    return float(np.ptp(np.percentile(places, [10, 90], axis=0), axis=0).max())

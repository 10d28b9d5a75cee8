"""Inverse kinematics of a leg in an action: its flexions are scaled until it is long enough, then it is aimed.

The leg bends in the sagittal plane and is turned out of it as a whole, so that the foot is exactly at its target
wherever the trunk goes: over the foot, behind it, or down beside it. Gaits use `legs` instead, which plans whole steps.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from canter.animals.generator.legs import COMPLIANCE, FLEXION_SIGNS
from canter.animals.generator.standing import Standing, turn_about
from canter.motion import rotations as rot
from canter.motion.arrays import Floats

MAX_BEND_RAD = np.radians(172.0)
"""Radians to which a joint can bend at most."""
MAX_BEND_SCALE = 16.0
"""The largest factor on the flexions."""
SOFT_END_SHARE = 0.06
"""The last fraction of a leg's length, within which it approaches full stretch exponentially."""


@dataclass(frozen=True, eq=False)
class LegReach:
    """One leg of a standing animal, split at the joint that is brought to a target.

    `joints` run from the top to the toe; `bones (N, 3)` are the vectors between them when standing, `lengths` and
    `angles` those of the segments in the sagittal plane, angles from straight down, forward positive. `first` is the
    index of the first segment that aiming turns (below the scapula, if there is one), `held` that of the joint brought
    to the target; the segments below it are the foot and have an angle of their own.
    """

    joints: tuple[int, ...]
    roles: tuple[str, ...]
    bones: Floats
    lengths: Floats
    angles: Floats
    first: int
    held: int

    @property
    def bending(self) -> tuple[str, ...]:
        """The roles of the joints that bend: those between the first segment and the held joint."""
        return self.roles[self.first + 1 : self.held]

    @property
    def signs(self) -> Floats:
        return np.array([FLEXION_SIGNS[role] for role in self.bending])

    @property
    def rest_bends(self) -> Floats:
        """The flexions `(B,)` of the standing leg in radians."""
        result: Floats = self.signs * np.diff(self.angles[self.first : self.held])
        return result

    @property
    def aside(self) -> float:
        """Metres by which the held joint is to the left of the first segment's top."""
        return float(self.bones[self.first : self.held, 0].sum())

    def segments(self, bends: Floats) -> Floats:
        """Angles `(T, B + 1)` of the segments down to the held joint for flexions `(T, B)`, the first straight down."""
        zero = np.zeros((len(bends), 1))
        return np.concatenate([zero, np.cumsum(self.signs * bends, axis=1)], axis=1)

    def along(self, angles: Floats) -> Floats:
        """The vector `(T, 3)` from the first segment's top to the held joint for segment angles `(T, B + 1)`."""
        lengths = self.lengths[self.first : self.held]
        down, ahead = (lengths * np.cos(angles)).sum(axis=1), (lengths * np.sin(angles)).sum(axis=1)
        return np.stack([np.full(len(angles), self.aside), -down, ahead], axis=1)

    def foot(self, angle: Floats) -> Floats:
        """The vector `(T, 3)` from the held joint to the toe, the foot turned by `angle (T,)` radians, toe forward."""
        return rot.rotate(turn_about(0, -angle), self.bones[self.held :].sum(axis=0))


def leg_reach(animal: Standing, leg: int) -> LegReach:
    """A leg of an animal. Its foot is the hoof, else what is below the hock; a forepaw has no foot of its own."""
    joints, planar = animal.anatomy.legs[leg].joints, animal.planar(leg)
    has_foot = planar.has_hoof or not planar.has_scapula
    bones = np.diff(animal.places[list(joints)], axis=0)
    last = len(bones) - 1 if has_foot else len(bones)
    return LegReach(joints, planar.roles, bones, planar.lengths, planar.angles, planar.aimed, last)


def solve_reach(leg: LegReach, bends: Floats, wanted: Floats) -> Floats:
    """Rotations `(T, B + 1, 4)` relative to standing of the segments down to the held joint, which bring it to
    `wanted`.

    `wanted (T, 3)` is relative to the top of the first segment; flexions `bends (T, B)` are scaled until the leg is as
    long.
    """
    angles = leg.segments(_bends_to_reach(leg, bends, wanted))
    vector = leg.along(angles)
    turn = np.arctan2(wanted[:, 2], -wanted[:, 1]) - np.arctan2(vector[:, 2], -vector[:, 1])
    turn = (turn + np.pi) % (2 * np.pi) - np.pi
    aimed = rot.rotate(turn_about(0, -turn), vector)
    lean = rot.between(aimed, wanted)
    angles = angles + turn[:, None] - leg.angles[leg.first : leg.held]
    return rot.multiply(lean[:, None], turn_about(0, -angles))


def _bends_to_reach(leg: LegReach, bends: Floats, wanted: Floats) -> Floats:
    """Flexions `(T, B)` with which the leg is as long as `wanted`, by bisection; nearly, if that is out of reach."""
    gives = np.array([COMPLIANCE.get(role, 0.0) for role in leg.bending])
    most = float(np.linalg.norm(leg.along(leg.segments(bends[:1] * (gives == 0)))[0]))
    distance = _soft_distance(np.linalg.norm(wanted, axis=1), most)

    def given(scale: Floats) -> Floats:
        result: Floats = np.clip(bends * (1 + gives * (scale[:, None] - 1)), -MAX_BEND_RAD, MAX_BEND_RAD)
        return result

    low, high = np.full(len(bends), 0.0), np.full(len(bends), MAX_BEND_SCALE)
    for _ in range(36):
        middle = (low + high) / 2
        longer = np.linalg.norm(leg.along(leg.segments(given(middle))), axis=1) > distance
        low, high = np.where(longer, middle, low), np.where(longer, high, middle)
    return given((low + high) / 2)


def _soft_distance(distance: Floats, most: float) -> Floats:
    """`distance (T,)`, eased towards `most` within the last `SOFT_END_SHARE` of it."""
    knee, room = most * (1 - SOFT_END_SHARE), most * SOFT_END_SHARE
    over = np.maximum(distance - knee, 0.0) / room
    return np.where(distance > knee, knee + room * (1 - np.exp(-over)), distance)

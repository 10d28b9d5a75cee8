"""A leg that reaches for a place: its bends are scaled until it is long enough, and then it is aimed.

The leg bends in the plane of travel and is turned out of it as a whole, so that its foot is exactly where it should be
wherever the trunk goes: over the foot, behind it, or down beside it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from canter.animals.generator.legs import GIVING, SIGNS
from canter.animals.generator.standing import Standing, turn_about
from canter.motion import rotations as rot
from canter.motion.arrays import Floats

FOLDED = np.radians(172.0)
"""The furthest that a joint bends."""
MOST = 16.0
"""The most that bends are scaled by; none goes beyond being folded."""
SLACK = 0.06
"""The last share of a leg's length, over which it comes to its end softly."""


@dataclass(frozen=True, eq=False)
class Reach:
    """One leg of a standing animal, split at the joint that is aimed at a place.

    `joints` run from the top to the toe; `angles` and `lengths` are those of its segments at rest in the plane of
    travel, angles from straight down, forward positive. `first` is the segment that the aim turns (below a scapula, if
    there is one) and `held` the joint that is aimed; segments below it have an angle of their own: they are the foot.
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
        """The joints that bend, by role: those between the aimed segment and the held joint."""
        return self.roles[self.first + 1 : self.held]

    @property
    def signs(self) -> Floats:
        return np.array([SIGNS[role] for role in self.bending])

    @property
    def rest_bends(self) -> Floats:
        """The bends `(B,)` of the standing leg, in radians."""
        result: Floats = self.signs * np.diff(self.angles[self.first : self.held])
        return result

    @property
    def aside(self) -> float:
        """How far the held joint is to the left of the aimed segment's top, in any pose in the plane."""
        return float(self.bones[self.first : self.held, 0].sum())

    def segments(self, bends: Floats) -> Floats:
        """Angles `(T, B + 1)` of the segments down to the held joint for bends `(T, B)`, the first straight down."""
        zero = np.zeros((len(bends), 1))
        return np.concatenate([zero, np.cumsum(self.signs * bends, axis=1)], axis=1)

    def along(self, angles: Floats) -> Floats:
        """From the first joint to the held one `(T, 3)` for angles of the segments between `(T, B + 1)`."""
        lengths = self.lengths[self.first : self.held]
        down, ahead = (lengths * np.cos(angles)).sum(axis=1), (lengths * np.sin(angles)).sum(axis=1)
        return np.stack([np.full(len(angles), self.aside), -down, ahead], axis=1)

    def foot(self, angle: Floats) -> Floats:
        """From the held joint to the toe `(T, 3)`, the foot turned by `angle` (toe forward) against standing."""
        return rot.rotate(turn_about(0, -angle), self.bones[self.held :].sum(axis=0))


def reach_of(animal: Standing, leg: int) -> Reach:
    """A leg of an animal. A hoof is a foot; so is a hind foot from the hock on where there is no hoof."""
    joints, planar = animal.anatomy.legs[leg].joints, animal.planar(leg)
    has_foot = planar.has_hoof or not planar.has_scapula
    bones = np.diff(animal.places[list(joints)], axis=0)
    last = len(bones) - 1 if has_foot else len(bones)
    return Reach(joints, planar.roles, bones, planar.lengths, planar.angles, planar.aimed, last)


def solve(leg: Reach, bends: Floats, wanted: Floats) -> Floats:
    """Turns `(T, B + 1, 4)` against standing of the segments down to the held joint, which bring it to `wanted`.

    `wanted (T, 3)` is seen from the top of the first segment; `bends (T, B)` are scaled until the leg is as long.
    """
    angles = leg.segments(_scaled(leg, bends, wanted))
    vector = leg.along(angles)
    turn = np.arctan2(wanted[:, 2], -wanted[:, 1]) - np.arctan2(vector[:, 2], -vector[:, 1])
    turn = (turn + np.pi) % (2 * np.pi) - np.pi
    aimed = rot.rotate(turn_about(0, -turn), vector)
    lean = rot.between(aimed, wanted)
    angles = angles + turn[:, None] - leg.angles[leg.first : leg.held]
    return rot.multiply(lean[:, None], turn_about(0, -angles))


def _scaled(leg: Reach, bends: Floats, wanted: Floats) -> Floats:
    """Bends `(T, B)` with which the leg is as long as `wanted`, by halving; one that is too far is nearly reached."""
    gives = np.array([GIVING.get(role, 0.0) for role in leg.bending])
    most = float(np.linalg.norm(leg.along(leg.segments(bends[:1] * (gives == 0)))[0]))
    distance = _softly(np.linalg.norm(wanted, axis=1), most)

    def given(scale: Floats) -> Floats:
        result: Floats = np.clip(bends * (1 + gives * (scale[:, None] - 1)), -FOLDED, FOLDED)
        return result

    low, high = np.full(len(bends), 0.0), np.full(len(bends), MOST)
    for _ in range(36):
        middle = (low + high) / 2
        longer = np.linalg.norm(leg.along(leg.segments(given(middle))), axis=1) > distance
        low, high = np.where(longer, middle, low), np.where(longer, high, middle)
    return given((low + high) / 2)


def _softly(distance: Floats, most: float) -> Floats:
    """Distances that come to their end within the last part of a leg's length."""
    knee, room = most * (1 - SLACK), most * SLACK
    over = np.maximum(distance - knee, 0.0) / room
    return np.where(distance > knee, knee + room * (1 - np.exp(-over)), distance)

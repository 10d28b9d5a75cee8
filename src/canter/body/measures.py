"""A character in its bind pose, and the measures of its trunk from which a body is estimated."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from canter.anatomy import Character
from canter.anatomy.standing import shown_standing
from canter.motion import Pose, Skeleton, forward, solve_leg
from canter.motion.arrays import Floats

BACK_ABOVE_SPINE = 0.10
"""How far the skin of the back is above the spine, in trunk lengths."""
MIN_STANDING_LEG = 0.5
"""How high every hip is above its foot in hip heights, if the animal stands."""
MIN_FEET_APART = 0.068
"""Hip heights between the feet of a pair in the bind pose, at least."""
MAX_BACK_RISE = 0.12
"""How much higher one end of the back may be than the other, in trunk lengths."""


@dataclass(frozen=True, eq=False)
class BoundCharacter:
    """A character in its bind pose: joint positions `place (J, 3)` in metres; `unit` is its hip height in metres."""

    character: Character
    place: Floats
    unit: float

    @property
    def skeleton(self) -> Skeleton:
        return self.character.skeleton

    def spot(self, joint: int, target: Floats) -> tuple[int, float, float, float]:
        """The point `target (3,)` as an offset from a joint, in hip heights."""
        x, y, z = ((target - self.place[joint]) / self.unit).tolist()
        return (joint, x, y, z)

    def middle(self, joints: list[int]) -> Floats:
        """The mean position `(3,)` of joints."""
        centre: Floats = self.place[joints].mean(axis=0)
        return centre

    def is_symmetric(self) -> bool:
        """Whether the two sides mirror each other within 1 % of the hip height."""
        partner = self.character.anatomy.mirror
        used = self.used()
        gap = self.place[partner] * np.array([-1.0, 1.0, 1.0]) - self.place
        return bool(np.abs(gap[used]).max() < 0.01 * self.unit)

    def used(self) -> list[int]:
        """The joints that are part of the body."""
        ignored = set(self.character.anatomy.ignored)
        return [joint for joint in range(len(self.skeleton)) if joint not in ignored]


def bind_pose(character: Character) -> Pose:
    """The pose in which a skin is bound: as the animal stands, over the origin and facing +Z; as in its clips where it
    stands in one, for its soles are flat there."""
    return _feet_apart(character, shown_standing(character).pose)


def _feet_apart(character: Character, pose: Pose) -> Pose:
    """The pose with feet of a pair as far apart that their skins do not grow together: some dogs put one foot before
    the other."""
    anatomy, least = character.anatomy, MIN_FEET_APART * character.anatomy.hip_height
    places = forward(character.skeleton, pose.positions, pose.rotations)[0]
    for left in range(0, len(anatomy.legs) - 1, 2):
        pair = anatomy.legs[left : left + 2]
        missing = least - abs(float(places[pair[0].foot, 0] - places[pair[1].foot, 0]))
        for leg, side in zip(pair, (0.5, -0.5), strict=True):
            if missing > 0 and len(leg.chain) > 2:
                spot = places[leg.foot] + np.array([side * missing, 0.0, 0.0])
                solved = solve_leg(
                    character.skeleton, pose.positions, pose.rotations, leg.chain, spot, foot_rotation="keep_world"
                )
                pose = Pose(character.skeleton, solved.positions, solved.rotations)
    return pose


def bound_character(character: Character) -> BoundCharacter:
    """The character in `bind_pose(character)`."""
    pose = bind_pose(character)
    place = np.asarray(forward(character.skeleton, pose.positions, pose.rotations)[0], float)
    return BoundCharacter(character, place, _unit_length(character, place))


def _unit_length(character: Character, place: Floats) -> float:
    """The hip height, or half the extent of a skeleton that has none, in metres."""
    height = float(character.anatomy.hip_height)
    return height if np.isfinite(height) and height > 0 else max(0.5 * float(np.ptp(place, axis=0).max()), 1e-3)


def girdle_centres(bound: BoundCharacter) -> tuple[Floats, Floats]:
    """The midpoints `(3,)` of the hips and of the shoulders."""
    anatomy = bound.character.anatomy
    hind = bound.middle([leg.hip for leg in anatomy.legs if leg.name.endswith("H")])
    fore = bound.middle([leg.hip for leg in anatomy.legs if leg.name.endswith("F")])
    return hind, fore


def trunk_length(bound: BoundCharacter) -> float:
    """The horizontal distance in metres from hips to shoulders."""
    hind, fore = girdle_centres(bound)
    return max(float(np.linalg.norm((fore - hind)[[0, 2]])), 0.4 * bound.unit)


def trunk_joints(bound: BoundCharacter) -> list[int]:
    """The joints of the spine and the parents of the legs, from tail to head."""
    anatomy = bound.character.anatomy
    joints = set(anatomy.spine) or {0}
    for leg in anatomy.legs:
        above = [j for j in bound.skeleton.chain(leg.joints[0])[:-1] if j in joints]
        parent = int(bound.skeleton.parents[leg.joints[0]])
        if not above and parent >= 0:
            joints.add(parent)
    joints -= {joint for leg in anatomy.legs for joint in leg.joints} | set(anatomy.ignored)
    return sorted(joints or {0}, key=lambda joint: bound.place[joint, 2])


def trunk_joint_near(bound: BoundCharacter, joints: list[int], where: float) -> int:
    """The trunk joint whose bone is nearest to the position `where` (z in metres) along the body."""

    def bone_middle(joint: int) -> float:
        inner = [child for child in bound.skeleton.children[joint] if child in joints]
        end = bound.place[inner, 2].mean() if inner else bound.place[joint, 2]
        return float(bound.place[joint, 2] + end) / 2

    return min(joints, key=lambda joint: abs(bone_middle(joint) - where))


def back_heights(bound: BoundCharacter, joints: list[int]) -> tuple[float, float]:
    """The heights of the back in metres over hips and shoulders: above spine and girdle, and nearly level."""
    spine, length = bound.place[joints], trunk_length(bound)
    over = [max(float(np.interp(end[2], spine[:, 2], spine[:, 1])), float(end[1])) for end in girdle_centres(bound)]
    lowest = max(over) - MAX_BACK_RISE * length
    return max(over[0], lowest) + BACK_ABOVE_SPINE * length, max(over[1], lowest) + BACK_ABOVE_SPINE * length


def floor_height(bound: BoundCharacter) -> float | None:
    """The height of the ground below standing feet in hip heights; None if the animal lies."""
    anatomy = bound.character.anatomy
    hips, feet = bound.place[anatomy.hips, 1] / bound.unit, bound.place[anatomy.feet, 1] / bound.unit
    return min(0.0, float(feet.min())) if (hips - feet).min() > MIN_STANDING_LEG else None

"""A character in its bind pose, and the measures of its trunk from which a body is estimated."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from canter.anatomy import Character
from canter.body.stance import bind_pose
from canter.motion import Skeleton, forward
from canter.motion.arrays import Floats

BACK = 0.10
"""How far the back is above the spine, in trunk lengths."""
STEEP = 0.12
"""How much higher one end of the back may be than the other, in trunk lengths."""


@dataclass(frozen=True, eq=False)
class Frame:
    """A character in its bind pose: `place (J, 3)` in metres, and the joints that are no part of the body."""

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
        centre: Floats = self.place[joints].mean(axis=0)
        return centre

    def is_symmetric(self) -> bool:
        """Whether the two sides are each other's mirror image, within a hundredth of the hip height."""
        partner = self.character.anatomy.mirror
        used = self.used()
        gap = self.place[partner] * np.array([-1.0, 1.0, 1.0]) - self.place
        return bool(np.abs(gap[used]).max() < 0.01 * self.unit)

    def used(self) -> list[int]:
        ignored = set(self.character.anatomy.ignored)
        return [joint for joint in range(len(self.skeleton)) if joint not in ignored]


def frame_of(character: Character) -> Frame:
    """The character as it is bound."""
    pose = bind_pose(character)
    place = np.asarray(forward(character.skeleton, pose.positions, pose.rotations)[0], float)
    return Frame(character, place, _size(character, place))


def _size(character: Character, place: Floats) -> float:
    """The hip height, or half the extent of a skeleton that has none."""
    height = float(character.anatomy.hip_height)
    return height if np.isfinite(height) and height > 0 else max(0.5 * float(np.ptp(place, axis=0).max()), 1e-3)


def girdles(frame: Frame) -> tuple[Floats, Floats]:
    """The middle of the hips and of the shoulders."""
    anatomy = frame.character.anatomy
    hind = frame.middle([leg.hip for leg in anatomy.legs if leg.name.endswith("H")])
    fore = frame.middle([leg.hip for leg in anatomy.legs if leg.name.endswith("F")])
    return hind, fore


def trunk_length(frame: Frame) -> float:
    hind, fore = girdles(frame)
    return max(float(np.linalg.norm((fore - hind)[[0, 2]])), 0.4 * frame.unit)


def trunk_joints(frame: Frame) -> list[int]:
    """The joints of the spine and those from which the legs spring, from tail to head."""
    anatomy = frame.character.anatomy
    joints = set(anatomy.spine) or {0}
    for leg in anatomy.legs:
        above = [j for j in frame.skeleton.chain(leg.joints[0])[:-1] if j in joints]
        parent = int(frame.skeleton.parents[leg.joints[0]])
        if not above and parent >= 0:
            joints.add(parent)
    joints -= {joint for leg in anatomy.legs for joint in leg.joints} | set(anatomy.ignored)
    return sorted(joints or {0}, key=lambda joint: frame.place[joint, 2])


def carrier(frame: Frame, joints: list[int], where: float) -> int:
    """The trunk joint whose bone, forward or backward from it, is nearest to the place `where` along the body."""

    def bone_middle(joint: int) -> float:
        inner = [child for child in frame.skeleton.children[joint] if child in joints]
        end = frame.place[inner, 2].mean() if inner else frame.place[joint, 2]
        return float(frame.place[joint, 2] + end) / 2

    return min(joints, key=lambda joint: abs(bone_middle(joint) - where))


def back_line(frame: Frame, joints: list[int]) -> tuple[float, float]:
    """The height of the back over the hips and over the shoulders: above spine and girdle, and nearly level."""
    spine, length = frame.place[joints], trunk_length(frame)
    over = [max(float(np.interp(end[2], spine[:, 2], spine[:, 1])), float(end[1])) for end in girdles(frame)]
    lowest = max(over) - STEEP * length
    return max(over[0], lowest) + BACK * length, max(over[1], lowest) + BACK * length

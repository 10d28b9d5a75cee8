"""The trunk of an animal seen from above: a line from its hips to its shoulders with half of its width around it.

It is taken by anatomy from the joints where the legs begin, never from names, so it fits any rig.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from canter.anatomy import Anatomy, Character
from canter.control.world import Wall
from canter.motion import forward
from canter.motion.arrays import Floats
from canter.navigation.lines import WallLines, room_along


@dataclass(frozen=True)
class Outline:
    """The size of an animal from above in its rest pose, in metres.

    `length` is that of the trunk from hip line to shoulder line, `half_width` half of the wider of the two lines, and
    `nose` how far the animal reaches ahead of the middle of its trunk, which is its place on the ground.
    """

    length: float
    half_width: float
    nose: float

    @staticmethod
    def of(character: Character) -> Outline:
        skeleton, anatomy = character.skeleton, character.anatomy
        world = forward(skeleton, skeleton.offsets, skeleton.rotations)[0].astype(np.float64)
        line, half_width = trunk(anatomy, world)
        own = [joint for joint in range(len(skeleton)) if joint not in anatomy.ignored]
        length = float(np.linalg.norm(line[1] - line[0]))
        nose = float(world[own, 2].max() - line[:, 1].mean())
        return Outline(length, float(half_width), max(nose, length / 2))

    @property
    def body_length(self) -> float:
        """Metres from the hip line to the nose."""
        return self.length / 2 + self.nose

    @property
    def turning_radius(self) -> float:
        """Metres around its place that the trunk needs to turn on the spot."""
        return self.length / 2 + self.half_width


def trunk_joints(anatomy: Anatomy) -> list[int]:
    """The joints at which the legs begin: left and right at the shoulders, then left and right at the hips.

    Of people the first two are those of the arms.
    """
    limbs = [*anatomy.arms[:2], *anatomy.legs] if len(anatomy.legs) == 2 else [*anatomy.legs]
    if len(limbs) < 2:
        raise ValueError("the trunk of an animal lies between its legs, and none were found")
    return [limb.hip for limb in (*limbs[:2], *limbs[-2:])]


def trunk(anatomy: Anatomy, position_world: Floats) -> tuple[Floats, Floats]:
    """The line of the trunk `(..., 2, 2)`, hips then shoulders as x and z, and its half width `(...)`.

    From world positions `(..., J, 3)` of all joints; the half width is half of the wider of shoulder line and hip line.
    """
    return trunk_of(position_world[..., trunk_joints(anatomy), :])


def trunk_of(corners: Floats) -> tuple[Floats, Floats]:
    """The same from the world positions `(..., 4, 3)` of `trunk_joints` alone."""
    flat = corners[..., [0, 2]].astype(np.float64)
    shoulders, hips = flat[..., :2, :], flat[..., 2:, :]
    line = np.stack([hips.mean(axis=-2), shoulders.mean(axis=-2)], axis=-2)
    widths = [np.linalg.norm(side[..., 0, :] - side[..., 1, :], axis=-1) for side in (shoulders, hips)]
    return line, np.maximum(*widths) / 2


def wall_depths(walls: Sequence[Wall] | WallLines, line: Floats, half_width: Floats) -> Floats:
    """Metres `(...)` that trunks, lines `(..., 2, 2)` with half widths `(...)`, are inside a wall; 0 outside.

    Where the middle line of a trunk crosses that of a wall, it is the sum of both half widths, which is the least that
    it may be.
    """
    result: Floats = np.maximum(half_width - room_along(walls, line[..., 0, :], line[..., 1, :]), 0.0)
    return result

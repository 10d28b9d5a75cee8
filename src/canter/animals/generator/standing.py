"""The standing pose that motion is generated from, and forward kinematics relative to it.

A pose is given as one rotation per joint relative to the standing pose ("turns"), in world axes, so the rig's own local
axes do not matter.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from canter.anatomy import Anatomy
from canter.animals.generator.legs import PlanarLeg
from canter.body.mass import centre_of_mass, masses
from canter.motion import Skeleton
from canter.motion import rotations as rot
from canter.motion.arrays import Floats


@dataclass(frozen=True, eq=False)
class Standing:
    """A skeleton standing on level ground: world positions `places (J, 3)` in metres and rotations `turns (J, 4)`.

    `roles` names the joints of each leg from the top ("elbow", "hock"), as gait rows do. The legs of an animal that
    `sprawls` stick out sideways and are moved by `canter.animals.generator.sprawl`.
    """

    skeleton: Skeleton
    places: Floats
    turns: Floats
    anatomy: Anatomy
    roles: tuple[tuple[str, ...], ...]
    ears: tuple[int, ...] = ()
    sprawls: bool = False

    @property
    def height(self) -> float:
        """The hip height in metres."""
        return self.anatomy.hip_height

    def planar(self, leg: int) -> PlanarLeg:
        """A standing leg projected onto the sagittal plane."""
        points = self.places[list(self.anatomy.legs[leg].joints)]
        steps = np.diff(points, axis=0)
        lengths = np.hypot(steps[:, 1], steps[:, 2])
        return PlanarLeg(self.roles[leg], lengths, np.arctan2(steps[:, 2], -steps[:, 1]), self.roles[leg][-1] == "hoof")

    def centre_of_mass(self, places: Floats) -> Floats:
        """The centre of mass `(T, 3)` for world positions of joints `(T, J, 3)`."""
        return centre_of_mass(self.skeleton, masses(self.skeleton, self.anatomy, self.places), places)


def turn_about(axis: int, angle: Floats) -> Floats:
    """Rotations `(..., 4)` by `angle (...)` radians about a world axis: 0 is x, 1 is y, 2 is z."""
    result = np.zeros((*angle.shape, 4))
    result[..., 0], result[..., 1 + axis] = np.cos(angle / 2), np.sin(angle / 2)
    return result


def propagate(animal: Standing, turns: Floats, root: Floats) -> Floats:
    """World positions `(T, J, 3)` of all joints for `turns (T, J, 4)` of the spine and the spine's first joint at
    `root`.

    Joints outside the spine take their parent's turn; it is written into `turns`.
    """
    skeleton = animal.skeleton
    places = np.tile(animal.places, (len(turns), 1, 1))
    driven = set(animal.anatomy.spine)
    places[:, 0] = root + (animal.places[0] - animal.places[animal.anatomy.spine[0]])
    for joint in range(1, len(skeleton)):
        parent = int(skeleton.parents[joint])
        bone = animal.places[joint] - animal.places[parent]
        places[:, joint] = places[:, parent] + rot.rotate(turns[:, parent], bone)
        if joint not in driven:
            turns[:, joint] = turns[:, parent]
    return places


def propagate_below(animal: Standing, turns: Floats, places: Floats, joints: list[int]) -> None:
    """Updates `places` at and below `joints`, whose turns have changed; joints below them take their parent's turn."""
    changed = set(joints)
    for joint in range(1, len(animal.skeleton)):
        parent = int(animal.skeleton.parents[joint])
        if parent in changed or joint in changed:
            bone = animal.places[joint] - animal.places[parent]
            places[:, joint] = places[:, parent] + rot.rotate(turns[:, parent], bone)
            if joint not in changed:
                turns[:, joint] = turns[:, parent]
                changed.add(joint)

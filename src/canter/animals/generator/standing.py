"""An animal that stands, and how turns of its segments move the rest of it.

Every joint gets a turn of its segment against the standing pose, in the world's axes, so the rig's own local axes do
not matter.
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
    """An animal that stands: its skeleton, world `places (J, 3)` and `turns (J, 4)` on level ground, and its parts.

    `roles` names the joints of each leg of the anatomy from the top, as rows of gaits call them; the legs of an animal
    that `sprawls` stick out sideways and are moved by `canter.animals.generator.sprawl`.
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
        return self.anatomy.hip_height

    def planar(self, leg: int) -> PlanarLeg:
        """A leg as it stands, in its plane."""
        points = self.places[list(self.anatomy.legs[leg].joints)]
        steps = np.diff(points, axis=0)
        lengths = np.hypot(steps[:, 1], steps[:, 2])
        return PlanarLeg(self.roles[leg], lengths, np.arctan2(steps[:, 2], -steps[:, 1]), self.roles[leg][-1] == "hoof")

    def centre_of_mass(self, places: Floats) -> Floats:
        """Where the centre of mass is `(T, 3)` for places of joints `(T, J, 3)`."""
        return centre_of_mass(self.skeleton, masses(self.skeleton, self.anatomy, self.places), places)


def turn_about(axis: int, angle: Floats) -> Floats:
    """Rotations by `angle` about a world axis."""
    result = np.zeros((*angle.shape, 4))
    result[..., 0], result[..., 1 + axis] = np.cos(angle / 2), np.sin(angle / 2)
    return result


def spread(animal: Standing, turns: Floats, root: Floats) -> Floats:
    """Places of all joints when every bone turns with its parent's turn; untold joints follow their parents."""
    skeleton = animal.skeleton
    places = np.tile(animal.places, (len(turns), 1, 1))
    told = set(animal.anatomy.spine)
    places[:, 0] = root + (animal.places[0] - animal.places[animal.anatomy.spine[0]])
    for joint in range(1, len(skeleton)):
        parent = int(skeleton.parents[joint])
        bone = animal.places[joint] - animal.places[parent]
        places[:, joint] = places[:, parent] + rot.rotate(turns[:, parent], bone)
        if joint not in told:
            turns[:, joint] = turns[:, parent]
    return places


def respread(animal: Standing, turns: Floats, places: Floats, joints: list[int]) -> None:
    """Places below changed joints anew; joints outside the list keep following their parents."""
    changed = set(joints)
    for joint in range(1, len(animal.skeleton)):
        parent = int(animal.skeleton.parents[joint])
        if parent in changed or joint in changed:
            bone = animal.places[joint] - animal.places[parent]
            places[:, joint] = places[:, parent] + rot.rotate(turns[:, parent], bone)
            if joint not in changed:
                turns[:, joint] = turns[:, parent]
                changed.add(joint)

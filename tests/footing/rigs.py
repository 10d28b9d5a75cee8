"""Animals of boxes: a trunk and four legs whose bones are given as numbers, so that their levers are known."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from canter.anatomy import Anatomy, Leg
from canter.anatomy.character import LEGS
from canter.footing import FootLock, Ground, LegTree, Limits, make_leg_tree
from canter.motion import Skeleton
from canter.motion.arrays import Floats

Bones = tuple[tuple[float, float], ...]
"""The bones of a leg from the hip down, each as (up, ahead) in metres."""
TWO_BONES: Bones = ((-0.5, 0.2), (-0.5, -0.2))
PANTOGRAPH: Bones = ((-0.4, 0.3), (-0.4, -0.4), (-0.3, 0.1))
HOOFED: Bones = (*TWO_BONES, (-0.05, 0.0), (-0.05, 0.03))
HIGH = 1.5
"""Metres from the ground to the hips."""


@dataclass(frozen=True, eq=False)
class Rig:
    """A rig, and its rest pose `(1, J, 3)` and `(1, J, 4)`."""

    skeleton: Skeleton
    anatomy: Anatomy

    @property
    def pose(self) -> tuple[Floats, Floats]:
        return self.skeleton.offsets[None].copy(), self.skeleton.rotations[None].astype(float)

    @property
    def tree(self) -> LegTree:
        return make_leg_tree(self.skeleton, self.anatomy, *self.pose)

    def lock(self, count: int = 1, stance: float = 0.99, ground: Ground | None = None) -> FootLock:
        limits = Limits(np.full(4, stance), np.full(4, 0.998))
        return FootLock(self.tree, limits, 1.0, count, ground)


def rig(fore: Bones = TWO_BONES, hind: Bones = TWO_BONES, *, detached: bool = False) -> Rig:
    """With `detached`, the feet hang on the root, as IK targets do."""
    names, parents, legs = ["trunk", "chest", "neck", "head"], [-1, 0, 1, 2], []
    offsets = [(0.0, HIGH, 0.0), (0.0, 0.0, 0.5), (0.0, 0.2, 0.3), (0.0, 0.2, 0.3)]
    for name in LEGS:
        places = [np.array([0.2 if name[0] == "L" else -0.2, 0.0, 0.6 if name[1] == "F" else -0.6])]
        for up, ahead in fore if name[1] == "F" else hind:
            places.append(places[-1] + (0.0, up, ahead))
        first = len(names)
        for k, place in enumerate(places):
            loose = k == 0 or (detached and k == len(places) - 1)
            parents.append(0 if loose else first + k - 1)
            names.append(f"{name} {k}")
            offsets.append(tuple(place if loose else place - places[k - 1]))
        joints = tuple(range(first, len(names)))
        legs.append(Leg(name, joints, joints[0], joints[-1]))
    mirror = np.array([names.index({"L": "R", "R": "L"}.get(x[0], x[0]) + x[1:]) for x in names])
    anatomy = Anatomy("quadruped", np.array([0, 1.0, 0]), np.array([0, 0, 1.0]), 1.0, tuple(legs), mirror,
                      spine=(0, 1), neck=(2,), head=3)  # fmt: skip
    return Rig(Skeleton.make(names, parents, np.array(offsets)), anatomy)

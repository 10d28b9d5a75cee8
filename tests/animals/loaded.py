"""The shipped animals, each loaded once for all tests of this folder."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

import canter
from canter.anatomy import Action
from canter.animals.animal import Animal
from canter.motion.arrays import Floats


@lru_cache
def animal(name: str) -> Animal:
    found = canter.load(name)
    assert isinstance(found, Animal)
    return found


def places(action: Action) -> Floats:
    """World positions `(T, J, 3)` of an action."""
    return action.motion.position_world.astype(np.float64)


def trunk_pitch(who: Animal, world: Floats) -> Floats:
    """Degrees `(T,)` by which the line from pelvis to withers points up."""
    anatomy = who.anatomy
    line = world[:, [leg.joints[0] for leg in anatomy.legs[:2]]].mean(axis=1) - world[:, anatomy.spine[0]]
    result: Floats = np.degrees(np.arctan2(line[:, 1], line[:, 2]))
    return result

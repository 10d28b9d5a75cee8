"""Mass distribution of a character: bones as cylinders of one density."""

from __future__ import annotations

import numpy as np

from canter.anatomy import Anatomy
from canter.motion import Skeleton
from canter.motion.arrays import Floats

RADII = {"spine": 0.20, "neck": 0.11, "head": 0.09, "tail": 0.02}
LEG_RADII = {
    "fore": (0.085, 0.075, 0.050, 0.030, 0.025, 0.025),
    "hind": (0.120, 0.070, 0.035, 0.028, 0.025),
}
"""Radii of the cylinders in hip heights, legs from the top. They give the trunk 3/5, head and neck 1/7 and the legs 1/4
of the mass."""


def masses(skeleton: Skeleton, anatomy: Anatomy, places: Floats) -> Floats:
    """The fraction `(J,)` of the mass in the bone that ends at each joint, for joint positions `places (J, 3)`."""
    radius = np.zeros(len(skeleton))
    for name, joints in (("spine", anatomy.spine[1:]), ("neck", anatomy.neck[1:]), ("tail", anatomy.tail[1:])):
        radius[list(joints)] = RADII[name]
    radius[[joints[0] for joints in (anatomy.neck, anatomy.tail) if joints]] = RADII["spine"]
    if anatomy.head is not None:
        radius[anatomy.head] = RADII["neck"]
        radius[np.flatnonzero((skeleton.parents == anatomy.head) & skeleton.end_sites)] = RADII["head"]
    for leg in anatomy.legs:
        below = leg.joints[1:]
        radius[list(below)] = LEG_RADII["fore" if leg.name[1] == "F" else "hind"][: len(below)]
    lengths = np.linalg.norm(places - places[skeleton.parents], axis=-1)
    shares = lengths * radius**2
    result: Floats = shares / shares.sum()
    return result


def centre_of_mass(skeleton: Skeleton, shares: Floats, places: Floats) -> Floats:
    """The centre of mass `(T, 3)` for joint positions `places (T, J, 3)` and mass fractions `shares (J,)`."""
    parents = np.maximum(skeleton.parents, 0)
    result: Floats = np.einsum("tjk,j->tk", (places + places[:, parents]) / 2, shares)
    return result

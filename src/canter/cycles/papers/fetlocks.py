"""Whether a foot stands, told from how its pastern bends (Huang, section 6.1).

A leg in front of its hip or shoulder stands if its fetlock gives way; one behind stands until its fetlock flexes.
Animals without fetlocks stand where their footfalls say.
"""

from __future__ import annotations

import numpy as np

from canter.cycles.engine.library import Library
from canter.motion.arrays import Bools, Floats
from canter.motion.kinematics import forward

LANDED = (158.0, 152.0, 165.0, 169.0)
"""Degrees below which the fetlock of a leg in front bears weight, of LF, RF, LH, RH."""
LEFT = (181.0, 181.0, 180.0, 180.0)
"""Degrees above which the fetlock of a leg behind has left the ground."""
LIFTED = 0.85
"""A foot is in the air if it is nearer to its hip in height than this share of the farthest; the paper gives none."""


def fetlock_angles(library: Library, which: int) -> Floats | None:
    """Degrees of the fetlocks in front `(GRID, L)`: 180 is straight, less gives way; None where there are none."""
    chains = [leg.joints for leg in library.character.anatomy.legs]
    names = library.skeleton.names
    if not all(library.tree.legs.hoofed) or any("fetlock" not in names[chain[-3]].lower() for chain in chains):
        return None
    places = forward(library.skeleton, library.positions[which], library.rotations[which])[0]
    cannon, fetlock, hoof = (places[:, [chain[k] for chain in chains]] for k in (-4, -3, -2))
    above, below = (np.arctan2(bone[..., 2], bone[..., 1]) for bone in (cannon - fetlock, hoof - fetlock))
    result: Floats = np.degrees(below - above) % 360.0
    return result


def stances(library: Library, which: int) -> Bools | None:
    """Whether the feet stand in a cycle `(GRID, L)` by the bending of their pasterns; None without fetlocks."""
    angles = fetlock_angles(library, which)
    if angles is None:
        return None
    places = forward(library.skeleton, library.positions[which], library.rotations[which])[0]
    feet, hips = places[:, library.tree.legs.foot], places[:, library.tree.legs.hip]
    ahead = feet[..., 2] > hips[..., 2]
    drop = hips[..., 1] - feet[..., 1]
    long = drop > LIFTED * drop.max(axis=0)
    result: Bools = np.where(ahead, angles < np.array(LANDED), angles <= np.array(LEFT)) & long
    return result

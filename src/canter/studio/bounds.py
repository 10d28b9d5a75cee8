"""The box that an animal fills when it stands and goes slowly, by which the page's camera frames it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from canter.anatomy import Character
from canter.cycles.build.gait_cycles import gait_cycles
from canter.cycles.engine.cycle import GRID
from canter.motion import Skin, forward
from canter.motion.arrays import Floats
from canter.pictures.mesh import skinned

POSES = 12
"""Poses of each cycle that are looked at."""
MAX_VERTICES = 6000
"""Vertices of a skin that are looked at, about; a finer one has neighbours close to those that are left out."""


def body_bounds(character: Character) -> Floats:
    """The lowest and the highest corner `(2, 3)` in metres of the skins, or of the joints of an animal without any.

    Seen from its place on the ground, facing +Z: over all poses of its stand and of its slowest gait, or in its rest
    pose if it has neither.
    """
    points = np.concatenate([_points(character, *pose) for pose in zip(*_poses(character), strict=True)])
    return np.stack([points.min(axis=0), points.max(axis=0)])


def _poses(character: Character) -> tuple[Floats, Floats]:
    """Positions and rotations of the joints in the world `(P, J, ...)`."""
    skeleton = character.skeleton
    try:
        cycles, _ = gait_cycles(character)
    except ValueError:
        return forward(skeleton, skeleton.offsets[None], skeleton.rotations[None])
    ahead = [cycle for cycle in cycles if cycle.goes_straight and not cycle.is_mirror_image]
    shown = [cycle for cycle in cycles if cycle.stands] + sorted(ahead, key=lambda cycle: cycle.speed)[:1]
    step = GRID // POSES
    positions, rotations = (
        np.concatenate([x[::step] for x in found])
        for found in ([cycle.positions for cycle in shown], [cycle.rotations for cycle in shown])
    )
    return forward(skeleton, positions, rotations)


def _points(character: Character, places: Floats, turns: Floats) -> Floats:
    """The vertices of the skins, or the joints, in a pose `(N, 3)`."""
    if not character.skins:
        return places
    return np.concatenate([skinned(_thinned(skin), places, turns) for skin in character.skins])


def _thinned(skin: Skin) -> Skin:
    step = max(1, len(skin.vertices) // MAX_VERTICES)
    return replace(skin, vertices=skin.vertices[::step], joints=skin.joints[::step], weights=skin.weights[::step])

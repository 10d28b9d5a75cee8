"""Forward kinematics and velocities, vectorised over any leading axes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from canter.motion import rotations as rot
from canter.motion.arrays import Floats
from canter.motion.skeleton import Skeleton


def forward(skeleton: Skeleton, positions: Floats, rotations: Floats) -> tuple[Floats, Floats]:
    """World positions `(..., J, 3)` and rotations `(..., J, 4)` from local ones, one tree level at a time."""
    position_world, rotation_world = positions.copy(), rotations.copy()
    for joints, parents in skeleton.levels:
        turned = rotation_world[..., parents, :]
        position_world[..., joints, :] = position_world[..., parents, :] + rot.rotate(turned, positions[..., joints, :])
        rotation_world[..., joints, :] = rot.multiply(turned, rotations[..., joints, :])
    return position_world, rotation_world


def forward_of(
    skeleton: Skeleton, positions: Floats, rotations: Floats, joints: Sequence[int]
) -> tuple[Floats, Floats]:
    """World positions `(..., K, 3)` and rotations `(..., K, 4)` of the K `joints` alone, through their ancestors."""
    world: dict[int, tuple[Floats, Floats]] = {}
    for joint in sorted({ancestor for wanted in joints for ancestor in skeleton.chain(wanted)}):
        position, rotation = positions[..., joint, :], rotations[..., joint, :]
        parent = int(skeleton.parents[joint])
        if parent >= 0:
            origin, turned = world[parent]
            position, rotation = origin + rot.rotate(turned, position), rot.multiply(turned, rotation)
        world[joint] = position, rotation
    return np.stack([world[j][0] for j in joints], axis=-2), np.stack([world[j][1] for j in joints], axis=-2)


def local(skeleton: Skeleton, position_world: Floats, rotation_world: Floats) -> tuple[Floats, Floats]:
    """The inverse of `forward`."""
    positions, rotations = position_world.copy(), rotation_world.copy()
    joints = np.flatnonzero(skeleton.parents >= 0)
    parents = skeleton.parents[joints]
    inverse = rot.conjugate(rotation_world[..., parents, :])
    positions[..., joints, :] = rot.rotate(inverse, position_world[..., joints, :] - position_world[..., parents, :])
    rotations[..., joints, :] = rot.multiply(inverse, rotation_world[..., joints, :])
    return positions, rotations


def velocity(x: Floats, frame_rate: float) -> Floats:
    """Central differences along the first axis, one-sided at the ends; zero for a single frame."""
    if len(x) < 2:
        return np.zeros_like(x)
    result: Floats = np.gradient(x, 1.0 / frame_rate, axis=0).astype(x.dtype)
    return result


def angular_velocity(q: Floats, frame_rate: float) -> Floats:
    """World-frame angular velocity `(T, ..., 3)` in radians a second of rotations `(T, ..., 4)`."""
    if len(q) < 2:
        return np.zeros((*q.shape[:-1], 3), q.dtype)
    steps = rot.log(rot.multiply(q[1:], rot.conjugate(q[:-1]))) * frame_rate
    padded = np.concatenate([steps[:1], (steps[1:] + steps[:-1]) / 2, steps[-1:]])
    return padded.astype(q.dtype)

"""Forward kinematics and velocities, vectorised over any leading axes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from canter.motion import rotations as rot
from canter.motion.arrays import Floats
from canter.motion.skeleton import Skeleton

BLOCK_FRAMES, MIN_BLOCK_FRAMES = 1024, 16
"""Frames that are computed at once, so that they stay in the cache; fewer than the second need no blocks."""


def forward(skeleton: Skeleton, positions: Floats, rotations: Floats) -> tuple[Floats, Floats]:
    """World positions `(..., J, 3)` and rotations `(..., J, 4)` from local ones, one tree level at a time."""
    count = int(np.prod(positions.shape[:-2]))
    if count < MIN_BLOCK_FRAMES:
        return _forward_few(skeleton, positions, rotations)
    position_world, rotation_world = np.empty_like(positions), np.empty_like(rotations)
    flat = [x.reshape(count, *x.shape[-2:]) for x in (positions, rotations, position_world, rotation_world)]
    for start in range(0, count, BLOCK_FRAMES):
        _forward_block(skeleton, *(x[start : start + BLOCK_FRAMES] for x in flat))
    return position_world, rotation_world


def _forward_few(skeleton: Skeleton, positions: Floats, rotations: Floats) -> tuple[Floats, Floats]:
    """`forward` joint by joint; transposing the arrays would cost more than it saves on a few frames."""
    position_world, rotation_world = positions.copy(), rotations.copy()
    for joints, parents in skeleton.levels:
        turned = rotation_world[..., parents, :]
        position_world[..., joints, :] = position_world[..., parents, :] + rot.rotate(turned, positions[..., joints, :])
        rotation_world[..., joints, :] = rot.multiply(turned, rotations[..., joints, :])
    return position_world, rotation_world


def _forward_block(
    skeleton: Skeleton, positions: Floats, rotations: Floats, position_world: Floats, rotation_world: Floats
) -> None:
    """`forward` of frames `(B, J, ...)` into the last two arguments, with frames as the last axis while it works."""
    p, q = (np.ascontiguousarray(x.transpose(1, 2, 0)) for x in (positions, rotations))
    for joints, parents in skeleton.levels:
        w, x, y, z = (q[parents, k] for k in range(4))
        px, py, pz = (p[joints, k] for k in range(3))
        tx, ty, tz = 2 * (y * pz - z * py), 2 * (z * px - x * pz), 2 * (x * py - y * px)
        p[joints, 0] = p[parents, 0] + px + w * tx + y * tz - z * ty
        p[joints, 1] = p[parents, 1] + py + w * ty + z * tx - x * tz
        p[joints, 2] = p[parents, 2] + pz + w * tz + x * ty - y * tx
        a, b, c, d = (q[joints, k] for k in range(4))
        q[joints, 0] = w * a - x * b - y * c - z * d
        q[joints, 1] = w * b + x * a + y * d - z * c
        q[joints, 2] = w * c - x * d + y * a + z * b
        q[joints, 3] = w * d + x * c - y * b + z * a
    position_world[...] = p.transpose(2, 0, 1)
    rotation_world[...] = q.transpose(2, 0, 1)


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

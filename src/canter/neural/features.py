"""From motions to features and back, as pure functions (MANN, section 5).

The ground is a complex plane as in `control.steering`: real is ahead (+Z), imaginary is left (+X).
"""

from __future__ import annotations

import numpy as np

from canter.motion import rotations as rot
from canter.motion.arrays import Complexes, Floats
from canter.motion.kinematics import velocity
from canter.neural.layout import Body

AXES = (2, 1)
"""Columns of a rotation's matrix that are features: the forward and the up axis."""


def joint_features(
    position_world: Floats, rotation_world: Floats, place: Complexes, yaw: Floats, frame_rate: float
) -> Floats:
    """Joints `(T, 12 J)` seen from the ground track: places, forward and up axes, velocities.

    World `positions (T, J, 3)` and `rotations (T, J, 4)`; the track's `place (T,)` and `yaw (T,)`.
    """
    frames = len(place)
    back = rot.yaw(-yaw)[:, None]
    ground = np.stack([place.imag, np.zeros(frames), place.real], axis=-1)[:, None]
    places = rot.rotate(back, position_world - ground)
    axes = rot.to_matrix(rot.multiply(back, rotation_world))[..., AXES].swapaxes(-1, -2)
    moving = rot.rotate(back, velocity(position_world, frame_rate))
    return np.concatenate([x.reshape(frames, -1) for x in (places, axes, moving)], axis=1).astype(np.float32)


def split_joints(features: Floats, joints: int) -> tuple[Floats, Floats, Floats]:
    """Joint features `(..., 12 J)`, a phase after them or not, as places `(..., J, 3)`, axes `(..., J, 2, 3)` and
    velocities `(..., J, 3)`."""
    shape = features.shape[:-1]
    places, axes, moving = np.split(features[..., : 12 * joints], (3 * joints, 9 * joints), axis=-1)
    return places.reshape(*shape, joints, 3), axes.reshape(*shape, joints, 2, 3), moving.reshape(*shape, joints, 3)


def world_joints(features: Floats, joints: int, place: Complexes, yaw: Floats) -> tuple[Floats, Floats]:
    """World positions `(N, J, 3)` and rotations `(N, J, 4)` of joints `(N, 12 J)` seen from ground tracks `(N,)`."""
    places, axes, _ = split_joints(features.astype(np.float64), joints)
    forward, up = axes[..., 0, :], axes[..., 1, :]
    turn = rot.yaw(yaw)[:, None]
    positions = rot.rotate(turn, places)
    positions[..., 0] += place.imag[:, None]
    positions[..., 2] += place.real[:, None]
    matrices = np.stack([np.cross(up, forward), up, forward], axis=-1)
    return positions, rot.multiply(turn, rot.from_matrix(matrices))


def trajectory_features(
    offsets: Complexes, directions: Complexes, velocities: Complexes, speeds: Floats, labels: Floats
) -> Floats:
    """Ground samples `(N, K)`, seen from the track now, wanted `speeds (N, K)` and `labels (N, K, A)` as features
    `(N, K (7 + A))`: block by block, samples in order."""
    count = len(offsets)
    planes = [np.stack([x.real, x.imag], axis=-1).reshape(count, -1) for x in (offsets, directions, velocities)]
    return np.concatenate([*planes, speeds, labels.reshape(count, -1)], axis=1).astype(np.float32)


def placed_by_kinematics(joints: Floats, body: Body) -> Floats:
    """Joints `(N, 12 J)` with axes made orthonormal and places by forward kinematics, so that bones keep lengths."""
    count = len(joints)
    places, axes, moving = split_joints(joints, len(body))
    forward = axes[..., 0, :] / np.maximum(np.linalg.norm(axes[..., 0, :], axis=-1, keepdims=True), 1e-9)
    up = axes[..., 1, :] - (axes[..., 1, :] * forward).sum(axis=-1, keepdims=True) * forward
    up = up / np.maximum(np.linalg.norm(up, axis=-1, keepdims=True), 1e-9)
    parents, offsets = np.maximum(body.parents, 0), body.offsets.astype(np.float64)
    left = np.cross(up, forward)
    steps = left[:, parents] * offsets[:, :1] + up[:, parents] * offsets[:, 1:2] + forward[:, parents] * offsets[:, 2:]
    steps = np.where(body.free[:, None], places, steps)
    placed = np.matmul(body.sums.astype(np.float64), steps)
    parts = (placed, np.stack([forward, up], axis=2), moving)
    return np.concatenate([x.reshape(count, -1) for x in parts], axis=1)

"""Linear blend skinning: what joints do to the vertices of a skin in a pose."""

from __future__ import annotations

import numpy as np

from canter.motion import Pose, Skeleton, Skin, forward
from canter.motion import rotations as rot
from canter.motion.arrays import Floats


def inverse_bind(skeleton: Skeleton, pose: Pose) -> Floats:
    """Matrices `(J, 4, 4)` from world coordinates in `pose` to each joint's local frame."""
    place, turn = forward(skeleton, np.asarray(pose.positions, float), np.asarray(pose.rotations, float))
    back = rot.to_matrix(rot.conjugate(turn))
    matrices = np.tile(np.eye(4), (len(skeleton), 1, 1))
    matrices[:, :3, :3] = back
    matrices[:, :3, 3] = -np.einsum("jab,jb->ja", back, place)
    return matrices


def joint_matrices(pose: Pose, inverse_bind: Floats) -> Floats:
    """Affine matrices `(J, 3, 4)` that move vertices from the bind pose to `pose` with each joint."""
    place, turn = forward(pose.skeleton, np.asarray(pose.positions, float), np.asarray(pose.rotations, float))
    joint = np.zeros((len(place), 3, 4))
    joint[:, :, :3], joint[:, :, 3] = rot.to_matrix(turn), place
    result: Floats = joint @ inverse_bind
    return result


def posed_vertices(skin: Skin, skeleton: Skeleton, pose: Pose) -> Floats:
    """The vertices `(V, 3)` of a skin in `pose`."""
    blended = dense_weights(skin, skeleton) @ joint_matrices(pose, skin.inverse_bind).reshape(-1, 12)
    blended = blended.reshape(-1, 3, 4)
    moved: Floats = np.einsum("vij,vj->vi", blended[:, :, :3], skin.vertices) + blended[:, :, 3]
    return moved


def dense_weights(skin: Skin, skeleton: Skeleton) -> Floats:
    """The weight of every joint for every vertex `(V, J)`."""
    dense = np.zeros((len(skin.vertices), len(skeleton)))
    np.add.at(dense, (np.arange(len(dense))[:, None], skin.joints), skin.weights)
    return dense

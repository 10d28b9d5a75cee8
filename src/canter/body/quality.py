"""How well a skin moves: triangles that fold over, and the volume that it keeps."""

from __future__ import annotations

import numpy as np

from canter.body.mesh import Mesh, enclosed
from canter.body.weights import folds
from canter.motion import Pose, Skeleton, Skin, forward
from canter.motion import rotations as rot
from canter.motion.arrays import Bools, Floats


def joint_matrices(pose: Pose, inverse_bind: Floats) -> Floats:
    """What each joint does to the skin's vertices `(J, 3, 4)`."""
    place, turn = forward(pose.skeleton, np.asarray(pose.positions, float), np.asarray(pose.rotations, float))
    joint = np.zeros((len(place), 3, 4))
    joint[:, :, :3], joint[:, :, 3] = rot.to_matrix(turn), place
    result: Floats = joint @ inverse_bind
    return result


def posed_vertices(skin: Skin, skeleton: Skeleton, pose: Pose) -> Floats:
    """The vertices `(V, 3)` in `pose`, by linear blending."""
    blended = dense_weights(skin, skeleton) @ joint_matrices(pose, skin.inverse_bind).reshape(-1, 12)
    blended = blended.reshape(-1, 3, 4)
    moved: Floats = np.einsum("vij,vj->vi", blended[:, :, :3], skin.vertices) + blended[:, :, 3]
    return moved


def dense_weights(skin: Skin, skeleton: Skeleton) -> Floats:
    """The weight of every joint for every vertex `(V, J)`."""
    dense = np.zeros((len(skin.vertices), len(skeleton)))
    np.add.at(dense, (np.arange(len(dense))[:, None], skin.joints), skin.weights)
    return dense


def folded_triangles(skin: Skin, skeleton: Skeleton, pose: Pose) -> Bools:
    """Which triangles `(F,)` face against where the joints that carry them have turned their rest normal."""
    matrices = joint_matrices(pose, skin.inverse_bind)
    found: Bools = folds(Mesh(skin.vertices, skin.triangles), dense_weights(skin, skeleton), matrices[None])[0]
    return found


def folded_share(skin: Skin, skeleton: Skeleton, pose: Pose) -> float:
    """The share of triangles that fold over in `pose`."""
    return float(folded_triangles(skin, skeleton, pose).mean())


def volume(skin: Skin, skeleton: Skeleton, pose: Pose | None = None) -> float:
    """What the skin encloses in `pose`, or as it was bound."""
    vertices = skin.vertices if pose is None else posed_vertices(skin, skeleton, pose)
    return enclosed(vertices, skin.triangles)

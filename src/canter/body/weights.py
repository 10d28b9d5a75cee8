"""Skin weights: from distances to the parts of each joint, smoothed over neighbours, at most four joints per vertex."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from canter.body.mesh import Mesh, face_normals
from canter.body.solids import Solid
from canter.motion.arrays import Bools, Floats, Ints

MAX_INFLUENCES = 4
"""Joints per vertex."""
SMOOTHING_PASSES = 10
SIDE_BLEND_HIP_HEIGHTS = 0.11
"""The distance from the midline within which the joints of a side have less weight."""


def distance_weights(vertices: Floats, solids: Sequence[Solid], joints: int, unit: float) -> Floats:
    """Weights `(V, J)` that fall off exponentially with the distance to each joint's parts; the other side has none."""
    nearness = np.zeros((len(vertices), joints))
    for solid in solids:
        away = np.maximum(solid.distance(vertices), -0.5 * solid.soft)
        pull = np.exp(-away / solid.soft)
        if solid.side:
            pull *= np.clip(vertices[:, 0] * solid.side / (SIDE_BLEND_HIP_HEIGHTS * unit), 0.0, 1.0)
        nearness[:, solid.joint] = np.maximum(nearness[:, solid.joint], pull)
    nearness += 1e-30
    result: Floats = nearness / nearness.sum(axis=1, keepdims=True)
    return result


def smoothed(weights: Floats, mesh: Mesh, passes: int = SMOOTHING_PASSES) -> Floats:
    """Weights after `passes` of averaging with the neighbours."""
    spread = mesh.averaging()
    for _ in range(passes):
        weights = 0.5 * weights + 0.5 * (spread @ weights)
    return weights


def strongest(weights: Floats) -> tuple[Ints, Floats]:
    """The strongest joints `(V, MAX_INFLUENCES)` of each vertex and their weights, which sum to 1.

    The weight of the strongest joint left out is subtracted from all, so that weights are continuous where the choice
    changes.
    """
    count = MAX_INFLUENCES
    weights = np.pad(weights, ((0, 0), (0, max(0, count + 1 - weights.shape[1]))))
    order = np.argsort(-weights, axis=1, kind="stable")[:, : count + 1]
    kept = np.take_along_axis(weights, order, axis=1)
    kept = kept[:, :count] - kept[:, count:]
    kept[:, 0] += 1e-9
    joints = np.where(kept > 0, order[:, :count], order[:, :1])
    return joints.astype(np.int32), kept / kept.sum(axis=1, keepdims=True)


def strongest_only(weights: Floats) -> Floats:
    """`weights (V, J)` as `strongest` keeps them, the others 0."""
    joints, kept = strongest(weights)
    result = np.zeros_like(weights)
    np.add.at(result, (np.arange(len(weights))[:, None], joints), kept)
    return result


def folds(mesh: Mesh, weights: Floats, matrices: Floats) -> Bools:
    """Which triangles fold over in each pose `(P, F)`: they face away from where their joints have rotated them.

    `weights (V, J)`; `matrices (P, J, 3, 4)` move vertices from the bind pose with each joint.
    """
    corners = [weights[mesh.triangles[:, i]] for i in range(3)]
    faces = (corners[0] + corners[1] + corners[2]).astype(np.float32)
    light, moves = weights.astype(np.float32), matrices.astype(np.float32)
    return np.array([_folds_in(mesh, light, faces, move) for move in moves]).reshape(len(moves), -1)


def _folds_in(mesh: Mesh, weights: Floats, faces: Floats, move: Floats) -> Bools:
    """`folds` in one pose; `faces (F, J)` are the summed weights of each triangle's corners."""
    blended = (weights @ move.reshape(-1, 12)).reshape(-1, 3, 4)
    moved = np.einsum("vij,vj->vi", blended[:, :, :3], mesh.vertices.astype(np.float32)) + blended[:, :, 3]
    turned = (faces @ np.ascontiguousarray(move[:, :, :3]).reshape(-1, 9)).reshape(-1, 3, 3)
    carried = np.einsum("fij,fj->fi", turned, mesh.faces.astype(np.float32))
    folded: Bools = (face_normals(moved, mesh.triangles) * carried).sum(axis=1) <= 0.0
    return folded

"""Skin weights: near parts pull, far ones let go, neighbours agree."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from canter.body.mesh import Mesh, face_normals
from canter.body.solids import Solid
from canter.motion.arrays import Bools, Floats, Ints

INFLUENCES = 4
PASSES = 10
MIDDLE = 0.11
"""Hip heights from the middle within which the joints of a side have less say."""


def near_weights(vertices: Floats, solids: Sequence[Solid], joints: int, unit: float) -> Floats:
    """Weights `(V, J)` by a soft minimum of the distances to each joint's parts; the other side's parts are masked."""
    nearness = np.zeros((len(vertices), joints))
    for solid in solids:
        away = np.maximum(solid.distance(vertices), -0.5 * solid.soft)
        pull = np.exp(-away / solid.soft)
        if solid.side:
            pull *= np.clip(vertices[:, 0] * solid.side / (MIDDLE * unit), 0.0, 1.0)
        nearness[:, solid.joint] = np.maximum(nearness[:, solid.joint], pull)
    nearness += 1e-30
    result: Floats = nearness / nearness.sum(axis=1, keepdims=True)
    return result


def smoothed(weights: Floats, mesh: Mesh, passes: int = PASSES) -> Floats:
    """Weights after `passes` of averaging with the neighbours."""
    spread = mesh.averaging()
    for _ in range(passes):
        weights = 0.5 * weights + 0.5 * (spread @ weights)
    return weights


def strongest(weights: Floats, count: int = INFLUENCES) -> tuple[Ints, Floats]:
    """The `count` strongest joints `(V, count)` of each vertex and their weights, which sum to 1.

    What the first joint left out would have is taken from all, so that no weight jumps where the choice changes.
    """
    weights = np.pad(weights, ((0, 0), (0, max(0, count + 1 - weights.shape[1]))))
    order = np.argsort(-weights, axis=1, kind="stable")[:, : count + 1]
    kept = np.take_along_axis(weights, order, axis=1)
    kept = kept[:, :count] - kept[:, count:]
    kept[:, 0] += 1e-9
    joints = np.where(kept > 0, order[:, :count], order[:, :1])
    return joints.astype(np.int32), kept / kept.sum(axis=1, keepdims=True)


def only_strongest(weights: Floats) -> Floats:
    """`weights (V, J)` as `strongest` would keep them, the others zero."""
    joints, kept = strongest(weights)
    result = np.zeros_like(weights)
    np.add.at(result, (np.arange(len(weights))[:, None], joints), kept)
    return result


def folds(mesh: Mesh, weights: Floats, matrices: Floats) -> Bools:
    """Which triangles fold over in each pose `(P, F)`: they face against where their joints have turned them.

    `weights (V, J)`; `matrices (P, J, 3, 4)` are what the joints do to the skin.
    """
    corners = [weights[mesh.triangles[:, i]] for i in range(3)]
    faces = (corners[0] + corners[1] + corners[2]).astype(np.float32)
    light, moves = weights.astype(np.float32), matrices.astype(np.float32)
    return np.array([_folds_in(mesh, light, faces, move) for move in moves]).reshape(len(moves), -1)


def _folds_in(mesh: Mesh, weights: Floats, faces: Floats, move: Floats) -> Bools:
    """`folds` in one pose; `faces (F, J)` are the weights of whole triangles."""
    blended = (weights @ move.reshape(-1, 12)).reshape(-1, 3, 4)
    moved = np.einsum("vij,vj->vi", blended[:, :, :3], mesh.vertices.astype(np.float32)) + blended[:, :, 3]
    turned = (faces @ np.ascontiguousarray(move[:, :, :3]).reshape(-1, 9)).reshape(-1, 3, 3)
    carried = np.einsum("fij,fj->fi", turned, mesh.faces.astype(np.float32))
    folded: Bools = (face_normals(moved, mesh.triangles) * carried).sum(axis=1) <= 0.0
    return folded

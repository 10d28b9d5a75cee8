"""Skin weights: near parts pull, far ones let go, neighbours agree; where the skin would fold, they agree more."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from canter.body.mesh import Mesh
from canter.body.solids import Solid
from canter.motion.arrays import Floats, Ints

INFLUENCES = 4
PASSES = 10


def near_weights(vertices: Floats, solids: Sequence[Solid], joints: int, unit: float) -> Floats:
    """Weights `(V, J)` by a soft minimum of the distances to each joint's parts; the other side's parts are masked."""
    nearness = np.zeros((len(vertices), joints))
    for solid in solids:
        away = np.maximum(solid.distance(vertices), -0.5 * solid.soft)
        pull = np.exp(-away / solid.soft)
        if solid.side:
            pull *= np.clip(vertices[:, 0] * solid.side / (0.04 * unit) + 0.05, 0.0, 1.0)
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
    """The `count` strongest joints `(V, count)` of each vertex and their weights, which sum to 1."""
    joints = np.argsort(-weights, axis=1, kind="stable")[:, :count]
    kept = np.take_along_axis(weights, joints, axis=1)
    kept = np.where(kept < 0.004, 0.0, kept)
    return joints.astype(np.int32), kept / kept.sum(axis=1, keepdims=True)

"""How well a skin deforms: triangles that fold over, and the volume that it keeps."""

from __future__ import annotations

from canter.body.mesh import Mesh, enclosed_volume
from canter.body.skinning import dense_weights, joint_matrices, posed_vertices
from canter.body.weights import folds
from canter.motion import Pose, Skeleton, Skin
from canter.motion.arrays import Bools


def folded_triangles(skin: Skin, skeleton: Skeleton, pose: Pose) -> Bools:
    """Which triangles `(F,)` face away from where their joints have rotated their normal."""
    matrices = joint_matrices(pose, skin.inverse_bind)
    found: Bools = folds(Mesh(skin.vertices, skin.triangles), dense_weights(skin, skeleton), matrices[None])[0]
    return found


def folded_share(skin: Skin, skeleton: Skeleton, pose: Pose) -> float:
    """The share of triangles that fold over in `pose`."""
    return float(folded_triangles(skin, skeleton, pose).mean())


def volume(skin: Skin, skeleton: Skeleton, pose: Pose | None = None) -> float:
    """The volume in m³ that the skin encloses in `pose`, or as it was bound."""
    vertices = skin.vertices if pose is None else posed_vertices(skin, skeleton, pose)
    return enclosed_volume(vertices, skin.triangles)

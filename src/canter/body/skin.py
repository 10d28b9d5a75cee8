"""From a table of parts to a Skin: surface, weights, colours."""

from __future__ import annotations

import numpy as np

from canter.body.colours import vertex_colors
from canter.body.parts import Body, both_sides
from canter.body.solids import place_solids
from canter.body.surface import make_surface
from canter.body.weights import near_weights, smoothed, strongest
from canter.motion import Pose, Skeleton, Skin, forward
from canter.motion import rotations as rot
from canter.motion.arrays import Floats


def make_skin(skeleton: Skeleton, body: Body, pose: Pose | None = None) -> Skin:
    """The skin of a table on a skeleton, bound in its rest pose or in `pose`. The same input gives the same skin."""
    pose = pose or skeleton.rest
    body = both_sides(body)
    solids = place_solids(skeleton, body, pose)
    groups = {name: radius * body.unit for name, radius in body.groups.items()}
    floor = None if body.floor is None else body.floor * body.unit
    mesh = make_surface(solids, groups, body.cell * body.unit, body.triangles, floor, body.symmetric)
    weights = smoothed(near_weights(mesh.vertices, solids, len(skeleton), body.unit), mesh)
    joints, weights = strongest(weights)
    return Skin(
        vertices=mesh.vertices,
        triangles=mesh.triangles.astype(np.int32),
        joints=joints,
        weights=weights,
        inverse_bind=inverse_bind(skeleton, pose),
        normals=mesh.normals,
        colors=vertex_colors(mesh.vertices, solids, skeleton, body, pose),
        base_color=(1.0, 1.0, 1.0, 1.0),
        name=body.name,
    )


def inverse_bind(skeleton: Skeleton, pose: Pose) -> Floats:
    """Matrices `(J, 4, 4)` from the world of `pose` into each joint's frame."""
    place, turn = forward(skeleton, np.asarray(pose.positions, float), np.asarray(pose.rotations, float))
    back = rot.to_matrix(rot.conjugate(turn))
    matrices = np.tile(np.eye(4), (len(skeleton), 1, 1))
    matrices[:, :3, :3] = back
    matrices[:, :3, 3] = -np.einsum("jab,jb->ja", back, place)
    return matrices

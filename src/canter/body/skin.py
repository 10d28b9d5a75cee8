"""From a table of parts to a Skin: surface, weights, colours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from canter.anatomy import Character
from canter.body.colours import vertex_colors
from canter.body.estimate import estimate_body
from canter.body.mesh import ball, partners
from canter.body.parts import Body, both_sides
from canter.body.poses import telling_poses, trial_poses
from canter.body.quality import joint_matrices
from canter.body.solids import Solid, place_solids
from canter.body.stance import bind_pose
from canter.body.surface import make_surface
from canter.body.unfold import unfolded
from canter.body.weights import near_weights, smoothed, strongest
from canter.motion import Pose, Skeleton, Skin, forward
from canter.motion import rotations as rot
from canter.motion.arrays import Floats

TRIALS = 80
"""How many moments of a character's clips its skin is tried out on."""


def make_skin(skeleton: Skeleton, body: Body, pose: Pose | None = None, trials: Sequence[Pose] = ()) -> Skin:
    """The skin of a table on a skeleton, bound in its rest pose or in `pose`. The same input gives the same skin.

    Its weights are corrected until it folds neither in the table's bends nor in the poses `trials`.
    """
    pose = pose or skeleton.rest
    body = both_sides(body)
    bind = inverse_bind(skeleton, pose)
    placed = place_solids(skeleton, body, pose)
    solids = [solid for solid in placed if not solid.apart]
    groups = {name: radius * body.unit for name, radius in body.groups.items()}
    floor = None if body.floor is None else body.floor * body.unit
    mesh = make_surface(solids, groups, body.cell * body.unit, body.triangles, floor, body.symmetric)
    weights = smoothed(near_weights(mesh.vertices, solids, len(skeleton), body.unit), mesh)
    tried = [*trial_poses(skeleton, body.bends, pose), *trials]
    moves = np.array([joint_matrices(trial, bind) for trial in tried])
    weights = unfolded(weights, mesh, moves, skeleton.parents, partners(mesh) if body.symmetric else None)
    joints, weights = strongest(weights)
    skin = Skin(
        vertices=mesh.vertices,
        triangles=mesh.triangles.astype(np.int32),
        joints=joints,
        weights=weights,
        inverse_bind=bind,
        normals=mesh.normals,
        colors=vertex_colors(mesh.vertices, solids, skeleton, body, pose),
        base_color=(1.0, 1.0, 1.0, 1.0),
        name=body.name,
    )
    for solid in placed:
        skin = with_ball(skin, solid) if solid.apart else skin
    return skin


def skin_character(character: Character) -> Skin:
    """A skin for a character that has none, tried out on the moments of its own clips in which it bends most."""
    body, pose = estimate_body(character), bind_pose(character)
    trials = telling_poses([clip.motion for clip in character.clips], pose, TRIALS)
    body = replace(body, bends=()) if trials else body  # what it does is a better trial than what it might do
    return make_skin(character.skeleton, body, pose, trials)


def with_ball(skin: Skin, solid: Solid) -> Skin:
    """`skin` with an ellipsoid beside it that moves with one joint."""
    sphere, radii = ball(2), solid.radii if solid.radii is not None else np.full(3, solid.r_start)
    count = len(sphere.vertices)
    turn = rot.exp(np.array([solid.pitch, 0.0, 0.0]))
    assert skin.normals is not None
    assert skin.colors is not None
    return replace(
        skin,
        vertices=np.concatenate([skin.vertices, solid.start + rot.rotate(turn, sphere.vertices * radii)]),
        triangles=np.concatenate([skin.triangles, len(skin.vertices) + sphere.triangles]).astype(np.int32),
        joints=np.concatenate([skin.joints, np.full((count, 4), solid.joint)]).astype(np.int32),
        weights=np.concatenate([skin.weights, np.tile([1.0, 0.0, 0.0, 0.0], (count, 1))]),
        normals=np.concatenate([skin.normals, rot.rotate(turn, rot.normalize(sphere.vertices / radii))]),
        colors=np.concatenate([skin.colors, np.tile([*solid.color, 1.0], (count, 1))]),
    )


def inverse_bind(skeleton: Skeleton, pose: Pose) -> Floats:
    """Matrices `(J, 4, 4)` from the world of `pose` into each joint's frame."""
    place, turn = forward(skeleton, np.asarray(pose.positions, float), np.asarray(pose.rotations, float))
    back = rot.to_matrix(rot.conjugate(turn))
    matrices = np.tile(np.eye(4), (len(skeleton), 1, 1))
    matrices[:, :3, :3] = back
    matrices[:, :3, 3] = -np.einsum("jab,jb->ja", back, place)
    return matrices

"""From a body table to a Skin: surface, weights, colours."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from canter.anatomy import Character
from canter.body.colours import vertex_colors
from canter.body.estimate import estimate_body
from canter.body.measures import bind_pose
from canter.body.mesh import ball, partners
from canter.body.parts import Body, both_sides
from canter.body.poses import most_different_poses, trial_poses
from canter.body.skinning import inverse_bind, joint_matrices
from canter.body.solids import Solid, place_solids
from canter.body.surface import make_surface
from canter.body.unfold import unfolded
from canter.body.weights import distance_weights, smoothed, strongest
from canter.motion import Pose, Skeleton, Skin
from canter.motion import rotations as rot

TRIAL_COUNT = 80
"""How many frames of a character's clips its skin is tried in."""
SURFACE_SHARE, WEIGHTS_SHARE = 0.65, 0.72
"""Shares of the time after which a skin usually has its surface, and its first weights."""


def make_skin(
    skeleton: Skeleton,
    body: Body,
    pose: Pose | None = None,
    trials: Sequence[Pose] = (),
    progress: Callable[[float], None] = lambda share: None,
) -> Skin:
    """The skin of a body table on a skeleton, bound in its rest pose or in `pose`. Deterministic.

    Its weights are corrected until it folds neither in the table's bends nor in the poses `trials`. `progress` is
    called with the share that is done.
    """
    pose = pose or skeleton.rest
    body = both_sides(body)
    bind = inverse_bind(skeleton, pose)
    placed = place_solids(skeleton, body, pose)
    solids = [solid for solid in placed if not solid.apart]
    groups = {name: radius * body.unit for name, radius in body.groups.items()}
    floor = None if body.floor is None else body.floor * body.unit
    mesh = make_surface(solids, groups, body.cell * body.unit, body.triangles, floor, body.symmetric)
    progress(SURFACE_SHARE)
    weights = smoothed(distance_weights(mesh.vertices, solids, len(skeleton), body.unit), mesh)
    tried = [*trial_poses(skeleton, body.bends, pose), *trials]
    moves = np.array([joint_matrices(trial, bind) for trial in tried])
    progress(WEIGHTS_SHARE)
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


def skin_character(character: Character, progress: Callable[[float], None] = lambda share: None) -> Skin:
    """A skin for a character that has none, tried in the frames of its own clips that differ most. `progress` is called
    with the share that is done."""
    body, pose = estimate_body(character), bind_pose(character)
    trials = most_different_poses([clip.motion for clip in character.clips], pose, TRIAL_COUNT)
    body = replace(body, bends=()) if trials else body  # poses that occur are better trials than poses that might
    return make_skin(character.skeleton, body, pose, trials, progress)


def with_ball(skin: Skin, solid: Solid) -> Skin:
    """`skin` with a separate ellipsoid that moves with one joint."""
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

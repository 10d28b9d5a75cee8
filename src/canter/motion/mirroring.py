"""The mirror image of a motion: left becomes right, for any rig whose joints come in pairs.

World positions are reflected exactly and swapped between partners. A rotation cannot be reflected alone, because
left and right joints of many rigs carry different local axes; each joint therefore gets a *local reflection* that
takes its partner's axes to its own, read off a pose in which the animal is symmetrical.
"""

from __future__ import annotations

import numpy as np

from canter.motion import rotations as rot
from canter.motion.arrays import ArrayLike, Floats, Ints
from canter.motion.edits import with_world
from canter.motion.kinematics import forward
from canter.motion.skeleton import Motion, Pose, Skeleton

LEFT = (1.0, 0.0, 0.0)
MAX_CORRECTION = np.radians(90)
"""By how much the offsets of children correct a local reflection: they differ by more where the rig itself does."""


def mirror(motion: Motion, mirror_map: ArrayLike, lateral: ArrayLike = LEFT, reference: Pose | None = None) -> Motion:
    """`motion` reflected in the plane through the origin with normal `lateral`; doing it twice gives it back.

    `mirror_map (J,)` names each joint's partner, or itself. With S the reflection and P_j the local reflection,
    world positions become `S x_partner` and world rotations `S R_partner P_j^-1`. `reference` is a symmetrical
    pose, wherever it stands and faces; without one, the rest pose serves if it is symmetrical, else the most
    symmetrical frame of the motion.
    """
    partner = check_mirror_map(motion.skeleton, mirror_map)
    pose = reference or most_symmetrical(motion, partner)
    local = local_reflections(pose, partner, lateral)
    plane = reflection(lateral)
    kind = motion.positions.dtype
    positions = (motion.position_world[:, partner] @ plane.T).astype(kind)
    turned = plane @ rot.to_matrix(motion.rotation_world[:, partner].astype(np.float64)) @ local.swapaxes(-1, -2)
    rotations = rot.continuous(rot.from_matrix(turned)).astype(kind)
    return with_world(motion, positions, rotations)


def reflection(normal: ArrayLike) -> Floats:
    """The matrix `(3, 3)` that reflects in the plane through the origin with that normal."""
    n = rot.normalize(np.asarray(normal, np.float64))
    return np.eye(3) - 2 * np.outer(n, n)


def check_mirror_map(skeleton: Skeleton, mirror_map: ArrayLike) -> Ints:
    """The map as an array, or an error that names the first joint at fault."""
    partner = np.asarray(mirror_map, int)
    if partner.shape != (len(skeleton),):
        raise ValueError(f"a mirror map of {len(skeleton)} joints is needed, not one of shape {partner.shape}")
    for joint, other in enumerate(partner):
        if not 0 <= other < len(skeleton) or partner[other] != joint:
            raise ValueError(f"joint {skeleton.names[joint]!r} is mapped to {other}, which does not map back to it")
    return partner


def symmetry(position_world: Floats, partner: Ints) -> tuple[Floats, Floats]:
    """The normal `(..., 3)` of the plane that best swaps partners, and the residual as a share of body size.

    With x centred, the best reflection minimises n^T A n, A = sum of x_j x_partner^T over the joints, so the normal
    is the eigenvector of A's smallest eigenvalue. The residual is 1 (no use) where no pair is apart.
    """
    x = position_world - np.mean(position_world, axis=-2, keepdims=True)
    y = x[..., partner, :]
    size = np.sum(x * x, axis=(-1, -2))
    values, axes = np.linalg.eigh(np.swapaxes(x, -1, -2) @ y)
    normal = axes[..., :, 0]
    mirrored = y - 2 * np.sum(y * normal[..., None, :], axis=-1, keepdims=True) * normal[..., None, :]
    rest = np.sqrt(np.sum((x - mirrored) ** 2, axis=(-1, -2)) / np.where(size > 0, size, 1))
    return normal, np.where(values[..., 0] < -1e-4 * size, rest, 1.0)


def most_symmetrical(motion: Motion, partner: Ints, enough: float = 0.1) -> Pose:
    """The rest pose if it is symmetrical to within `enough` of body size, else the most symmetrical frame."""
    rest = motion.skeleton.rest
    position, _ = forward(motion.skeleton, rest.positions, rest.rotations)
    if symmetry(position, partner)[1] < enough or len(motion) == 0:
        return rest
    misfit = symmetry(motion.position_world, partner)[1]
    best = int(np.argmin(misfit))
    return rest if misfit[best] >= 1 else motion.pose(best)


def local_reflections(pose: Pose, partner: Ints, lateral: ArrayLike = LEFT) -> Floats:
    """For each joint the improper matrix `(J, 3, 3)` from its partner's axes to its own.

    In a symmetrical pose with reflection S it is `R_j^-1 S R_partner`. Small asymmetries of the pose are then taken
    out by asking that it also takes the partner's child offsets to the joint's own (weighted Kabsch fit).
    """
    skeleton = pose.skeleton
    position, rotation = forward(skeleton, pose.positions.astype(np.float64), pose.rotations.astype(np.float64))
    normal, misfit = symmetry(position, partner)
    plane = reflection(normal if misfit < 1 else lateral)
    own = rot.to_matrix(rotation)
    local = own.swapaxes(-1, -2) @ plane @ own[partner]
    for joint, children in enumerate(skeleton.children):
        pairs = [(c, int(partner[c])) for c in children if skeleton.parents[partner[c]] == partner[joint]]
        if pairs:
            local[joint] = _fit_improper(
                skeleton.offsets[[c for c, _ in pairs]], skeleton.offsets[[c for _, c in pairs]], local[joint]
            )
    return local


def _fit_improper(own: Floats, other: Floats, guess: Floats, trust: float = 0.02) -> Floats:
    """The improper orthogonal matrix nearest to taking `other` to `own`, pulled to `guess` by the weight `trust`; the
    guess itself if that is far from it, for then the bones of left and right are not each other's image."""
    size = np.sum(own * own) + np.sum(other * other)
    if size <= 0:
        return guess
    u, _, vt = np.linalg.svd(own.T @ other / size + trust * guess)
    flip = -np.sign(np.linalg.det(u @ vt))
    result: Floats = u @ np.diag([1, 1, flip]) @ vt
    turn = np.arccos(np.clip((np.trace(result @ guess.T) - 1) / 2, -1.0, 1.0))
    return result if turn < MAX_CORRECTION else guess

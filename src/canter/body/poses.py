"""Poses in which a skin is tried: the bends of a body table, and the frames of clips that differ most."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from canter.body.parts import Bend
from canter.body.solids import joint_index
from canter.motion import Motion, Pose, Skeleton, forward
from canter.motion import rotations as rot
from canter.motion.arrays import Floats

MIXED_POSES = 40
"""How many trial poses mix all bends."""
RANGE_SHARES = (0.12, 0.12, 0.5, 0.88, 0.88)
"""Fractions of a joint's range that mixed poses draw from; no motion takes all joints to their limits at once."""
MAX_CANDIDATES = 1500
"""From how many frames of all clips together poses are chosen."""


def bent(pose: Pose, turns: Mapping[int, Floats]) -> Pose:
    """`pose` with joints turned by rotation vectors `(3,)` in radians about world axes; children turn with them."""
    skeleton = pose.skeleton
    _, world = forward(skeleton, np.asarray(pose.positions, float), np.asarray(pose.rotations, float))
    rotations = np.array(pose.rotations, float)
    for joint, turn in turns.items():
        parent = int(skeleton.parents[joint])
        above = world[parent] if parent >= 0 else rot.IDENTITY
        inner = rot.multiply(rot.conjugate(above), rot.multiply(rot.exp(np.asarray(turn, float)), above))
        rotations[joint] = rot.multiply(inner, rotations[joint])
    return Pose(skeleton, np.asarray(pose.positions, float), rotations)


def trial_poses(skeleton: Skeleton, bends: Sequence[Bend], pose: Pose | None = None) -> list[Pose]:
    """Each bend alone at both its limits, then mixtures of all from a fixed seed; from `pose` or the rest pose."""
    pose = pose or skeleton.rest
    trials = [bent(pose, _turns(skeleton, [bend], [end])) for bend in bends for end in (bend.low, bend.high) if end]
    rng = np.random.default_rng(0)
    for _ in range(MIXED_POSES if bends else 0):
        shares = rng.choice(RANGE_SHARES, len(bends))
        ends = [bend.low + share * (bend.high - bend.low) for bend, share in zip(bends, shares, strict=True)]
        trials.append(bent(pose, _turns(skeleton, bends, ends)))
    return trials


def _turns(skeleton: Skeleton, bends: Sequence[Bend], degrees: Sequence[float]) -> dict[int, Floats]:
    turns: dict[int, Floats] = {}
    for bend, angle in zip(bends, degrees, strict=True):
        joint = joint_index(skeleton, bend.joint)
        turn = np.zeros(3)
        turn["xyz".index(bend.axis)] = np.radians(angle)
        turns[joint] = turns.get(joint, np.zeros(3)) + turn
    return turns


def most_different_poses(motions: Sequence[Motion], pose: Pose, count: int) -> list[Pose]:
    """Up to `count` frames of `motions` whose joint rotations differ most from `pose` and from each other.

    Farthest-point selection (Gonzalez 1985) over the rotations and translations of all joints.
    """
    step = max(1, -(-sum(len(motion) for motion in motions) // MAX_CANDIDATES))
    moments = [(motion, frame) for motion in motions for frame in range(0, len(motion), step)]
    if not moments:
        return []
    bends = np.concatenate([_bends_from(pose, motion, step) for motion in motions])
    away = np.linalg.norm(bends, axis=1)
    chosen: list[int] = []
    while len(chosen) < count and away.max() > 1e-6:
        chosen.append(int(np.argmax(away)))
        away = np.minimum(away, np.linalg.norm(bends - bends[chosen[-1]], axis=1))
    return [moments[index][0].pose(moments[index][1]) for index in chosen]


def _bends_from(pose: Pose, motion: Motion, step: int) -> Floats:
    """Features `(T, N)` of every `step`-th frame: local rotations and translations of all joints but roots."""
    inner = pose.skeleton.parents >= 0
    turns = rot.multiply(rot.conjugate(np.asarray(pose.rotations, float)), np.asarray(motion.rotations[::step], float))
    bends = rot.log(turns)[:, inner]
    shifts = (np.asarray(motion.positions[::step], float) - pose.positions)[:, inner]
    size = max(float(np.ptp(forward(pose.skeleton, pose.positions, pose.rotations)[0], axis=0).max()), 1e-6)
    features: Floats = np.concatenate([bends, 2 * shifts / size], axis=-1).reshape(len(bends), -1)
    return features

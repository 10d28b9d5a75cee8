"""Helper joints of a rig: control bones, copies, twist bones and loose ends, which are no part of the body.

Symptoms of a mistake here: a control bone is taken for a foot, or a real limb is ignored.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from canter.motion import Skeleton
from canter.motion.arrays import Bools, Floats

MAX_COMPARED_JOINTS = 600
"""Rigs with more joints are not searched for copies of limbs."""

COPY_DISTANCE = 0.01
"""Joints whose distance is less than this share of the body's size (root mean square) are in one place: captured ones
tremble."""
MAX_BONE_STRETCH = 0.06
"""How much the length of a bone varies at most (standard deviation over mean): captured ones tremble."""


def helper_joints(skeleton: Skeleton, takes: Sequence[Floats], frames: Floats, size: float) -> Bools:
    """`(J,)`: joints parked at the origin, fixed in the world or on their parent; copies, twist bones and loose ends.

    `takes` are world positions `(T, J, 3)` of whole clips, `frames (F, J, 3)` a sample of them.
    """
    travelled = max(float(np.linalg.norm(np.ptp(np.median(p, axis=1), axis=0))) for p in takes)
    still = np.max([np.linalg.norm(np.ptp(p, axis=0), axis=-1) for p in takes], axis=0) < 1e-4 * size
    moving_share = np.mean(~still)
    at_origin = np.all(np.linalg.norm(frames, axis=-1) < 1e-3 * size, axis=0)
    parked = at_origin & still
    fixed = still if travelled > 1.5 * size and moving_share > 0.3 else np.zeros_like(still)
    odd = parked | fixed
    odd |= _coincident_leaves(skeleton, frames, size)
    odd |= _copies(skeleton, frames, size, odd)
    odd |= _twists(skeleton, frames, odd)
    odd |= _unused_ends(skeleton, frames, size, odd)
    return np.asarray(odd)


def _leaves(skeleton: Skeleton, ignored: Bools) -> list[int]:
    return [j for j in range(len(skeleton)) if not ignored[j] and all(ignored[c] for c in skeleton.children[j])]


def _coincident_leaves(skeleton: Skeleton, frames: Floats, size: float) -> Bools:
    """Leaves in the place of their parent."""
    result = np.zeros(len(skeleton), bool)
    for joint in reversed(range(len(skeleton))):
        parent = skeleton.parents[joint]
        if parent >= 0 and all(result[c] for c in skeleton.children[joint]):
            length = np.linalg.norm(frames[:, joint] - frames[:, parent], axis=-1)
            result[joint] = np.max(length) < 0.005 * size
    return result


def _copies(skeleton: Skeleton, frames: Floats, size: float, ignored: Bools) -> Bools:
    """Copies of a limb or a foot that control rigs keep beside the real one: branches that always coincide with others.

    Of two joints in one place that on a bone of constant length is kept, else the deeper in the tree; and a branch is a
    copy only if all its joints are.
    """
    result = np.zeros(len(skeleton), bool)
    if len(skeleton) > MAX_COMPARED_JOINTS:
        return result
    few = thinned(frames, 24)
    apart = np.sqrt(np.mean(np.sum((few[:, :, None] - few[:, None]) ** 2, axis=-1), axis=0))
    chains = [skeleton.chain(j) for j in range(len(skeleton))]
    rank = [(_rigid(skeleton, few, j), len(chains[j]), -j) for j in range(len(skeleton))]
    for joint in reversed(range(len(skeleton))):
        if ignored[joint] or not all(result[c] or ignored[c] for c in skeleton.children[joint]):
            continue
        for other in np.flatnonzero(apart[joint] < COPY_DISTANCE * size):
            related = other in chains[joint] or joint in chains[other]
            if not related and rank[other] > rank[joint] and not result[other] and not ignored[other]:
                result[joint] = True
                break
    return result


def _rigid(skeleton: Skeleton, frames: Floats, joint: int) -> bool:
    """Whether a joint keeps its distance from its parent, as bones do."""
    length = np.linalg.norm(frames[:, joint] - frames[:, skeleton.parents[joint]], axis=-1)
    return bool(skeleton.parents[joint] >= 0 and np.std(length) < MAX_BONE_STRETCH * np.mean(length))


def _twists(skeleton: Skeleton, frames: Floats, ignored: Bools) -> Bools:
    """Leaves that lie on the bone between their parent and a sibling and keep their place along it."""
    result = np.zeros(len(skeleton), bool)
    for leaf in _leaves(skeleton, ignored):
        parent = skeleton.parents[leaf]
        if parent < 0:
            continue
        for sibling in skeleton.children[parent]:
            if sibling == leaf or not skeleton.children[sibling] or ignored[sibling]:
                continue
            bone, twist = frames[:, sibling] - frames[:, parent], frames[:, leaf] - frames[:, parent]
            squared = np.sum(bone * bone, axis=-1)
            if np.min(squared) <= 0:
                continue
            along = np.sum(twist * bone, axis=-1) / squared
            off = np.linalg.norm(twist - along[:, None] * bone, axis=-1) / np.sqrt(squared)
            if np.max(off) < 0.06 and along.min() > 0.02 and along.max() < 0.97 and np.std(along) < 0.05:
                result[leaf] = True
    return result


def _unused_ends(skeleton: Skeleton, frames: Floats, size: float, ignored: Bools) -> Bools:
    """Chain ends that stayed at the origin: a last bone nearly as long as the body, unlike the one before."""
    result = np.zeros(len(skeleton), bool)
    for leaf in reversed(range(len(skeleton))):
        parent = skeleton.parents[leaf]
        if ignored[leaf] or parent < 0 or not all(ignored[c] or result[c] for c in skeleton.children[leaf]):
            continue
        if 2 * len(skeleton.subtree(int(parent))) > len(skeleton):
            continue  # it hangs on the root, which is no bone
        bone = _bone_length(skeleton, frames, leaf)
        result[leaf] = bone > 0.9 * size and bone > 3 * _bone_length(skeleton, frames, int(parent))
    return result


def _bone_length(skeleton: Skeleton, frames: Floats, joint: int) -> float:
    parent = skeleton.parents[joint]
    if parent < 0:
        return float("inf")
    return float(np.median(np.linalg.norm(frames[:, joint] - frames[:, parent], axis=-1)))


def thinned(positions: Floats, most: int) -> Floats:
    """At most `most` frames, spread evenly."""
    if len(positions) <= most:
        return positions
    result: Floats = positions[np.linspace(0, len(positions) - 1, most).astype(int)]
    return result

"""What can be seen of a rig before anything is known of it: cleaned world positions and the body's own frame.

Everything here is relative to `size`, the 75th percentile of joint distance from the middle of the pose, so that no
unit, axis or name matters. Helper joints are marked, bind poses dropped, and only frames in which something moves
are kept, because a dog that lies down for most of a take says little about its legs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from canter.motion import Asset, Motion, Skeleton
from canter.motion.arrays import Bools, Floats, Ints
from canter.motion.kinematics import forward

MOST_FRAMES = 600
MOST_COMPARED = 600
"""Rigs with more joints are not searched for copies of limbs."""


@dataclass(frozen=True, eq=False)
class Evidence:
    """Cleaned motion of one rig.

    `takes` are world positions `(T, J, 3)` per clip at full rate with its frame rate, bind poses removed;
    `frames (F, J, 3)` is a sample of the moving frames of all takes, whole strides of each kept together in order.
    """

    skeleton: Skeleton
    takes: tuple[tuple[Floats, float], ...]
    frames: Floats
    size: float
    body: Bools
    """`(J,)`: joints that may be part of the body; the rest are helpers."""

    @cached_property
    def joints(self) -> Ints:
        return np.flatnonzero(self.body)

    @cached_property
    def carried(self) -> Ints:
        """`(J,)`: how many joints of the body hang on each joint, itself among them."""
        count = self.body.astype(int)
        for joint in reversed(range(len(count))):
            if (parent := self.skeleton.parents[joint]) >= 0:
                count[parent] += count[joint]
        return count

    @cached_property
    def bone_lengths(self) -> Floats:
        """`(J,)`: the median distance of each joint from its parent, 0 for roots."""
        lengths = np.zeros(len(self.skeleton))
        child = np.flatnonzero(self.skeleton.parents >= 0)
        bones = self.frames[:, child] - self.frames[:, self.skeleton.parents[child]]
        lengths[child] = np.median(np.linalg.norm(bones, axis=-1), axis=0)
        return lengths


def gather(asset: Asset) -> Evidence:
    """The evidence of all clips of an asset, or of its rest pose when there are none."""
    skeleton = asset.skeleton
    clips = [bind_pose_dropped(m) for m in asset.clips if len(m)]
    takes = tuple((_doubles(m.position_world), m.frame_rate) for m in clips)
    if not takes:
        rest, _ = forward(skeleton, skeleton.offsets[None], skeleton.rotations[None])
        takes = ((_doubles(rest), 30.0),)
    rough = np.concatenate([_thinned(positions, MOST_FRAMES // len(takes) + 1) for positions, _ in takes])
    size = body_size(rough)
    body = ~helpers(skeleton, [positions for positions, _ in takes], rough, size)
    body = body if np.count_nonzero(body) >= 5 else np.ones(len(skeleton), bool)
    size = body_size(rough[:, body])
    moving = np.concatenate([_thinned(p[active(p[:, body], rate)], MOST_FRAMES // len(takes) + 1) for p, rate in takes])
    return Evidence(skeleton, takes, moving, size, body)


def _doubles(x: Floats) -> Floats:
    return x.astype(np.float64)


def body_size(positions: Floats) -> float:
    """75th percentile of joint distance from the middle of the pose `(F, J, 3)`, the median over frames."""
    middle = np.median(positions, axis=1, keepdims=True)
    distance = np.percentile(np.linalg.norm(positions - middle, axis=-1), 75, axis=1)
    return float(max(np.median(distance), 1e-9))


def bind_pose_dropped(motion: Motion) -> Motion:
    """The motion without a first frame that jumps, as a bind pose at the head of a capture does."""
    positions = motion.position_world[:2000]
    if len(positions) < 5:
        return motion
    steps = np.median(np.linalg.norm(np.diff(positions, axis=0), axis=-1), axis=1)
    jumps = steps[0] > 4 * np.median(steps[1:]) and steps[0] > 3 * steps[1:].max()
    return motion[1:] if jumps and steps[0] > 0.01 * body_size(positions[:1]) else motion


def active(positions: Floats, frame_rate: float) -> Bools:
    """The frames in which the middle joint moves at more than 0.3 of its usual fast pace."""
    if len(positions) < 3:
        return np.ones(len(positions), bool)
    speed = np.median(np.linalg.norm(np.gradient(positions, axis=0), axis=-1), axis=1)
    width = min(max(int(0.2 * frame_rate), 1), len(speed))
    smooth = np.convolve(speed, np.ones(width) / width, mode="same")
    fast = np.percentile(smooth, 95)
    moving = smooth > 0.3 * fast
    return np.asarray(moving) if np.count_nonzero(moving) >= 6 else np.ones(len(positions), bool)


def helpers(skeleton: Skeleton, takes: Sequence[Floats], frames: Floats, size: float) -> Bools:
    """Joints that are no anatomy: parked at the origin, fixed in the world, coincident leaves, twist bones."""
    travelled = max(float(np.linalg.norm(np.ptp(np.median(p, axis=1), axis=0))) for p in takes)
    still = np.max([np.linalg.norm(np.ptp(p, axis=0), axis=-1) for p in takes], axis=0) < 1e-4 * size
    moving_share = np.mean(~still)
    at_origin = np.all(np.linalg.norm(frames, axis=-1) < 1e-3 * size, axis=0)
    parked = at_origin & still
    fixed = still if travelled > 1.5 * size and moving_share > 0.3 else np.zeros_like(still)
    odd = parked | fixed
    odd |= _coincident_leaves(skeleton, frames, size)
    odd |= _shadows(skeleton, frames, size, odd)
    odd |= _twists(skeleton, frames, odd)
    odd |= _unused_ends(skeleton, frames, size, odd)
    return np.asarray(odd)


def _leaves(skeleton: Skeleton, ignored: Bools) -> list[int]:
    return [j for j in range(len(skeleton)) if not ignored[j] and all(ignored[c] for c in skeleton.children[j])]


def _coincident_leaves(skeleton: Skeleton, frames: Floats, size: float) -> Bools:
    result = np.zeros(len(skeleton), bool)
    for joint in reversed(range(len(skeleton))):
        parent = skeleton.parents[joint]
        if parent >= 0 and all(result[c] for c in skeleton.children[joint]):
            length = np.linalg.norm(frames[:, joint] - frames[:, parent], axis=-1)
            result[joint] = np.max(length) < 0.005 * size
    return result


def _shadows(skeleton: Skeleton, frames: Floats, size: float, ignored: Bools) -> Bools:
    """Copies of a limb or a foot, as control rigs keep beside the real one: branches that lie on others throughout.

    Of two joints in one place the deeper in the tree is kept, and only a branch whose every joint is a copy goes.
    """
    result = np.zeros(len(skeleton), bool)
    if len(skeleton) > MOST_COMPARED:
        return result
    few = _thinned(frames, 24)
    apart = np.max(np.linalg.norm(few[:, :, None] - few[:, None], axis=-1), axis=0)
    chains = [skeleton.chain(j) for j in range(len(skeleton))]
    for joint in reversed(range(len(skeleton))):
        if ignored[joint] or not all(result[c] or ignored[c] for c in skeleton.children[joint]):
            continue
        for other in np.flatnonzero(apart[joint] < 0.003 * size):
            related = other in chains[joint] or joint in chains[other]
            deeper = (len(chains[other]), -other) > (len(chains[joint]), -joint)
            if not related and deeper and not result[other] and not ignored[other]:
                result[joint] = True
                break
    return result


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
    """Chain ends that were left behind at the origin: a last bone nearly as long as the body, unlike the one before."""
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


def _thinned(positions: Floats, most: int) -> Floats:
    """At most `most` frames, spread evenly."""
    if len(positions) <= most:
        return positions
    result: Floats = positions[np.linspace(0, len(positions) - 1, most).astype(int)]
    return result


def body_frame(frames: Floats, axis: int, used: Bools) -> tuple[Floats, Floats]:
    """Each frame with its place and yaw about `axis` taken out, by robust Procrustes on the `used` joints.

    Returns positions `(F, J, 3)` as (first plane axis, second plane axis, height), the plane axes right-handed about
    `axis`, and the angle taken out `(F,)`. Joints that disagree with the rest count less (weight 1 / residual^2).
    """
    z = frames[..., (axis + 1) % 3] + 1j * frames[..., (axis + 2) % 3]
    height = frames[..., axis]
    weight = used / np.count_nonzero(used)
    reference = z[len(z) // 2] - np.sum(weight * z[len(z) // 2])
    scale = float(np.sqrt(np.mean(np.abs(reference[used]) ** 2))) + 1e-12
    aligned, angle = z, np.zeros(len(z))
    for _ in range(6):
        centred = z - np.sum(weight * z, axis=1, keepdims=True)
        angle = np.angle(np.sum(weight * np.conj(reference) * centred, axis=1))
        aligned = centred * np.exp(-1j * angle)[:, None]
        reference = aligned.mean(axis=0)
        residual = np.sqrt(np.mean(np.abs(aligned - reference) ** 2, axis=0)) / scale
        weight = np.where(used, 1 / (residual**2 + 1e-3), 0)
        weight = weight / weight.sum()
        reference = reference - np.sum(weight * reference)
    return np.stack([aligned.real, aligned.imag, height], axis=-1), angle

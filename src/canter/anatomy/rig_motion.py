"""Joint positions of all clips of an unknown rig, cleaned: what up, legs and facing are detected from.

Everything is relative to `size`, the 75th percentile of joint distance from the middle of the pose, so that no
unit, axis or name matters. Helper joints are marked, bind poses dropped, and only frames in which something moves
are kept, because a dog that lies down for most of a take says little about its legs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from canter.anatomy.helper_joints import helper_joints, thinned
from canter.motion import Asset, Motion, Skeleton
from canter.motion import rotations as rot
from canter.motion.arrays import Bools, Floats, Ints
from canter.motion.kinematics import forward

MAX_FRAMES = 600
"""Frames of all clips together that are looked at."""
RESTING_SPEED_SHARE, MAX_RESTING_FRAMES = 0.12, 2000
"""A joint rests where it is slower than this share of its 90th percentile; frames of a take that this is counted in."""
LIVELY_SHARE, BUSY_PERCENTILE = 0.1, 90.0
"""Takes in which the fast joints, at this percentile, are slower than this share of those of the fastest are idle."""
SPEED_SECONDS = 0.1
"""Speeds are measured over so much time: captures tremble from frame to frame."""
MAX_TILT = np.radians(25)
"""How far a body is tilted against its usual posture at most in a frame that is looked at."""
MAX_BIND_FRAMES, MIN_BOUND_FRAMES, STILL_SHARE = 5, 5, 1e-4
"""Frames that a bind pose at the head of a clip lasts at most, and that a clip has at least which is searched for one;
and the share of the body's size by which the middle joint moves less from frame to frame in a pose that is held."""
BIND_JUMP_RATIO, HELD_JUMP_RATIO, REST_JUMP_RATIO = 3.0, 1.5, 1.1
"""By how much the step out of a bind pose is larger than any later one; that out of one which is held for several
frames; and that out of the rest pose."""
MOVING_SHARE, MIN_MOVING_FRAMES = 0.3, 6
"""The share of a fast pace above which something moves, and how many such frames tell anything."""


@dataclass(frozen=True, eq=False)
class RigMotion:
    """World positions of the joints of one rig over all clips, cleaned.

    `takes` are world positions `(T, J, 3)` per clip at full rate with its frame rate, bind poses removed;
    `frames (F, J, 3)` is a sample of the moving frames of all takes, whole strides of each kept together in order, and
    `take (F,)` says which take each of them is of.
    """

    skeleton: Skeleton
    takes: tuple[tuple[Floats, float], ...]
    frames: Floats
    take: Ints
    size: float
    body: Bools
    """`(J,)`: joints that may be part of the body; the rest are helpers."""

    def turned(self, rotation: Floats) -> RigMotion:
        """The same motion with the file turned about its origin."""
        takes = tuple((rot.rotate(rotation, positions), rate) for positions, rate in self.takes)
        return replace(self, takes=takes, frames=rot.rotate(rotation, self.frames))

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

    @cached_property
    def bone_stretch(self) -> Floats:
        """`(J,)`: how much the distance of each joint from its parent varies, standard deviation over mean."""
        stretch = np.zeros(len(self.skeleton))
        child = np.flatnonzero(self.skeleton.parents >= 0)
        bones = np.linalg.norm(self.frames[:, child] - self.frames[:, self.skeleton.parents[child]], axis=-1)
        stretch[child] = np.std(bones, axis=0) / np.maximum(np.mean(bones, axis=0), 1e-9)
        return stretch


def rig_motion(asset: Asset) -> RigMotion:
    """The joint positions in all clips of an asset, or in its rest pose when there are none."""
    skeleton = asset.skeleton
    clips = [bind_pose_dropped(m) for m in asset.clips if len(m)]
    takes = tuple((_doubles(m.position_world), m.frame_rate) for m in clips)
    if not takes:
        rest, _ = forward(skeleton, skeleton.offsets[None], skeleton.rotations[None])
        takes = ((_doubles(rest), 30.0),)
    rough = np.concatenate([thinned(positions, MAX_FRAMES // len(takes) + 1) for positions, _ in takes])
    size = body_size(rough)
    body = ~helper_joints(skeleton, [positions for positions, _ in takes], rough, size)
    body = body if np.count_nonzero(body) >= 5 else np.ones(len(skeleton), bool)
    size = body_size(rough[:, body])
    return RigMotion(skeleton, takes, *moving_frames(takes, body), size, body)


def moving_frames(takes: Sequence[tuple[Floats, float]], body: Bools) -> tuple[Floats, Ints]:
    """A sample of the frames in which something moves: the middle joint of the `body` at more than `MOVING_SHARE` of
    what is fast in a usual take, or in its own where that is slower; and the take of each. Takes in which nothing
    happens add nothing where others tell more; in one that walks on the spot only the legs move fast."""
    speeds = [joint_speeds(positions[:, body], rate) for positions, rate in takes]
    fast = np.nan_to_num([np.percentile(speed, 95) for speed in speeds])
    busy = np.nan_to_num([np.percentile(joint_speeds(x[:, body], rate, BUSY_PERCENTILE), 95) for x, rate in takes])
    lively = busy >= LIVELY_SHARE * busy.max()
    usual = float(np.exp(np.median(np.log(fast[lively] + 1e-12))))
    moving = {
        k: positions[speed > MOVING_SHARE * min(usual, fast[k])]
        for k, ((positions, _), speed) in enumerate(zip(takes, speeds, strict=True))
        if lively[k] and np.count_nonzero(speed > MOVING_SHARE * min(usual, fast[k])) >= MIN_MOVING_FRAMES
    } or {k: positions for k, (positions, _) in enumerate(takes)}
    chosen = {k: thinned(positions, MAX_FRAMES // len(moving) + 1) for k, positions in moving.items()}
    return np.concatenate(list(chosen.values())), np.repeat(list(chosen), [len(part) for part in chosen.values()])


def _doubles(x: Floats) -> Floats:
    return x.astype(np.float64)


def body_size(positions: Floats) -> float:
    """75th percentile of joint distance from the middle of the pose `(F, J, 3)`, the median over frames."""
    middle = np.median(positions, axis=1, keepdims=True)
    distance = np.percentile(np.linalg.norm(positions - middle, axis=-1), 75, axis=1)
    return float(max(np.median(distance), 1e-9))


def bind_pose_dropped(motion: Motion) -> Motion:
    """The motion without first frames in a bind pose: they keep still, and then everything jumps."""
    return motion[_bind_frames(motion) :]


def _bind_frames(motion: Motion) -> int:
    """How many frames at the head of a clip are a bind pose."""
    positions = motion.position_world[:MAX_RESTING_FRAMES]
    if len(positions) < MIN_BOUND_FRAMES:
        return 0
    steps, size = _middle_steps(positions), body_size(positions[:1])
    held = 1 + int(np.argmax(steps > STILL_SHARE * size))
    if held > min(MAX_BIND_FRAMES, len(positions) - 4):
        return 0
    rest = _in_rest_pose(motion)
    if rest and held > 1 and _middle_steps(positions[[0, -1]])[0] > 0.01 * size:
        return held  # no loop begins so, and nothing is lost of a clip that does
    ratio = REST_JUMP_RATIO if rest else HELD_JUMP_RATIO if held > 1 else BIND_JUMP_RATIO
    inner = _middle_steps(positions - positions.mean(axis=1, keepdims=True))
    jumps = any(_jumps_out(each, held, ratio) and each[held - 1] > 0.01 * size for each in (steps, inner))
    return held if jumps else 0


def _middle_steps(positions: Floats) -> Floats:
    """How far the joint that moves neither far nor little goes from frame to frame `(T - 1,)`."""
    result: Floats = np.median(np.linalg.norm(np.diff(positions, axis=0), axis=-1), axis=1)
    return result


def _jumps_out(steps: Floats, held: int, ratio: float) -> bool:
    """Whether the last of the first `held` steps is larger than all later ones by a ratio."""
    jump, later = steps[held - 1], steps[held:]
    return bool(jump > (1 + ratio) * np.median(later) and jump > ratio * later.max())


def _in_rest_pose(motion: Motion) -> bool:
    """Whether no joint but the roots is turned against the rest pose in the first frame."""
    inner = motion.skeleton.parents >= 0
    off = np.abs(motion.rotations[0] - motion.skeleton.rotations)[inner]
    return bool(off.max(initial=0.0) < 1e-3)


def joint_speeds(positions: Floats, frame_rate: float, percentile: float = 50.0) -> Floats:
    """The speed of the joint that moves neither fast nor slowly, or at another `percentile` of all joints, `(T,)`,
    smoothed over a fifth of a second."""
    if len(positions) < 3:
        return np.zeros(len(positions))
    reach = max(round(SPEED_SECONDS * frame_rate / 2), 1)
    at = np.arange(len(positions))
    first, last = np.maximum(at - reach, 0), np.minimum(at + reach, len(at) - 1)
    moved = np.linalg.norm(positions[last] - positions[first], axis=-1)
    speed = np.percentile(moved, percentile, axis=1) / (last - first) * frame_rate
    width = min(max(int(0.2 * frame_rate), 1), len(speed))
    result: Floats = np.convolve(speed, np.ones(width) / width, mode="same")
    return result


def active(positions: Floats, frame_rate: float) -> Bools:
    """The frames `(T,)` in which the middle joint moves at more than `MOVING_SHARE` of its usual fast pace."""
    speed = joint_speeds(positions, frame_rate)
    moving: Bools = speed > MOVING_SHARE * np.percentile(speed, 95) if len(speed) else np.zeros(0, bool)
    return moving if np.count_nonzero(moving) >= MIN_MOVING_FRAMES else np.ones(len(positions), bool)


def resting_share(take: tuple[Floats, float], joints: Sequence[int]) -> float:
    """The share of the time in which joints hardly move in the world; 0 in a take that stays where it is."""
    positions = take[0][:MAX_RESTING_FRAMES]
    middle = np.median(positions, axis=1)
    if len(positions) < 8 or np.linalg.norm(np.ptp(middle, axis=0)) < body_size(positions[:1]):
        return 0.0
    speed = np.linalg.norm(np.diff(positions[:, list(joints)], axis=0), axis=-1)
    return float(np.mean(speed < RESTING_SPEED_SHARE * np.percentile(speed, 90, axis=0)))


def rotations_of(frames: Floats, reference: Floats) -> Floats:
    """The rotation matrices `(F, 3, 3)` that turn a `reference (J, 3)` nearest to each of the `frames (F, J, 3)`,
    places left out (Kabsch 1976)."""
    a, b = reference - reference.mean(axis=0), frames - frames.mean(axis=1, keepdims=True)
    left, _, right = np.linalg.svd(np.einsum("fji,jk->fik", b, a))
    proper = np.ones((len(frames), 3))
    proper[:, 2] = np.sign(np.linalg.det(left) * np.linalg.det(right))
    result: Floats = (left * proper[:, None]) @ right
    return result


def upright_frames(turns: Floats, take: Ints, axis: Floats) -> Bools:
    """The frames `(F,)` in which the same side of the body is up as in most others, of the body's rotations `(F, 3, 3)`
    and the axis that is up in the file: an animal that rolls over or falls shows little of its legs meanwhile. Every
    `take (F,)` counts alike, for a fall lasts longer than the loop of a walk."""
    up_in_body = axis @ turns
    near: Bools = up_in_body @ up_in_body.T > np.cos(MAX_TILT)
    most = np.argmax(near @ (1 / np.bincount(take)[take]))
    return np.asarray(near[most])


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

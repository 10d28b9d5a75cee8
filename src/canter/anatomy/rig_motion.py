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
MOVING_SHARE, MIN_MOVING_FRAMES = 0.3, 6
"""The share of a fast pace above which something moves, and how many such frames tell anything."""


@dataclass(frozen=True, eq=False)
class RigMotion:
    """World positions of the joints of one rig over all clips, cleaned.

    `takes` are world positions `(T, J, 3)` per clip at full rate with its frame rate, bind poses removed;
    `frames (F, J, 3)` is a sample of the moving frames of all takes, whole strides of each kept together in order.
    """

    skeleton: Skeleton
    takes: tuple[tuple[Floats, float], ...]
    frames: Floats
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
    return RigMotion(skeleton, takes, moving_frames(takes, body), size, body)


def moving_frames(takes: Sequence[tuple[Floats, float]], body: Bools) -> Floats:
    """A sample of the frames in which something moves: the middle joint of the `body` at more than `MOVING_SHARE` of
    what is fast in a usual take. Takes in which nothing happens add nothing where others tell more."""
    speeds = [middle_speeds(positions[:, body], rate) for positions, rate in takes]
    usual = float(np.median([np.percentile(speed, 95) for speed in speeds]))
    moving = [
        positions[speed > MOVING_SHARE * usual]
        for (positions, _), speed in zip(takes, speeds, strict=True)
        if np.count_nonzero(speed > MOVING_SHARE * usual) >= MIN_MOVING_FRAMES
    ] or [positions for positions, _ in takes]
    return np.concatenate([thinned(positions, MAX_FRAMES // len(moving) + 1) for positions in moving])


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


def middle_speeds(positions: Floats, frame_rate: float) -> Floats:
    """The speed of the joint that moves neither fast nor slowly, `(T,)`, smoothed over a fifth of a second."""
    if len(positions) < 3:
        return np.zeros(len(positions))
    speed = np.median(np.linalg.norm(np.gradient(positions, axis=0), axis=-1), axis=1) * frame_rate
    width = min(max(int(0.2 * frame_rate), 1), len(speed))
    result: Floats = np.convolve(speed, np.ones(width) / width, mode="same")
    return result


def active(positions: Floats, frame_rate: float) -> Bools:
    """The frames `(T,)` in which the middle joint moves at more than `MOVING_SHARE` of its usual fast pace."""
    speed = middle_speeds(positions, frame_rate)
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

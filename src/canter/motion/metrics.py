"""How good a motion is: the papers' measures as pure functions of canonical arrays (metres, +Y up), in cm and degrees.

MANN is Zhang, Starke, Komura and Saito, "Mode-Adaptive Neural Networks for Quadruped Motion Control", SIGGRAPH 2018.
Per-frame figures always mean frames of 60 a second, whatever the rate of the clip. Figures for which a
clip is too short are NaN.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from canter.motion import rotations as rot
from canter.motion.arrays import ArrayLike, Floats
from canter.motion.loops import NO_TRAVEL, Track, cycle_travel
from canter.motion.skeleton import Motion

REFERENCE_RATE = 60.0
"""Frames a second that per-frame figures refer to, MANN's own rate."""


def foot_skating(
    position_world: Floats,
    frame_rate: float,
    *,
    ground: ArrayLike | None = None,
    threshold: float = 0.025,
    divisor: Literal["all", "low"] = "all",
) -> Floats:
    """Skating `(F,)` of feet `(T, F, 3)` in cm a frame (MANN section 9, Table 2): the mean of s = v (2 - 2^(h/H)).

    v is the horizontal speed in cm a frame at 60 frames a second, from one frame to the next; h the height of the
    later frame, H = `threshold` = 2.5 cm, the exponent clamped to [0, 1], so a foot above H adds nothing. Heights are
    measured from `ground` (a number, `(F,)` or `(T, F)`), or from the 2nd percentile of the foot's own heights. The
    paper leaves the divisor open: "all" frames, or only the "low" ones with h < H.
    """
    if len(position_world) < 2:
        return np.full(position_world.shape[1], np.nan)
    speed = np.linalg.norm(np.diff(position_world[..., [0, 2]], axis=0), axis=-1) * frame_rate / REFERENCE_RATE * 100
    height = position_world[..., 1]
    height = height - (np.percentile(height, 2, axis=0) if ground is None else np.asarray(ground))
    share = np.clip(height[1:] / threshold, 0, 1)
    total = np.sum(speed * (2 - 2**share), axis=0)
    count = np.sum(share < 1, axis=0) if divisor == "low" else np.full(total.shape, len(speed))
    result: Floats = total / np.maximum(count, 1)
    return result


@dataclass(frozen=True)
class StanceSlip:
    """How far feet move over the ground while they stand, in cm: the mean and the largest over all stances."""

    mean: float
    max: float


def stance_slip(position_world: Floats, contacts: ArrayLike) -> StanceSlip:
    """Slip of feet `(T, ..., F, 3)` that stand where `contacts (T, ..., F)` is true; NaN without any stance.

    The slip of one stance is the largest horizontal distance of the foot from its touchdown, so a foot that slides and
    comes back counts. A stance that the clip cuts off counts with the part that is seen, from its first frame on.
    """
    down = np.asarray(contacts, bool)
    begins = down.copy()
    begins[1:] &= ~down[:-1]
    if not begins.any():
        return StanceSlip(np.nan, np.nan)
    frames = np.arange(len(down)).reshape(-1, *[1] * (down.ndim - 1))
    touchdown = np.maximum.accumulate(np.where(begins, frames, 0))
    ground = position_world[..., [0, 2]]
    distance = np.linalg.norm(ground - np.take_along_axis(ground, touchdown[..., None], axis=0), axis=-1)
    distance, down, begins = (np.moveaxis(x, 0, -1) for x in (distance, down, begins))  # frames of a foot in a row
    farthest = 100 * np.maximum.reduceat(distance[down], np.flatnonzero(begins[down]))
    return StanceSlip(float(farthest.mean()), float(farthest.max()))


def leg_activity(rotations: Floats, frame_rate: float) -> Floats:
    """How much each leg joint `(J,)` turns, in degrees a frame (MANN section 9, Table 3: leg stiffness).

    The mean geodesic angle between the *local* `rotations (T, J, 4)` of one frame and the next, at 60 frames a second.
    Select the joints of the legs first; the paper's figure is the mean over them. Fewer degrees are stiffer legs.
    """
    if len(rotations) < 2:
        return np.full(rotations.shape[1], np.nan)
    steps = rot.difference(rotations[:-1], rotations[1:])
    result: Floats = np.degrees(np.mean(steps, axis=0)) * frame_rate / REFERENCE_RATE
    return result


class Penetration(NamedTuple):
    """Depth below the ground in cm: the mean over all frames and joints, and the deepest."""

    mean: float
    max: float


def ground_penetration(position_world: Floats, ground: ArrayLike = 0.0) -> Penetration:
    """How deep joints `(T, J, 3)` sink below `ground` (a number, `(J,)` or `(T, J)`); above it counts as zero."""
    depth = np.maximum(np.asarray(ground) - position_world[..., 1], 0) * 100
    return Penetration(float(np.mean(depth)), float(np.max(depth))) if depth.size else Penetration(np.nan, np.nan)


def jerk(position_world: Floats, frame_rate: float) -> Floats:
    """The mean size `(J,)` of the third derivative of positions `(T, J, 3)`, in m/s³, by third differences."""
    if len(position_world) < 4:
        return np.full(position_world.shape[1], np.nan)
    third = np.diff(position_world.astype(np.float64), n=3, axis=0) * frame_rate**3
    result: Floats = np.mean(np.linalg.norm(third, axis=-1), axis=0)
    return result


class LoopGap(NamedTuple):
    """What keeps a loop from closing: the largest joint gap in cm and the largest local turn in degrees."""

    position: float
    angle: float


def loop_closure(
    motion: Motion, travel: bool = True, track: Track | None = None, joints: Sequence[int] | None = None
) -> LoopGap:
    """How far the last frame of a closed loop is from its first, once the travel on the ground is taken back.

    Positions are compared in the world, rotations joint by joint (locally, so that one joint's gap counts once).
    Travel is as in `loops`: by `track`, or straight along with joint 0; none if `travel` is False. All joints count, if
    none are named.
    """
    if len(motion) < 2:
        return LoopGap(np.nan, np.nan)
    back = (cycle_travel(motion, track) if travel else NO_TRAVEL).inverse().apply(motion[-1:])
    gap = np.linalg.norm(back.position_world[0] - motion.position_world[0], axis=-1)
    turn = rot.difference(back.rotations[0], motion.rotations[0])
    ours = slice(None) if joints is None else list(joints)
    return LoopGap(float(np.max(gap[ours])) * 100, float(np.degrees(np.max(turn[ours]))))


class PathDeviation(NamedTuple):
    """Distance in cm and angle in degrees from a path, `(T,)` each; both are at least 0."""

    position: Floats
    angle: Floats


def path_deviation(position: Floats, yaw: ArrayLike, path: ArrayLike, closed: bool = False) -> PathDeviation:
    """How far ground positions `(T, 2)` or `(T, 3)` facing `yaw (T,)` are from a polyline (MANN section 9, Table 4).

    `path (P, 2)` holds x and z, or `(P, 3)` places of which height does not count, in walking order. The distance is
    that to the nearest point of the path, the angle that between the facing and the direction of the path there. The
    paper prints means over a walk; it does not say how it matches places on the path, so compare within one tool.
    """
    place, corners = _level(position), _level(path)
    if closed:
        corners = np.concatenate([corners, corners[:1]])
    legs = np.diff(corners, axis=0)
    length = np.sum(legs**2, axis=-1)
    if not np.any(length > 0):
        raise ValueError("a path needs two different points")
    start, legs, length = corners[:-1][length > 0], legs[length > 0], length[length > 0]
    along = np.clip(np.sum((place[:, None] - start) * legs, axis=-1) / length, 0, 1)
    distance = np.linalg.norm(place[:, None] - (start + along[..., None] * legs), axis=-1)
    nearest = np.argmin(distance, axis=-1)
    heading = np.arctan2(legs[nearest, 0], legs[nearest, 1])
    turn = np.asarray(yaw, np.float64) - heading
    angle = np.abs(turn - 2 * np.pi * np.round(turn / (2 * np.pi)))
    return PathDeviation(distance[np.arange(len(place)), nearest] * 100, np.degrees(angle))


def _level(points: ArrayLike) -> Floats:
    """x and z of points with or without a height."""
    array = np.asarray(points, np.float64)
    return array[:, [0, 2]] if array.shape[-1] == 3 else array

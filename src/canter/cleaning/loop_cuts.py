"""Loops in takes: clips that nearly close, and the two frames of a long take between which it closes best."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from canter.anatomy.character import Anatomy, Clip
from canter.anatomy.ground import ground_track
from canter.motion import Motion, velocity
from canter.motion import rotations as rot
from canter.motion.arrays import Floats

STEADY_GAITS = ("walk", "amble", "pace", "trot", "rack", "canter", "gallop", "bound", "pronk", "run", "backward")
MAX_STRIDES = 4
"""The longest loop that is cut."""
LENGTH_TOLERANCE_STRIDES = 0.15
"""By how much the length of a loop may differ from whole strides."""
MIN_TRAVEL_SHARE = 0.7
"""A loop has at least this share of the clip's mean speed, so that the animal does not stop in between."""
MAX_GAP_HIP_HEIGHTS = 0.08
"""The largest mean distance of leg joints between last and first pose that closing a loop may spread over the cycle."""
TURN_WEIGHT_HIP_HEIGHTS = 0.3
"""The gap that a turn of one radian over the loop counts as: straight loops are preferred."""


def nearly_loops(clip: Clip, anatomy: Anatomy) -> bool:
    """Whether a travelling clip is whole strides long and its last pose is nearly its first."""
    stride = clip.footfalls.stride_seconds * clip.motion.frame_rate
    if clip.footfalls.gait not in STEADY_GAITS or not np.isfinite(stride) or len(clip.motion) < 4:
        return False
    strides = (len(clip.motion) - 1) / stride
    if round(strides) < 1 or abs(strides - round(strides)) > LENGTH_TOLERANCE_STRIDES:
        return False
    poses, _, _ = seen_from_body(clip.motion, anatomy)
    return float(np.linalg.norm(poses[-1] - poses[0], axis=-1).mean()) < MAX_GAP_HIP_HEIGHTS * anatomy.hip_height


def loop_cut(clip: Clip, anatomy: Anatomy) -> tuple[int, int] | None:
    """First and last frame of the best loop of one to four strides, or None where there is no steady stride."""
    stride = clip.footfalls.stride_seconds * clip.motion.frame_rate
    if clip.footfalls.gait not in STEADY_GAITS or not np.isfinite(stride) or len(clip.motion) < 1.2 * stride:
        return None
    poses, places, facings = seen_from_body(clip.motion, anatomy)
    pace = clip.footfalls.speed / clip.motion.frame_rate
    best: tuple[float, int, int] | None = None
    for length in _lengths(stride, len(poses)):
        gaps = np.linalg.norm(poses[length:] - poses[:-length], axis=-1).mean(axis=-1)
        turns = np.abs(facings[length:] - facings[:-length]) * TURN_WEIGHT_HIP_HEIGHTS * anatomy.hip_height
        travel = np.linalg.norm(places[length:] - places[:-length], axis=-1)
        cost = np.where(travel > MIN_TRAVEL_SHARE * pace * length, gaps + turns, np.inf)
        first = int(np.argmin(cost))
        if np.isfinite(cost[first]) and (best is None or cost[first] < best[0]):
            best = (float(cost[first]), first, first + length)
    return None if best is None else best[1:]


def _lengths(stride: float, frames: int) -> list[int]:
    """Loop lengths in frames that come near whole strides."""
    least, most = (np.arange(1, MAX_STRIDES + 1) + sign * LENGTH_TOLERANCE_STRIDES for sign in (-1, 1))
    spans = (range(int(np.ceil(a * stride)), int(b * stride) + 1) for a, b in zip(least, most, strict=True))
    return [length for span in spans for length in span if 3 < length < frames]


def seen_from_body(
    motion: Motion, anatomy: Anatomy, joints: Sequence[int] | None = None
) -> tuple[Floats, Floats, Floats]:
    """Joints, of the legs if none are named, and a tenth of a second of their velocities in the frame of the ground
    track, and the track itself."""
    track = ground_track(motion, anatomy)
    joints = sorted({joint for leg in anatomy.legs for joint in leg.joints}) if joints is None else joints
    place = np.insert(track.positions, 1, 0.0, axis=1)
    seen = rot.rotate(rot.yaw(-track.facings)[:, None], motion.position_world[:, joints] - place[:, None])
    return np.concatenate([seen, 0.1 * velocity(seen, motion.frame_rate)], axis=1), track.positions, track.facings

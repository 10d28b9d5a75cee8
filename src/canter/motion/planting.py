"""Foot planting: feet keep their place while they are in contact, legs follow by inverse kinematics, and the body sinks
smoothly where a leg is too short for the place that its foot keeps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from canter.motion.arrays import ArrayLike, Bools, Floats
from canter.motion.edits import transform
from canter.motion.feet import Height, foot_targets
from canter.motion.inverse import leg_flexion, solve_leg
from canter.motion.loops import Track, cycle_travel, loop
from canter.motion.skeleton import Motion

NEARLY_STRAIGHT = 0.999
"""The body sinks until standing legs are at most this share of their length: bending is singular at a straight leg."""


def plant_feet(
    motion: Motion,
    chains: Sequence[Sequence[int]],
    contacts: ArrayLike,
    *,
    heights: Height | Sequence[Height] = "median",
    ease_seconds: float = 0.1,
    foot_rotation: Literal["follow", "keep_world"] = "keep_world",
    max_extension: float = 1.0,
    max_drop: float = 0.0,
    drop_seconds: float = 0.12,
    periodic: bool = False,
    track: Track | None = None,
) -> Motion:
    """`motion` whose feet stand still while `contacts (T, L)` is true; `chains` are the L legs, hip first, foot last.

    `heights` (one, or one for each leg) are those of standing feet, see `foot_targets`; feet return to their own path
    within `ease_seconds`. A leg gets at most `max_extension` of its length long, unless it was longer before. Where a
    standing leg would have to be longer, the body sinks by up to `max_drop` metres, smoothed over
    `drop_seconds` to either side; what is still out of reach is missed, so measure `metrics.stance_slip` afterwards.

    Frames that need no change stay exactly as they are. `periodic` treats the motion as a closed loop (see `loops`;
    `track` gives its travel), so that a contact may run over the seam and the result still closes.
    """
    down = np.asarray(contacts, bool)
    if down.shape != (len(motion), len(chains)):
        raise ValueError(f"{len(motion)} frames and {len(chains)} legs need contacts of that shape, not {down.shape}")
    if periodic and len(motion) > 1:
        steps = len(motion) - 1
        planted = plant_feet(
            loop(motion, 3, track=track),
            chains,
            np.concatenate([down[:-1], down[:-1], down]),
            heights=heights,
            ease_seconds=ease_seconds,
            foot_rotation=foot_rotation,
            max_extension=max_extension,
            max_drop=max_drop,
            drop_seconds=drop_seconds,
        )
        return cycle_travel(motion, track).inverse().apply(planted[steps : 2 * steps + 1])
    feet = motion.position_world[:, [chain[-1] for chain in chains]]
    targets = foot_targets(feet, down, motion.frame_rate, ease_seconds, heights)
    if max_drop > 0:
        need = np.minimum(body_drop(motion, chains, targets, down, min(max_extension, NEARLY_STRAIGHT)), max_drop)
        drop = smoothed_above(need, max(1, round(drop_seconds * motion.frame_rate)))
        motion = transform(motion, translation=drop[:, None] * np.array([0.0, -1.0, 0.0]))
    return solve_legs(motion, chains, targets, foot_rotation=foot_rotation, max_extension=max_extension)


def body_drop(
    motion: Motion, chains: Sequence[Sequence[int]], targets: Floats, contacts: Bools, max_extension: float
) -> Floats:
    """Metres `(T,)` by which the hips are too high for standing feet to reach `targets (T, L, 3)`; at least 0.

    A leg is `max_extension` of its length long at most. A target that is farther off sideways than that is ignored.
    """
    need = np.zeros(len(motion))
    for leg, chain in enumerate(chains):
        points = motion.position_world[:, chain]
        longest = max_extension * float(np.median(np.linalg.norm(np.diff(points, axis=1), axis=-1).sum(axis=1)))
        way = points[:, 0] - targets[:, leg]
        flat = np.hypot(way[:, 0], way[:, 2])
        lack = way[:, 1] - np.sqrt(np.maximum(longest**2 - flat**2, 0.0))
        need = np.maximum(need, np.where(contacts[:, leg] & (flat < longest), lack, 0.0))
    return need


def smoothed_above(x: Floats, reach: int) -> Floats:
    """A curve without corners that is nowhere below `x (T,)`: the largest value within `reach` frames to either side,
    then the mean over as many, weighted by a Hann window."""
    if not x.any():
        return x
    padded = np.pad(x, 2 * reach, mode="edge")
    highest = np.lib.stride_tricks.sliding_window_view(padded, 2 * reach + 1).max(axis=1)
    window = np.hanning(2 * reach + 3)[1:-1]
    result: Floats = np.convolve(highest, window / window.sum(), mode="valid")
    return result


def solve_legs(
    motion: Motion,
    chains: Sequence[Sequence[int]],
    targets: Floats,
    *,
    foot_rotation: Literal["follow", "keep_world"] = "keep_world",
    max_extension: float = 1.0,
) -> Motion:
    """`motion` whose legs bring their feet to `targets (T, L, 3)`; frames that are right already stay as they are."""
    positions, rotations = motion.positions.copy(), motion.rotations.copy()
    for leg, chain in enumerate(chains):
        away = np.abs(targets[:, leg] - motion.position_world[:, chain[-1]])
        frames = np.flatnonzero(np.any(away > 1e-12, axis=-1))
        if len(frames) == 0:
            continue
        solved = solve_leg(
            motion.skeleton,
            positions[frames],
            rotations[frames],
            chain,
            targets[frames, leg],
            foot_rotation=foot_rotation,
            flexion=leg_flexion(motion.skeleton, motion.positions, motion.rotations, chain),
            reach=max_extension,
        )
        positions[frames], rotations[frames] = solved.positions, solved.rotations
    return replace(motion, positions=positions, rotations=rotations)

"""Foot locking: during a contact a foot stands still in one place, and it is let go again without a jerk.

The place is the one that moves the foot least, the median over the contact. What a foot was moved by at touchdown
and lift-off fades out over a few frames with level and slope kept (cubic Hermite); the legs follow by `inverse`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from canter.motion.arrays import ArrayLike, Bools, Floats
from canter.motion.inverse import leg_flexion, solve_leg
from canter.motion.loops import Track, cycle_travel, loop
from canter.motion.skeleton import Motion

Height = float | Literal["median", "keep"]


def stances(contacts: ArrayLike) -> list[tuple[int, int]]:
    """The contacts `(T,)` of one foot as runs of frames: first, and one past the last."""
    down = np.concatenate([[False], np.asarray(contacts, bool), [False]])
    edges = np.flatnonzero(down[1:] != down[:-1])
    return [(int(first), int(stop)) for first, stop in edges.reshape(-1, 2)]


def foot_targets(
    position_world: Floats, contacts: ArrayLike, frame_rate: float, ease_seconds: float = 0.1, height: Height = "median"
) -> Floats:
    """Where feet `(T, L, 3)` should be, given `contacts (T, L)`: still while down, eased outside.

    `height` is that of the median, a number for the ground under all feet, or "keep" to lock only what is level and
    let a foot roll or sink as it did.
    """
    down = np.asarray(contacts, bool)
    if down.shape != position_world.shape[:-1]:
        raise ValueError(f"contacts {down.shape} do not fit feet {position_world.shape}; (T, L) and (T, L, 3) would")
    target = position_world.astype(np.float64)
    for foot in range(down.shape[1]):
        target[:, foot] += _offsets(target[:, foot].copy(), down[:, foot], ease_seconds * frame_rate, height)
    return target


def _offsets(position: Floats, down: Bools, ease: float, height: Height) -> Floats:
    """By how much one foot `(T, 3)` is moved."""
    offsets = np.zeros_like(position)
    runs = stances(down)
    for first, stop in runs:
        place = np.median(position[first:stop], axis=0)
        if not isinstance(height, str):
            place[1] = height
        offsets[first:stop] = place - position[first:stop]
        if height == "keep":
            offsets[first:stop, 1] = 0
    eased = offsets.copy()
    ends = [-np.inf, *(stop - 1 for _, stop in runs)]  # the last frame of each contact before a run
    starts = [*(first for first, _ in runs), np.inf]
    for run, (first, stop) in enumerate(runs):
        earlier, later = ends[run], starts[run + 1]
        inside = offsets[first:stop]
        tail = _tail(inside, min(ease, later - stop + 1))
        eased[stop : stop + len(tail)] += tail[: len(position) - stop]
        lead = _tail(inside[::-1], min(ease, first - earlier))[:first]
        eased[first - len(lead) : first] += lead[::-1]
    return eased


def _tail(inside: Floats, ease: float) -> Floats:
    """The offsets after a run `(n, 3)` of them, from its last value and slope down to nothing in `ease` frames."""
    slope = inside[-1] - inside[-2] if len(inside) > 1 else np.zeros(3)
    t = (np.arange(1, np.ceil(ease)) / max(ease, 1e-9))[:, None]
    result: Floats = (2 * t**3 - 3 * t**2 + 1) * inside[-1] + (t**3 - 2 * t**2 + t) * ease * slope
    return result


def lock_feet(
    motion: Motion,
    chains: Sequence[Sequence[int]],
    contacts: ArrayLike,
    *,
    ease_seconds: float = 0.1,
    height: Height = "median",
    foot_rotation: Literal["follow", "keep_world"] = "keep_world",
    reach: float = 1.0,
    periodic: bool = False,
    track: Track | None = None,
) -> Motion:
    """`motion` whose feet stand still while `contacts (T, L)` says so; `chains` are the L legs, hip first, foot last.

    Frames that need no change stay exactly as they are. A place out of a leg's reach is approached as far as it goes,
    so measure `metrics.stance_slip` afterwards. `periodic` treats the motion as a closed loop (see `loops`; `track`
    gives its travel), so that a contact may run over the seam and the result still closes.
    """
    down = np.asarray(contacts, bool)
    if down.shape != (len(motion), len(chains)):
        raise ValueError(f"{len(motion)} frames and {len(chains)} legs need contacts of that shape, not {down.shape}")
    if periodic and len(motion) > 1:
        steps = len(motion) - 1
        tripled = loop(motion, 3, track=track)
        around = np.concatenate([down[:-1], down[:-1], down])
        locked = lock_feet(
            tripled, chains, around, ease_seconds=ease_seconds, height=height, foot_rotation=foot_rotation, reach=reach
        )
        return cycle_travel(motion, track).inverse().apply(locked[steps : 2 * steps + 1])
    feet = motion.position_world[:, [chain[-1] for chain in chains]]
    targets = foot_targets(feet, down, motion.frame_rate, ease_seconds, height)
    positions, rotations = motion.positions.copy(), motion.rotations.copy()
    for leg, chain in enumerate(chains):
        frames = np.flatnonzero(np.any(np.abs(targets[:, leg] - feet[:, leg]) > 1e-12, axis=-1))
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
            reach=reach,
        )
        positions[frames], rotations[frames] = solved.positions, solved.rotations
    return replace(motion, positions=positions, rotations=rotations)

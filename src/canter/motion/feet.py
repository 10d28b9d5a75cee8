"""Where feet should be: still in one place during a contact, and eased back to their own path around it.

The place is the one that moves the foot least, the median over the contact. What a foot was moved by at touchdown
and lift-off fades out over a few frames with value and slope kept (cubic Hermite).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from canter.motion.arrays import ArrayLike, Bools, Floats

Height = float | Literal["median", "keep"]
"""The height of a standing foot: metres, the median over its contact, or as it is in each frame."""


def stances(contacts: ArrayLike) -> list[tuple[int, int]]:
    """The contacts `(T,)` of one foot as runs of frames: first, and one past the last."""
    down = np.concatenate([[False], np.asarray(contacts, bool), [False]])
    edges = np.flatnonzero(down[1:] != down[:-1])
    return [(int(first), int(stop)) for first, stop in edges.reshape(-1, 2)]


def foot_targets(
    position_world: Floats,
    contacts: ArrayLike,
    frame_rate: float,
    ease_seconds: float = 0.1,
    heights: Height | Sequence[Height] = "median",
) -> Floats:
    """Where feet `(T, L, 3)` should be, given `contacts (T, L)`: still while down, eased outside.

    `heights` is one for all feet or one for each; "keep" locks only the horizontal place, so that a foot rolls or
    sinks as it did.
    """
    down = np.asarray(contacts, bool)
    if down.shape != position_world.shape[:-1]:
        raise ValueError(f"contacts {down.shape} do not fit feet {position_world.shape}; (T, L) and (T, L, 3) would")
    each = [heights] * down.shape[1] if isinstance(heights, str | int | float) else heights
    target = position_world.astype(np.float64)
    for foot, height in zip(range(down.shape[1]), each, strict=True):
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
    """The offsets after a run `(n, 3)` of them: from its last value and slope to zero within `ease` frames."""
    slope = inside[-1] - inside[-2] if len(inside) > 1 else np.zeros(3)
    t = (np.arange(1, np.ceil(ease)) / max(ease, 1e-9))[:, None]
    result: Floats = (2 * t**3 - 3 * t**2 + 1) * inside[-1] + (t**3 - 2 * t**2 + t) * ease * slope
    return result

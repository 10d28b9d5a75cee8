"""Whether a clip is a loop, where its moving part begins and ends, and how many strides it holds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from canter.motion.arrays import Floats

MAX_FRAMES = 1200
"""Frames of a clip, from its start, in which `cut_cycle` looks for a cycle."""


@dataclass(frozen=True)
class Span:
    """The moving part of a clip, frames `start` to `end` (exclusive); `period` in frames if it closes on itself."""

    start: int
    end: int
    period: int | None


def find_span(feet: Floats) -> Span:
    """From foot paths relative to the travelling body `(T, L, 3)`; a bind pose as first frame is left out."""
    start, end = _moving_part(feet)
    for first in (start, start + 1):
        if period := _period(feet[first:end]):
            return Span(first, end, period)
    return Span(start, end, None)


def cut_cycle(feet: Floats) -> Span | None:
    """The shortest stretch of a clip that shows the whole sweep of the feet and ends where it began, if any."""
    feet = feet[:MAX_FRAMES]
    extent = float(np.linalg.norm(np.ptp(feet, axis=0), axis=-1).mean())
    if len(feet) < 8 or extent <= 0:
        return None
    states = np.concatenate([feet, np.gradient(feet, axis=0) * len(feet) / 8], axis=-1).reshape(len(feet), -1)
    best: tuple[float, Span] | None = None
    for length in range(6, len(feet) - 1):
        gaps = np.linalg.norm(feet[length:] - feet[:-length], axis=-1).mean(axis=1)
        start = int(np.argmin(np.linalg.norm(states[length:] - states[:-length], axis=-1) + gaps))
        swept = float(np.linalg.norm(np.ptp(feet[start : start + length], axis=0), axis=-1).mean())
        if gaps[start] < 0.12 * extent and swept > 0.9 * extent:
            cost = gaps[start] / extent + 0.1 * length / len(feet)
            if best is None or cost < best[0]:
                best = cost, Span(start, start + length + 1, length)
    return best[1] if best else None


def _moving_part(feet: Floats) -> tuple[int, int]:
    """Without a frozen beginning or end of more than 12 % of the clip; noise does not count as moving."""
    steps = np.linalg.norm(np.diff(feet, axis=0), axis=-1).mean(axis=1)
    if len(steps) < 6 or steps.max() <= 0:
        return 0, len(feet)
    moving = np.flatnonzero(steps > 0.25 * np.percentile(steps, 95))
    first, last = int(moving[0]), int(moving[-1]) + 1
    start = first if first > 0.12 * len(steps) else 0
    end = last + 1 if len(steps) - last > 0.12 * len(steps) else len(feet)
    return (start, end) if end - start >= 6 else (0, len(feet))


def _period(feet: Floats) -> int | None:
    """Frames in a loop: a closing frame that repeats the first is not counted, a missing one is allowed."""
    if len(feet) < 6:
        return None
    gap = float(np.linalg.norm(feet[-1] - feet[0], axis=-1).mean())
    steps = np.linalg.norm(np.diff(feet, axis=0), axis=-1).mean(axis=1)
    usual = float(np.percentile(steps, 85))
    extent = float(np.linalg.norm(np.ptp(feet, axis=0), axis=-1).mean())
    if usual <= 0 or extent <= 0:
        return None
    if gap < 0.2 * usual:
        return len(feet) - 1
    beside = float(steps[[0, -1]].mean())
    if (gap > 2.2 * usual and gap > 0.3 * extent) or not _continues(feet, usual):
        return None
    two_missing = 1.6 * usual < gap < 2.6 * usual and abs(gap / 2 - beside) < 0.6 * abs(gap - beside)
    return len(feet) + 1 if two_missing else len(feet)


def _continues(feet: Floats, usual: float) -> bool:
    """Whether the feet continue over the seam: by the step that is expected there, or at least in its direction."""
    seam, before, after = feet[0] - feet[-1], feet[-1] - feet[-2], feet[1] - feet[0]
    expected = (before + after) / 2
    if min(float(np.linalg.norm(seam - k * expected, axis=-1).mean()) for k in (1, 2)) < 1.2 * usual:
        return True
    extent = float(np.linalg.norm(np.ptp(feet, axis=0), axis=-1).mean())
    alike = float(np.sum(before * after)) > 0.5 * float(np.linalg.norm(before) * np.linalg.norm(after))
    return alike and float(np.linalg.norm(seam, axis=-1).mean()) < 0.15 * extent


def strides_in(ahead: Floats) -> int:
    """How many strides a loop holds: the strongest harmonic of the fore-aft paths `(N, L)` of the feet."""
    spectrum = np.abs(np.fft.rfft(ahead - ahead.mean(axis=0), axis=0)).sum(axis=1)
    return int(np.argmax(spectrum[1:]) + 1) if len(spectrum) > 1 else 1

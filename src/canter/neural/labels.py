"""The weights of labels along a trajectory: what was told, smoothed, and what is told now, from the past alone.

The same in training and at run time, so that a network never sees a label announced before it is told.
"""

from __future__ import annotations

import itertools

import numpy as np

from canter.motion.arrays import Floats, Ints

SMOOTH_SECONDS = 0.12
"""Time constant with which the weight of a label follows what is told."""
AHEAD_SECONDS = 0.15
"""Time constant with which the weights of future samples go from those of now to what is told."""


def smoothing(frame_rate: float) -> float:
    """The share of what is told that a frame adds to the weights."""
    return 1 - float(np.exp(-1 / (SMOOTH_SECONDS * frame_rate)))


def smoothed(label: Ints, count: int, starts: Ints, frame_rate: float) -> Floats:
    """Weights `(T, A)` of `count` labels `(T,)`, clip by clip; a clip begins with what it is told first."""
    from scipy.signal import lfilter

    share = smoothing(frame_rate)
    one = np.eye(count, dtype=np.float32)[label]
    result = np.empty_like(one)
    for a, b in itertools.pairwise(starts):
        result[a:b] = lfilter([share], [1, share - 1], one[a:b], axis=0, zi=(1 - share) * one[a : a + 1])[0]
    return result


def ahead_weights(future: Floats) -> Floats:
    """How much of the weights of now is left at `future (F,)` seconds ahead; the rest is what is told."""
    result: Floats = np.exp(-future / AHEAD_SECONDS)
    return result

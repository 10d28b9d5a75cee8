"""The weights of labels along a trajectory: what was told, smoothed, and what is told now, from the past alone.

The same in training and at run time, so that a network never sees a label announced before it is told.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from canter.motion.arrays import Floats, Ints

LOCOMOTION_NUMBER = 1
"""The number of locomotion among labels: 0 is to idle, actions are 2 and more."""
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


def gait_labels(label: Ints, gait: Ints, first: int) -> Ints:
    """Labels `(...)` in which locomotion is that of a `gait (...)`, counted from 1: the labels of gaits begin at
    `first`. Locomotion in no gait (0) stays what it is, as do rest and actions."""
    return np.where((label == LOCOMOTION_NUMBER) & (gait > 0), first + gait - 1, label)


def gaits_by_speed(speed: Floats, lows: Sequence[float]) -> Ints:
    """The gait of speeds ahead `(...)` in m/s, counted from 1, by the least speed of each from slow to fast; 0 below
    all of them, and backwards."""
    return np.searchsorted(lows, speed, side="right")


def without_gaits(weights: Floats, labels: int) -> Floats:
    """Weights `(N, labels)` of labels without those of gaits, which come after them and count as locomotion."""
    if weights.shape[1] == labels:
        return weights
    result = weights[:, :labels].copy()
    result[:, LOCOMOTION_NUMBER] += weights[:, labels:].sum(axis=1)
    return result


def ahead_weights(future: Floats) -> Floats:
    """How much of the weights of now is left at `future (F,)` seconds ahead; the rest is what is told."""
    result: Floats = np.exp(-future / AHEAD_SECONDS)
    return result

"""Which frames a training starts from: rare things as often as it takes, by label, direction, speed, gait and change.

The gait tells frames in which an animal goes in one that does not suit its speed, which a network must learn to leave.
"""

from __future__ import annotations

import numpy as np

from canter.motion.arrays import Bools, Floats, Ints
from canter.neural.dataset import DataSet

SPEED_BINS = 8
"""Classes of speed, from rest to the fastest."""
CHANGE_SECONDS = 0.5
"""A frame is one of change if the label or the wanted speed changes within so many seconds before or after it, and one
of transition if the gait does."""


class Sampler:
    """Draws starting frames of stretches of `length` frames, with a probability of 1 / sqrt(size of their class)."""

    def __init__(self, dataset: DataSet, length: int, held: bool = False) -> None:
        past = reach(dataset)
        frames = np.arange(len(dataset))
        clip = dataset.clip_of
        inside: Bools = (frames - past >= dataset.starts[clip]) & (frames + length < dataset.starts[clip + 1])
        untaught = np.concatenate([[0], np.cumsum(~np.asarray(dataset.arrays["teaches"]))])
        last = np.minimum(frames + length, len(dataset) - 1)
        inside &= untaught[last + 1] == untaught[np.minimum(frames + 1, len(dataset) - 1)]
        self.frames: Ints = np.flatnonzero(inside & (dataset.held[clip] == held))
        if not len(self.frames):
            kind = "held back" if held else "to learn from"
            raise ValueError(f"no clip {kind} lasts {(past + length + 1) / dataset.frame_rate:.1f} s")
        classes = _classes(dataset)[self.frames]
        counts = np.bincount(classes)
        weights = 1 / np.sqrt(counts[classes])
        self._cumulative: Floats = np.cumsum(weights / weights.sum())

    def draw(self, random: np.random.Generator, count: int) -> Ints:
        """So many starting frames."""
        at = np.searchsorted(self._cumulative, random.random(count))
        return self.frames[np.minimum(at, len(self.frames) - 1)]


def reach(dataset: DataSet) -> int:
    """Frames before now that a trajectory looks at; what lies ahead is planned."""
    return round(-float(dataset.layout.window.times[0]) * dataset.frame_rate)


def _classes(dataset: DataSet) -> Ints:
    label = np.asarray(dataset.arrays["label"]).astype(np.int64)
    velocity = np.asarray(dataset.arrays["velocity"])
    speed = np.abs(velocity)
    goes = speed > 0.2 * dataset.rest_speed
    way = np.where(goes, np.where(velocity.real > np.abs(velocity.imag), 1, np.where(velocity.real < 0, 2, 3)), 0)
    top = max(float(np.percentile(speed, 99.5)), 1e-6)
    rung = np.minimum((SPEED_BINS * speed / top).astype(np.int64), SPEED_BINS - 1)
    wanted = np.asarray(dataset.arrays["wanted_speed"])
    gait = np.asarray(dataset.arrays["gait"])
    width = round(CHANGE_SECONDS * dataset.frame_rate)
    changes = _near((np.diff(label) != 0) | (np.abs(np.diff(wanted)) > 0.02 * top), width)
    transition = _near(np.diff(gait) != 0, width)
    kinds = (label, 1), (way, 4), (rung, SPEED_BINS), (gait, len(dataset.gaits)), (np.where(transition, 2, changes), 3)
    result: Ints = np.zeros(len(label), np.int64)
    for number, count in kinds:
        result = result * count + number
    return result


def _near(edges: Bools, width: int) -> Bools:
    """The frames `(T,)` at most `width` frames before or after one of the `edges (T - 1,)` between two frames."""
    count = np.concatenate([[0], np.cumsum(np.concatenate([[0], edges]))])
    frames = np.arange(len(edges) + 1)
    low, high = np.maximum(frames - width, 0), np.minimum(frames + width + 1, len(frames))
    result: Bools = count[high] > count[low]
    return result

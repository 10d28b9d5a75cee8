"""How an animal gets up: the track that it takes, after an action in which it was held, until it can be steered again.

A steering that plans to go at once asks an animal that lies to run as it lies. The data show how long it rises, and how
far it moves meanwhile; a network is shown the same way ahead, and after it what is planned.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from canter.motion.arrays import Complexes, Floats, Ints
from canter.neural.dataset import DataSet

MIN_TIMES = 3
"""How often an action must be left in the data before the way out of it is believed."""
QUICK = 25
"""The percentile of the times in which an action is left that its way out takes: who has only just entered an action
ends that first, and takes longer."""


def measure_leaving(dataset: DataSet) -> dict[str, Complexes]:
    """The median track `(T,)` of every held action after it is told no longer, frame by frame from where it was, as
    the animal faced: ahead is real, left is imaginary. Actions that end when they are told no longer have none."""
    label, gait = np.asarray(dataset.arrays["label"]), np.asarray(dataset.arrays["gait"])
    place, yaw = np.asarray(dataset.arrays["place"]), np.asarray(dataset.arrays["yaw"])
    clip, found = dataset.clip_of, {}
    for number, name in enumerate(dataset.layout.labels):
        if number < 2 or name in dataset.jumps or name not in dataset.gaits:
            continue
        left = (label[1:] < 2) & (label[:-1] == number) & (clip[1:] == clip[:-1])
        over = np.append((gait[1:] != dataset.gaits.index(name)) | (label[1:] > 1) | (clip[1:] != clip[:-1]), True)
        ends = np.flatnonzero(over)  # last frames that show the action
        firsts = np.flatnonzero(left) + 1
        lengths = ends[np.searchsorted(ends, firsts)] - firsts + 1
        if len(firsts) < MIN_TIMES or (size := int(np.percentile(lengths, QUICK))) < 2:
            continue
        rows = firsts[lengths >= size][:, None] + np.arange(size)
        tracks = (place[rows] - place[rows[:, :1]]) * np.exp(-1j * yaw[rows[:, :1]])
        found[name] = np.median(tracks.real, axis=0) + 1j * np.median(tracks.imag, axis=0)
    return found


class WaysOut:
    """The ways out of held actions as tables, by the number of a label; those without one have no `frames`."""

    def __init__(self, leaving: Mapping[str, Complexes], labels: Sequence[str]) -> None:
        self.frames: Ints = np.array([len(leaving.get(name, " ")) - 1 for name in labels])
        rows = np.minimum(np.arange(self.frames.max() + 1), self.frames[:, None])
        still = np.zeros(1, complex)
        self._tracks = np.array([leaving.get(name, still)[row] for name, row in zip(labels, rows, strict=True)])

    def at(self, label: Ints, frame: Ints) -> Complexes:
        """Places `(...)` on the ways out of labels `(...)` after so many frames `(...)`."""
        result: Complexes = self._tracks[label, np.minimum(frame, self.frames[label])]
        return result


def delayed(plan: Complexes, times: Floats, seconds: Floats) -> Complexes:
    """Samples `(3, F, N)` of places, directions and velocities at `times (F,)` from now, as if all that is planned
    began `seconds (N,)` later, from a stand."""
    late = np.maximum(times[:, None] - seconds, 0.0)
    low = np.clip(np.searchsorted(times, late, side="right") - 1, 0, len(times) - 2)
    share = (late - times[low]) / (times[low + 1] - times[low])
    still = plan.copy()
    still[2, 0] = 0.0
    before, after = (np.take_along_axis(still, rows[None], axis=1) for rows in (low, low + 1))
    result: Complexes = before + share * (after - before)
    result[1] /= np.abs(result[1])
    return result

"""How an animal gets up: the track that it takes, after an action in which it was held, until it can be steered again.

A steering that plans to go at once asks an animal that lies to run as it lies. The data show how long it rises, and how
far it moves meanwhile; a network is shown the same way ahead, and after it what is planned.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from canter.motion.arrays import Bools, Complexes, Floats, Ints
from canter.motion.numbers import some
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


class GettingUp:
    """Which held action each of N animals is leaving, by its label (0 is none), and how many frames of the way out are
    past; and since which frame its label is told. Labels from 2 on are actions, and from `first_gait` on gaits; `times
    (F,)` are the seconds ahead that are planned."""

    def __init__(self, ways: WaysOut, first_gait: int, times: Floats, frame_rate: float, count: int) -> None:
        self._ways, self._first_gait, self._times, self._frame_rate = ways, first_gait, times, frame_rate
        self._ahead: Ints = np.rint(times * frame_rate).astype(np.int64)[:, None]
        self._frame = 0
        self.label, self._past, self._told_since = np.zeros((3, count), np.int64)

    def reset(self, who: Bools) -> None:
        """The animals of the mask `who (N,)` leave no action."""
        self.label, self._past = (np.where(who, 0, x) for x in (self.label, self._past))
        self._told_since = np.where(who, self._frame, self._told_since)

    def tell(self, label: Ints, before: Ints) -> None:
        """Begins and ends ways out of actions, told `before (N,)`; who was hardly told one is soon out of it."""
        changed = label != before
        if some(changed) or some(self.label):
            frames = self._ways.frames
            acts = (label > 1) & (label < self._first_gait)
            begins = changed & ~acts & (frames[before] > 0)
            self.label = np.where(begins, before, self.label)
            told_for = self._frame - self._told_since
            self._past = np.where(begins, np.maximum(frames[before] - told_for, 0), self._past + 1)
            self.label = np.where(acts | (self._past >= frames[self.label]), 0, self.label)
            self._told_since = np.where(changed, self._frame, self._told_since)
        self._frame += 1

    def planned(self, plan: Complexes, direction: Complexes) -> Complexes:
        """Samples `(3, F, N)` of places, directions and velocities that were planned, in which who gets up, facing
        `direction (N,)`, goes the way of the data first."""
        ways, label = self._ways, self.label
        late = delayed(plan, self._times, (ways.frames[label] - self._past) / self._frame_rate)
        then = self._past + self._ahead
        label = np.broadcast_to(label, then.shape)
        here = ways.at(label, then)
        late[0] += (here - here[0]) * direction
        late[2] += (ways.at(label, then + 1) - here) * self._frame_rate * direction
        late[2, 0] = plan[2, 0]
        return np.where(self.label > 0, late, plan)


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

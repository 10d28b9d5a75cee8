"""A watch on a network: poses that have left the data far behind are eased back to it.

Run on its own output, a network may come to a pose that it has never seen, and from there to anywhere. Some poses of
the data go with it; where all of them are much farther away than they are from any other pose of the data, the pose is
pulled towards the nearest one, frame by frame, until it is near again (as Holden et al. 2020 project onto their data).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from canter.motion.arrays import Bools, Floats, Ints
from canter.motion.numbers import some
from canter.neural.dataset import DataSet
from canter.neural.features import placed_by_kinematics
from canter.neural.layout import Body

REFERENCES = 128
"""Poses of the data that go with a network."""
SEEN_FRAMES = 8000
"""Frames of the data that they are chosen from, and that are looked at together."""
FAR = 2.0
"""How many times as far from the nearest reference as any pose of the data a pose is that has left the data."""
PULL_SECONDS = 0.1
"""Time constant with which such a pose is pulled back."""


@dataclass(frozen=True, eq=False)
class Watch:
    """Poses of the data, `joints (R, 12 J)`, and the root mean square distance of joints in metres beyond which a pose
    has left them."""

    joints: Floats
    limit: float

    def eased(self, joints: Floats, body: Body, dt: float) -> tuple[Floats, Bools]:
        """Joints `(N, 12 J)`, or more columns that stay as they are, and which of them had to be eased back `(N,)`."""
        broken: Bools = ~np.isfinite(np.add.reduce(joints, axis=1))
        if some(broken):
            joints = np.where(broken[:, None], 0.0, joints)
        near, distance = nearest(joints[:, : 3 * len(body)], self.joints[:, : 3 * len(body)])
        lost: Bools = broken | (distance > self.limit)
        if not some(lost):
            return joints, lost
        share = np.where(broken, 1.0, 1 - np.exp(-dt / PULL_SECONDS))[lost, None]
        size, result = 12 * len(body), joints.copy()
        pulled = joints[lost, :size] + share * (self.joints[near[lost]] - joints[lost, :size])
        result[lost, :size] = placed_by_kinematics(pulled, body)
        return result, lost


class Watcher:
    """A watch on N animals, frame by frame: the same as `Watch.eased`, but it looks at a pose only when it has to.

    A pose that has moved by less than it was within the limit when it was last looked at cannot have left the data, by
    the triangle inequality. An animal is looked at some four times a second.
    """

    def __init__(self, watch: Watch, body: Body, dt: float, count: int) -> None:
        self._watch, self._body, self._dt, self._size = watch, body, dt, 3 * len(body)
        self._nobody: Bools = np.zeros(count, bool)
        self._seen: Floats = np.zeros((count, self._size), np.float32)
        self._room: Floats = np.full(count, -1.0)  # sum of squares by which joints may move until the next look

    def eased(self, joints: Floats) -> tuple[Floats, Bools]:
        """Joints `(N, 12 J)`, or more columns that stay as they are, and which of them had to be eased back `(N,)`."""
        step = joints[:, : self._size] - self._seen
        look = ~((np.add.reduce(step * step, axis=1) < self._room) & np.isfinite(np.add.reduce(joints, axis=1)))
        if not some(look):
            return joints, self._nobody
        result, lost = joints.copy(), self._nobody.copy()
        result[look], lost[look] = self._watch.eased(joints[look], self._body, self._dt)
        self._seen[look] = places = result[look, : self._size]
        room = self._watch.limit - nearest(places, self._watch.joints[:, : self._size])[1]
        self._room[look] = np.where(lost[look] | (room < 0), -1.0, room * room * self._size / 3)
        return result, lost


def nearest(places: Floats, references: Floats) -> tuple[Ints, Floats]:
    """The nearest of `references (R, 3 J)` to each of `places (N, 3 J)`, and its root mean square distance in metres:
    `(N,)` each."""
    square = (places**2).sum(axis=1)[:, None] + (references**2).sum(axis=1) - 2 * places @ references.T
    near = square.argmin(axis=1)
    least = np.maximum(square[np.arange(len(places)), near], 0.0)
    return near, np.sqrt(3 * least / places.shape[1])


def make_watch(dataset: DataSet, seed: int = 0) -> Watch:
    """Poses spread over a data set, each the farthest from those before it, and how far all others are from them."""
    random, size = np.random.default_rng(seed), 3 * len(dataset.layout.body)
    frames = np.sort(random.permutation(len(dataset))[:SEEN_FRAMES])
    joints = dataset.arrays["joints"]
    seen = np.asarray(joints[frames], np.float32)
    places, chosen = seen[:, :size], [0]
    gap = ((places - places[0]) ** 2).sum(axis=1)
    while len(chosen) < min(REFERENCES, len(seen)) and gap.max() > 0:
        chosen.append(int(gap.argmax()))
        gap = np.minimum(gap, ((places - places[chosen[-1]]) ** 2).sum(axis=1))
    starts = range(0, len(dataset), SEEN_FRAMES)
    parts = (np.asarray(joints[k : k + SEEN_FRAMES, :size], np.float32) for k in starts)
    farthest = max(float(nearest(part, places[chosen])[1].max()) for part in parts)
    return Watch(seen[chosen], FAR * farthest)

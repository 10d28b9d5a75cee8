"""A watch on a network: poses that have left the data far behind are eased back to it.

Run on its own output, a network may come to a pose that it has never seen, and from there to anywhere. Some poses of
the data go with it; where all of them are much farther away than they are from any other pose of the data, the pose is
pulled towards the nearest one, frame by frame, until it is near again (as Holden et al. 2020 project onto their data).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from canter.motion.arrays import Bools, Floats, Ints
from canter.motion.numbers import some
from canter.neural.dataset import DataSet
from canter.neural.features import placed_by_kinematics
from canter.neural.layout import Body

REFERENCES = 128
"""Poses of the data that go with a network."""
SEEN_FRAMES = 8000
"""Frames of the data that they are chosen from."""
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

    @cached_property
    def _places(self) -> tuple[Floats, Floats]:
        """Places of joints `(R, 3 J)` in these poses, and the sums of their squares `(R,)`."""
        places = np.ascontiguousarray(self.joints[:, : self.joints.shape[1] // 4])
        return places, (places**2).sum(axis=1)

    def eased(self, joints: Floats, body: Body, dt: float) -> tuple[Floats, Bools]:
        """Joints `(N, 12 J)`, or more columns that stay as they are, and which of them had to be eased back `(N,)`."""
        broken: Bools = ~np.isfinite(np.add.reduce(joints, axis=1))
        if some(broken):
            joints = np.where(broken[:, None], 0.0, joints)
        references, squares = self._places
        near, distance = nearest(joints[:, : 3 * len(body)], references, squares)
        lost: Bools = broken | (distance > self.limit)
        if not some(lost):
            return joints, lost
        share = np.where(broken, 1.0, 1 - np.exp(-dt / PULL_SECONDS))[lost, None]
        size, result = 12 * len(body), joints.copy()
        pulled = joints[lost, :size] + share * (self.joints[near[lost]] - joints[lost, :size])
        result[lost, :size] = placed_by_kinematics(pulled, body)
        return result, lost


def nearest(places: Floats, references: Floats, squares: Floats | None = None) -> tuple[Ints, Floats]:
    """The nearest of `references (R, 3 J)` to each of `places (N, 3 J)`, and its root mean square distance in metres:
    `(N,)` each. `squares (R,)` are the sums of squares of the references, where they are known."""
    gaps = ((references**2).sum(axis=1) if squares is None else squares) - 2 * places @ references.T
    near = gaps.argmin(axis=1)
    least = gaps[np.arange(len(places)), near] + np.add.reduce(places * places, axis=1)
    return near, np.sqrt(3 * np.maximum(least, 0.0) / places.shape[1])


def make_watch(dataset: DataSet, seed: int = 0) -> Watch:
    """Poses spread over a data set, each the farthest from those before it, and how far others are from them."""
    random, size = np.random.default_rng(seed), 3 * len(dataset.layout.body)
    frames = np.sort(random.permutation(len(dataset))[:SEEN_FRAMES])
    seen = np.asarray(dataset.arrays["joints"][frames], np.float32)
    places, chosen = seen[:, :size], [0]
    gap = ((places - places[0]) ** 2).sum(axis=1)
    while len(chosen) < min(REFERENCES, len(seen)) and gap.max() > 0:
        chosen.append(int(gap.argmax()))
        gap = np.minimum(gap, ((places - places[chosen[-1]]) ** 2).sum(axis=1))
    return Watch(seen[chosen], FAR * float(np.sqrt(3 * gap.max() / size)))

"""Motion matching: the next frame is that which follows the best match in the data (Clavet 2016; Holden et al. 2020).

It is a predictor like a network, on the same features: every few frames, and when another label is told, all frames of
the data are compared by one product with where the animal shall go and how its feet move; where the motion goes on
elsewhere, the difference fades out (inertialisation).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from canter.motion.arrays import Bools, Floats, Ints
from canter.neural.dataset import DataSet
from canter.neural.features import placed_by_kinematics, trajectory_features
from canter.neural.labels import ahead_weights, smoothed
from canter.neural.layout import Layout
from canter.neural.model import Contract, Prediction, contract_of

SEARCH_FRAMES = 10
"""Frames between two searches, at 60 a second."""
FADE_SECONDS = 0.12
"""Time constant with which the difference to the motion before fades out."""
LABEL_WEIGHT, WAY_WEIGHT, SPEED_WEIGHT, FEET_WEIGHT = 3.0, 2.0, 1.0, 1.0
"""What labels, the way ahead, the wanted speed and the feet count, in deviations of the data."""
CONTINUE_BONUS = 0.02
"""By which share of its cost a match must be better than simply going on."""
MIN_LEFT_SECONDS = 0.3
"""A match needs so much motion after it."""
EVERY = 2
"""Every so many frames of the data can be a match."""


class MotionMatching:
    """Motion matching of animals `(N,)` over a data set: a `Predictor` that remembers where each of them is."""

    def __init__(self, dataset: DataSet, about: Mapping[str, Any] | None = None) -> None:
        self.contract: Contract = contract_of(dataset, 1, about or {"method": "motion matching"})
        self._dataset, layout = dataset, dataset.layout
        window, rate = layout.window, dataset.frame_rate
        past, future = (round(abs(float(window.times[k])) * rate) for k in (0, -1))
        room = max(future, round(MIN_LEFT_SECONDS * rate)) + 1
        frames = [
            np.arange(a + past, b - room, EVERY) for a, b in zip(dataset.starts, dataset.starts[1:], strict=False)
        ]
        self._candidates: Ints = np.concatenate(frames)
        if not len(self._candidates):
            raise ValueError(f"clips shorter than {(past + room) / rate:.1f} s cannot be matched")
        trajectory = dataset_trajectories(dataset, self._candidates)
        joints = np.asarray(dataset.arrays["joints"][self._candidates])
        self._columns, weights = _matched(layout)
        values = np.concatenate([trajectory, joints], axis=1)[:, self._columns]
        self._scale = (weights / np.maximum(values.std(axis=0), 1e-3)).astype(np.float32)
        self._keys = (values * self._scale).astype(np.float32)
        self._squares = (self._keys**2).sum(axis=1)
        self._fade = float(np.exp(-1 / (FADE_SECONDS * rate)))
        self._last = np.repeat(dataset.starts[1:] - 2, np.diff(dataset.starts))  # the last frame that has a next one
        self._label = layout.trajectory_size - len(layout.labels) + np.arange(len(layout.labels))
        self._frame: Ints = np.zeros(0, np.int64)

    def _begin(self, count: int) -> None:
        self._frame, self._age = np.full(count, -1), np.full(count, SEARCH_FRAMES)
        self._told = np.full(count, -1)
        self._off = np.zeros((count, 12 * len(self._dataset.layout.body)))
        self._off_root, self._root = np.zeros((count, 3)), np.zeros((count, 3))

    def forget(self, who: Bools) -> None:
        """Animals `who (N,)` begin anew: their next frame is searched for."""
        if len(self._frame) != len(who):
            self._begin(len(who))
        self._frame[who], self._age[who], self._told[who] = -1, SEARCH_FRAMES, -1
        self._off[who], self._off_root[who], self._root[who] = 0.0, 0.0, 0.0

    def predict(self, trajectory: Floats, joints: Floats, enabled: Floats) -> Prediction:
        """The next frame of each animal; animals keep their rows from call to call."""
        if len(self._frame) != len(joints):
            self._begin(len(joints))
        told = trajectory[:, self._label].argmax(axis=1)
        ends = self._frame >= self._last[np.maximum(self._frame, 0)]
        seeks = (self._age >= SEARCH_FRAMES) | (told != self._told) | ends | (self._frame < 0)
        if seeks.any():
            self._search(np.flatnonzero(seeks), trajectory, joints, ends)
        self._told, self._age = told, self._age + 1
        self._frame = self._frame + 1
        self._off, self._off_root = self._off * self._fade, self._off_root * self._fade
        arrays = self._dataset.arrays
        found = np.asarray(arrays["joints"][self._frame]).astype(np.float64) + self._off
        self._root = dataset_roots(self._dataset, self._frame - 1) + self._off_root
        placed = placed_by_kinematics(found, self._dataset.layout.body).astype(np.float32)
        contacts = np.asarray(arrays["contacts"][self._frame]).astype(np.float32)
        return Prediction(placed, self._root.astype(np.float32), contacts, np.ones((len(joints), 1), np.float32))

    def _search(self, rows: Ints, trajectory: Floats, joints: Floats, ends: Bools) -> None:
        """Moves the animals of `rows` to their best matches, where these are better than to go on."""
        query = np.concatenate([trajectory[rows], joints[rows]], axis=1)[:, self._columns] * self._scale
        costs = self._squares - 2 * query @ self._keys.T  # the square of the query is the same for all
        best = costs.argmin(axis=1)
        gain = costs[np.arange(len(rows)), best] + (query**2).sum(axis=1)
        now = self._frame[rows]
        here = self._cost_of_going_on(np.maximum(now, 0), query)
        leaves = (now < 0) | ends[rows] | (gain < (1 - CONTINUE_BONUS) * here)
        target = self._candidates[best]
        leaves &= (np.abs(target - now) > SEARCH_FRAMES) | ends[rows] | (now < 0)
        self._age[rows] = 0
        rows, target = rows[leaves], target[leaves]
        if not len(rows):
            return
        arrays = self._dataset.arrays
        was = joints[rows].astype(np.float64)
        self._off[rows] = was - np.asarray(arrays["joints"][target])
        self._off_root[rows] = self._root[rows] - dataset_roots(self._dataset, target)
        self._frame[rows] = target

    def _cost_of_going_on(self, frames: Ints, query: Floats) -> Floats:
        """The cost `(R,)` of the candidates nearest to frames `(R,)`."""
        near = np.clip(np.searchsorted(self._candidates, frames), 0, len(self._candidates) - 1)
        result: Floats = ((query - self._keys[near]) ** 2).sum(axis=1)
        return np.where(np.abs(self._candidates[near] - frames) <= EVERY, result, np.inf)


def _matched(layout: Layout) -> tuple[Ints, Floats]:
    """Columns of the input that are compared, and their weights: where to go and look, wanted speed, labels, feet and
    their velocities."""
    samples, labels, now = len(layout.window.times), len(layout.labels), layout.window.now
    ahead = np.arange(now + 1, samples)
    way = np.concatenate([2 * ahead, 2 * ahead + 1])
    told = 7 * samples + (samples - 1) * labels + np.arange(labels)
    joints, feet = len(layout.body), np.array(layout.body.feet)[:, None]
    places = layout.trajectory_size + (3 * feet + np.arange(3)).ravel()
    groups = [
        (np.concatenate([way, 2 * samples + way]), WAY_WEIGHT),
        (np.array([6 * samples + now]), SPEED_WEIGHT),
        (told, LABEL_WEIGHT),
        (np.concatenate([places, places + 9 * joints]), FEET_WEIGHT),
    ]
    weights = np.concatenate([np.full(len(columns), weight / np.sqrt(len(columns))) for columns, weight in groups])
    return np.concatenate([columns for columns, _ in groups]), weights


def dataset_trajectories(dataset: DataSet, frames: Ints) -> Floats:
    """Trajectory features `(M, K (7 + A))` at frames `(M,)` of the data, as a controller would see them."""
    arrays, window, count = dataset.arrays, dataset.layout.window, len(dataset.layout.labels)
    steps = np.rint(window.times * dataset.frame_rate).astype(np.int64)
    around = frames[:, None] + steps
    place, yaw = np.asarray(arrays["place"]), np.asarray(arrays["yaw"])
    back = np.exp(-1j * yaw[frames])[:, None]
    moving = np.asarray(arrays["velocity"]) * np.exp(1j * yaw)
    label = np.asarray(arrays["label"]).astype(np.int64)
    weights = smoothed(label, count, dataset.starts, dataset.frame_rate)
    told = np.eye(count)[label[frames]][:, None]
    left = ahead_weights(window.future)[:, None]
    ahead = told + left * (weights[frames][:, None] - told)
    labels = np.concatenate([weights[around[:, : window.now + 1]], ahead], axis=1)
    speeds = np.asarray(arrays["wanted_speed"])[frames[:, None] + np.minimum(steps, 0)]
    directions = np.exp(1j * (yaw[around] - yaw[frames][:, None]))
    return trajectory_features(
        (place[around] - place[frames][:, None]) * back, directions, moving[around] * back, speeds, labels
    )


def dataset_roots(dataset: DataSet, frames: Ints) -> Floats:
    """The velocity ahead and to the left and the yaw rate `(M, 3)` from frames `(M,)` to the next ones."""
    place, yaw = dataset.arrays["place"], dataset.arrays["yaw"]
    moved = (np.asarray(place[frames + 1]) - np.asarray(place[frames])).astype(np.complex128)
    moved = moved * np.exp(-1j * np.asarray(yaw[frames]))
    turn = np.asarray(yaw[frames + 1], np.float64) - np.asarray(yaw[frames])
    return np.stack([moved.real, moved.imag, turn], axis=1) * dataset.frame_rate

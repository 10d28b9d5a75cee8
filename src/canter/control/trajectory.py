"""The twelve ground samples of a State: the past remembered, the future predicted. Shared by every controller."""

from __future__ import annotations

import math

import numpy as np

from canter.control.state import NOW, TRAJECTORY_TIMES, Trajectory
from canter.motion.arrays import ArrayLike, Floats

_GRID = 51
"""Moments of the prediction, ten steps to each sample."""


def direction(yaw: ArrayLike) -> Floats:
    """Unit vectors `(..., 3)` on the ground along `yaw (...)`: 0 is +Z, positive turns to the left (+X)."""
    yaw = np.asarray(yaw, np.float64)
    return np.stack([np.sin(yaw), np.zeros_like(yaw), np.cos(yaw)], -1)


def wrap(angle: float) -> float:
    """The same angle within -pi to pi."""
    return math.remainder(angle, math.tau)


def turn_towards(yaw: float, target: float, most: float) -> float:
    """`yaw` turned to `target` by the shorter way, by `most` radians at most."""
    return yaw + min(max(wrap(target - yaw), -most), most)


class Track:
    """Remembers the last second of the ground track, and joins it with a prediction into a Trajectory."""

    def __init__(self, frame_rate: float, place: ArrayLike, facing: float) -> None:
        frames = math.ceil(frame_rate * -TRAJECTORY_TIMES[0]) + 1
        self._frame_rate = frame_rate
        self._places = np.tile(np.asarray(place, np.float64), (frames, 1))
        self._facings = np.full(frames, float(facing))

    def record(self, place: ArrayLike, facing: float) -> None:
        """Adds the frame that is now."""
        self._places[:-1], self._facings[:-1] = self._places[1:], self._facings[1:]
        self._places[-1] = place
        self._facings[-1] = self._facings[-2] + wrap(facing - self._facings[-2])

    def trajectory(self, future_places: Floats, future_facings: Floats, future_velocities: Floats) -> Trajectory:
        """Past samples from memory, those from now on as given: `(6, 3)`, `(6,)`, `(6, 3)`, the first of them now."""
        last = len(self._facings) - 1
        at = np.maximum(last + TRAJECTORY_TIMES[:NOW] * self._frame_rate, 0.0)
        first = np.minimum(at.astype(int), last - 1)
        share = at - first
        before, after = np.maximum(first - 1, 0), np.minimum(first + 2, last)
        past = self._places[first] * (1 - share[:, None]) + self._places[first + 1] * share[:, None]
        facings = self._facings[first] * (1 - share) + self._facings[first + 1] * share
        start = (self._places[first + 1] - self._places[before]) / (first + 1 - before)[:, None]
        end = (self._places[after] - self._places[first]) / (after - first)[:, None]
        velocities = (start * (1 - share[:, None]) + end * share[:, None]) * self._frame_rate
        return Trajectory(
            TRAJECTORY_TIMES,
            np.concatenate([past, future_places]),
            np.concatenate([facings, future_facings]),
            np.concatenate([velocities, future_velocities]),
        )


def predict(place: Floats, yaw: float, speed: float, heading: float, turn_rate: float) -> tuple[Floats, Floats, Floats]:
    """Where an animal that turns to `heading` at a steady rate will be: places, yaws of travel and velocities.

    At the moments of the trajectory from now on: `(6, 3)`, `(6,)`, `(6, 3)`.
    """
    times = TRAJECTORY_TIMES[NOW:]
    grid = np.linspace(0, times[-1], _GRID)
    yaws = yaw + np.clip(wrap(heading - yaw), -turn_rate * grid, turn_rate * grid)
    velocities = speed * direction(yaws)
    steps = (velocities[1:] + velocities[:-1]) / 2 * (grid[1] - grid[0])
    places = place + np.concatenate([np.zeros((1, 3)), np.cumsum(steps, axis=0)])
    chosen = np.rint(times / times[-1] * (_GRID - 1)).astype(int)
    return places[chosen], yaws[chosen], velocities[chosen]

"""The twelve ground samples of a State: the past remembered, the future predicted. Shared by every controller."""

from __future__ import annotations

import cmath
import math

import numpy as np

from canter.control.state import NOW, TRAJECTORY_TIMES, Trajectory
from canter.motion.arrays import ArrayLike, Floats

_FUTURE: Floats = TRAJECTORY_TIMES[NOW:]


def direction(yaw: ArrayLike) -> Floats:
    """Unit vectors `(..., 3)` on the ground along `yaw (...)`: 0 is +Z, positive turns to the left (+X)."""
    yaw = np.asarray(yaw, np.float64)
    result = np.zeros((*yaw.shape, 3))
    result[..., 0], result[..., 2] = np.sin(yaw), np.cos(yaw)
    return result


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
        self._past = np.tile([*np.asarray(place, np.float64), float(facing)], (frames, 1))
        self._mean, self._slope = _readers(frames, frame_rate)

    def record(self, place: ArrayLike, facing: float) -> None:
        """Adds the frame that is now."""
        past, last = self._past, float(self._past[-1, 3])
        past[:-1] = past[1:]
        past[-1, :3], past[-1, 3] = place, last + wrap(facing - last)

    def trajectory(self, future_places: Floats, future_facings: Floats, future_velocities: Floats) -> Trajectory:
        """Past samples from memory, those from now on as given: `(6, 3)`, `(6,)`, `(6, 3)`, the first of them now."""
        past, rates = self._mean @ self._past, self._slope @ self._past
        return Trajectory(
            TRAJECTORY_TIMES,
            np.concatenate([past[:, :3], future_places]),
            np.concatenate([past[:, 3], future_facings]),
            np.concatenate([rates[:, :3], future_velocities]),
        )


def _readers(frames: int, frame_rate: float) -> tuple[Floats, Floats]:
    """What to multiply remembered frames by for the past samples, and for how quickly they change, both
    `(6, frames)`: straight between frames, and between slopes over two of them."""
    last = frames - 1
    at = np.maximum(last + TRAJECTORY_TIMES[:NOW] * frame_rate, 0.0)
    first = np.minimum(at.astype(int), last - 1)
    share = (at - first)[:, None]
    one = np.eye(frames)
    before, after = np.maximum(first - 1, 0), np.minimum(first + 2, last)
    start = (one[first + 1] - one[before]) / (first + 1 - before)[:, None]
    end = (one[after] - one[first]) / (after - first)[:, None]
    mean: Floats = one[first] * (1 - share) + one[first + 1] * share
    slope: Floats = (start * (1 - share) + end * share) * frame_rate
    return mean, slope


def predict(place: Floats, yaw: float, speed: float, heading: float, turn_rate: float) -> tuple[Floats, Floats, Floats]:
    """Where an animal that turns to `heading` at a steady rate will be: places, yaws of travel and velocities.

    At the moments of the trajectory from now on: `(6, 3)`, `(6,)`, `(6, 3)`. It goes along an arc, then straight on.
    """
    off = wrap(heading - yaw)
    turn = math.copysign(turn_rate, off)
    bends = np.minimum(_FUTURE, abs(off) / turn_rate if turn_rate > 0 else 0.0)
    yaws = yaw + turn * bends
    way = speed * np.exp(1j * yaws)  # real ahead (+Z), imaginary left (+X)
    gone = (_FUTURE - bends) * way
    if turn:
        gone = gone + (way - speed * cmath.exp(1j * yaw)) / (1j * turn)
    places, velocities = np.zeros((2, len(gone), 3))
    places[:, 0], places[:, 2] = gone.imag, gone.real
    velocities[:, 0], velocities[:, 2] = way.imag, way.real
    return place + places, yaws, velocities

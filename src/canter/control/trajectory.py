"""The ground samples of a State: a window of times, the past remembered, the future predicted, for N animals."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from canter.control.state import Trajectory
from canter.motion.arrays import ArrayLike, Bools, Complexes, Floats, Ints
from canter.motion.numbers import functions_of


@dataclass(frozen=True, eq=False)
class Window:
    """The moments of a trajectory: `times (K,)` in seconds from now, in order; `now` is the number of the present."""

    times: Floats
    now: int

    @property
    def past(self) -> Floats:
        """The times before now."""
        return self.times[: self.now]

    @property
    def future(self) -> Floats:
        """The times after now."""
        return self.times[self.now + 1 :]


WINDOW = Window(np.arange(-6, 6) / 6.0, 6)
"""Twelve samples: six past, now, and five to come, a sixth of a second apart (MANN, section 5)."""

Prediction = tuple[Complexes, Floats, Complexes]
"""Places `(N, F)`, facings `(N, F)` and world velocities `(N, F)` at the future times of a window."""


def direction(yaw: ArrayLike) -> Floats:
    """Unit vectors `(..., 3)` on the ground along `yaw (...)`: 0 is +Z, positive turns to the left (+X)."""
    yaw = np.asarray(yaw, np.float64)
    result = np.zeros((*yaw.shape, 3))
    result[..., 0], result[..., 2] = np.sin(yaw), np.cos(yaw)
    return result


def on_plane(place: Complexes) -> Floats:
    """Complex places (real ahead, imaginary left) as vectors `(..., 3)` at height zero."""
    result = np.zeros((*place.shape, 3))
    result[..., 0], result[..., 2] = place.imag, place.real
    return result


def wrap(angle: float) -> float:
    """The same angle within -pi to pi."""
    return math.remainder(angle, math.tau)


def wrap_angles(angles: Any) -> Any:
    """The same angles within -pi to pi; of arrays or a number."""
    return angles - math.tau * functions_of(angles).rint(angles / math.tau)


class History:
    """The last frames of the ground tracks of N animals, read at the past times of a window."""

    def __init__(self, count: int, frame_rate: float, window: Window = WINDOW) -> None:
        self.window, self._count = window, count
        frames = math.ceil(frame_rate * -window.times[0]) + 1
        value, slope = _readers(window.past, frames, frame_rate)
        self._columns: Ints = np.flatnonzero((value != 0).any(axis=0) | (slope != 0).any(axis=0))
        self._readers = np.concatenate([value, slope])[:, self._columns]
        self._frames: deque[Track] = deque([(np.zeros((count, 3)), np.zeros(count))] * frames, maxlen=frames)

    def reset(self, who: Bools | None, place: Floats, facing: Floats) -> None:
        """The animals of the mask `who (N,)`, or all, have always been at `place (N, 3)` with a `facing (N,)`."""
        for k, (places, facings) in enumerate(self._frames):
            if who is None:
                self._frames[k] = place, facing
            else:
                self._frames[k] = np.where(who[:, None], place, places), np.where(who, facing, facings)

    def record(self, place: Floats, facing: Floats) -> None:
        """Adds the frame that is now: places `(N, 3)` and facings `(N,)`, which nobody writes to afterwards."""
        self._frames.append((place, facing))

    def samples(self, velocity: Floats, predict: Callable[[Floats], Prediction], height: Height | None) -> Samples:
        """The trajectory around now, computed when it is asked for."""
        return Samples(self.window, tuple(self._frames), self._columns, self._readers, velocity, predict, height)


Track = tuple[Floats, Floats]
"""Places `(N, 3)` and facings `(N,)` of a frame."""
Height = Callable[[Floats], Floats]
"""The height of the ground at places `(..., 2)` of x and z."""


@dataclass(frozen=True, eq=False)
class Samples:
    """What a trajectory is made of: remembered `frames`, of which the last is now, those of them that are read
    (`columns`) and by what; the velocity now, and how to predict."""

    window: Window
    frames: tuple[Track, ...]
    columns: Ints
    readers: Floats
    velocity: Floats
    predict: Callable[[Floats], Prediction]
    height: Height | None

    @cached_property
    def _past(self) -> tuple[Floats, Floats]:
        """Values and slopes of the past samples, each `(P, N, 4)`: places, and facings that go on to that of now."""
        read = [self.frames[k] for k in self.columns]
        now = self.frames[-1][1]
        facings = np.unwrap([now, *(facing for _, facing in reversed(read))], axis=0)[:0:-1]
        tracks = np.concatenate([np.stack([place for place, _ in read]), facings[..., None]], axis=-1)
        past = np.tensordot(self.readers, tracks, 1)
        half = len(past) // 2
        return past[:half], past[half:]

    def trajectory(self) -> Trajectory:
        """Past, present and future samples of all animals."""
        window, (place, facing) = self.window, self.frames[-1]
        count = len(facing)
        past, rates = self._past
        places, facings, velocities = self.predict(window.future)
        positions, yaws, moving = (np.empty((count, len(window.times), *size)) for size in ((3,), (), (3,)))
        before, present, after = slice(0, window.now), window.now, slice(window.now + 1, None)
        positions[:, before], yaws[:, before], moving[:, before] = (
            past[..., :3].swapaxes(0, 1),
            past[..., 3].T,
            rates[..., :3].swapaxes(0, 1),
        )
        positions[:, present], yaws[:, present], moving[:, present] = place, facing, self.velocity
        positions[:, after], yaws[:, after], moving[:, after] = on_plane(places), facings, on_plane(velocities)
        if self.height is not None:
            positions[:, after, 1] = self.height(positions[:, after][..., [0, 2]])
        return Trajectory(window.times, positions, yaws, moving)


def _readers(times: Floats, frames: int, frame_rate: float) -> tuple[Floats, Floats]:
    """What to multiply remembered frames by for the samples at past `times (P,)`, and for their slopes, both
    `(P, frames)`: linear between frames, and between slopes over two of them."""
    last = frames - 1
    at = np.maximum(last + times * frame_rate, 0.0)
    first = np.minimum(at.astype(int), last - 1)
    share = (at - first)[:, None]
    one = np.eye(frames)
    before, after = np.maximum(first - 1, 0), np.minimum(first + 2, last)
    start = (one[first + 1] - one[before]) / (first + 1 - before)[:, None]
    end = (one[after] - one[first]) / (after - first)[:, None]
    value: Floats = one[first] * (1 - share) + one[first + 1] * share
    slope: Floats = (start * (1 - share) + end * share) * frame_rate
    return value, slope


def arc(place: Complexes, yaw: Floats, speed: Floats, heading: Floats, yaw_rate: float, times: Floats) -> Prediction:
    """Where animals `(N,)` that turn to `heading` at a steady rate will be at `times (F,)`: along an arc, then straight
    on. For presets that plan a whole clip or turn by a table; facings are those of travel."""
    off = wrap_angles(heading - yaw)[:, None]
    turn = np.copysign(yaw_rate, off)
    bends = np.minimum(times, np.abs(off) / yaw_rate if yaw_rate > 0 else 0.0)
    yaws = yaw[:, None] + turn * bends
    velocities = speed[:, None] * np.exp(1j * yaws)
    gone = (times - bends) * velocities
    if yaw_rate > 0:
        gone = gone + (velocities - (speed * np.exp(1j * yaw))[:, None]) / (1j * turn)
    return place[:, None] + gone, yaws, velocities

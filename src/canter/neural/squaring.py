"""Animals that have come to rest square up: their feet are shifted to where those of a stand are, and as high.

A network slides its feet into a stand for many seconds, where its teacher stepped; and the heights of feet that stand
wander by millimetres.
"""

from __future__ import annotations

import numpy as np

from canter.control.trajectory import on_plane
from canter.motion.arrays import Bools, Complexes, Floats
from canter.motion.easing import quintic_step
from canter.motion.numbers import array_of, functions_of, number_or_array, some
from canter.motion.planar import unit_complex
from canter.neural.layout import Body

SQUARE_SECONDS, LEAVE_SECONDS, STILL_SHARE = 0.8, 0.2, 0.2
"""Seconds in which an animal that has come to rest is told to square up, one diagonal pair of feet after another, in
which feet are free again when it leaves, and the share of the greatest speed of a rest below which it has come to
rest."""


class SquareUp:
    """How far the feet of N animals are told to square up, from 0 to 1, towards those of `stand (12 J,)`, or with more
    columns. Animals may be `size` times as large as the stand."""

    def __init__(
        self, stand: Floats, body: Body, rest_speed: float, frame_rate: float, count: int, size: float = 1.0
    ) -> None:
        self._stand, self._size = stand, size
        self._slow, self._dt = STILL_SHARE * rest_speed, 1 / frame_rate
        self._left = 3 * np.array(body.feet)
        legs = np.arange(len(body.feet))
        self._late = (legs + legs // 2) % 2  # LF and RH first, then RF and LH
        self._share: Floats = np.zeros(count)

    def reset(self, who: Bools) -> None:
        """The animals of the mask `who (N,)` do not square up."""
        self._share = np.where(who, 0.0, self._share)

    def step(self, joints: Floats, velocity: Complexes, yaw: Floats, idles: Bools) -> Floats | None:
        """By how many metres to shift the feet `(N, L, 3)` of animals with `joints (N, 12 J)`, in the world; None if
        nobody squares up. Who `idles (N,)` and hardly moves does, all others leave."""
        done, speed = number_or_array(self._share), abs(number_or_array(velocity))
        fn = functions_of(done)
        rests = (speed < self._slow) & number_or_array(idles)
        step = fn.where(rests, self._dt / SQUARE_SECONDS, -self._dt / LEAVE_SECONDS)
        self._share = array_of(fn.minimum(fn.maximum(done + step, 0.0), 1.0))
        if not some(self._share):
            return None
        off = self._stand - joints
        shift = off[:, self._left + 2] + 1j * off[:, self._left]
        share = self._size * quintic_step(2 * self._share[:, None] - self._late)
        result = on_plane(unit_complex(yaw)[:, None] * share * shift)
        result[..., 1] = share * off[:, self._left + 1]
        return result

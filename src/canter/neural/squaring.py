"""Animals that have come to rest square up: their feet are shifted to where those of a stand are, and as high.

A network slides its feet into a stand for many seconds, where its teacher stepped; and the heights of feet that stand
wander by millimetres.
"""

from __future__ import annotations

import numpy as np

from canter.motion.arrays import Bools, Complexes, Floats
from canter.motion.easing import quintic_step
from canter.motion.numbers import array_of, functions_of, number_or_array, some

SQUARE_SECONDS, LEAVE_SECONDS, STILL_SHARE = 0.8, 0.2, 0.2
"""Seconds in which an animal that has come to rest is told to square up, one diagonal pair of feet after another, in
which feet are free again when it leaves, and the share of the greatest speed of a rest below which it has come to
rest."""


class SquareUp:
    """How far the feet of N animals are told to square up, from 0 to 1, towards those of a `stand (L, 3)`."""

    def __init__(self, stand: Floats, rest_speed: float, frame_rate: float, count: int) -> None:
        self._stand = stand
        self._slow, self._dt = STILL_SHARE * rest_speed, 1 / frame_rate
        legs = np.arange(len(stand))
        self._late = (legs + legs // 2) % 2  # LF and RH first, then RF and LH
        self._share: Floats = np.zeros(count)

    def reset(self, who: Bools) -> None:
        """The animals of the mask `who (N,)` do not square up."""
        self._share = np.where(who, 0.0, self._share)

    def step(self, velocity: Complexes, idles: Bools) -> None:
        """Animals that idle, by the mask `idles (N,)`, and hardly move square up further, all others leave."""
        done, speed = number_or_array(self._share), abs(number_or_array(velocity))
        fn = functions_of(done)
        rests = (speed < self._slow) & number_or_array(idles)
        step = fn.where(rests, self._dt / SQUARE_SECONDS, -self._dt / LEAVE_SECONDS)
        self._share = array_of(fn.minimum(fn.maximum(done + step, 0.0), 1.0))

    def place(self, feet: Floats) -> Floats:
        """Where to put feet `(N, L, 3)`, all seen from the ground track."""
        if not some(self._share):
            return feet
        share = quintic_step(2 * self._share[:, None] - self._late)
        return feet + share[..., None] * (self._stand - feet)

"""When feet stand and how far they have swung, for poses that come without it, frame by frame.

`anatomy.contacts` reads contacts off a whole clip, and better, because it knows what comes next.
"""

from __future__ import annotations

import numpy as np

from canter.anatomy.contacts import LIFTOFF_SPEED, TOUCHDOWN_SPEED
from canter.motion.arrays import Bools, Complexes, Floats
from canter.motion.numbers import some

TOUCHDOWN_HIP_HEIGHTS, LIFTOFF_HIP_HEIGHTS = 0.035, 0.06
"""Heights of a foot over where it stands at which a contact begins and ends."""
FIRST_SWING_SECONDS, MIN_SWING_SECONDS = 0.6, 0.15
"""What a swing is taken to last before one was seen, and at least, at 1 m of hip height; both go with its root."""


class ContactEstimator:
    """Contacts from the height and the speed of feet, with hysteresis.

    Heights are counted from the lowest that each foot was seen at, at first `floors (L,)`; speeds are compared with
    that of the trunk, because the feet of a network slide along with it.
    """

    def __init__(self, floors: Floats, hip_height: float, count: int, frame_rate: float) -> None:
        self._hip_height, self._frame_rate, self._first_floors = hip_height, frame_rate, floors
        self._floors: Floats = np.tile(floors, (count, 1))
        self._contacts: Bools = np.zeros(self._floors.shape, bool)
        self._feet, self._trunk = np.zeros(self._floors.shape, complex), np.zeros(count, complex)

    def step(self, feet: Complexes, heights: Floats, trunk: Complexes, fresh: Bools) -> Bools:
        """Contacts `(N, L)` of feet at places `(N, L)` with heights over level ground `(N, L)`, of trunks at `(N,)`.

        How animals that are `fresh (N,)` moved is not known: their feet are taken to rest.
        """
        begins, h = fresh[:, None], self._hip_height
        speed = np.where(begins, 0.0, np.abs(feet - self._feet)) * self._frame_rate
        pace = np.where(fresh, 0.0, np.abs(trunk - self._trunk))[:, None] * self._frame_rate
        self._floors = np.minimum(np.where(begins, self._first_floors, self._floors), heights)
        stood = self._contacts & ~begins
        slow = speed < np.where(stood, *(at * h + share * pace for at, share in (LIFTOFF_SPEED, TOUCHDOWN_SPEED)))
        low = heights - self._floors < np.where(stood, LIFTOFF_HIP_HEIGHTS, TOUCHDOWN_HIP_HEIGHTS) * h
        self._contacts, self._feet, self._trunk = slow & low, feet, trunk
        return self._contacts


class SwingClocks:
    """Clocks of legs from their contacts: 0.5 in stance, and from 1 to 2 in a swing that is taken to last as long as
    the leg's last one. A swing that lasts longer waits at 2."""

    def __init__(self, count: int, legs: int, hip_height: float, frame_rate: float, first: float | None = None) -> None:
        """`first` is how many seconds the first swing is taken to last."""
        size = np.sqrt(hip_height)
        self._first = FIRST_SWING_SECONDS * size if first is None else first
        self._least, self._dt = MIN_SWING_SECONDS * size, 1 / frame_rate
        self._elapsed: Floats = np.zeros((count, legs))
        self._swing: Floats = np.full((count, legs), self._first)
        self.clocks: Floats = np.full((count, legs), 0.5)

    def step(self, contacts: Bools, fresh: Bools) -> Floats:
        """Clocks `(N, L)`. Nobody knows when the first swings of animals that are `fresh (N,)` began, so they are not
        measured: their time is NaN."""
        if some(fresh):
            self._swing = np.where(fresh[:, None], self._first, self._swing)
            self._elapsed = np.where(fresh[:, None], np.nan, self._elapsed)
        landed = contacts & (self._elapsed > 0)
        if some(landed):
            self._swing = np.where(landed, np.maximum(self._elapsed, self._least), self._swing)
        self._elapsed = np.where(contacts, 0.0, self._elapsed + self._dt)
        self.clocks = np.where(contacts, 0.5, 1 + np.fmin(self._elapsed / self._swing, 1.0))
        return self.clocks

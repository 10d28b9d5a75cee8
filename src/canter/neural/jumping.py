"""Jumps of animals that a network moves: a tap on the key is a jump, which is told until it has landed."""

from __future__ import annotations

import math

import numpy as np

from canter.motion.arrays import Bools, Ints
from canter.motion.numbers import some

FLIGHT_SECONDS, PATIENCE_SECONDS = 0.25, 2.5
"""Seconds without a foot on the ground after which an animal of one metre at the hips has jumped, which is longer than
it flies in a gallop; and seconds after which it is not told to jump any longer."""


class Jumps:
    """Which jump each of N animals is told, by its label (0 is none), for how many seconds, and for how many no foot
    was down. `is_jump (A,)` says which labels are jumps."""

    def __init__(self, is_jump: Bools, hip_height: float, frame_rate: float, count: int) -> None:
        self._is_jump, self._dt = is_jump, 1 / frame_rate
        self._flight_seconds = FLIGHT_SECONDS * math.sqrt(hip_height)
        self._label = np.zeros(count, np.int64)
        self._told_for, self._flies_for = np.zeros((2, count))

    def reset(self, who: Bools) -> None:
        """The animals of the mask `who (N,)` are told none."""
        self._label = np.where(who, 0, self._label)

    def tell(self, told: Ints) -> Ints:
        """Labels `(N,)` in which a jump that was told goes on, whatever is told meanwhile."""
        jumps = self._is_jump[told]
        if not (some(jumps) or some(self._label)):
            return told
        begins = jumps & (self._label == 0)
        self._label = np.where(begins, told, self._label)
        self._told_for, self._flies_for = (np.where(begins, 0.0, x) for x in (self._told_for, self._flies_for))
        return np.where(self._label > 0, self._label, told)

    def land(self, contacts: Bools) -> Bools | None:
        """Ends jumps that have come down again, by `contacts (N, L)`, or never began; who landed `(N,)`, if any."""
        if not some(self._label):
            return None
        stands, flown = contacts.any(axis=1), self._flies_for >= self._flight_seconds
        landed: Bools = (self._label > 0) & flown & stands
        self._flies_for = np.where(flown, self._flies_for, np.where(stands, 0.0, self._flies_for + self._dt))
        self._told_for = self._told_for + self._dt
        self._label = np.where(landed | (self._told_for > PATIENCE_SECONDS), 0, self._label)
        return landed if some(landed) else None

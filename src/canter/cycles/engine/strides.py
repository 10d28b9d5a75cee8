"""How cycles run in time: footfalls of all cycles by table, how long strides take at a speed, phases from leg clocks.

A leg's clock runs from 0 to 1 in stance and from 1 to 2 in swing, whatever the gait.
"""

from __future__ import annotations

import numpy as np

from canter.cycles.engine.laws import Laws
from canter.cycles.engine.library import Library
from canter.motion.arrays import Bools, Complexes, Floats

MAX_SWEEP_RATIO = 1.05
"""How much further than in any cycle a foot may sweep back in stance; a faster animal lifts it sooner."""
DUTY_RANGE = (0.15, 0.9)
"""Duty factors that a stride may have."""


class StrideTable:
    """Footfalls of S cycles with L legs, and their laws.

    `touchdowns (S, L)` and `duties (S, L)` are fractions of a stride, `seconds (S,)` those of each cycle, `sweeps
    (S, L)` how far feet go against the track in stance, and `girth` the mean distance of the feet from the middle of
    the animal in metres: what a turn makes them travel.
    """

    def __init__(self, library: Library, laws: Laws) -> None:
        self.laws, self.kinds = laws, len(library.cycles)
        self.touchdowns, self.duties = library.stacked("touchdowns"), library.stacked("duty")
        self.seconds = np.array([cycle.seconds for cycle in library.cycles])
        sweep = library.stacked("sweep")
        self.sweeps: Complexes = np.where(laws.stands[:, None], 0, sweep[..., 1] + 1j * sweep[..., 0])
        self.girth = float(np.hypot(library.feet[0, ..., 0], library.feet[0, ..., 2]).mean())
        self._longest_sweep = MAX_SWEEP_RATIO * np.abs(self.sweeps).max(axis=0)
        self._moves: Bools = ~laws.stands
        self._moving_duties = np.where(laws.stands[:, None], 0.0, self.duties)

    def measure(self, weights: Floats, speed: Floats) -> tuple[Floats, Floats]:
        """Seconds of a stride `(N,)` and duty factors `(N, L)` of blended gaits, at the speeds of the feet `(N,)`."""
        weights = weights * self._moves
        share = weights.sum(axis=1)
        if share.min() < 1e-3:  # those that stand would step like their slowest gait
            weights[share < 1e-3, self.laws.slowest] = 1.0
            share = weights.sum(axis=1)
        weights = weights / share[:, None]
        stride: Floats = 1 / (weights * self.laws.frequencies(speed)).sum(axis=1)
        contact = self.laws.contact(speed, weights @ self.laws.speeds)
        duty = (weights @ self._moving_duties) * contact[:, None]
        swept = (speed * stride)[:, None]
        duty = np.minimum(duty, self._longest_sweep / np.maximum(swept, 1e-6))
        return stride, np.minimum(np.maximum(duty, DUTY_RANGE[0]), DUTY_RANGE[1])

    def phases(self, clocks: Floats) -> Floats:
        """Phases in all cycles `(N, S, L)` of legs with such `clocks (N, L)`."""
        stances = np.minimum(clocks, 1.0)[:, None]
        swings = np.maximum(clocks - 1.0, 0.0)[:, None]
        result: Floats = self.touchdowns + stances * self.duties + swings * (1 - self.duties)
        return result


def wrap(phase: Floats) -> Floats:
    """Phases between -1/2 and 1/2."""
    result: Floats = phase - np.rint(phase)
    return result


def mean_phase(phases: Floats) -> Floats:
    """The circular mean of phases over the last axis."""
    mean = np.exp(2j * np.pi * phases).sum(axis=-1)
    result: Floats = np.arctan2(mean.imag, mean.real) / (2 * np.pi)
    return result


def since_touchdown(clocks: Floats, duties: Floats) -> Floats:
    """The share of a stride since the touchdown, of legs with such clocks and duty factors."""
    result: Floats = np.where(clocks < 1, clocks * duties, duties + (clocks - 1) * (1 - duties))
    return result


def clocks_since(since: Floats, duties: Floats) -> Floats:
    """Clocks of legs from the share of a stride since their touchdown: the inverse of `since_touchdown`."""
    result: Floats = np.where(since < duties, since / duties, 1 + (since - duties) / (1 - duties))
    return result


def clocks_at(phases: Floats, touchdowns: Floats, duties: Floats) -> Floats:
    """Clocks of legs at phases of a cycle with such touchdowns and duty factors."""
    return clocks_since((phases - touchdowns) % 1.0, duties)

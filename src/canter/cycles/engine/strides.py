"""How cycles run in time: footfalls of all cycles by table, how long strides take at a speed, phases from leg clocks.

A leg's clock runs from 0 to 1 in stance and from 1 to 2 in swing, whatever the gait.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from canter.cycles.engine.laws import Laws
from canter.cycles.engine.library import Library
from canter.motion.arrays import Bools, Complexes, Floats
from canter.motion.numbers import array_of, column, functions_of, number_or_array

MAX_SWEEP_RATIO = 1.05
"""How much further than in any cycle a foot may sweep back in stance; a faster animal lifts it sooner."""
TURN = 2j * math.pi
"""A whole cycle as an angle of the complex plane."""
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
        self.moves: Bools = ~laws.stands
        self._moving_rates = self.moves * laws.rates
        self._law_table: Floats = np.column_stack([np.ones(self.kinds), laws.speeds, self.duties]) * self.moves[:, None]

    def measure(self, weights: Floats, speed: Floats) -> tuple[Floats, Floats]:
        """Seconds of a stride `(N,)` and duty factors `(N, L)` of blended gaits, at the speeds of the feet `(N,)`."""
        blend = weights @ self._law_table  # the share of gaits that move, and their speeds and duty factors
        rests = blend[:, 0] < 1e-3
        if np.count_nonzero(rests):  # those that stand would step like their slowest gait
            weights = weights.copy()
            weights[rests, self.laws.slowest] = 1.0
            blend = weights @ self._law_table
        strides = np.vecdot(weights * self._moving_rates, self.laws.quickening(speed))
        moving, usual, rate, speed = map(number_or_array, (blend[:, 0], blend[:, 1], strides, speed))
        stride = moving / rate
        longest = self._longest_sweep / column(functions_of(stride).maximum(speed * stride, 1e-6))
        duty = np.minimum(blend[:, 2:] * column(self.laws.contact(speed, usual / moving) / moving), longest)
        return array_of(stride), np.minimum(np.maximum(duty, DUTY_RANGE[0]), DUTY_RANGE[1])

    def phases(self, clocks: Floats) -> Floats:
        """Phases in all cycles `(N, S, L)` of legs with such `clocks (N, L)`."""
        stances = np.minimum(clocks, 1.0)
        swings = clocks - stances
        result: Floats = (stances - swings)[:, None] * self.duties
        result += self.touchdowns
        result += swings[:, None]
        return result


def wrap(phase: Any) -> Any:
    """Phases between -1/2 and 1/2; of arrays or a number."""
    return phase - functions_of(phase).rint(phase)


def mean_phase(phases: Any) -> Any:
    """The circular mean of phases over the last axis of an array, or of a list of numbers."""
    if isinstance(phases, np.ndarray):
        mean = np.add.reduce(np.exp(TURN * phases), axis=-1)
        return np.arctan2(mean.imag, mean.real) / math.tau
    angles = [math.tau * phase for phase in phases]
    return math.atan2(sum(map(math.sin, angles)), sum(map(math.cos, angles))) / math.tau


def since_touchdown(clock: Any, duty: Any) -> Any:
    """The share of a stride since the touchdown, of legs with such clocks and duty factors: arrays, or numbers."""
    stance = functions_of(clock).minimum(clock, 1.0)
    return stance * duty + (clock - stance) * (1.0 - duty)


def clocks_since(since: Floats, duties: Floats) -> Floats:
    """Clocks of legs from the share of a stride since their touchdown: the inverse of `since_touchdown`."""
    result: Floats = np.where(since < duties, since / duties, 1 + (since - duties) / (1 - duties))
    return result


def clocks_at(phases: Floats, touchdowns: Floats, duties: Floats) -> Floats:
    """Clocks of legs at phases of a cycle with such touchdowns and duty factors."""
    return clocks_since((phases - touchdowns) % 1.0, duties)

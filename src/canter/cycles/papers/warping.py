"""Asynchronous time warping (Huang, section 5): from any phase of one gait to another in 2.5 strides.

A leg's generic time counts strides since its own touchdown. In a transition the legs go on at paces of their own, so
that all reach the same posture of the new gait in its last frame.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields

import numpy as np

from canter.cycles.engine.cycle import Cycle
from canter.cycles.engine.laws import CONTACT_POWER, Laws, make_laws
from canter.cycles.engine.library import Library
from canter.cycles.engine.strides import StrideTable, clocks_since, wrap
from canter.cycles.engine.timing import Timing
from canter.motion.arrays import Bools, Floats, Ints

CONTACT_LAWS = {
    "walk": (1.688057, -0.71476),
    "amble": (1.826353, -0.51021),
    "trot": (1.407662, -0.74782),
    "rack": (2.386013, -0.90153),
    "canter": (2.005463, -0.96045),
    "gallop": (1.14589, -0.42978),
}
"""Table 1: a and b of T = a v^b. As absolute times they are too long, so only the ratios that b gives are used."""
REFERENCE = 0
"""The leg that the others keep time with."""
SLOWEST, FASTEST = 0.35, 2.0
"""Between these multiples of its own speed the laws of a cycle hold."""


@dataclass(frozen=True, eq=False)
class ContactLaws(Laws):
    """Laws by the contact times T = a v^b: steps D = v T lengthen with speed, and the stride is as short as T.

    `powers (S,)` are b of each cycle; a cycle is warped as a whole, so that its duty factors stay.
    """

    powers: Floats = field(kw_only=True)

    def _ratios(self, speed: Floats) -> Floats:
        result: Floats = np.clip(speed[:, None] / np.maximum(self.speeds, 1e-6), SLOWEST, FASTEST)
        return result

    def frequencies(self, speed: Floats) -> Floats:
        result: Floats = self.rates * self._ratios(speed) ** -self.powers
        return result

    def contact(self, speed: Floats, usual: Floats) -> Floats:
        return np.ones_like(speed)

    def steps(self, speed: Floats) -> Floats:
        """D' / D = (v' / v)^(1 + b) of each gait at speeds `(N,)`: `(N, S)`."""
        result: Floats = self._ratios(speed) ** (1 + self.powers)
        return result


def contact_laws(library: Library) -> ContactLaws:
    """The laws of an animal's cycles by Table 1; gaits that it does not have go by what was measured on dogs."""
    plain = make_laws(library)
    powers = np.array([CONTACT_LAWS.get(cycle.gait, (0.0, CONTACT_POWER))[1] for cycle in library.cycles])
    return ContactLaws(**{f.name: getattr(plain, f.name) for f in fields(Laws)}, powers=powers)


def fitted_contact_law(cycles: Sequence[Cycle]) -> tuple[float, float]:
    """a and b of T = a v^b over cycles, in logarithms."""
    speeds = np.log([cycle.speed for cycle in cycles])
    times = np.log([cycle.duty.mean() * cycle.seconds for cycle in cycles])
    b, a = np.polyfit(speeds, times, 1)
    return float(np.exp(a)), float(b)


def transition_frames(first: Floats, second: Floats) -> Floats:
    """B of Equation 3 from the frames of a stride in the current and in the new gait."""
    result: Floats = np.maximum(np.rint((5 * first * second + second - first) / (first + second)), 2.0)
    return result


class Warping:
    """The transition of the preset: `source` and `target` gaits `(N,)`, frame `at` of `frames`, the legs' generic times
    `time (N, L)`; `speed` is that of the source, `goal` that of the target, `wish` the one commanded."""

    def __init__(
        self,
        strides: StrideTable,
        timing: Timing,
        start: Floats,
        ranges: Sequence[tuple[float, float]],
        acceleration: float,
    ) -> None:
        """`start (N, L)` are generic times in the first cycle; speeds in a gait change by `acceleration`, in m/s²."""
        assert isinstance(strides.laws, ContactLaws)
        self._strides, self._timing, self._laws = strides, timing, strides.laws
        self._start_time, self._most = start, acceleration
        self._low, self._high = np.array(ranges).T
        self.begin()

    def begin(self) -> None:
        """Everybody in the first cycle."""
        count = len(self._start_time)
        self.source, self.target = np.zeros(count, np.int64), np.zeros(count, np.int64)
        self.at, self.frames = np.zeros(count), np.ones(count)
        self.speed, self.goal, self.wish = (np.full(count, self._laws.speeds[0]) for _ in range(3))
        self.time: Floats = self._start_time.copy()
        self._lengths: Floats = np.ones_like(self.time)

    def resume(self, gait: int, time: Floats, speed: float) -> None:
        """Everybody in a gait, the legs at generic times `(L,)`, after a motion that was none of the gaits."""
        self.begin()
        self.source[:] = self.target[:] = gait
        self.speed[:] = self.goal[:] = np.clip(speed, self._low[gait], self._high[gait])
        self.time = np.tile(time, (len(self.time), 1))

    @property
    def crosses(self) -> Bools:
        """Who is in a transition `(N,)`."""
        result: Bools = self.source != self.target
        return result

    @property
    def share(self) -> Floats:
        """w2, the weight of the new gait `(N,)`."""
        return np.where(self.crosses, self.at / self.frames, 1.0)

    def mixed(self, first: Floats, second: Floats) -> Floats:
        """Values of all gaits `(N, S)` at the speeds of source and target, mixed by their weights `(N,)`."""
        rows, share = np.arange(len(self.at)), self.share
        result: Floats = (1 - share) * first[rows, self.source] + share * second[rows, self.target]
        return result

    @property
    def pace(self) -> Floats:
        """Strides a second of the reference leg `(N,)` (Equation 4)."""
        return self.mixed(self._laws.frequencies(self.speed), self._laws.frequencies(self.goal))

    @property
    def way(self) -> Floats:
        """The speed of what is played now `(N,)`, in m/s."""
        share = self.share
        result: Floats = (1 - share) * self.speed + share * self.goal
        return result

    def advance(self, gait: Ints, dt: float) -> None:
        """Starts transitions where another gait is wanted and none is under way, and moves the legs on."""
        starts = ~self.crosses & (gait != self.target)
        if starts.any():
            self._start(starts, gait, dt)
        steady = ~self.crosses
        wish = np.clip(self.wish, self._low[self.target], self._high[self.target])
        most = self._most * dt
        self.goal = np.where(steady, self.goal + np.clip(wish - self.goal, -most, most), self.goal)
        self.at = np.where(steady, 0.0, self.at + 1)
        self.time = self.time + dt * self.pace[:, None] * self._lengths
        arrived = self.crosses & (self.at >= self.frames)
        self.source = np.where(arrived | steady, self.target, self.source)
        self.speed = np.where(arrived | steady, self.goal, self.speed)
        self._lengths = np.where((arrived | steady)[:, None], 1.0, self._lengths)
        self.show()

    def _start(self, starts: Bools, gait: Ints, dt: float) -> None:
        """How far each leg must go (Equations 5 and 6): to the posture that the reference leg will be in, in as many
        whole strides as bring it nearest to the reference leg's way."""
        rows = np.arange(len(starts))
        goal = np.clip(self.wish, self._low[gait], self._high[gait])
        first = 1 / (dt * self._laws.frequencies(self.goal)[rows, self.target])
        second = 1 / (dt * self._laws.frequencies(goal)[rows, gait])
        frames = transition_frames(first, second)
        whole = (frames - 1) / 2 / first + (frames + 1) / 2 / second
        arrival = self.time[:, REFERENCE] + whole + self._strides.touchdowns[gait, REFERENCE]
        off = arrival[:, None] - self._strides.touchdowns[gait] - self.time - whole[:, None]
        lengths = 1 + wrap(off) / whole[:, None]
        self._lengths = np.where(starts[:, None], lengths, self._lengths)
        self.speed, self.goal = np.where(starts, self.goal, self.speed), np.where(starts, goal, self.goal)
        self.frames, self.at = np.where(starts, frames, self.frames), np.where(starts, 0.0, self.at)
        self.source, self.target = np.where(starts, self.target, self.source), np.where(starts, gait, self.target)

    def show(self) -> None:
        """Writes weights, clocks and phases as they are now, and how long strides and steps are."""
        timing, strides, share = self._timing, self._strides, self.share
        rows = np.arange(timing.count)
        weights = np.zeros_like(timing.weights)
        weights[rows, self.source] = 1 - share
        weights[rows, self.target] += share
        timing.weights, timing.posture_weights = weights, weights.copy()
        timing.target = self.target.copy()
        timing.duty = weights @ strides.duties
        timing.stride = 1 / self.pace
        timing.step_scale = self.mixed(self._laws.steps(self.speed), self._laws.steps(self.goal))
        timing.clocks = clocks_since(self.time % 1.0, timing.duty)
        timing.phases = strides.phases(timing.clocks)
        timing.body_phases = timing.phases[..., REFERENCE]

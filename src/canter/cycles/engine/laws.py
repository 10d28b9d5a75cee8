"""How a gait depends on speed: how often an animal strides, and how long its feet stand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from canter.cycles.engine.library import Library
from canter.motion.arrays import Bools, Floats
from canter.motion.constants import GRAVITY
from canter.motion.numbers import functions_of

FROUDE_POWER = 3.2
"""b of Fr = a (L / h)^b within an animal, where its clips cannot tell (measured on the captured dog)."""
LIKELY_POWERS = (2.0, 6.0)
"""Below the first, strides would grow rarer with speed; beyond the second, hardly longer."""
TOLD_APART = 0.1
"""By how much in logarithms strides must differ in length to tell a power."""
CONTACT_POWER = -0.8
"""Contact times go with speed to this power (measured on the captured dog and horse)."""


@dataclass(frozen=True, eq=False)
class Laws:
    """Laws of an animal's cycles `(S,)`: `speeds` in m/s and `rates` in strides a second at which they were made,
    `stands` where no foot is lifted, `slowest` the slowest that goes ahead.

    Inside a gait strides quicken with speed to the `power` that Fr = a L^b gives.
    """

    speeds: Floats
    rates: Floats
    stands: Bools
    slowest: int
    power: float

    def frequencies(self, speed: Floats) -> Floats:
        """Strides a second `(N, S)` of each gait at speeds `(N,)`."""
        result: Floats = self.rates * self.quickening(speed)
        return result

    def quickening(self, speed: Floats) -> Floats:
        """How many times as often as in its cycle an animal strides `(N, S)` in each gait at speeds `(N,)`."""
        ratio = np.minimum(np.maximum(speed[:, None] / self._safe_speeds, 0.35), 2.0)
        result: Floats = ratio**self.power
        return result

    @cached_property
    def _safe_speeds(self) -> Floats:
        return np.maximum(self.speeds, 1e-6)

    def contact(self, speed: Floats, usual: Floats) -> Floats:
        """By what the duty factors at `speed (N,)` differ from those at the speed of the cycles."""
        fn = functions_of(speed)
        ratio = fn.minimum(fn.maximum(speed / fn.maximum(usual, 1e-6), 0.5), 1.6)
        result: Floats = ratio ** (self.power + CONTACT_POWER)
        return result


def make_laws(library: Library) -> Laws:
    """The laws of an animal's cycles; how strides quicken is fitted to those that go ahead."""
    cycles, hip_height = library.cycles, library.character.anatomy.hip_height
    speeds = np.array([cycle.speed for cycle in cycles])
    rates = np.array([1 / cycle.seconds for cycle in cycles])
    ahead = [
        k for k, cycle in enumerate(cycles) if cycle.velocity[1] > 0.5 * cycle.speed > 0 and not cycle.is_mirror_image
    ]
    if not ahead:
        raise ValueError("none of the loops goes ahead; one that walks is needed")
    power = fit_stride_law(speeds[ahead], speeds[ahead] / rates[ahead], hip_height)[1]
    slowest = min(ahead, key=lambda k: float(speeds[k]))
    return Laws(speeds, rates, np.array([c.stands for c in cycles]), slowest, 1 - 2 / power)


def fit_stride_law(
    speeds: Sequence[float] | Floats, lengths: Sequence[float] | Floats, hip_height: float
) -> tuple[float, float]:
    """a and b of Fr = a (L / h)^b by least squares of the logarithms (Sung et al. 2013, section III.2).

    Fr = v^2 / (g h) is Alexander and Jayes' Froude number of a speed, L the length of its stride, h the height of the
    hips. Strides that are all about as long, or that would grow rarer with speed, tell no b; it is FROUDE_POWER then.
    """
    froude = np.log(np.asarray(speeds, float) ** 2 / (GRAVITY * hip_height))
    relative = np.log(np.asarray(lengths, float) / hip_height)
    power = FROUDE_POWER
    if np.ptp(relative) > TOLD_APART:
        slope = float(np.polyfit(relative, froude, 1)[0])
        power = slope if LIKELY_POWERS[0] < slope < LIKELY_POWERS[1] else power
    return float(np.exp((froude - power * relative).mean())), power

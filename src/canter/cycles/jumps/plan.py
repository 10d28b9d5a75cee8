"""When what happens in a jump out of a gait: the take-off is put where it suits the four legs best.

Until then each leg hurries or waits a little, as in a change of gait, so that hind legs push off together and fore legs
are off the ground.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from canter.cycles.jumps.jump import Leap
from canter.motion.arrays import Floats

FLIGHTS, FLIGHT_POWER = (0.85, 1.06), 0.15
"""The flight lasts so many times as long as in the clip, with this power of the speed in between."""
RATES = (0.85, 1.15)
"""How many times as fast as in the clip the body may gather itself and land."""
WINDOW = 0.6
"""Strides within which the take-off is put where it suits best."""
GATHER = 1.4
"""How many times as long as fore legs are lifted before the take-off an animal gathers itself at the least."""
HANGING = 0.5
"""What it costs a leg to be lifted early by a stride, against being hurried by one."""
STANDING_WAIT = 0.4
"""Shares of a stance that a hind leg may wait on the ground as easily as it waits a whole swing in the air."""
BRIEF = 0.9
"""How long fore feet stand as they land, in stances of the gait: the forehand comes down on them."""


@dataclass(frozen=True, eq=False)
class Plan:
    """When everything happens, in seconds from now: the flight from `takeoff` to `landing`, and the clocks of the legs,
    `values (L, K)` at `times (L, K)`, counted on from stance to stance. `rates` are those of the body on the ground,
    and `strain` is what it costs the legs to be in time."""

    takeoff: float
    landing: float
    rates: tuple[float, float]
    times: Floats
    values: Floats
    strain: float = 0.0

    @property
    def lands(self) -> Floats:
        """When each foot comes down after the flight `(L,)`."""
        result: Floats = self.times[:, -3]
        return result

    @property
    def settled(self) -> float:
        """When all feet have come down again."""
        return float(self.lands.max())

    def clocks(self, at: Floats) -> Floats:
        """Clocks of the legs `(L,)`, counted on, at moments of their own."""
        return np.array([np.interp(*leg) for leg in zip(at, self.times, self.values, strict=True)])

    def clip_second(self, leap: Leap, at: float) -> float:
        """Where in the clip the body is."""
        if at < self.takeoff:
            return leap.takeoff - (self.takeoff - at) * self.rates[0]
        if at > self.landing:
            return leap.landing + (at - self.landing) * self.rates[1]
        return leap.takeoff + leap.seconds * (at - self.takeoff) / (self.landing - self.takeoff)


def flight_seconds(leap: Leap, speed: float) -> float:
    """How long a flight lasts at a speed: hardly longer when it goes further, so that its height stays natural."""
    ratio = max(speed / max(leap.speed, 1e-6), 1e-3)
    return leap.seconds * float(np.clip(ratio**FLIGHT_POWER, *FLIGHTS))


def plan_leap(leap: Leap, clocks: Floats, stances: Floats, swings: Floats, speed: float) -> Plan:
    """The plan that hurries and delays the legs least, from their `clocks (L,)` in a gait of such strides."""
    push = leap.takeoff - leap.lifts.min()
    rate = float(np.clip(push / max(float(stances[2:].mean()), 1e-3), *RATES))
    before = (leap.lifts - leap.takeoff) / rate
    further = np.maximum(speed * stances - leap.pushes, 0.0) / (2 * max(speed, 1e-3))
    before[:2] -= further[:2]  # the middle of their stances is when it is in the clip, before the forehand rises
    earliest = GATHER * push / rate
    best: tuple[float, float, list[int]] | None = None
    for takeoff in np.linspace(earliest, earliest + WINDOW * float((stances + swings).mean()), 25):
        each = [
            min(_strain(k, leg, clocks[leg], stances[leg], swings[leg], takeoff + before[leg]) for k in (-1, 0, 1))
            for leg in range(4)
        ]
        cost = sum(strain for strain, _ in each)
        if best is None or cost < best[0]:
            best = cost, float(takeoff), [k for _, k in each]
    assert best is not None
    cost, takeoff, strides = best
    landing = takeoff + flight_seconds(leap, speed)
    lands = landing + (leap.lands - leap.landing) / rate
    knots = [
        _knots(
            float(clocks[k]), stances[k], swings[k], takeoff + before[k], strides[k], lands[k], BRIEF if k < 2 else 1
        )
        for k in range(4)
    ]
    longest = max(len(times) for times, _ in knots)
    padded = [(times[:1] * (longest - len(times)) + times, v[:1] * (longest - len(v)) + v) for times, v in knots]
    times, values = (np.array([leg[k] for leg in padded]) for k in (0, 1))
    return Plan(takeoff, landing, (rate, rate), times, values, cost)


def _strain(strides: int, leg: int, clock: float, stance: float, swing: float, due: float) -> tuple[float, int]:
    """What it costs a leg to be lifted when it is due, after so many more strides, and not when it would be.

    With -1 a leg that swings does so until it lands, which only fore legs may: hind legs have to push.
    """
    if strides < 0:
        return (HANGING * max(due, 0.0) / (stance + swing) if leg < 2 and clock >= 1 else np.inf), strides
    natural = sum(_parts(clock, strides, stance, swing))
    if due <= 0.3 * natural:
        return np.inf, strides
    slack = due - natural
    if slack <= 0:
        return float(np.log(natural / due)) ** 2, strides
    if leg < 2 and strides == 0 and clock < 1:
        return HANGING * slack / (stance + swing), strides
    waits = swing if clock >= 1 or strides > 0 else STANDING_WAIT * stance
    return (slack / waits) ** 2, strides


def _parts(clock: float, strides: int, stance: float, swing: float) -> list[float]:
    """Seconds that a leg needs by itself for the rest of its stance or swing and what follows until it is lifted."""
    whole = [stance, swing] if clock < 1 else [swing, stance]
    parts = (whole * (strides + 1))[: 1 + 2 * strides + (clock >= 1)]
    return [parts[0] * (1 - clock % 1.0), *parts[1:]]


def _knots(
    clock: float, stance: float, swing: float, lift: float, strides: int, land: float, brief: float
) -> tuple[list[float], list[float]]:
    """A leg's clock, counted on: to its lift, its landing, the end of the stance after that and of the swing.

    A leg that is early waits in swing, not on the ground; one that has no swing before it is lifted early.
    """
    times, values = [0.0], [clock]
    if strides >= 0:
        parts = np.array(_parts(clock, strides, stance, swing))
        swinging = (np.arange(len(parts)) + (clock >= 1)) % 2 == 1
        slack = lift - parts.sum()
        if slack < 0:
            parts = parts * (lift / parts.sum())
        elif swinging.any():
            parts = parts + slack * np.where(swinging, parts, 0.0) / parts[swinging].sum()
        times += list(np.cumsum(parts))
        values += list(np.floor(clock) + 1 + np.arange(len(parts)))
    up = np.floor(values[-1])
    again = land + brief * stance
    return [*times, land, again, again + swing], [*values, up + 1, up + 2, up + 3]

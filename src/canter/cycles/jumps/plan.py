"""When what happens in a jump out of a gait: the take-off is put where it suits the four legs best.

Until then each leg hurries or waits a little, as in a change of gait, so that hind legs push off together and fore legs
are off the ground. All jumps that begin in a frame are planned together.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from canter.cycles.jumps.jump import JumpTable
from canter.motion.arrays import Bools, Floats, Ints

FLIGHT_RANGE, FLIGHT_POWER = (0.85, 1.06), 0.15
"""The flight lasts so many times as long as in the clip, with this power of the speed in between."""
GROUND_RATES = (0.85, 1.15)
"""How many times as fast as in the clip the body may gather itself and land."""
TAKEOFF_WINDOW_STRIDES, TAKEOFF_TRIES = 0.6, 25
"""Strides within which the take-off is put where it suits best, and how many moments of them are tried."""
GATHER_RATIO = 1.4
"""How many times as long as fore legs are lifted before the take-off an animal gathers itself at least."""
HANGING_COST = 0.5
"""What it costs a leg to be lifted early by a stride, against being hurried by one."""
STANCE_WAIT = 0.4
"""The share of a stance that a hind leg waits on the ground as easily as it waits a whole swing in the air."""
SHORT_STANCE = 0.9
"""How long fore feet stand as they land, in stances of the gait: the forehand comes down on them."""
MIN_DUE_SHARE = 0.3
"""The share of the time that a leg needs by itself to its lift below which it cannot be hurried."""
STRIDES = (-1, 0, 1)
"""Whole strides that a leg may still make before it is lifted; -1 for one that stays in the air until it lands."""
PARTS = 4
"""Stances and swings before the lift at most."""
KNOTS = PARTS + 4
FORE: Bools = np.array([True, True, False, False])


@dataclass(frozen=True, eq=False)
class Plans:
    """When everything happens in R jumps, in seconds from their begin: the flight from `takeoff (R,)` to `landing`, and
    the clocks of the legs, `values (R, L, K)` at `times (R, L, K)`, counted on from stance to stance. `rate (R,)` is
    how many times as fast as in the clip the body moves on the ground, `cost (R,)` what it costs the legs to be in
    time."""

    takeoff: Floats
    landing: Floats
    rate: Floats
    times: Floats
    values: Floats
    cost: Floats

    @property
    def lands(self) -> Floats:
        """When each foot comes down after the flight `(R, L)`."""
        result: Floats = self.times[..., -3]
        return result


def flight_seconds(jump: JumpTable, which: Ints, speed: Floats) -> Floats:
    """How long flights last at speeds `(R,)`: hardly longer when they go further, so that they stay as high."""
    ratio = np.maximum(speed / np.maximum(jump.speed[which], 1e-6), 1e-3)
    result: Floats = jump.seconds[which] * np.clip(ratio**FLIGHT_POWER, *FLIGHT_RANGE)
    return result


def plan_jumps(table: JumpTable, which: Ints, clocks: Floats, stances: Floats, swings: Floats, speed: Floats) -> Plans:
    """The plans that hurry and delay the legs least, of jumps `which (R,)` of a table; from their `clocks (R, L)` in
    gaits whose stances and swings take so many seconds `(R, L)`."""
    push = (table.takeoff - table.lifts.min(axis=1))[which]
    rate = np.clip(push / np.maximum(stances[:, 2:].mean(axis=1), 1e-3), *GROUND_RATES)
    before = (table.lifts - table.takeoff[:, None])[which] / rate[:, None]
    further = np.maximum(speed[:, None] * stances - table.pushes[which], 0.0) / (2 * np.maximum(speed, 1e-3))[:, None]
    before = before - np.where(FORE, further, 0.0)  # mid-stance is when it is in the clip, before the forehand rises
    earliest = GATHER_RATIO * push / rate
    latest = earliest + TAKEOFF_WINDOW_STRIDES * (stances + swings).mean(axis=1)
    takeoffs = np.linspace(earliest, latest, TAKEOFF_TRIES, axis=-1)
    due = takeoffs[:, :, None] + before[:, None]
    costs = np.stack([_cost(k, clocks[:, None], stances[:, None], swings[:, None], due) for k in STRIDES])
    total = costs.min(axis=0).sum(axis=-1)
    best = np.argmin(total, axis=1)
    rows = np.arange(len(which))
    takeoff = takeoffs[rows, best]
    strides = np.array(STRIDES)[np.argmin(costs[:, rows, best], axis=0)]
    landing = takeoff + flight_seconds(table, which, speed)
    lands = landing[:, None] + (table.lands - table.landing[:, None])[which] / rate[:, None]
    times, values = _knots(clocks, stances, swings, takeoff[:, None] + before, strides, lands)
    return Plans(takeoff, landing, rate, times, values, total[rows, best])


def _own_seconds(strides: int, clocks: Floats, stances: Floats, swings: Floats) -> Floats:
    """Seconds that a leg needs by itself until it is lifted after so many more strides."""
    rest = np.where(clocks < 1, stances * (1 - clocks), swings * (2 - clocks) + stances)
    result: Floats = rest + strides * (stances + swings)
    return result


def _cost(strides: int, clocks: Floats, stances: Floats, swings: Floats, due: Floats) -> Floats:
    """What it costs legs to be lifted when they are due, after so many more strides, and not when they would be.

    With -1 a leg that swings does so until it lands, which only fore legs may: hind legs have to push.
    """
    whole = stances + swings
    if strides < 0:
        hangs = FORE & (clocks >= 1)
        return np.where(hangs, HANGING_COST * np.maximum(due, 0.0) / whole, np.inf)
    natural = _own_seconds(strides, clocks, stances, swings)
    slack = due - natural
    with np.errstate(divide="ignore", invalid="ignore"):
        hurried = np.log(natural / due) ** 2
    waits = np.where((clocks >= 1) | (strides > 0), swings, STANCE_WAIT * stances)
    waited = (slack / waits) ** 2
    if strides == 0:
        waited = np.where(FORE & (clocks < 1), HANGING_COST * slack / whole, waited)
    return np.where(due <= MIN_DUE_SHARE * natural, np.inf, np.where(slack <= 0, hurried, waited))


def _knots(
    clocks: Floats, stances: Floats, swings: Floats, lift: Floats, strides: Ints, lands: Floats
) -> tuple[Floats, Floats]:
    """The legs' clocks, counted on, as times and values `(R, L, K)`: to the lift, the landing, the end of the stance
    after that and of the swing.

    A leg that is early waits in swing, not on the ground; one that has no swing before it is lifted early. Knots that a
    leg does not need are at the start.
    """
    swinging = clocks >= 1
    count = np.where(strides < 0, 0, 1 + 2 * strides + swinging)
    number = np.arange(PARTS) - PARTS + count[..., None]  # which of its parts each slot holds; below 0 for none
    in_swing = (number + swinging[..., None]) % 2 == 1
    parts = np.where(in_swing, swings[..., None], stances[..., None])
    parts = np.where(number == 0, parts * (1 - clocks % 1.0)[..., None], parts)
    parts = np.where(number < 0, 0.0, parts)
    waits = np.where(in_swing, parts, 0.0)
    total, waiting = parts.sum(axis=-1, keepdims=True), waits.sum(axis=-1, keepdims=True)
    slack = lift[..., None] - total
    longer = parts + slack * waits / np.where(waiting > 0, waiting, 1.0)
    parts = np.where(slack < 0, parts * (lift[..., None] / np.where(total > 0, total, 1.0)), longer)
    start = np.floor(clocks)[..., None]
    values = np.where(number < 0, clocks[..., None], start + 1 + number)
    up = np.floor(values[..., -1:])
    again = lands + np.where(FORE, SHORT_STANCE, 1.0) * stances
    zero = np.zeros_like(clocks)[..., None]
    ends = np.stack([lands, again, again + swings], axis=-1)
    times = np.concatenate([zero, np.cumsum(parts, axis=-1), ends], axis=-1)
    return times, np.concatenate([clocks[..., None], values, up + 1, up + 2, up + 3], axis=-1)


def interpolated(at: Floats, times: Floats, values: Floats) -> Floats:
    """Values `(R, L)` at moments `(R, L)`, linear between knots `(R, L, K)` and held at the ends."""
    first = np.clip((times <= at[..., None]).sum(axis=-1) - 1, 0, times.shape[-1] - 2)[..., None]
    t0, t1 = (np.take_along_axis(times, first + k, axis=-1)[..., 0] for k in (0, 1))
    v0, v1 = (np.take_along_axis(values, first + k, axis=-1)[..., 0] for k in (0, 1))
    share = np.clip((at - t0) / np.maximum(t1 - t0, 1e-12), 0.0, 1.0)
    result: Floats = v0 + (v1 - v0) * share
    return result

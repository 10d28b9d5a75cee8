"""Transitions between any gaits, from any phase, also before the last has ended.

Every leg has a clock of its own. A transition moves the blend weights like damped springs; the clocks of legs that are
early wait while those that are late hurry, mostly in swing, until all keep the new gait's time. Which time that is
follows from the legs: the circular mean of where each of them is.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np

from canter.control.steering import Root, free_spring
from canter.cycles.engine.frame import Frame
from canter.cycles.engine.strides import StrideTable, mean_phase, since_touchdown, wrap
from canter.cycles.engine.timing import Timing
from canter.footing.lock import Limits, Strain
from canter.footing.reach import MAX_EXTENSION
from canter.motion.arrays import Bools, Floats, Ints
from canter.motion.numbers import column, each_leg, functions_of, legs_apart, legs_together, number_or_array, some

POSTURE_STRIDES = 1.4
"""Strides in which the posture of the body follows the legs into another gait."""
WEIGHT_FREQUENCY = 0.75
"""Natural frequency of the springs of the blend weights, in cycles per stride."""
MAX_SWING_HURRY, MAX_STANCE_HURRY, PHASE_GAIN = 0.4, 0.15, 3.0
"""Shares of its rate by which a leg hurries or waits at most in swing and in stance, and per cycle that it is off."""
MAX_BODY_HURRY = 0.25
"""The share of its rate by which the body hurries or waits for the legs at most."""
LANDING_CLOCK = 1.85
"""From this clock on a foot is about to land, and hurries and waits no more than one in stance."""
EARLY_LIFT_CLOCK, MAX_EARLY_LIFT_RATE = 0.35, 2.0
"""From which clock on, and to how many times its rate, a leg that will be too short before its stance ends hurries."""
STEP_EXTENSION = 0.03
"""Over which share of its length beyond the limit a leg of a standing animal comes to step."""
MAX_STRAY = 0.025
"""Hip heights by which a foot of a standing animal may be from where it belongs."""
CORRECTIVE_LIFT = (0.03, 0.6, 0.12)
"""Hip heights that such a foot is lifted by: at least, more for each that it has to go, and at most."""
STANDING_WEIGHT = 0.95
"""The weight of a stand from which legs begin a gait anew; before, they go on where they are."""
SQUARE_UP_WEIGHT = 0.7
"""The weight of a stand from which feet that are astray are put right, about a quarter of a second after a halt."""
NO_WEIGHT = 0.02
"""A gait that weighed no more than this showed nothing of its phase."""
MIN_STRIDE_SECONDS = 0.2
"""Strides are not taken to be shorter than this for the rates of blending."""
FIRST_LIFT_CLOCK, START_SPREAD = 0.98, 0.45
"""The clock of the hind leg that is lifted first out of a stand, and by how much clocks differ per stride after it."""


class Transition:
    """The transition of the preset `gaits`: owns a `Timing`; postures follow the legs within `posture_strides`."""

    def __init__(
        self,
        strides: StrideTable,
        timing: Timing,
        limits: Limits,
        hip_height: float,
        posture_strides: float = POSTURE_STRIDES,
    ) -> None:
        self.strides, self.timing, self._limits = strides, timing, limits
        self._hip_height, self._posture_strides = hip_height, posture_strides
        self._each = np.eye(timing.kinds)

    def step(self, frame: Frame) -> None:
        self.advance(frame.gait, frame.root, frame.strain, frame.dt)

    def advance(self, gait: Ints, root: Root, strain: Strain, dt: float) -> None:
        """Weights, clocks and phases go on by `dt` seconds, toward the cycles `gait (N,)` that are wanted."""
        timing, stands = self.timing, self.strides.laws.stands
        timing.time = timing.time + dt
        if np.count_nonzero(gait != timing.target):
            starts = stands[timing.target] & ~stands[gait]
            if starts.any():  # only legs that show the stand: others would jump to their new clocks
                starts &= timing.target_weights() > STANDING_WEIGHT
                self._start(starts, gait)
        timing.target = gait
        before, stride, duty = timing.weights, timing.stride, timing.duty
        self._blend(dt)
        self.measure(root)
        self._tick(strain, 2.0 / (stride + timing.stride), 0.5 * (duty + timing.duty), dt)
        timing.phases = self.strides.phases(timing.clocks)
        self._advance_body(before, dt)

    def measure(self, root: Root) -> None:
        """How long strides take and feet stand at the present speed."""
        speed = np.abs(root.velocity) + self.strides.girth * np.abs(root.yaw_rate)
        self.timing.stride, self.timing.duty = self.strides.measure(self.timing.weights, speed)

    def settle(self, rows: Ints, gait: Ints) -> None:
        """The animals of `rows` are altogether in the cycles `gait`."""
        for name in ("weights", "posture_weights"):
            weights = getattr(self.timing, name).copy()
            weights[rows] = 0.0
            weights[rows, gait] = 1.0
            setattr(self.timing, name, weights)
        self.timing.weight_rates = self.timing.weight_rates.copy()
        self.timing.weight_rates[rows] = 0.0

    def set_clocks(self, rows: Ints, clocks: Floats) -> None:
        """The legs of the animals of `rows` are at `clocks (R, L)`, by the timing of something else."""
        self.timing.clocks = self.timing.clocks.copy()
        self.timing.clocks[rows] = clocks
        self.timing.phases[rows] = self.strides.phases(clocks)

    def _blend(self, dt: float) -> None:
        """Blend weights as critically damped springs toward the target."""
        timing = self.timing
        settled = np.count_nonzero(timing.target_weights() == 1.0) == timing.count
        self._blend_posture(dt)
        if settled:
            return
        wanted: Floats = self._each.take(timing.target, axis=0)
        off = wanted - timing.weights
        frequency = (math.tau * WEIGHT_FREQUENCY / np.maximum(timing.stride, MIN_STRIDE_SECONDS))[:, None]
        weights, rates = free_spring(timing.weights, timing.weight_rates, off, frequency, dt)
        weights = np.minimum(np.maximum(weights, 0.0), 1.0)
        near = np.logical_and.reduce((np.abs(off) < 2e-3) & (np.abs(rates) < 0.05), axis=1, keepdims=True)
        weights /= np.add.reduce(weights, axis=1, keepdims=True)
        if np.count_nonzero(near):
            weights, rates = np.where(near, wanted, weights), np.where(near, 0.0, rates)
        timing.weights, timing.weight_rates = weights, rates

    def _blend_posture(self, dt: float) -> None:
        """The posture follows more gently than the legs."""
        timing = self.timing
        late = timing.weights - timing.posture_weights
        if not np.count_nonzero(late):
            return
        stride = number_or_array(timing.stride)
        fn = functions_of(stride)
        late *= column(fn.exp(-dt / (self._posture_strides * fn.maximum(stride, MIN_STRIDE_SECONDS))))
        near = np.maximum.reduce(abs(late), axis=1, keepdims=True) < 2e-3
        timing.posture_weights = timing.weights - (np.where(near, 0.0, late) if np.count_nonzero(near) else late)

    def _start(self, starts: Bools, gait: Ints) -> None:
        """Legs that stood get clocks of the gait that begins: a hind leg is about to lift, the others soon after."""
        timing, strides = self.timing, self.strides
        rows = np.flatnonzero(starts)
        lifts = strides.touchdowns[gait[rows]] + strides.duties[gait[rows]]
        after = (lifts - lifts[:, 2:3]) % 1.0
        swings = timing.clocks[rows] >= 1
        clocks = timing.clocks.copy()
        clocks[rows] = np.where(swings, clocks[rows], FIRST_LIFT_CLOCK - START_SPREAD * after)
        timing.clocks = clocks

    def _tick(self, strain: Strain, rate: Floats, duty: Floats, dt: float) -> None:
        """The clocks of the legs go on, at `rate (N,)` strides a second with such duty factors `(N, L)`."""
        timing, strides, target = self.timing, self.strides, self.timing.target
        before = timing.clocks
        if np.count_nonzero(timing.lift):
            timing.lift = timing.lift * np.floor(before)
        cycle_duty, touchdown = strides.duties.take(target, axis=0), strides.touchdowns.take(target, axis=0)
        legs = (before, cycle_duty, touchdown, duty, strain.extension, strain.extension_rate)
        clock, cycle_duty, touchdown, leg_duty, extension, extending = map(legs_apart, legs) if len(rate) == 1 else legs
        (phase,) = each_leg(_phase, clock, cycle_duty, touchdown)
        strides_on = dt * column(number_or_array(rate))
        pace = partial(_pace, mean=column(mean_phase(phase)), strides_on=strides_on, dt=dt)
        swung, step, went = each_leg(pace, clock, phase, leg_duty, extension, extending)
        standing = strides.laws.stands.take(target)
        if np.count_nonzero(standing):
            went, step, swings = legs_together(went), legs_together(step), before >= 1.0
            self._correct_stance(strain.stray, swings, standing)
            short = np.minimum(np.maximum((strain.extension - self._limits.stance) / STEP_EXTENSION, 0.0), 1.0)
            resting = np.where(swings, step, 2 * strides_on * short * (timing.clocks > EARLY_LIFT_CLOCK))
            clock, went = timing.clocks, np.where(standing[:, None], resting, went)
            swung, leg_duty = np.floor(before), duty
        (clock,) = each_leg(partial(_ticked, strides_on=strides_on), clock, swung, went, leg_duty)
        timing.clocks = legs_together(clock)

    def _correct_stance(self, stray: Floats, swings: Bools, standing: Bools) -> None:
        """A standing animal with a foot astray lifts it and puts it right, one foot after the other."""
        timing = self.timing
        worst = np.argmax(stray, axis=1)
        settled = timing.target_weights() > SQUARE_UP_WEIGHT
        astray = stray.max(axis=1) > MAX_STRAY
        who = np.flatnonzero(standing & settled & astray & ~swings.any(axis=1))
        if not len(who):
            return
        clocks, lift = timing.clocks.copy(), timing.lift.copy()
        clocks[who, worst[who]] = 1.0
        least, more, most = CORRECTIVE_LIFT
        height = np.minimum(least + more * stray[who, worst[who]], most)
        lift[who, worst[who]] = height * self._hip_height
        timing.clocks, timing.lift = clocks, lift

    def _advance_body(self, before: Floats, dt: float) -> None:
        """The body goes on with the strides and after the mean of the legs; only gaits that hardly weighed anything
        `before (N, S)` jump to it."""
        timing, strides = self.timing, self.strides
        active = timing.active
        who, which, index = active.who, active.which, active.index
        phases = timing.phases.reshape(-1, timing.legs).take(index, axis=0)
        mean = mean_phase(phases if len(phases) > 1 else phases.tolist()[0])
        values = (timing.body_phases.take(index), before.take(index), timing.stride.take(who))
        body_phase, weighed, stride = map(number_or_array, values)  # numbers for one animal in one gait
        fn, went = functions_of(mean), dt / stride
        on, most = body_phase + went, MAX_BODY_HURRY * went
        phases = on + fn.minimum(fn.maximum(wrap(mean - on), -most), most)
        phases = fn.where(weighed <= NO_WEIGHT, mean, phases)
        stands = strides.laws.stands.take(which)
        if np.count_nonzero(stands):
            phases = np.where(stands, timing.time.take(who) / strides.seconds.take(which), phases)
        body = timing.body_phases.copy()
        body.put(index, phases)
        timing.body_phases = body


def _phase(clock: Any, duty: Any, touchdown: Any) -> tuple[Any]:
    """The phase of a leg in a cycle with such a duty factor and touchdown."""
    return (since_touchdown(clock, duty) + touchdown,)


def _pace(
    clock: Any, phase: Any, duty: Any, extension: Any, extending: Any, *, mean: Any, strides_on: Any, dt: float
) -> tuple[Any, Any, Any]:
    """Whether a leg swings, 1 or 0; what the frame, which is `strides_on` of a stride long, is worth on its clock; and
    by how much the clock goes on: less if its `phase` is ahead of the `mean`, which suits all best, more if it is late,
    or if the leg in stance will be too short before it ends: it is extended so far, and `extending` so fast."""
    fn = functions_of(clock)
    swings, swung = clock >= 1.0, fn.floor(clock)
    step = strides_on / abs(swung - duty)
    most = fn.where(swings & (clock < LANDING_CLOCK), MAX_SWING_HURRY, MAX_STANCE_HURRY)
    went = step * (1.0 - fn.minimum(fn.maximum(PHASE_GAIN * wrap(phase - mean), -most), most))
    strained = (extending > 0.0) & (clock < 1.0) & (clock > EARLY_LIFT_CLOCK)
    if some(strained):
        seconds_left = (MAX_EXTENSION - extension) / fn.where(strained, extending, 1.0)
        ends = (1 - clock) * dt / fn.maximum(seconds_left, dt)
        went = fn.where(strained, fn.maximum(went, fn.minimum(ends, MAX_EARLY_LIFT_RATE * went)), went)
    return swung, step, went


def _ticked(clock: Any, swung: Any, went: Any, duty: Any, *, strides_on: Any) -> tuple[Any]:
    """The clock of a leg after it `went` on: beyond the border between stance and swing it goes at another pace."""
    fn, border, clock = functions_of(clock), swung + 1.0, clock + went
    over = clock >= border
    if some(over):
        other = strides_on / (1.0 - abs(swung - duty))  # what the frame is worth beyond the border
        passed = 1.0 - swung + (clock - border) / fn.maximum(went, 1e-9) * other
        clock = fn.where(over, passed, clock)
    return (clock,)

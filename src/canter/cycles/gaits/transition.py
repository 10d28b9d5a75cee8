"""Our own transitions: between any gaits, from any phase, also before the last has ended.

Every leg has a clock of its own. A transition moves the weights of the gaits like damped springs, and the clocks of
legs that are early wait while those that are late hurry, mostly in swing, until all keep the new gait's time. Which
time that is follows from the legs: the circular mean of where each of them is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from canter.cycles.engine.reach import REACH
from canter.cycles.engine.state import mean_phase, since_touchdown, wrap
from canter.motion.arrays import Bools, Floats, Ints

if TYPE_CHECKING:
    from canter.cycles.engine.engine import Crowd

EASING = 1.4
"""Strides in which the posture of the body follows the legs into another gait."""
PACE = 0.75
"""How quickly weights go over, in springs' turns a stride."""
HURRY, STANDING_HURRY, EAGER = 0.4, 0.15, 3.0
"""By how much of its rate a leg may hurry or wait in swing and in stance, and how much per cycle that it is off."""
BODY_HURRY = 0.25
"""By how much of its rate the body may hurry or wait for the legs."""
LANDING = 1.85
"""From where in swing a foot is about to come down, and hurries and waits no more than one that stands."""
LATE, QUICKEST = 0.35, 2.0
"""From where in stance a leg that will end before its stance does may hurry, and how much, to be lifted in time."""
STRETCHED = 0.03
"""By which share of its length more than in any cycle a leg of a standing animal may be stretched before it steps."""

STRAYED = 0.025
"""Hip heights by which a foot of a standing animal may be from where it belongs."""
RAISED = (0.03, 0.6, 0.12)
"""Hip heights that such a foot is lifted by: at the least, more for each that it has to go, and at the most."""


class Mixing:
    """The transition of the preset `gaits`; postures follow the legs within `easing` strides."""

    def __init__(self, easing: float = EASING) -> None:
        self._easing = easing

    def advance(self, crowd: Crowd, gait: Ints, dt: float) -> None:
        """Weights, clocks and phases of the herd go on by a frame, toward the gaits `(N,)` that are wanted."""
        herd = crowd.herd
        starts = crowd.laws.stands[herd.target] & ~crowd.laws.stands[gait]
        if starts.any():
            self._start(crowd, starts, gait)
        herd.target = gait
        before = herd.weights
        self._weigh(crowd, dt)
        crowd.measure()
        self._tick(crowd, dt)
        herd.phases = crowd.phases_of(herd.clocks)
        self._body(crowd, before, dt)

    def _body(self, crowd: Crowd, before: Floats, dt: float) -> None:
        """The body goes on with the strides and after the mean of the legs; only gaits that hardly weighed anything
        `before (N, S)` jump to it."""
        herd = crowd.herd
        active = np.flatnonzero(herd.weights > 0)
        who, which = np.divmod(active, herd.kinds)
        stride = crowd.stride[who]
        mean = mean_phase(herd.phases.reshape(-1, herd.legs).take(active, axis=0))
        on = herd.body.take(active) + dt / stride
        most = BODY_HURRY * dt / stride
        hurried = on + np.minimum(np.maximum(wrap(mean - on), -most), most)
        moves = np.where(before.take(active) > 0.02, hurried, mean)
        idle = herd.time[who] / crowd.seconds[which]
        herd.body[who, which] = np.where(crowd.laws.stands[which], idle, moves)

    def _weigh(self, crowd: Crowd, dt: float) -> None:
        herd = crowd.herd
        wanted = np.equal.outer(herd.target, np.arange(herd.kinds)).astype(np.float64)
        off = wanted - herd.weights
        self._ease(crowd, dt)
        if not off.any():
            return
        pace = (2 * np.pi * PACE / np.maximum(crowd.stride, 0.2))[:, None]
        herd.drift = herd.drift + dt * (pace**2 * off - 2 * pace * herd.drift)
        weights = np.minimum(np.maximum(herd.weights + dt * herd.drift, 0.0), 1.0)
        settled = ((np.abs(off) < 2e-3) & (np.abs(herd.drift) < 0.05)).all(axis=1, keepdims=True)
        herd.drift = np.where(settled, 0.0, herd.drift)
        herd.weights = np.where(settled, wanted, weights / weights.sum(axis=1, keepdims=True))

    def _ease(self, crowd: Crowd, dt: float) -> None:
        """The posture goes over more gently than the legs."""
        herd = crowd.herd
        if (herd.eased == herd.weights).all():
            return
        share = np.minimum(dt / (self._easing * np.maximum(crowd.stride, 0.2)), 1.0)[:, None]
        eased = herd.eased + share * (herd.weights - herd.eased)
        near = (np.abs(eased - herd.weights) < 2e-3).all(axis=1, keepdims=True)
        herd.eased = np.where(near, herd.weights, eased)

    def _start(self, crowd: Crowd, starts: Bools, gait: Ints) -> None:
        """Legs that stood get clocks of the gait that begins: a hind leg is about to lift, the others soon after."""
        rows = np.flatnonzero(starts)
        lifts = crowd.touchdowns[gait[rows]] + crowd.duties[gait[rows]]
        after = (lifts - lifts[:, 2:3]) % 1.0
        swings = crowd.herd.clocks[rows] >= 1
        crowd.herd.clocks[rows] = np.where(swings, crowd.herd.clocks[rows], 0.98 - 0.45 * after)

    def _tick(self, crowd: Crowd, dt: float) -> None:
        herd, rate = crowd.herd, 1 / crowd.stride[:, None]
        swings = herd.clocks >= 1
        standing = crowd.laws.stands[herd.target]
        share = np.where(swings, 1 - crowd.duty, crowd.duty)
        step = rate / share
        most = np.where(swings & (herd.clocks < LANDING), HURRY, STANDING_HURRY)
        hurry = np.minimum(np.maximum(EAGER * self._early(crowd), -most), most)
        went = dt * step * (1 - hurry)
        left = (REACH - herd.stretch) / np.maximum(herd.stretching, 1e-6)  # frames until the leg ends
        ends = (1 - herd.clocks) / np.maximum(left, 1.0)
        early = ~swings & (herd.stretching > 0) & (herd.clocks > LATE)
        went = np.where(early, np.maximum(went, np.minimum(ends, QUICKEST * went)), went)
        if standing.any():
            self._tidy(crowd, swings, standing)
            short = np.minimum(np.maximum((herd.stretch - crowd.most_standing) / STRETCHED, 0.0), 1.0)
            resting = np.where(swings, step, 2 * rate * short * (herd.clocks > LATE))
            went = np.where(standing[:, None], dt * resting, went)
        clocks = herd.clocks + went
        other = dt * rate / (1 - share)  # what a frame is worth beyond the border
        border = 1.0 + swings
        passed = 1 - swings + (clocks - border) / np.maximum(went, 1e-9) * other
        herd.clocks = np.where(clocks >= border, passed, clocks)

    def _tidy(self, crowd: Crowd, swings: Bools, standing: Bools) -> None:
        """Who stands with a foot astray lifts it and puts it right, one foot after the other."""
        herd = crowd.herd
        worst = np.argmax(crowd.strayed, axis=1)
        settled = herd.weights[np.arange(herd.count), herd.target] > 0.6
        astray = crowd.strayed.max(axis=1) > STRAYED
        who = np.flatnonzero(standing & settled & astray & ~swings.any(axis=1))
        herd.clocks[who, worst[who]] = 1.0
        least, more, most = RAISED
        height = np.minimum(least + more * crowd.strayed[who, worst[who]], most)
        herd.raised[who, worst[who]] = height * crowd.library.character.anatomy.hip_height

    def _early(self, crowd: Crowd) -> Floats:
        """By how much of a cycle each leg `(N, L)` is ahead of the time that suits all best."""
        herd = crowd.herd
        phases = since_touchdown(herd.clocks, crowd.duties[herd.target]) + crowd.touchdowns[herd.target]
        return wrap(phases - mean_phase(phases)[:, None])

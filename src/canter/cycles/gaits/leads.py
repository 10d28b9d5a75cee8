"""Leads: in a canter or a gallop one foreleg lands last and reaches farthest, and in a turn it is the inner one.

A gait with a lead has two cycles, one the mirror image of the other. Which of them an animal goes in follows from the
turn that the springs of its steering predict. Who sets off straight on takes the lead that the gait's clip has, as
animals have a side that they prefer; who comes out of a turn keeps its lead. A change of lead is a change of gait
between the two. It begins early in the stance of the leading foreleg, the last one before the suspension, so that the
legs change places in the air; in a gait without a suspension it begins at once, and each leg changes in its next
swing.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from canter.control.steering import Root, SteeringLimits, Wish, predicted_turn
from canter.cycles.engine.frame import Frame
from canter.cycles.engine.gait_graph import Choice
from canter.cycles.engine.strides import StrideTable
from canter.motion.arrays import Floats, Ints
from canter.motion.constants import GRAVITY
from canter.motion.numbers import array_of, functions_of, number_or_array, some

TURN_FORESIGHT_STRIDES = 0.8
"""Strides ahead for which the turn is predicted."""
MIN_LATERAL_G = 0.03
"""The sideways acceleration, in g, that such a turn must have for the lead to matter."""
LATEST_CLOCK = 0.5
"""The clock of the leading foreleg, in its stance, until which a change of lead may begin."""
GROUNDED_STRIDES = 1.25
"""Strides without a suspension after which a gait counts as one that has none."""


@dataclass(eq=False)
class LeadState:
    """The leads of N animals: the `side (N,)` that was last chosen, 1 left, -1 right, 0 before any choice; and how many
    strides ago the last suspension was, `grounded (N,)`."""

    count: int
    side: Ints = field(init=False)
    grounded: Floats = field(init=False)

    def __post_init__(self) -> None:
        self.side, self.grounded = np.zeros(self.count, np.int64), np.zeros(self.count)


class Leads:
    """The stage after steering: of a gait that has leads, the cycle with the lead that suits the turn."""

    def __init__(self, choice: Choice, strides: StrideTable, limits: SteeringLimits, count: int) -> None:
        self._limits, self._gait_of = limits, choice.gait_of
        kinds = len(strides.touchdowns)
        self._cycles = np.stack([np.arange(kinds)] * 3)  # by side: 0 the gait itself, 1 left, -1 right
        self.sides = np.zeros(kinds, np.int64)
        """The lead of each cycle `(S,)`: 1 left, -1 right, 0 for none."""
        for gait, (left, right) in choice.leads.items():
            self._cycles[[1, -1], gait] = left, right
            self.sides[[left, right]] = 1, -1
        self._leading_fore = np.where(self.sides > 0, 0, 1)
        self._kinds, self._first_legs = kinds, number_or_array(np.arange(count) * strides.touchdowns.shape[1])
        self.state = LeadState(count)

    def step(self, frame: Frame) -> None:
        gait = number_or_array(frame.gait)
        fn = functions_of(gait)
        has_lead = fn.take(self.sides, gait) != 0
        if not some(has_lead):
            return
        state, timing = self.state, frame.timing
        target, stride, side, before = map(number_or_array, (timing.target, timing.stride, state.side, state.grounded))
        begins = fn.take(self._gait_of, target) != gait
        flies = begins | number_or_array(~frame.contacts.any(axis=1))
        grounded = fn.where(has_lead, fn.where(flies, 0.0, before + frame.dt / stride), before)
        clock = fn.take(timing.clocks, self._first_legs + fn.take(self._leading_fore, target))
        free = has_lead & (begins | (clock < LATEST_CLOCK) | (grounded > GROUNDED_STRIDES))
        if some(free):
            suits = suitable_side(frame.root.numbers(), frame.wish, self._limits, stride, frame.yaw_error)
            prefers = begins & has_lead & (fn.take(self.sides, target) == 0)
            side = fn.where(free & (suits != 0), suits, fn.where(prefers, 0, side))
        state.side, state.grounded = array_of(side), array_of(grounded)
        frame.gait = array_of(fn.take(self._cycles, side % 3 * self._kinds + gait))


def suitable_side(root: Root, wish: Wish, limits: SteeringLimits, stride: Floats, off: Floats | None = None) -> Ints:
    """The lead `(N,)` that suits the predicted turn, from strides of so many seconds `(N,)`: 1 left, -1 right, 0 where
    the animal goes about straight on. `off (N,)` is the yaw error, where it is known."""
    seconds = TURN_FORESIGHT_STRIDES * stride
    turn = predicted_turn(root, wish, limits, seconds, off)
    fn, bends = functions_of(turn), abs(turn * root.velocity) > MIN_LATERAL_G * GRAVITY * seconds
    result: Ints = fn.where(bends, fn.where(turn > 0, 1, -1), 0)
    return result

"""Leads: in a canter or a gallop one foreleg lands last and reaches farthest, and in a turn it is the inner one.

A gait with a lead has two cycles, one the mirror image of the other. Which of them an animal goes in follows from the
turn that the springs of its steering predict; a change of lead is a change of gait between the two. It begins while the
leading foreleg stands, the last before the suspension, so that the legs change places in the air; in a gait without a
suspension it begins at once, and each leg changes in its next swing.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from canter.control.steering import SteeringLimits, predicted_turn
from canter.cycles.engine.frame import Frame
from canter.cycles.engine.gait_graph import Choice
from canter.cycles.engine.strides import StrideTable, wrap
from canter.motion.arrays import Floats, Ints
from canter.motion.constants import GRAVITY

FORESIGHT_STRIDES = 1.0
"""Strides ahead for which the turn is predicted."""
MIN_LATERAL_G = 0.03
"""The sideways acceleration, in g, that such a turn must have for the lead to matter."""
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
        gaps = wrap(strides.touchdowns[:, 1] - strides.touchdowns[:, 0])
        self._last_fore = np.where(gaps > 0, 1, 0)
        self.state = LeadState(count)

    def step(self, frame: Frame) -> None:
        has_lead = self.sides[frame.gait] != 0
        if not has_lead.any():
            return
        state, timing, rows = self.state, frame.timing, np.arange(self.state.count)
        airborne = ~frame.contacts.any(axis=1)
        state.grounded = np.where(airborne, 0.0, state.grounded + frame.dt / timing.stride)
        seconds = FORESIGHT_STRIDES * timing.stride
        turn = predicted_turn(frame.root, frame.wish, self._limits, seconds)
        bends = np.abs(turn * frame.root.velocity) > MIN_LATERAL_G * GRAVITY * seconds
        wanted = np.where(bends, np.where(turn > 0, 1, -1), state.side)
        begins = self._gait_of[timing.target] != frame.gait
        last_fore_stands = frame.contacts[rows, self._last_fore[timing.target]]
        free = begins | last_fore_stands | (state.grounded > GROUNDED_STRIDES)
        state.side = np.where(has_lead & free, wanted, state.side)
        frame.gait = self._cycles[state.side, frame.gait]

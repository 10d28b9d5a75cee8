"""From a policy's actions to targets of servos: residuals to a reference, or angles of their own.

Targets go from one step of the policy to the next along a line, so that torques have no jumps.
"""

from __future__ import annotations

import numpy as np

from canter.body.articulation import Articulation
from canter.motion.arrays import Floats
from canter.physics.reference import ReferenceState

ACTION_RADIANS = 0.3
"""What an action of 1 adds to the target of a hinge."""
MAX_ACTION = 4.0


class Servos:
    """The hinges of a body that have servos, in their order."""

    def __init__(self, body: Articulation) -> None:
        self.hinges = np.flatnonzero(~body.passive)
        self._limits = body.limits[self.hinges]
        lag = np.array([hinge.damping / hinge.stiffness for hinge in body.hinges])
        self._lag = lag[self.hinges]  # seconds by which a servo is behind a target that moves

    def __len__(self) -> int:
        return len(self.hinges)

    def residual(self, reference: ReferenceState, action: Floats) -> Floats:
        """Targets `(N, A)` that bring bodies to the angles of a reference, and actions added to them."""
        angles, speeds = reference.angles[:, self.hinges], reference.speeds[:, self.hinges]
        result: Floats = angles + self._lag * speeds + ACTION_RADIANS * action
        return result

    def between(self, start: Floats, end: Floats, shares: Floats) -> Floats:
        """Targets `(N, n, A)` at `shares (n,)` of the way from one to another, each `(N, A)`."""
        share = shares[:, None]
        way = start[:, None] * (1 - share) + end[:, None] * share
        return np.clip(way, self._limits[:, 0], self._limits[:, 1])


def middles(first: int, last: int, count: int) -> Floats:
    """The middles of small steps from `first` to before `last`, of `count`, as shares of all."""
    result: Floats = (np.arange(first, last) + 0.5) / count
    return result

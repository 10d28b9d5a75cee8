"""From a policy's actions to targets of servos: residuals to a reference, or angles of their own.

A residual moves the feet and bends the back: a few numbers that a body balances by, where one for every hinge would be
found by chance much later. Targets go from one step of the policy to the next along a line, so that torques have no
jumps.
"""

from __future__ import annotations

import numpy as np

from canter.body.articulation import Articulation
from canter.motion.arrays import Floats
from canter.physics.axes import to_mujoco
from canter.physics.mirror import AXIAL, POLAR, Mirror
from canter.physics.reference import ReferenceState

FOOT_HIP_HEIGHTS = 0.15
"""How far an action of 1 moves a foot ahead, left or up."""
BACK_RADIANS = 0.15
"""How far an action of 1 rolls, pitches or turns the shoulders against the hips."""
DAMPING = 0.02
"""Of the inverse from feet to hinges, in hip heights squared: stretched legs are not turned wildly."""
MAX_ACTION = 5.0


class Servos:
    """The hinges of a body that have servos, in their order."""

    def __init__(self, body: Articulation) -> None:
        self.body = body
        self.hinges = np.flatnonzero(~body.passive)
        self._limits = body.limits[self.hinges]
        lag = np.array([hinge.damping / hinge.stiffness for hinge in body.hinges])
        self._lag = lag[self.hinges]  # seconds by which a servo is behind a target that moves
        self._synergies = synergies(body)[:, self.hinges]
        legs = body.character.anatomy.partners
        feet = [3 * leg + k for leg in legs for k in range(3)]
        self.mirror = Mirror.join([Mirror.of(POLAR * len(legs), feet), Mirror.of(AXIAL)])
        """Mirror images of residuals."""

    @property
    def residuals(self) -> int:
        """Numbers of a residual."""
        return len(self._synergies)

    def residual(self, reference: ReferenceState, action: Floats) -> Floats:
        """Targets `(N, A)` that bring bodies to the angles of a reference, moved by residuals `(N, R)`."""
        angles, speeds = reference.angles[:, self.hinges], reference.speeds[:, self.hinges]
        result: Floats = angles + self._lag * speeds + action @ self._synergies
        return result

    def between(self, start: Floats, end: Floats, shares: Floats) -> Floats:
        """Targets `(N, n, A)` at `shares (n,)` of the way from one to another, each `(N, A)`."""
        share = shares[:, None]
        way = start[:, None] * (1 - share) + end[:, None] * share
        return np.clip(way, self._limits[:, 0], self._limits[:, 1])


def synergies(body: Articulation) -> Floats:
    """How the hinges turn `(R, H)` for each number of a residual: foot after foot ahead, left and up, then the back
    about these axes; by the Jacobians of the legs in the bind pose."""
    legs, height = len(body.character.anatomy.legs), body.hip_height
    result = np.zeros((3 * legs + 3, len(body.hinges)))
    for segment in body.segments:
        if segment.role == "lower":
            mine = [k for k, hinge in enumerate(body.hinges) if body.segments[hinge.segment].leg == segment.leg]
            arms = [segment.end - body.segments[body.hinges[k].segment].place for k in mine]
            moved = np.array([np.cross(body.hinges[k].axis, arm) for k, arm in zip(mine, arms, strict=True)])
            jacobian = to_mujoco(moved).T
            square = jacobian @ jacobian.T + DAMPING * height**2 * np.eye(3)
            inverse = jacobian.T @ np.linalg.inv(square) * FOOT_HIP_HEIGHTS * height
            result[3 * segment.leg : 3 * segment.leg + 3, mine] = inverse.T
    back = [k for k, hinge in enumerate(body.hinges) if body.segments[hinge.segment].role == "trunk"]
    if back:
        axes = to_mujoco(np.array([body.hinges[k].axis for k in back]))
        bones = len({body.hinges[k].segment for k in back})
        result[3 * legs :, back] = BACK_RADIANS * axes.T / bones
    return result


def middles(first: int, last: int, count: int) -> Floats:
    """The middles of small steps from `first` to before `last`, of `count`, as shares of all."""
    result: Floats = (np.arange(first, last) + 0.5) / count
    return result

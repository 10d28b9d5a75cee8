"""The trunk is shown steadier than it is predicted: a network's errors differ from frame to frame, and make trunk and
head tremble by a millimetre or two, at 8 Hz and more, where no trunk of the data moves.

Only what is shown is smoothed. Networks go on from what they predicted, and feet are put where that was.
"""

from __future__ import annotations

import math

import numpy as np

from canter.motion.arrays import Bools, Floats
from canter.neural.layout import Body

STEADY_SECONDS = 0.024
"""Time constant of the smoothing, for an animal of one metre at the hips; it goes with the root of the height."""


class SteadyTrunk:
    """The smoothed joints `(N, columns)` of N animals."""

    def __init__(self, body: Body, hip_height: float, frame_rate: float, count: int, columns: int) -> None:
        joints, trunk = len(body), ~in_legs(body)
        smooth = np.zeros(columns, bool)
        smooth[: 3 * joints] = np.repeat(trunk & body.free, 3)
        smooth[3 * joints : 9 * joints] = np.repeat(trunk, 6)
        share = -math.expm1(-1 / (frame_rate * STEADY_SECONDS * math.sqrt(hip_height)))
        self._shares = np.where(smooth, share, 1.0).astype(np.float32)
        self._joints: Floats = np.zeros((count, columns), np.float32)

    def reset(self, who: Bools, joints: Floats) -> None:
        """Animals of the mask `who (N,)` begin with `joints (N, columns)`."""
        self._joints = np.where(who[:, None], joints, self._joints)

    def step(self, joints: Floats) -> Floats:
        """What to show of the next joints `(N, columns)`."""
        change: Floats = joints - self._joints
        change *= self._shares
        self._joints += change
        return self._joints


def in_legs(body: Body) -> Bools:
    """Which joints `(J,)` belong to a leg: those that carry one foot only, and what hangs on them."""
    feet = np.zeros(len(body), np.int64)
    for foot in body.feet:
        joint = foot
        while joint >= 0:
            feet[joint] += 1
            joint = int(body.parents[joint])
    result: Bools = feet == 1
    for joint, parent in enumerate(body.parents):
        result[joint] |= parent >= 0 and result[parent]
    return result

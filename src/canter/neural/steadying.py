"""The trunk is shown steadier than it is predicted: a network's errors differ from frame to frame, and make trunk and
head tremble by millimetres, at 8 Hz and more, where no trunk of the data moves.

Only what is shown is smoothed. Networks go on from what they predicted, and feet are put where that was.
"""

from __future__ import annotations

import math

import numpy as np

from canter.motion.arrays import Bools, Floats

STEADY_SECONDS = 0.024
"""Time constant of the smoothing, for an animal of one metre at the hips; it goes with the root of the height."""


class SteadyTrunk:
    """The joints `(N, columns)` of N animals as they are shown: places and axes of all J but `legs (J,)` smoothed."""

    def __init__(self, legs: Bools, hip_height: float, frame_rate: float, count: int, columns: int) -> None:
        smooth = np.zeros(columns, bool)
        smooth[: 9 * len(legs)] = np.concatenate([np.repeat(~legs, 3), np.repeat(~legs, 6)])
        share = -math.expm1(-1 / (frame_rate * STEADY_SECONDS * math.sqrt(hip_height)))
        self._shares = np.where(smooth, share, 1.0).astype(np.float32)
        self.joints: Floats = np.zeros((count, columns), np.float32)

    def reset(self, who: Bools, joints: Floats) -> None:
        """Animals of the mask `who (N,)` begin with `joints (N, columns)`."""
        self.joints = np.where(who[:, None], joints, self.joints)

    def step(self, joints: Floats) -> None:
        """Goes on to the next joints `(N, columns)`."""
        change: Floats = joints - self.joints
        change *= self._shares
        self.joints += change

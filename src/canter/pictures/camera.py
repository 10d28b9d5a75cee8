"""A camera: from world points to pixels and depths. Parallel if it has no `distance`, else in perspective."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from canter.motion.arrays import Floats


@dataclass(frozen=True, eq=False)
class Camera:
    """Looks at `target (3,)` from the yaw `azimuth` and the height angle `elevation`, both in radians.

    Azimuth 0 sees the animal's face (it looks along -Z), -pi/2 its right side with the nose to the picture's right.
    `scale` is pixels a metre at the target; `distance` in metres, None for a parallel view. The target is drawn at
    `center`, in pixels from the top left.
    """

    target: Floats
    azimuth: float
    elevation: float
    scale: float
    center: tuple[float, float]
    distance: float | None = None

    @property
    def axes(self) -> Floats:
        """Rows: the picture's right, its up, and out of it towards the eye."""
        ce, se = math.cos(self.elevation), math.sin(self.elevation)
        ca, sa = math.cos(self.azimuth), math.sin(self.azimuth)
        out = np.array([ce * sa, se, ce * ca])
        right = np.array([ca, 0.0, -sa])
        return np.stack([right, np.cross(out, right), out])

    def project(self, points: Floats) -> tuple[Floats, Floats, Floats]:
        """Pixels `(..., 2)`, nearness `(...)` in metres (greater is nearer) and pixels a metre `(...)` at `points`."""
        seen = (points - self.target) @ self.axes.T
        near = seen[..., 2]
        if self.distance is None:
            scale = np.full(near.shape, self.scale)
        else:
            scale = self.scale * self.distance / np.maximum(self.distance - near, 0.05 * self.distance)
        x = self.center[0] + scale * seen[..., 0]
        y = self.center[1] - scale * seen[..., 1]
        return np.stack([x, y], -1), near, scale


SIDE = (-math.pi / 2, 0.0)
"""Azimuth and elevation that show the right side, nose to the right."""
TOP = (-math.pi / 2, math.pi / 2)
"""From above, nose to the right."""
QUARTER = (math.radians(-55), math.radians(16))
"""From the right and a little before and above."""

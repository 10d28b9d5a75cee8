"""Root motion of the preset `gaits`: velocity and yaw rate follow what is wanted like damped springs, within what legs
can do."""

from __future__ import annotations

import numpy as np

from canter.cycles.engine.frame import Frame
from canter.cycles.engine.state import Root
from canter.motion.arrays import Complexes, Floats
from canter.motion.constants import GRAVITY

RESPONSE_FREQUENCY = 0.95
"""Natural frequency of the spring of the velocity, in cycles per stride."""
MAX_ACCELERATION_G = 0.8
"""The greatest acceleration, in g."""
YAW_ACCELERATION = 14.0
"""Radians a second squared by which a yaw rate changes, for an animal of one metre at the hips."""


class RootMotion:
    """Owns a `Root`."""

    def __init__(self, root: Root, hip_height: float) -> None:
        self.root = root
        self._yaw_acceleration = YAW_ACCELERATION / np.sqrt(hip_height)

    def step(self, frame: Frame) -> None:
        self.advance(frame.wish, frame.yaw_rate, frame.timing.stride, frame.dt)

    def advance(self, wish: Complexes, yaw_rate: Floats, stride: Floats, dt: float) -> None:
        """Toward a velocity `(N,)` in own axes and a yaw rate `(N,)`, in a gait with strides of so many seconds."""
        root = self.root
        quick = 2 * np.pi * RESPONSE_FREQUENCY / np.maximum(stride, 0.15)
        push = root.acceleration + dt * (quick**2 * (wish - root.velocity) - 2 * quick * root.acceleration)
        root.acceleration = push / np.maximum(np.abs(push) / (MAX_ACCELERATION_G * GRAVITY), 1.0)
        before, turned = root.velocity, root.yaw_rate
        root.velocity = before + dt * root.acceleration
        most = self._yaw_acceleration * dt
        root.yaw_rate = turned + np.minimum(np.maximum(yaw_rate - turned, -most), most)
        middle = root.yaw + dt * (turned + root.yaw_rate) / 4
        root.place = root.place + dt * (before + root.velocity) / 2 * np.exp(1j * middle)
        root.yaw = root.yaw + dt * (turned + root.yaw_rate) / 2

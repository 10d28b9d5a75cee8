"""Steering of the preset `gaits`: what is wished for, and the gait that suits it."""

from __future__ import annotations

import numpy as np

from canter.control.steering import SteeringLimits, Wish, wanted_velocity, wanted_yaw_rate, yaw_error
from canter.cycles.engine.frame import Frame
from canter.cycles.engine.gait_graph import Choice
from canter.motion.arrays import Complexes, Floats, Ints

RANGE_SLACK = 0.12
"""By how much of its range of speeds a gait that is asked for may be overdone."""
SPEED_FORESIGHT_STRIDES = 0.5
"""Strides ahead whose speed a gait is chosen for."""


class Steering:
    """Says where an animal wants to go, and in which gait."""

    def __init__(self, choice: Choice, limits: SteeringLimits) -> None:
        self.choice, self.limits = choice, limits
        slack = np.array([1 - RANGE_SLACK, 1 + RANGE_SLACK])
        self._ranges = np.array([slack * choice.ranges.get(k, (np.inf, -np.inf)) for k in range(len(choice.names))])

    def step(self, frame: Frame) -> None:
        """Fills the wish and the gait; a wish that an overlay has left is kept."""
        command, root, timing = frame.command, frame.root, frame.timing
        frame.wish = Wish(command.speed, command.heading, command.facing, frame.max_yaw_rate)
        off = frame.yaw_error = yaw_error(root, frame.wish, self.limits.yaw_frequency)
        velocity = wanted_velocity(root.yaw, off, frame.wish, self.limits)
        speed = np.abs(root.velocity)
        yaw_rate = wanted_yaw_rate(speed, off, frame.wish, self.limits)
        soon = self._soon(velocity, speed, timing.stride)
        chosen = self.choice.choose(timing.target, velocity, soon, yaw_rate, speed)
        asked = self._asked(frame)
        if asked is not None:
            low, high = self._ranges[np.maximum(asked, 0)].T
            chosen = np.where((asked >= 0) & (soon >= low) & (soon <= high), asked, chosen)
        frame.gait = chosen

    def _soon(self, wish: Complexes, speed: Floats, stride: Floats) -> Floats:
        """The speed `(N,)` that an animal can have soon, on its way to the wanted one."""
        most = SPEED_FORESIGHT_STRIDES * self.limits.max_acceleration * stride
        result: Floats = speed + np.minimum(np.maximum(np.abs(wish) - speed, -most), most)
        return result

    def _asked(self, frame: Frame) -> Ints | None:
        """The cycles `(N,)` that styles ask for, -1 for none, where the commanded speed is in their range."""
        choice, command = self.choice, frame.command
        asked: Ints | None = None
        for gait, (low, high) in choice.ranges.items() if command.style else ():
            style = next((command.style[word] for word in choice.words_for(gait) if word in command.style), None)
            if style is None:
                continue
            fits = (style > 0.5) & (low <= command.speed) & (command.speed <= high)
            asked = np.where(fits, gait, -1 if asked is None else asked)
        return asked

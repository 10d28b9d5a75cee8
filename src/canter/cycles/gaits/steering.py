"""Steering of the preset `gaits`: what is wished for, and the gait that suits it."""

from __future__ import annotations

import numpy as np

from canter.control.steering import SteeringLimits, Wish, wanted_velocity, wanted_yaw_rate, yaw_error
from canter.cycles.engine.frame import Frame
from canter.cycles.engine.gait_graph import Choice
from canter.motion.arrays import Complexes, Floats, Ints
from canter.motion.numbers import array_of, functions_of, number_or_array

RANGE_SLACK = 0.12
"""By how much of its slowest and fastest speed a gait that is asked for may be overdone on the way to a speed."""
SPEED_FORESIGHT_STRIDES = 0.5
"""Strides ahead whose speed a gait is chosen for."""


class Steering:
    """Says where an animal wants to go, and in which gait."""

    def __init__(self, choice: Choice, limits: SteeringLimits, overdone: float = 0.0) -> None:
        self.choice, self.limits, self._overdone = choice, limits, overdone
        slack = np.array([-1, 1]) * max(RANGE_SLACK, overdone) + 1
        self._ranges = np.array([slack * choice.ranges.get(k, (np.inf, -np.inf)) for k in range(len(choice.names))])

    def step(self, frame: Frame) -> None:
        """Fills the wish and the gait; a wish that an overlay has left is kept."""
        command, root, timing = frame.command, frame.root.numbers(), frame.timing
        told = (command.speed, command.heading, command.facing, frame.max_yaw_rate)
        wish = Wish(*map(number_or_array, told))
        off = frame.yaw_error = yaw_error(root, wish, self.limits.yaw_frequency)
        velocity = wanted_velocity(root.yaw, off, wish, self.limits)
        speed = abs(root.velocity)
        yaw_rate = wanted_yaw_rate(speed, off, wish, self.limits)
        soon = self._soon(velocity, speed, number_or_array(timing.stride))
        chosen = array_of(self.choice.choose(number_or_array(timing.target), velocity, soon, yaw_rate, speed))
        asked = self._asked(frame)
        if asked is not None:
            low, high = self._ranges[np.maximum(asked, 0)].T
            chosen = np.where((asked >= 0) & (soon >= low) & (soon <= high), asked, chosen)
        frame.wish, frame.gait = wish, chosen

    def _soon(self, wish: Complexes, speed: Floats, stride: Floats) -> Floats:
        """The speed `(N,)` that an animal can have soon, on its way to the wanted one."""
        fn, most = functions_of(speed), SPEED_FORESIGHT_STRIDES * self.limits.max_acceleration * stride
        result: Floats = speed + fn.minimum(fn.maximum(abs(wish) - speed, -most), most)
        return result

    def _asked(self, frame: Frame) -> Ints | None:
        """The cycles `(N,)` that styles ask for, -1 for none, where the commanded speed is in their range, or so little
        beyond that they may be overdone."""
        choice, command, overdone = self.choice, frame.command, self._overdone
        asked: Ints | None = None
        for gait, (low, high) in choice.ranges.items() if command.style else ():
            style = next((command.style[word] for word in choice.words_for(gait) if word in command.style), None)
            if style is None:
                continue
            low, high = low * (1 - overdone), high * (1 + overdone)
            fits = (style > 0.5) & (low <= command.speed) & (command.speed <= high)
            asked = np.where(fits, gait, -1 if asked is None else asked)
        return asked

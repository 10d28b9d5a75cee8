"""Steering of the preset `gaits`: from speed, heading and facing to a wanted velocity, a yaw rate and a gait."""

from __future__ import annotations

import numpy as np

from canter.cycles.engine.cycle import Cycle
from canter.cycles.engine.frame import Frame
from canter.cycles.engine.gait_graph import Choice
from canter.cycles.engine.strides import wrap
from canter.cycles.gaits.root import MAX_ACCELERATION_G
from canter.motion.arrays import Complexes, Floats, Ints
from canter.motion.constants import GRAVITY

TURN_GAIN = 3.5
"""Radians a second of yaw rate per radian that the facing is off."""
SPIN = 0.45
"""The fastest that feet go in a turn on the spot, as a share of the speed of the slowest gait that is no crawl."""
MAX_LATERAL_G = 0.45
"""The greatest sideways acceleration in a turn, in g."""
ASIDE_RATIO = 2.0
"""How much faster than in its clips an animal may step aside and back; without such clips, as fast as it walks."""
RANGE_SLACK = 0.12
"""By how much of its range of speeds a gait that is asked for may be overdone."""
FORESIGHT_STRIDES = 0.5
"""Strides ahead whose speed a gait is chosen for."""


class Steering:
    """Says where an animal wants to go, and in which gait."""

    def __init__(self, cycles: tuple[Cycle, ...], choice: Choice, girth: float) -> None:
        self.choice = choice
        slack = np.array([1 - RANGE_SLACK, 1 + RANGE_SLACK])
        self._limits = np.array([slack * choice.ranges.get(k, (np.inf, -np.inf)) for k in range(len(cycles))])
        walks = cycles[choice.ahead[0]].speed
        self.side_speed, self.back_speed = (
            max([ASIDE_RATIO * cycles[k].speed for k in gaits if k is not None], default=walks)
            for gaits in (choice.aside or (), (choice.back,))
        )
        slowest = choice.ahead[min(1, len(choice.ahead) - 1)]
        self.max_yaw_rate = SPIN * choice.ranges[slowest][0] / girth
        """The fastest turn in radians a second."""

    def step(self, frame: Frame) -> None:
        command, root = frame.command, frame.root
        speed, heading, facing = command.speed, command.heading, command.facing
        wanted = np.where(speed > 0, heading, root.yaw)
        free = np.isnan(facing)
        if not free.all():
            wanted = np.where(free, wanted, facing)
        off = 2 * np.pi * wrap((wanted - root.yaw) / (2 * np.pi))
        most = self.yaw_rate_limit(np.abs(root.velocity))
        frame.yaw_rate = np.minimum(np.maximum(TURN_GAIN * off, -most), most)
        wish: Complexes = (speed * np.maximum(np.cos(off / 2), 0.25)).astype(complex)
        if not free.all():
            way = heading - root.yaw
            wish = np.where(free, wish, np.minimum(speed, self.fastest_towards(way)) * np.exp(1j * way))
        frame.wish = wish
        frame.gait = self._gait(frame)

    def yaw_rate_limit(self, speed: Floats) -> Floats:
        """The greatest yaw rates `(N,)` at such speeds."""
        result: Floats = np.minimum(self.max_yaw_rate, MAX_LATERAL_G * GRAVITY / np.maximum(speed, 0.1))
        return result

    def fastest_towards(self, way: Floats) -> Floats:
        """The greatest speeds `(N,)` of animals that go `way` radians to the left of where they face."""
        ahead, aside = np.cos(way), np.sin(way)
        fastest = np.where(ahead > 0, self.choice.fastest, self.back_speed)
        result: Floats = 1 / np.hypot(ahead / fastest, aside / self.side_speed)
        return result

    def choose(self, current: Ints, wish: Complexes, yaw_rate: Floats, speed: Floats, stride: Floats) -> Ints:
        """The cycles `(N,)` for wanted velocities and yaw rates, at present speeds and strides."""
        return self.choice.choose(current, wish, _soon(wish, speed, stride), yaw_rate, speed)

    def _gait(self, frame: Frame) -> Ints:
        """The cycle by speed and direction, or the one that a style asks for if the speed allows it soon."""
        timing, speed = frame.timing, np.abs(frame.root.velocity)
        soon = _soon(frame.wish, speed, timing.stride)
        chosen = self.choice.choose(timing.target, frame.wish, soon, frame.yaw_rate, speed)
        asked = self._asked(frame)
        if asked is None:
            return chosen
        low, high = self._limits[np.maximum(asked, 0)].T
        return np.where((asked >= 0) & (soon >= low) & (soon <= high), asked, chosen)

    def _asked(self, frame: Frame) -> Ints | None:
        """The cycles `(N,)` that styles ask for, -1 for none, where the commanded speed is in their range."""
        choice, command = self.choice, frame.command
        asked: Ints | None = None
        for gait, (low, high) in choice.ranges.items() if command.style else ():
            style = command.style.get(choice.names[gait])
            if style is None:
                continue
            fits = (style > 0.5) & (low <= command.speed) & (command.speed <= high)
            asked = np.where(fits, gait, -1 if asked is None else asked)
        return asked


def _soon(wish: Complexes, speed: Floats, stride: Floats) -> Floats:
    """The speed that an animal can have soon, on its way to the wanted one."""
    most = FORESIGHT_STRIDES * MAX_ACCELERATION_G * GRAVITY * stride
    result: Floats = speed + np.minimum(np.maximum(np.abs(wish) - speed, -most), most)
    return result

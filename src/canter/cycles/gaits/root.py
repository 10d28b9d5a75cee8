"""Root motion of the preset `gaits`: the springs of `control.steering`, with limits from the animal's gaits."""

from __future__ import annotations

import math

import numpy as np

from canter.control.steering import Root, SteeringLimits, Wish, advance
from canter.cycles.engine.frame import Frame
from canter.cycles.engine.gait_graph import Choice
from canter.cycles.engine.strides import StrideTable
from canter.motion.arrays import Floats
from canter.motion.constants import GRAVITY

RESPONSE_FREQUENCY = 0.95
"""Natural frequency of the spring of the velocity, in cycles per stride."""
YAW_FREQUENCY = 7.0
"""That of the yaw in radians a second, for an animal of one metre at the hips."""
MAX_ACCELERATION_G = 0.8
"""The greatest acceleration, in g."""
MAX_LATERAL_G = 0.45
"""The greatest sideways acceleration in a turn, in g."""
SPIN_SHARE = 0.45
"""The fastest that feet go in a turn on the spot, as a share of the speed of the slowest gait that is no crawl."""
ASIDE_RATIO = 2.0
"""How much faster than in its clips an animal may step aside and back; without such clips, as fast as it walks."""
TABLE_SIZE = 48
"""Speeds at which the response is tabulated."""


def steering_limits(choice: Choice, strides: StrideTable, hip_height: float) -> SteeringLimits:
    """What an animal can do with its gaits: it answers within a stride of the gait that suits its speed."""
    speeds = strides.laws.speeds
    walks = float(speeds[choice.ahead[0]])
    side, back = (
        max([ASIDE_RATIO * float(speeds[k]) for k in gaits if k is not None], default=walks)
        for gaits in (choice.aside or (), (choice.back,))
    )
    slowest = choice.ahead[min(1, len(choice.ahead) - 1)]
    table = np.linspace(0.0, choice.fastest, TABLE_SIZE)
    gait = np.array(choice.ahead)[np.searchsorted([choice.ranges[k][1] for k in choice.ahead[:-1]], table)]
    rates = strides.laws.frequencies(table)[np.arange(TABLE_SIZE), gait]
    return SteeringLimits(
        max_speed=float(choice.fastest),
        back_speed=back,
        side_speed=side,
        max_acceleration=MAX_ACCELERATION_G * GRAVITY,
        max_lateral_acceleration=MAX_LATERAL_G * GRAVITY,
        max_yaw_rate=float(SPIN_SHARE * choice.ranges[slowest][0] / strides.girth),
        yaw_frequency=YAW_FREQUENCY / math.sqrt(hip_height),
        speeds=table,
        frequencies=2 * np.pi * RESPONSE_FREQUENCY * rates,
    )


class RootMotion:
    """Owns a `Root`."""

    def __init__(self, root: Root, limits: SteeringLimits) -> None:
        self.root, self._limits = root, limits

    def step(self, frame: Frame) -> None:
        self.advance(frame.wish, frame.dt, frame.yaw_error)

    def advance(self, wish: Wish, dt: float, off: Floats | None = None) -> None:
        """Follows a wish for `dt` seconds; `off (N,)` is the yaw error, where it is known."""
        self.root.take(advance(self.root.numbers(), wish.numbers(), self._limits, dt, off=off))

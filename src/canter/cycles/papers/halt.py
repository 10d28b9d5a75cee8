"""Standing still in the presets `sung` and `huang`: the papers have none, so how they stop and start is ours.

The slowest gait comes to a stand and leaves it as in the preset `gaits`: the engine is the same, with one cycle more.
The paper's part takes over again where the legs keep the gait's pattern.
"""

from __future__ import annotations

import numpy as np

from canter.control.trajectory import wrap
from canter.cycles.build.cycle import Cycle
from canter.cycles.engine.engine import Crowd, widened
from canter.cycles.engine.gait_graph import RESTS
from canter.cycles.gaits.batch import SIDE_PULL, SPIN, TURN_GAIN
from canter.cycles.gaits.root import Springs
from canter.cycles.gaits.transition import Mixing
from canter.cycles.papers.jump import ALIGNED, PATIENCE, Upright, off_pattern
from canter.motion.arrays import Floats
from canter.motion.constants import GRAVITY

SLOWEST = 0
"""The place of the slowest gait, which is the one that an animal stops in."""
EASING, SETTLED = 0.2, 0.98
"""Strides in which the posture follows, and the share of the pose from which a gait has taken over."""


class Halt:
    """The animal of a crowd of one while it stops, stands and starts; `slowest` is the least speed that it goes at.

    The herd is taken over as it is and given back frame by frame.
    """

    def __init__(self, engine: Crowd, stand: Cycle, slowest: float, turn_rate: float) -> None:
        self._engine, self._rests = engine, RESTS * slowest
        self.crowd = widened(engine, [stand])
        self._turn_rate = min(turn_rate, SPIN * slowest / self.crowd.girth)
        self.crowd.transition, self.crowd.drive, self.crowd.carriage = Mixing(EASING), Springs(), Upright()
        self._stand, self._since = len(engine.library.cycles), 0.0

    def reset(self) -> tuple[Floats, Floats]:
        """At the origin, standing: the poses."""
        self.crowd.reset()
        poses = self.crowd.pose()
        self._give_back()
        return poses

    def begin(self) -> None:
        """Takes an animal over that goes in its slowest gait."""
        self.crowd.herd.take(self._engine.herd)
        self.crowd.measure()

    def step(self, speed: float, heading: float) -> tuple[Floats, Floats]:
        """One frame, toward a stand or, with a speed, into the slowest gait."""
        herd, goes = self.crowd.herd, speed > 0
        off = wrap(heading - float(herd.yaw[0]))
        now = abs(complex(herd.velocity[0]))
        most = min(self._turn_rate, SIDE_PULL * GRAVITY / max(now, 0.1)) if goes else 0.0
        turn = np.array([np.clip(TURN_GAIN * off, -most, most)])
        gait = np.array([self._stand if not goes and now < self._rests else SLOWEST])
        self._since = self._since + 1 / self.crowd.frame_rate if goes else 0.0
        poses = self.crowd.step(np.array([speed], complex), turn, gait)
        self._give_back()
        return poses

    @property
    def over(self) -> bool:
        """Whether the gait has taken over and the legs keep its pattern."""
        herd = self.crowd.herd
        steady = self._since > 0 and min(herd.weights[0, SLOWEST], herd.eased[0, SLOWEST]) > SETTLED
        patient = self._since > 2 * PATIENCE * float(self.crowd.stride[0])
        return bool(steady and (off_pattern(self.crowd) < ALIGNED or patient))

    @property
    def gait(self) -> str:
        """What it goes in, or stands in, by name."""
        return self.crowd.library.cycles[int(np.argmax(self.crowd.herd.weights[0]))].name

    def _give_back(self) -> None:
        herd = self._engine.herd
        herd.take(self.crowd.herd)
        herd.target[:] = SLOWEST

"""From where to go to commands that a controller can carry out, close to walls: how fast, and how to turn.

It uses only what every controller tells: its State, its Capabilities and the size of its animal. An animal that goes on
while it turns needs a turning circle of speed / turn rate, so it goes slower in bends. One that must turn further than
that allows stops and turns on the spot, if its controller heeds `facing`; if not, it creeps: it sets off again and
again toward its back, because animals turn most tightly at their slowest.
"""

from __future__ import annotations

import math

import numpy as np

from canter.control.command import Command
from canter.control.contract import Capabilities, Controller
from canter.control.state import State
from canter.control.trajectory import wrap
from canter.motion.arrays import Floats
from canter.motion.constants import GRAVITY
from canter.navigation.rays import room_ahead
from canter.navigation.trunk import Outline

MARGIN = 0.2
"""Room around the trunk besides what it needs to turn, as a share of that: bodies sway, and no path is met exactly."""
CRUISE_SHARE = 0.75
"""The usual speed, from the slowest (0) to the fastest (1) of the slowest gait."""
BRAKING = 4.0
"""Seconds for which an animal goes on at its speed until it stands, in units of sqrt(hip height / g)."""
LOOKAHEAD_HIP_HEIGHTS = 1.0
"""How far ahead an animal aims on its path, in hip heights."""
TURN_SHARE = 0.8
"""The share of the turn rate that is counted on."""
SHARP, ALIGNED = math.radians(50), math.radians(12)
"""Off its aim by more than the first an animal stops to turn, until it is off by less than the second."""
CREEPING_ANGLE = math.radians(150)
"""How far from its facing a creeping animal is sent: the further, the slower it goes while it turns."""
CREEPING_RADIUS = 0.6
"""Metres of the circle in which an animal creeps, as a share of its clearance."""
CRAWL = 0.3
"""The least speed of an animal that is on its way, as a share of the slowest of its slowest gait."""
OVERSPEED = 1.3
"""An animal that is by this factor faster than it should be is told to stand until it is not."""
SIDE_RAYS = math.radians(70)
"""Rays to the side of the facing by this angle at least tell on which side there is more room to turn."""


def walking_speeds(capabilities: Capabilities) -> tuple[float, float]:
    """The slowest and the fastest speed of a controller's slowest gait, in m/s."""
    gaits = sorted((low, high) for low, high in capabilities.gaits.values() if high > low > 0)
    high = capabilities.speed_range[1]
    return gaits[0] if gaits else (0.1 * high, high / 3)


class Pilot:
    """Commands for one controller. `speed` is the usual one in m/s; by default a walk at which it can take corners."""

    def __init__(self, controller: Controller, speed: float | None = None) -> None:
        capabilities, height = controller.capabilities, controller.character.anatomy.hip_height
        self.outline = Outline.of(controller.character)
        self.hip_height = height
        self.clearance = (1 + MARGIN) * self.outline.turning_radius
        """Metres from the animal's place to walls in which its trunk can turn any way."""
        self.comfort = max(self.outline.nose + MARGIN * self.outline.turning_radius, self.clearance)
        """The same for the whole animal, its head included."""
        self.turn_rate = max(capabilities.turn_rate, 1e-3)
        self.slowest, fastest = walking_speeds(capabilities)
        usual = self.slowest + CRUISE_SHARE * (fastest - self.slowest)
        usual = max(min(usual, 2 * self.comfort * self.turn_rate), self.slowest)
        self.speed = min(usual if speed is None else speed, capabilities.speed_range[1])
        if not self.speed > 0:
            raise ValueError(f"a navigator needs a speed above zero, not {self.speed}")
        self.braking_seconds = BRAKING * math.sqrt(height / GRAVITY)
        self.lookahead = LOOKAHEAD_HIP_HEIGHTS * height
        self._faces = "facing" in capabilities.honours
        self._turning = False
        self._side = 1.0

    def command(self, state: State, aim: Floats, limit: float, yaws: Floats, distances: Floats) -> Command:
        """To the point `aim (2,)` with at most `limit` m/s.

        `yaws (R,)` and `distances (R,)` are how far it is to walls around the animal: of a sensor, or of a map.
        """
        x, z = aim - state.place[[0, 2]]
        heading = math.atan2(x, z)
        off, distance = wrap(heading - state.facing), math.hypot(x, z)
        room = room_ahead(yaws, distances, self.outline.half_width * (1 + MARGIN), state.facing)
        free = max(room - self.clearance, 0.0) / self.braking_seconds
        fastest = min(limit, self.speed, free)
        if self._turning:
            self._turning = abs(off) > ALIGNED
        elif abs(off) > SHARP or (fastest < CRAWL * self.slowest and abs(off) > ALIGNED):
            self._turning = True
            self._side = self._roomier_side(state.facing, off, yaws, distances)
        if self._turning:
            return self._turn(state, heading, off)
        bend = 2 * abs(math.sin(off)) / max(distance, 1e-6)
        speed = min(fastest, TURN_SHARE * self.turn_rate / max(bend, 1e-6))
        speed = max(speed, CRAWL * self.slowest)
        if room < self.outline.turning_radius or (speed < self.slowest and state.speed > OVERSPEED * speed):
            speed = 0.0
        return Command(speed, heading)

    def stand(self, state: State) -> Command:
        """Stand as it is."""
        self._turning = False
        return Command(0.0, state.facing)

    def _turn(self, state: State, heading: float, off: float) -> Command:
        """Turns toward a heading that is `off` radians to the left of the facing, and hardly goes on meanwhile."""
        if self._faces:
            return Command(0.0, state.facing, facing=heading)
        side = self._side if abs(off) > math.pi / 2 else math.copysign(1.0, off)
        self._side = side
        creeping = self.turn_rate * CREEPING_RADIUS * self.clearance
        speed = self.slowest if state.speed < creeping else 0.0
        return Command(speed, wrap(state.facing + side * CREEPING_ANGLE))

    @staticmethod
    def _roomier_side(facing: float, off: float, yaws: Floats, distances: Floats) -> float:
        """1 to turn to the left, -1 to the right: the shorter way, or where there is more room if it is about face."""
        if abs(off) < math.radians(120):
            return math.copysign(1.0, off)
        side = np.sin(yaws - facing)
        least = [float(distances[s * side > math.sin(SIDE_RAYS)].min(initial=math.inf)) for s in (1.0, -1.0)]
        return 1.0 if least[0] >= least[1] else -1.0

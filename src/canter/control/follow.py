"""From places to headings: a path or a target becomes speed and heading commands, for any controller.

Pure pursuit: aim at a point on the path a little ahead. A target inside the turning circle would be circled for ever,
so there the animal walks straight on until it can turn.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from canter.control.command import Command
from canter.control.contract import Controller
from canter.control.script import Script
from canter.control.state import State
from canter.control.trajectory import wrap
from canter.motion.arrays import ArrayLike, Floats
from canter.motion.constants import GRAVITY

ARRIVED = 0.15
"""How near to the end of a path an animal stops: metres, times the hip height of one that is lower than a metre."""
BRAKING = 3.0
"""Before the end of a path the speed is the rest of the way divided by this time, in units of sqrt(h / g): the larger,
the earlier an animal brakes, and the less it runs past."""


@dataclass(frozen=True, eq=False)
class Path:
    """A polyline on the ground: `points (N, 2)` of x and z, `lengths (N,)` along it."""

    points: Floats
    lengths: Floats

    @staticmethod
    def of(points: ArrayLike) -> Path:
        array = np.asarray(points, np.float64)
        if array.ndim != 2 or array.shape[1] != 2 or not len(array) or not np.isfinite(array).all():
            raise ValueError(f"a path needs finite points (N, 2) of x and z, not an array of shape {array.shape}")
        keep = np.concatenate([[True], np.any(array[1:] != array[:-1], axis=1)])
        array = array[keep]
        steps = np.linalg.norm(np.diff(array, axis=0), axis=1)
        return Path(array, np.concatenate([[0.0], np.cumsum(steps)]))

    @property
    def length(self) -> float:
        return float(self.lengths[-1])

    def at(self, along: float) -> Floats:
        """The point so many metres along, held at the ends."""
        return np.array([np.interp(along, self.lengths, self.points[:, i]) for i in (0, 1)])

    def nearest(self, place: Floats, start: float, reach: float) -> float:
        """Metres along of the nearest point between `start` and `start + reach`, so that crossings do not confuse."""
        if len(self.points) == 1:
            return 0.0
        a, d = self.points[:-1], np.diff(self.points, axis=0)
        sizes = np.diff(self.lengths)
        along = np.clip(np.sum((place - a) * d, axis=1) / sizes, 0, sizes) + self.lengths[:-1]
        along = np.clip(along, start, min(start + reach, self.length))
        inside = np.clip(along - self.lengths[:-1], 0, sizes) / sizes
        distances = np.linalg.norm(a + inside[:, None] * d - place, axis=1)
        distances[(self.lengths[1:] < start) | (self.lengths[:-1] > start + reach)] = np.inf
        return float(along[int(np.argmin(distances))])


def steer(place: Floats, facing: float, target: Floats, speed: float, turn_rate: float) -> float:
    """The heading that leads from `place (2,)` to `target (2,)`, or straight on while it lies in the turning circle."""
    x, z = target - place
    bearing, distance = math.atan2(x, z), math.hypot(x, z)
    error = wrap(bearing - facing)
    circle = 2 * abs(speed) / max(turn_rate, 1e-6) * abs(math.sin(error))
    return facing if distance < circle and abs(error) > math.pi / 3 else bearing


class Follower:
    """A Driver: looks at each state and says the script's next command, places turned into headings.

    With a speed of zero in the script it goes at a third of the controller's range.
    """

    def __init__(self, script: Script, controller: Controller) -> None:
        script.check(controller.capabilities)
        self._moments = script.moments(controller.frame_rate)
        self._capabilities = controller.capabilities
        height = controller.character.anatomy.hip_height
        self._braking, self._near = BRAKING * math.sqrt(height / GRAVITY), ARRIVED * min(height, 1.0)
        self._route: Path | None = None
        self._besides: Mapping[str, Any] = {}
        self._along = 0.0
        self.arrived = False
        """Whether the end of the path has been reached."""

    @property
    def remaining(self) -> float:
        """Metres along to the end of the path that is being followed; 0 without one."""
        return self._route.length - self._along if self._route is not None else 0.0

    def __call__(self, state: State) -> Command:
        command, besides = next(self._moments)
        place = state.place[[0, 2]].astype(np.float64)
        if besides is not self._besides:
            self._besides, self._along, self.arrived = besides, 0.0, False
            self._route = _route(besides, place)
        if self._route is None:
            return command
        return self._towards(self._route, command, state, place)

    def _towards(self, route: Path, command: Command, state: State, place: Floats) -> Command:
        speed = command.speed or self._capabilities.speed_range[1] / 3
        ahead = max(0.4, 0.4 * speed)
        self._along = route.nearest(place, self._along, 4 * ahead)
        rest = float(np.linalg.norm(route.points[-1] - place))
        close = self._near if self.remaining > 0 else 2 * self._near
        if self.arrived or (self.remaining < ahead and rest < close):
            self.arrived = True
            return replace(command, speed=0.0, heading=state.facing)
        if self.remaining < 2 * self._braking * speed:
            speed = max(min(speed, rest / self._braking), min(0.1, speed))
        travel = math.atan2(state.velocity_world[0], state.velocity_world[2]) if state.speed > 1e-3 else state.facing
        target = route.at(self._along + ahead)
        heading = steer(place, travel, target, max(speed, state.speed), self._capabilities.turn_rate)
        return replace(command, speed=speed, heading=heading)


def _route(besides: Mapping[str, Any], place: Floats) -> Path | None:
    if "go_to" in besides:
        return Path.of([place, besides["go_to"]])
    if "path" in besides:
        return Path.of([place, *besides["path"]])
    return None

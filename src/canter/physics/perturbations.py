"""Chance for simulated bodies: pushes, thrown boxes, slippery, tilted and turning ground, drawn at random.

Each part draws disturbances of a command; parts are combined by putting them into a tuple. Speeds are given as what a
push or a box would change that of the whole animal by.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from canter.body.articulation import Articulation
from canter.control.command import Disturbance, Ground, Push, Throw
from canter.motion.arrays import Bools, Floats

Random = np.random.Generator
Range = tuple[float, float]


@dataclass(frozen=True, eq=False)
class Victim:
    """Whom something happens to: its body, and where its middle is and moves to `(3,)`, in the world."""

    body: Articulation
    place: Floats
    velocity: Floats


class Perturbation(Protocol):
    """Something that happens, again after so many seconds; never again, if these are infinite."""

    @property
    def every_seconds(self) -> float: ...

    def draw(self, random: Random, victim: Victim) -> Disturbance: ...


@dataclass(frozen=True)
class RandomPushes:
    """Pushes of the trunk from any side along the ground."""

    speed: Range = (0.0, 1.0)
    """m/s that it would change the animal's speed by."""
    every_seconds: float = 2.0
    seconds: Range = (0.05, 0.2)

    def draw(self, random: Random, victim: Victim) -> Disturbance:
        size, yaw = victim.body.mass * random.uniform(*self.speed), random.uniform(-math.pi, math.pi)
        return Push((size * math.sin(yaw), 0.0, size * math.cos(yaw)), seconds=random.uniform(*self.seconds))


@dataclass(frozen=True)
class RandomThrows:
    """Boxes thrown at the trunk from any side, of random size and density."""

    speed: Range = (0.3, 1.0)
    every_seconds: float = 2.0
    side_hip_heights: Range = (0.2, 0.6)
    density: Range = (80.0, 400.0)
    """kg/m³."""
    away_hip_heights: float = 3.0
    flight_seconds: float = 0.35

    def draw(self, random: Random, victim: Victim) -> Disturbance:
        height = victim.body.hip_height
        yaw, side = random.uniform(-math.pi, math.pi), height * random.uniform(*self.side_hip_heights)
        mass = random.uniform(*self.density) * side**3
        speed = random.uniform(*self.speed) * victim.body.mass / mass
        fastest = self.away_hip_heights * height / 0.1
        if speed > fastest:  # a box that is too light for its momentum gets heavier, not faster
            mass, speed = mass * speed / fastest, fastest
        flight = self.flight_seconds if speed * self.flight_seconds > 0.8 * height else 0.8 * height / speed
        towards = np.array([math.sin(yaw), 0.0, math.cos(yaw)])
        middle = (
            victim.place + victim.velocity * [flight, 0.0, flight] + [0.0, random.uniform(-0.1, 0.15) * height, 0.0]
        )
        start = middle - towards * speed * flight
        velocity = towards * speed + [0.0, 0.5 * 9.81 * flight, 0.0]
        return Throw(tuple(start), tuple(velocity), size=(side, side, side), mass=mass)


@dataclass(frozen=True)
class RandomGround:
    """Ground that is slippery, tilted towards any side, and turns; said once, when a body begins."""

    friction: Range = (0.9, 0.9)
    """Drawn evenly by its logarithm."""
    tilt_degrees: Range = (0.0, 0.0)
    turn_rate: Range = (0.0, 0.0)
    every_seconds: float = math.inf

    def draw(self, random: Random, victim: Victim) -> Disturbance:
        low, high = np.log(self.friction)
        tilt, towards = math.radians(random.uniform(*self.tilt_degrees)), random.uniform(-math.pi, math.pi)
        turn = random.uniform(*self.turn_rate) * random.choice([-1.0, 1.0])
        return Ground(
            friction=math.exp(random.uniform(low, high)),
            tilt=(math.atan(math.tan(tilt) * math.cos(towards)), math.atan(math.tan(tilt) * math.sin(towards))),
            turn_rate=turn,
        )


class Schedule:
    """When which part happens to which of N bodies."""

    def __init__(self, parts: Sequence[Perturbation], count: int, random: Random) -> None:
        self.parts, self._random = tuple(parts), random
        self._wait = np.zeros((len(self.parts), count))

    def begin(self, who: Bools) -> None:
        """The bodies of a mask begin: what happens once happens now, other things after a random wait."""
        for wait, part in zip(self._wait, self.parts, strict=True):
            once = math.isinf(part.every_seconds)
            wait[who] = 0.0 if once else self._random.uniform(0.0, part.every_seconds, int(who.sum()))

    def due(self, seconds: float) -> list[tuple[int, Perturbation]]:
        """What happens within the next so many seconds: rows and parts."""
        found = []
        for wait, part in zip(self._wait, self.parts, strict=True):
            rows = np.flatnonzero(wait <= 0.0)
            found += [(int(row), part) for row in rows]
            wait[rows] += part.every_seconds
            wait -= seconds
        return found

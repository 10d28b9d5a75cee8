"""A ray sensor: how far it is to the walls in given directions, and which goals are in line of sight.

It is all that an animal without a map knows of its surroundings. Yaws are in the world: 0 along +Z, positive to the
left (+X).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from canter.control.state import State
from canter.control.trajectory import wrap_angles
from canter.control.world import Wall, World
from canter.motion.arrays import ArrayLike, Bools, Floats
from canter.navigation.lines import WallLines

RAYS = 96
"""Rays of a sensor, evenly all around."""
REACH = 8.0
"""Metres that a sensor looks."""
PARALLEL = 1e-9
"""Sine of the angle between a ray and a wall below which the ray never meets the wall's side."""


def ranges(walls: Sequence[Wall] | WallLines, place: ArrayLike, yaws: ArrayLike, reach: float) -> Floats:
    """Metres `(R,)` from `place (2,)` to the first wall along each of `yaws (R,)`, `reach` where there is none nearer.

    A wall is as thick as it is and has round ends; inside one every range is zero.
    """
    lines = WallLines.of(walls)
    yaws = np.asarray(yaws, np.float64)
    if not len(lines):
        return np.full(yaws.shape, float(reach))
    away = np.asarray(place, np.float64) - lines.starts
    e, radii, lengths = lines.directions, lines.radii, lines.lengths
    along, aside = away[:, 0] * e[:, 0] + away[:, 1] * e[:, 1], away[:, 1] * e[:, 0] - away[:, 0] * e[:, 1]
    ray = np.stack([np.sin(yaws), np.cos(yaws)], axis=-1)[:, None]
    ahead = ray[..., 0] * e[:, 0] + ray[..., 1] * e[:, 1]
    across = ray[..., 1] * e[:, 0] - ray[..., 0] * e[:, 1]
    found = np.minimum(
        _side_range(along, aside, ahead, across, radii, lengths),
        np.minimum(
            _end_range(along, aside, ahead, across, radii), _end_range(along - lengths, aside, ahead, across, radii)
        ),
    )
    beyond = along - np.clip(along, 0.0, lengths)
    inside = np.hypot(beyond, aside) < radii
    result: Floats = np.minimum(np.where(inside, 0.0, found).min(axis=-1), reach)
    return result


def _side_range(along: Floats, aside: Floats, ahead: Floats, across: Floats, radii: Floats, lengths: Floats) -> Floats:
    """Metres `(R, W)` along rays to the straight sides of walls, in the walls' own axes; infinite for a miss."""
    steep = np.where(np.abs(across) < PARALLEL, np.nan, across)
    distance = (np.copysign(radii, aside) - aside) / steep
    met = along + distance * ahead
    hits = (np.abs(aside) >= radii) & (distance >= 0) & (met >= 0) & (met <= lengths)  # a NaN is no hit
    return np.where(hits, distance, np.inf)


def _end_range(along: Floats, aside: Floats, ahead: Floats, across: Floats, radii: Floats) -> Floats:
    """Metres `(R, W)` along rays to the round ends of walls, from places given from the middle of the end."""
    middle = along * ahead + aside * across
    depth = middle**2 - (along**2 + aside**2 - radii**2)
    distance = -middle - np.sqrt(np.maximum(depth, 0.0))
    return np.where((depth >= 0) & (distance >= 0), distance, np.inf)


def visible(walls: Sequence[Wall] | WallLines, place: ArrayLike, targets: ArrayLike) -> Bools:
    """Which of `targets (G, 2)` are in line of sight from `place (2,)`: no wall is in between."""
    away = np.asarray(targets, np.float64).reshape(-1, 2) - np.asarray(place, np.float64)
    distances = np.hypot(away[:, 0], away[:, 1])
    free = ranges(walls, place, np.arctan2(away[:, 0], away[:, 1]), float(distances.max(initial=0.0)) + 1.0)
    result: Bools = free >= distances
    return result


def room_ahead(yaws: Floats, distances: Floats, half_width: float, yaw: float) -> float:
    """Metres that a body of that half width can go along `yaw` before it meets what the rays found.

    `yaws (R,)` and `distances (R,)` are those of the rays, from the middle of the body. The longest of the rays bounds
    it where nothing is in the way.
    """
    off = wrap_angles(yaws - yaw)
    ahead, aside = distances * np.cos(off), np.abs(distances * np.sin(off))
    in_the_way = (ahead > 0) & (aside < half_width)
    return float(ahead[in_the_way].min(initial=float(distances.max(initial=0.0))))


@dataclass(frozen=True, eq=False)
class Sighting:
    """What an animal sees in one moment: how far it is to walls, and where goals are.

    `distances (R,)` are those along `yaws (R,)`, which go evenly all around in order; `reach` is the distance along a
    ray that meets nothing. `goal_yaws (G,)` and `goal_distances (G,)` are those of the goals in line of sight, the
    nearest first.
    """

    yaws: Floats
    distances: Floats
    reach: float
    goal_yaws: Floats
    goal_distances: Floats


class RaySensor:
    """Looks around from where an animal is, by `rays` that go evenly all around and are `reach` metres long.

    It knows the walls of `world` and the `goals (G, 2)`; whoever is given the sensor knows only what it shows.
    """

    def __init__(self, world: World, goals: ArrayLike = (), *, reach: float = REACH, rays: int = RAYS) -> None:
        if not (reach > 0 and math.isfinite(reach)):
            raise ValueError(f"the reach of a sensor must be above zero and finite, not {reach}")
        if rays < 8:
            raise ValueError(f"a sensor needs at least 8 rays, not {rays}")
        self.reach = float(reach)
        self._walls = WallLines.of(world.walls)
        self._goals = np.asarray(goals, np.float64).reshape(-1, 2)
        self._around = np.arange(rays) * (2 * math.pi / rays)

    def __call__(self, state: State) -> Sighting:
        """What is seen from the place of a state; the first ray is along its facing."""
        place = state.place[[0, 2]].astype(np.float64)
        yaws = state.facing + self._around
        near = self._walls.near(place[None], self.reach)
        distances = ranges(near, place, yaws, self.reach)
        away = self._goals[visible(self._walls, place, self._goals)] - place if len(self._goals) else self._goals
        far = np.hypot(away[:, 0], away[:, 1])
        order = np.argsort(far, kind="stable")
        return Sighting(yaws, distances, self.reach, np.arctan2(away[order, 0], away[order, 1]), far[order])

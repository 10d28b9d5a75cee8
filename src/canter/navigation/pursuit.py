"""Following a path: which of its points to aim at, and how fast to go so that the next corner can be taken."""

from __future__ import annotations

import math

import numpy as np

from canter.control.follow import Path
from canter.motion.arrays import Floats
from canter.navigation.lines import WallLines, room_along

SAMPLES_PER_LOOKAHEAD = 4
"""Points at which the bend of a path is measured, for each look ahead."""
SHORTER = np.array([1.0, 0.75, 0.5, 0.3, 0.15])
"""Shares of the look ahead that are tried until the point on the path can be aimed at in a straight line."""
SEARCH = 3.0
"""Looks ahead within which the nearest point of the path is searched, so that crossings do not confuse."""


class Pursuit:
    """A path `(N, 2)` that is followed by pure pursuit: the animal aims at a point `lookahead` metres ahead on it.

    Speeds are such that the animal, which turns by `turn_rate` radians a second, can take every bend, and that it ends
    with `end_speed` metres a second.
    """

    def __init__(self, points: Floats, lookahead: float, turn_rate: float, end_speed: float) -> None:
        self.path, self.lookahead = Path.of(points), lookahead
        self.along = 0.0
        """Metres along the path that the animal has come."""
        count = max(math.ceil(SAMPLES_PER_LOOKAHEAD * self.path.length / lookahead), 1) + 1
        self._at = np.linspace(0.0, self.path.length, count)
        bends = np.maximum(_bends(self.path, self._at, 0.5 * lookahead), 1e-6)
        self._speeds = turn_rate / bends
        self._speeds[-1] = end_speed

    @property
    def remaining(self) -> float:
        """Metres along to the end of the path."""
        return self.path.length - self.along

    def advance(self, place: Floats) -> float:
        """Goes on to the point of the path that is nearest to `place (2,)`; returns the distance to it in metres."""
        self.along = self.path.nearest(place, self.along, SEARCH * self.lookahead)
        return math.dist(place, self.path.at(self.along))

    def aim(self, place: Floats, lines: WallLines, clearance: float) -> Floats:
        """The farthest point `(2,)` of the path up to `lookahead` metres on that can be gone to in a straight line.

        The line keeps `clearance` metres from walls, or what the place has if that is less.
        """
        points = points_at(self.path, self.along + self.lookahead * SHORTER)
        ends = np.concatenate([points, place[None]])
        *room, own = room_along(lines, np.broadcast_to(place, ends.shape), ends)
        clear = np.array(room) >= min(clearance, own) - 1e-6
        chosen: Floats = points[int(np.argmax(clear)) if clear.any() else -1]
        return chosen

    def speed_limit(self, braking_seconds: float) -> float:
        """Metres a second now, so that every bend ahead can be taken if the speed falls by a metre a second in each
        `braking_seconds` metres."""
        ahead = self._at >= self.along - 1e-9
        limits = self._speeds[ahead] + (self._at[ahead] - self.along) / braking_seconds
        return float(limits.min(initial=math.inf)) if ahead.any() else float(self._speeds[-1])


def points_at(path: Path, along: Floats) -> Floats:
    """The points `(K, 2)` so many metres `(K,)` along a path, held at its ends."""
    return np.stack([np.interp(along, path.lengths, path.points[:, k]) for k in (0, 1)], axis=-1)


def _bends(path: Path, along: Floats, window: float) -> Floats:
    """The curvature `(K,)` in radians a metre at `along (K,)`: the turn between `window` metres before and after."""
    before, here, after = (points_at(path, along + shift) for shift in (-window, 0.0, window))
    came, goes = here - before, after - here
    cross = came[:, 0] * goes[:, 1] - came[:, 1] * goes[:, 0]
    turn = np.abs(np.arctan2(cross, np.sum(came * goes, axis=-1)))
    result: Floats = turn / window
    return result

"""Walls as arrays, and how far points and bodies are from them: the geometry that the rest of the room is built on.

Everything is seen from above. A wall is all that lies within half of its thickness from a line between two places, and
a body is a line with a half width around it, so every question is one about the distance between lines. Places are
`(..., 2)` arrays of x and z in metres; distances are to the surface of a wall, negative inside.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from canter.control.world import Wall
from canter.motion.arrays import ArrayLike, Bools, Floats

TINY = 1e-12
"""Metres below which a line has no direction."""


@dataclass(frozen=True, eq=False)
class WallLines:
    """W walls: `starts (W, 2)` and `ends (W, 2)` of their lines, and `radii (W,)`, half of their thickness."""

    starts: Floats
    ends: Floats
    radii: Floats

    @staticmethod
    def of(walls: Sequence[Wall] | WallLines) -> WallLines:
        """The walls of a World as arrays; arrays stay as they are."""
        if isinstance(walls, WallLines):
            return walls
        starts = np.array([wall.start for wall in walls], np.float64).reshape(-1, 2)
        ends = np.array([wall.end for wall in walls], np.float64).reshape(-1, 2)
        return WallLines(starts, ends, np.array([wall.thickness / 2 for wall in walls], np.float64))

    @staticmethod
    def posts(places: Floats, radius: float) -> WallLines:
        """A round post of that radius at each of the `places (W, 2)`."""
        return WallLines(places, places, np.full(len(places), radius))

    def __len__(self) -> int:
        return len(self.radii)

    @cached_property
    def lengths(self) -> Floats:
        """Metres of each line `(W,)`."""
        result: Floats = np.linalg.norm(self.ends - self.starts, axis=-1)
        return result

    @cached_property
    def directions(self) -> Floats:
        """Unit vectors `(W, 2)` from start to end; along +Z for posts."""
        along = (self.ends - self.starts) / np.maximum(self.lengths, TINY)[:, None]
        return np.where((self.lengths > TINY)[:, None], along, np.array([0.0, 1.0]))

    def some(self, chosen: Bools) -> WallLines:
        """Only the walls of a mask `(W,)`."""
        return WallLines(self.starts[chosen], self.ends[chosen], self.radii[chosen])

    def near(self, points: Floats, distance: float) -> WallLines:
        """The walls that may come within `distance` metres of the box around `points (N, 2)`, and maybe a few more."""
        far = distance + self.radii[:, None]
        low, high = points.min(axis=0) - far, points.max(axis=0) + far
        touches = (np.minimum(self.starts, self.ends) <= high) & (np.maximum(self.starts, self.ends) >= low)
        return self.some(touches.all(axis=1))


def point_distances(points: ArrayLike, starts: Floats, ends: Floats) -> Floats:
    """Metres from `points (..., 2)` to the lines between `starts (..., 2)` and `ends (..., 2)`, which broadcast."""
    along = ends - starts
    away = np.asarray(points, np.float64) - starts
    share = np.sum(away * along, axis=-1) / np.maximum(np.sum(along * along, axis=-1), TINY)
    away = away - np.clip(share, 0.0, 1.0)[..., None] * along
    result: Floats = np.hypot(away[..., 0], away[..., 1])
    return result


def room_at(walls: Sequence[Wall] | WallLines, points: ArrayLike) -> Floats:
    """Metres from each of the `points (..., 2)` to the nearest wall, negative inside it; infinite without walls."""
    lines, points = WallLines.of(walls), np.asarray(points, np.float64)
    distances = point_distances(points[..., None, :], lines.starts, lines.ends) - lines.radii
    result: Floats = distances.min(axis=-1, initial=np.inf)
    return result


def room_along(walls: Sequence[Wall] | WallLines, starts: ArrayLike, ends: ArrayLike) -> Floats:
    """Metres between the lines from `starts (..., 2)` to `ends (..., 2)` and their nearest walls, negative inside.

    Two lines that do not cross are nearest at one of their four ends. Where a line crosses that of a wall, the result
    is minus half of the thickness.
    """
    lines = WallLines.of(walls)
    a, b = (np.asarray(x, np.float64)[..., None, :] for x in (starts, ends))
    c, d = lines.starts, lines.ends
    distances = np.minimum(
        np.minimum(point_distances(a, c, d), point_distances(b, c, d)),
        np.minimum(point_distances(c, a, b), point_distances(d, a, b)),
    )
    crosses = (_side(a, b, c) * _side(a, b, d) < 0) & (_side(c, d, a) * _side(c, d, b) < 0)
    result: Floats = (np.where(crosses, 0.0, distances) - lines.radii).min(axis=-1, initial=np.inf)
    return result


def _side(start: Floats, end: Floats, point: Floats) -> Floats:
    """Positive where a point is on one side of a line, negative on the other."""
    along, away = end - start, point - start
    result: Floats = along[..., 0] * away[..., 1] - along[..., 1] * away[..., 0]
    return result

"""What an animal has seen: a map that it builds by itself out of its rays, and where that map ends.

The map is a coarse grid whose cells are unseen, free or wall. Whoever wants to know what is beyond goes to its border,
where free cells touch unseen ones: exploration by frontiers (Yamauchi 1997).
"""

from __future__ import annotations

import numpy as np

from canter.motion.arrays import Bools, Floats, Ints
from canter.navigation.lines import WallLines
from canter.navigation.rays import Sighting
from canter.navigation.space import Space, Ways

GROWTH = 64
"""Cells that are added on a side where the map becomes too small."""
MAX_CELLS = 4_000_000
"""Cells of a map at most; what lies beyond is not remembered."""
POST_RADIUS = 0.71
"""A cell with wall in it counts as a post of this radius, in cells: what reaches to its corners."""
DEPTH = 0.25
"""How far behind where a ray ends the wall is noted, in cells."""


class SeenMap:
    """Cells of `spacing` metres around where the animal began, each unseen, `free (X, Z)` or `wall (X, Z)`.

    What was wall once stays wall: rays along a wall pass through cells that are partly wall.
    """

    def __init__(self, spacing: float) -> None:
        self.spacing = spacing
        self.origin: Floats = np.full(2, -0.5 * GROWTH * spacing)
        """The middle `(x, z)` of the first cell."""
        self.free: Bools = np.zeros((GROWTH, GROWTH), bool)
        self.wall: Bools = np.zeros((GROWTH, GROWTH), bool)

    def add(self, place: Floats, sighting: Sighting) -> None:
        """Notes what is seen from `place (2,)`.

        Cells along rays, between neighbouring rays and on the lines to goals are free, those where rays end are wall.
        """
        farthest = max(sighting.reach, float(sighting.goal_distances.max(initial=0.0)))
        self._grow(place, farthest + 2 * self.spacing)
        for yaw, distance in zip(sighting.goal_yaws, sighting.goal_distances, strict=True):
            line = np.arange(0.0, distance + self.spacing, 0.5 * self.spacing)
            self._note(self.free, place, np.full(len(line), yaw), line)
        near = np.minimum(sighting.distances, np.roll(sighting.distances, -1))
        step = float(sighting.yaws[1] - sighting.yaws[0])
        between = max(int(np.ceil(step * sighting.reach / self.spacing)), 1)
        shares = np.arange(between) / between
        yaws = (sighting.yaws[:, None] + step * shares).ravel()
        lengths = np.where(shares == 0, sighting.distances[:, None], near[:, None]).ravel()
        along = np.arange(0.0, sighting.reach, 0.7 * self.spacing)
        rays, steps = np.nonzero(along < lengths[:, None] - 0.5 * self.spacing)
        self._note(self.free, place, yaws[rays], along[steps])
        ends = sighting.distances < sighting.reach - 1e-6
        self._note(self.wall, place, sighting.yaws[ends], sighting.distances[ends] + DEPTH * self.spacing)

    def _note(self, cells: Bools, place: Floats, yaws: Floats, distances: Floats) -> None:
        points = place + distances[:, None] * np.stack([np.sin(yaws), np.cos(yaws)], axis=-1)
        at = self._numbers(points)
        inside = ((at >= 0) & (at < cells.shape)).all(axis=1)
        cells[tuple(at[inside].T)] = True

    def _numbers(self, points: Floats) -> Ints:
        """The cells `(N, 2)` that points `(N, 2)` lie in."""
        return np.rint((points - self.origin) / self.spacing).astype(np.int64)

    def _grow(self, place: Floats, reach: float) -> None:
        """Adds cells on all sides until the map holds everything within `reach` metres of a place."""
        low, high = self._numbers(np.stack([place - reach, place + reach]))
        before = np.maximum(-low, 0) + GROWTH * (low < 0)
        after = np.maximum(high + 1 - self.free.shape, 0) + GROWTH * (high >= self.free.shape)
        shape = self.free.shape + before + after
        if not (before.any() or after.any()) or int(np.prod(shape)) > MAX_CELLS:
            return
        pads = [(int(a), int(b)) for a, b in zip(before, after, strict=True)]
        self.free, self.wall = np.pad(self.free, pads), np.pad(self.wall, pads)
        self.origin = self.origin - self.spacing * before

    def wall_lines(self) -> WallLines:
        """The cells with wall in them as posts."""
        return WallLines.posts(self.origin + self.spacing * np.argwhere(self.wall), POST_RADIUS * self.spacing)

    def space(self) -> Space:
        """The free cells as a space for ways, with the room that is left by walls as far as they were seen."""
        from scipy.ndimage import distance_transform_edt

        known = self.free & ~self.wall
        used = np.argwhere(self.free | self.wall)
        low, high = used.min(axis=0) - 1, used.max(axis=0) + 2
        low = low.clip(0)
        window = slice(int(low[0]), int(high[0])), slice(int(low[1]), int(high[1]))
        wall = self.wall[window]
        room = distance_transform_edt(~wall) if wall.any() else np.full(wall.shape, np.inf)
        room = self.spacing * (room - POST_RADIUS)
        return Space(self.wall_lines(), self.origin + self.spacing * low, self.spacing, room, known[window])

    def frontier(self, ways: Ways) -> Ints:
        """The points of `ways` at the border of what has been seen: a neighbour of theirs is unseen, and some way leads
        there."""
        unseen = ~(self.free | self.wall)
        beside = np.zeros(unseen.shape, bool)
        beside[1:] |= unseen[:-1]
        beside[:-1] |= unseen[1:]
        beside[:, 1:] |= unseen[:, :-1]
        beside[:, :-1] |= unseen[:, 1:]
        at = self._numbers(ways.space.points(ways.numbers))
        return np.flatnonzero(beside[tuple(at.T)] & np.isfinite(ways.costs))

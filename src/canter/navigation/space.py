"""The ground as a grid: how far each point is from the nearest wall, and the shortest ways over the points with room.

Grid points are `spacing` metres apart; arrays over them are `(X, Z)`, along x and then along z. Shortest ways are found
by SciPy's Dijkstra (`scipy.sparse.csgraph`), which is imported when the first way is looked for.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from canter.control.world import Wall
from canter.motion.arrays import ArrayLike, Bools, Floats, Ints
from canter.navigation.lines import WallLines, point_distances, room_along, room_at

MAX_POINTS = 1_000_000
"""Points of a grid at most; larger grounds get a wider spacing."""
NARROW_COST = 3.0
"""By how much a metre costs more right at the least clearance than where there is comfortable room: ways keep to the
middle of corridors and round corners at a distance, but take a narrow way where another is much longer."""
CANDIDATES = 64
"""Grid points near a place among which one in line of sight is looked for."""
NEIGHBOURS = ((1, 0), (0, 1), (1, 1), (1, -1))
"""Steps to half of the eight neighbours of a grid point; the other half are these backward."""


@dataclass(frozen=True, eq=False)
class Space:
    """A grid over the ground: `room (X, Z)` metres from each point to the nearest wall, and where walls are exactly.

    The point (i, j) is at `origin + spacing * (i, j)`. Ways may lead only over the points of `known (X, Z)`.
    """

    lines: WallLines
    origin: Floats
    spacing: float
    room: Floats
    known: Bools

    def points(self, numbers: Ints) -> Floats:
        """Places `(..., 2)` of grid points `(..., 2)`."""
        result: Floats = self.origin + self.spacing * numbers
        return result


def wall_space(walls: Sequence[Wall] | WallLines, places: ArrayLike, spacing: float, most: float) -> Space:
    """The space around walls and `places (N, 2)`, with a margin to walk around them.

    Room is computed up to `most` metres. Large grounds get a wider `spacing` (`MAX_POINTS`).
    """
    lines, places = WallLines.of(walls), np.asarray(places, np.float64).reshape(-1, 2)
    every = np.concatenate([lines.starts, lines.ends, places])
    margin = 2 * most + float(lines.radii.max(initial=0.0))
    low, high = every.min(axis=0) - margin, every.max(axis=0) + margin
    spacing = max(spacing, math.sqrt(float(np.prod(high - low)) / MAX_POINTS))
    shape = np.ceil((high - low) / spacing).astype(int) + 1
    room = np.full(shape, float(most))
    for start, end, radius in zip(lines.starts, lines.ends, lines.radii, strict=True):
        first = np.floor((np.minimum(start, end) - most - radius - low) / spacing).astype(int).clip(0)
        last = np.ceil((np.maximum(start, end) + most + radius - low) / spacing).astype(int) + 1
        window = tuple(slice(a, b) for a, b in zip(first, last, strict=True))
        x, z = (low[k] + spacing * np.arange(shape[k])[window[k]] for k in (0, 1))
        near = point_distances(np.stack(np.meshgrid(x, z, indexing="ij"), axis=-1), start, end) - radius
        room[window] = np.minimum(room[window], near)
    return Space(lines, low, spacing, room, np.ones(room.shape, bool))


@dataclass(frozen=True, eq=False)
class Ways:
    """The shortest ways from one place over the points of a space that have enough room.

    `numbers (M, 2)` are those points, `costs (M,)` metres from the start, longer where it is narrow and infinite where
    no way leads; `before (M,)` is the point before each on its way, negative for none.
    """

    space: Space
    numbers: Ints
    costs: Floats
    before: Ints

    def node_near(self, place: Floats, reach: float = math.inf) -> int | None:
        """The nearest point within `reach` metres that a way leads to and that is in line of sight, if there is one."""
        return _nearest(self.space, self.numbers, np.isfinite(self.costs), place, reach)

    def points_to(self, node: int) -> Floats:
        """The places `(N, 2)` on the way to a point, from the start."""
        way = [node]
        while self.before[way[-1]] >= 0:
            way.append(int(self.before[way[-1]]))
        return self.space.points(self.numbers[way[::-1]])


def needed_room(clearance: float, spacing: float) -> float:
    """The room that grid points need so that the lines between neighbours keep `clearance` metres from all walls.

    A wall that is as far as that from both ends of a diagonal is nearest at its middle, half a diagonal away.
    """
    return math.hypot(clearance, spacing / math.sqrt(2))


def ways_from(space: Space, start: Floats, clearance: float, comfort: float) -> Ways | None:
    """The shortest ways from `start (2,)` that keep `clearance` metres from walls, and `comfort` metres where they can.

    They begin at the nearest point with enough room in line of sight; without one there are no ways.
    """
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import dijkstra

    need = needed_room(clearance, space.spacing)
    allowed = space.known & (space.room >= need)
    numbers = np.argwhere(allowed)
    source = _nearest(space, numbers, np.ones(len(numbers), bool), start, math.inf)
    if source is None:
        return None
    wanted = max(comfort, need)
    shortfall = np.clip((wanted - space.room) / max(wanted - need, 1e-9), 0.0, 1.0)
    dear = 1.0 + NARROW_COST * shortfall
    number = np.full(allowed.shape, -1)
    number[allowed] = np.arange(len(numbers))
    rows, columns, costs = [], [], []
    for step in NEIGHBOURS:
        one, other = _shifted(step)
        both = allowed[one] & allowed[other]
        rows.append(number[one][both])
        columns.append(number[other][both])
        costs.append((dear[one][both] + dear[other][both]) * (0.5 * space.spacing * math.hypot(*step)))
    data = np.concatenate(costs), (np.concatenate(rows), np.concatenate(columns))
    graph = coo_matrix(data, shape=(len(numbers), len(numbers))).tocsr()
    found, before = dijkstra(graph, directed=False, indices=source, return_predecessors=True)
    return Ways(space, numbers, found, before)


def _shifted(step: tuple[int, int]) -> tuple[tuple[slice, slice], tuple[slice, slice]]:
    """Slices of an array `(X, Z)` that pair every point with its neighbour one `step` away."""
    one, other = [], []
    for k in step:
        one.append(slice(max(-k, 0), -k if k > 0 else None))
        other.append(slice(max(k, 0), k if k < 0 else None))
    return (one[0], one[1]), (other[0], other[1])


def _nearest(space: Space, numbers: Ints, usable: Bools, place: Floats, reach: float) -> int | None:
    """The nearest usable one of the grid points `(M, 2)` within `reach` that no wall hides from a place."""
    away = space.points(numbers) - place
    far = np.where(usable, np.hypot(away[:, 0], away[:, 1]), np.inf)
    count = min(CANDIDATES, len(far))
    nearest = np.argpartition(far, count - 1)[:count] if count else np.zeros(0, np.int64)
    nearest = nearest[np.argsort(far[nearest], kind="stable")]
    nearest = nearest[np.isfinite(far[nearest]) & (far[nearest] <= reach)]
    if not len(nearest):
        return None
    ends = space.points(numbers[nearest])
    lines = space.lines.near(np.concatenate([ends, place[None]]), 0.0)
    own = float(room_at(lines, place))
    seen = room_along(lines, np.broadcast_to(place, ends.shape), ends) >= min(own, 0.0)
    return int(nearest[int(np.argmax(seen))]) if seen.any() else None

"""Paths through a space: shortest ways made straight by line of sight, with corners rounded as the animal can turn.

The way over the grid is pulled taut like a string, but comes no nearer to walls than it was or than is comfortable.
Then every corner becomes an arc, as wide as the clearance allows. Paths are arrays `(N, 2)` of x and z in metres.
"""

from __future__ import annotations

import math

import numpy as np

from canter.control.trajectory import wrap
from canter.motion.arrays import ArrayLike, Floats
from canter.navigation.lines import WallLines, room_along, room_at
from canter.navigation.space import Space, Ways, ways_from

CORNER_SPARE = 1.15
"""Ways over the grid keep so many times the clearance, so that arcs have room to cut the corners."""
ARC_STEP = math.radians(10)
"""Radians between the points of an arc."""
RADII = (1.0, 0.7, 0.5, 0.35, 0.25, 0.15)
"""Shares of the wanted radius that are tried at a corner, until an arc keeps the clearance."""
ROUNDING_SHARE = 0.75
"""An arc may come nearer to walls than its corner, by this factor, as long as it keeps the clearance."""
MAX_PULL = 80
"""Points of a way that one look ahead takes in, so that long ways cost no more for each metre than short ones."""


def find_path(
    space: Space,
    start: ArrayLike,
    goal: ArrayLike,
    clearance: float,
    *,
    comfort: float | None = None,
    radius: float = 0.5,
    reach: float = math.inf,
) -> Floats | None:
    """A smooth path `(N, 2)` from `start` to `goal`, both `(2,)`, that keeps `clearance` metres from walls; None if
    there is none.

    It keeps `comfort` metres (default: the clearance) where that is no long way round, and its corners are arcs of
    `radius` metres where there is room. Ends that are nearer to a wall than the clearance are left and reached in a
    straight line; a goal that stays further away than `reach` metres is not reached.
    """
    begin, end = np.asarray(start, np.float64), np.asarray(goal, np.float64)
    comfort = clearance if comfort is None else comfort
    ways = ways_from(space, begin, CORNER_SPARE * clearance, comfort)
    node = None if ways is None else ways.node_near(end, reach)
    if ways is None or node is None:
        return None
    return path_to(ways, node, begin, end, clearance, comfort, radius)


def path_to(
    ways: Ways, node: int, start: Floats, goal: Floats | None, clearance: float, comfort: float, radius: float
) -> Floats:
    """The smooth path `(N, 2)` along the way to a point of a grid, from `start` and on to `goal`, if there is one."""
    lines, points = ways.space.lines, ways.points_to(node)
    lines = lines.near(np.concatenate([points, start[None]]), 2 * comfort)
    least = CORNER_SPARE * clearance
    if goal is not None and _fits(lines, points[-1], goal, least):
        points = np.concatenate([points, goal[None]])
    if _fits(lines, points[0], start, least):
        return _distinct(
            rounded(lines, pulled(lines, np.concatenate([start[None], points]), comfort), clearance, radius)
        )
    smooth = rounded(lines, pulled(lines, points, comfort), clearance, radius)
    return _distinct(np.concatenate([start[None], smooth]))


def _distinct(points: Floats) -> Floats:
    """The points without those that repeat the one before them."""
    repeats = np.linalg.norm(np.diff(points, axis=0), axis=1) < 1e-6
    return np.delete(points, np.flatnonzero(repeats) + 1, axis=0)


def _fits(lines: WallLines, one: Floats, other: Floats, clearance: float) -> bool:
    return float(room_along(lines, one, other)) >= clearance


def pulled(lines: WallLines, points: Floats, comfort: float) -> Floats:
    """The corners `(M, 2)` of a way `(N, 2)` that is pulled straight wherever there is line of sight.

    A straight piece keeps `comfort` metres from walls, or as much as the part of the way that it replaces.
    """
    corners = _pulled_once(lines, points, comfort)
    return _pulled_once(lines, _filled(corners, _mean_step(points))[::-1], comfort)[::-1]


def _pulled_once(lines: WallLines, points: Floats, comfort: float) -> Floats:
    if len(points) < 3:
        return points
    kept = np.minimum(room_along(lines, points[:-1], points[1:]), comfort) - 1e-9
    corners, at = [0], 0
    while at < len(points) - 1:
        ahead = points[at + 1 : at + 1 + MAX_PULL]
        near = lines.near(points[at : at + 1 + MAX_PULL], comfort)
        room = room_along(near, np.broadcast_to(points[at], ahead.shape), ahead)
        clear = room >= np.minimum.accumulate(kept[at : at + len(ahead)])
        at += 1 + int(np.flatnonzero(clear)[-1]) if clear.any() else 1
        corners.append(at)
    return points[corners]


def _filled(corners: Floats, step: float) -> Floats:
    """The same way with points at most `step` metres apart."""
    lengths = np.linalg.norm(np.diff(corners, axis=0), axis=1)
    pieces = [
        a + np.linspace(0.0, 1.0, max(math.ceil(length / step), 1), endpoint=False)[:, None] * (b - a)
        for a, b, length in zip(corners, corners[1:], lengths, strict=False)
    ]
    return np.concatenate([*pieces, corners[-1:]])


def _mean_step(points: Floats) -> float:
    return max(float(np.linalg.norm(np.diff(points, axis=0), axis=1).mean()), 1e-3) if len(points) > 1 else 1.0


def rounded(lines: WallLines, corners: Floats, clearance: float, radius: float) -> Floats:
    """The way `(N, 2)` with an arc instead of each of its `corners (M, 2)`, of `radius` metres or less.

    An arc takes up at most half of the shorter leg of its corner; a corner that no arc fits stays sharp.
    """
    points = [corners[:1]]
    for before, corner, after in zip(corners, corners[1:], corners[2:], strict=False):
        points.append(_arc(lines, before, corner, after, clearance, radius))
    return np.concatenate([*points, corners[-1:]]) if len(corners) > 1 else corners


def _arc(lines: WallLines, before: Floats, corner: Floats, after: Floats, clearance: float, radius: float) -> Floats:
    """The points of the widest arc that fits a corner, or the corner itself `(1, 2)`."""
    back, ahead = before - corner, after - corner
    legs = math.hypot(*back), math.hypot(*ahead)
    if min(legs) < 1e-9:
        return corner[None]
    back, ahead = back / legs[0], ahead / legs[1]
    turn = wrap(math.atan2(ahead[0], ahead[1]) - math.atan2(-back[0], -back[1]))
    if not math.radians(1) < abs(turn) < math.radians(179):
        return corner[None]
    slope = math.tan(abs(turn) / 2)
    least = max(clearance, ROUNDING_SHARE * float(room_at(lines, corner)))
    for share in RADII:
        leg = min(share * radius * slope, 0.5 * min(legs))
        own = leg / slope
        middle = corner + leg * back + own * math.copysign(1.0, turn) * np.array([-back[1], back[0]])
        first = corner + leg * back - middle
        angles = np.linspace(0.0, turn, max(math.ceil(abs(turn) / ARC_STEP), 2) + 1)
        sine, cosine = np.sin(angles), np.cos(angles)
        turned = np.stack([first[0] * cosine + first[1] * sine, first[1] * cosine - first[0] * sine], axis=-1)
        arc: Floats = middle + turned
        if float(room_along(lines, arc[:-1], arc[1:]).min()) >= least:
            return arc
    return corner[None]


def visiting_order(
    space: Space, start: ArrayLike, goals: ArrayLike, clearance: float, *, comfort: float | None = None
) -> list[int]:
    """The order in which to collect `goals (G, 2)` from `start (2,)`: always the nearest one next, by length of path.

    That is not the shortest tour, but it is found at once. Goals that cannot be reached are left out.
    """
    places = np.asarray(goals, np.float64).reshape(-1, 2)
    pending, order = list(range(len(places))), list[int]()
    here = np.asarray(start, np.float64)
    while pending:
        ways = ways_from(space, here, CORNER_SPARE * clearance, clearance if comfort is None else comfort)
        found = {} if ways is None else {i: ways.node_near(places[i]) for i in pending}
        costs = {i: float(ways.costs[node]) for i, node in found.items() if ways is not None and node is not None}
        if not costs:
            break
        order.append(min(costs, key=costs.__getitem__))
        pending.remove(order[-1])
        here = places[order[-1]]
    return order

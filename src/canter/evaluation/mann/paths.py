"""Table 4 and Figure 8: paths on the ground that every controller follows by commands alone.

MANN blends the way that is wanted with the one that the character would take by itself, T = τ T* + (1 − τ) T⁺ (section
9). For all columns alike, the animal heads for such a blend: of the point of the path a little ahead, and of where its
own predicted trajectory will be by then; before sharp corners it slows down.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from canter.anatomy import Anatomy, ground_track
from canter.control.batch import BatchCommand, BatchController, BatchState
from canter.control.follow import Path
from canter.evaluation.mann.measures import feet_and_legs, travel_speed
from canter.evaluation.mann.rides import Ride, drive
from canter.motion.arrays import Floats
from canter.motion.metrics import path_deviation

TAU = 0.5
CIRCLE_RADIUS, SQUARE_SIDE, STAR_RADIUS = 2.0, 4.0, 2.0
STAR_POINTS = 5
CUSTOM_POINTS = ((0.0, 0.0), (0.4, 2.0), (2.2, 3.0), (3.6, 1.6), (2.6, 0.0), (3.4, -2.0), (1.6, -3.2), (0.2, -1.8))
"""Points (x, z) in metres of a closed spline."""
AHEAD_SECONDS, MIN_AHEAD = 0.4, 0.4
"""How far ahead the animal aims: seconds at its speed, and metres at least, as `control.follow` does."""
BRAKE_SECONDS, MIN_CORNER_SPEED = 0.8, 0.15
"""The speed is that of the row times cos² of half the angle by which the path bends within so many seconds, and this
share of it at least."""
START_SECONDS = 2.0
"""Seconds in which the animal gets going, which are not counted."""
LAPS = 1.4
"""How often round, with what the start takes."""
MAX_SECONDS = 40.0
FREE = "free"
"""A row without a path: straight on, for the skating of free running."""
FREE_SECONDS = 8.0
SHOWN_RATE = 5.0
"""Places a second of a way that is kept for its picture."""


def circle() -> Floats:
    """A circle `(P, 2)` to the left of the animal."""
    angle = np.linspace(0.0, 2 * np.pi, 97)[:-1]
    return CIRCLE_RADIUS * np.stack([1 - np.cos(angle), np.sin(angle)], axis=1)


def square() -> Floats:
    """A square from the middle of a side."""
    a = SQUARE_SIDE
    return np.array([[0, 0], [0, a / 2], [a, a / 2], [a, -a / 2], [0, -a / 2]], float)


def star() -> Floats:
    """The outline of a five-pointed star from the middle of an edge, turned so that the edge leads ahead."""
    inner = STAR_RADIUS * math.cos(2 * math.pi / STAR_POINTS) / math.cos(math.pi / STAR_POINTS)
    radius = np.where(np.arange(2 * STAR_POINTS) % 2 == 0, STAR_RADIUS, inner)
    corner = radius * np.exp(1j * math.pi / STAR_POINTS * np.arange(2 * STAR_POINTS))  # real is ahead, imaginary left
    middle, way = (corner[0] + corner[-1]) / 2, corner[0] - corner[-1]
    found = np.concatenate([[0.0], (corner - middle) / (way / abs(way))])
    return np.stack([found.imag, found.real], axis=1)


def custom() -> Floats:
    """A closed spline through CUSTOM_POINTS, turned so that it leads ahead."""
    from scipy.interpolate import CubicSpline

    points = np.array([*CUSTOM_POINTS, CUSTOM_POINTS[0]])
    at = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
    spline = CubicSpline(at, points, bc_type="periodic")
    found = spline(np.linspace(0.0, at[-1], 161)[:-1])
    x, z = spline(0.0, 1)
    turned = (found[:, 1] + 1j * found[:, 0]) * abs(z + 1j * x) / (z + 1j * x)
    return np.stack([turned.imag, turned.real], axis=1)


PATHS = {"circle": circle, "square": square, "star": star, "custom": custom}


@dataclass(frozen=True)
class PathRow:
    """A path by name, or FREE, at a speed in m/s that is called `pace`."""

    path: str
    pace: str
    speed: float


def path_rows(speeds: Mapping[str, float]) -> list[PathRow]:
    """All paths and free running at each of the speeds in m/s by name."""
    return [PathRow(path, pace, speed) for pace, speed in speeds.items() for path in (*PATHS, FREE)]


def follow(batch: BatchController, rows: Sequence[PathRow], most: float = MAX_SECONDS) -> list[Ride]:
    """Rides along the rows' paths, each until it has gone round, without the start."""
    rate = batch.frame_rate
    routes = [_laps(row.path) if row.path != FREE else None for row in rows]
    ends = [_lap(row) for row in rows]
    along, finished = [0.0] * len(rows), [0] * len(rows)
    first = round(START_SECONDS * rate)

    def told(frame: int, state: BatchState) -> BatchCommand:
        heading, speed = np.zeros(len(rows)), np.array([row.speed for row in rows])
        ahead_of = state.trajectory
        for k, (row, route) in enumerate(zip(rows, routes, strict=True)):
            if route is None:
                along[k] = row.speed * frame / rate
            else:
                place = state.place[k, [0, 2]]
                ahead = max(AHEAD_SECONDS * row.speed, MIN_AHEAD)
                along[k] = route.nearest(place, along[k], 2 * ahead)
                own = _at(ahead_of.times, ahead_of.positions[k][:, [0, 2]], ahead / row.speed)
                target = TAU * route.at(along[k] + ahead) + (1 - TAU) * own
                heading[k] = math.atan2(*(target - place))
                bend = _direction(route, along[k] + BRAKE_SECONDS * row.speed) - _direction(route, along[k])
                speed[k] *= max((1 + math.cos(bend)) / 2, MIN_CORNER_SPEED)
        for k, end in enumerate(ends):
            if not finished[k] and along[k] >= end and frame > first + 1:
                finished[k] = frame
        return BatchCommand.make(speed, heading)

    rides = drive(batch, told, round(most * rate), until=lambda: all(finished))
    return [ride[first : last or None] for ride, last in zip(rides, finished, strict=True)]


def _laps(name: str) -> Path:
    once = PATHS[name]()
    return Path.of(np.concatenate([once, once, once[:2]]))


def _lap(row: PathRow) -> float:
    """Metres after which a row is done."""
    if row.path == FREE:
        return row.speed * (START_SECONDS + FREE_SECONDS)
    return LAPS * Path.of(np.concatenate([PATHS[row.path](), np.zeros((1, 2))])).length


def _direction(route: Path, along: float) -> float:
    """The yaw of a path so many metres along."""
    return math.atan2(*(route.at(along + 0.05) - route.at(along)))


def _at(times: Floats, places: Floats, time: float) -> Floats:
    """The place `(2,)` of a trajectory `(K, 2)` at a time."""
    return np.array([np.interp(time, times, places[:, i]) for i in (0, 1)])


def path_figures(rows: Sequence[PathRow], rides: Sequence[Ride], anatomy: Anatomy, ground: Floats) -> dict[str, Any]:
    """Deviation of place in cm and of direction in degrees, skating in cm a frame and its ratio to free running, and
    the way `(P, 2)` itself, by pace and path."""
    found: dict[str, Any] = {}
    for row, ride in zip(rows, rides, strict=True):
        if ride.finite:
            found.setdefault(row.pace, {})[row.path] = _figures(row, ride, anatomy, ground)
    for paths in found.values():
        free = paths.get(FREE, {}).get("skating", math.nan)
        for path, figures in paths.items():
            if path != FREE:
                figures["skating_ratio"] = figures["skating"] / free if free > 0 else math.nan
    return found


def _figures(row: PathRow, ride: Ride, anatomy: Anatomy, ground: Floats) -> dict[str, Any]:
    figures: dict[str, Any] = {
        "skating": feet_and_legs(ride.motion, anatomy, ground)["skating"],
        "speed": travel_speed(ride),
    }
    if row.path == FREE:
        return figures
    track = ground_track(ride.motion, anatomy)
    off = path_deviation(track.positions, track.facings, PATHS[row.path](), closed=True)
    shown = track.positions[:: max(round(ride.motion.frame_rate / SHOWN_RATE), 1)]
    return figures | {
        "position": float(off.position.mean()),
        "angle": float(off.angle.mean()),
        "way": [[round(float(x), 2) for x in place] for place in shown],
    }

"""Tables of all controllers from records: paths, tracking, response, actions, gaits, terrain and cost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from canter.evaluation.mann import paper
from canter.evaluation.mann.measures import UNITS
from canter.evaluation.mann.measuring import LOCKED, LOOSE
from canter.evaluation.mann.paths import PATHS
from canter.evaluation.mann.records import Record
from canter.evaluation.mann.statistics import NOTHING, estimate, ratio
from canter.evaluation.mann.tables import Columns, figure_of, truth_of, with_ratio
from canter.evaluation.mann.terrain import LIMIT_DEGREES, WORLDS
from canter.evaluation.mann.tracks import KINDS
from canter.evaluation.report import Grid

TRACKING = ("slip", "jerk", "speed_error", "heading_error")


def controller_grids(animal: str, columns: Columns) -> Iterator[Grid]:
    """Every table but those of feet and legs and of networks; those without a row are left out."""
    made = (
        path_grid(animal, columns),
        *(tracking_grid(animal, columns, lock) for lock in (LOCKED, LOOSE)),
        response_grid(animal, columns),
        action_grid(animal, columns),
        gait_grid(animal, columns),
        terrain_grid(animal, columns),
        cost_grid(animal, columns),
    )
    yield from (grid for grid in made if grid.rows)


def mean_of(values: Sequence[float | None]) -> float:
    """The mean of what there is."""
    known = [x for x in values if x is not None]
    return float(np.mean(known)) if known else float("nan")


def number(value: float | None, digits: int = 3) -> str:
    """A number with so many significant digits, a dash for none."""
    return "–" if value is None or value != value else f"{value:.{digits}g}"


def part_of(records: Sequence[Record], *keys: str) -> list[Any]:
    """What records have under such keys."""
    found = []
    for record in records:
        value: Any = record.figures
        for key in keys:
            value = value.get(key) if isinstance(value, Mapping) else None
        if value is not None:
            found.append(value)
    return found


def path_grid(animal: str, columns: Columns) -> Grid:
    """Table 4: deviations on paths, and the skating on them."""
    rows = []
    paces = dict.fromkeys(pace for records in columns.values() for part in part_of(records, "paths") for pace in part)
    for name, records in columns.items():
        for pace in paces:
            if part_of(records, "paths", pace):
                rows.append([name, pace, *(_path_cell(records, pace, path) for path in PATHS)])
    if rows:
        for k, column in enumerate(paper.PATH_COLUMNS):
            cells = [f"{paper.PATHS[path][k][0]:.2f} cm, {paper.PATHS[path][k][1]:.2f}°" for path in PATHS]
            rows.append([f"{column}, {paper.CITATION}", "", *cells])
    note = (
        "Mean deviation of place and of direction from the path (circle of 2 m radius, square of 4 m, star of 2 m, a "
        "spline; τ = 0.5); foot skating on it in cm a frame × its ratio to running free at the same speed."
    )
    return Grid(f"Table 4: paths, {animal}", ("", "pace", *PATHS), rows, note)


def _path_cell(records: Sequence[Record], pace: str, path: str) -> str:
    parts = part_of(records, "paths", pace, path)
    if not parts:
        return "–"
    place, angle, skating, share = (
        mean_of([part.get(key) for part in parts]) for key in ("position", "angle", "skating", "skating_ratio")
    )
    return f"{number(place)} cm, {number(angle)}°; {number(skating)} × {number(share)}"


def tracking_grid(animal: str, columns: Columns, lock: str) -> Grid:
    """Slip, jerk and errors of speed and heading, over all tracks."""
    truth, rows = truth_of(columns), []
    for name, records in columns.items():
        cells = []
        for figure in TRACKING:
            own, true = (_all_tracks(x, way, figure) for x, way in ((records, lock), (truth, LOCKED)))
            share = ratio(own, true) if own and true and figure == "jerk" else NOTHING
            cells.append(with_ratio(estimate(own) if own else NOTHING, share))
        if any(cell != "–" for cell in cells):
            rows.append([name, *cells])
    headings = ("", *(f"{figure.replace('_', ' ')}, {UNITS[figure]}" for figure in TRACKING))
    words = "with" if lock == LOCKED else "without"
    note = "Mean over all tracks (95 % interval); jerk × its ratio to the ground truth."
    return Grid(f"Tracking and smoothness, {animal}, {words} foot locking", headings, rows, note)


def _all_tracks(records: Sequence[Record], lock: str, figure: str) -> list[list[float | None]]:
    found = []
    for record in records:
        values = [x for kind in KINDS for one in figure_of([record], lock, kind, figure) for x in one]
        if values:
            found.append(values)
    return found


def response_grid(animal: str, columns: Columns) -> Grid:
    """Seconds until speed and heading have changed."""
    rows = []
    for name, records in columns.items():
        cells = []
        for what in ("speed", "heading"):
            values = [x for part in part_of(records, "response", what) for x in part]
            known = [x for x in values if x is not None]
            late = f" ({len(values) - len(known)} of {len(values)} never)" if len(known) < len(values) else ""
            cells.append(f"{number(mean_of(values))}{late}" if values else "–")
            cells.append(number(max(known)) if known else "–")
        if cells[0] != "–":
            rows.append([name, *cells])
    headings = ("", "speed, s", "slowest", "heading, s", "slowest")
    return Grid(f"Response, {animal}", headings, rows, "Seconds from the command until 0.7 of the change is done.")


def action_grid(animal: str, columns: Columns) -> Grid:
    """Seconds until actions begin, are reached and left."""
    rows = []
    for name, records in columns.items():
        for action in dict.fromkeys(a for part in part_of(records, "response", "actions") for a in part):
            parts = part_of(records, "response", "actions", action)
            cells = []
            for what in ("start", "reached", "leave"):
                values = [x for part in parts for x in part[what]]
                known = [x for x in values if x is not None]
                cells += [number(mean_of(values)), f"{100 * len(known) / max(len(values), 1):.0f}"]
            rows.append([name, action, *cells])
    headings = ("", "action", "begins, s", "%", "reached, s", "%", "going again, s", "%")
    note = (
        "From the key: until the pose has come a quarter nearer to held ones (a jump: until no foot is down), and "
        "until it is within 8 % of the hip height of one; from the end of the action: until 0.7 of the speed to go on "
        "at. Per cent are cases in which that happens within 4 s."
    )
    return Grid(f"Actions, {animal}", headings, rows, note)


def gait_grid(animal: str, columns: Columns) -> Grid:
    """Per cent of strides with the gait of the data."""
    steady, changing = (
        dict.fromkeys(g for records in columns.values() for part in part_of(records, "gaits", way) for g in part)
        for way in ("steady", "changing")
    )
    rows = []
    for name, records in columns.items():
        if not part_of(records, "gaits"):
            continue
        cells = [_steady_cell(part_of(records, "gaits", "steady", gait), gait) for gait in steady]
        for gait in changing:
            parts = part_of(records, "gaits", "changing", gait)
            cells.append(number(100 * mean_of([part["share"] for part in parts])) if parts else "–")
        rows.append([name, *cells])
    headings = ("", *(f"{gait}, steady" for gait in steady), *(f"{gait}, changing" for gait in changing))
    note = (
        "Per cent of strides that the detector names as the gait that the data has at that speed: at steady speeds "
        "(and what it names most instead), and while the commanded speed changes every 2 to 4 s."
    )
    return Grid(f"Gaits by speed alone, {animal}", headings, rows, note)


def _steady_cell(parts: Sequence[Any], gait: str) -> str:
    if not parts:
        return "–"
    share = mean_of([part["shares"].get(gait, 0.0) for part in parts])
    others = {g: x for part in parts for g, x in part["shares"].items() if g != gait}
    most = max(others, key=lambda g: others[g], default="")
    speed = mean_of([part["speed"] for part in parts])
    return f"{number(100 * share)} at {speed:.2g} m/s" + (f" ({most})" if most and share < 0.9 else "")


def terrain_grid(animal: str, columns: Columns) -> Grid:
    """Figure 7: depth, slip and limits on slopes and hills."""
    rows = []
    for name, records in columns.items():
        cells = []
        for world in WORLDS:
            parts = part_of(records, "terrain", world)
            if not parts or not all(parts):
                cells.append("–")
                continue
            deep, slip = (max(x for p in parts for x in p[key]) for key in ("penetration_max", "slip_max"))
            beyond = mean_of([x for p in parts for x in p["beyond_limits"]])
            cells.append(f"{number(deep, 2)}; {number(slip, 2)}; {number(beyond, 2)}")
        if any(cell != "–" for cell in cells):
            rows.append([name, *cells])
    note = (
        "Deepest foot below the ground in cm; longest slip of a stance in cm; per cent of frames in which a leg joint "
        f"turns {LIMIT_DEGREES:g}° farther than it ever does in the ground truth. Slopes of 8°, hills of 0.1 m."
    )
    return Grid(f"Figure 7: slopes and hills, {animal}", ("", *WORLDS), rows, note)


def cost_grid(animal: str, columns: Columns) -> Grid:
    """Milliseconds, memory and size."""
    rows = []
    for name, records in columns.items():
        parts = part_of(records, "cost")
        if parts:
            times = [mean_of([part["milliseconds"].get(q) for part in parts]) for q in ("p50", "p99")]
            sizes = [mean_of([part.get(key) for part in parts]) for key in ("memory_mb", "file_mb")]
            rows.append([name, *(number(x) for x in (*times, *sizes))])
    headings = ("", "ms a frame, median", "99th percentile", "memory, MB", "file, MB")
    note = "A whole step of one animal on one thread; memory that it adds to a process which has loaded the animal."
    return Grid(f"Cost, {animal}", headings, rows, note)

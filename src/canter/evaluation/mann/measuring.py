"""All that is measured of one column of one animal, as plain values for a record."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from canter.control.batch import BatchController
from canter.evaluation.mann.capture import Stretch
from canter.evaluation.mann.columns import Column
from canter.evaluation.mann.cost import NETWORK, frame_times, memory_of
from canter.evaluation.mann.experts import activations, broken, outcome, perform, tasks_of
from canter.evaluation.mann.gaits import changing_figures, gait_tracks, ride_changes, speed_changes, steady_figures
from canter.evaluation.mann.measures import UNITS, by_name, feet_and_legs, ride_figures
from canter.evaluation.mann.paths import follow, path_figures, path_rows
from canter.evaluation.mann.records import Record
from canter.evaluation.mann.response import answer, cases_of, response_figures
from canter.evaluation.mann.rides import Ride
from canter.evaluation.mann.subjects import Subject
from canter.evaluation.mann.terrain import WORLDS, terrain_figures
from canter.evaluation.mann.tracks import WATCH_SECONDS, Track, ride_tracks
from canter.motion.metrics import jerk, stance_slip

LOCKED, LOOSE = "locked", "loose"
"""With and without foot locking."""

TURN_RATE = 0.6
"""Radians a second of the turns that experts are tried on."""

Progress = Callable[[str], None]


def measure(column: Column, subject: Subject, progress: Progress = lambda _: None) -> dict[str, Any]:
    """The figures of a column by topic."""
    found: dict[str, Any] = {}
    for name, part in PARTS.items():
        progress(f"{subject.name}, {column.name}: {name}")
        figures = part(column, subject)
        if figures:
            found[name] = figures
    return found


def make_record(
    column: Column,
    subject: Subject,
    config: Mapping[str, Any],
    seed: int = 0,
    training_seconds: float = 0.0,
    progress: Progress = lambda _: None,
) -> Record:
    """Measures a column and says how long that took."""
    began = time.perf_counter()
    figures = measure(column, subject, progress)
    seconds = time.perf_counter() - began
    about = {"animal": subject.name, "column": column.name, "identity": column.identity, **config}
    return Record(
        record_name(subject.name, column.name, seed, "training" in config),
        about,
        seed,
        figures,
        training_seconds,
        seconds,
    )


def record_name(animal: str, column: str, seed: int, trained: bool) -> str:
    """The name of a record's file: animal, column and, of what was trained for the tables, the seed."""
    return f"{animal}-{column}{f'-{seed}' if trained else ''}".replace(" ", "_")


def track_figures(column: Column, subject: Subject, seconds: float = WATCH_SECONDS) -> dict[str, Any]:
    """Figures of steady rides by lock, kind and name, one number a track, NaN where the motion is none."""
    anatomy = subject.character.anatomy

    def ride(batch: BatchController, tracks: Sequence[Track]) -> list[Ride]:
        return ride_tracks(batch, tracks, seconds)

    found: dict[str, Any] = {}
    for lock in (LOCKED, LOOSE) if column.lockable else (LOCKED,):
        rides = column.over(subject.tracks, ride, lock_feet=lock == LOCKED)
        kinds: dict[str, Any] = {}
        for track, one in zip(subject.tracks, rides, strict=True):
            figures = ride_figures(one, anatomy, subject.ground) if one.finite else dict.fromkeys(UNITS, math.nan)
            kinds.setdefault(track.kind, []).append(figures | {"speed": track.speed, "yaw_rate": track.yaw_rate})
        found[lock] = {kind: by_name(rows) for kind, rows in kinds.items()}
        found[f"{lock}_lost"] = sum(not one.finite for one in rides)
    return found


def path_part(column: Column, subject: Subject) -> dict[str, Any]:
    """Table 4 and Figure 8, at the two slowest paces."""
    rows = path_rows(dict(list(subject.paces.items())[:2]))
    return path_figures(rows, column.over(rows, follow), subject.character.anatomy, subject.ground)


def gait_part(column: Column, subject: Subject) -> dict[str, Any]:
    """Gaits by speed alone, steadily and under changing commands."""
    anatomy, ranges = subject.character.anatomy, subject.ranges
    tracks = gait_tracks(ranges, anatomy.hip_height)
    changes = speed_changes(ranges)
    return {
        "steady": steady_figures(tracks, column.over(tracks, ride_tracks), anatomy),
        "changing": changing_figures(column.over(changes, ride_changes), anatomy, ranges),
    }


def response_part(column: Column, subject: Subject) -> dict[str, Any]:
    """Seconds until commands are answered."""
    actions = actions_of(column, subject)
    cases = cases_of(subject.paces, actions)
    return response_figures(cases, column.over(cases, answer), subject.character, subject.poses, subject.dataset.jumps)


def actions_of(column: Column, subject: Subject) -> list[str]:
    """The actions of the data that a controller knows."""
    known = column.make(1).capabilities.actions
    return [name for name in subject.dataset.layout.labels[2:] if name in known]


def terrain_part(column: Column, subject: Subject) -> dict[str, Any]:
    """Figure 7, at the two slowest paces."""
    anatomy = subject.character.anatomy
    tracks = [Track("terrain", gait, speed, 0.0, speed) for gait, speed in list(subject.paces.items())[:2]]
    found = {}
    for name, make in WORLDS.items():
        world = make()
        rides = [ride for ride in column.over(tracks, ride_tracks, world=world) if ride.finite]
        figures = [terrain_figures(ride, world, anatomy, subject.ground, subject.joint_ranges) for ride in rides]
        found[name] = by_name(figures)
    return found


def expert_part(column: Column, subject: Subject) -> dict[str, Any]:
    """Figure 9 and, where experts can be switched off, Table 5."""
    if column.experts < 2:
        return {}
    character, data = subject.character, subject.dataset
    tasks = tasks_of(subject.paces, TURN_RATE, actions_of(column, subject))
    rides = column.over(tasks, perform)
    whole = [
        outcome(t, r, character, subject.ground, subject.poses, data.jumps) for t, r in zip(tasks, rides, strict=True)
    ]
    found: dict[str, Any] = {"activations": activations(tasks, rides), "without": {}}
    for expert in range(column.experts if column.switchable else 0):
        enabled = [float(k != expert) for k in range(column.experts)]
        parts = column.over(tasks, perform, enabled=enabled)
        wrong = {}
        for task, before, ride in zip(tasks, whole, parts, strict=True):
            after = outcome(task, ride, character, subject.ground, subject.poses, data.jumps)
            if words := broken(task, before, after):
                wrong[task.name] = words
        found["without"][str(expert + 1)] = wrong
    return found


def cost_part(column: Column, subject: Subject) -> dict[str, Any]:
    """Milliseconds a frame, memory and size on disk."""
    speed = next(iter(subject.paces.values()))
    kind = NETWORK if column.experts else column.name
    size = column.path.stat().st_size / 1e6 if column.path is not None and column.path.is_file() else None
    return {
        "milliseconds": frame_times(column.make(1), speed),
        "memory_mb": memory_of(subject.name, kind, column.path) if subject.authored else None,
        "file_mb": size,
    }


PARTS: Mapping[str, Callable[[Column, Subject], dict[str, Any]]] = {
    "tracks": track_figures,
    "paths": path_part,
    "gaits": gait_part,
    "response": response_part,
    "terrain": terrain_part,
    "experts": expert_part,
    "cost": cost_part,
}
"""All that is measured of a column."""


def truth_record(name: str, subject: Subject, stretches: Sequence[Stretch]) -> Record:
    """The ground truth of a capture: the same figures of its own stretches."""
    anatomy = subject.character.anatomy
    kinds: dict[str, list[dict[str, float]]] = {}
    for stretch in stretches:
        feet = stretch.motion.position_world[:, anatomy.feet]
        figures = feet_and_legs(stretch.motion, anatomy, subject.ground) | {
            "slip": stance_slip(feet, stretch.contacts).mean,
            "jerk": float(jerk(stretch.motion.position_world, stretch.motion.frame_rate).mean()),
            "seconds": stretch.motion.seconds,
        }
        kinds.setdefault(stretch.kind, []).append(figures)
    tracks = {LOCKED: {kind: by_name(rows) for kind, rows in kinds.items()}}
    about = {"animal": subject.name, "column": name, "identity": str(subject.dataset.about["hash"])}
    return Record(record_name(subject.name, name, 0, False), about, 0, {"tracks": tracks})

"""All that is measured of one column of one animal, as plain values for a record."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from canter.control.batch import BatchController
from canter.evaluation.mann.capture import Stretch
from canter.evaluation.mann.columns import Column
from canter.evaluation.mann.measures import by_name, feet_and_legs, ride_figures
from canter.evaluation.mann.records import Record
from canter.evaluation.mann.rides import Ride
from canter.evaluation.mann.subjects import Subject
from canter.evaluation.mann.tracks import WATCH_SECONDS, Track, ride_tracks
from canter.motion.metrics import jerk, stance_slip

LOCKED, LOOSE = "locked", "loose"
"""With and without foot locking."""

Progress = Callable[[str], None]


def measure(column: Column, subject: Subject, progress: Progress = lambda _: None) -> dict[str, Any]:
    """The figures of a column by topic."""
    progress(f"{subject.name}, {column.name}: tracks")
    return {"tracks": track_figures(column, subject)}


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
    """Figures of steady rides by lock, kind and name, one number a track; lists are empty where the ride is no
    number."""
    anatomy = subject.character.anatomy

    def ride(batch: BatchController, tracks: Sequence[Track]) -> list[Ride]:
        return ride_tracks(batch, tracks, seconds)

    found: dict[str, Any] = {}
    for lock in (LOCKED, LOOSE) if column.lockable else (LOCKED,):
        rides = column.over(subject.tracks, ride, lock_feet=lock == LOCKED)
        kinds: dict[str, Any] = {}
        for track, one in zip(subject.tracks, rides, strict=True):
            figures = ride_figures(one, anatomy, subject.ground) if one.finite else {}
            kinds.setdefault(track.kind, []).append(figures)
        found[lock] = {kind: by_name([f for f in rows if f]) for kind, rows in kinds.items()}
        found[lock + "_finite"] = all(one.finite for one in rides)
    return found


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

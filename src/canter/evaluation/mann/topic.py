"""The topic `mann`: the shipped networks in closed loop, beside the teacher that they learned from.

An hour of random commands to one animal, a long stand, the gaits that come by speed alone, skating and leg activity
with and without the foot lock; and tables of all controllers, printed from result records.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import numpy as np

from canter.anatomy import Character
from canter.control.batch import BatchController
from canter.control.improvise import TEACHING, improvise, improvised
from canter.control.registry import load, make_batch
from canter.evaluation import Options
from canter.evaluation.mann.campaign import measure_columns, subjects, train_networks
from canter.evaluation.mann.columns import file_hash
from canter.evaluation.mann.first_steps import first_steps, ride_starts, starts_of
from canter.evaluation.mann.gaits import (
    ANIMALS,
    MANY_ANIMALS,
    MIN_STRIDES,
    judged_strides,
    own_gaits,
    ride_changes,
    share_of,
    speed_changes,
)
from canter.evaluation.mann.grids import controller_grids
from canter.evaluation.mann.hour import COMMANDS, EASED, Hour, Poses, judge, same_commands
from canter.evaluation.mann.locomotion import Going, rides, stand_drift
from canter.evaluation.mann.measures import hind_legs
from canter.evaluation.mann.network_grids import network_grids
from canter.evaluation.mann.records import Record, read_record, read_records, records_folder, write_record
from canter.evaluation.mann.tables import columns_of, foot_grids
from canter.evaluation.mann.verdicts import verdict_rows
from canter.evaluation.report import Grid, Row, at_least, at_most, judged, skipped
from canter.neural.controller import TrajectoryController
from canter.neural.dataset import make_dataset
from canter.neural.mann import MODELS
from canter.neural.model import Model

HOUR_MINUTES, QUICK_MINUTES = 60.0, 1.5
DATA_MINUTES = 20.0
"""Minutes of the teacher that poses are compared with."""
COMMAND_SEED, DATA_SEED = 7, 101
GAIT_SHARE = 90.0
"""Per cent of strides in which the gait of the data must be shown, unless the teacher shows it less often."""
FIRST_STEPS = "frames in the air", "frames on one end"
"""What is counted of first steps."""
ROWS_VERSION = 3
"""Which rows a record of a shipped network has: one with others is measured anew."""
TURN = 0.6
"""Radians a second of a steady turn."""


def rows(options: Options) -> Iterator[Row | Grid]:
    """Rows of the shipped networks, and the tables of all columns."""
    if not options.retrain and options.only is None and options.subject is None:
        yield from shipped_rows(options)
    yield from table_rows(options)


def table_rows(options: Options) -> Iterator[Row | Grid]:
    """Tables from result records. `again` measures the controllers anew, `retrain` trains the networks of the tables
    that have no record."""
    folder = records_folder(options.records)
    if (options.again or options.retrain) and not options.quick:
        for subject in subjects(options):
            make = train_networks if options.retrain else measure_columns
            for record in make(subject, folder, options):
                options.progress(f"{record.name}: {record.measuring_seconds:.0f} s of measuring")
    records = {name: record for name, record in read_records(folder).items() if "animal" in record.config}
    if not records:
        yield skipped("tables of all controllers", "there are no result records; --again and --retrain make them")
    for animal in dict.fromkeys(str(record.config["animal"]) for record in records.values()):
        columns = columns_of(records, animal)
        yield from verdict_rows(animal, columns)
        yield from foot_grids(animal, columns)
        yield from controller_grids(animal, columns)
        yield from network_grids(animal, columns)


def shipped_rows(options: Options) -> Iterator[Row]:
    """The shipped networks in closed loop: from a record of the same file, if there is one."""
    folder = records_folder(options.records)
    for path in sorted(MODELS.glob("*.onnx")):
        name, identity = f"{path.stem}-hour", file_hash(path)
        kept = folder / f"{name}.json"
        if kept.is_file() and not options.again and not options.quick:
            record = read_record(kept)
            if record.config.get("identity") == identity and record.config.get("rows") == ROWS_VERSION:
                yield from (Row(**row) for row in record.figures["rows"])
                continue
        began = time.perf_counter()
        found = []
        for row in measured_rows(path, options):
            found.append(asdict(row))
            yield row
        if folder.is_dir() and not options.quick:
            figures, seconds = {"rows": found}, time.perf_counter() - began
            config = {"network": path.stem, "identity": identity, "rows": ROWS_VERSION}
            write_record(Record(name, config, COMMAND_SEED, figures, 0.0, seconds), folder)


def measured_rows(path: Path, options: Options) -> Iterator[Row]:
    """A shipped network in closed loop."""
    animal, _, network = path.stem.partition("_")
    character, model = load(animal), Model(path)
    what = f"{animal}, {network}"
    options.progress(f"{what}: an hour of commands")
    yield from _hour_rows(what, character, model, options.quick)
    options.progress(f"{what}: steady speeds")
    yield from _gait_rows(what, character, model)
    options.progress(f"{what}: changing speeds")
    yield from _changing_rows(what, character, model, options.quick)
    options.progress(f"{what}: first steps")
    yield from _start_rows(what, character, model)


def _hour_rows(what: str, character: Character, model: Model, quick: bool) -> Iterator[Row]:
    minutes = QUICK_MINUTES if quick else HOUR_MINUTES
    data = improvise(character, min(DATA_MINUTES, 4 * minutes), DATA_SEED, repertoire=TEACHING)
    dataset = make_dataset(data)
    batch = TrajectoryController(character, 1, predictor=model)
    frames = round(minutes * 60 * batch.frame_rate)
    rode = improvised(batch, frames, COMMAND_SEED, COMMANDS, telemetry=(EASED,))
    teacher = same_commands(make_batch("gaits", character, 1, frame_rate=batch.frame_rate, **TEACHING.options), rode)
    hour = judge(rode, Poses(dataset), dataset.jumps, teacher)
    name = f"{what}, {minutes:g} minutes"
    yield judged(f"{name}: every number is finite", str(hour.finite).lower(), hour.finite, "true")
    for words, (share, count), goal in _shares(hour):
        yield at_least(f"{name}: {words}, of {count}", 100 * share, goal, "%")
    yield at_most(f"{name}: deepest foot below ground", 100 * hour.depth, 1.0, "% of hip height")
    yield at_most(f"{name}: frames eased back to the data after five minutes", hour.eased, 0, "")
    for k, distance in enumerate(hour.distance):
        yield Row(f"{name}: distance to the data in fifth {k + 1}", 100 * distance, "% of hip height")
    drift, slid = stand_drift(
        TrajectoryController(character, 1, predictor=model), 0.3 * model.contract.limits.max_speed
    )
    yield at_most(f"{what}: a stand of 30 s drifts", 100 * drift, 3.0, "cm")
    yield at_most(f"{what}: its feet move", 100 * slid, 0.5, "cm")


def _shares(hour: Hour) -> list[tuple[str, tuple[float, int], float]]:
    return [
        ("commands to go that are obeyed", hour.go, 98.0),
        ("commands to go that are obeyed out of an action", hour.out_of_action, 98.0),
        ("holds that end in their pose", hour.held, 95.0),
        ("jumps that leave the ground", hour.jumps, 95.0),
    ]


def _gait_rows(what: str, character: Character, model: Model) -> Iterator[Row]:
    """At the middle of the range of every gait that the teacher takes by itself, straight on and in a turn."""
    own = own_gaits(character)
    speeds = np.array([sum(span) / 2 for span in own.values()])
    batches = {
        "gaits": make_batch("gaits", character, len(own)),
        "network": TrajectoryController(character, len(own), predictor=model),
        "without foot lock": TrajectoryController(character, len(own), predictor=model, lock_feet=False),
    }
    for way, yaw_rate in (("straight", 0.0), ("turning", TURN)):
        made = {name: rides(batch, speeds, yaw_rate) for name, batch in batches.items()}
        for k, gait in enumerate(own):
            yield from _going_rows(
                f"{what}, {gait} at {speeds[k]:.1f} m/s, {way}", gait, {n: x[k] for n, x in made.items()}
            )


def _changing_rows(what: str, character: Character, model: Model, quick: bool) -> Iterator[Row]:
    """The gaits of strides while speeds change every few seconds."""
    own = own_gaits(character)
    changes = speed_changes(own, ANIMALS if quick else MANY_ANIMALS)
    batches = _learner_and_teacher(character, model, len(changes))
    learned, taught = (judged_strides(ride_changes(batch, changes), character.anatomy, own) for batch in batches)
    for gait, strides in taught.items():
        found = learned.get(gait, [[]])
        share, goal = share_of(found), min(GAIT_SHARE / 100, share_of(strides).value)
        count = sum(map(len, found))
        name = f"{what}, {gait} while speeds change: share of strides of that gait, of {count}"
        if min(count, sum(map(len, strides))) < MIN_STRIDES:
            yield Row(name, str(share))
            continue
        reason = "a tie within the interval" if share.value < goal <= share.high else ""
        yield judged(name, str(share), share.high >= goal, f"≥ {goal:.3f} or a tie", reason=reason)


def _learner_and_teacher(character: Character, model: Model, count: int) -> tuple[BatchController, BatchController]:
    """So many animals that the network moves, and as many that its teacher does."""
    return (
        TrajectoryController(character, count, predictor=model),
        make_batch("gaits", character, count, **TEACHING.options),
    )


def _start_rows(what: str, character: Character, model: Model) -> Iterator[Row]:
    """Out of a stand and every action that is held, to the speeds of all gaits."""
    held = [name for name in model.contract.layout.labels[2:] if name not in model.contract.jumps]
    starts = starts_of(held, [sum(span) / 2 for span in own_gaits(character).values()])
    batches, hind = _learner_and_teacher(character, model, len(starts)), hind_legs(character.anatomy)
    learned, taught = (first_steps(starts, ride_starts(batch, starts), hind) for batch in batches)
    for rest, shares in learned.items():
        for words, own, teacher in zip(FIRST_STEPS, shares, taught[rest], strict=True):
            yield Row(f"{what}, first steps out of {rest}: {words}", 100 * own, "%")
            yield Row(f"{what}, first steps out of {rest}: {words}, teacher", 100 * teacher, "%")


def _going_rows(name: str, gait: str, made: dict[str, Going]) -> Iterator[Row]:
    teacher, learned, loose = made["gaits"], made["network"], made["without foot lock"]
    goal = min(GAIT_SHARE, 100 * teacher.share(gait))
    yield at_least(f"{name}: strides of that gait", 100 * learned.share(gait), goal, "%")
    yield Row(f"{name}: speed / the teacher's", learned.speed / teacher.speed)
    yield Row(f"{name}: skating without foot lock / the teacher's", loose.skating[0] / max(teacher.skating[0], 1e-9))
    yield Row(f"{name}: skating / the teacher's", learned.skating[0] / max(teacher.skating[0], 1e-9))
    yield Row(f"{name}: leg activity / the teacher's", loose.activity[0] / teacher.activity[0])

"""Which records there are, which are missing or out of date, and how they are made: one by one, so that a stop loses
nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from canter.evaluation import Options
from canter.evaluation.mann.columns import (
    CYCLES,
    Column,
    cycles_column,
    matching_column,
    network_column,
    shipped_columns,
)
from canter.evaluation.mann.comparison import Training, train, trainings
from canter.evaluation.mann.measuring import make_record, record_name, truth_record
from canter.evaluation.mann.records import Record, read_record, write_record
from canter.evaluation.mann.subjects import CAPTURED_FOLDER, Subject, authored, captured

AUTHORED = ("dog",)
"""The authored animals whose tables are printed."""
CAPTURED = "captured dog"
TRUTH, HELD_BACK = "capture", "capture_held_back"
"""Columns of a capture itself: the stretches that the tracks are like, and all of takes that were held back."""


def subjects(options: Options) -> Iterator[Subject]:
    """The animals that can be measured: authored ones, and the captured dog where recordings are."""
    for animal in AUTHORED:
        if options.subject in (None, animal):
            yield authored(animal)
    if options.subject in (None, CAPTURED) and options.data is not None and (options.data / CAPTURED_FOLDER).is_dir():
        yield captured(options.data)


def measure_columns(subject: Subject, folder: Path, options: Options) -> Iterator[Record]:
    """Records of all controllers that need no training for the tables: those that are missing or were made of other
    files; all with `again`."""
    if not subject.authored:
        for name, stretches in ((TRUTH, subject.stretches), (HELD_BACK, subject.held_stretches)):
            record = truth_record(name, subject, stretches)
            write_record(record, folder)
            yield record
    names = []
    for column in controllers(subject):
        names.append(column.name)
        if options.only in (None, column.name):
            yield _record(column, subject, folder, options)
    if options.only is not None and options.only not in names:
        raise ValueError(
            f"no controller of the {subject.name} is called {options.only!r}; there are: {', '.join(names)}"
        )


def controllers(subject: Subject) -> Iterator[Column]:
    """All controllers that need no training for the tables."""
    yield from (cycles_column(subject, name) for name in CYCLES)
    yield matching_column(subject)
    yield from shipped_columns(subject)


def _record(column: Column, subject: Subject, folder: Path, options: Options) -> Record:
    path = folder / f"{record_name(subject.name, column.name, 0, False)}.json"
    if path.is_file() and not options.again:
        record = read_record(path)
        if record.config.get("identity") == column.identity:
            return record
    record = make_record(column, subject, {}, progress=options.progress)
    write_record(record, folder)
    return record


def train_networks(subject: Subject, folder: Path, options: Options) -> Iterator[Record]:
    """Trains every network of the tables that has no record yet, measures it and writes its record; with `again` those
    that have one are measured anew, and trained where they are gone, by as many steps as then: computers differ. Those
    of one seed are trained for authored animals only."""
    for training in trainings(options.only, options.minutes):
        if len(training.network.seeds) == 1 and not subject.authored:
            continue
        path = folder / f"{record_name(subject.name, training.network.name, training.seed, True)}.json"
        kept = read_record(path) if path.is_file() else None
        if kept is not None and kept.config.get("training", {}).get("minutes") == training.minutes:
            if not options.again:
                yield kept
                continue
            training = replace(training, steps=kept.config["training"].get("steps"))
        yield _trained(training, subject, folder, options)


def _trained(training: Training, subject: Subject, folder: Path, options: Options) -> Record:
    options.progress(f"{subject.name}, {training.name}: training")
    try:
        made = train(training, subject, options.progress)
    except FloatingPointError as error:  # the others are trained all the same
        return _failed(training, subject, folder, str(error))
    column = network_column(subject, training.network.name, made.path)
    config = {
        "training": {
            "minutes": training.minutes,
            "steps": made.steps,
            "parameters": made.parameters,
            "recipe": made.recipe,
            "data": str(subject.dataset.about["hash"]),
            "without_trot_turns": training.network.without_trot_turns,
            "validation": made.validation,
        }
    }
    record = make_record(column, subject, config, training.seed, made.seconds, options.progress)
    write_record(record, folder)
    return record


def _failed(training: Training, subject: Subject, folder: Path, reason: str) -> Record:
    """The record of a network that could not be trained."""
    config = {
        "animal": subject.name,
        "column": training.network.name,
        "failed": reason,
        "training": {"minutes": training.minutes},
    }
    name = record_name(subject.name, training.network.name, training.seed, True)
    record = Record(name, config, training.seed, {})
    write_record(record, folder)
    return record

"""How every part of canter proves itself: topics of `canter evaluate`, each a list of rows against goals.

A topic is a function `rows(options) -> Iterator[Row | Grid]`, named here by a lazy string. Real recordings are found by
`CANTER_DATA` or `--data`; rows that need them are skipped where they are not.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from canter.control.spelling import known_names
from canter.evaluation.report import Grid, Report, Row

TOPICS = {
    "rigs": "canter.evaluation.rigs.topic:rows",
    "animals": "canter.evaluation.animals.topic:rows",
    "cycles": "canter.evaluation.cycles.topic:rows",
    "mann": "canter.evaluation.mann.topic:rows",
}


@dataclass(frozen=True)
class Options:
    """How to evaluate: `quick` measures a part in under a minute; `data` is the folder of real recordings, if any.

    Of topics that print from result records: `again` measures anew, `retrain` trains anew, for so many `minutes` each,
    `only` the network of that name, on the animal `subject`; `records` is another folder of records.
    """

    quick: bool = False
    data: Path | None = None
    progress: Callable[[str], None] = lambda step: None
    again: bool = False
    retrain: bool = False
    minutes: float | None = None
    only: str | None = None
    subject: str | None = None
    records: Path | None = None


def data_folder(data: str | Path | None = None) -> Path | None:
    """The folder of real recordings: `data`, or the environment variable `CANTER_DATA`, or None."""
    place = data or os.environ.get("CANTER_DATA")
    if not place:
        return None
    folder = Path(place)
    if not folder.is_dir():
        raise NotADirectoryError(f"{folder}: no such folder. Give the folder of recordings by --data or CANTER_DATA.")
    return folder


def evaluate(
    topic: str,
    quick: bool = False,
    data: str | Path | None = None,
    progress: Callable[[str], None] = lambda step: None,
    **more: Any,
) -> Report:
    """The report of a topic; `progress` is called with what is being measured, `more` are fields of `Options`."""
    if topic not in TOPICS:
        raise KeyError(f"no topic is called {topic!r}; {known_names(topic, TOPICS)}")
    module, name = TOPICS[topic].split(":")
    rows: Callable[[Options], Iterable[Row | Grid]] = getattr(import_module(module), name)
    found = tuple(rows(Options(quick, data_folder(data), progress, **more)))
    return Report(
        topic,
        tuple(item for item in found if isinstance(item, Row)),
        tuple(item for item in found if isinstance(item, Grid)),
    )


__all__ = ["TOPICS", "Grid", "Options", "Report", "Row", "data_folder", "evaluate"]

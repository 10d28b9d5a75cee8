"""Tables 2 and 3 from records: skating and leg activity, with and without foot locking, beside the paper's own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from canter.evaluation.mann import paper
from canter.evaluation.mann.measuring import LOCKED, LOOSE
from canter.evaluation.mann.records import Record
from canter.evaluation.mann.statistics import NOTHING, Estimate, estimate, ratio
from canter.evaluation.mann.tracks import KINDS
from canter.evaluation.report import Grid

Columns = Mapping[str, Sequence[Record]]
"""The records of each column, one a seed."""

FOOT_TABLES = (
    ("Table 2: foot skating", "skating", "cm a frame", paper.SKATING),
    ("Table 2, heights from each foot's own 2nd percentile: foot skating", "skating_own", "cm a frame", paper.SKATING),
    ("Table 3: leg activity", "activity", "° a frame", paper.ACTIVITY),
)
LEGS = {"all": "", "back": "_back"}
"""Suffixes of figures of all legs and of the back legs."""
LOCKS = {LOCKED: "with foot locking", LOOSE: "without foot locking"}
ORDER = ("capture", "capture_held_back", "gaits", "sung", "huang", "matching")
"""Columns that come first."""


def columns_of(records: Mapping[str, Record], animal: str) -> dict[str, list[Record]]:
    """The records of an animal by column, in the order in which they are printed."""
    found: dict[str, list[Record]] = {}
    for record in records.values():
        if record.config.get("animal") == animal:
            found.setdefault(str(record.config["column"]), []).append(record)
    known = [name for name in ORDER if name in found]
    return {name: found[name] for name in (*known, *sorted(set(found) - set(known)))}


def truth_of(columns: Columns) -> Sequence[Record]:
    """The ground truth: of a capture its takes, of an authored animal the rides of its teacher."""
    return columns.get("capture") or columns.get("gaits") or ()


def values_of(records: Sequence[Record], *keys: str) -> list[list[float | None]]:
    """The numbers of one figure, a row for each record that has it."""
    found = []
    for record in records:
        value: Any = record.figures
        for key in keys:
            value = value.get(key) if isinstance(value, Mapping) else None
        if isinstance(value, list) and value:
            found.append(value)
    return found


def figure_of(records: Sequence[Record], lock: str, kind: str, name: str) -> list[list[float | None]]:
    """A figure of steady rides."""
    return values_of(records, "tracks", lock, kind, name)


def foot_grids(animal: str, columns: Columns) -> Iterator[Grid]:
    """Tables 2 and 3 of an animal, once for each way of locking."""
    truth = truth_of(columns)
    for title, name, unit, table in FOOT_TABLES:
        for lock, words in LOCKS.items():
            shown = {key: records for key, records in columns.items() if figure_of_any(records, lock)}
            if not shown:
                continue
            yield Grid(
                f"{title}, {animal}, {words}, {unit}",
                ("", "seeds", *(f"{kind}, {legs}" for kind in KINDS for legs in LEGS)),
                [
                    *(_row(key, records, truth, lock, name) for key, records in shown.items()),
                    *(_paper_row(column, table) for column in paper.COLUMNS),
                ],
                "Mean over tracks (95 % interval by bootstrap over tracks and seeds) × ratio to the ground truth.",
            )


def figure_of_any(records: Sequence[Record], lock: str) -> bool:
    """Whether any steady ride was measured with that lock."""
    return any(figure_of(records, lock, kind, "skating") for kind in KINDS)


def _row(key: str, records: Sequence[Record], truth: Sequence[Record], lock: str, name: str) -> list[str]:
    lost = sum(record.figures.get("tracks", {}).get(f"{lock}_lost", 0) for record in records)
    cells = [key + (f" ({lost} rides lost)" if lost else ""), str(len(records))]
    for kind in KINDS:
        for suffix in LEGS.values():
            own = figure_of(records, lock, kind, name + suffix)
            true = figure_of(truth, LOCKED, kind, name + suffix)  # the truth has no other
            cells.append(with_ratio(estimate(own) if own else NOTHING, ratio(own, true) if own and true else NOTHING))
    return cells


def with_ratio(value: Estimate, share: Estimate) -> str:
    """A figure with its interval and its ratio to the ground truth."""
    if value.value != value.value:
        return "–"
    return str(value) if share.value != share.value else f"{value} × {share.value:.2f}"


def _paper_row(column: str, table: dict[str, dict[str, tuple[float, ...]]]) -> list[str]:
    cells = [f"{column}, {paper.CITATION}", ""]
    for kind in KINDS:
        for legs in LEGS:
            if kind not in table:
                cells.append("–")
                continue
            value = table[kind][legs][paper.COLUMNS.index(column)]
            cells.append(f"{value:.2f} × {paper.ratio(table, kind, legs, column):.2f}")
    return cells

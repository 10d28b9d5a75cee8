"""Rows of figures with their goals, and reports of them as a table, Markdown or JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from rich.table import Table

Status = Literal["met", "missed", "excused", "skipped", ""]
"""A row without a status is informational: it has no goal and neither passes nor fails."""
MAX_EXCUSED_SHARE = 0.1
"""The fraction of measured rows that may be excused in a report that passes."""
COLORS = {"met": "green", "missed": "bold red", "excused": "yellow", "skipped": "dim", "": "default"}


@dataclass(frozen=True)
class Row:
    """One figure: name, value, unit, goal, and whether it is met. A row without a status is informational."""

    name: str
    value: float | str | None
    unit: str = ""
    goal: str = ""
    status: Status = ""
    reason: str = ""

    @property
    def shown(self) -> str:
        """The value as it is printed: four significant digits, a dash for None."""
        if self.value is None:
            return "–"
        if isinstance(self.value, str):
            return self.value
        return "NaN" if math.isnan(self.value) else f"{self.value:.4g}"


def judged(name: str, value: float | str, met: bool, goal: str, unit: str = "", reason: str = "") -> Row:
    """A row with a goal of its own that is `met` or missed."""
    return Row(name, value, unit, goal, "met" if met else "missed", reason)


def at_least(name: str, value: float, goal: float, unit: str = "") -> Row:
    """A row whose goal is a value of `goal` or more."""
    return judged(name, value, value >= goal, f"≥ {goal:g}", unit)


def at_most(name: str, value: float, goal: float, unit: str = "") -> Row:
    """A row whose goal is a value of `goal` or less."""
    return judged(name, value, value <= goal, f"≤ {goal:g}", unit)


def within(name: str, value: float, low: float, high: float, unit: str = "") -> Row:
    """A row whose goal is a value from `low` to `high`."""
    return judged(name, value, low <= value <= high, f"{low:g} … {high:g}", unit)


def skipped(name: str, reason: str) -> Row:
    """A row that could not be measured."""
    return Row(name, None, status="skipped", reason=reason)


@dataclass(frozen=True)
class Grid:
    """A table as papers print them: a title, headings, rows of as many cells, and what must be known to read it."""

    title: str
    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    note: str = ""

    def markdown(self) -> str:
        """The title as a heading, the note, and the table."""
        lines = [f"## {self.title}", ""]
        if self.note:
            lines += [self.note, ""]
        for cells in (self.headings, ["---"] * len(self.headings), *self.rows):
            lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
        return "\n".join(lines) + "\n"

    def table(self) -> Table:
        """The same for `rich`."""
        from rich.table import Table

        table = Table(title=self.title, caption=self.note, title_justify="left", caption_justify="left", pad_edge=False)
        for k, heading in enumerate(self.headings):
            table.add_column(heading, justify="right" if k else "left")
        for row in self.rows:
            table.add_row(*row)
        return table


@dataclass(frozen=True)
class Report:
    """All rows of a topic. It passes if no row is missed and at most `MAX_EXCUSED_SHARE` of them are excused. Tables
    beside the rows are informational."""

    topic: str
    rows: Sequence[Row]
    grids: Sequence[Grid] = ()

    @property
    def passed(self) -> bool:
        measured = [r for r in self.rows if r.status not in ("skipped", "")]
        excused = sum(r.status == "excused" for r in measured)
        return not any(r.status == "missed" for r in measured) and excused <= MAX_EXCUSED_SHARE * len(measured)

    def table(self) -> Table:
        """The report as a table for `rich`, coloured by status."""
        from rich.table import Table

        table = Table(title=f"canter evaluate {self.topic}", title_justify="left", pad_edge=False)
        for heading in ("name", "value", "unit", "goal", "status"):
            table.add_column(heading, justify="right" if heading == "value" else "left")
        for r in self.rows:
            status = r.status + (f": {r.reason}" if r.reason else "")
            table.add_row(r.name, r.shown, r.unit, r.goal, f"[{COLORS[r.status]}]{status}[/]")
        return table

    def markdown(self) -> str:
        """The report as a Markdown table."""
        lines = ["| name | value | unit | goal | status |", "| --- | --- | --- | --- | --- |"]
        for r in self.rows:
            cells = (r.name, r.shown, r.unit, r.goal, r.status + (f": {r.reason}" if r.reason else ""))
            lines.append("| " + " | ".join(c.replace("|", "\\|") for c in cells) + " |")
        return "\n".join(("\n".join(lines) + "\n", *(grid.markdown() for grid in self.grids)))

    def json(self) -> str:
        """The report as one JSON object; values that are not finite become null."""
        rows = [asdict(r) for r in self.rows]
        for r in rows:
            if isinstance(r["value"], float) and not math.isfinite(r["value"]):
                r["value"] = None
        found: dict[str, object] = {"topic": self.topic, "rows": rows}
        if self.grids:
            found["tables"] = [asdict(grid) for grid in self.grids]
        return json.dumps(found, ensure_ascii=False)

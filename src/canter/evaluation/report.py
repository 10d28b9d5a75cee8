"""Rows of figures with their goals, and the three ways to print them: table, Markdown, JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from rich.table import Table

Status = Literal["met", "missed", "excused", "skipped", ""]
"""An empty one is that of a row without a goal: it informs, and neither passes nor fails."""
MOST_EXCUSED = 0.1
COLORS = {"met": "green", "missed": "bold red", "excused": "yellow", "skipped": "dim", "": "default"}


@dataclass(frozen=True)
class Row:
    """One figure: what it is, its value and unit, what it should be, and whether it is; who says nothing informs."""

    name: str
    value: float | str | None
    unit: str = ""
    goal: str = ""
    status: Status = ""
    reason: str = ""

    @property
    def shown(self) -> str:
        if self.value is None:
            return "–"
        if isinstance(self.value, str):
            return self.value
        return "NaN" if math.isnan(self.value) else f"{self.value:.4g}"


def at_least(name: str, value: float, goal: float, unit: str = "") -> Row:
    return Row(name, value, unit, f"≥ {goal:g}", "met" if value >= goal else "missed")


def at_most(name: str, value: float, goal: float, unit: str = "") -> Row:
    return Row(name, value, unit, f"≤ {goal:g}", "met" if value <= goal else "missed")


def within(name: str, value: float, low: float, high: float, unit: str = "") -> Row:
    return Row(name, value, unit, f"{low:g} … {high:g}", "met" if low <= value <= high else "missed")


def skipped(name: str, reason: str) -> Row:
    return Row(name, None, status="skipped", reason=reason)


@dataclass(frozen=True)
class Report:
    """All rows of a topic. It passes if nothing is missed and at most a tenth is excused."""

    topic: str
    rows: Sequence[Row]

    @property
    def passed(self) -> bool:
        measured = [r for r in self.rows if r.status not in ("skipped", "")]
        excused = sum(r.status == "excused" for r in measured)
        return not any(r.status == "missed" for r in measured) and excused <= MOST_EXCUSED * len(measured)

    def table(self) -> Table:
        from rich.table import Table

        table = Table(title=f"canter evaluate {self.topic}", title_justify="left", pad_edge=False)
        for heading in ("name", "value", "unit", "goal", "status"):
            table.add_column(heading, justify="right" if heading == "value" else "left")
        for r in self.rows:
            status = r.status + (f": {r.reason}" if r.reason else "")
            table.add_row(r.name, r.shown, r.unit, r.goal, f"[{COLORS[r.status]}]{status}[/]")
        return table

    def markdown(self) -> str:
        lines = ["| name | value | unit | goal | status |", "| --- | --- | --- | --- | --- |"]
        for r in self.rows:
            cells = (r.name, r.shown, r.unit, r.goal, r.status + (f": {r.reason}" if r.reason else ""))
            lines.append("| " + " | ".join(c.replace("|", "\\|") for c in cells) + " |")
        return "\n".join(lines) + "\n"

    def json(self) -> str:
        rows = [asdict(r) for r in self.rows]
        for r in rows:
            if isinstance(r["value"], float) and not math.isfinite(r["value"]):
                r["value"] = None
        return json.dumps({"topic": self.topic, "rows": rows}, ensure_ascii=False)

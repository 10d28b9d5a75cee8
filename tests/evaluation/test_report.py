"""Rows against their goals, what passes, and the three ways to print a report."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from canter.evaluation import TOPICS, Report, Row, data_folder, evaluate
from canter.evaluation.report import at_least, at_most, skipped, within


@pytest.mark.parametrize(
    ("row", "status"),
    [
        (at_least("a", 98.0, 98), "met"),
        (at_least("a", 97.9, 98), "missed"),
        (at_most("a", 5.0, 5), "met"),
        (at_most("a", 5.1, 5), "missed"),
        (within("a", 0.5, 0.4, 0.6), "met"),
        (within("a", 0.7, 0.4, 0.6), "missed"),
        (at_least("a", float("nan"), 0), "missed"),
        (at_most("a", float("nan"), 0), "missed"),
        (within("a", float("nan"), 0, 1), "missed"),
        (skipped("a", "no data"), "skipped"),
        (Row("a", 1.0), ""),
    ],
)
def test_a_row_is_held_to_its_goal(row: Row, status: str) -> None:
    assert row.status == status


def rows(met: int = 0, missed: int = 0, excused: int = 0, left_out: int = 0, told: int = 0) -> list[Row]:
    counts = {"met": met, "missed": missed, "excused": excused, "skipped": left_out, "": told}
    return [Row(f"{status} {i}", 1.0, status=status) for status, count in counts.items() for i in range(count)]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("counts", "passed"),
    [
        ({"met": 3}, True),
        ({"met": 30, "missed": 1}, False),
        ({"met": 9, "excused": 1}, True),
        ({"met": 8, "excused": 1}, False),
        ({"met": 8, "excused": 1, "left_out": 50}, False),
        ({"met": 1, "left_out": 50}, True),
        ({"met": 8, "excused": 1, "told": 50}, False),
        ({"met": 1, "told": 50}, True),
    ],
)
def test_what_passes(counts: dict[str, int], passed: bool) -> None:
    assert Report("topic", rows(**counts)).passed is passed


REPORT = Report(
    "topic",
    [
        at_least("share | of it", 98.76543, 98, "%"),
        Row("words", "walk 1.2 m/s"),
        at_most("nothing", float("nan"), 1),
        skipped("away", "no such folder"),
    ],
)


def test_json_has_every_row_and_no_nan() -> None:
    found = json.loads(REPORT.json())
    assert found["topic"] == "topic"
    assert [row["status"] for row in found["rows"]] == ["met", "", "missed", "skipped"]
    assert found["rows"][0] == {
        "name": "share | of it",
        "value": 98.76543,
        "unit": "%",
        "goal": "≥ 98",
        "status": "met",
        "reason": "",
    }
    assert found["rows"][2]["value"] is None


def test_markdown_is_a_table_whose_bars_are_escaped() -> None:
    lines = REPORT.markdown().splitlines()
    assert len(lines) == 2 + len(REPORT.rows)
    assert lines[2] == r"| share \| of it | 98.77 | % | ≥ 98 | met |"
    assert lines[3] == "| words | walk 1.2 m/s |  |  |  |"
    assert lines[4] == "| nothing | NaN |  | ≤ 1 | missed |"
    assert lines[5] == "| away | – |  |  | skipped: no such folder |"


def test_the_table_shows_every_row() -> None:
    out = StringIO()
    Console(file=out, width=120).print(REPORT.table())
    assert all(word in out.getvalue() for word in ("98.77", "walk 1.2 m/s", "NaN", "skipped: no such folder"))


def test_an_unknown_topic_names_the_known() -> None:
    with pytest.raises(KeyError, match=", ".join(TOPICS)):
        evaluate("weather")


def test_where_recordings_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CANTER_DATA", raising=False)
    assert data_folder() is None
    monkeypatch.setenv("CANTER_DATA", str(tmp_path))
    assert data_folder() == tmp_path
    assert data_folder(tmp_path.parent) == tmp_path.parent
    with pytest.raises(NotADirectoryError, match="CANTER_DATA"):
        data_folder(tmp_path / "nowhere")

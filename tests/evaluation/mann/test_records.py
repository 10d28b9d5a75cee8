"""Records: written whole or not at all, and read back or refused by name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from canter.evaluation.mann.records import Record, read_record, read_records, write_record


def test_a_record_comes_back(tmp_path: Path) -> None:
    record = Record("dog-walk", {"animal": "dog"}, 2, {"tracks": [1.23456789, float("nan"), 3]}, 1.0, 2.0)
    path = write_record(record, tmp_path / "new")
    again = read_record(path)
    assert again.figures == {"tracks": [1.2346, None, 3]}
    assert (again.name, again.seed, again.training_seconds) == ("dog-walk", 2, 1.0)
    assert list(read_records(tmp_path / "new")) == ["dog-walk"]
    assert [file.name for file in (tmp_path / "new").iterdir()] == ["dog-walk.json"]


@pytest.mark.parametrize("text", ["{", "[]", '{"name": "a"}', '{"nom": "a"}'])
def test_what_is_no_record_is_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "broken.json"
    path.write_text(text)
    with pytest.raises(ValueError, match=r"broken\.json.*no result record"):
        read_record(path)


def test_a_newer_record_is_refused(tmp_path: Path) -> None:
    path = write_record(Record("a", {}, 0, {}), tmp_path)
    path.write_text(json.dumps(json.loads(path.read_text()) | {"format": 99}))
    with pytest.raises(ValueError, match="format is 99"):
        read_record(path)

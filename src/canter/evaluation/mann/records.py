"""Result records: what was measured of one column of one animal, as a JSON file that tables are printed from."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from canter.formats.files import write_atomic

FORMAT = 1
FOLDER = Path("docs") / "results" / "mann"
"""Where records are, in the folder of the project."""


@dataclass(frozen=True)
class Record:
    """`config` says what was measured (animal, column, recipe, identity of the file or data); `figures` are lists by
    name, one number a track; seconds are those of training and of measuring."""

    name: str
    config: Mapping[str, Any]
    seed: int
    figures: Mapping[str, Any]
    training_seconds: float = 0.0
    measuring_seconds: float = 0.0
    format: int = field(default=FORMAT)


def records_folder(folder: Path | None = None) -> Path:
    """The folder of records: the one that is given, or the project's."""
    return folder or Path(__file__).parents[4] / FOLDER


def write_record(record: Record, folder: Path) -> Path:
    """Writes NAME.json, under a temporary name first. Numbers that are not finite become null."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{record.name}.json"
    write_atomic(path, (_in_lines(rounded(asdict(record))) + "\n").encode())
    return path


def _in_lines(value: Mapping[str, Any], depth: int = 0) -> str:
    """JSON with a line for every entry down to the figures of a topic, so that changes can be read."""
    lines = []
    for key, item in value.items():
        nested = depth < 2 and isinstance(item, Mapping) and item
        text = _in_lines(item, depth + 1) if nested else json.dumps(item, ensure_ascii=False, allow_nan=False)
        lines.append(f"{' ' * (depth + 1)}{json.dumps(key)}: {text}")
    return "{\n" + ",\n".join(lines) + "\n" + " " * depth + "}"


def rounded(value: Any) -> Any:
    """Plain values with five significant digits, and None for numbers that are not finite."""
    if isinstance(value, Mapping):
        return {str(key): rounded(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(item) for item in value]
    if isinstance(value, bool | str | int) or value is None:
        return value
    number = float(value)
    return float(f"{number:.5g}") if math.isfinite(number) else None


def read_record(path: Path) -> Record:
    """A record, or a ValueError that names its file."""
    try:
        fields = json.loads(path.read_text("utf-8"))
        record = Record(**fields)
    except (OSError, ValueError, TypeError) as error:
        raise ValueError(f"{path}: this is no result record ({error}); delete it and measure again") from None
    if record.format != FORMAT:
        raise ValueError(f"{path}: its format is {record.format}, this canter reads {FORMAT}; measure again")
    return record


def read_records(folder: Path) -> dict[str, Record]:
    """All records of a folder by name."""
    return {path.stem: read_record(path) for path in sorted(folder.glob("*.json"))}

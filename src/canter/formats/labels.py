"""`CLIP.labels.csv` beside a clip: what it shows from when to when, as lines of `start,end,label` in seconds."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

from canter.formats.errors import FormatError
from canter.formats.files import load_bytes, write_atomic
from canter.motion.arrays import Ints

MAX_LABELS, MAX_LABEL_BYTES = 100_000, 1 << 24


@dataclass(frozen=True)
class Label:
    """From `start` to `end`, in seconds, a clip shows `name`; labels may overlap."""

    start: float
    end: float
    name: str


def labels_of(names: Sequence[str], numbers: Ints, frame_rate: float) -> tuple[Label, ...]:
    """Labels of frames `numbers (T,)`, each a number in `names`: one for every run of the same."""
    edges = np.concatenate([[0], np.flatnonzero(np.diff(numbers)) + 1, [len(numbers)]])
    return tuple(Label(a / frame_rate, b / frame_rate, names[numbers[a]]) for a, b in pairwise(edges.tolist()))


def format_labels(labels: Iterable[Label]) -> str:
    """Labels as CSV: `start,end,label`, in seconds."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("start", "end", "label"))
    writer.writerows((f"{label.start:.9g}", f"{label.end:.9g}", label.name) for label in labels)
    return text.getvalue()


def parse_labels(content: str, path: Path) -> tuple[Label, ...]:
    """The labels of a CSV text; `path` is named in errors."""
    rows = list(csv.reader(io.StringIO(content)))
    if not rows or [cell.strip().lower() for cell in rows[0]] != ["start", "end", "label"]:
        raise FormatError(path, "line 1", "the columns are not start,end,label", "Begin the file with start,end,label")
    if len(rows) > MAX_LABELS:
        raise FormatError(path, "", f"{len(rows)} lines are more than {MAX_LABELS}", "Split the clip")
    labels = []
    for number, row in enumerate(rows[1:], start=2):
        if not row:
            continue
        try:
            start, end, name = float(row[0]), float(row[1]), row[2].strip()
        except (ValueError, IndexError):
            start = end = math.nan
            name = ""
        if not (math.isfinite(start) and math.isfinite(end) and 0 <= start <= end and name):
            remedy = "Write a start and an end in seconds and a word: 1.5,3.25,sit"
            raise FormatError(path, f"line {number}", f"{','.join(row)!r} is no label", remedy)
        labels.append(Label(start, end, name))
    return tuple(labels)


def labels_path(clip: str | Path) -> Path:
    """Where the labels of a clip's file are: `CLIP.labels.csv` beside it."""
    return Path(clip).with_suffix(".labels.csv")


def read_labels(clip: str | Path) -> tuple[Label, ...]:
    """The labels beside a clip's file; none where there is no such file."""
    path = labels_path(clip)
    if not path.is_file():
        return ()
    data = load_bytes(path)
    if len(data) > MAX_LABEL_BYTES:
        raise FormatError(path, "", f"{len(data)} bytes are more than canter reads", "Split the clip")
    return parse_labels(data.decode("utf-8", "replace"), path)


def write_labels(labels: Iterable[Label], clip: str | Path) -> Path:
    """Writes labels beside a clip's file; where."""
    path = labels_path(clip)
    write_atomic(path, format_labels(labels).encode("utf-8"))
    return path

"""Labels are plain CSV beside a clip; what is no label is refused with its line."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from canter import FormatError
from canter.formats.labels import Label, format_labels, labels_of, parse_labels, read_labels, write_labels


def test_runs_become_labels() -> None:
    labels = labels_of(["a", "b"], np.array([0, 0, 1, 1, 1, 0]), 10.0)
    assert labels == (Label(0.0, 0.2, "a"), Label(0.2, 0.5, "b"), Label(0.5, 0.6, "a"))


def test_label_files_lie_beside_their_clip(tmp_path: Path) -> None:
    labels = (Label(0.0, 1.5, "walk, slowly"), Label(1.25, 3.0, "Übung 🐕"))
    assert write_labels(labels, tmp_path / "take.bvh") == tmp_path / "take.labels.csv"
    assert read_labels(tmp_path / "take.bvh") == labels
    assert read_labels(tmp_path / "other.bvh") == ()


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("", "line 1"),
        ("a,b,c\n", "line 1"),
        ("start,end,label\n1,x,sit\n", "line 2"),
        ("start,end,label\n3,1,sit\n", "line 2"),
        ("start,end,label\n0,1,sit\n0,nan,lie\n", "line 3"),
        ("start,end,label\n0,1\n", "line 2"),
        ("start,end,label\n0,1, \n", "line 2"),
    ],
)
def test_bad_labels_are_refused(text: str, where: str) -> None:
    with pytest.raises(FormatError, match=where):
        parse_labels(text, Path("x.labels.csv"))


def test_labels_round_trip() -> None:
    labels = (Label(1 / 3, 2 / 3, "a"), Label(0.0, 1e-6, "b"))
    back = parse_labels(format_labels(labels), Path("x"))
    for one, other in zip(labels, back, strict=True):
        assert (one.start, one.end) == pytest.approx((other.start, other.end))

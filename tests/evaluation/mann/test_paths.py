"""Paths: their shapes, and that the teacher stays on them."""

from __future__ import annotations

import numpy as np
import pytest

from canter.control.follow import Path
from canter.control.registry import make_batch
from canter.evaluation.mann.paths import FREE, PATHS, PathRow, follow, path_figures, path_rows
from canter.evaluation.mann.subjects import Subject


@pytest.mark.parametrize("name", PATHS)
def test_paths_begin_at_the_origin_and_lead_ahead(name: str) -> None:
    points = PATHS[name]()
    np.testing.assert_allclose(points[0], 0, atol=1e-9)
    way = points[1] - points[0]
    assert np.degrees(np.arctan2(*way)) == pytest.approx(0, abs=8)


def test_sizes_of_paths() -> None:
    lengths = {name: Path.of(np.concatenate([make(), make()[:1]])).length for name, make in PATHS.items()}
    assert lengths["circle"] == pytest.approx(4 * np.pi, rel=1e-3)
    assert lengths["square"] == pytest.approx(16)
    star = PATHS["star"]()[1:]
    radius = np.linalg.norm(star - star.mean(axis=0), axis=1)
    np.testing.assert_allclose(radius[::2], 2.0)
    assert radius[1] == pytest.approx(0.764, abs=1e-3)


def test_the_teacher_follows_a_circle(subject: Subject) -> None:
    rows = [PathRow("circle", "trot", 1.9), PathRow(FREE, "trot", 1.9)]
    rides = follow(make_batch("gaits", subject.character, 2), rows, 8.0)
    anatomy = subject.character.anatomy
    found = path_figures(rows, rides, anatomy, subject.ground)["trot"]
    assert found["circle"]["position"] < 5
    assert found["circle"]["angle"] < 8
    assert found["circle"]["skating_ratio"] == pytest.approx(found["circle"]["skating"] / found[FREE]["skating"])
    straight = path_figures([rows[0]], [rides[1]], anatomy, subject.ground)["trot"]["circle"]
    assert straight["position"] > 100  # who goes straight on is not on the circle


def test_all_rows() -> None:
    rows = path_rows({"walk": 1.0, "trot": 2.0})
    assert len(rows) == 2 * (len(PATHS) + 1)
    assert sum(row.path == FREE for row in rows) == 2

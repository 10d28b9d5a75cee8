"""Rows of the captured dog, on a synthetic dog in its place: skipped without takes, speeds recovered in place."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from canter.anatomy import understand
from canter.evaluation import Options
from canter.evaluation.rigs.captured_dog import BANDS, MIN_STRIDES, _near_leaps, _on_the_spot, _steady, dog_rows
from canter.formats import write
from canter.motion import Asset
from canter.synthetic import example_animal


def test_without_its_folder_it_is_skipped(tmp_path: Path) -> None:
    (row,) = dog_rows(Options(), tmp_path)
    assert (row.name, row.status) == ("captured dog", "skipped")


def test_takes_of_another_dog_are_measured(tmp_path: Path) -> None:
    (tmp_path / "dog").mkdir()
    animal = example_animal(strides=8)
    for clip in animal.clips:
        write(Asset(animal.skeleton, (clip,)), tmp_path / "dog" / f"{clip.name}.bvh")
    found = {row.name: row for row in dog_rows(Options(), tmp_path)}
    assert found["captured dog: contacts that agree with the labels, moving frames"].status == "skipped"
    trots = [row for name, row in found.items() if name.startswith("captured dog: trot")]
    assert len(trots) == len(BANDS["trot"])
    assert all(row.status in ("met", "missed") for row in trots), f"there are {MIN_STRIDES} strides or more"
    (error,) = [row for name, row in found.items() if "median error of speed" in name]
    assert isinstance(error.value, float)
    assert error.value < 10


def test_a_stride_on_the_spot_has_no_travel() -> None:
    character = understand(Asset(example_animal().skeleton, (example_animal(strides=8).clip("trot"),)))
    seen = next(iter(_steady(character)))
    motion = _on_the_spot(character.clips[0].motion, character.anatomy, seen)
    way = motion.position_world[-1, 0] - motion.position_world[0, 0]
    assert np.hypot(way[0], way[2]) < 0.1 * seen.speed * seen.stride.seconds


@pytest.mark.parametrize(("frames", "count"), [(3, 0), (20, 140)])
def test_only_long_flights_are_leaps(frames: int, count: int) -> None:
    contacts = np.ones((300, 4), bool)
    contacts[150 : 150 + frames] = False
    assert _near_leaps(contacts, 60.0).sum() == count

"""The stored skins of the shipped animals: shape, and that a skin survives being saved and loaded."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from canter.animals import skins
from canter.animals.skins import joined, load_skin, save_skin

from .loaded import animal


@pytest.mark.parametrize("name", ["horse", "dog", "turtle"])
def test_animals_have_a_skin(name: str) -> None:
    (skin,) = animal(name).skins
    assert 4000 < len(skin.triangles) < 15000
    assert np.allclose(skin.weights.sum(axis=1), 1, atol=1e-5)
    assert skin.joints.max() < len(animal(name).skeleton)


def test_a_skin_survives_being_stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (skin,) = animal("turtle").skins
    (tmp_path / "skins").mkdir()
    save_skin(skin, tmp_path / "skins" / "copy.npz")
    assert [file.name for file in (tmp_path / "skins").iterdir()] == ["copy.npz"], "no temporary file is left"
    monkeypatch.setattr(skins.resources, "files", lambda package: tmp_path)
    (again,) = load_skin("copy", animal("turtle").skeleton)
    for field in ("vertices", "triangles", "joints", "weights", "inverse_bind", "normals", "colors"):
        np.testing.assert_array_equal(getattr(again, field), getattr(skin, field))


def test_an_animal_without_a_stored_skin_has_none() -> None:
    assert load_skin("unicorn", animal("horse").skeleton) == ()


def test_joined_skins_keep_their_triangles() -> None:
    (skin,) = animal("dog").skins
    twice = joined([skin, skin])
    count = len(skin.vertices)
    assert len(twice.vertices) == 2 * count
    np.testing.assert_array_equal(twice.triangles[len(skin.triangles) :], skin.triangles + count)
    np.testing.assert_array_equal(twice.weights[count:], skin.weights)

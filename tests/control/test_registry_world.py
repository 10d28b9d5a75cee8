"""Names that are looked up lazily, and the ground."""

from __future__ import annotations

import dataclasses
import math
from pathlib import Path

import numpy as np
import pytest

from canter.anatomy import Character, Footfalls
from canter.control import Entry, World, entries, load, make_controller, register
from canter.control import registry as shelves
from canter.control.registry import choose_controller
from canter.control.sources import beside, open_character
from canter.control.world import Flat, Rolling, Slope, Steps
from canter.formats import FormatError


@pytest.fixture
def empty_shelf(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shelves, "_shelves", {k: dict(v) for k, v in shelves._shelves.items()})


@pytest.mark.usefixtures("empty_shelf")
def test_a_missing_extra_is_listed_and_named(animal: Character) -> None:
    register("controller", Entry("deep", "canter.nowhere:Deep", "a network", "train", ("no_such_module",)))
    entry = next(entry for entry in entries("controller") if entry.name == "deep")
    assert entry.missing == ("no_such_module",)
    with pytest.raises(ImportError, match=r"'train'.*no_such_module.*pip install 'canter\[train\]'"):
        make_controller("deep", animal)
    register("controller", Entry("gone", "canter.nowhere:Gone"))
    with pytest.raises(ImportError, match="'gone' cannot be loaded"):
        make_controller("gone", animal)


def test_unknown_names_are_told_what_there_is(animal: Character) -> None:
    with pytest.raises(KeyError, match="no controller is called 'fly'; there are: clip"):
        make_controller("fly", animal)
    with pytest.raises(FileNotFoundError, match="neither a file nor an animal"):
        load("unicorn")
    with pytest.raises(ValueError, match=r"package\.module:attribute"):
        register("controller", Entry("x", "nothing"))


@pytest.mark.usefixtures("empty_shelf")
def test_an_animal_is_loaded_by_name(animal: Character) -> None:
    register("animal", Entry("little", "little_animal:little_animal"))
    assert load("little").name == "little"


def test_a_name_of_ours_wins_over_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "horse").write_bytes(b"no animal")
    assert load("horse").name == "horse"
    assert open_character("horse:trot").clips[0].name == "trot"
    assert beside("horse", tmp_path / "ride.toml") == "horse"
    with pytest.raises(FormatError):
        load("./horse")
    (tmp_path / "fox.glb").write_bytes(b"")
    assert beside("fox.glb", tmp_path / "ride.toml") == str(tmp_path / "fox.glb")
    with pytest.raises(FileNotFoundError, match="did you mean 'horse'"):
        open_character("hrose:trot")


def test_gaits_are_the_default_and_clip_has_a_reason(animal: Character) -> None:
    dog = load("example")
    chosen = choose_controller(dog)
    assert (chosen.name, chosen.reason) == ("gaits", "")
    still = dataclasses.replace(dog, clips=(dataclasses.replace(dog.clip("walk"), footfalls=unknown(dog)),))
    chosen = choose_controller(still, clip="walk")
    assert chosen.name == "clip"
    assert "gaits: it has no option clip" in chosen.reason
    chosen = choose_controller(still)
    assert chosen.name == "clip"
    assert "no stride of a gait was found" in chosen.reason
    with pytest.raises(ValueError, match="no stride of a gait"):
        choose_controller(still, "gaits")


def unknown(dog: Character) -> Footfalls:
    """Footfalls that travel and loop but show no gait."""
    return dataclasses.replace(dog.clip("walk").footfalls, gait="unknown")


@pytest.mark.parametrize("terrain", [Flat(), Slope(0.2, 1.0), Rolling(0.4, 3.0, 5), Steps(0.1, 0.5, 3)])
@pytest.mark.parametrize("shape", [(), (7,), (3, 4)])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_terrain_is_vectorised_and_its_normals_fit(terrain, shape: tuple[int, ...], dtype: type) -> None:
    world = World(terrain, tilt=(0.05, -0.1))
    place = np.random.default_rng(0).uniform(-5, 5, (*shape, 2)).astype(dtype)
    height, normal = world.height(place), world.normal(place)
    assert height.shape == shape
    assert normal.shape == (*shape, 3)
    assert height.dtype == normal.dtype == dtype
    assert np.allclose(np.linalg.norm(normal, axis=-1), 1, atol=1e-6)
    if dtype is np.float64 and not isinstance(terrain, Steps):
        for axis in (0, 1):
            step = np.zeros(2)
            step[axis] = 1e-5
            slope = (world.height(place + step) - world.height(place - step)) / 2e-5
            assert np.allclose(slope, -normal[..., 2 * axis] / normal[..., 1], atol=1e-6)
    assert World.from_table(world.to_table()) == world


def test_the_shapes_of_the_ground() -> None:
    assert World().height([3.0, 4.0]) == 0
    assert World.slope(math.radians(45)).height([0.0, 2.0]) == pytest.approx(2)
    assert World.slope(math.radians(45), math.pi / 2).height([2.0, 0.0]) == pytest.approx(2)
    assert World(tilt=(math.radians(45), 0)).height([0, 1]) == pytest.approx(1)
    along = np.stack([np.zeros(200), np.linspace(0, 12, 200)], -1)
    assert World.steps(0.1, 0.5, 4).height(along).max() == pytest.approx(0.4)
    hills = World.rolling(0.2).height(np.random.default_rng(0).uniform(-50, 50, (1000, 2)))
    assert 0.05 < np.abs(hills).max() <= 0.2
    assert World.rolling().height([0, 0]) == pytest.approx(0)


def test_impossible_ground_is_refused() -> None:
    with pytest.raises(ValueError, match="friction"):
        World(friction=math.nan)
    with pytest.raises(ValueError, match=r"slope\.angle"):
        World.slope(math.radians(89))
    with pytest.raises(ValueError, match="tilt"):
        World(tilt=(2.0, 0.0))

"""Controllers of others: by `register` and a module that can be imported, or by an entry point of their package."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from canter.anatomy import Character
from canter.control import Command, Controller, Entry, State, entries, make_batch, make_controller, register
from canter.control import registry as shelves

EXAMPLES = Path(__file__).parents[2] / "examples"
PACKAGE = '''
from canter.control.clip import BatchClip


class Walker(BatchClip):
    """The clip player under another name."""
'''


@pytest.fixture(autouse=True)
def own_shelves(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Names that a test adds are gone after it; what is installed is looked up anew."""
    monkeypatch.setattr(shelves, "_shelves", {shelf: dict(names) for shelf, names in shelves._shelves.items()})
    shelves._installed_entries.cache_clear()
    yield
    shelves._installed_entries.cache_clear()


def install(folder: Path, entry_points: str) -> None:
    """A package in `folder` as pip would leave it there."""
    (folder / "kennel_walks.py").write_text(PACKAGE)
    about = folder / "kennel_walks-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: kennel-walks\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(entry_points)


def test_an_installed_package_adds_a_controller(
    animal: Character, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, "[canter.controllers]\nwalker = kennel_walks:Walker\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    entry = next(entry for entry in entries("controller") if entry.name == "walker")
    assert entry.summary == "from kennel-walks"
    assert not entry.missing
    controller = make_controller("walker", animal)
    assert isinstance(controller, Controller)
    assert isinstance(controller.step(Command(speed=1.0)), State)
    assert make_batch("walker", animal, 3).count == 3


def test_names_of_canter_win(animal: Character, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, "[canter.controllers]\nclip = kennel_walks:Walker\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert shelves.find("controller", "clip").target == "canter.control.clip:BatchClip"
    assert [entry.name for entry in entries("controller")].count("clip") == 1


def test_a_broken_package_is_listed_and_says_what_is_wrong(
    animal: Character, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, "[canter.controllers]\nlost = kennel_walks_that_are_gone:Walker\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert "lost" in [entry.name for entry in entries("controller")]
    with pytest.raises(ImportError, match="'lost' cannot be loaded"):
        make_controller("lost", animal)


def test_the_controller_of_the_example_keeps_the_contract(animal: Character, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLES))
    register("controller", Entry("source", "08_your_own_controller:SourcePlayer"))
    player = make_controller("source", animal)
    assert isinstance(player, Controller)
    rides = []
    for _ in range(2):
        first = player.reset()
        assert player.step(Command()).place == pytest.approx(first.place)
        rides.append([player.step(Command(speed=1.0)) for _ in range(30)])
    assert rides[0][-1].place[2] > first.place[2] + 0.1
    for one, other in zip(*rides, strict=True):
        assert (one.pose.positions == other.pose.positions).all()
        assert (one.pose.rotations == other.pose.rotations).all()

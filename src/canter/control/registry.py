"""Names for controllers and animals, as lazy strings: the base install lists what an extra would add.

Nothing is imported before it is asked for. A method joins by one line here, or by `register` from anywhere.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from canter.anatomy import Character
from canter.control.contract import Controller
from canter.control.spelling import known_names

Shelf = Literal["controller", "animal"]


@dataclass(frozen=True)
class Entry:
    """Where a named thing lives ("package.module:attribute"), and what it needs besides the base install."""

    name: str
    target: str
    summary: str = ""
    extra: str = ""
    needs: tuple[str, ...] = ()

    @property
    def missing(self) -> tuple[str, ...]:
        """The modules it needs that are not installed; found without importing them."""
        return tuple(module for module in self.needs if not _installed(module))

    def resolve(self) -> Any:
        """The thing itself, or an ImportError that says what to install."""
        if self.missing:
            raise ImportError(self._remedy(f"not installed: {', '.join(self.missing)}"))
        module, _, attribute = self.target.partition(":")
        try:
            return getattr(importlib.import_module(module), attribute)
        except ModuleNotFoundError as error:
            raise ImportError(self._remedy(str(error))) from error

    def _remedy(self, reason: str) -> str:
        install = f"; install it with: pip install 'canter[{self.extra}]'" if self.extra else ""
        needs = f" needs the extra {self.extra!r}" if self.extra else " cannot be loaded"
        return f"{self.name!r}{needs} ({reason}){install}"


_shelves: dict[Shelf, dict[str, Entry]] = {
    "controller": {
        "clip": Entry("clip", "canter.control.clip:ClipController", "plays one loop along a heading"),
        "gaits": Entry(
            "gaits", "canter.cycles.gaits.controller:Gaits", "any gait to any other, turns, actions, terrain"
        ),
        "sung": Entry(
            "sung", "canter.cycles.papers.sung:Sung", "one cycle per gait, precomputed transitions (Sung 2013)"
        ),
        "huang": Entry(
            "huang", "canter.cycles.papers.huang:Huang", "time warping leg by leg, from any phase (Huang 2013)"
        ),
    },
    "animal": {
        "horse": Entry("horse", "canter.animals.animal:horse", "a riding horse, 1.60 m at the withers"),
        "dog": Entry("dog", "canter.animals.animal:dog", "a shepherd dog, 0.60 m at the withers"),
        "turtle": Entry("turtle", "canter.animals.animal:turtle", "a land tortoise with a shell of 0.58 m"),
        "example": Entry("example", "canter.synthetic:example_character", "a made-up dog: walk, trot, canter"),
    },
}


def register(shelf: Shelf, entry: Entry) -> None:
    """Adds or replaces a name. A controller is called with (character, **options), an animal with nothing."""
    if ":" not in entry.target:
        raise ValueError(f"the target of {entry.name!r} must be 'package.module:attribute', not {entry.target!r}")
    _shelves[shelf][entry.name] = entry


def entries(shelf: Shelf) -> tuple[Entry, ...]:
    """All registered names, in order of registration, also those whose extra is missing."""
    return tuple(_shelves[shelf].values())


def find(shelf: Shelf, name: str) -> Entry:
    try:
        return _shelves[shelf][name]
    except KeyError:
        raise KeyError(f"no {shelf} is called {name!r}; {known_names(name, _shelves[shelf])}") from None


def make_controller(name: str, character: Character, **options: Any) -> Controller:
    """The controller of that name, driving `character`; options go to its constructor (`world` for one)."""
    controller: Controller = find("controller", name).resolve()(character, **options)
    return controller


def load(name_or_path: str | os.PathLike[str]) -> Character:
    """A Character: one that canter ships, by name, or one from a file."""
    name = os.fspath(name_or_path)
    if name in _shelves["animal"]:
        made: Character = _shelves["animal"][name].resolve()()
        return made
    path = Path(name)
    if not path.exists():
        known = known_names(name, _shelves["animal"])
        raise FileNotFoundError(f"{name!r} is neither a file nor an animal of canter's; {known}")
    character: Character = importlib.import_module("canter.anatomy").load_character(path)
    return character


def _installed(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except (ImportError, ValueError):
        return False

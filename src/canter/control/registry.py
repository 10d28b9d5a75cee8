"""Names for controllers and animals, as lazy strings: the base install lists what an extra would add.

Nothing is imported before it is asked for. A method joins by one line here, by `register` from anywhere, or by an entry
point of an installed package. Where a file is called like an animal of ours, the animal wins: `./horse` is the file.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from inspect import signature
from pathlib import Path
from typing import Any, Literal, cast

from canter.anatomy import Character
from canter.control.batch import BatchController, Single
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
    prepare: str = ""
    """Of a controller: the function ("package.module:attribute") that makes a character ready for it, if there is one;
    its result has the ready `character`."""
    only: tuple[str, ...] = ()
    """Of a controller: the animals that it drives as it is shipped, if it does not drive all."""

    @property
    def missing(self) -> tuple[str, ...]:
        """The modules it needs that are not installed; found without importing them."""
        return tuple(module for module in self.needs if not _installed(module))

    def resolve(self) -> Any:
        """The thing itself, or an ImportError that says what to install."""
        if self.missing:
            raise ImportError(self._remedy(f"not installed: {', '.join(self.missing)}"))
        try:
            return _attribute(self.target)
        except ModuleNotFoundError as error:
            raise ImportError(self._remedy(str(error))) from error

    def _remedy(self, reason: str) -> str:
        install = f"; install it with: pip install 'canter[{self.extra}]'" if self.extra else ""
        needs = f" needs the extra {self.extra!r}" if self.extra else " cannot be loaded"
        return f"{self.name!r}{needs} ({reason}){install}"


DRIVABLE = "canter.cycles.build.drivable:drivable"
_shelves: dict[Shelf, dict[str, Entry]] = {
    "controller": {
        "clip": Entry("clip", "canter.control.clip:BatchClip", "plays one loop along a heading"),
        "gaits": Entry(
            "gaits",
            "canter.cycles.gaits.batch:BatchGaits",
            "any gait to any other, turns, actions, terrain",
            prepare=DRIVABLE,
        ),
        "sung": Entry(
            "sung",
            "canter.cycles.papers.sung:BatchSung",
            "one cycle per gait, precomputed transitions (Sung 2013)",
            prepare=DRIVABLE,
        ),
        "huang": Entry(
            "huang",
            "canter.cycles.papers.huang:BatchHuang",
            "time warping leg by leg, from any phase (Huang 2013)",
            prepare=DRIVABLE,
        ),
        "mann": Entry(
            "mann",
            "canter.neural.mann:BatchMann",
            "a network of four experts, learned from unlabelled gaits (Zhang 2018)",
            needs=("onnxruntime",),
            only=("dog", "horse"),
        ),
        "mann8": Entry(
            "mann8",
            "canter.neural.mann:BatchMann8",
            "the same with eight experts",
            needs=("onnxruntime",),
            only=("dog",),
        ),
        "matching": Entry(
            "matching",
            "canter.neural.matched:BatchMatching",
            "motion matching over takes, or over what the animal improvises",
        ),
        "residual": Entry(
            "residual",
            "canter.physics.controller:BatchResidual",
            "simulated with its weight: stands, is pushed and hit; a policy of yours makes it walk",
            extra="physics",
            needs=("mujoco",),
            only=("dog",),
        ),
    },
    "animal": {
        "horse": Entry("horse", "canter.animals.animal:horse", "a riding horse, 1.60 m at the withers"),
        "dog": Entry("dog", "canter.animals.animal:dog", "a shepherd dog, 0.60 m at the withers"),
        "turtle": Entry("turtle", "canter.animals.animal:turtle", "a land tortoise with a shell of 0.58 m"),
        "example": Entry("example", "canter.synthetic:example_character", "a made-up dog: walk, trot, canter"),
    },
}


DEFAULT_CONTROLLER, FALLBACK_CONTROLLER = "gaits", "clip"
"""What drives a character where no controller is named, and what plays its loops if it shows no gait."""
READERS = {".canter": "canter.cycles.build.file:read_drivable"}
"""Readers of characters by suffix; every other file is understood by `canter.anatomy`."""
GROUPS: dict[Shelf, str] = {"controller": "canter.controllers", "animal": "canter.animals"}
"""Entry points of installed packages that add controllers and animals: `name = "package.module:attribute"`."""


@cache
def _installed_entries(shelf: Shelf) -> dict[str, Entry]:
    """What other packages add; our own names win."""
    found = {}
    for point in entry_points(group=GROUPS[shelf]):
        package = point.dist.name if point.dist is not None else "another package"
        found[point.name] = Entry(point.name, point.value, f"from {package}")
    return found


def _all(shelf: Shelf) -> dict[str, Entry]:
    return _installed_entries(shelf) | _shelves[shelf] if _installed_entries(shelf) else _shelves[shelf]


def register(shelf: Shelf, entry: Entry) -> None:
    """Adds or replaces a name. A controller, single or batch, is called with (character, **options), an animal with
    nothing. Packages that are installed join by entry points (`GROUPS`) instead."""
    if ":" not in entry.target:
        raise ValueError(f"the target of {entry.name!r} must be 'package.module:attribute', not {entry.target!r}")
    _shelves[shelf][entry.name] = entry


def entries(shelf: Shelf) -> tuple[Entry, ...]:
    """All names, ours first, in order of registration, also those whose extra is missing."""
    ours = _shelves[shelf]
    return (*ours.values(), *(entry for name, entry in _installed_entries(shelf).items() if name not in ours))


def find(shelf: Shelf, name: str) -> Entry:
    try:
        return _all(shelf)[name]
    except KeyError:
        raise KeyError(f"no {shelf} is called {name!r}; {known_names(name, _all(shelf))}") from None


def make_controller(name: str, character: Character, **options: Any) -> Controller:
    """The controller of that name, driving `character`; options go to its constructor (`world` for one)."""
    made = find("controller", name).resolve()(character, **options)
    return Single(made) if isinstance(made, BatchController) else cast(Controller, made)


def make_batch(name: str, character: Character, count: int, **options: Any) -> BatchController:
    """The controller of that name, driving `count` animals at once."""
    made = find("controller", name).resolve()(character, count, **options)
    if not isinstance(made, BatchController):
        raise TypeError(f"controller {name!r} drives one animal at a time, not {count}")
    return made


@dataclass(frozen=True, eq=False)
class Chosen:
    """A controller, its registered name, and why it is not the default one, if it is not."""

    controller: Controller
    name: str
    reason: str = ""


def choose_controller(character: Character, name: str | None = None, *, size: float = 1.0, **options: Any) -> Chosen:
    """The controller of that name, driving the character at `size` times its own size.

    Without a name it is `gaits`, or `clip` with the reason if the character cannot be driven by gaits or if `gaits` has
    no such options.
    """
    if name is not None:
        return Chosen(_sized(name, character, size, options), name)
    known = signature(find("controller", DEFAULT_CONTROLLER).resolve()).parameters
    try:
        if unknown := [option for option in options if option not in known]:
            raise ValueError(f"it has no option {', '.join(unknown)}")
        return Chosen(_sized(DEFAULT_CONTROLLER, character, size, options), DEFAULT_CONTROLLER)
    except ValueError as error:
        controller = _sized(FALLBACK_CONTROLLER, character, size, options)
        reason = f"driven by {FALLBACK_CONTROLLER}, not by {DEFAULT_CONTROLLER}: {error}"
        return Chosen(controller, FALLBACK_CONTROLLER, reason)


def _sized(name: str, character: Character, size: float, options: Mapping[str, Any]) -> Controller:
    return make_controller(name, prepared(character, name).scaled(size), **options)


def prepared(character: Character, controller: str) -> Character:
    """The character as the controller of that name needs it, with its strides cut. Controllers prepare characters
    themselves; do it before scaling one, for gaits are recognised at the size of the clips."""
    prepare = find("controller", controller).prepare
    ready: Character = _attribute(prepare)(character).character if prepare else character
    return ready


def is_animal(name: str) -> bool:
    """Whether a name means an animal of ours (or of an installed package), and not a file.

    A registered name wins over a file that is called so; `./horse` and `horse.glb` are files.
    """
    return name in _all("animal")


def load(name_or_path: str | os.PathLike[str]) -> Character:
    """A Character: one that canter ships, by name, or one from a file (see `is_animal`)."""
    name = os.fspath(name_or_path)
    if is_animal(name):
        made: Character = _all("animal")[name].resolve()()
        return made
    path = Path(name)
    check_source(name)
    reader = READERS.get(path.suffix.lower(), "canter.anatomy:load_character")
    character: Character = _attribute(reader)(path)
    return character


def check_source(name: str) -> None:
    """Raise FileNotFoundError with a suggestion if a name is neither an animal of ours nor a file."""
    if not is_animal(name) and not Path(name).exists():
        known = known_names(name, _all("animal"))
        raise FileNotFoundError(f"{name!r} is neither a file nor an animal of canter's; {known}")


def _attribute(target: str) -> Any:
    module, _, attribute = target.partition(":")
    return getattr(importlib.import_module(module), attribute)


def _installed(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except (ImportError, ValueError):
        return False

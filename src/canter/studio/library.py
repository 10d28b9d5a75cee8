"""The animals that scenes can have: those that canter ships, and those that were built from uploads.

All stages share the characters, so that their cycles are built once. Keys are only looked up here: no name from a page
ever becomes a path.
"""

from __future__ import annotations

import tempfile
import threading
from collections import OrderedDict
from dataclasses import asdict
from pathlib import Path
from typing import Any

from canter.anatomy import Character
from canter.anatomy.character import check_size
from canter.control.registry import entries, find
from canter.control.world import TERRAINS
from canter.cycles.build.built import Built, Drivable
from canter.cycles.build.edit import Edit, edited
from canter.cycles.build.file import read_drivable, save
from canter.formats import write
from canter.motion import Asset
from canter.motion.arrays import Floats
from canter.studio.bounds import body_bounds
from canter.studio.corrections import Corrections
from canter.studio.kept import UPLOAD_PREFIX, Shelf
from canter.studio.limits import Refused
from canter.studio.report import animal_report, scaled_takes

CACHE_SIZE = 16
"""How many characters, and how many bodies as GLB, are cached; the least recently used go first."""


class Library:
    """Characters by key; safe to use from several threads. Those on the `shelf` are read when they are asked for."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._cache_lock, self._built_lock = threading.RLock(), threading.Lock()
        self._built: dict[str, Character] = {}
        self._characters: OrderedDict[tuple[str, float], Character] = OrderedDict()
        self._bodies: OrderedDict[tuple[str, float], bytes] = OrderedDict()
        self._boxes: OrderedDict[tuple[str, float], Floats] = OrderedDict()
        self._masses: OrderedDict[tuple[str, float], float | None] = OrderedDict()
        self._revisions: dict[str, int] = {}

    def put(self, key: str, character: Character, stays: bool) -> None:
        """The animal that was just built for a key, in place of an older one; one that `stays` is on no shelf."""
        self.remove(key)
        with self._built_lock:
            if stays:
                self._built[key] = character
        with self._cache_lock:
            self._characters[key, 1.0] = character

    def edit(self, key: str, edit: Edit) -> None:
        """Changes an animal on the shelf; raises Refused if it is on none, or with the reason why it cannot be."""
        kept = self._shelf.find(key.removeprefix(UPLOAD_PREFIX)) if key.startswith(UPLOAD_PREFIX) else None
        character = self.character(key)
        if kept is None or not isinstance(character, Drivable):
            raise Refused("only animals that were dropped on the page can be changed")
        try:
            changed = edited(character, edit)
        except (KeyError, ValueError) as error:
            raise Refused(str(error.args[0])) from None
        built = Built(changed)
        path = self._shelf.work_folder() / f"{kept.name}.canter"
        save(built, path, {"files": [file.name for file in kept.files]})
        takes = scaled_takes(kept.report.get("takes", ()), changed.anatomy.hip_height / character.anatomy.hip_height)
        own = {"warnings": kept.report["warnings"], "takes": takes}
        report = {**kept.report, **animal_report(changed, built), **own}
        corrections = kept.corrections.followed_by(Corrections(edits=(edit,)))
        self._shelf.change(kept, path, corrections, report)
        self.put(key, changed, stays=False)

    def revision(self, key: str) -> int:
        """How often the animal of a key was replaced since the server started."""
        with self._cache_lock:
            return self._revisions.get(key, 0)

    def remove(self, key: str) -> None:
        """Forgets what is cached of an animal."""
        with self._built_lock:
            self._built.pop(key, None)
        with self._cache_lock:
            self._revisions[key] = self._revisions.get(key, 0) + 1
            for cache in (self._characters, self._bodies, self._boxes, self._masses):
                for name in [name for name in cache if name[0] == key]:
                    del cache[name]

    def character(self, key: str, size: float = 1.0) -> Character:
        """The animal of that key, scaled by `size`."""
        check_size(size)
        with self._cache_lock:
            name = (key, size)
            if name not in self._characters:
                self._characters[name] = self._unscaled(key) if size == 1 else self.character(key).scaled(size)
            self._characters.move_to_end(name)
            while len(self._characters) > CACHE_SIZE:
                self._characters.popitem(last=False)
            return self._characters[name]

    def _unscaled(self, key: str) -> Character:
        with self._built_lock:
            built = dict(self._built)
        if key in built:
            return built[key]
        if key.startswith(UPLOAD_PREFIX):
            return self._kept(key)
        shipped = {entry.name for entry in entries("animal")}
        if key not in shipped:
            known = ", ".join((*sorted(shipped), *built))
            raise Refused(f"no animal is called {key[:60]!r} here; there are {known}")
        made: Character = find("animal", key).resolve()()
        return made

    def _kept(self, key: str) -> Character:
        """An animal from the shelf."""
        kept = self._shelf.find(key.removeprefix(UPLOAD_PREFIX))
        if kept is None:
            raise Refused("it is no longer here; drop its files on the page again")
        try:
            return read_drivable(kept.path)
        except (OSError, ValueError) as error:
            reason = str(error).replace(str(kept.path), kept.built)
            raise Refused(f"{kept.report['name']} is damaged ({reason}); build it again, or forget it") from None

    def body(self, key: str, size: float = 1.0) -> bytes:
        """Skeleton and skin of an animal in its rest pose, as a GLB. Slow: call it in a thread."""
        character = self.character(key, size)
        with self._cache_lock:
            found = self._bodies.get((key, size))
        if found is None:
            with tempfile.TemporaryDirectory(prefix="canter-body-") as folder:
                path = Path(folder) / "body.glb"
                write(Asset(character.skeleton, (), character.skins, metres_per_unit=1.0), path)
                found = path.read_bytes()
        with self._cache_lock:
            self._bodies[key, size] = found
            while len(self._bodies) > CACHE_SIZE:
                self._bodies.popitem(last=False)
        return found

    def bounds(self, key: str, size: float = 1.0) -> Floats:
        """The box of an animal when it stands and goes slowly (see `body_bounds`). Slow: call it in a thread."""
        character = self.character(key, size)
        with self._cache_lock:
            found = self._boxes.get((key, size))
        if found is None:
            found = body_bounds(character)
            with self._cache_lock:
                self._boxes[key, size] = found
                while len(self._boxes) > CACHE_SIZE:
                    self._boxes.popitem(last=False)
        return found

    def mass(self, key: str, size: float = 1.0) -> float | None:
        """Kilograms of an animal, or None for one that could not be simulated. Slow: call it in a thread."""
        from canter.body.articulation import articulate

        character = self.character(key, size)
        with self._cache_lock:
            if (key, size) in self._masses:
                return self._masses[key, size]
        try:
            found = articulate(character).mass
        except ValueError:
            found = None
        with self._cache_lock:
            self._masses[key, size] = found
            while len(self._masses) > CACHE_SIZE:
                self._masses.popitem(last=False)
        return found

    def catalog(self) -> dict[str, Any]:
        """Everything that is registered or kept now, for the lists of a page. Reads files: call it in a thread."""
        from canter import __version__

        kept, problems = self._shelf.entries()
        with self._built_lock:
            built: list[dict[str, Any]] = [
                {"key": key, "summary": character.name} for key, character in self._built.items()
            ]
        built += [{"key": one.key, "summary": one.report["name"], "kept": {"canter": one.version}} for one in kept]
        return {
            "version": __version__,
            "animals": [{"key": e.name, "summary": e.summary} for e in entries("animal") if not e.missing] + built,
            "controllers": [
                {"name": e.name, "summary": e.summary, "missing": list(e.missing), "only": list(e.only)}
                for e in entries("controller")
            ],
            "problems": problems,
            "terrains": {name: asdict(terrain()) for name, terrain in TERRAINS.items()},
        }

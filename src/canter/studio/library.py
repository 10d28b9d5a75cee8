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
from canter.formats import write
from canter.motion import Asset
from canter.studio.limits import Refused

UPLOAD_PREFIX = "upload-"
"""The keys of uploaded animals begin with this."""
CACHE_SIZE = 16
"""How many characters, and how many bodies as GLB, are cached; the least recently used go first."""


class Library:
    """Characters by key; safe to use from several threads."""

    def __init__(self) -> None:
        self._cache_lock, self._built_lock = threading.RLock(), threading.Lock()
        self._built: dict[str, Character] = {}
        self._characters: OrderedDict[tuple[str, float], Character] = OrderedDict()
        self._bodies: OrderedDict[tuple[str, float], bytes] = OrderedDict()

    def add(self, key: str, character: Character) -> None:
        """Adds an animal that was built from an upload; the server chooses its key."""
        with self._built_lock:
            self._built[key] = character

    def remove(self, key: str) -> None:
        with self._built_lock:
            self._built.pop(key, None)
        with self._cache_lock:
            for cache in (self._characters, self._bodies):
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
            raise Refused("it is no longer here; drop its files on the page again")
        shipped = {entry.name for entry in entries("animal")}
        if key not in shipped:
            known = ", ".join((*sorted(shipped), *built))
            raise Refused(f"no animal is called {key[:60]!r} here; there are {known}")
        made: Character = find("animal", key).resolve()()
        return made

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

    def catalog(self) -> dict[str, Any]:
        """Everything that is registered now, for the lists of a page."""
        from canter import __version__

        with self._built_lock:  # held only briefly: this runs on the event loop
            built = [{"key": key, "summary": character.name} for key, character in self._built.items()]
        return {
            "version": __version__,
            "animals": [{"key": e.name, "summary": e.summary} for e in entries("animal") if not e.missing] + built,
            "controllers": [
                {"name": e.name, "summary": e.summary, "missing": list(e.missing)} for e in entries("controller")
            ],
            "terrains": {name: asdict(terrain()) for name, terrain in TERRAINS.items()},
        }

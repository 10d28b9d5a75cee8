"""canter: a handful of motion clips of a four-legged animal becomes a character that you can drive.

The names below are fetched when they are first used, so that `import canter` costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from canter.anatomy import Character, Clip, load_character, understand
    from canter.anatomy.report import report
    from canter.cleaning.clean import clean
    from canter.control import Command, Controller, Goal, State, World, load, rollout, states
    from canter.control.improvise import improvise
    from canter.cycles.build.drivable import drivable
    from canter.formats import FormatError, read, write
    from canter.motion import Asset, Motion, Pose, Skeleton, Skin

_HOMES = {
    "Asset": "canter.motion",
    "Character": "canter.anatomy",
    "Clip": "canter.anatomy",
    "Command": "canter.control",
    "Controller": "canter.control",
    "FormatError": "canter.formats",
    "Goal": "canter.control",
    "Motion": "canter.motion",
    "Pose": "canter.motion",
    "Skeleton": "canter.motion",
    "Skin": "canter.motion",
    "State": "canter.control",
    "World": "canter.control",
    "clean": "canter.cleaning.clean",
    "drivable": "canter.cycles.build.drivable",
    "improvise": "canter.control.improvise",
    "load": "canter.control",
    "load_character": "canter.anatomy",
    "read": "canter.formats",
    "report": "canter.anatomy.report",
    "rollout": "canter.control",
    "states": "canter.control",
    "understand": "canter.anatomy",
    "write": "canter.formats",
}

__all__ = [
    "Asset",
    "Character",
    "Clip",
    "Command",
    "Controller",
    "FormatError",
    "Goal",
    "Motion",
    "Pose",
    "Skeleton",
    "Skin",
    "State",
    "World",
    "__version__",
    "clean",
    "drivable",
    "improvise",
    "load",
    "load_character",
    "read",
    "report",
    "rollout",
    "states",
    "understand",
    "write",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"canter has no {name!r}; there are {', '.join(_HOMES)}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})

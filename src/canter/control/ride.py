"""`ride.toml`: reading and writing scripts as text that people edit.

    character = "horse"
    controller = "gaits"
    seed = 0

    [[at]]
    time = 3.0
    speed = 2.5
    heading_deg = 40

Angles are `heading_deg` and `facing_deg` (or `heading`, `facing` in radians, which a recording uses where degrees would
not come back bit by bit); "none" takes a value back. Whatever is wrong is refused with the key and the entry's number.
"""

from __future__ import annotations

import math
import os
import tempfile
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import tomli_w

from canter.anatomy.character import check_size
from canter.control.command import Command, Goal, Ground, Push, Throw, number, text, vector
from canter.control.script import Cue, Script
from canter.control.world import World

MOST_BYTES = 8_000_000
MOST_CUES = 100_000
MOST_POINTS = 10_000
MOST_ITEMS = 100
LONGEST = 24 * 3600.0

_KINDS: dict[str, type[Push] | type[Throw] | type[Ground]] = {"push": Push, "throw": Throw, "ground": Ground}
_TOP = ("character", "size", "controller", "seed", "seconds", "world", "options", "at")
_CUE = ("time", "speed", "heading", "facing", "action", "goal", "style", "disturbances", "go_to", "path")


class ScriptError(ValueError):
    """A ride that cannot be read; the message names the file, the key and the entry."""


def read_script(path: str | os.PathLike[str]) -> Script:
    """The script in a `ride.toml`."""
    path = Path(path)
    if path.stat().st_size > MOST_BYTES:
        raise ScriptError(f"{path}: larger than {MOST_BYTES // 1_000_000} MB; is this a ride?")
    try:
        content = path.read_text("utf-8")
    except UnicodeDecodeError as error:
        raise ScriptError(f"{path}: not UTF-8 text ({error.reason} at byte {error.start})") from None
    return parse_script(content, os.fspath(path))


def parse_script(content: str, source: str = "ride") -> Script:
    """The script in a TOML text; `source` is named in errors."""
    if len(content) > MOST_BYTES:
        raise ScriptError(f"{source}: longer than {MOST_BYTES} characters; is this a ride?")
    try:
        table = tomllib.loads(content)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        raise ScriptError(f"{source}: not valid TOML: {error}") from None
    try:
        return _script(table)
    except ValueError as error:
        raise ScriptError(f"{source}: {error}") from None


def _script(table: Mapping[str, Any]) -> Script:
    _only(table, _TOP, "")
    if "character" not in table:
        raise ValueError('`character` is missing; name an animal or a file: character = "horse"')
    cues = table.get("at", [])
    if not isinstance(cues, list) or not all(isinstance(cue, dict) for cue in cues):
        raise ValueError("`at` must be a list of tables, each begun by [[at]]")
    if len(cues) > MOST_CUES:
        raise ValueError(f"{len(cues)} entries [[at]]; at most {MOST_CUES} are read")
    seed = table.get("seed", 0)
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 2**63:
        raise ValueError(f"`seed` must be a whole number from 0, not {seed!r}")
    seconds = table.get("seconds")
    size = number(table.get("size", 1.0), "`size`")
    check_size(size)
    return Script(
        text(table["character"], "`character`"),
        text(table["controller"], "`controller`") if "controller" in table else None,
        seed,
        tuple(_numbered(i, cue) for i, cue in enumerate(cues, start=1)),
        None if seconds is None else _time(seconds, "`seconds`"),
        World.from_table(_table(table.get("world", {}), "`world`")),
        _options(table.get("options", {})),
        size,
    )


def _numbered(i: int, cue: Mapping[str, Any]) -> Cue:
    try:
        return _cue(cue)
    except ValueError as error:
        raise ValueError(f"entry {i} of [[at]]: {error}") from None


def _cue(cue: Mapping[str, Any]) -> Cue:
    cue = _radians(cue)
    _only(cue, _CUE, "")
    if "time" not in cue:
        raise ValueError("`time` is missing (seconds from the start)")
    changes: dict[str, Any] = {}
    for key, value in cue.items():
        if key == "time":
            continue
        changes[key] = None if value == "none" and key not in ("speed", "disturbances") else _value(key, value)
    if len([key for key in ("heading", "go_to", "path") if changes.get(key) is not None]) > 1:
        raise ValueError("heading, go_to and path exclude one another; keep one")
    return Cue(_time(cue["time"], "`time`"), changes)


def _value(key: str, value: Any) -> Any:
    """One checked value of a cue; Command's own checks do the plain fields."""
    if key == "go_to":
        return vector(value, "`go_to`", (2,))
    if key == "path":
        if not isinstance(value, list) or not 0 < len(value) <= MOST_POINTS:
            raise ValueError(f"`path` must be a list of 1 to {MOST_POINTS} points [x, z]")
        return tuple(vector(point, f"`path`[{i}]", (2,)) for i, point in enumerate(value))
    if key == "goal":
        goal = _radians(_table(value, "`goal`"))
        _only(goal, ("position", "facing", "action", "seconds"), "goal.")
        value = Goal(**goal)
    if key == "style" and len(_table(value, "`style`")) > MOST_ITEMS:
        raise ValueError(f"`style` has more than {MOST_ITEMS} names")
    if key == "disturbances":
        if not isinstance(value, list) or len(value) > MOST_ITEMS:
            raise ValueError(f"`disturbances` must be a list of at most {MOST_ITEMS} tables")
        value = tuple(_disturbance(_table(item, "`disturbances`")) for item in value)
    return getattr(Command(**{key: value}), key)


def _disturbance(table: Mapping[str, Any]) -> Push | Throw | Ground:
    values = dict(table)
    kind = values.pop("kind", None)
    if not isinstance(kind, str) or kind not in _KINDS:
        raise ValueError(f"`disturbances`: kind must be one of {', '.join(_KINDS)}, not {kind!r}")
    made = _KINDS[kind]
    _only(values, tuple(made.__dataclass_fields__), f"{kind}.")
    try:
        return made(**values)
    except TypeError:
        needed = "impulse" if made is Push else "position and velocity"
        raise ValueError(f"`disturbances`: {kind} needs {needed}") from None


def _radians(table: Mapping[str, Any]) -> dict[str, Any]:
    """`heading_deg` and `facing_deg` under their plain names, in radians."""
    result = dict(table)
    for name in ("heading", "facing"):
        if f"{name}_deg" in result:
            if name in result:
                raise ValueError(f"`{name}` and `{name}_deg` are both given; keep one")
            value = result.pop(f"{name}_deg")
            result[name] = value if value == "none" else math.radians(number(value, f"`{name}_deg`"))
    return result


def _only(table: Mapping[str, Any], known: tuple[str, ...], prefix: str) -> None:
    for key in table:
        if key not in known:
            raise ValueError(f"`{prefix}{key}` is unknown; known are {', '.join(known)}")


def _table(value: Any, name: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise ValueError(f"{name} must be a table, not {value!r}")
    return value


def _time(value: Any, name: str) -> float:
    seconds = number(value, name)
    if not 0 <= seconds <= LONGEST:
        raise ValueError(f"{name} must lie between 0 and {LONGEST:g} s, not {seconds}")
    return seconds


def _options(value: Any) -> dict[str, str | float | bool]:
    for key, item in _table(value, "`options`").items():
        if not isinstance(item, str | int | float | bool):
            raise ValueError(f"`options.{key}` must be a word, a number or true or false, not {item!r}")
    return dict(value)


def format_script(script: Script) -> str:
    """The script as TOML text, which `parse_script` reads back to an equal script."""
    head: dict[str, Any] = {"character": script.character}
    if script.controller is not None:
        head["controller"] = script.controller
    head["seed"] = script.seed
    if script.size != 1:
        head["size"] = script.size
    if script.seconds is not None:
        head["seconds"] = script.seconds
    if script.options:
        head["options"] = script.options
    if script.world != World():
        head["world"] = script.world.to_table()
    return "\n".join([tomli_w.dumps(_plain(head)), *map(_format_cue, script.cues)])


def _format_cue(cue: Cue) -> str:
    """One entry of the script. Always under [[at]]: tomli-w would write a list of short cues as one array."""
    changes = {key: "none" if value is None else value for key, value in cue.changes.items()}
    table = {"time": cue.time, **_plain(_degrees(changes))}
    return "[[at]]" + tomli_w.dumps({"at": table}).removeprefix("[at]")


def write_script(script: Script, path: str | os.PathLike[str]) -> None:
    """Writes a `ride.toml`, under a temporary name first."""
    path = Path(path)
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=path.parent, suffix=".part", delete=False) as file:
        file.write(format_script(script))
    os.replace(file.name, path)


def _degrees(table: Mapping[str, Any]) -> dict[str, Any]:
    """`heading` and `facing` as `heading_deg` and `facing_deg`, where degrees come back bit by bit."""
    result: dict[str, Any] = {}
    for key, value in table.items():
        if key in ("heading", "facing") and not isinstance(value, str):
            exact = [d for d in (round(math.degrees(value), 6), math.degrees(value)) if math.radians(d) == value]
            key, value = (f"{key}_deg", exact[0]) if exact else (key, value)
        result[key] = value
    return result


def _plain(value: Any) -> Any:
    """A value of a script in TOML's own types: goals and disturbances as tables, tuples as lists."""
    if isinstance(value, Goal):
        return _plain(_degrees(_given(value)))
    if isinstance(value, Push | Throw | Ground):
        kind = next(k for k, v in _KINDS.items() if isinstance(value, v))
        return {"kind": kind, **_plain(_given(value))}
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, str | bool):
        return value
    return int(value) if isinstance(value, int) else float(value)


def _given(value: Goal | Push | Throw | Ground) -> dict[str, Any]:
    """The fields that are not None."""
    fields = {name: getattr(value, name) for name in value.__dataclass_fields__}
    return {name: item for name, item in fields.items() if item is not None}

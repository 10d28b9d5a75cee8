"""What a page may say, checked field by field before anything hears of it. Whatever is wrong is refused in words."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from canter.anatomy.character import check_size
from canter.control.command import Command, number, text, vector
from canter.control.world import TERRAINS, World
from canter.studio.limits import Limits, Refused

DRIVEN = ("speed", "heading", "facing", "action", "style")
"""The parts of a Command that a page sets."""
MOST_STYLES = 100
FASTEST, FARTHEST = 1000.0, 1e6
PACES = 0.01, 4.0
LARGEST_TERRAIN = 1000.0


@dataclass(frozen=True)
class Casting:
    """Who stands on a stage: an animal, the method that drives it, and how large it is."""

    animal: str
    controller: str = "gaits"
    size: float = 1.0


@dataclass(frozen=True)
class SceneWish:
    """A stage set anew."""

    actors: tuple[Casting, ...]
    world: World = field(default_factory=World)
    abreast: bool = False


@dataclass(frozen=True)
class Drive:
    """Changes of the command that an actor holds."""

    actor: int
    changes: Mapping[str, Any]


@dataclass(frozen=True)
class Go:
    """Go there: through all `points (x, z)` if there are several. No speed: the controller's usual one."""

    actor: int
    points: tuple[tuple[float, ...], ...]
    speed: float


@dataclass(frozen=True)
class Pause:
    on: bool


@dataclass(frozen=True)
class Pace:
    value: float


@dataclass(frozen=True)
class Step:
    """One frame, of a stage that is paused."""


@dataclass(frozen=True)
class Reset:
    """Everybody back to the start."""


@dataclass(frozen=True)
class Record:
    on: bool


@dataclass(frozen=True)
class Take:
    """Drive an actor alone, or, with `on` false, let others drive it again."""

    actor: int
    on: bool


Message = SceneWish | Drive | Go | Pause | Pace | Step | Reset | Record | Take


def parse(content: str, limits: Limits) -> Message:
    """The message in a text; what is not one raises Refused."""
    try:
        table = json.loads(content, parse_constant=_no_constant)
        json.dumps(table, ensure_ascii=False).encode()  # half a character could not be written to any file
    except (ValueError, RecursionError) as error:
        raise Refused(f"this is no JSON: {error}") from None
    if not isinstance(table, dict):
        raise Refused("a message is a JSON object with a `type`")
    values = dict(table)
    kind = values.pop("type", None)
    reader = _READERS.get(kind) if isinstance(kind, str) else None
    if reader is None:
        shown = kind[:40] if isinstance(kind, str) else kind if isinstance(kind, int | float | None) else "..."
        raise Refused(f"no message is of type {shown!r}; there are {', '.join(_READERS)}")
    try:
        return reader(values, limits)
    except Refused:
        raise
    except (ValueError, TypeError, OverflowError) as error:
        raise Refused(f"{kind}: {str(error)[:300]}") from None


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is no number that can be sent")


def _scene(values: dict[str, Any], limits: Limits) -> SceneWish:
    _only(values, ("actors", "terrain", "abreast"))
    wanted = values.get("actors")
    if not isinstance(wanted, list) or not 0 < len(wanted) <= limits.actors:
        raise Refused(f"scene: `actors` must be a list of 1 to {limits.actors} actors")
    castings = tuple(_casting(one) for one in wanted)
    return SceneWish(castings, read_world(values.get("terrain", {})), _flag(values, "abreast", False))


def _casting(value: Any) -> Casting:
    if not isinstance(value, dict):
        raise Refused('scene: an actor is an object such as {"animal": "horse", "controller": "gaits", "size": 1}')
    _only(value, ("animal", "controller", "size"))
    size = number(value.get("size", 1.0), "size")
    check_size(size)
    return Casting(text(value.get("animal"), "animal"), text(value.get("controller", "gaits"), "controller"), size)


def read_world(table: Any) -> World:
    """A World that has a finite height wherever an animal may go."""
    if not isinstance(table, dict):
        raise Refused('scene: `terrain` must be an object such as {"terrain": "flat"}')
    for name, value in table.items():
        numbers = value if isinstance(value, list) else [value]
        if name != "terrain" and not all(abs(number(x, f"terrain.{name}")) <= LARGEST_TERRAIN for x in numbers):
            raise Refused(f"scene: terrain.{name} must be within {LARGEST_TERRAIN:g}")
    name = table.get("terrain", "flat")
    if not isinstance(name, str) or name not in TERRAINS:
        raise Refused(f"scene: the terrains are {', '.join(TERRAINS)}")
    whole = {key: int(value) for key, value in table.items() if key in ("seed", "count")}
    if whole.get("seed", 0) < 0:
        raise Refused("scene: terrain.seed must not be negative")
    world = World.from_table({**table, **whole})
    if not np.isfinite(world.height(np.array([[0.0, 0.0], [1e3, -1e3]]))).all():
        raise Refused("scene: this terrain is too wild")
    return world


def _drive(values: dict[str, Any], limits: Limits) -> Drive:
    _only(values, ("actor", *DRIVEN))
    changes = {name: values[name] for name in DRIVEN if name in values}
    style = changes.get("style", {})
    if not isinstance(style, dict) or len(style) > MOST_STYLES:
        raise Refused(f"command: `style` must be an object of at most {MOST_STYLES} numbers by name")
    checked = Command(**changes)
    if abs(checked.speed) > FASTEST or max(abs(checked.heading), abs(checked.facing or 0.0)) > FARTHEST:
        raise Refused(f"command: speeds go to {FASTEST:g} m/s, and angles are radians")
    return Drive(_actor(values), {name: getattr(checked, name) for name in changes})


def _go_to(values: dict[str, Any], limits: Limits) -> Go:
    _only(values, ("actor", "x", "z", "speed"))
    return _go(values, [[values.get("x"), values.get("z")]])


def _path(values: dict[str, Any], limits: Limits) -> Go:
    _only(values, ("actor", "points", "speed"))
    points = values.get("points")
    if not isinstance(points, list) or not 0 < len(points) <= limits.path_points:
        raise Refused(f"path: `points` must be a list of 1 to {limits.path_points} places [x, z]")
    return _go(values, points)


def _go(values: dict[str, Any], points: list[Any]) -> Go:
    places = tuple(vector(point, f"place {i}", (2,)) for i, point in enumerate(points, start=1))
    speed = number(values.get("speed", 0.0), "speed")
    if speed < 0 or speed > FASTEST or any(math.hypot(*place) > FARTHEST for place in places):
        raise Refused(f"speeds go from 0 to {FASTEST:g} m/s, and places lie within {FARTHEST:g} m")
    return Go(_actor(values), places, speed)


def _pace(values: dict[str, Any], limits: Limits) -> Pace:
    _only(values, ("value",))
    value = number(values.get("value"), "value")
    if not PACES[0] <= value <= PACES[1]:
        raise Refused(f"pace: the value must be from {PACES[0]:g} to {PACES[1]:g}, not {value:g}")
    return Pace(value)


def _pause(values: dict[str, Any], limits: Limits) -> Pause:
    _only(values, ("on",))
    return Pause(_flag(values, "on", True))


def _record(values: dict[str, Any], limits: Limits) -> Record:
    _only(values, ("on",))
    return Record(_flag(values, "on", True))


def _step(values: dict[str, Any], limits: Limits) -> Step:
    _only(values, ())
    return Step()


def _reset(values: dict[str, Any], limits: Limits) -> Reset:
    _only(values, ())
    return Reset()


def _take(values: dict[str, Any], limits: Limits) -> Take:
    _only(values, ("actor",))
    return Take(_actor(values), True)


def _leave(values: dict[str, Any], limits: Limits) -> Take:
    _only(values, ("actor",))
    return Take(_actor(values), False)


_READERS: dict[str, Callable[[dict[str, Any], Limits], Message]] = {
    "scene": _scene,
    "command": _drive,
    "go_to": _go_to,
    "path": _path,
    "pause": _pause,
    "pace": _pace,
    "step": _step,
    "reset": _reset,
    "record": _record,
    "take": _take,
    "leave": _leave,
}


def _only(values: Mapping[str, Any], known: tuple[str, ...]) -> None:
    for key in values:
        if key not in known:
            raise Refused(f"`{key[:40]}` is unknown; known are {', '.join(known) or 'none'}")


def _actor(values: Mapping[str, Any]) -> int:
    value = values.get("actor", 0)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 1000:
        raise Refused("`actor` must be the number of an actor")
    return value


def _flag(values: Mapping[str, Any], name: str, otherwise: bool) -> bool:
    value = values.get(name, otherwise)
    if not isinstance(value, bool):
        raise Refused(f"`{name}` must be true or false")
    return value

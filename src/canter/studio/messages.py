"""Messages from a page, parsed and checked field by field; a wrong one raises Refused with the reason."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from canter.anatomy.character import check_size
from canter.control.command import Command, Ground, Push, Throw, number, text, vector
from canter.control.experts import check_experts
from canter.control.registry import DEFAULT_CONTROLLER
from canter.control.world import TERRAINS, World
from canter.cycles.build.edit import Edit, read_edit
from canter.studio.limits import Limits, Refused

COMMAND_FIELDS = ("speed", "heading", "facing", "action", "style")
"""The fields of a Command that a page sets."""
MAX_STYLES = 100
MAX_SPEED = 1000.0
"""m/s"""
MAX_DISTANCE = 1e6
"""Metres from the origin."""
MAX_ANGLE = 1e6
"""Radians."""
PACE_RANGE = 0.01, 4.0
MAX_EXPERTS = 64
MAX_TERRAIN_NUMBER = 1000.0
"""The largest number, in whatever unit, that a terrain may have."""
MAX_IMPULSE = 1e5
"""Newton seconds of a push."""
MAX_PUSH_SECONDS = 1.0
MAX_THROW_SPEED = 100.0
"""m/s"""
MAX_THROWN_MASS = 1e4
"""Kilograms."""
THROWN_SIDE_RANGE = 0.01, 5.0
"""Metres of a thrown box along each side."""
FRICTION_RANGE = 0.02, 1.2
MAX_TILT = math.radians(15) + 1e-6
"""Radians that the ground pitches or rolls, with room for rounding."""
MAX_TURN_RATE = 0.5
"""Radians a second that the ground turns."""


@dataclass(frozen=True)
class ActorSpec:
    """An actor of a scene: an animal, the name of its controller, and a factor of its size."""

    animal: str
    controller: str = DEFAULT_CONTROLLER
    size: float = 1.0


@dataclass(frozen=True)
class SceneRequest:
    """A scene for a stage: its actors, its ground, and whether all actors get every command."""

    actors: tuple[ActorSpec, ...]
    world: World = field(default_factory=World)
    abreast: bool = False


@dataclass(frozen=True)
class CommandChange:
    """New values of some fields of an actor's command; the others stay."""

    actor: int
    changes: Mapping[str, Any]


@dataclass(frozen=True)
class GoTo:
    """Go to a point, or along a path of several `points (x, z)`. With speed 0 the follower chooses one."""

    actor: int
    points: tuple[tuple[float, ...], ...]
    speed: float


@dataclass(frozen=True)
class Disturb:
    """What happens to an actor in its next frame, once: a push, or a box that is thrown; in places of the stage."""

    actor: int
    disturbance: Push | Throw


@dataclass(frozen=True)
class ChangeGround:
    """The ground under all actors that feel it, from the next frame on; what is None stays."""

    ground: Ground


@dataclass(frozen=True)
class Pause:
    on: bool


@dataclass(frozen=True)
class Pace:
    value: float


@dataclass(frozen=True)
class Step:
    """Advance a paused stage by one frame."""


@dataclass(frozen=True)
class Reset:
    """Put all actors back to the start."""


@dataclass(frozen=True)
class Record:
    on: bool


@dataclass(frozen=True)
class Claim:
    """Reserve an actor for this viewer or, with `on` false, let others drive it again."""

    actor: int
    on: bool


@dataclass(frozen=True)
class SwitchExperts:
    """Switch experts of an actor's network on and off; at least one is on."""

    actor: int
    enabled: tuple[bool, ...]


@dataclass(frozen=True)
class EditAnimal:
    """Change an animal of one's own: a gait of it, or its size."""

    animal: str
    edit: Edit


Message = (
    SceneRequest
    | EditAnimal
    | CommandChange
    | GoTo
    | Disturb
    | ChangeGround
    | Pause
    | Pace
    | Step
    | Reset
    | Record
    | Claim
    | SwitchExperts
)


def parse(content: str, limits: Limits) -> Message:
    """The message in a JSON text; raises Refused if it is not one."""
    try:
        table = json.loads(content, parse_constant=_refuse_constant)
        json.dumps(table, ensure_ascii=False).encode()  # a lone surrogate could not be written to a file later
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


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is no number that can be sent")


def _scene(values: dict[str, Any], limits: Limits) -> SceneRequest:
    _check_keys(values, ("actors", "terrain", "abreast"))
    actors = values.get("actors")
    if not isinstance(actors, list) or not 0 < len(actors) <= limits.actors:
        raise Refused(f"scene: `actors` must be a list of 1 to {limits.actors} actors")
    specs = tuple(_actor_spec(actor) for actor in actors)
    return SceneRequest(specs, read_world(values.get("terrain", {})), _flag(values, "abreast", False))


def _actor_spec(value: Any) -> ActorSpec:
    if not isinstance(value, dict):
        raise Refused('scene: an actor is an object such as {"animal": "horse", "controller": "gaits", "size": 1}')
    _check_keys(value, ("animal", "controller", "size"))
    size = number(value.get("size", 1.0), "size")
    check_size(size)
    return ActorSpec(
        text(value.get("animal"), "animal"), text(value.get("controller", DEFAULT_CONTROLLER), "controller"), size
    )


def read_world(table: Any) -> World:
    """A World from the table of a scene message, whose height is finite wherever an animal may go."""
    if not isinstance(table, dict):
        raise Refused('scene: `terrain` must be an object such as {"terrain": "flat"}')
    for name, value in table.items():
        numbers = value if isinstance(value, list) else [value]
        if name != "terrain" and not all(abs(number(x, f"terrain.{name}")) <= MAX_TERRAIN_NUMBER for x in numbers):
            raise Refused(f"scene: terrain.{name} must be within {MAX_TERRAIN_NUMBER:g}")
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


def _command(values: dict[str, Any], limits: Limits) -> CommandChange:
    _check_keys(values, ("actor", *COMMAND_FIELDS))
    changes = {name: values[name] for name in COMMAND_FIELDS if name in values}
    style = changes.get("style", {})
    if not isinstance(style, dict) or len(style) > MAX_STYLES:
        raise Refused(f"command: `style` must be an object of at most {MAX_STYLES} numbers by name")
    checked = Command(**changes)
    if abs(checked.speed) > MAX_SPEED or max(abs(checked.heading), abs(checked.facing or 0.0)) > MAX_ANGLE:
        raise Refused(f"command: speeds go to {MAX_SPEED:g} m/s, and angles are radians")
    return CommandChange(_actor(values), {name: getattr(checked, name) for name in changes})


def _go_to(values: dict[str, Any], limits: Limits) -> GoTo:
    _check_keys(values, ("actor", "x", "z", "speed"))
    return _go_along(values, [[values.get("x"), values.get("z")]])


def _path(values: dict[str, Any], limits: Limits) -> GoTo:
    _check_keys(values, ("actor", "points", "speed"))
    points = values.get("points")
    if not isinstance(points, list) or not 0 < len(points) <= limits.path_points:
        raise Refused(f"path: `points` must be a list of 1 to {limits.path_points} places [x, z]")
    return _go_along(values, points)


def _go_along(values: dict[str, Any], points: list[Any]) -> GoTo:
    places = tuple(vector(point, f"place {i}", (2,)) for i, point in enumerate(points, start=1))
    speed = number(values.get("speed", 0.0), "speed")
    if speed < 0 or speed > MAX_SPEED or any(math.hypot(*place) > MAX_DISTANCE for place in places):
        raise Refused(f"speeds go from 0 to {MAX_SPEED:g} m/s, and places lie within {MAX_DISTANCE:g} m")
    return GoTo(_actor(values), places, speed)


def _push(values: dict[str, Any], limits: Limits) -> Disturb:
    _check_keys(values, ("actor", "impulse", "joint", "seconds"))
    push = Push(values.get("impulse"), values.get("joint"), values.get("seconds", 0.1))  # type: ignore[arg-type]
    if math.hypot(*push.impulse) > MAX_IMPULSE or push.seconds > MAX_PUSH_SECONDS:
        raise Refused(f"push: an impulse goes to {MAX_IMPULSE:g} N·s, and lasts {MAX_PUSH_SECONDS:g} s at most")
    return Disturb(_actor(values), push)


def _throw(values: dict[str, Any], limits: Limits) -> Disturb:
    _check_keys(values, ("actor", "position", "velocity", "size", "mass"))
    size = vector(values.get("size"), "size")
    throw = Throw(values.get("position"), values.get("velocity"), size=size, mass=values.get("mass"))  # type: ignore[arg-type]
    low, high = THROWN_SIDE_RANGE
    if not all(low <= side <= high for side in size) or throw.mass > MAX_THROWN_MASS:
        raise Refused(f"throw: sides of a box go from {low:g} to {high:g} m, its mass to {MAX_THROWN_MASS:g} kg")
    if math.hypot(*throw.velocity) > MAX_THROW_SPEED or math.hypot(*throw.position) > MAX_DISTANCE:
        raise Refused(f"throw: speeds go to {MAX_THROW_SPEED:g} m/s, and places lie within {MAX_DISTANCE:g} m")
    return Disturb(_actor(values), throw)


def _ground(values: dict[str, Any], limits: Limits) -> ChangeGround:
    _check_keys(values, ("friction", "tilt", "turn_rate"))
    ground = Ground(**values)
    low, high = FRICTION_RANGE
    if ground == Ground():
        raise Refused("ground: say friction, tilt or turn_rate")
    if ground.friction is not None and not low <= ground.friction <= high:
        raise Refused(f"ground: friction must be from {low:g} to {high:g}, not {ground.friction:g}")
    if ground.tilt is not None and max(map(abs, ground.tilt)) > MAX_TILT:
        raise Refused(f"ground: tilt is [pitch, roll] in radians, each within {math.degrees(MAX_TILT):.0f}°")
    if ground.turn_rate is not None and abs(ground.turn_rate) > MAX_TURN_RATE:
        raise Refused(f"ground: turn_rate must be within {MAX_TURN_RATE:g} rad/s, not {ground.turn_rate:g}")
    return ChangeGround(ground)


def _edit(values: dict[str, Any], limits: Limits) -> EditAnimal:
    _check_keys(values, ("animal", "do", "gait", "name", "metres"))
    return EditAnimal(text(values.pop("animal", None), "animal"), read_edit(values))


def _pace(values: dict[str, Any], limits: Limits) -> Pace:
    _check_keys(values, ("value",))
    value = number(values.get("value"), "value")
    if not PACE_RANGE[0] <= value <= PACE_RANGE[1]:
        raise Refused(f"pace: the value must be from {PACE_RANGE[0]:g} to {PACE_RANGE[1]:g}, not {value:g}")
    return Pace(value)


def _pause(values: dict[str, Any], limits: Limits) -> Pause:
    _check_keys(values, ("on",))
    return Pause(_flag(values, "on", True))


def _record(values: dict[str, Any], limits: Limits) -> Record:
    _check_keys(values, ("on",))
    return Record(_flag(values, "on", True))


def _step(values: dict[str, Any], limits: Limits) -> Step:
    _check_keys(values, ())
    return Step()


def _reset(values: dict[str, Any], limits: Limits) -> Reset:
    _check_keys(values, ())
    return Reset()


def _claim(values: dict[str, Any], limits: Limits) -> Claim:
    _check_keys(values, ("actor",))
    return Claim(_actor(values), True)


def _experts(values: dict[str, Any], limits: Limits) -> SwitchExperts:
    _check_keys(values, ("actor", "enabled"))
    enabled = values.get("enabled")
    if not isinstance(enabled, list) or not 0 < len(enabled) <= MAX_EXPERTS:
        raise Refused(f"experts: `enabled` must be a list of 1 to {MAX_EXPERTS} times true or false")
    if not all(isinstance(on, bool) for on in enabled):
        raise Refused("experts: `enabled` must hold true or false for each expert")
    return SwitchExperts(_actor(values), check_experts(enabled, len(enabled)))


def _release(values: dict[str, Any], limits: Limits) -> Claim:
    _check_keys(values, ("actor",))
    return Claim(_actor(values), False)


_READERS: dict[str, Callable[[dict[str, Any], Limits], Message]] = {
    "scene": _scene,
    "edit": _edit,
    "command": _command,
    "go_to": _go_to,
    "path": _path,
    "push": _push,
    "throw": _throw,
    "ground": _ground,
    "pause": _pause,
    "pace": _pace,
    "step": _step,
    "reset": _reset,
    "record": _record,
    "take": _claim,
    "leave": _release,
    "experts": _experts,
}


def _check_keys(values: Mapping[str, Any], known: tuple[str, ...]) -> None:
    for key in values:
        if key not in known:
            raise Refused(f"`{key[:40]}` is unknown; known are {', '.join(known) or 'none'}")


def _actor(values: Mapping[str, Any]) -> int:
    value = values.get("actor", 0)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 1000:
        raise Refused("`actor` must be the number of an actor")
    return value


def _flag(values: Mapping[str, Any], name: str, default: bool) -> bool:
    value = values.get(name, default)
    if not isinstance(value, bool):
        raise Refused(f"`{name}` must be true or false")
    return value

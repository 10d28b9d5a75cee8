"""What a controller is told each frame: Command, its Goal, and the disturbances that make a ride replay.

Everything is frozen and checked when made, so that no NaN ever reaches a controller. Angles are radians, yaw is 0
along +Z and positive to the left, lengths are metres.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

FIELDS = (
    "speed",
    "heading",
    "facing",
    "action",
    "goal.position",
    "goal.facing",
    "goal.action",
    "goal.seconds",
    "style",
    "push",
    "throw",
    "ground",
)
"""What a controller may honour (`Capabilities.honours`): the parts of a Command."""

Vector = tuple[float, ...]


def number(value: object, name: str) -> float:
    """`value` as a finite float, or a ValueError that names the field."""
    if isinstance(value, bool | str | bytes):
        raise ValueError(f"{name} must be a number, not {value!r}")
    try:
        result = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{name} must be a number, not {value!r}") from None
    if not math.isfinite(result):
        raise ValueError(f"{name} must be finite, not {result}")
    return result


def vector(value: object, name: str, sizes: tuple[int, ...] = (3,)) -> Vector:
    """`value` as a tuple of finite floats of one of the `sizes`, or a ValueError that names the field."""
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        raise ValueError(f"{name} must be {' or '.join(map(str, sizes))} numbers, not {value!r}")
    result = tuple(number(x, f"{name}[{i}]") for i, x in enumerate(value))
    if len(result) not in sizes:
        raise ValueError(f"{name} must be {' or '.join(map(str, sizes))} numbers, not {len(result)}")
    return result


def text(value: object, name: str) -> str:
    """`value` if it is a word of sensible length, or a ValueError that names the field."""
    if not isinstance(value, str) or not 0 < len(value) <= 200:
        raise ValueError(f"{name} must be a word of 1 to 200 letters, not {value!r}")
    return value


def _set(target: object, **values: object) -> None:
    for name, value in values.items():
        object.__setattr__(target, name, value)


@dataclass(frozen=True)
class Goal:
    """Be there, facing that way, doing this, in so many seconds; whatever is None is left to the controller.

    `position` is a place on the ground `(x, z)` or in space `(x, y, z)`, such as where a ball is met. `seconds` counts
    from the frame of the command: a goal that stays the same has it counted down by whoever commands.
    """

    position: Vector | None = None
    facing: float | None = None
    action: str | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        if self.position is not None:
            _set(self, position=vector(self.position, "goal.position", (2, 3)))
        if self.facing is not None:
            _set(self, facing=number(self.facing, "goal.facing"))
        if self.action is not None:
            text(self.action, "goal.action")
        if self.seconds is not None:
            _set(self, seconds=number(self.seconds, "goal.seconds"))
            if self.seconds < 0:
                raise ValueError(f"goal.seconds must not be negative, but is {self.seconds}")


@dataclass(frozen=True)
class Push:
    """A shove: `impulse` in newton seconds (world axes) on `joint` (None: the trunk), spread over `seconds`."""

    impulse: Vector
    joint: str | None = None
    seconds: float = 0.1

    def __post_init__(self) -> None:
        _set(self, impulse=vector(self.impulse, "push.impulse"), seconds=number(self.seconds, "push.seconds"))
        if self.joint is not None:
            text(self.joint, "push.joint")
        if self.seconds < 0:
            raise ValueError(f"push.seconds must not be negative, but is {self.seconds}")


@dataclass(frozen=True)
class Throw:
    """A body that flies from now on: a box thrown at the animal, or the ball that a player shall meet.

    It shows up in `State.props` under its `name`. `shape` and `size` are as in `Prop`.
    """

    position: Vector
    velocity: Vector
    shape: str = "box"
    size: Vector = (0.2, 0.2, 0.2)
    mass: float = 1.0
    name: str = "box"

    def __post_init__(self) -> None:
        _set(
            self,
            position=vector(self.position, "throw.position"),
            velocity=vector(self.velocity, "throw.velocity"),
            size=vector(self.size, "throw.size", (1, 2, 3)),
            mass=number(self.mass, "throw.mass"),
        )
        text(self.shape, "throw.shape")
        text(self.name, "throw.name")
        if self.mass <= 0 or min(self.size) <= 0:
            raise ValueError(f"throw.mass and throw.size must be above zero, not {self.mass} and {self.size}")


@dataclass(frozen=True)
class Ground:
    """The ground changes, and stays so until it changes again; None leaves a part as it is.

    `friction` replaces the World's; `tilt` is its (pitch, roll) in radians; `turn_rate` spins it, radians a second.
    """

    friction: float | None = None
    tilt: Vector | None = None
    turn_rate: float | None = None

    def __post_init__(self) -> None:
        if self.friction is not None:
            _set(self, friction=number(self.friction, "ground.friction"))
            if self.friction < 0:
                raise ValueError(f"ground.friction must not be negative, but is {self.friction}")
        if self.tilt is not None:
            _set(self, tilt=vector(self.tilt, "ground.tilt", (2,)))
        if self.turn_rate is not None:
            _set(self, turn_rate=number(self.turn_rate, "ground.turn_rate"))


Disturbance = Push | Throw | Ground


@dataclass(frozen=True)
class Command:
    """One frame's wish. Disturbances happen in this frame only; everything else is said anew with every frame.

    `speed` in metres a second over ground, `heading` the world yaw of travel, `facing` the world yaw of the body (None:
    along the heading), `action` a name from the controller's capabilities (None: locomotion), `style` numbers by name.
    """

    speed: float = 0.0
    heading: float = 0.0
    facing: float | None = None
    action: str | None = None
    goal: Goal | None = None
    style: Mapping[str, float] = field(default_factory=dict)
    disturbances: Sequence[Disturbance] = ()

    def __post_init__(self) -> None:
        _set(self, speed=number(self.speed, "speed"), heading=number(self.heading, "heading"))
        if self.facing is not None:
            _set(self, facing=number(self.facing, "facing"))
        if self.action is not None:
            text(self.action, "action")
        if self.goal is not None and not isinstance(self.goal, Goal):
            raise ValueError(f"goal must be a Goal, not {self.goal!r}")
        if not isinstance(self.style, Mapping):
            raise ValueError(f"style must map names to numbers, not {self.style!r}")
        _set(self, style={text(k, "style"): number(v, f"style.{k}") for k, v in self.style.items()})
        if isinstance(self.disturbances, str) or not isinstance(self.disturbances, Iterable):
            raise ValueError(f"disturbances must be a list of Push, Throw and Ground, not {self.disturbances!r}")
        _set(self, disturbances=tuple(self.disturbances))
        for disturbance in self.disturbances:
            if not isinstance(disturbance, Push | Throw | Ground):
                raise ValueError(f"disturbances must be Push, Throw or Ground, not {disturbance!r}")

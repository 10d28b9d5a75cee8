"""The contract that every method keeps: Controller, and the Capabilities that the studio builds its controls from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol, runtime_checkable

from canter.anatomy import Character
from canter.control.command import FIELDS, Command
from canter.control.state import State


@dataclass(frozen=True)
class Style:
    """A slider: a named number of `Command.style`, its range, and what it is when nobody says."""

    name: str
    low: float = 0.0
    high: float = 1.0
    default: float = 0.0


@dataclass(frozen=True)
class Capabilities:
    """What a controller can do.

    `speed_range` in metres a second; `actions` that a command may name; `gaits` with the range of speeds that each
    covers; `honours`, the parts of a Command it heeds (of `FIELDS`): the others are ignored; `turn_rate`, the fastest
    turn in radians a second; `back_speed` and `side_speed`, the fastest that it goes back and aside, 0 where it cannot;
    `styles`, the sliders; `kinds`, what the feet of each gait say that it is ("trot" of a clip called "fox_jog"), and
    `labels`, both for people to read ("fox_jog: trot"), each by the gait's name. A style can be asked for by its kind
    too.
    """

    speed_range: tuple[float, float]
    actions: tuple[str, ...] = ()
    gaits: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    honours: frozenset[str] = frozenset({"speed", "heading"})
    turn_rate: float = 1.5
    back_speed: float = 0.0
    side_speed: float = 0.0
    styles: tuple[Style, ...] = ()
    kinds: Mapping[str, str] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if unknown := sorted(set(self.honours) - set(FIELDS)):
            raise ValueError(f"honours names {', '.join(unknown)}; the fields are {', '.join(FIELDS)}")
        low, high = self.speed_range
        if not low <= high:
            raise ValueError(f"speed_range must run from low to high, not from {low} to {high}")

    def admit(self, command: Command) -> tuple[Command, tuple[str, ...]]:
        """The command as this controller can carry it out, and the events that this causes.

        Speed and styles are clamped ("clamped"); an action that does not exist is dropped ("unavailable"), so that the
        same keys can drive two controllers side by side. `Script.check` refuses such an action before a ride.
        """
        low, high = self.speed_range
        if low <= command.speed <= high and not command.style and command.action is None:
            return command, ()
        changes: dict[str, object] = {}
        events: list[str] = []
        if not low <= command.speed <= high:
            changes["speed"] = min(max(command.speed, low), high)
            events.append("clamped")
        ranges = {style.name: (style.low, style.high) for style in self.styles}
        held = {k: min(max(v, ranges[k][0]), ranges[k][1]) if k in ranges else v for k, v in command.style.items()}
        if held != command.style:
            changes["style"] = held
            events.append("clamped")
        if command.action is not None and command.action not in self.actions:
            changes["action"] = None
            events.append("unavailable")
        return (replace(command, **changes) if changes else command), tuple(dict.fromkeys(events))  # type: ignore[arg-type]


@runtime_checkable
class Controller(Protocol):
    """One command in, one pose out. The same seed and commands give the same frames.

    `reset` puts the animal at the origin facing +Z and forgets everything; `step` advances by exactly one frame of
    `frame_rate`. A controller is made with a Character, may be given a `world`, and knows nothing of who drives it.
    """

    @property
    def frame_rate(self) -> float: ...

    @property
    def character(self) -> Character: ...

    @property
    def capabilities(self) -> Capabilities: ...

    def reset(self, seed: int = 0) -> State: ...

    def step(self, command: Command) -> State: ...

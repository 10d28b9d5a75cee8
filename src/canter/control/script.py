"""A ride as data: who, by which method, and what is commanded when. A value holds until another replaces it.

`heading`, `go_to` and `path` replace one another. Rides are written to and read from `ride.toml` (see `ride`), and
driven frame by frame by a `Follower`, which is what turns places into headings.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from canter.control.command import Command
from canter.control.contract import Capabilities
from canter.control.world import World

STEERING = ("heading", "go_to", "path")
"""The keys of a cue of which only the last said is in force."""

HELD = ("speed", "heading", "facing", "action", "goal", "style", "go_to", "path")
"""The keys of a cue that hold until replaced; only disturbances happen once."""


@dataclass(frozen=True)
class Cue:
    """What changes at one moment: Command's field names, `go_to (x, z)` and `path ((x, z), ...)`; None takes back."""

    time: float
    changes: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Script:
    """A whole ride. `options` go to the `controller` (None: the default, see `registry.choose_controller`); `seconds`
    is its length (None: two seconds after the last cue); the animal is `size` times as large as it is."""

    character: str
    controller: str | None = None
    seed: int = 0
    cues: tuple[Cue, ...] = ()
    seconds: float | None = None
    world: World = field(default_factory=World)
    options: Mapping[str, str | float | bool] = field(default_factory=dict)
    size: float = 1.0

    def __post_init__(self) -> None:
        for i, (one, other) in enumerate(zip(self.cues, self.cues[1:], strict=False), start=2):
            if other.time < one.time:
                raise ValueError(f"cue {i} at {other.time} s comes after one at {one.time} s; list them in order")

    @property
    def length(self) -> float:
        """Seconds from start to end."""
        if self.seconds is not None:
            return self.seconds
        return self.cues[-1].time + 2.0 if self.cues else 2.0

    @property
    def steers_by_place(self) -> bool:
        """Whether any cue names a place, so that the ride needs a Follower."""
        return any(cue.changes.get(key) is not None for cue in self.cues for key in ("go_to", "path"))

    def frames(self, frame_rate: float, seconds: float | None = None) -> int:
        return round((self.length if seconds is None else seconds) * frame_rate)

    def moments(self, frame_rate: float) -> Iterator[tuple[Command, Mapping[str, Any]]]:
        """For each frame without end: the command, and what is in force besides (`go_to`, `path`)."""
        held: dict[str, Any] = {}
        following, frame = 0, 0
        command = Command()
        besides: dict[str, Any] = {}
        while True:
            changes, following = self._due(following, (frame + 1e-6) / frame_rate)
            if changes:
                held = _replaced(held, changes)
                besides = {key: held[key] for key in ("go_to", "path") if held.get(key) is not None}
                command = Command(**{k: v for k, v in held.items() if k not in ("go_to", "path") and v is not None})
            yield replace(command, disturbances=changes.get("disturbances", ())), besides
            frame += 1

    def commands(self, frame_rate: float, seconds: float | None = None) -> Iterator[Command]:
        """One command a frame. A ride that names places needs to see the state: use a Follower instead."""
        if self.steers_by_place:
            raise ValueError("this script names places (go_to, path): drive it with Follower(script, controller)")
        for _, (command, _) in zip(range(self.frames(frame_rate, seconds)), self.moments(frame_rate), strict=False):
            yield command

    def check(self, capabilities: Capabilities) -> None:
        """Raise ValueError if a cue asks for an action or a style that the controller does not have."""
        for i, cue in enumerate(self.cues, start=1):
            goal = cue.changes.get("goal")
            for key, action in (("action", cue.changes.get("action")), ("goal.action", goal.action if goal else None)):
                if action is not None and action not in capabilities.actions:
                    known = ", ".join(capabilities.actions) or "none"
                    raise ValueError(f"cue {i} at {cue.time} s: {key} {action!r} is unknown; actions: {known}")
        for i, cue in enumerate(self.cues, start=1):
            for name in cue.changes.get("style") or {}:
                if name not in _style_words(capabilities):
                    raise ValueError(
                        f"cue {i} at {cue.time} s: style {name!r} is unknown; {_remedy(name, capabilities)}"
                    )

    def _due(self, following: int, time: float) -> tuple[dict[str, Any], int]:
        """All changes of the cues from number `following` on that are due by `time`, and the next number."""
        changes: dict[str, Any] = {}
        disturbances: tuple[Any, ...] = ()
        while following < len(self.cues) and self.cues[following].time <= time:
            cue = self.cues[following].changes
            disturbances += tuple(cue.get("disturbances", ()))
            changes = _replaced(changes, cue)
            following += 1
        if disturbances:
            changes["disturbances"] = disturbances
        return changes, following


def record(
    commands: Iterable[Command], frame_rate: float, character: str, controller: str | None = None, **more: Any
) -> Script:
    """The script that repeats these commands frame by frame: a cue wherever something changes."""
    cues: list[Cue] = []
    last, frames = Command(), 0
    for frame, command in enumerate(commands):
        names = ("speed", "heading", "facing", "action", "goal", "style")
        changes = {name: getattr(command, name) for name in names if getattr(command, name) != getattr(last, name)}
        if command.disturbances:
            changes["disturbances"] = command.disturbances
        if changes:
            cues.append(Cue(frame / frame_rate, changes))
        last, frames = command, frame + 1
    return Script(character, controller, cues=tuple(cues), seconds=frames / frame_rate, **more)


def _replaced(held: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """What holds after `changes`; a None stays, so that it can take back what held before."""
    result = dict(held)
    for key, value in changes.items():
        if key in STEERING and value is not None:
            result.update(dict.fromkeys(STEERING))
        if key in HELD:
            result[key] = value
    return result


def _style_words(capabilities: Capabilities) -> set[str]:
    """The words by which styles can be asked for: their names and, of gaits that are called otherwise, their kinds."""
    names = {style.name for style in capabilities.styles}
    return names | ({capabilities.kinds[name] for name in names & set(capabilities.kinds)} - set(capabilities.gaits))


def _remedy(style: str, capabilities: Capabilities) -> str:
    """What a controller has instead of an unknown style."""
    if style in capabilities.gaits:
        low, high = capabilities.gaits[style]
        return f"{style} is taken by speed, between {low:.2f} and {high:.2f} m/s"
    styles = ", ".join(style.name for style in capabilities.styles) or "none"
    return f"styles: {styles}; gaits: {', '.join(capabilities.gaits)}"

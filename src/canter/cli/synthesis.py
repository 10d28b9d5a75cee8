"""`canter synth` and `canter export`: a ride by a script, measured; and everything that an engine needs."""

from __future__ import annotations

import math
import tomllib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from canter.cli.names import open_character, split_name

if TYPE_CHECKING:
    from rich.console import RenderableType

    from canter.anatomy import Character, Clip
    from canter.control import Capabilities, Command, Controller, State
    from canter.control.script import Script
    from canter.motion.arrays import Floats

SUFFIXES = (".glb", ".gltf", ".bvh", ".npz")
LONGEST = 3600.0
"""Seconds of a ride."""

Progress = Callable[[int, int], None]


def drivable(animal: str, size: float = 1.0, controller: str = "gaits") -> Character:
    """The animal of that name and size; the clips of a file that was not built are cut to strides first."""
    from canter.anatomy.character_file import SUFFIX
    from canter.control.registry import entries
    from canter.cycles.build.drivable import build

    character = open_character(animal)
    head, _ = split_name(animal)
    ready = head.lower().endswith(SUFFIX) or head in {entry.name for entry in entries("animal")}
    return (character if ready or controller == "clip" else build(character).character).scaled(size)


def synthesise(
    animal: str,
    script: Path,
    controller: str | None,
    target: Path,
    size: float = 1.0,
    progress: Progress = lambda *_: None,
) -> dict[str, Any]:
    """Ride a script with an animal into a motion file; what was ridden, in figures."""
    from canter.cli.playing import save_ride
    from canter.control import make_controller, to_clip

    _check_target(target, SUFFIXES, "a ride is written")
    ride = _read(script, controller)
    character = drivable(animal, ride.size * size, ride.controller)
    driven = make_controller(ride.controller, character, world=ride.world, **ride.options)
    _check(ride, driven.capabilities, script)
    commands, states = _ride(ride, driven, progress)
    clip = to_clip(states, driven.frame_rate, script.stem)
    save_ride(character, clip, target)
    return {"file": str(target), "animal": animal, **_figures(ride, driven, commands, states, clip)}


def export_clips(
    animal: str,
    target: Path,
    in_place: bool,
    transitions: str = "all",
    size: float = 1.0,
    progress: Progress = lambda *_: None,
) -> str:
    """Write the loops, transitions and actions of an animal; what was written, in words."""
    from canter.cycles.export import export
    from canter.formats import write

    _check_target(target, (".glb", ".gltf", ".npz"), "several clips are written")
    found = export(drivable(animal, size), in_place=in_place, transitions=transitions, progress=progress)
    write(found.asset, target)
    where = "in place" if in_place else "with root motion"
    parts = (
        (len(found.loops), "loops"),
        (len(found.transitions), "transitions"),
        (len(found.actions), "clips of actions"),
    )
    counts = ", ".join(f"{count} {what}" for count, what in parts if count)
    return f"{target}: {counts}, {where}, {target.stat().st_size / 1e6:.1f} MB"


# The ride ----------------------------------------------------------------------------------------


def _read(path: Path, controller: str | None) -> Script:
    """The script, ridden by the controller that is asked for, else by its own, else by `gaits`."""
    from canter.control.registry import find
    from canter.control.ride import read_script

    if not path.is_file():
        raise ValueError(f"{path}: there is no such script; examples/scripts has some")
    script = read_script(path)
    own = tomllib.loads(path.read_text("utf-8")).get("controller", "gaits")
    if script.length > LONGEST:
        raise ValueError(f"{path}: the ride lasts {script.length:g} s; at most {LONGEST:g} s are made at once")
    if script.length <= 0:
        raise ValueError(f"{path}: the ride has no length; say `seconds`, or when something happens")
    return replace(script, controller=find("controller", controller or own).name)


def _check(script: Script, capabilities: Capabilities, path: Path) -> None:
    """Refuses a ride that asks for actions or gaits which the animal does not have."""
    try:
        script.check(capabilities)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    styles = [style.name for style in capabilities.styles]
    for i, cue in enumerate(script.cues, start=1):
        for name in cue.changes.get("style") or {}:
            if name in styles:
                continue
            if name in capabilities.gaits:
                low, high = capabilities.gaits[name]
                remedy = f"{name} is taken by speed, between {low:.2f} and {high:.2f} m/s"
            else:
                remedy = f"styles: {', '.join(styles) or 'none'}; gaits: {', '.join(capabilities.gaits)}"
            raise ValueError(f"{path}: cue {i} at {cue.time} s: style {name!r} is unknown; {remedy}")


def _ride(script: Script, controller: Controller, progress: Progress) -> tuple[list[Command], list[State]]:
    """All commands, and the states that they led to."""
    from canter.control import states
    from canter.control.follow import Follower

    follower = Follower(script, controller)
    commands: list[Command] = []
    frames = max(script.frames(controller.frame_rate), 2)

    def driver(state: State) -> Command:
        commands.append(follower(state))
        progress(len(commands), frames)
        return commands[-1]

    return commands, list(states(controller, driver, seed=script.seed, frames=frames))


def _check_target(target: Path, suffixes: tuple[str, ...], what: str) -> None:
    """Before the work, not after it."""
    if target.suffix.lower() not in suffixes:
        raise ValueError(f"{target}: {what} as {', '.join(suffixes)}")
    if not target.parent.is_dir():
        raise ValueError(f"{target}: there is no folder {target.parent}")


# Its figures -------------------------------------------------------------------------------------


def _figures(
    script: Script, controller: Controller, commands: Sequence[Command], states: Sequence[State], clip: Clip
) -> dict[str, Any]:
    """Distance, speeds, what the feet do, gaits and events; lengths in metres, feet in centimetres."""
    import numpy as np

    from canter.motion.metrics import foot_skating, ground_penetration, stance_slip

    rate = controller.frame_rate
    feet = clip.motion.position_world[:, controller.character.anatomy.feet].astype(np.float64)
    ground = script.world.height(feet[..., [0, 2]])
    above = feet - np.stack([np.zeros_like(ground), ground, np.zeros_like(ground)], axis=-1)
    steps = _steps(states)
    slip, sunk = stance_slip(feet, clip.footfalls.contacts), ground_penetration(feet, ground)
    return {
        "controller": script.controller,
        "seconds": len(states) / rate,
        "distance": float(steps.sum()),
        "speed": float(steps.sum()) * rate / len(states),
        "slip_cm": {"mean": _known(slip.mean), "largest": _known(slip.max)},
        "penetration_cm": {"mean": sunk.mean, "deepest": sunk.max},
        "skating_cm": float(np.mean(foot_skating(above, rate))),
        "sections": _sections(script, rate, commands, states, steps),
        "gaits": _gaits(states, rate),
        "events": _events(states, rate),
    }


def _steps(states: Sequence[State]) -> Floats:
    """Metres over ground in each frame `(T,)`."""
    import numpy as np

    places = np.stack([state.place for state in states])[:, [0, 2]]
    steps: Floats = np.linalg.norm(np.diff(places, axis=0, prepend=np.zeros((1, 2))), axis=-1)
    return steps


def _sections(
    script: Script, rate: float, commands: Sequence[Command], states: Sequence[State], steps: Floats
) -> list[dict[str, Any]]:
    """What was commanded between cues and what came of it; the speed is that of the last two thirds."""
    import numpy as np

    borders = sorted({0, len(states), *(math.ceil(cue.time * rate - 1e-6) for cue in script.cues)})
    borders = [frame for frame in borders if frame <= len(states)]
    result = []
    for first, last in pairwise(borders):
        settled = first + (last - first) // 3
        told = [command.speed for command in commands[settled:last]]
        result.append(
            {
                "start": first / rate,
                "seconds": (last - first) / rate,
                "commanded": float(np.mean(told)),
                "speed": float(np.mean(steps[settled:last])) * rate,
                "action": commands[first].action,
                "gaits": list(_gaits(states[first:last], rate)),
            }
        )
    return result


def _gaits(states: Sequence[State], rate: float) -> dict[str, float]:
    """Seconds in each gait and action, in order of appearance."""
    return {gait: frames / rate for gait, frames in Counter(state.gait for state in states).items()}


def _events(states: Sequence[State], rate: float) -> list[dict[str, Any]]:
    """Each event with the time when it began; one that is told frame after frame counts once."""
    found = []
    for name in sorted({event for state in states for event in state.events}):
        told = groupby(enumerate(states), key=lambda item: name in item[1].events)
        found += [{"event": name, "time": next(run)[0] / rate} for happens, run in told if happens]
    return sorted(found, key=lambda event: event["time"])


def _known(x: float) -> float | None:
    return x if math.isfinite(x) else None


# As a table --------------------------------------------------------------------------------------


def summary(found: Mapping[str, Any]) -> str:
    """A ride in a line."""
    way = f"{found['seconds']:.1f} s, {found['distance']:.1f} m at {found['speed']:.2f} m/s"
    return f"{found['file']}: {found['animal']} by {found['controller']}, {way}"


def report(found: Mapping[str, Any]) -> RenderableType:
    """The figures of a ride: its sections, its feet, its gaits and what happened."""
    from rich import box
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    from canter.cli.tables import figure

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in ("from s", "seconds", "told m/s", "went m/s"):
        table.add_column(name, justify="right")
    table.add_column("as", overflow="fold")
    for section in found["sections"]:
        told = section["action"] or figure(section["commanded"])
        cells = (figure(section["start"], 1), figure(section["seconds"], 1), told, figure(section["speed"]))
        table.add_row(*cells, ", ".join(section["gaits"]))
    slip, sunk = found["slip_cm"], found["penetration_cm"]
    feet = (
        f"feet: slip in contact {figure(slip['mean'])} cm, largest {figure(slip['largest'])} cm; "
        f"penetration {figure(sunk['deepest'])} cm at most; skating {figure(found['skating_cm'])} cm a frame"
    )
    gaits = ", ".join(f"{name} {seconds:.1f} s" for name, seconds in found["gaits"].items())
    events = ", ".join(f"{event['event']} at {event['time']:.1f} s" for event in found["events"])
    return Group(table, Text(feet), Text(f"gaits: {gaits}"), Text(f"events: {events or 'none'}"))

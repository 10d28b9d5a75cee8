"""`canter synth` and `canter export`: a ride by a script, measured; and everything that an engine needs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import RenderableType

    from canter.control.script import Script

RIDE_SUFFIXES = (".glb", ".gltf", ".bvh", ".npz")
MAX_SECONDS = 3600.0
"""The longest ride that is made at once."""

Progress = Callable[[int, int], None]


def synthesise(
    animal: str,
    path: Path,
    controller: str | None,
    target: Path,
    size: float = 1.0,
    hip_height: float | None = None,
    progress: Progress = lambda *_: None,
) -> tuple[dict[str, Any], str]:
    """Ride a script with an animal into a motion file: its figures, and why another controller than `gaits` rode."""
    from canter.control.figures import ride_figures
    from canter.control.play import ride_script, save_ride
    from canter.control.sources import open_character

    _check_target(target, RIDE_SUFFIXES, "a ride is written")
    script = _read(path, controller)
    character = open_character(animal, hip_height)
    try:
        ride = ride_script(script, character, size=size, progress=progress)
    except ValueError as error:
        raise ValueError(f"{path}: {error}" if str(error).startswith("cue ") else str(error)) from error
    save_ride(ride.character, ride.clip(path.stem), target)
    return {"file": str(target), "animal": animal, **ride_figures(ride)}, ride.reason


def export_clips(
    animal: str,
    target: Path,
    in_place: bool,
    transitions: str = "all",
    size: float = 1.0,
    hip_height: float | None = None,
    progress: Progress = lambda *_: None,
) -> str:
    """Write the loops, transitions and actions of an animal; what was written, in words."""
    from canter.control.sources import open_character
    from canter.cycles.build.drivable import drivable
    from canter.cycles.export import export
    from canter.formats import write

    _check_target(target, (".glb", ".gltf", ".npz"), "several clips are written")
    character = drivable(open_character(animal, hip_height)).character.scaled(size)
    found = export(character, in_place=in_place, transitions=transitions, progress=progress)
    write(found.asset, target)
    where = "in place" if in_place else "with root motion"
    parts = (
        (len(found.loops), "loops"),
        (len(found.transitions), "transitions"),
        (len(found.actions), "clips of actions"),
    )
    counts = ", ".join(f"{count} {what}" for count, what in parts if count)
    return f"{target}: {counts}, {where}, {target.stat().st_size / 1e6:.1f} MB"


def _read(path: Path, controller: str | None) -> Script:
    """The script, ridden by the controller that is asked for, else by its own."""
    from canter.control.registry import find
    from canter.control.ride import read_script

    if not path.is_file():
        raise ValueError(f"{path}: there is no such script; examples/scripts has some")
    script = read_script(path)
    if script.length > MAX_SECONDS:
        raise ValueError(f"{path}: the ride lasts {script.length:g} s; at most {MAX_SECONDS:g} s are made at once")
    if script.length <= 0:
        raise ValueError(f"{path}: the ride has no length; say `seconds`, or when something happens")
    name = controller or script.controller
    return replace(script, controller=None if name is None else find("controller", name).name)


def _check_target(target: Path, suffixes: tuple[str, ...], what: str) -> None:
    """Before the work, not after it."""
    if target.suffix.lower() not in suffixes:
        raise ValueError(f"{target}: {what} as {', '.join(suffixes)}")
    if not target.parent.is_dir():
        raise ValueError(f"{target}: there is no folder {target.parent}")


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

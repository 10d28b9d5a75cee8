"""`canter play`: a loop along a heading, or a ride by a script, kept as a clip, a picture or a motion file."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from canter.cli.names import open_character

if TYPE_CHECKING:
    from canter.anatomy import Character, Clip

LONGEST = 600.0


def play_clip(
    character: Character,
    clip: str | None = None,
    speed: float | None = None,
    heading_deg: float = 0.0,
    seconds: float = 6.0,
) -> Clip:
    """The ride of `character` towards a heading at a speed, as a clip with its footfalls."""
    from canter.control import Command, states, to_clip
    from canter.control.clip import FASTEST

    if not 0 < seconds <= LONGEST:
        raise ValueError(f"seconds must be above 0 and at most {LONGEST:g}, not {seconds:g}")
    controller = character.controller("clip", clip=clip)
    own = controller.capabilities.speed_range[1] / FASTEST
    command = Command(speed=own if speed is None else speed, heading=math.radians(heading_deg))
    commands = [command] * max(round(seconds * controller.frame_rate), 2)
    ride = list(states(controller, commands))
    return to_clip(ride, controller.frame_rate, f"{ride[0].gait} towards {heading_deg:g}°")


def play_script(path: Path, size: float = 1.0) -> tuple[Character, Clip]:
    """The ride that a script such as `ride.toml` describes. Its character may lie beside it."""
    from canter.control import make_controller, states, to_clip
    from canter.control.follow import Follower
    from canter.control.ride import read_script

    script = read_script(path)
    beside = path.parent / script.character
    source = str(beside) if beside.is_file() else script.character
    character = open_character(source).scaled(script.size * size)
    controller = make_controller(script.controller, character, world=script.world, **script.options)
    frames = script.frames(controller.frame_rate)
    ride = list(states(controller, Follower(script, controller), seed=script.seed, frames=frames))
    return character, to_clip(ride, controller.frame_rate, f"{ride[0].gait} {path.stem}")


def save_ride(character: Character, ride: Clip, path: Path, progress: Callable[[int, int], None] | None = None) -> None:
    """Keep a ride at `path`: a picture, a GIF, or a motion file in metres, +Y up."""
    suffix = path.suffix.lower()
    if suffix == ".png":
        from canter.pictures import strobe

        strobe(character, ride).save(path)
    elif suffix == ".gif":
        from canter.pictures import animate

        animate(character, ride, path, progress=progress)
    else:
        from canter.formats import write
        from canter.motion import Asset

        motion = replace(ride.motion, skeleton=character.skeleton)
        write(Asset(character.skeleton, (motion,), character.skins, metres_per_unit=1.0), path)

"""`canter play`: the clip controller along a heading, kept as a clip, a picture or a motion file."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

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
    import numpy as np

    from canter.anatomy import Clip, Footfalls
    from canter.control import Command, states, to_motion

    if not 0 < seconds <= LONGEST:
        raise ValueError(f"seconds must be above 0 and at most {LONGEST:g}, not {seconds:g}")
    controller = character.controller("clip", clip=clip)
    own = controller.capabilities.speed_range[1] / 1.5 if speed is None else speed
    commands = [Command(speed=own, heading=math.radians(heading_deg))] * max(round(seconds * controller.frame_rate), 2)
    frames = list(states(controller, commands))
    motion = to_motion(frames, controller.frame_rate, f"{frames[0].gait} towards {heading_deg:g}°")
    speed = float(np.mean([state.speed for state in frames]))
    contacts = np.stack([state.contacts for state in frames])
    return Clip(motion, Footfalls(contacts, frames[0].gait, speed, False))


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

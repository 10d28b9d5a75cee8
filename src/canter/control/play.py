"""Rides by a script: played from its first cue to its end, and written as a picture or a motion file.

ride = ride_script(read_script("ride.toml"))
save_ride(ride.character, ride.clip("my ride"), Path("ride.glb"))
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from canter.anatomy import Character, Clip
from canter.control.clip import FASTEST
from canter.control.command import Command
from canter.control.contract import Controller
from canter.control.follow import Follower
from canter.control.registry import choose_controller, load
from canter.control.rollout import states, to_clip
from canter.control.script import Script
from canter.control.state import State
from canter.motion import Asset

MIN_FRAMES = 2
"""A motion file needs so many."""
MAX_LOOP_SECONDS = 600.0

Progress = Callable[[int, int], None]


class ScriptPlayer:
    """A Driver that plays a script to its end on a controller, and then raises StopIteration.

    `frames` is how many commands it gives; `commands` are those that it has given.
    """

    def __init__(self, script: Script, controller: Controller) -> None:
        self._follower = Follower(script, controller)
        self.frames = max(script.frames(controller.frame_rate), MIN_FRAMES)
        self.commands: list[Command] = []

    def __call__(self, state: State) -> Command:
        if len(self.commands) == self.frames:
            raise StopIteration
        self.commands.append(self._follower(state))
        return self.commands[-1]


@dataclass(frozen=True, eq=False)
class Ride:
    """A script that was played: the controller and its registered name, the command of every frame and the state that
    it led to. `reason` is why the controller is not the default one, where the script names none."""

    script: Script
    controller: Controller
    controller_name: str
    commands: tuple[Command, ...]
    states: tuple[State, ...]
    reason: str = ""

    @property
    def character(self) -> Character:
        return self.controller.character

    @property
    def frame_rate(self) -> float:
        return self.controller.frame_rate

    def clip(self, name: str = "ride") -> Clip:
        """The poses and contacts of all frames."""
        return to_clip(self.states, self.frame_rate, name)


def ride_script(
    script: Script,
    character: Character | None = None,
    *,
    size: float = 1.0,
    frame_rate: float | None = None,
    progress: Progress = lambda *_: None,
) -> Ride:
    """Play a script with its own character, or with the one given, at `size` times the script's size.

    Raises ValueError if a cue asks for an action or a style that the controller does not have.
    """
    options = dict(script.options) | ({} if frame_rate is None else {"frame_rate": frame_rate})
    animal = load(script.character) if character is None else character
    chosen = choose_controller(animal, script.controller, size=script.size * size, world=script.world, **options)
    player = ScriptPlayer(script, chosen.controller)
    ride = []
    for state in states(chosen.controller, player, seed=script.seed, frames=player.frames):
        ride.append(state)
        progress(len(ride), player.frames)
    return Ride(script, chosen.controller, chosen.name, tuple(player.commands), tuple(ride), chosen.reason)


def play_loop(
    character: Character,
    clip: str | None = None,
    speed: float | None = None,
    heading_deg: float = 0.0,
    seconds: float = 6.0,
) -> Clip:
    """One loop of a character, the first that travels if none is named, along a heading at a speed in m/s (its own if
    none is given), as a clip."""
    if not 0 < seconds <= MAX_LOOP_SECONDS:
        raise ValueError(f"seconds must be above 0 and at most {MAX_LOOP_SECONDS:g}, not {seconds:g}")
    controller = character.controller("clip", clip=clip)
    own = controller.capabilities.speed_range[1] / FASTEST
    command = Command(speed=own if speed is None else speed, heading=math.radians(heading_deg))
    commands = [command] * max(round(seconds * controller.frame_rate), MIN_FRAMES)
    ride = list(states(controller, commands))
    return to_clip(ride, controller.frame_rate, f"{ride[0].gait} towards {heading_deg:g}°")


def save_ride(character: Character, ride: Clip, path: Path, progress: Progress | None = None) -> None:
    """Write a ride as a picture (.png), a GIF, or a motion file in metres, +Y up, by the suffix of `path`."""
    suffix = path.suffix.lower()
    if suffix == ".png":
        from canter.pictures import strobe

        strobe(character, ride).save(path)
    elif suffix == ".gif":
        from canter.pictures import animate

        animate(character, ride, path, progress=progress)
    else:
        from canter.formats import write

        motion = replace(ride.motion, skeleton=character.skeleton)
        write(Asset(character.skeleton, (motion,), character.skins, metres_per_unit=1.0), path)

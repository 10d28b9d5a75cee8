"""Rides that are kept while they are ridden, and written as a motion file, a moving picture or a script.

A recording begins with the actors at their start, so that its script replays to the same frames.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from canter.anatomy import Character, Clip, Footfalls
from canter.anatomy.character_file import SUFFIX, save_character
from canter.control.command import Command
from canter.control.ride import format_script
from canter.control.script import record
from canter.control.state import State
from canter.control.world import World
from canter.motion import Asset, Motion
from canter.studio.library import UPLOADED
from canter.studio.limits import Limits, Refused
from canter.studio.messages import Casting

KINDS = {
    "glb": "model/gltf-binary",
    "bvh": "text/plain; charset=utf-8",
    "gif": "image/gif",
    "toml": "application/toml; charset=utf-8",
}
LONGEST_DRAWING = 180.0
"""Seconds that a moving picture may take."""
OVERHEAD = 400
"""Bytes that a kept frame costs besides its numbers."""


class Budget:
    """Bytes that all recordings share."""

    def __init__(self, most: int) -> None:
        self._left, self._lock = most, threading.Lock()

    def take(self, count: int) -> bool:
        with self._lock:
            if count > self._left:
                return False
            self._left -= count
            return True

    def give(self, count: int) -> None:
        with self._lock:
            self._left += count


@dataclass(eq=False)
class Track:
    """One actor's ride: what was commanded and what came of it, frame by frame."""

    casting: Casting
    character: Character
    controller: str
    frame_rate: float
    world: World
    ground: World
    """The stage's world; its script can only tell this one."""
    seed: int = 0
    options: Mapping[str, str | float | bool] = field(default_factory=dict)
    commands: list[Command] = field(default_factory=list)
    positions: list[Any] = field(default_factory=list)
    rotations: list[Any] = field(default_factory=list)
    contacts: list[Any] = field(default_factory=list)
    speeds: list[float] = field(default_factory=list)
    gaits: list[str] = field(default_factory=list)

    def keep(self, command: Command, state: State) -> None:
        self.commands.append(command)
        self.positions.append(np.array(state.pose.positions, np.float32))
        self.rotations.append(np.array(state.pose.rotations, np.float32))
        self.contacts.append(np.array(state.contacts))
        self.speeds.append(state.speed)
        self.gaits.append(state.gait)

    @property
    def frame_bytes(self) -> int:
        return OVERHEAD + 28 * len(self.character.skeleton)


class Recording:
    """The rides of all actors of a stage."""

    def __init__(self, tracks: Mapping[int, Track], budget: Budget, limits: Limits) -> None:
        self.tracks, self._budget, self._limits = dict(tracks), budget, limits
        self._a_frame = sum(track.frame_bytes for track in tracks.values())
        self._taken, self.seconds = 0, 0.0

    def room(self, seconds: float) -> bool:
        """Whether one more frame may be kept; if so, it is paid for."""
        if self.seconds + seconds > self._limits.recording_seconds or not self._budget.take(self._a_frame):
            return False
        self._taken += self._a_frame
        self.seconds += seconds
        return True

    def forget(self) -> None:
        """Gives its room back; nobody can download it any more."""
        self._budget.give(self._taken)
        self._taken, self.tracks = 0, {}


def written(track: Track, kind: str, limits: Limits) -> bytes:
    """The ride as a file of that kind. Takes a while: call it in a thread."""
    if not track.commands:
        raise Refused("nothing was recorded")
    if kind == "toml":
        return script_of(track).encode()
    frames = len(track.positions)
    if kind == "gif":
        frames = min(frames, round(limits.gif_seconds * track.frame_rate))
    clip = _clip(track, frames)
    with tempfile.TemporaryDirectory(prefix="canter-ride-") as folder:
        path = Path(folder) / f"ride.{kind}"
        if kind == "gif":
            _draw(replace(track.character, clips=(clip,), actions=()), Path(folder))
        else:
            from canter.formats import write

            skins = track.character.skins if kind == "glb" else ()
            write(Asset(track.character.skeleton, (clip.motion,), skins, metres_per_unit=1.0), path)
        return path.read_bytes()


def _draw(character: Character, folder: Path) -> None:
    """Draws the only clip of a character, in a process of its own: many pictures would make a stage stumble."""
    save_character(character, folder / "ride.canter")
    command = [sys.executable, "-P", "-m", "canter.studio.worker", "draw"]
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, timeout=LONGEST_DRAWING)
    if done.returncode:
        raise Refused("the pictures could not be drawn")


def script_of(track: Track) -> str:
    """The ride as the text of a script that replays it frame by frame."""
    if track.world != track.ground and not _alike(track.world, track.ground):
        raise Refused("this actor went beside the middle of uneven ground, which a script cannot tell; record it alone")
    casting = track.casting
    animal = f"{track.character.name}{SUFFIX}" if casting.animal.startswith(UPLOADED) else casting.animal
    head = f"# canter synth {shlex.quote(animal)} --script ride.toml -o ride.glb\n"
    more = {"size": casting.size, "world": track.ground, "seed": track.seed, "options": track.options}
    ride = record(track.commands, track.frame_rate, animal, track.controller, **more)
    return head + format_script(ride)


def _alike(one: World, other: World) -> bool:
    """Whether two worlds have the same ground, as a slope has that is seen from beside."""
    grid = np.random.default_rng(0).uniform(-50, 50, (256, 2))
    return bool(np.array_equal(one.height(grid), other.height(grid)))


def _clip(track: Track, frames: int) -> Clip:
    motion = Motion(
        track.character.skeleton,
        track.frame_rate,
        np.stack(track.positions[:frames]),
        np.stack(track.rotations[:frames]),
        "ride",
    )
    speed = float(np.mean(track.speeds[:frames]))
    gaits = track.gaits[:frames]
    most = max(set(gaits), key=gaits.count)
    footfalls = Footfalls(np.stack(track.contacts[:frames]), most, speed, False)
    return Clip(motion, footfalls)

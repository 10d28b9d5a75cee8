"""Recordings of rides, and their export as a motion file, a GIF or a script.

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
from canter.studio.kept import UPLOAD_PREFIX
from canter.studio.limits import Limits, Refused
from canter.studio.messages import ActorSpec

KINDS = {
    "glb": "model/gltf-binary",
    "bvh": "text/plain; charset=utf-8",
    "gif": "image/gif",
    "toml": "application/toml; charset=utf-8",
}
MAX_DRAWING_SECONDS = 180.0
"""How long drawing a GIF may take."""
FRAME_OVERHEAD_BYTES = 400
"""Memory of one recorded frame besides the numbers of its pose."""
DISTURBANCE_BYTES = 1000
"""Memory of one push, throw or change of the ground in a recorded command."""


class Budget:
    """The memory in bytes that all recordings share."""

    def __init__(self, total: int) -> None:
        self._free, self._lock = total, threading.Lock()

    def reserve(self, count: int) -> bool:
        """Takes `count` bytes, or returns False if so many are not free."""
        with self._lock:
            if count > self._free:
                return False
            self._free -= count
            return True

    def release(self, count: int) -> None:
        with self._lock:
            self._free += count


@dataclass(eq=False)
class Track:
    """The ride of one actor: commands and resulting states, frame by frame."""

    spec: ActorSpec
    character: Character
    controller: str
    frame_rate: float
    world: World
    stage_world: World
    """The world of the stage, with its own origin; a script can only have this one."""
    seed: int = 0
    options: Mapping[str, str | float | bool] = field(default_factory=dict)
    commands: list[Command] = field(default_factory=list)
    positions: list[Any] = field(default_factory=list)
    rotations: list[Any] = field(default_factory=list)
    contacts: list[Any] = field(default_factory=list)
    speeds: list[float] = field(default_factory=list)
    gaits: list[str] = field(default_factory=list)

    def append(self, command: Command, state: State) -> None:
        self.commands.append(command)
        self.positions.append(np.array(state.pose.positions, np.float32))
        self.rotations.append(np.array(state.pose.rotations, np.float32))
        self.contacts.append(np.array(state.contacts))
        self.speeds.append(state.speed)
        self.gaits.append(state.gait)

    @property
    def frame_bytes(self) -> int:
        return FRAME_OVERHEAD_BYTES + 28 * len(self.character.skeleton)


class Recording:
    """The rides of all actors of a stage."""

    def __init__(self, tracks: Mapping[int, Track], budget: Budget, limits: Limits) -> None:
        self.tracks, self._budget, self._limits = dict(tracks), budget, limits
        self._frame_bytes = sum(track.frame_bytes for track in tracks.values())
        self._reserved, self.seconds = 0, 0.0

    def reserve_frame(self, seconds: float, disturbances: int = 0) -> bool:
        """Reserves memory for one more frame of this length; False if a limit is reached."""
        count = self._frame_bytes + DISTURBANCE_BYTES * disturbances
        if self.seconds + seconds > self._limits.recording_seconds or not self._budget.reserve(count):
            return False
        self._reserved += count
        self.seconds += seconds
        return True

    def discard(self) -> None:
        """Releases the memory; the recording can no longer be downloaded."""
        self._budget.release(self._reserved)
        self._reserved, self.tracks = 0, {}


def export_ride(track: Track, kind: str, limits: Limits) -> bytes:
    """The ride as a file of that kind. Slow: call it in a thread."""
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
    """Draws the only clip of a character as a GIF, in a process of its own so that stages keep their frame rate."""
    save_character(character, folder / "ride.canter")
    command = [sys.executable, "-P", "-m", "canter.studio.worker", "draw"]
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, timeout=MAX_DRAWING_SECONDS)
    if done.returncode:
        raise Refused("the pictures could not be drawn")


def script_of(track: Track) -> str:
    """The ride as a script that replays to the same frames."""
    if track.world != track.stage_world and not _same_ground(track.world, track.stage_world):
        raise Refused("this actor went beside the middle of uneven ground, which a script cannot tell; record it alone")
    spec = track.spec
    animal = f"{track.character.name}{SUFFIX}" if spec.animal.startswith(UPLOAD_PREFIX) else spec.animal
    head = f"# canter synth {shlex.quote(animal)} --script ride.toml -o ride.glb\n"
    more = {"size": spec.size, "world": track.stage_world, "seed": track.seed, "options": track.options}
    ride = record(track.commands, track.frame_rate, animal, track.controller, **more)
    return head + format_script(ride)


def _same_ground(one: World, other: World) -> bool:
    """Whether two worlds have equal heights, as a slope has that is shifted along its contour lines."""
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
    most_frequent = max(set(gaits), key=gaits.count)
    footfalls = Footfalls(np.stack(track.contacts[:frames]), most_frequent, speed, False)
    return Clip(motion, footfalls)

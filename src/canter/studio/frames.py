"""Frames as bytes, laid out as docs/studio_wire.md has it: one message a frame, whatever the number of viewers."""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from canter.control.state import State
from canter.motion.arrays import Floats, Ints

MAGIC, VERSION = 0x544E4143, 1
PAUSED, RECORDING = 1, 2
HEADER = struct.Struct("<4Id2I")
ACTOR = struct.Struct("<6I")
FIGURES, SAMPLES = 16, 12


@dataclass(frozen=True)
class Told:
    """What the stage knows of a frame besides the state: what was commanded, what it cost, how well it was kept."""

    speed: float = 0.0
    heading: float = 0.0
    milliseconds: float = 0.0
    skating: float = 0.0
    speed_off: float = 0.0
    heading_off: float = 0.0


def pack_frame(frame: int, seconds: float, flags: int, actors: Sequence[bytes]) -> bytes:
    """One message: the header, and the actors one after the other."""
    return b"".join((HEADER.pack(MAGIC, VERSION, frame, len(actors), seconds, flags, 0), *actors))


def pack_actor(number: int, state: State, gait: int, told: Told, offset: Floats, roots: Ints) -> bytes:
    """One actor, moved by `offset (3,)` to its place on the stage; `roots` are the joints that hang on nothing."""
    telemetry, pose = state.telemetry, state.pose
    joints, legs = len(pose.positions), len(state.contacts)
    experts = np.asarray(telemetry.get("expert", ()), np.float32).reshape(-1)
    positions = np.array(pose.positions, np.float32)
    positions[roots] += offset
    path = np.empty((SAMPLES, 4), np.float32)
    path[:, :3] = state.trajectory.positions[:SAMPLES] + offset
    path[:, 3] = state.trajectory.facings[:SAMPLES]
    transition = telemetry.get("transition")
    figures = np.array(
        [
            *(state.place + offset).tolist(),
            state.facing,
            *state.velocity_world.tolist(),
            told.speed,
            told.heading,
            math.nan if transition is None else transition,
            told.milliseconds,
            told.skating,
            told.speed_off,
            told.heading_off,
            0.0,
            0.0,
        ],
        np.float32,
    )
    contacts = sum(1 << leg for leg, down in enumerate(state.contacts.tolist()) if down)
    return b"".join(
        (
            ACTOR.pack(number, joints, legs, len(experts), gait, contacts),
            figures.tobytes(),
            path.tobytes(),
            (_told(telemetry.get("foothold"), (legs, 3)) + offset).astype(np.float32).tobytes(),
            _told(telemetry.get("leg_phase"), (legs,)).tobytes(),
            experts.tobytes(),
            positions.tobytes(),
            np.asarray(pose.rotations, np.float32).tobytes(),
        )
    )


def _told(value: Floats | None, shape: tuple[int, ...]) -> Floats:
    """As float32, or NaN where the controller does not tell it."""
    return np.full(shape, np.nan, np.float32) if value is None else np.asarray(value, np.float32).reshape(shape)

"""Frames as bytes, in the layout of docs/studio_wire.md: one message a frame, the same for all viewers."""

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
TRAJECTORY_SAMPLES = 12


@dataclass(frozen=True)
class FrameMetrics:
    """What a stage measures in a frame besides the State: the command, the cost, and how closely it was followed."""

    commanded_speed: float = 0.0
    commanded_heading: float = 0.0
    milliseconds: float = 0.0
    """CPU time of the controller's step."""
    skating: float = 0.0
    """Mean of all feet, in cm a frame."""
    speed_error: float = 0.0
    """Speed less the commanded one, in m/s."""
    heading_error: float = 0.0
    """Direction of travel less the commanded heading, in radians from -π to π."""


def pack_frame(frame: int, seconds: float, flags: int, actors: Sequence[bytes]) -> bytes:
    """One message: the header, then the actors one after the other."""
    return b"".join((HEADER.pack(MAGIC, VERSION, frame, len(actors), seconds, flags, 0), *actors))


def pack_actor(number: int, state: State, gait: int, metrics: FrameMetrics, offset: Floats, roots: Ints) -> bytes:
    """One actor, moved by `offset (3,)` to its place on the stage; `roots` are the joints without a parent."""
    telemetry, pose = state.telemetry, state.pose
    joints, legs = len(pose.positions), len(state.contacts)
    experts = np.asarray(telemetry.get("expert", ()), np.float32).reshape(-1)
    positions = np.array(pose.positions, np.float32)
    positions[roots] += offset
    trajectory = np.empty((TRAJECTORY_SAMPLES, 4), np.float32)
    trajectory[:, :3] = state.trajectory.positions[:TRAJECTORY_SAMPLES] + offset
    trajectory[:, 3] = state.trajectory.facings[:TRAJECTORY_SAMPLES]
    transition = telemetry.get("transition")
    scalars = np.array(
        [
            *(state.place + offset).tolist(),
            state.facing,
            *state.velocity_world.tolist(),
            metrics.commanded_speed,
            metrics.commanded_heading,
            math.nan if transition is None else transition,
            metrics.milliseconds,
            metrics.skating,
            metrics.speed_error,
            metrics.heading_error,
            0.0,
            0.0,
        ],
        np.float32,
    )
    contacts = sum(1 << leg for leg, down in enumerate(state.contacts.tolist()) if down)
    return b"".join(
        (
            ACTOR.pack(number, joints, legs, len(experts), gait, contacts),
            scalars.tobytes(),
            trajectory.tobytes(),
            (_or_nan(telemetry.get("foothold"), (legs, 3)) + offset).astype(np.float32).tobytes(),
            _or_nan(telemetry.get("leg_phase"), (legs,)).tobytes(),
            experts.tobytes(),
            positions.tobytes(),
            np.asarray(pose.rotations, np.float32).tobytes(),
        )
    )


def _or_nan(value: Floats | None, shape: tuple[int, ...]) -> Floats:
    """Telemetry as float32, or NaN where the controller does not report it."""
    return np.full(shape, np.nan, np.float32) if value is None else np.asarray(value, np.float32).reshape(shape)

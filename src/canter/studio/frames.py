"""Frames as bytes, in the layout of docs/studio_wire.md: one message a frame, the same for all viewers."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from canter.control.state import Prop, State
from canter.motion.arrays import Floats, Ints

MAGIC, VERSION = 0x544E4143, 2
PAUSED, RECORDING = 1, 2
HEADER = struct.Struct("<4Id2I")
ACTOR = struct.Struct("<8I")
PROP = struct.Struct("<2I10f")
TRAJECTORY_SAMPLES = 12
SHAPES = ("box", "sphere", "capsule", "cylinder", "plane")
"""Shapes of props, which frames name by place; a prop of another shape is not sent."""
MAX_PROPS = 64
"""Of one actor in one frame; the others are not sent."""


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


def pack_actor(
    number: int, state: State, names: Callable[[str], int], metrics: FrameMetrics, offset: Floats, roots: Ints
) -> bytes:
    """One actor, moved by `offset (3,)` to its place on the stage; `names` gives the index of the name of a gait or a
    prop, `roots` are the joints without a parent."""
    telemetry, pose = state.telemetry, state.pose
    joints, legs = len(pose.positions), len(state.contacts)
    experts = np.asarray(telemetry.get("expert", ()), np.float32).reshape(-1)
    forces = np.asarray(telemetry.get("contact_force", ()), np.float32).reshape(-1, 3)
    props = _pack_props(state.props, names, offset)
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
            ACTOR.pack(
                number, joints, legs, len(experts), names(state.gait), contacts, len(forces), len(props) // PROP.size
            ),
            scalars.tobytes(),
            trajectory.tobytes(),
            (_or_nan(telemetry.get("foothold"), (legs, 3)) + offset).astype(np.float32).tobytes(),
            _or_nan(telemetry.get("leg_phase"), (legs,)).tobytes(),
            experts.tobytes(),
            forces.tobytes(),
            positions.tobytes(),
            np.asarray(pose.rotations, np.float32).tobytes(),
            props,
        )
    )


def _pack_props(props: Sequence[Prop], names: Callable[[str], int], offset: Floats) -> bytes:
    """Things around an actor one after the other; those that are nowhere, or of no known shape, are left out."""
    shown = [prop for prop in props if prop.shape in SHAPES and np.isfinite(prop.position).all()][:MAX_PROPS]
    return b"".join(
        PROP.pack(
            names(prop.name),
            SHAPES.index(prop.shape),
            *(*prop.size, 0.0, 0.0, 0.0)[:3],
            *(prop.position + offset).tolist(),
            *prop.rotation.tolist(),
        )
        for prop in shown
    )


def _or_nan(value: Floats | None, shape: tuple[int, ...]) -> Floats:
    """Telemetry as float32, or NaN where the controller does not report it."""
    return np.full(shape, np.nan, np.float32) if value is None else np.asarray(value, np.float32).reshape(shape)

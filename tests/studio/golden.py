"""What both ends of the wire are held to: a frame as the server packs it with what the page must read in it, and
heights of terrains. `python -m tests.studio.golden` writes web/src/golden.json, which the page's own tests read, anew.
"""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import numpy as np

from canter.control.state import Prop, State, Trajectory
from canter.control.world import World
from canter.motion import Pose, Skeleton
from canter.pictures.palette import GAITS, LEGS, Color
from canter.studio.corrections import MAX_LABEL_LENGTH
from canter.studio.frames import PAUSED, RECORDING, FrameMetrics, pack_actor, pack_frame
from canter.studio.limits import Limits
from canter.studio.stage import terrain_waves

PATH = Path(__file__).parents[2] / "web" / "src" / "golden.json"
WORLDS = (
    World.flat(tilt=(0.05, -0.1)),
    World.slope(0.2, 1.0),
    World.rolling(0.4, 3.0, 5, tilt=(0.0, 0.05)),
    World.steps(0.12, 0.5, 3),
)
NAMES = ("stand", "walk", "crate", "trot", "ground")
"""Names of gaits and props, by which frames have their places."""


def golden() -> dict[str, Any]:
    return {
        "frame": _frame(),
        "terrains": [_terrain(world) for world in WORLDS],
        "path_points": Limits().path_points,
        "colours": {"legs": _hex(LEGS), "gaits": _hex(GAITS)},
        "max_label_length": MAX_LABEL_LENGTH,
    }


def _hex(colours: dict[str, Color]) -> dict[str, str]:
    return {name: "#{:02x}{:02x}{:02x}".format(*colour) for name, colour in colours.items()}


def _eighths(start: int, *shape: int) -> np.ndarray:
    """Numbers that float32 and JSON both have exactly."""
    return (start + np.arange(np.prod(shape, dtype=int), dtype=np.float32).reshape(shape)) / 8


def _state(start: int, joints: int, legs: int, gait: str, props: tuple[Prop, ...] = (), **telemetry: Any) -> State:
    skeleton = Skeleton.make([f"joint {k}" for k in range(joints)], np.arange(joints) - 1, np.zeros((joints, 3)))
    times, still = (np.arange(12) - 6) / 6, np.zeros((12, 3))
    return State(
        pose=Pose(skeleton, _eighths(start, joints, 3), _eighths(start + 1, joints, 4)),
        contacts=np.arange(legs) % 2 == 0,
        gait=gait,
        velocity_world=_eighths(start + 2, 3),
        facing=start / 16,
        trajectory=Trajectory(times, _eighths(start + 3, 12, 3), _eighths(start + 4, 12), still),
        props=props,
        telemetry=telemetry,
    )


PROPS = (
    Prop("crate", "box", (0.25, 0.5, 0.75), _eighths(1, 3), _eighths(2, 4)),
    Prop("nowhere", "box", (1.0, 1.0, 1.0), np.full(3, np.nan), _eighths(0, 4)),
    Prop("crate", "sphere", (0.125,), _eighths(3, 3), _eighths(4, 4)),
    Prop("crate", "teapot", (1.0, 1.0, 1.0), _eighths(0, 3), _eighths(0, 4)),
    Prop("ground", "plane", (), np.zeros(3), _eighths(5, 4)),
)
"""Props that are sent, and two that are not."""


def _frame() -> dict[str, Any]:
    """Two actors: one beside the origin without any telemetry, and one with all of it."""
    plain = _state(10, joints=3, legs=2, gait="trot", props=PROPS[:1]), FrameMetrics(), np.array([-1.5, 0.0, 0.0])
    telemetry = {"expert": [0.25, 0.75], "transition": 0.5, "contact_force": _eighths(6, 4, 3)}
    feet = {"foothold": _eighths(5, 4, 3), "leg_phase": np.array([0.0, 0.25, np.nan, 0.75])}
    metrics = FrameMetrics(1.5, -0.25, 2.5, 0.125, -0.5, 0.75)
    full = _state(-20, joints=5, legs=4, gait="walk", props=PROPS, **telemetry, **feet), metrics, np.zeros(3)
    actors = ((0, plain), (7, full))
    packed = [pack_actor(who, state, NAMES.index, figures, at, np.array([0])) for who, (state, figures, at) in actors]
    return {
        "bytes": base64.b64encode(pack_frame(120, 2.0, PAUSED | RECORDING, packed)).decode(),
        "decoded": {
            "frame": 120,
            "time": 2.0,
            "paused": True,
            "recording": True,
            "actors": [_decoded(who, *actor) for who, actor in actors],
        },
    }


def _decoded(who: int, state: State, metrics: FrameMetrics, offset: np.ndarray) -> dict[str, Any]:
    """An actor with the names that web/src/wire.ts has; NaN is null."""
    legs, telemetry = len(state.contacts), state.telemetry
    positions = state.pose.positions.copy()
    positions[0] += offset
    nothing = np.full(3 * legs, np.nan)
    return {
        "id": who,
        "gait": NAMES.index(state.gait),
        "contacts": int(sum(2**leg for leg in np.flatnonzero(state.contacts))),
        "legs": legs,
        "place": _list(state.trajectory.positions[6] + offset),
        "facing": state.facing,
        "velocity": _list(state.velocity_world),
        "commandedSpeed": metrics.commanded_speed,
        "commandedHeading": metrics.commanded_heading,
        "transition": telemetry.get("transition"),
        "milliseconds": metrics.milliseconds,
        "skating": metrics.skating,
        "speedError": metrics.speed_error,
        "headingError": metrics.heading_error,
        "trajectory": _list(np.column_stack([state.trajectory.positions + offset, state.trajectory.facings])),
        "footholds": _list(telemetry.get("foothold", nothing)),
        "phases": _list(telemetry.get("leg_phase", nothing[:legs])),
        "experts": _list(telemetry.get("expert", ())),
        "forces": _list(telemetry.get("contact_force", ())),
        "positions": _list(positions),
        "rotations": _list(state.pose.rotations),
        "props": [_prop(prop, offset) for prop in state.props if prop.name != "nowhere" and prop.shape != "teapot"],
    }


def _prop(prop: Prop, offset: np.ndarray) -> dict[str, Any]:
    size = [*prop.size, 0.0, 0.0, 0.0][:3]
    return {
        "name": NAMES.index(prop.name),
        "shape": prop.shape,
        "size": size,
        "position": _list(prop.position + offset),
        "rotation": _list(prop.rotation),
    }


def _terrain(world: World) -> dict[str, Any]:
    """A terrain as a scene message has it, with heights and gradients at some places."""
    places = np.random.default_rng(0).uniform(-6, 6, (12, 2)).round(3)
    normals = world.normal(places)
    return {
        "terrain": world.to_table(),
        "waves": terrain_waves(world),
        "places": places.tolist(),
        "heights": world.height(places).tolist(),
        "gradients": (-normals[:, [0, 2]] / normals[:, 1:2]).tolist(),
    }


def _list(values: Any) -> list[float | None]:
    return [None if np.isnan(x) else float(x) for x in np.ravel(values)]


if __name__ == "__main__":
    PATH.write_text(json.dumps(golden()) + "\n", "utf-8")

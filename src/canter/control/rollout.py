"""Driving a controller without anybody watching: commands in, states or one Motion out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice, repeat

import numpy as np

from canter.anatomy import Clip, Footfalls
from canter.control.command import Command
from canter.control.contract import Controller
from canter.control.state import State
from canter.motion import Motion

Driver = Callable[[State], Command]
"""Looks at the last state and says the next command: a path follower, a navigator, a person."""


def states(
    controller: Controller, commands: Iterable[Command] | Driver, *, seed: int = 0, frames: int | None = None
) -> Iterator[State]:
    """One State for each command, after a reset; with a Driver, `frames` of them (or without end)."""
    state = controller.reset(seed)
    if callable(commands):
        driver: Driver = commands
        for _ in repeat(None) if frames is None else range(frames):
            state = controller.step(driver(state))
            yield state
    else:
        for command in islice(commands, frames):
            yield controller.step(command)


def to_motion(states: Iterable[State], frame_rate: float, name: str = "ride") -> Motion:
    """The poses of states as one clip."""
    poses = [state.pose for state in states]
    if not poses:
        raise ValueError("a motion needs at least one state; were there any commands?")
    positions, rotations = np.stack([p.positions for p in poses]), np.stack([p.rotations for p in poses])
    bad = ~(np.isfinite(positions).all(axis=(1, 2)) & np.isfinite(rotations).all(axis=(1, 2)))
    if bad.any():
        raise ValueError(f"the pose of frame {int(np.argmax(bad))} is not finite")
    return Motion(poses[0].skeleton, frame_rate, positions, rotations, name)


def to_clip(states: Sequence[State], frame_rate: float, name: str = "ride") -> Clip:
    """States as a clip that knows its contacts, and its gait where there is one only, for pictures and reports."""
    gaits = {state.gait for state in states}
    contacts = np.stack([state.contacts for state in states])
    speed = float(np.mean([state.speed for state in states]))
    return Clip(
        to_motion(states, frame_rate, name),
        Footfalls(contacts, gaits.pop() if len(gaits) == 1 else "unknown", speed, False),
    )


def rollout(
    controller: Controller,
    commands: Iterable[Command] | Driver,
    *,
    seed: int = 0,
    frames: int | None = None,
    name: str = "ride",
) -> Motion:
    """The motion that a controller makes of the commands: one frame for each, at the controller's frame rate."""
    if callable(commands) and frames is None:
        raise ValueError("a driver never ends by itself: say how many frames")
    return to_motion(states(controller, commands, seed=seed, frames=frames), controller.frame_rate, name)

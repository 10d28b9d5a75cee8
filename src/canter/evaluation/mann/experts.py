"""Figure 9 and Table 5: which experts a network uses for what, and what breaks when one is switched off."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from canter.anatomy import Character
from canter.control.batch import NO_ACTION, BatchCommand, BatchController, BatchState
from canter.evaluation.mann.hour import AIRBORNE_SECONDS, HOLD_RMS, Poses
from canter.evaluation.mann.measures import feet_and_legs, strides_in, travel_speed
from canter.evaluation.mann.rides import Ride, drive
from canter.motion.arrays import Floats

SETTLE_SECONDS, WATCH_SECONDS = 3.0, 5.0
MIN_SPEED, MIN_TURN, MIN_ACTIVITY, MAX_ACTIVITY = 0.7, 0.7, 0.6, 1.5
"""Shares of the speed, yaw rate and leg activity of the whole network below (or above) which something is broken."""
MIN_GAIT = 0.5
"""The same of the share of strides with the right gait."""
PROFILE_RATE = 20.0
"""Weights a second that are kept for the picture."""
PROFILE_SECONDS = 2.0


@dataclass(frozen=True)
class Task:
    """Something to do: a speed in m/s with the gait that it has in the data, a yaw rate in rad/s, or an action."""

    name: str
    speed: float
    gait: str = ""
    yaw_rate: float = 0.0
    action: str = ""


def tasks_of(paces: Mapping[str, float], turn: float, actions: Sequence[str]) -> list[Task]:
    """To stand, every pace (m/s by gait), turns to both sides at the slowest, and every action from there."""
    slow = next(iter(paces.values()))
    return [
        Task("stand", 0.0),
        *(Task(gait, speed, gait) for gait, speed in paces.items()),
        Task("turn left", slow, "", turn),
        Task("turn right", slow, "", -turn),
        *(Task(action, slow, action=action) for action in actions),
    ]


def perform(batch: BatchController, tasks: Sequence[Task]) -> list[Ride]:
    """Rides of all tasks after they have settled; an action is told when they have."""
    rate, can = batch.frame_rate, batch.capabilities
    speed, yaw_rate = (np.array([getattr(task, name) for task in tasks]) for name in ("speed", "yaw_rate"))
    numbers = np.array([can.actions.index(t.action) if t.action in can.actions else NO_ACTION for t in tasks])
    first = round(SETTLE_SECONDS * rate)

    def told(frame: int, _: BatchState) -> BatchCommand:
        action = numbers if frame >= first else np.full(len(tasks), NO_ACTION)
        return BatchCommand.make(speed, yaw_rate * frame / rate, action=action)

    return drive(batch, told, first + round(WATCH_SECONDS * rate), first)


def activations(tasks: Sequence[Task], rides: Sequence[Ride]) -> dict[str, Any]:
    """By task: the mean weight of every expert `(K,)`, how much each varies (deviation), and two seconds of them
    `(T, K)` for the picture (Figure 9)."""
    found = {}
    for task, ride in zip(tasks, rides, strict=True):
        weights = ride.experts
        rate = ride.motion.frame_rate
        step = max(round(rate / PROFILE_RATE), 1)
        profile = weights[: round(PROFILE_SECONDS * rate) : step]
        found[task.name] = {
            "mean": weights.mean(axis=0).tolist(),
            "deviation": weights.std(axis=0).tolist(),
            "profile": [[round(float(x), 3) for x in row] for row in profile],
        }
    return found


def outcome(
    task: Task, ride: Ride, character: Character, ground: Floats, poses: Poses, jumps: Sequence[str]
) -> dict[str, Any]:
    """What came of a task: speed in m/s, yaw rate in rad/s, leg activity in degrees a frame, share of strides with the
    gait of the data, and whether an action was reached."""
    if not ride.finite:
        return {"finite": False}
    found: dict[str, Any] = {
        "finite": True,
        "speed": travel_speed(ride),
        "yaw_rate": float(np.unwrap(ride.facing)[-1] - ride.facing[0]) / ride.motion.seconds,
        "activity": feet_and_legs(ride.motion, character.anatomy, ground)["activity"],
    }
    if task.gait:
        names = [stride.gait for stride in strides_in(ride.motion, character.anatomy)]
        found["gait"] = names.count(task.gait) / len(names) if names else 0.0
    if task.action in jumps:
        off = ~ride.contacts.any(axis=1)
        width = max(round(AIRBORNE_SECONDS * ride.motion.frame_rate), 1)
        found["done"] = bool((np.convolve(off, np.ones(width), "valid") > width - 0.5).any())
    elif task.action in poses.held:
        gap = poses.distance(poses.of(ride.motion, character)[-1:], poses.held[task.action])
        found["done"] = bool(gap[0] < HOLD_RMS * character.anatomy.hip_height)
    return found


def broken(task: Task, whole: Mapping[str, Any], part: Mapping[str, Any]) -> str:
    """What is wrong with a task without an expert, compared with the whole network; "" if nothing is."""
    if not part["finite"]:
        return "no numbers"
    if task.action:
        return f"no {task.action}" if whole.get("done") and not part.get("done") else ""
    wrong = []
    if task.speed > 0 and part["speed"] < MIN_SPEED * whole["speed"]:
        wrong.append(f"{100 * part['speed'] / max(whole['speed'], 1e-9):.0f} % of the speed")
    if task.yaw_rate and part["yaw_rate"] / whole["yaw_rate"] < MIN_TURN:
        wrong.append(f"{100 * part['yaw_rate'] / whole['yaw_rate']:.0f} % of the turn")
    if task.gait and part["gait"] < MIN_GAIT * whole["gait"]:
        wrong.append(f"{100 * part['gait']:.0f} % of strides instead of {100 * whole['gait']:.0f} %")
    activity = part["activity"] / max(whole["activity"], 1e-9)
    if task.speed > 0 and not MIN_ACTIVITY < activity < MAX_ACTIVITY:
        wrong.append(f"{100 * activity:.0f} % of the leg activity")
    return ", ".join(wrong)

"""A ride in figures: how far and how fast it went against what was commanded, what the feet did, gaits and events."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from itertools import groupby, pairwise
from typing import Any

import numpy as np

from canter.control.command import Command
from canter.control.play import Ride
from canter.control.script import Script
from canter.control.state import State
from canter.motion.arrays import Floats
from canter.motion.metrics import foot_skating, ground_penetration, stance_slip


def ride_figures(ride: Ride) -> dict[str, Any]:
    """Distance, speeds, what the feet do, gaits and events as plain values; metres, seconds, feet in centimetres."""
    script, commands, states, clip, rate = ride.script, ride.commands, ride.states, ride.clip(), ride.frame_rate
    feet = clip.motion.position_world[:, ride.character.anatomy.feet].astype(np.float64)
    ground = script.world.height(feet[..., [0, 2]])
    above = feet - np.stack([np.zeros_like(ground), ground, np.zeros_like(ground)], axis=-1)
    steps = _steps(states)
    slip, sunk = stance_slip(feet, clip.footfalls.contacts), ground_penetration(feet, ground)
    return {
        "controller": ride.controller_name,
        "seconds": len(states) / rate,
        "distance": float(steps.sum()),
        "speed": float(steps.sum()) * rate / len(states),
        "slip_cm": {"mean": _known(slip.mean), "largest": _known(slip.max)},
        "penetration_cm": {"mean": sunk.mean, "deepest": sunk.max},
        "skating_cm": float(np.mean(foot_skating(above, rate))),
        "sections": _sections(script, rate, commands, states, steps),
        "gaits": _gaits(states, rate),
        "events": _events(states, rate),
    }


def _steps(states: Sequence[State]) -> Floats:
    """Metres over ground in each frame `(T,)`."""
    places = np.stack([state.place for state in states])[:, [0, 2]]
    steps: Floats = np.linalg.norm(np.diff(places, axis=0, prepend=np.zeros((1, 2))), axis=-1)
    return steps


def _sections(
    script: Script, rate: float, commands: Sequence[Command], states: Sequence[State], steps: Floats
) -> list[dict[str, Any]]:
    """What was commanded between cues and what came of it; the speed is that of the last two thirds."""
    borders = sorted({0, len(states), *(math.ceil(cue.time * rate - 1e-6) for cue in script.cues)})
    borders = [frame for frame in borders if frame <= len(states)]
    result = []
    for first, last in pairwise(borders):
        settled = first + (last - first) // 3
        commanded = [command.speed for command in commands[settled:last]]
        result.append(
            {
                "start": first / rate,
                "seconds": (last - first) / rate,
                "commanded": float(np.mean(commanded)),
                "speed": float(np.mean(steps[settled:last])) * rate,
                "action": commands[first].action,
                "gaits": list(_gaits(states[first:last], rate)),
            }
        )
    return result


def _gaits(states: Sequence[State], rate: float) -> dict[str, float]:
    """Seconds in each gait and action, in order of appearance."""
    return {gait: frames / rate for gait, frames in Counter(state.gait for state in states).items()}


def _events(states: Sequence[State], rate: float) -> list[dict[str, Any]]:
    """Each event with the time when it began; one that is reported frame after frame counts once."""
    found = []
    for name in sorted({event for state in states for event in state.events}):
        runs = groupby(enumerate(states), key=lambda item: name in item[1].events)
        found += [{"event": name, "time": next(run)[0] / rate} for happens, run in runs if happens]
    return sorted(found, key=lambda event: event["time"])


def _known(x: float) -> float | None:
    return x if math.isfinite(x) else None

"""Actions of the shipped animals compared with postures, durations and jumps of a captured dog."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from canter.animals.animal import Animal
from canter.animals.generator.actions import Action
from canter.evaluation.animals.figures import trunk_point
from canter.evaluation.animals.limits import GRAVITY_TOLERANCE, MAX_PENETRATION_CM, MAX_STANCE_SLIP_CM
from canter.evaluation.report import Row, at_most, within
from canter.motion.arrays import Bools, Floats
from canter.motion.constants import GRAVITY
from canter.motion.metrics import ground_penetration, stance_slip

STANDING = {"root": 0.47, "withers": 0.41, "pitch": -9.0}
"""The captured dog standing: heights in metres, pitch of the trunk in degrees."""
HIP_HEIGHT_M = 0.38
"""Its hip height."""
POSTURES: dict[str, dict[str, tuple[float, float]]] = {
    "sit": {"root": (0.08, 0.12), "withers": (0.33, 0.35), "pitch": (35, 43)},
    "lie": {"root": (0.14, 0.18), "withers": (0.13, 0.15), "pitch": (-7, 2)},
}
"""10th and 90th percentiles of its postures, in the same units."""
TRANSITION_SECONDS: dict[str, tuple[tuple[float, float], tuple[float, float]]] = {
    "sit": ((0.42, 0.72), (0.40, 0.68)),
    "lie": ((0.61, 0.85), (0.39, 0.85)),
}
"""Seconds from 10 to 90 % of the way down, and of the way up."""
JUMP: dict[str, tuple[float, float, str]] = {
    "airtime": (0.33, 0.37, "s"),
    "rise of the body": (0.13, 0.14, "m"),
    "travel in the air": (0.72, 0.98, "m"),
}
"""Smallest and largest of four jumps."""
TOLERANCE = 0.1
"""The relative distance allowed outside the few measured jumps and postures."""


def action_rows(animal: Animal) -> Iterator[Row]:
    """Every action of an animal: slip, penetration and free fall; those of the dog also against the measured dog."""
    for action in animal.actions:
        title = f"{animal.name} {action.name}"
        if animal.name == "dog":
            yield from _posture_rows(title, animal, action)
        feet = _places(action)[:, animal.anatomy.feet]
        yield at_most(f"{title}: stance slip", stance_slip(feet, action.contacts).max, MAX_STANCE_SLIP_CM, "cm")
        deepest = ground_penetration(_places(action)).max
        yield at_most(f"{title}: penetration", deepest, MAX_PENETRATION_CM, "cm")
        flight = np.asarray(~action.contacts.any(axis=1))
        if flight.sum() > 4:
            yield from _flight_rows(title, animal, action, flight)


def _places(action: Action) -> Floats:
    return action.motion.position_world.astype(np.float64)


def _heights(animal: Animal, places: Floats) -> dict[str, Floats]:
    """Heights of the pelvis and of the tops of the scapulae, and the pitch of the line between them, in degrees."""
    root, withers = (trunk_point(animal.anatomy, places, part) for part in ("hips", "withers"))
    line = withers - root
    return {"root": root[:, 1], "withers": withers[:, 1], "pitch": np.degrees(np.arctan2(line[:, 1], line[:, 2]))}


def _posture_rows(title: str, animal: Animal, action: Action) -> Iterator[Row]:
    """Heights and pitch of the held posture relative to standing, and the times of the transitions."""
    if action.name not in POSTURES or action.hold is None:
        return
    found, (first, last) = _heights(animal, _places(action)), action.hold
    for part, (low, high) in POSTURES[action.name].items():
        held = float(found[part][first:last].mean())
        if part == "pitch":
            apart = held - found[part][0]
            low, high = low - STANDING[part] - 5, high - STANDING[part] + 5
            yield within(f"{title}: trunk pitch relative to standing", apart, low, high, "°")
        else:
            low, high = (round(x / STANDING[part], 3) for x in (low / (1 + TOLERANCE), high * (1 + TOLERANCE)))
            yield within(f"{title}: {part} height / standing", held / found[part][0], low, high)
    down, up = found["root"][: first + 1], found["root"][last:]
    for name, curve, band in zip(("down", "up"), (down, up), TRANSITION_SECONDS[action.name], strict=True):
        yield within(
            f"{title}: 10 to 90 % transition, {name}", _transition(curve, action.motion.frame_rate), *band, "s"
        )


def _transition(curve: Floats, rate: float) -> float:
    """Seconds from 10 to 90 % of the way from the first value of a curve `(T,)` to its last."""
    share = (curve - curve[0]) / (curve[-1] - curve[0])
    return float(np.argmax(share > 0.9) - np.argmax(share > 0.1)) / rate


def _flight_rows(title: str, animal: Animal, action: Action, flight: Bools) -> Iterator[Row]:
    """Vertical acceleration in flight; and of the dog duration, rise and travel, scaled to the measured dog's size."""
    rate, frames = action.motion.frame_rate, np.flatnonzero(flight)
    middle = animal.standing.centre_of_mass(_places(action))[frames[0] : frames[-1] + 1]
    acceleration = float(np.diff(middle[:, 1], 2).mean() * rate**2)
    low, high = (round(-GRAVITY * (1 + sign * GRAVITY_TOLERANCE), 2) for sign in (1, -1))
    yield within(f"{title}: vertical acceleration in flight", acceleration, low, high, "m/s²")
    if animal.name != "dog":
        return
    larger = animal.anatomy.hip_height / HIP_HEIGHT_M
    seconds = (len(frames) + 1) / rate / np.sqrt(larger)
    rise = float(middle[:, 1].max() - middle[0, 1]) / larger
    travel = float(middle[-1, 2] - middle[0, 2]) / larger
    for (name, (low, high, unit)), value in zip(JUMP.items(), (seconds, rise, travel), strict=True):
        low, high = round(low / (1 + TOLERANCE), 3), round(high * (1 + TOLERANCE), 3)
        yield within(f"{title}: {name}, scaled to the measured dog", value, low, high, unit)

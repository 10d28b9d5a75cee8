"""Actions of the shipped animals against measured ones: postures, durations and jumps of a captured dog."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from canter.animals.animal import Animal
from canter.animals.generator.actions import Action
from canter.evaluation.report import Row, at_most, within
from canter.motion.arrays import Bools, Floats
from canter.motion.constants import GRAVITY
from canter.motion.metrics import stance_slip

STANDING = {"root": 0.47, "withers": 0.41, "pitch": -9.0}
"""Of the captured dog: heights in metres, the trunk's pitch in degrees."""
HIPS = 0.38
POSTURES: dict[str, dict[str, tuple[float, float]]] = {
    "sit": {"root": (0.08, 0.12), "withers": (0.33, 0.35), "pitch": (35, 43)},
    "lie": {"root": (0.14, 0.18), "withers": (0.13, 0.15), "pitch": (-7, 2)},
}
"""10th and 90th percentile of its postures."""
TIMES: dict[str, tuple[tuple[float, float], tuple[float, float]]] = {
    "sit": ((0.42, 0.72), (0.40, 0.68)),
    "lie": ((0.61, 0.85), (0.39, 0.85)),
}
"""Seconds from 10 to 90 % of the way down, and up again."""
JUMP: dict[str, tuple[float, float, str]] = {
    "airtime": (0.33, 0.37, "s"),
    "rise of the body": (0.13, 0.14, "m"),
    "travel in the air": (0.72, 0.98, "m"),
}
"""Least and greatest of four jumps."""
SPARE = 0.1
"""How far outside the few measured jumps and postures one may lie, as a share."""
SLIP, DEPTH, FALL = 0.3, 0.2, 0.2


def action_rows(animal: Animal) -> Iterator[Row]:
    """Every action of an animal: the dog's against the measured, all for slip, ground and free fall."""
    for action in animal.actions:
        title = f"{animal.name} {action.name}"
        if animal.name == "dog":
            yield from _posture_rows(title, animal, action)
        feet = _places(action)[:, animal.anatomy.feet]
        yield at_most(f"{title}: slip of standing feet", stance_slip(feet, action.contacts).max, SLIP, "cm")
        yield at_most(f"{title}: penetration", max(-100 * float(_places(action)[..., 1].min()), 0.0), DEPTH, "cm")
        flight = np.asarray(~action.contacts.any(axis=1))
        if flight.sum() > 4:
            yield from _flight_rows(title, animal, action, flight)


def _places(action: Action) -> Floats:
    return action.motion.position_world.astype(np.float64)


def _heights(animal: Animal, places: Floats) -> dict[str, Floats]:
    """Heights of the pelvis and of the tops of the scapulae, and the pitch of the line between them, in degrees."""
    root = places[:, animal.anatomy.spine[0]]
    withers = places[:, [leg.joints[0] for leg in animal.anatomy.legs[:2]]].mean(axis=1)
    line = withers - root
    return {"root": root[:, 1], "withers": withers[:, 1], "pitch": np.degrees(np.arctan2(line[:, 1], line[:, 2]))}


def _posture_rows(title: str, animal: Animal, action: Action) -> Iterator[Row]:
    """Heights as shares of standing, the pitch against standing; and how long it takes to get there and back."""
    if action.name not in POSTURES or action.hold is None:
        return
    found, (first, last) = _heights(animal, _places(action)), action.hold
    for part, (low, high) in POSTURES[action.name].items():
        held = float(found[part][first:last].mean())
        if part == "pitch":
            apart = held - found[part][0]
            low, high = low - STANDING[part] - 5, high - STANDING[part] + 5
            yield within(f"{title}: pitch of the trunk against standing", apart, low, high, "°")
        else:
            low, high = (round(x / STANDING[part], 3) for x in (low / (1 + SPARE), high * (1 + SPARE)))
            yield within(f"{title}: height of the {part} / standing", held / found[part][0], low, high)
    down, up = found["root"][: first + 1], found["root"][last:]
    for name, curve, band in zip(("down", "up"), (down, up), TIMES[action.name], strict=True):
        yield within(f"{title}: 10 to 90 % of the way {name}", _transition(curve, action.motion.frame_rate), *band, "s")


def _transition(curve: Floats, rate: float) -> float:
    share = (curve - curve[0]) / (curve[-1] - curve[0])
    return float(np.argmax(share > 0.9) - np.argmax(share > 0.1)) / rate


def _flight_rows(title: str, animal: Animal, action: Action, flight: Bools) -> Iterator[Row]:
    """The free fall; and of the dog how long, high and far, scaled to the measured one's size."""
    rate, frames = action.motion.frame_rate, np.flatnonzero(flight)
    middle = animal.standing.centre_of_mass(_places(action))[frames[0] : frames[-1] + 1]
    acceleration = float(np.diff(middle[:, 1], 2).mean() * rate**2)
    low, high = (round(-GRAVITY * (1 + sign * FALL), 2) for sign in (1, -1))
    yield within(f"{title}: vertical acceleration in flight", acceleration, low, high, "m/s²")
    if animal.name != "dog":
        return
    larger = animal.anatomy.hip_height / HIPS
    seconds = (len(frames) + 1) / rate / np.sqrt(larger)
    rise = float(middle[:, 1].max() - middle[0, 1]) / larger
    travel = float(middle[-1, 2] - middle[0, 2]) / larger
    for (name, (low, high, unit)), value in zip(JUMP.items(), (seconds, rise, travel), strict=True):
        low, high = round(low / (1 + SPARE), 3), round(high * (1 + SPARE), 3)
        yield within(f"{title}: {name}, scaled to the measured dog", value, low, high, unit)

"""What the body does besides its legs: the spine by harmonics, neck, head, ears and tail by springs and lags."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from canter.animals.generator.gait_rows import GaitRow
from canter.animals.generator.standing import Standing, respread, turn_about
from canter.animals.generator.strides import Ride
from canter.animals.generator.waves import derivative, lagged, spring, wave
from canter.motion import rotations as rot
from canter.motion.arrays import Floats
from canter.motion.constants import GRAVITY

PELVIS_SHARE = 0.62
"""How much of the spine's rounding the pelvis takes; the chest takes the rest."""
FASTEST = 12
"""The highest harmonic of a stride that neck and tail feel."""


@dataclass(frozen=True, eq=False)
class Trunk:
    """Turns of the spine's joints `(G, S, 4)` against standing, and the place of the root `(G, 3)` without travel."""

    turns: Floats
    root: Floats


def move_trunk(animal: Standing, row: GaitRow, ride: Ride) -> Trunk:
    """The spine by the row's harmonics: heights of sacrum and withers give the pitch, the rest is added."""
    phase = ride.phase
    h, spine = animal.height, list(animal.anatomy.spine)
    first, last = animal.places[spine[0]], animal.places[spine[-1]]
    length = float(last[2] - first[2])
    rise = (wave(row.withers, phase) - wave(row.sacrum, phase)) * h
    pitch = -np.arcsin(np.clip(rise / length, -0.5, 0.5))
    share = np.linspace(0, 1, len(spine))
    share = np.where(share > 0, share**0.6, 0.0)
    flexion = np.radians(wave(row.flexion, phase))[:, None]
    bend = np.radians(wave(row.bend, phase))[:, None]
    lean = -flexion * PELVIS_SHARE + flexion * share  # about +X, nose down is positive
    aside = bend * (share - 0.5)
    roll = np.radians(wave(row.pelvis_roll, phase))[:, None] * (1 - share)
    roll = roll + np.radians(wave(row.thorax_roll, phase))[:, None] * share
    yaw = np.radians(wave(row.yaw, phase) + ride.drift("yaw", 0.25))[:, None]
    turns = turn_about(1, yaw + aside)
    turns = rot.multiply(turns, rot.multiply(turn_about(0, pitch[:, None] + lean), turn_about(2, -roll)))
    root = np.tile(first, (len(phase), 1))
    root[:, 0] += (wave(row.sway, phase) + ride.drift("sway", 0.0025)) * h
    root[:, 1] += (wave(row.sacrum, phase) - row.drop + ride.drift("heave", 0.0015)) * h
    root[:, 2] += wave(row.surge, phase) * h
    return Trunk(turns, root)


def move_neck(animal: Standing, row: GaitRow, ride: Ride, turns: Floats, places: Floats) -> None:
    """Neck and head: carriage, an authored nod, and a spring that the trunk's heaving drives; each joint lags."""
    anatomy = animal.anatomy
    if anatomy.head is None:
        return
    neck, phase = [*anatomy.neck], ride.phase
    chest = anatomy.spine[-1]
    base = turns[:, chest]
    heave = derivative(places[:, neck[0] if neck else anatomy.head, 1], ride.total, 2, FASTEST * ride.strides)
    frequency, damping, gain = row.neck_spring
    sprung = (
        spring(-heave / GRAVITY, ride.total, frequency * np.sqrt(1.17 / animal.height), damping) * gain * np.radians(14)
    )
    nod = np.radians(wave(row.nod, phase) + row.neck + ride.drift("nod", 0.6))
    look = np.radians(row.look + ride.drift("look", 0.5))
    for k, joint in enumerate(neck):
        share = (k + 1) / len(neck)
        angle = -lagged(nod + sprung, 0.02 * k / ride.strides) * share
        calm = rot.slerp(rot.IDENTITY, base, np.full(len(phase), 1 - 0.35 * share))
        turns[:, joint] = rot.multiply(rot.multiply(calm, turn_about(1, look * share)), turn_about(0, angle))
    still = rot.slerp(rot.IDENTITY, base, np.full(len(phase), 0.3))
    angle = -lagged(nod - nod.mean() + sprung, 0.05 / ride.strides) * 0.25 - np.radians(row.head)
    turns[:, anatomy.head] = rot.multiply(rot.multiply(still, turn_about(1, 1.5 * look)), turn_about(0, angle))
    for ear in animal.ears:
        turns[:, ear] = rot.multiply(turns[:, anatomy.head], turn_about(0, np.full(len(phase), -np.radians(row.ears))))
    respread(animal, turns, places, [*neck, anatomy.head, *animal.ears])


def move_tail(animal: Standing, row: GaitRow, ride: Ride, turns: Floats, places: Floats) -> None:
    """The tail swings behind the pelvis: sideways and up, each joint later and further than the one before."""
    tail = list(animal.anatomy.tail)
    if not tail:
        return
    root = animal.anatomy.spine[0]
    heave, aside = (
        derivative(places[:, tail[0], axis], ride.total, 2, FASTEST * ride.strides) / GRAVITY for axis in (1, 0)
    )
    up = spring(heave, ride.total, 1.1, 0.35) * np.radians(16)
    side = spring(-aside, ride.total, 1.1, 0.25) * np.radians(110) + np.radians(ride.drift("tail", 0.8))
    for k, joint in enumerate(tail):
        lift = np.radians(row.tail_lift) * (1.2 - 0.4 * k / max(len(tail) - 1, 1))
        more = (k + 1) / len(tail)
        turn = rot.multiply(
            turn_about(1, lagged(side, 0.06 * k / ride.strides) * more),
            turn_about(0, lift + lagged(up, 0.05 * k / ride.strides) * more),
        )
        turns[:, joint] = rot.multiply(turns[:, root], turn)
    respread(animal, turns, places, tail)

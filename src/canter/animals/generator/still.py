"""Standing still, alive: weight that shifts, breath, a head that looks about, ears and tail, by periodic noise."""

from __future__ import annotations

import numpy as np

from canter.animals.generator.generate import frames, hold_leg
from canter.animals.generator.standing import Standing, respread, spread, turn_about
from canter.animals.generator.waves import noise
from canter.motion import Motion
from canter.motion import rotations as rot
from canter.motion.arrays import Floats

GRID = 480
SECONDS = 8.0
BREATHS = 0.22
"""A second, for an animal of a metre at the hips; smaller ones breathe quicker."""


def generate_stand(animal: Standing, seconds: float = SECONDS, frame_rate: float = 60.0, seed: int = 0) -> Motion:
    """A loop of standing. The amplitudes are those of a captured dog that idles: 0.4 cm of sway at 38 cm hip height."""
    dice = np.random.default_rng(seed)
    phase = np.arange(GRID) / GRID
    turns = np.tile(rot.IDENTITY, (GRID, len(animal.skeleton), 1))
    root = np.tile(animal.places[animal.anatomy.spine[0]], (GRID, 1))
    h = animal.height
    root[:, 0] += 0.011 * h * _noise(dice, phase, seconds, 0.1, 0.5)
    root[:, 2] += 0.008 * h * _noise(dice, phase, seconds, 0.1, 0.5)
    root[:, 1] -= 0.012 * h - 0.002 * h * _noise(dice, phase, seconds, 0.1, 0.6)
    _breathe_and_lean(animal, dice, phase, seconds, turns)
    places = spread(animal, turns, root)
    for leg in range(len(animal.anatomy.legs)):
        hold_leg(animal, leg, 0.2, turns, places)
    _look_about(animal, dice, phase, seconds, turns, places)
    _swish(animal, dice, phase, seconds, turns, places)
    return frames(animal, "stand", turns, root, seconds, frame_rate)


def _noise(dice: np.random.Generator, phase: Floats, seconds: float, low: float, high: float) -> Floats:
    """Periodic noise of unit deviation between two frequencies in Hz."""
    return noise(dice, phase, max(1, round(low * seconds)), max(1, round(high * seconds)))


def _breathe_and_lean(
    animal: Standing, dice: np.random.Generator, phase: Floats, seconds: float, turns: Floats
) -> None:
    breaths = max(1, round(BREATHS * seconds / np.sqrt(animal.height)))
    breath = np.radians(0.35) * np.cos(2 * np.pi * breaths * phase)
    lean = np.radians(0.8) * _noise(dice, phase, seconds, 0.1, 0.5)
    spine = animal.anatomy.spine
    for k, joint in enumerate(spine):
        share = k / max(len(spine) - 1, 1)
        turns[:, joint] = rot.multiply(turn_about(2, lean * (1 - 0.5 * share)), turn_about(0, breath * share))


def _look_about(
    animal: Standing, dice: np.random.Generator, phase: Floats, seconds: float, turns: Floats, places: Floats
) -> None:
    anatomy = animal.anatomy
    if anatomy.head is None:
        return
    nod, turn = (_noise(dice, phase, seconds, 0.1, 0.4) for _ in range(2))
    joints = [*anatomy.neck, anatomy.head]
    for k, joint in enumerate(joints):
        share = (k + 1) / len(joints)
        yaw = turn_about(1, np.radians(9) * share * turn)
        turns[:, joint] = rot.multiply(yaw, turn_about(0, np.radians(3.5) * share * nod))
    for ear in animal.ears:
        flick = np.radians(9) * _noise(dice, phase, seconds, 0.2, 1.2)
        turns[:, ear] = rot.multiply(
            turns[:, anatomy.head], rot.multiply(turn_about(1, flick), turn_about(0, flick / 2))
        )
    respread(animal, turns, places, [*joints, *animal.ears])


def _swish(
    animal: Standing, dice: np.random.Generator, phase: Floats, seconds: float, turns: Floats, places: Floats
) -> None:
    tail = list(animal.anatomy.tail)
    side = np.radians(7) * _noise(dice, phase, seconds, 0.2, 0.9)
    for k, joint in enumerate(tail):
        later = np.roll(side, round(0.12 * k * len(phase) / seconds))
        turns[:, joint] = rot.multiply(turns[:, animal.anatomy.spine[0]], turn_about(1, later * (k + 1) / len(tail)))
    if tail:
        respread(animal, turns, places, tail)

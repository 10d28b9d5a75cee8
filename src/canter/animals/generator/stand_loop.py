"""A loop of standing: weight shifts, breathing, movement of head, ears and tail, all by periodic noise."""

from __future__ import annotations

import numpy as np

from canter.animals.generator.gaits import plant_leg, sample_frames
from canter.animals.generator.standing import Standing, propagate, propagate_below, turn_about
from canter.animals.generator.waves import noise
from canter.motion import Motion
from canter.motion import rotations as rot
from canter.motion.arrays import Floats

GRID_POINTS = 480
PHASE = np.arange(GRID_POINTS) / GRID_POINTS
"""The phase of every grid point of the loop, 0 to 1."""
LOOP_SECONDS = 8.0
BREATHS_HZ_AT_1_M = 0.22
"""Breaths per second at a hip height of 1 m; smaller animals breathe faster, by the root of the height."""
SWAY, SURGE, HEAVE, DROP = 0.011, 0.008, 0.002, 0.012
"""Hip heights by which the root moves sideways, forward and up (standard deviations), and by which it is lowered."""
BREATH_DEG, LEAN_DEG, NOD_DEG, LOOK_DEG, EAR_DEG, TAIL_DEG = 0.35, 0.8, 3.5, 9, 9, 7
"""Rotations: amplitude of the breath in the chest, and standard deviations of the noise in degrees."""
SCAPULA_GAIN = 0.2
"""How far the scapula turns for each radian of the limb."""
TAIL_LAG_SECONDS = 0.12
"""Delay of each tail joint behind the one before."""


def generate_stand(animal: Standing, frame_rate: float = 60.0) -> Motion:
    """A loop of standing. Amplitudes are those of a captured dog that idles: 0.4 cm of sway at 38 cm hip height."""
    rng = np.random.default_rng(0)
    turns = np.tile(rot.IDENTITY, (GRID_POINTS, len(animal.skeleton), 1))
    root = np.tile(animal.places[animal.anatomy.spine[0]], (GRID_POINTS, 1))
    h = animal.height
    root[:, 0] += SWAY * h * _noise_between(rng, 0.1, 0.5)
    root[:, 2] += SURGE * h * _noise_between(rng, 0.1, 0.5)
    root[:, 1] -= DROP * h - HEAVE * h * _noise_between(rng, 0.1, 0.6)
    _breathe_and_lean(animal, rng, turns)
    places = propagate(animal, turns, root)
    for leg in range(len(animal.anatomy.legs)):
        plant_leg(animal, leg, SCAPULA_GAIN, turns, places)
    _turn_head_and_ears(animal, rng, turns, places)
    _swing_tail(animal, rng, turns, places)
    return sample_frames(animal, "stand", turns, root, LOOP_SECONDS, frame_rate)


def _noise_between(rng: np.random.Generator, low: float, high: float) -> Floats:
    """Periodic noise `(G,)` with a standard deviation of 1 between two frequencies in Hz."""
    return noise(rng, PHASE, max(1, round(low * LOOP_SECONDS)), max(1, round(high * LOOP_SECONDS)))


def _breathe_and_lean(animal: Standing, rng: np.random.Generator, turns: Floats) -> None:
    breaths = max(1, round(BREATHS_HZ_AT_1_M * LOOP_SECONDS / np.sqrt(animal.height)))
    breath = np.radians(BREATH_DEG) * np.cos(2 * np.pi * breaths * PHASE)
    lean = np.radians(LEAN_DEG) * _noise_between(rng, 0.1, 0.5)
    spine = animal.anatomy.spine
    for k, joint in enumerate(spine):
        share = k / max(len(spine) - 1, 1)
        turns[:, joint] = rot.multiply(turn_about(2, lean * (1 - 0.5 * share)), turn_about(0, breath * share))


def _turn_head_and_ears(animal: Standing, rng: np.random.Generator, turns: Floats, places: Floats) -> None:
    anatomy = animal.anatomy
    if anatomy.head is None:
        return
    nod, turn = (_noise_between(rng, 0.1, 0.4) for _ in range(2))
    joints = [*anatomy.neck, anatomy.head]
    for k, joint in enumerate(joints):
        share = (k + 1) / len(joints)
        yaw = turn_about(1, np.radians(LOOK_DEG) * share * turn)
        turns[:, joint] = rot.multiply(yaw, turn_about(0, np.radians(NOD_DEG) * share * nod))
    for ear in animal.ears:
        flick = np.radians(EAR_DEG) * _noise_between(rng, 0.2, 1.2)
        turns[:, ear] = rot.multiply(
            turns[:, anatomy.head], rot.multiply(turn_about(1, flick), turn_about(0, flick / 2))
        )
    propagate_below(animal, turns, places, [*joints, *animal.ears])


def _swing_tail(animal: Standing, rng: np.random.Generator, turns: Floats, places: Floats) -> None:
    tail = list(animal.anatomy.tail)
    side = np.radians(TAIL_DEG) * _noise_between(rng, 0.2, 0.9)
    for k, joint in enumerate(tail):
        later = np.roll(side, round(TAIL_LAG_SECONDS * k * len(PHASE) / LOOP_SECONDS))
        turns[:, joint] = rot.multiply(turns[:, animal.anatomy.spine[0]], turn_about(1, later * (k + 1) / len(tail)))
    if tail:
        propagate_below(animal, turns, places, tail)

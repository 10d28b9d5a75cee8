"""Legs that sprawl: the upper limb sticks out sideways and swings about the vertical, the lower one stands below it.

A tortoise, a lizard or a crocodile walks so. The foot's path is given in space through the whole stride, and two bones
with one hinge between them reach it: exact in stance, smooth over lift-off and touchdown.
"""

from __future__ import annotations

import numpy as np

from canter.animals.generator.curves import bump
from canter.animals.generator.gait_rows import LegRow
from canter.animals.generator.legs import Steps, across_swing, hoof_roll
from canter.animals.generator.standing import Standing, respread, turn_about
from canter.animals.generator.waves import Points
from canter.motion import rotations as rot
from canter.motion.arrays import Floats

SWEEP = 1.5
"""How far the elbow or knee goes along with the foot, fore and aft; at 0 the lower limb leans instead."""
HANG = 12.0
"""Degrees by which the toes of a swinging foot are lowered and then lifted."""
FLATTENED = 0.55
"""The share of swing after which a foot that has rolled over its toes is flat again."""


def move_sprawling_leg(
    animal: Standing, row: LegRow, leg: int, steps: Steps, toe: Floats, vigour: Floats, turns: Floats, places: Floats
) -> None:
    """One leg over its steps; `toe (strides, size, 3)` is its place in stance, seen from the travelling animal, and
    `vigour (strides, size)` scales how high it is lifted."""
    path, pitch = step_over(toe, hoof_roll(row, steps), row, steps, animal.height * vigour)
    _reach(animal, leg, steps.common(path), steps.common(pitch), turns, places)


def hold_sprawling_leg(animal: Standing, leg: int, turns: Floats, places: Floats) -> None:
    """A leg whose foot stays where it stands at rest."""
    toe = np.tile(animal.places[animal.anatomy.legs[leg].foot], (len(turns), 1))
    _reach(animal, leg, toe, np.zeros(len(turns)), turns, places)


def step_over(toe: Floats, pitch: Floats, row: LegRow, steps: Steps, height: Floats) -> tuple[Floats, Floats]:
    """The whole step of a foot whose `toe (strides, size, 3)` and `pitch (size,)` are given in stance, lifted through
    swing."""
    path = across_swing(toe, steps)
    path[..., 1] += height * np.where(steps.stance, 0.0, _bump(row.lift, steps.swing))
    hang = np.radians(HANG) * np.sin(np.pi * steps.swing) ** 2 * (0.35 - steps.swing)
    return path, across_swing(np.tile(pitch, (steps.strides, 1)), steps, hang, FLATTENED)


def _bump(lift: Points, share: Floats) -> Floats:
    """Heights through the row's points at shares of swing, from the ground and back to it without a jerk."""
    at, value = np.array([(0.0, 0.0), *lift, (1.0, 0.0)]).T
    result: Floats = np.maximum(bump(at, value, share), 0.0)
    return result


def _reach(animal: Standing, leg: int, toe: Floats, pitch: Floats, turns: Floats, places: Floats) -> None:
    """Turns of a leg's upper, lower and foot bones that put its toe at `toe (G, 3)`, rolled over it by `pitch (G,)`."""
    upper, lower, foot, tip = animal.anatomy.legs[leg].joints
    trunk = turns[:, int(animal.skeleton.parents[upper])]
    rest = animal.places[[upper, lower, foot]]
    roll = turn_about(0, pitch)
    held = toe + rot.rotate(roll, animal.places[foot] - animal.places[tip])
    aim = held - places[:, upper]
    aside = np.zeros_like(aim)
    aside[:, 2] = SWEEP * (aim - rot.rotate(trunk, rest[2] - rest[0]))[:, 2] / np.linalg.norm(aim, axis=-1)
    pole = rot.rotate(trunk, _pole(rest)) + aside
    elbow = bend_to(aim, pole, *(float(np.linalg.norm(bone)) for bone in np.diff(rest, axis=0)))
    hinge = np.cross(aim, elbow)
    still = np.cross(rest[2] - rest[0], rest[1] - rest[0])
    turns[:, upper] = _turned(rest[1] - rest[0], still, elbow, hinge)
    turns[:, lower] = _turned(rest[2] - rest[1], still, aim - elbow, hinge)
    turns[:, [foot, tip]] = roll[:, None]
    respread(animal, turns, places, [upper, lower, foot, tip])


def bend_to(aim: Floats, pole: Floats, upper: float, lower: float) -> Floats:
    """Where the joint between two bones is `(G, 3)` when they reach from 0 to `aim (G, 3)` and bend toward `pole`.

    What is out of reach is pointed at.
    """
    away = np.linalg.norm(aim, axis=-1, keepdims=True)
    along = rot.normalize(aim)
    far = np.clip(away, abs(upper - lower) * 1.001, (upper + lower) * 0.999)
    cosine = (upper**2 + far**2 - lower**2) / (2 * upper * far)
    out = rot.normalize(pole - np.sum(pole * along, axis=-1, keepdims=True) * along)
    result: Floats = upper * (cosine * along + np.sqrt(1 - cosine**2) * out)
    return result


def _pole(rest: Floats) -> Floats:
    """The way that a standing leg `(3, 3)` of hip, knee and ankle bends: from the line between its ends to the knee."""
    along = rot.normalize(rest[2] - rest[0])
    knee = rest[1] - rest[0]
    return rot.normalize(knee - (knee @ along) * along)


def _turned(bone: Floats, hinge: Floats, bones: Floats, hinges: Floats) -> Floats:
    """Rotations `(G, 4)` that take a bone and its hinge to where they are wanted."""
    return rot.from_matrix(_frame(bones, hinges) @ _frame(bone, hinge).T)


def _frame(bone: Floats, hinge: Floats) -> Floats:
    """Columns along the bone, along the hinge, and across both."""
    first, second = rot.normalize(bone), rot.normalize(hinge)
    return np.stack([first, second, np.cross(first, second)], axis=-1)

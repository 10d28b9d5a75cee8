"""Sprawling legs: the upper limb sticks out sideways and swings about the vertical, the lower one stands below it.

Tortoises, lizards and crocodiles walk like this. The foot's path is given in space through the whole stride, and two
bones with a hinge between them reach it by two-bone inverse kinematics: exact in stance, smooth at lift-off and
touchdown.
"""

from __future__ import annotations

import numpy as np

from canter.animals.generator.curves import clamped_spline
from canter.animals.generator.gait_rows import LegRow
from canter.animals.generator.legs import stance_roll
from canter.animals.generator.standing import Standing, propagate_below, turn_about
from canter.animals.generator.step_timing import StepTiming, bridge_swing
from canter.animals.generator.waves import Points
from canter.motion import rotations as rot
from canter.motion.arrays import Floats

ELBOW_SWEEP_GAIN = 1.5
"""How far the elbow or knee follows the foot fore and aft; at 0 the lower limb leans instead."""
SWING_TOE_PITCH_DEG = 12.0
"""Degrees that scale how the toes of a swinging foot are lowered and then lifted."""
FLATTEN_SHARE = 0.55
"""The fraction of swing after which a foot that has rolled over its toes is flat again."""


def move_sprawling_leg(
    animal: Standing,
    row: LegRow,
    leg: int,
    steps: StepTiming,
    toe: Floats,
    swing_scale: Floats,
    turns: Floats,
    places: Floats,
) -> None:
    """Writes one leg over its steps into `turns` and `places`.

    `toe (strides, size, 3)` is the toe's position in stance, relative to the travelling animal; `swing_scale (strides,
    size)` scales how high it is lifted.
    """
    path, pitch = step_path(toe, stance_roll(row, steps), row, steps, animal.height * swing_scale)
    _solve_leg(animal, leg, steps.by_time(path), steps.by_time(pitch), turns, places)


def hold_sprawling_leg(animal: Standing, leg: int, turns: Floats, places: Floats) -> None:
    """Writes a leg whose foot stays in its standing place into `turns` and `places`."""
    toe = np.tile(animal.places[animal.anatomy.legs[leg].foot], (len(turns), 1))
    _solve_leg(animal, leg, toe, np.zeros(len(turns)), turns, places)


def step_path(toe: Floats, pitch: Floats, row: LegRow, steps: StepTiming, height: Floats) -> tuple[Floats, Floats]:
    """The toe's path `(strides, size, 3)` and the foot's pitch `(strides, size)` through stance and swing.

    `toe (strides, size, 3)` in metres and `pitch (size,)` in radians are given in stance; `height` converts the row's
    lift to metres.
    """
    path = bridge_swing(toe, steps)
    path[..., 1] += height * np.where(steps.stance, 0.0, _lift_curve(row.lift, steps.swing_share))
    hang = np.radians(SWING_TOE_PITCH_DEG) * np.sin(np.pi * steps.swing_share) ** 2 * (0.35 - steps.swing_share)
    return path, bridge_swing(np.tile(pitch, (steps.strides, 1)), steps, hang, FLATTEN_SHARE)


def _lift_curve(lift: Points, share: Floats) -> Floats:
    """Heights through the row's points at fractions `share` of swing, 0 with slope 0 at both ends."""
    at, value = np.array([(0.0, 0.0), *lift, (1.0, 0.0)]).T
    result: Floats = np.maximum(clamped_spline(at, value, share), 0.0)
    return result


def _solve_leg(animal: Standing, leg: int, toe: Floats, pitch: Floats, turns: Floats, places: Floats) -> None:
    """Writes the rotations of a leg whose toe is at `toe (G, 3)`, the foot rolled over it by `pitch (G,)` radians."""
    upper, lower, foot, tip = animal.anatomy.legs[leg].joints
    trunk = turns[:, int(animal.skeleton.parents[upper])]
    rest = animal.places[[upper, lower, foot]]
    roll = turn_about(0, pitch)
    held = toe + rot.rotate(roll, animal.places[foot] - animal.places[tip])
    aim = held - places[:, upper]
    aside = np.zeros_like(aim)
    aside[:, 2] = ELBOW_SWEEP_GAIN * (aim - rot.rotate(trunk, rest[2] - rest[0]))[:, 2] / np.linalg.norm(aim, axis=-1)
    pole = rot.rotate(trunk, _rest_pole(rest)) + aside
    elbow = two_bone_joint(aim, pole, *(float(np.linalg.norm(bone)) for bone in np.diff(rest, axis=0)))
    hinge = np.cross(aim, elbow)
    still = np.cross(rest[2] - rest[0], rest[1] - rest[0])
    turns[:, upper] = _rotations_to(rest[1] - rest[0], still, elbow, hinge)
    turns[:, lower] = _rotations_to(rest[2] - rest[1], still, aim - elbow, hinge)
    turns[:, [foot, tip]] = roll[:, None]
    propagate_below(animal, turns, places, [upper, lower, foot, tip])


def two_bone_joint(aim: Floats, pole: Floats, upper: float, lower: float) -> Floats:
    """The position `(G, 3)` of the joint between two bones that reach from the origin to `aim (G, 3)`, bent toward
    `pole`.

    `upper` and `lower` are the bones' lengths. Bones that cannot reach the target point at it.
    """
    away = np.linalg.norm(aim, axis=-1, keepdims=True)
    along = rot.normalize(aim)
    far = np.clip(away, abs(upper - lower) * 1.001, (upper + lower) * 0.999)
    cosine = (upper**2 + far**2 - lower**2) / (2 * upper * far)
    out = rot.normalize(pole - np.sum(pole * along, axis=-1, keepdims=True) * along)
    result: Floats = upper * (cosine * along + np.sqrt(1 - cosine**2) * out)
    return result


def _rest_pole(rest: Floats) -> Floats:
    """The unit vector from the line between hip and ankle to the knee of a standing leg `rest (3, 3)`."""
    along = rot.normalize(rest[2] - rest[0])
    knee = rest[1] - rest[0]
    return rot.normalize(knee - (knee @ along) * along)


def _rotations_to(bone: Floats, hinge: Floats, bones: Floats, hinges: Floats) -> Floats:
    """Rotations `(G, 4)` that turn `bone` and its `hinge (3,)` into the directions `bones` and `hinges (G, 3)`."""
    return rot.from_matrix(_axes(bones, hinges) @ _axes(bone, hinge).T)


def _axes(bone: Floats, hinge: Floats) -> Floats:
    """Matrices whose columns are unit vectors along the bone, along the hinge, and perpendicular to both."""
    first, second = rot.normalize(bone), rot.normalize(hinge)
    return np.stack([first, second, np.cross(first, second)], axis=-1)

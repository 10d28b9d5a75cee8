"""From a gait row and any standing animal to strides: trunk first, then legs, then neck, head and tail.

All curves are computed on one grid of phases and are exactly periodic; frames are sampled by periodic splines.
"""

from __future__ import annotations

from math import ceil

import numpy as np

from canter.animals.generator.curves import periodic_spline
from canter.animals.generator.gait_rows import GaitRow
from canter.animals.generator.legs import (
    HOOF_HANG_SHARE,
    Ground,
    PlanarLeg,
    hoof_angle,
    leg_angles,
    planted_leg_angles,
    rolling_hoof_angle,
    stance_roll,
)
from canter.animals.generator.sprawl import hold_sprawling_leg, move_sprawling_leg
from canter.animals.generator.standing import Standing, propagate, propagate_below, turn_about
from canter.animals.generator.step_timing import StepTiming, bridge_swing
from canter.animals.generator.strides import GRID, StrideSequence
from canter.animals.generator.trunk_neck_tail import move_neck, move_tail, move_trunk
from canter.motion import Motion
from canter.motion import rotations as rot
from canter.motion.arrays import Floats
from canter.motion.edits import transform
from canter.motion.kinematics import local


def generate(
    animal: Standing, row: GaitRow, frame_rate: float = 60.0, strides: int = 1, seed: int | None = None
) -> Motion:
    """Strides of a gait, travelling along +Z; the last frame repeats the first, moved by the travel of the strides.

    With a `seed` the strides differ a little, and the whole is still an exact loop. The frame rate of the result is the
    one nearest to `frame_rate` at which the loop has a whole number of frames.
    """
    sequence = StrideSequence(1 / row.frequency, strides, seed)
    trunk = move_trunk(animal, row, sequence)
    turns = np.tile(rot.IDENTITY, (len(trunk.root), len(animal.skeleton), 1))
    turns[:, list(animal.anatomy.spine)] = trunk.turns
    places = propagate(animal, turns, trunk.root)
    for leg in range(4):
        _move_leg(animal, row, leg, sequence, turns, places)
    move_neck(animal, row, sequence, turns, places)
    move_tail(animal, row, sequence, turns, places)
    motion = sample_frames(animal, row.name, turns, trunk.root, sequence.total, frame_rate)
    seconds = sequence.total * np.linspace(0, 1, len(motion))
    return transform(motion, rot.yaw(np.radians(row.turn) * seconds), travel(row, seconds))


def _move_leg(
    animal: Standing, row: GaitRow, leg: int, sequence: StrideSequence, turns: Floats, places: Floats
) -> None:
    part, joints, planar = row.leg(leg), list(animal.anatomy.legs[leg].joints), animal.planar(leg)
    touchdown, count = round(row.touchdowns[leg] * GRID) % GRID, ceil(part.duty * GRID - 0.01)
    steps = StepTiming(GRID, sequence.strides, touchdown, count)
    toe = _stance_toe(animal, row, leg, steps, sequence)
    swing_scale = 1 + steps.blend_in_swing(sequence.per_stride(f"vigour {leg}", 0.06))
    if animal.sprawls:
        return move_sprawling_leg(animal, part, leg, steps, toe, swing_scale, turns, places)
    pivot = steps.by_step(places[:, joints[0]])
    held, tilt = _aim_in_plane(animal, joints, planar, toe, stance_roll(part, steps), pivot)
    tilt = bridge_swing(tilt, steps)
    ground = Ground(pivot[..., 1], tilt, _lateral_offset(animal, joints, planar))
    angles = leg_angles(planar, part, steps, held, ground, animal.height, row.scapula_gain, swing_scale)
    _write_leg(joints, planar, steps.by_time(angles), steps.by_time(tilt), turns)
    if planar.has_hoof:
        hoof = -hoof_angle(planar, rolling_hoof_angle(part, steps), angles[..., -1], steps)
        lean = turn_about(2, tilt * steps.swing_window(HOOF_HANG_SHARE))
        turns[:, joints[planar.free]] = steps.by_time(rot.multiply(lean, turn_about(0, hoof)))
    turns[:, joints[-1]] = turns[:, joints[-2]]
    propagate_below(animal, turns, places, joints)


def plant_leg(animal: Standing, leg: int, gain: float, turns: Floats, places: Floats) -> None:
    """Writes a leg whose foot stays in its standing place into `turns` and `places`; `gain` is that of the scapula."""
    if animal.sprawls:
        return hold_sprawling_leg(animal, leg, turns, places)
    joints, planar = list(animal.anatomy.legs[leg].joints), animal.planar(leg)
    toe = np.tile(animal.places[joints[-1]], (len(turns), 1))
    held, tilt = _aim_in_plane(animal, joints, planar, toe, np.zeros(len(turns)), places[:, joints[0]])
    _write_leg(joints, planar, planted_leg_angles(planar, held, gain), tilt, turns)
    turns[:, joints[planar.free :]] = rot.IDENTITY
    if not planar.has_hoof:
        turns[:, joints[-1]] = turns[:, joints[-2]]
    propagate_below(animal, turns, places, joints)


def _aim_in_plane(
    animal: Standing, joints: list[int], planar: PlanarLeg, toe: Floats, hoof_pitch: Floats, pivot: Floats
) -> tuple[tuple[Floats, Floats], Floats]:
    """The held joint from the pivot in the leg's plane (down, forward), and the plane's sideways tilt in radians."""
    held = toe + _heel(animal, joints, hoof_pitch) if planar.has_hoof else toe
    reach = held - pivot
    natural = _lateral_offset(animal, joints, planar)
    down = np.sqrt(np.maximum(reach[..., 0] ** 2 + reach[..., 1] ** 2 - natural**2, 1e-6))
    tilt = np.arctan2(reach[..., 0], -reach[..., 1]) - np.arctan2(natural, down)
    return (down, reach[..., 2]), tilt


def _lateral_offset(animal: Standing, joints: list[int], planar: PlanarLeg) -> float:
    """Metres by which the held joint stands to the left of the pivot."""
    return float(animal.places[joints[-2 if planar.has_hoof else -1], 0] - animal.places[joints[0], 0])


def _stance_toe(animal: Standing, row: GaitRow, leg: int, steps: StepTiming, sequence: StrideSequence) -> Floats:
    """The toe's position in stance `(strides, size, 3)`, relative to the travelling animal.

    A standing foot moves back with the animal's velocity and yaw rate; in the middle of its stance it is at the row's
    `centre` and `width`.
    """
    h, part = animal.height, row.leg(leg)
    since = (np.arange(GRID) - steps.stance_points / 2) / GRID * sequence.seconds
    side = 1 if leg % 2 == 0 else -1
    ahead = animal.places[animal.anatomy.legs[leg].joints[0], 2] + row.stance_centre(leg) * h
    middle = np.tile([side * part.width * h, 0.0, ahead], (sequence.strides, 1, 1))
    middle[:, 0, 0] += sequence.per_stride(f"aside {leg}", 0.005) * h
    middle[:, 0, 2] += sequence.per_stride(f"ahead {leg}", 0.008) * h
    result: Floats = rot.rotate(rot.yaw(-np.radians(row.turn) * since), middle) + travel(row, -since)
    return result


def _heel(animal: Standing, joints: list[int], pitch: Floats) -> Floats:
    """The vector from the toe to the joint above the hoof, rolled forward by `pitch` radians."""
    bone = animal.places[joints[-2]] - animal.places[joints[-1]]
    return rot.rotate(turn_about(0, pitch), bone)


def _write_leg(joints: list[int], planar: PlanarLeg, angles: Floats, tilt: Floats, turns: Floats) -> None:
    """Writes segment angles `(G, free)` as rotations of the joints relative to standing."""
    lean = turn_about(2, tilt)
    for k in range(planar.free):
        turns[:, joints[k]] = rot.multiply(lean, turn_about(0, -(angles[:, k] - planar.angles[k])))


def sample_frames(
    animal: Standing, name: str, turns: Floats, root: Floats, seconds: float, frame_rate: float
) -> Motion:
    """The motion of one period of `seconds`, sampled from grid `turns (G, J, 4)` and `root (G, 3)` by periodic splines.

    The frame rate is changed a little so that the period has a whole number of frames.
    """
    count = max(round(seconds * frame_rate), 8)
    at = np.arange(count + 1) / count
    sampled, place = rot.unit(periodic_spline(rot.continuous(turns), at)), periodic_spline(root, at)
    skeleton = animal.skeleton
    world = np.empty((count + 1, len(skeleton), 3))
    world[:, 0] = place + animal.places[0] - animal.places[animal.anatomy.spine[0]]
    for joint in range(1, len(skeleton)):
        parent = int(skeleton.parents[joint])
        bone = animal.places[joint] - animal.places[parent]
        world[:, joint] = world[:, parent] + rot.rotate(sampled[:, parent], bone)
    positions, rotations = local(skeleton, world, rot.multiply(sampled, animal.turns))
    return Motion(skeleton, count / seconds, positions, rot.positive(rotations), name)


def travel(row: GaitRow, seconds: Floats) -> Floats:
    """The displacement `(..., 3)` in metres after `seconds (...)`, at the row's constant velocity and yaw rate."""
    turned = np.radians(row.turn) * seconds
    ahead = rot.rotate(rot.yaw(turned / 2), np.array([row.sideways, 0.0, row.speed]))
    result: Floats = (seconds * np.sinc(turned / (2 * np.pi)))[..., None] * ahead
    return result

"""From a row of numbers and any standing animal to one stride: trunk first, then legs, then what hangs on them.

All curves live on one grid of phases and are exactly periodic; frames are read off by periodic splines.
"""

from __future__ import annotations

from math import ceil

import numpy as np

from canter.animals.generator.curves import around
from canter.animals.generator.gait_rows import GaitRow, LegRow
from canter.animals.generator.legs import (
    HANGING,
    Ground,
    PlanarLeg,
    Steps,
    across_swing,
    hold_leg_track,
    hoof_angle,
    hoof_roll,
    rolled_hoof,
    solve_leg_track,
)
from canter.animals.generator.sprawl import hold_sprawling_leg, move_sprawling_leg
from canter.animals.generator.standing import Standing, respread, spread, turn_about
from canter.animals.generator.strides import GRID, Ride
from canter.animals.generator.trunk import move_neck, move_tail, move_trunk
from canter.motion import Motion
from canter.motion import rotations as rot
from canter.motion.arrays import Floats
from canter.motion.edits import transform
from canter.motion.kinematics import local


def generate(
    animal: Standing, row: GaitRow, frame_rate: float = 60.0, strides: int = 1, seed: int | None = None
) -> Motion:
    """Strides of a gait, travelling along +Z; the last frame repeats the first, so much further on.

    With a `seed` the strides differ a little, and the whole still closes exactly.
    """
    ride = Ride(1 / row.frequency, strides, seed)
    trunk = move_trunk(animal, row, ride)
    turns = np.tile(rot.IDENTITY, (len(trunk.root), len(animal.skeleton), 1))
    turns[:, list(animal.anatomy.spine)] = trunk.turns
    places = spread(animal, turns, trunk.root)
    for leg in range(4):
        _move_leg(animal, row, leg, ride, turns, places)
    move_neck(animal, row, ride, turns, places)
    move_tail(animal, row, ride, turns, places)
    motion = frames(animal, row.name, turns, trunk.root, ride.total, frame_rate)
    seconds = ride.total * np.linspace(0, 1, len(motion))
    return transform(motion, rot.yaw(np.radians(row.turn) * seconds), travel(row, seconds))


def _leg_row(row: GaitRow, leg: int) -> LegRow:
    return row.fore if leg < 2 else row.hind


def _centre(row: GaitRow, leg: int) -> float:
    """Where a leg stands; of an uneven pair the one that lands later leads and stands further forward."""
    part = _leg_row(row, leg)
    gap = (row.touchdowns[leg] - row.touchdowns[leg ^ 1]) % 1.0
    return part.centre + (part.leading_centre if 0 < gap < 0.4 else 0.0)


def _move_leg(animal: Standing, row: GaitRow, leg: int, ride: Ride, turns: Floats, places: Floats) -> None:
    part, joints, planar = _leg_row(row, leg), list(animal.anatomy.legs[leg].joints), animal.planar(leg)
    touchdown, count = round(row.touchdowns[leg] * GRID) % GRID, ceil(part.duty * GRID - 0.01)
    steps = Steps(GRID, ride.strides, touchdown, count)
    toe = _toe(animal, row, leg, steps, ride)
    vigour = 1 + steps.between(ride.steps(f"vigour {leg}", 0.06))
    if animal.sprawls:
        return move_sprawling_leg(animal, part, leg, steps, toe, vigour, turns, places)
    pivot = steps.own(places[:, joints[0]])
    held, tilt = _aim(animal, joints, planar, toe, hoof_roll(part, steps), pivot)
    tilt = across_swing(tilt, steps)
    ground = Ground(pivot[..., 1], tilt, _aside(animal, joints, planar))
    angles = solve_leg_track(planar, part, steps, held, ground, animal.height, row.scapula_gain, vigour)
    _write_leg(joints, planar, steps.common(angles), steps.common(tilt), turns)
    if planar.has_hoof:
        hoof = -hoof_angle(planar, rolled_hoof(part, steps), angles[..., -1], steps)
        lean = turn_about(2, tilt * steps.hump(HANGING))
        turns[:, joints[planar.free]] = steps.common(rot.multiply(lean, turn_about(0, hoof)))
    turns[:, joints[-1]] = turns[:, joints[-2]]
    respread(animal, turns, places, joints)


def hold_leg(animal: Standing, leg: int, gain: float, turns: Floats, places: Floats) -> None:
    """A leg whose foot stays where it stands at rest."""
    if animal.sprawls:
        return hold_sprawling_leg(animal, leg, turns, places)
    joints, planar = list(animal.anatomy.legs[leg].joints), animal.planar(leg)
    toe = np.tile(animal.places[joints[-1]], (len(turns), 1))
    held, tilt = _aim(animal, joints, planar, toe, np.zeros(len(turns)), places[:, joints[0]])
    _write_leg(joints, planar, hold_leg_track(planar, held, gain), tilt, turns)
    turns[:, joints[planar.free :]] = rot.IDENTITY
    if not planar.has_hoof:
        turns[:, joints[-1]] = turns[:, joints[-2]]
    respread(animal, turns, places, joints)


def _aim(
    animal: Standing, joints: list[int], planar: PlanarLeg, toe: Floats, hoof_pitch: Floats, pivot: Floats
) -> tuple[tuple[Floats, Floats], Floats]:
    """Where the held joint is from the pivot, in the leg's plane (down, forward), and how the plane tilts sideways."""
    held = toe + _heel(animal, joints, hoof_pitch) if planar.has_hoof else toe
    reach = held - pivot
    natural = _aside(animal, joints, planar)
    down = np.sqrt(np.maximum(reach[..., 0] ** 2 + reach[..., 1] ** 2 - natural**2, 1e-6))
    tilt = np.arctan2(reach[..., 0], -reach[..., 1]) - np.arctan2(natural, down)
    return (down, reach[..., 2]), tilt


def _aside(animal: Standing, joints: list[int], planar: PlanarLeg) -> float:
    """How far the held joint stands to the left of the pivot."""
    return float(animal.places[joints[-2 if planar.has_hoof else -1], 0] - animal.places[joints[0], 0])


def _toe(animal: Standing, row: GaitRow, leg: int, steps: Steps, ride: Ride) -> Floats:
    """The toe's place in stance `(strides, size, 3)`, seen from the travelling animal.

    A foot that stands goes back by the animal's velocity and turns back by its turn, about the middle of its stance.
    """
    h, part = animal.height, _leg_row(row, leg)
    since = (np.arange(GRID) - steps.count / 2) / GRID * ride.seconds
    side = 1 if leg % 2 == 0 else -1
    ahead = animal.places[animal.anatomy.legs[leg].joints[0], 2] + _centre(row, leg) * h
    middle = np.tile([side * part.width * h, 0.0, ahead], (ride.strides, 1, 1))
    middle[:, 0, 0] += ride.steps(f"aside {leg}", 0.005) * h
    middle[:, 0, 2] += ride.steps(f"ahead {leg}", 0.008) * h
    result: Floats = rot.rotate(rot.yaw(-np.radians(row.turn) * since), middle) + travel(row, -since)
    return result


def _heel(animal: Standing, joints: list[int], pitch: Floats) -> Floats:
    """From the toe up to the joint above the hoof, rolled forward by `pitch`."""
    bone = animal.places[joints[-2]] - animal.places[joints[-1]]
    return rot.rotate(turn_about(0, pitch), bone)


def _write_leg(joints: list[int], planar: PlanarLeg, angles: Floats, tilt: Floats, turns: Floats) -> None:
    """Segment angles as turns of the joints against standing."""
    lean = turn_about(2, tilt)
    for k in range(planar.free):
        turns[:, joints[k]] = rot.multiply(lean, turn_about(0, -(angles[:, k] - planar.angles[k])))


def frames(animal: Standing, name: str, turns: Floats, root: Floats, seconds: float, frame_rate: float) -> Motion:
    """Frames at the wanted rate, read off by periodic splines; the frame rate is bent so that a stride is whole."""
    count = max(round(seconds * frame_rate), 8)
    at = np.arange(count + 1) / count
    sampled, place = rot.unit(around(rot.continuous(turns), at)), around(root, at)
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
    """Where the animal is after so many seconds `(..., 3)`, its velocity turning with it."""
    turned = np.radians(row.turn) * seconds
    ahead = rot.rotate(rot.yaw(turned / 2), np.array([row.sideways, 0.0, row.speed]))
    result: Floats = (seconds * np.sinc(turned / (2 * np.pi)))[..., None] * ahead
    return result

"""From a row of numbers and any standing animal to one stride: trunk first, then legs, then what hangs on them.

Every joint gets a turn of its segment against the standing pose, in the world's axes, so the rig's own local axes do
not matter. All curves live on one grid of phases and are exactly periodic; frames are read off by periodic splines.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from canter.anatomy import Anatomy
from canter.animals.legs import PlanarLeg, Stride, Track, hoof_follows, solve_leg_track
from canter.animals.rows import GaitRow, LegRow
from canter.animals.waves import derivative, lagged, smoothstep, spring, wave
from canter.motion import Motion, Skeleton
from canter.motion import rotations as rot
from canter.motion.arrays import Floats
from canter.motion.edits import transform
from canter.motion.kinematics import local

GRID = 240
PELVIS_SHARE = 0.62
"""How much of the spine's rounding the pelvis takes; the chest takes the rest."""
GRAVITY = 9.81


@dataclass(frozen=True, eq=False)
class Standing:
    """An animal that stands: its skeleton, world `places (J, 3)` and `turns (J, 4)` on level ground, and its parts.

    `roles` names the joints of each leg of the anatomy from the top, as rows of gaits call them.
    """

    skeleton: Skeleton
    places: Floats
    turns: Floats
    anatomy: Anatomy
    roles: tuple[tuple[str, ...], ...]
    ears: tuple[int, ...] = ()

    @property
    def height(self) -> float:
        return self.anatomy.hip_height

    def planar(self, leg: int) -> PlanarLeg:
        """A leg as it stands, in its plane."""
        points = self.places[list(self.anatomy.legs[leg].joints)]
        steps = np.diff(points, axis=0)
        lengths = np.hypot(steps[:, 1], steps[:, 2])
        return PlanarLeg(self.roles[leg], lengths, np.arctan2(steps[:, 2], -steps[:, 1]), self.roles[leg][-1] == "hoof")


@dataclass(frozen=True, eq=False)
class Trunk:
    """Turns of the spine's joints `(G, S, 4)` against standing, and the place of the root `(G, 3)` without travel."""

    turns: Floats
    root: Floats


def generate(animal: Standing, row: GaitRow, frame_rate: float = 60.0) -> Motion:
    """One stride of a gait, travelling along +Z; its last frame repeats its first, one stride further on."""
    seconds = 1 / row.frequency
    phase = np.arange(GRID) / GRID
    trunk = move_trunk(animal, row, phase)
    turns = np.tile(rot.IDENTITY, (GRID, len(animal.skeleton), 1))
    spine = animal.anatomy.spine
    turns[:, list(spine)] = trunk.turns
    places = _spread(animal, turns, trunk.root)
    for leg in range(4):
        _move_leg(animal, row, leg, seconds, phase, turns, places)
    _move_neck(animal, row, seconds, phase, turns, places)
    _move_tail(animal, row, seconds, phase, turns, places)
    return _frames(animal, row, turns, trunk.root, frame_rate)


def move_trunk(animal: Standing, row: GaitRow, phase: Floats) -> Trunk:
    """The spine by the row's harmonics: heights of sacrum and withers give the pitch, the rest is added."""
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
    yaw = np.radians(wave(row.yaw, phase))[:, None]
    turns = _turn(1, yaw + aside)
    turns = rot.multiply(turns, rot.multiply(_turn(0, pitch[:, None] + lean), _turn(2, -roll)))
    root = np.tile(first, (len(phase), 1))
    root[:, 0] += wave(row.sway, phase) * h
    root[:, 1] += (wave(row.sacrum, phase) - row.drop) * h
    root[:, 2] += wave(row.surge, phase) * h
    return Trunk(turns, root)


def _turn(axis: int, angle: Floats) -> Floats:
    """Rotations by `angle` about a world axis."""
    result = np.zeros((*angle.shape, 4))
    result[..., 0], result[..., 1 + axis] = np.cos(angle / 2), np.sin(angle / 2)
    return result


def _spread(animal: Standing, turns: Floats, root: Floats) -> Floats:
    """Places of all joints when every bone turns with its parent's turn; untold joints follow their parents."""
    skeleton = animal.skeleton
    places = np.tile(animal.places, (len(turns), 1, 1))
    told = set(animal.anatomy.spine)
    places[:, 0] = root + (animal.places[0] - animal.places[animal.anatomy.spine[0]])
    for joint in range(1, len(skeleton)):
        parent = int(skeleton.parents[joint])
        bone = animal.places[joint] - animal.places[parent]
        places[:, joint] = places[:, parent] + rot.rotate(turns[:, parent], bone)
        if joint not in told:
            turns[:, joint] = turns[:, parent]
    return places


def _respread(animal: Standing, turns: Floats, places: Floats, joints: list[int]) -> None:
    """Places below changed joints anew; joints outside the list keep following their parents."""
    changed = set(joints)
    for joint in range(1, len(animal.skeleton)):
        parent = int(animal.skeleton.parents[joint])
        if parent in changed or joint in changed:
            bone = animal.places[joint] - animal.places[parent]
            places[:, joint] = places[:, parent] + rot.rotate(turns[:, parent], bone)
            if joint not in changed:
                turns[:, joint] = turns[:, parent]
                changed.add(joint)


def _leg_row(row: GaitRow, leg: int) -> LegRow:
    return row.fore if leg < 2 else row.hind


def _centre(row: GaitRow, leg: int) -> float:
    """Where a leg stands; of an uneven pair the one that lands later leads and stands further forward."""
    part = _leg_row(row, leg)
    gap = (row.touchdowns[leg] - row.touchdowns[leg ^ 1]) % 1.0
    return part.centre + (part.leading_centre if 0 < gap < 0.4 else 0.0)


def _move_leg(
    animal: Standing,
    row: GaitRow,
    leg: int,
    seconds: float,
    phase: Floats,
    turns: Floats,
    places: Floats,
) -> None:
    part, joints = _leg_row(row, leg), list(animal.anatomy.legs[leg].joints)
    planar = animal.planar(leg)
    duty = part.duty
    stride = Stride(row.touchdowns[leg], duty, phase, seconds)
    pivot = places[:, joints[0]]
    toe, hoof_pitch = _foot(animal, row, leg, stride)
    held = toe + _heel(animal, joints, hoof_pitch) if planar.has_hoof else toe
    reach = held - pivot
    natural = float(animal.places[joints[-2 if planar.has_hoof else -1], 0] - animal.places[joints[0], 0])
    down = np.sqrt(np.maximum(reach[:, 0] ** 2 + reach[:, 1] ** 2 - natural**2, 1e-6))
    tilt = np.arctan2(reach[:, 0], -reach[:, 1]) - np.arctan2(natural, down)
    tilt = _through_swing(tilt, stride)
    track = solve_leg_track(planar, part, stride, (down, reach[:, 2]), pivot[:, 1], animal.height, row.scapula_gain)
    _write_leg(animal, joints, planar, track, tilt, hoof_pitch, stride, part, turns)
    _respread(animal, turns, places, joints)


def _foot(animal: Standing, row: GaitRow, leg: int, stride: Stride) -> tuple[Floats, Floats]:
    """The toe's place in stance, seen from the travelling animal, and how far the foot has rolled over it.

    A foot that stands goes back by the animal's velocity and turns back by its turn, about the middle of its stance.
    """
    h, part = animal.height, _leg_row(row, leg)
    share = stride.local / stride.duty
    since = (share - 0.5) * stride.duty * stride.seconds
    side = 1 if leg % 2 == 0 else -1
    ahead = animal.places[animal.anatomy.legs[leg].joints[0], 2] + _centre(row, leg) * h
    middle = np.array([side * part.width * h, 0.0, ahead])
    toe = rot.rotate(_turn(1, -np.radians(row.turn) * since), middle)
    toe = toe - since[:, None] * np.array([row.sideways, 0.0, row.speed])
    pitch = np.radians(part.roll_pitch) * smoothstep((share - part.roll_start) / (1 - part.roll_start)) ** 1.5
    return toe, np.where(stride.stance, pitch, 0.0)


def _heel(animal: Standing, joints: list[int], pitch: Floats) -> Floats:
    """From the toe up to the joint above the hoof, rolled forward by `pitch`."""
    bone = animal.places[joints[-2]] - animal.places[joints[-1]]
    return rot.rotate(_turn(0, pitch), bone)


def _through_swing(x: Floats, stride: Stride) -> Floats:
    """A curve kept in stance and carried smoothly from its end to its beginning through swing."""
    first, count, size = stride.first, stride.count, len(x)
    lift = (first + count) % size
    w = (np.arange(size - count) + 1) / (size - count + 1)
    a, b = x[(lift - 1) % size], x[first]
    slope_a = (x[(lift - 1) % size] - x[(lift - 2) % size]) * (size - count + 1)
    slope_b = (x[(first + 1) % size] - x[first]) * (size - count + 1)
    result = x.copy()
    path = (
        (1 + 2 * w) * (1 - w) ** 2 * a + w * (1 - w) ** 2 * slope_a + w**2 * (3 - 2 * w) * b + w**2 * (w - 1) * slope_b
    )
    result[(lift + np.arange(size - count)) % size] = path
    return result


def _write_leg(
    animal: Standing,
    joints: list[int],
    planar: PlanarLeg,
    track: Track,
    tilt: Floats,
    hoof_pitch: Floats,
    stride: Stride,
    part: LegRow,
    turns: Floats,
) -> None:
    """Segment angles as turns of the joints against standing."""
    lean = _turn(2, tilt)
    for k in range(planar.free):
        turns[:, joints[k]] = rot.multiply(lean, _turn(0, -(track.angles[:, k] - planar.angles[k])))
    if planar.has_hoof:
        follow = hoof_follows(planar, track.angles[:, planar.free - 1], stride)
        free = _through_swing(np.where(stride.stance, -hoof_pitch, follow), stride)
        swing = np.clip((stride.local - stride.duty) / (1 - stride.duty), 0, 1)
        blend = np.where(stride.stance, 0.0, smoothstep(swing / 0.3) * smoothstep((1 - swing) / 0.3))
        angle = free * (1 - blend) + follow * blend
        upright = np.where(stride.stance[:, None], rot.IDENTITY, lean)
        turns[:, joints[planar.free]] = rot.multiply(upright, _turn(0, -angle))
    turns[:, joints[-1]] = turns[:, joints[-2]]


def _move_neck(animal: Standing, row: GaitRow, seconds: float, phase: Floats, turns: Floats, places: Floats) -> None:
    """Neck and head: carriage, an authored nod, and a spring that the trunk's heaving drives; each joint lags."""
    anatomy = animal.anatomy
    if anatomy.head is None:
        return
    neck = [*anatomy.neck]
    chest = anatomy.spine[-1]
    base = turns[:, chest]
    heave = derivative(places[:, neck[0] if neck else anatomy.head, 1], seconds, 2)
    frequency, damping, gain = row.neck_spring
    sprung = (
        spring(heave / GRAVITY, seconds, frequency * np.sqrt(1.17 / animal.height), damping) * gain * np.radians(14)
    )
    nod = np.radians(wave(row.nod, phase) + row.neck)
    for k, joint in enumerate(neck):
        angle = -(lagged(nod + sprung, 0.02 * k)) * (k + 1) / len(neck)
        calm = rot.slerp(rot.IDENTITY, base, np.full(len(phase), 1 - 0.35 * (k + 1) / len(neck)))
        turns[:, joint] = rot.multiply(calm, _turn(0, angle))
    still = rot.slerp(rot.IDENTITY, base, np.full(len(phase), 0.3))
    angle = -lagged(nod - nod.mean() + sprung, 0.05) * 0.25 - np.radians(row.head)
    turns[:, anatomy.head] = rot.multiply(still, _turn(0, angle))
    for ear in animal.ears:
        turns[:, ear] = rot.multiply(turns[:, anatomy.head], _turn(0, np.full(len(phase), -np.radians(row.ears))))
    _respread(animal, turns, places, [*neck, anatomy.head, *animal.ears])


def _move_tail(animal: Standing, row: GaitRow, seconds: float, phase: Floats, turns: Floats, places: Floats) -> None:
    """The tail swings behind the pelvis: sideways and up, each joint later and further than the one before."""
    tail = list(animal.anatomy.tail)
    if not tail:
        return
    root = animal.anatomy.spine[0]
    heave = derivative(places[:, tail[0], 1], seconds, 2) / GRAVITY
    aside = derivative(places[:, tail[0], 0], seconds, 2) / GRAVITY
    up = spring(heave, seconds, 1.1, 0.35) * np.radians(10)
    side = spring(-aside, seconds, 1.1, 0.25) * np.radians(60)
    for k, joint in enumerate(tail):
        lift = np.radians(row.tail_lift) * (1.2 - 0.4 * k / max(len(tail) - 1, 1))
        more = (k + 1) / len(tail)
        turn = rot.multiply(_turn(1, lagged(side, 0.06 * k) * more), _turn(0, lift + lagged(up, 0.05 * k) * more))
        turns[:, joint] = rot.multiply(turns[:, root], turn)
    _respread(animal, turns, places, tail)


def _frames(animal: Standing, row: GaitRow, turns: Floats, root: Floats, frame_rate: float) -> Motion:
    """Frames at the wanted rate, read off by periodic splines; the frame rate is bent so that a stride is whole."""
    from scipy.interpolate import CubicSpline

    seconds = 1 / row.frequency
    count = max(round(seconds * frame_rate), 8)
    at = np.arange(count + 1) / count
    grid = np.arange(GRID + 1) / GRID
    turns = rot.continuous(np.concatenate([turns, turns[:1]]))
    turns[-1] = turns[0] * np.sign(np.sum(turns[-2] * turns[0], axis=-1, keepdims=True))
    sampled = rot.unit(CubicSpline(grid, turns, axis=0)(at))
    place = CubicSpline(grid, np.concatenate([root, root[:1]]), axis=0, bc_type="periodic")(at)
    skeleton = animal.skeleton
    world = np.empty((count + 1, len(skeleton), 3))
    world[:, 0] = place + animal.places[0] - animal.places[animal.anatomy.spine[0]]
    for joint in range(1, len(skeleton)):
        parent = int(skeleton.parents[joint])
        bone = animal.places[joint] - animal.places[parent]
        world[:, joint] = world[:, parent] + rot.rotate(sampled[:, parent], bone)
    positions, rotations = local(skeleton, world, rot.multiply(sampled, animal.turns))
    standing = Motion(skeleton, count / seconds, positions, rot.positive(rotations), row.name)
    heading = np.radians(row.turn) * seconds * at
    return transform(standing, rot.yaw(heading), _path(row, seconds, heading))


def _path(row: GaitRow, seconds: float, heading: Floats) -> Floats:
    """Where the travelling animal is `(T, 3)`, its velocity turning with it."""
    velocity = rot.rotate(rot.yaw(heading), np.array([row.sideways, 0.0, row.speed]))
    steps = (velocity[1:] + velocity[:-1]) / 2 * seconds / (len(heading) - 1)
    return np.concatenate([np.zeros((1, 3)), np.cumsum(steps, axis=0)])

"""The body of a made-up animal: proportions by kind, the trunk's motion, and legs solved to reach their footprints.

A leg is solved in its own plane as two links, each made of one or two bones: in a hind leg thigh and metatarsus turn
together (the reciprocal apparatus), in a foreleg the forearm and the cannon bone, which folds back in swing.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field

import numpy as np

from canter.anatomy.nouns import LEGS
from canter.anatomy.synthetic_gaits import TAU, Range, Stride, Track, footprints, keyed, leg_phase
from canter.motion import rotations as rot
from canter.motion.arrays import Floats

Frames = dict[str, tuple[Floats, Floats]]
"""World positions `(T, 3)` and rotations `(T, 4)` by part."""


@dataclass(frozen=True)
class BodyRow:
    """Proportions of a kind of animal. Lengths are in hip heights, the hip height in metres, angles in degrees.

    `crouch` is how much longer a leg is than its longest reach: 1.03 is a column, 1.3 a stalking cat.
    `rise` is the height of the shoulders over that of the hips.
    """

    hip: Range
    trunk: Range
    width: Range
    rise: Range
    neck: Range
    neck_angle: Range
    head: Range
    tail: Range
    tail_angle: Range
    crouch: Range
    pastern: Range
    step: Range = (0.9, 1.0)
    splay: float = 0.8
    sprawl: bool = False
    bend: float = 0.1
    gaits: tuple[str, ...] = ("walk", "trot", "amble", "pace", "canter", "rotary gallop", "bound")


BODIES = {
    "dog": BodyRow(
        (0.35, 0.6),
        (1.1, 1.4),
        (0.25, 0.35),
        (0.98, 1.1),
        (0.5, 0.7),
        (30, 55),
        (0.3, 0.45),
        (0.6, 1.0),
        (-35, 30),
        (1.06, 1.15),
        (0.10, 0.18),
        (0.95, 1.1),
    ),
    "dachshund": BodyRow(
        (0.14, 0.22),
        (2.0, 2.5),
        (0.5, 0.6),
        (0.98, 1.05),
        (0.7, 0.9),
        (35, 55),
        (0.7, 0.9),
        (1.0, 1.4),
        (-20, 20),
        (1.06, 1.12),
        (0.14, 0.2),
        (0.9, 1.0),
        gaits=("walk", "trot", "amble"),
    ),
    "cat": BodyRow(
        (0.22, 0.85),
        (1.3, 1.6),
        (0.22, 0.32),
        (0.95, 1.05),
        (0.35, 0.55),
        (5, 35),
        (0.3, 0.4),
        (1.0, 1.4),
        (-40, 10),
        (1.12, 1.25),
        (0.14, 0.22),
        (0.95, 1.1),
        gaits=("walk", "trot", "amble", "rotary gallop", "bound"),
    ),
    "horse": BodyRow(
        (1.0, 1.4),
        (1.0, 1.2),
        (0.25, 0.35),
        (1.0, 1.08),
        (0.65, 0.85),
        (30, 55),
        (0.45, 0.55),
        (0.5, 0.8),
        (-75, -50),
        (1.04, 1.10),
        (0.12, 0.17),
        (0.85, 1.0),
        gaits=("walk", "trot", "amble", "pace", "canter", "gallop"),
    ),
    "cow": BodyRow(
        (1.0, 1.4),
        (1.1, 1.3),
        (0.35, 0.45),
        (0.95, 1.05),
        (0.45, 0.6),
        (0, 25),
        (0.4, 0.5),
        (0.7, 0.9),
        (-85, -70),
        (1.04, 1.08),
        (0.1, 0.14),
        (0.8, 0.95),
        gaits=("walk", "trot", "canter"),
    ),
    "giraffe": BodyRow(
        (1.5, 2.0),
        (0.75, 0.9),
        (0.2, 0.28),
        (1.2, 1.35),
        (1.2, 1.5),
        (50, 70),
        (0.3, 0.36),
        (0.5, 0.6),
        (-85, -70),
        (1.04, 1.08),
        (0.08, 0.12),
        (0.75, 0.9),
        gaits=("walk", "amble", "gallop"),
    ),
    "elephant": BodyRow(
        (1.5, 2.2),
        (1.0, 1.25),
        (0.4, 0.5),
        (1.05, 1.2),
        (0.25, 0.4),
        (5, 30),
        (0.3, 0.45),
        (0.5, 0.8),
        (-85, -70),
        (1.03, 1.05),
        (0.06, 0.1),
        (0.65, 0.85),
        bend=0.05,
        gaits=("walk", "amble"),
    ),
    "bear": BodyRow(
        (0.6, 0.9),
        (1.2, 1.5),
        (0.4, 0.5),
        (0.95, 1.1),
        (0.4, 0.5),
        (-5, 25),
        (0.35, 0.45),
        (0.1, 0.2),
        (-60, -20),
        (1.05, 1.12),
        (0.12, 0.18),
        (0.85, 1.0),
        gaits=("walk", "amble", "pace", "rotary gallop"),
    ),
    "lizard": BodyRow(
        (0.05, 0.16),
        (3.2, 4.5),
        (0.9, 1.2),
        (0.9, 1.05),
        (0.7, 1.1),
        (5, 25),
        (0.8, 1.1),
        (3.5, 5.5),
        (-9, -5),
        (1.12, 1.25),
        (0.25, 0.4),
        (1.2, 1.6),
        2.6,
        True,
        0.3,
        ("walk", "trot"),
    ),
    "turtle": BodyRow(
        (0.08, 0.25),
        (2.2, 2.8),
        (1.5, 1.9),
        (0.95, 1.1),
        (0.6, 0.9),
        (15, 35),
        (0.4, 0.55),
        (0.4, 0.8),
        (-25, -10),
        (1.10, 1.2),
        (0.15, 0.25),
        (0.9, 1.2),
        1.7,
        True,
        0.02,
        ("walk", "trot"),
    ),
}


@dataclass(frozen=True)
class Animal:
    """One drawn animal, lengths in metres, before it moves. `crouch`, `pastern` and others as in `BodyRow`."""

    kind: str
    hip: float
    trunk: float
    width: float
    rise: float
    neck: float
    neck_angle: float
    head: float
    tail: float
    tail_angle: float
    crouch: float
    pastern: float
    step: float
    splay: float
    sprawl: bool
    bend: float
    spine_bones: int
    neck_bones: int
    tail_bones: int
    scapula: bool
    cannon: bool
    """Whether legs have the third long bone, between hock or carpus and the foot."""
    sole: float
    """How high the foot joint stays above the ground in stance."""
    parts: dict[str, Floats] = field(default_factory=dict)


def draw_animal(rng: np.random.Generator, kind: str) -> Animal:
    """Proportions within the row of that kind, and how many bones a rigger would give it."""
    row = BODIES[kind]
    hip = float(rng.uniform(*row.hip))

    def length(bounds: Range) -> float:
        return float(rng.uniform(*bounds)) * hip

    def angle(bounds: Range) -> float:
        return float(np.radians(rng.uniform(*bounds)))

    return Animal(
        kind,
        hip,
        length(row.trunk),
        length(row.width),
        length(row.rise),
        length(row.neck),
        angle(row.neck_angle),
        length(row.head),
        length(row.tail),
        angle(row.tail_angle),
        float(rng.uniform(*row.crouch)),
        length(row.pastern),
        float(rng.uniform(*row.step)),
        row.splay,
        row.sprawl,
        row.bend,
        int(rng.integers(3, 7)),
        int(rng.integers(1, 5)),
        int(rng.integers(1, 7)) if rng.random() < 0.85 else 0,
        bool(rng.random() < 0.6) and not row.sprawl,
        bool(rng.random() < 0.8) and not row.sprawl,
        float(rng.uniform(0, 0.03)) * hip * (rng.random() < 0.5),
    )


def turned(yaw: Floats, pitch: Floats, roll: Floats) -> Floats:
    """Heading left, nose up, then leaning right: quaternions `(T, 4)`."""
    return rot.from_euler(np.stack(np.broadcast_arrays(yaw, -pitch, roll), axis=-1), "yxz")


def spine_line(animal: Animal) -> Floats:
    """Rest places `(n + 1, 3)` of the spine joints from pelvis to chest, slightly arched."""
    u = np.linspace(0, 1, animal.spine_bones + 1)
    y = 1.12 * animal.hip * (1 - u) + 1.12 * animal.rise * u + 0.05 * animal.hip * np.sin(np.pi * u)
    return np.stack([0 * u, y, (u - 0.5) * animal.trunk], axis=-1)


def move_trunk(animal: Animal, stride: Stride | None, track: Track, seconds: Floats) -> Frames:
    """Spine, neck, head and tail of one take; no stride means standing and breathing."""
    point, heading = track.at(seconds)
    if stride is None:
        phase, bob, pitch, bend, nod, wag, rock = seconds / 3.0, 0.004 * animal.hip, 0.004, 0.01, 0.03, 0.15, 1
    else:
        phase = seconds / stride.seconds
        bob, pitch, bend, nod, wag, rock = (
            stride.bob,
            stride.pitch,
            stride.bend,
            stride.nod,
            stride.wag,
            stride.rock,
        )
    rest = spine_line(animal)
    bones = animal.spine_bones
    lift = bob * np.cos(TAU * rock * (phase - (0.85 if rock == 1 else 0.43)))
    tilt = pitch * np.cos(TAU * rock * (phase - 0.12))
    sway = np.cos(TAU * (phase - 0.84))
    turns = []
    for i in range(bones):
        along = 2 * i / max(bones - 1, 1) - 1
        turns.append(turned(heading + along * bend * sway, tilt, -0.25 * bend * along * sway))
    turns.append(turns[-1])
    places = [np.zeros((len(seconds), 3))]
    for i in range(bones):
        places.append(places[-1] + rot.rotate(turns[i], rest[i + 1] - rest[i]))
    middle = (places[0] + places[-1]) / 2
    centre = point + np.array([0, (rest[0, 1] + rest[-1, 1]) / 2, 0]) + np.stack([0 * lift, lift, 0 * lift], -1)
    frames = {f"spine.{i}": (places[i] - middle + centre, turns[i]) for i in range(bones + 1)}
    _move_neck(animal, frames, phase, rock, nod)
    _move_tail(animal, frames, phase, rock, wag)
    return frames


def _move_neck(animal: Animal, frames: Frames, phase: Floats, rock: int, nod: float) -> None:
    chest, turn = frames[f"spine.{animal.spine_bones}"]
    place = chest + rot.rotate(turn, np.array([0, 0.02, 0.10]) * animal.hip)
    swing = nod * np.cos(TAU * rock * (phase - 0.3))
    bone = np.array([0, 0, animal.neck / animal.neck_bones])
    for i in range(animal.neck_bones):
        slope = animal.neck_angle * (0.8 + 0.4 * (i + 1) / animal.neck_bones)
        own = rot.multiply(turn, turned(0 * swing, swing, 0 * swing))
        frames[f"neck.{i}"] = (place, own)
        place = place + rot.rotate(own, rot.rotate(turned(*np.array([0, slope, 0])), bone))
    own = rot.multiply(turn, turned(0 * swing, -0.5 * swing, 0 * swing))
    frames["head"] = (place, own)
    frames["nose"] = (place + rot.rotate(own, np.array([0, -0.5, 0.85]) * animal.head), own)


def _move_tail(animal: Animal, frames: Frames, phase: Floats, rock: int, wag: float) -> None:
    if not animal.tail_bones:
        return
    pelvis, turn = frames["spine.0"]
    place = pelvis + rot.rotate(turn, np.array([0, 0.02, -0.12]) * animal.hip)
    bone = np.array([0, 0, -animal.tail / animal.tail_bones])
    for i in range(animal.tail_bones + 1):
        lag = 0.12 * i
        side = wag * (0.4 + 0.6 * i / animal.tail_bones) * np.cos(TAU * (phase - lag))
        own = rot.multiply(
            turn, turned(side, -animal.tail_angle + 0.1 * wag * np.cos(TAU * rock * (phase - lag)), 0 * side)
        )
        name = f"tail.{i}" if i < animal.tail_bones else "tail.end"
        frames[name] = (place, own)
        place = place + rot.rotate(own, bone)


@dataclass(frozen=True)
class Reach:
    """What one leg must do in one take: from `top (T, 3)` to `ankle` and `toe`, bending towards `pole (T, 3)`."""

    top: Floats
    ankle: Floats
    toe: Floats
    pole: Floats
    fold: Floats
    frame: Floats
    blade: Floats | None = None
    """Where the scapula starts, if there is one."""


def plan_leg(animal: Animal, stride: Stride | None, track: Track, leg: int, trunk: Frames, seconds: Floats) -> Reach:
    """Where a leg begins and where it must end, frame by frame."""
    fore, side = leg < 2, 1.0 if leg % 2 == 0 else -1.0
    girdle, turn = trunk[f"spine.{animal.spine_bones}" if fore else "spine.0"]
    drop = 0.12 * (animal.rise if fore else animal.hip)
    blade: Floats | None = None
    phase = np.zeros(len(seconds)) + 0.2 if stride is None else leg_phase(stride, leg, seconds)
    duty = 0.6 if stride is None else stride.duty
    top = girdle + rot.rotate(turn, np.array([side * animal.width / 2, -drop, 0.0]))
    if fore and animal.scapula:
        blade = girdle + rot.rotate(turn, np.array([side * animal.width / 3, 0.0, 0.0]))
        angle = np.radians(25) + np.radians(9) * (0 if stride is None else np.cos(TAU * (phase - duty * 0.1)))
        angle = angle + np.zeros(len(seconds))
        down = np.stack([np.full_like(angle, 0.2 * side), -np.cos(angle), np.sin(angle)], axis=-1)
        top = blade + rot.rotate(turn, down * 0.33 * animal.rise)
    toe = _toe_path(animal, stride, track, leg, seconds)
    ankle = toe - rot.rotate(turn, _pastern(animal, fore, phase, duty))
    across = np.array([side, 1.2, 0.0]) if animal.sprawl else np.array([0.0, 0.0, -1.0 if fore else 1.0])
    fold = keyed(phase, [(0.0, 0.0), (duty, 0.05), (duty + 0.4 * (1 - duty), 1.0)])
    still = 0.0 if stride is None else min(1.3, 0.6 + 2.0 * stride.lift / animal.hip)
    return Reach(top, ankle, toe, rot.rotate(turn, across), fold * still, turn, blade)


def _toe_path(animal: Animal, stride: Stride | None, track: Track, leg: int, seconds: Floats) -> Floats:
    fore, side = leg < 2, 1.0 if leg % 2 == 0 else -1.0
    place = 0.5 * animal.trunk * (1 if fore else -1) + (0.06 if fore else 0.02) * animal.hip
    if fore and animal.scapula:
        place += 0.12 * animal.rise
    neutral = np.array([side * animal.splay * animal.width / 2 if not animal.sprawl else 0.0, animal.sole, place])
    if animal.sprawl:
        neutral[0] = side * (animal.width / 2 + animal.splay * 0.5 * animal.hip)
    if stride is None:
        return np.tile(neutral, (len(seconds), 1))
    return footprints(stride, track, leg, neutral, seconds, 0.55 if fore else 0.38)


def _pastern(animal: Animal, fore: bool, phase: Floats, duty: float) -> Floats:
    """From ankle or fetlock to the toe, in the body's frame: sloping forward in stance, trailing as the foot lifts."""
    flat = 0.35 if animal.kind == "elephant" else 0.9
    swing = 1 - duty
    keys = [
        (0.0, flat),
        (0.6 * duty, flat),
        (duty, 0.15 * flat),
        (duty + 0.3 * swing, -0.7 * flat),
        (duty + 0.8 * swing, flat),
    ]
    angle = keyed(phase, keys)
    return np.stack([0 * angle, -np.cos(angle), np.sin(angle)], axis=-1) * animal.pastern


def leg_bones(animal: Animal, fore: bool, needed: float) -> tuple[Floats, Floats]:
    """Lengths of upper, lower and cannon bone for a leg that must span `needed` metres, and their fixed angles."""
    shares = np.array([0.40, 0.38, 0.22]) if fore else np.array([0.36, 0.37, 0.27])
    if not animal.cannon:
        shares = np.array([0.5, 0.5, 0.0])
    angle = 0.0 if fore or not animal.cannon else -0.45
    a, b = _links(shares, np.zeros(1), fore, angle)
    span = float(np.abs(a)[0] + np.abs(b)[0])
    return shares * needed * animal.crouch / span, np.array(angle)


def _links(bones: Floats, fold: Floats, fore: bool, angle: float) -> tuple[Floats, Floats]:
    """The two links as complex numbers: real along the link, imaginary towards the pole."""
    upper, lower, cannon = bones
    if fore:
        return np.full(len(fold), upper + 0j), lower + cannon * np.exp(1j * fold)
    return upper + cannon * np.exp(1j * (angle + 0 * fold)), np.full(len(fold), lower + 0j)


def solve_leg(reach: Reach, bones: Floats, fore: bool, angle: float, sprawl: bool) -> tuple[list[Floats], Floats]:
    """Knee, ankle-ward joints and the ankle `(T, 3)` each, and the normal of the leg's plane `(T, 3)`.

    Law of cosines on the two links; the middle joint goes towards the pole.
    """
    gap = reach.ankle - reach.top
    distance = np.linalg.norm(gap, axis=-1)
    along = gap / distance[:, None]
    side = rot.normalize(reach.pole - np.sum(reach.pole * along, axis=-1, keepdims=True) * along)
    first, second = _links(bones, reach.fold * (0.0 if sprawl else 1.0), fore, angle)
    a, b = np.abs(first), np.abs(second)
    cosine = np.clip((a * a + distance**2 - b * b) / (2 * a * distance), -1, 1)
    link = a * np.exp(1j * np.arccos(cosine))
    turn_a, turn_b = link / first, (distance - link) / second
    turn_b = turn_b / np.abs(turn_b)
    upper, lower, cannon = bones
    knee = upper * turn_a
    hock = knee + lower * turn_b
    ends = [knee, hock]
    if cannon > 0:
        last = cannon * (np.exp(1j * reach.fold) * turn_b if fore else np.exp(1j * angle) * turn_a)
        ends.append(hock + last)
    places = [reach.top + along * z.real[:, None] + side * z.imag[:, None] for z in ends]
    return places, np.cross(along, side)


def bone_frames(tops: Floats, ends: Floats, normal: Floats) -> Floats:
    """World rotations `(T, 4)` of a bone from `tops` to `ends` lying in the plane of `normal`."""
    y = rot.normalize(ends - tops)
    x = rot.normalize(normal - np.sum(normal * y, axis=-1, keepdims=True) * y)
    return rot.from_matrix(np.stack([x, y, np.cross(x, y)], axis=-1))


def leg_parts(animal: Animal, leg: int) -> list[str]:
    """The joints of a leg from top to toe."""
    names = ["hip", "knee", "hock"] if leg >= 2 else ["shoulder", "elbow", "wrist"]
    if leg < 2 and animal.scapula:
        names.insert(0, "scapula")
    if animal.cannon:
        names.append("fetlock")
    return [f"{LEGS[leg]}.{name}" for name in [*names, "toe"]]


def pose_leg(animal: Animal, leg: int, reach: Reach, bones: Floats, angle: float) -> Frames:
    """Frames of every joint of one leg."""
    places, normal = solve_leg(reach, bones, leg < 2, angle, animal.sprawl)
    points = [reach.top, *places, reach.toe]
    if reach.blade is not None:
        points.insert(0, reach.blade)
    names = leg_parts(animal, leg)
    turns = [bone_frames(p, q, normal) for p, q in itertools.pairwise(points)]
    return {name: (p, t) for name, p, t in zip(names, points, [*turns, turns[-1]], strict=True)}

"""How the body of a synthetic animal moves: the trunk over its track, and legs solved to reach their footprints.

A leg is solved in its own plane as two links, each made of one or two bones: in a hind leg thigh and metatarsus turn
together (the reciprocal apparatus), in a foreleg the forearm and the cannon bone, which folds back in swing.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace

import numpy as np

from canter.anatomy.character import LEGS
from canter.motion import rotations as rot
from canter.motion.arrays import Bools, Floats
from canter.synthetic.gaits import TAU, Stride, Track, footprints, keyed, leg_phase
from canter.synthetic.proportions import Animal

Frames = dict[str, tuple[Floats, Floats]]
"""World positions `(T, 3)` and rotations `(T, 4)` by part."""
PEAKS = (0.55, 0.55, 0.40, 0.40)
"""When in its swing each foot is highest."""

STILL = Stride("stand", "", 3.0, 0.0, 1.0, (0, 0, 0, 0), 0.0, 0.0, 0.004, 1, 0.01, 0.03, 0.15)
"""Standing: a breath every three seconds, all feet down."""


def turned(yaw: Floats, pitch: Floats, roll: Floats) -> Floats:
    """Heading left, nose up, then leaning: quaternions `(T, 4)`."""
    return rot.from_euler(np.stack(np.broadcast_arrays(yaw, -pitch, roll), axis=-1), "yxz")


def spine_line(animal: Animal) -> Floats:
    """Rest places `(n + 1, 3)` of the spine joints from pelvis to chest, slightly arched."""
    u = np.linspace(0, 1, animal.spine_bones + 1)
    y = 1.12 * animal.hip * (1 - u) + 1.12 * animal.rise * u + 0.05 * animal.hip * np.sin(np.pi * u)
    return np.stack([0 * u, y, (u - 0.5) * animal.trunk], axis=-1)


@dataclass(frozen=True, eq=False)
class TrunkMotion:
    """How a trunk moves: over the ground points `point (T, 3)` with `heading (T,)`, `phase (T,)` strides after its
    start, and off its rest pose `(T,)`: `lift` in metres; in radians `tilt` nose up, `sway` to the left, `arch` of the
    back, `nod` of the neck up and `wag`, how far the tail swings; `rock` says how often a stride."""

    point: Floats
    heading: Floats
    phase: Floats
    lift: Floats
    tilt: Floats
    sway: Floats
    arch: Floats
    nod: Floats
    wag: Floats
    rock: int = 2


def stride_motion(stride: Stride, point: Floats, heading: Floats, phase: Floats) -> TrunkMotion:
    """The trunk of an animal that goes on in one gait."""
    rock = stride.rock
    return TrunkMotion(
        point,
        heading,
        phase,
        stride.bob * np.cos(TAU * rock * (phase - (0.85 if rock == 1 else 0.43))),
        stride.pitch * np.cos(TAU * rock * (phase - 0.12)),
        stride.bend * np.cos(TAU * (phase - 0.84)),
        0.8 * stride.pitch * (rock == 1) * np.cos(TAU * (phase - 0.3)),
        stride.nod * np.cos(TAU * rock * (phase - 0.3)),
        np.full(len(phase), stride.wag),
        rock,
    )


def move_trunk(animal: Animal, motion: TrunkMotion) -> Frames:
    """Spine, neck, head and tail of one take."""
    rest, bones = spine_line(animal), animal.spine_bones
    along = np.linspace(-1, 1, bones)
    turns = [
        turned(motion.heading + a * motion.sway, motion.tilt - a * motion.arch, -0.25 * a * motion.sway) for a in along
    ]
    turns.append(turns[-1])
    places = [np.zeros_like(motion.point)]
    for i in range(bones):
        places.append(places[-1] + rot.rotate(turns[i], rest[i + 1] - rest[i]))
    height = (rest[0, 1] + rest[-1, 1]) / 2 + motion.lift
    centre = motion.point + np.stack([0 * height, height, 0 * height], axis=-1) - (places[0] + places[-1]) / 2
    frames = {f"spine.{i}": (places[i] + centre, turns[i]) for i in range(bones + 1)}
    _move_neck(animal, motion.nod, frames)
    _move_tail(animal, motion, frames)
    return frames


def _move_neck(animal: Animal, nod: Floats, frames: Frames) -> None:
    chest, turn = frames[f"spine.{animal.spine_bones}"]
    place = chest + rot.rotate(turn, np.array([0, 0.02, 0.10]) * animal.hip)
    own = rot.multiply(turn, turned(0 * nod, nod, 0 * nod))
    for i in range(animal.neck_bones):
        slope = animal.neck_angle * (1.2 - 0.4 * (i + 0.5) / animal.neck_bones)
        frames[f"neck.{i}"] = (place, own)
        bone = np.array([0, np.sin(slope), np.cos(slope)]) * animal.neck / animal.neck_bones
        place = place + rot.rotate(own, bone)
    own = rot.multiply(turn, turned(0 * nod, -0.5 * nod, 0 * nod))
    frames["head"] = (place, own)
    frames["nose"] = (place + rot.rotate(own, np.array([0, -0.5, 0.85]) * animal.head), own)


def _move_tail(animal: Animal, motion: TrunkMotion, frames: Frames) -> None:
    if not animal.tail_bones:
        return
    pelvis, turn = frames["spine.0"]
    place = pelvis + rot.rotate(turn, np.array([0, 0.02, -0.12]) * animal.hip)
    bone = np.array([0, 0, -animal.tail / animal.tail_bones])
    for i in range(animal.tail_bones + 1):
        wave = TAU * (motion.phase - 0.5 * i / animal.tail_bones)
        side = motion.wag * (0.3 + 0.7 * i / animal.tail_bones) * np.cos(wave)
        droop = -animal.tail_angle * (0.7 + 0.3 * min(2 * i / animal.tail_bones, 1.5))
        own = rot.multiply(turn, turned(side, droop + 0.15 * motion.wag * np.cos(motion.rock * wave), 0 * side))
        frames[f"tail.{i}" if i < animal.tail_bones else "tail.end"] = (place, own)
        place = place + rot.rotate(own, bone)


@dataclass(frozen=True)
class Reach:
    """What one leg must do in one take: from `top (T, 3)` to `ankle` and `toe`, bending towards `pole (T, 3)`.

    `down (T,)` is whether the foot stands, `fold (T,)` how far the cannon bone folds, in radians; `blade` is where the
    scapula starts, if there is one.
    """

    top: Floats
    ankle: Floats
    toe: Floats
    pole: Floats
    fold: Floats
    down: Bools
    blade: Floats | None = None

    def span(self) -> float:
        """The longest way from top to ankle while the foot stands."""
        return float(np.linalg.norm(self.ankle - self.top, axis=-1)[self.down].max(initial=0.0))

    def within(self, longest: float) -> Reach:
        """The same, with a swinging foot drawn in where the leg would be too short for it."""
        gap = self.ankle - self.top
        distance = np.linalg.norm(gap, axis=-1, keepdims=True)
        pull = gap * (np.minimum(longest / distance, 1) - 1)
        return replace(self, ankle=self.ankle + pull, toe=self.toe + pull)


@dataclass(frozen=True, eq=False)
class Steps:
    """What one foot does: `toe (T, 3)`, where its last joint is; `phase (T,)` strides after a touchdown, of which it
    stands a share of `duty`; `down (T,)`; `lift` metres at most over the ground; `moves` is False for one that only
    stands."""

    toe: Floats
    phase: Floats
    duty: float
    down: Bools
    lift: float
    moves: bool = True


def stride_steps(animal: Animal, stride: Stride, track: Track, leg: int, seconds: Floats) -> Steps:
    """The steps of a leg in one gait along a track."""
    moves = stride.duty < 1
    phase = leg_phase(stride, leg, seconds) if moves else np.full(len(seconds), 0.3)
    toe = footprints(stride, track, leg, neutral(animal, leg), seconds, PEAKS[leg])
    return Steps(toe, phase, stride.duty, phase % 1.0 <= stride.duty, stride.lift, moves)


HELD_UP = 0.3
"""How high a lame foot is held, in hip heights."""


def held_up(animal: Animal, leg: int, point: Floats, heading: Floats) -> Steps:
    """A foot that is carried along off the ground."""
    x, y, z = neutral(animal, leg)
    toe = point + rot.rotate(rot.yaw(heading), np.array([x, y + HELD_UP * animal.hip, z]))
    still = np.zeros(len(heading), bool)
    return Steps(toe, np.full(len(heading), 0.8), CARRIED_DUTY, still, HELD_UP * animal.hip, False)


CARRIED_DUTY = 0.6
"""The duty factor by which a foot that is held up hangs as in its swing."""


def plan_leg(animal: Animal, leg: int, trunk: Frames, steps: Steps) -> Reach:
    """Where a leg begins and where it must end, frame by frame."""
    fore, side = leg < 2, 1.0 if leg % 2 == 0 else -1.0
    girdle, turn = trunk[f"spine.{animal.spine_bones}" if fore else "spine.0"]
    phase, blade = steps.phase, None
    if fore and animal.scapula:
        blade = girdle + rot.rotate(turn, np.array([side * animal.width / 3, 0.0, 0.0]))
        angle = np.radians(25) + np.radians(9) * np.cos(TAU * (phase - 0.1 * steps.duty)) * steps.moves
        down = np.stack([np.full_like(angle, 0.2 * side), -np.cos(angle), np.sin(angle)], axis=-1)
        top = blade + rot.rotate(turn, 0.33 * animal.rise * down)
    else:
        drop = 0.12 * (animal.rise if fore else animal.hip) * (2.2 if fore and not animal.sprawl else 1.0)
        top = girdle + rot.rotate(turn, np.array([side * animal.width / 2, -drop, 0.0]))
    duty = min(steps.duty, 0.95)
    ankle = steps.toe - rot.rotate(turn, _pastern(animal, phase, duty))
    across = [side, 1.2, 0.0] if animal.sprawl else [0.0, 0.0, -1.0 if fore else 1.0]
    fold = keyed(phase, [(0.0, 0.0), (duty, 0.05), (duty + 0.45 * (1 - duty), 1.0)])
    fold = fold * min(1.5, 0.6 + 3.0 * steps.lift / animal.hip) * steps.moves * (not animal.sprawl)
    return Reach(top, ankle, steps.toe, rot.rotate(turn, np.array(across)), fold, steps.down, blade)


def neutral(animal: Animal, leg: int) -> Floats:
    """Where a foot stands below the body in the middle of its stance."""
    fore, side = leg < 2, 1.0 if leg % 2 == 0 else -1.0
    place = 0.5 * animal.trunk * (1 if fore else -1) + (0.05 if fore else -0.02) * animal.hip
    if fore and animal.scapula:
        place += 0.06 * animal.rise
    across = animal.splay * animal.width / 2
    if animal.sprawl:
        across = animal.width / 2 + animal.splay * animal.hip
    return np.array([side * across, animal.sole, place])


def _pastern(animal: Animal, phase: Floats, duty: float) -> Floats:
    """From ankle or fetlock to the toe, in the body's frame: sloping forward in stance, trailing as the foot lifts."""
    flat, swing = animal.flat, 1 - duty
    trail = -0.6 if animal.flat > 0.5 else -0.2
    keys = [(0.0, flat), (0.55 * duty, flat), (duty, 0.1), (duty + 0.3 * swing, trail), (duty + 0.85 * swing, flat)]
    angle = keyed(phase, keys)
    return np.stack([0 * angle, -np.cos(angle), np.sin(angle)], axis=-1) * animal.pastern


def leg_bones(animal: Animal, fore: bool, needed: float) -> Floats:
    """Lengths of upper, lower and cannon bone for a leg that must span `needed` metres."""
    shares = np.array([0.32, 0.40, 0.28]) if fore else np.array([0.36, 0.37, 0.27])
    if not animal.cannon:
        shares = np.array([0.5, 0.5, 0.0])
    slack = 1 + (animal.crouch - 1) * (0.6 if fore and not animal.sprawl else 1.0)
    return shares * needed * slack / full_span(shares, fore)


def full_span(bones: Floats, fore: bool) -> float:
    """How far a leg of those bones reaches when straight."""
    first, second = links(bones, np.zeros(1), fore)
    return float(np.abs(first[0]) + np.abs(second[0]))


HOCK_LEAN = -0.45
"""How far the metatarsus leans back from the thigh's direction, in radians."""


def links(bones: Floats, fold: Floats, fore: bool) -> tuple[Floats, Floats]:
    """The two links as complex numbers: real along the first bone, imaginary towards the pole."""
    upper, lower, cannon = bones
    if fore:
        return np.full(len(fold), upper + 0j), lower + cannon * np.exp(1j * fold)
    return np.full(len(fold), upper + cannon * np.exp(1j * HOCK_LEAN)), np.full(len(fold), lower + 0j)


def limited_fold(fold: Floats, bones: Floats, distance: Floats) -> Floats:
    """No more folding than lets a foreleg still reach."""
    upper, lower, cannon = bones
    if cannon <= 0:
        return fold
    short = np.maximum(1.02 * distance - upper, 0)
    most = np.arccos(np.clip((short**2 - lower**2 - cannon**2) / (2 * lower * cannon), -1, 1))
    # A soft minimum, so that the wrist does not jerk where the limit starts to bind.
    result: Floats = most * np.tanh(fold / np.maximum(most, 1e-6))
    return result


def solve_leg(reach: Reach, bones: Floats, fore: bool) -> tuple[list[Floats], Floats]:
    """The joints below the top, down to the ankle, `(T, 3)` each, and the normal of the leg's plane `(T, 3)`.

    Law of cosines on the two links; the middle joint goes towards the pole.
    """
    gap = reach.ankle - reach.top
    distance = np.linalg.norm(gap, axis=-1)
    along = gap / distance[:, None]
    side = rot.normalize(reach.pole - np.sum(reach.pole * along, axis=-1, keepdims=True) * along)
    upper, lower, cannon = bones
    fold = limited_fold(reach.fold, bones, distance) if fore else reach.fold
    first, second = links(bones, fold, fore)
    a, b = np.abs(first), np.abs(second)
    cosine = np.clip((a * a + distance**2 - b * b) / (2 * a * distance), -1, 1)
    link = a * np.exp(1j * np.arccos(cosine))
    turn_a, turn_b = link / first, (distance - link) / second
    knee = upper * turn_a
    ends = [knee, knee + lower * turn_b]
    if cannon > 0:
        last = np.exp(1j * fold) * turn_b if fore else np.exp(1j * HOCK_LEAN) * turn_a
        ends.append(ends[-1] + cannon * last)
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


def pose_leg(names: list[str], reach: Reach, bones: Floats, fore: bool) -> Frames:
    """Frames of every joint of one leg."""
    reach = reach.within(0.99 * full_span(bones, fore))
    places, normal = solve_leg(reach, bones, fore)
    points = [reach.top, *places, reach.toe]
    if reach.blade is not None:
        points.insert(0, reach.blade)
    turns = [bone_frames(p, q, normal) for p, q in itertools.pairwise(points)]
    return {name: (p, t) for name, p, t in zip(names, points, [*turns, turns[-1]], strict=True)}

"""Hinges of a body: about which axes its segments turn, how far, and how strong the servos there are.

Axes and limits come from the animal's own clips, strengths from its weight and hip height, damping from the inertia of
what hangs on each joint.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from canter.body.segments import Segment, total_mass
from canter.motion import rotations as rot
from canter.motion.arrays import Floats
from canter.motion.constants import GRAVITY

MIN_AXIS_RMS = math.radians(5)
"""A turn about a further axis that is larger than this in the clips gets a hinge of its own."""
MAX_ANGLE = 3.1
"""The greatest angle of a hinge, short of half a turn."""
MIN_HINGES = {"trunk": 3, "neck": 2, "head": 2, "tail": 2, "hip": 3, "upper": 1, "lower": 1}
"""Hinges of a segment by its role, at least: hips are balls, whatever the clips show."""
MARGINS = {
    "trunk": (0.15, 0.15, 0.15),
    "neck": (0.4, 0.4, 0.2),
    "head": (0.4, 0.3, 0.2),
    "tail": (0.8, 0.8, 0.3),
    "hip": (0.4, 0.45, 0.3),
    "upper": (0.35, 0.25, 0.2),
    "lower": (0.35, 0.25, 0.2),
}
"""Radians beyond what the clips show to which the first, second and third hinge of a segment turn."""
STIFFNESS = {"trunk": 5.0, "neck": 2.0, "head": 0.6, "hip": 1.4, "upper": 1.4, "lower": 1.0}
"""Torque a radian of the servo at a joint, in weights times hip heights: legs carry the weight. Stiffer legs bounce off
the ground in a trot, softer ones tip over where feet stand close together. It is that of a leg of `USUAL_BONES`; joints
of legs with more are stiffer in proportion, for they give way one after the other."""
USUAL_BONES = 3
MIN_TIP_STIFFNESS = 1.6
"""The least moment a radian with which the legs right a trunk that tips over sideways, as a multiple of the moment with
which its weight tips it further: who stands with its feet close together needs stiffer legs."""
MAX_TORQUE = {"trunk": 3.0, "neck": 0.8, "head": 0.3, "hip": 1.2, "upper": 1.2, "lower": 0.9}
"""The greatest torque of a joint, in weights times hip heights."""
DAMPING_RATIO = 1.0
"""Of a joint's servo with all that hangs on it, free in the air."""
TAIL_SWINGS_A_SECOND, TAIL_DAMPING_RATIO = 2.0, 0.5
"""How tails, which have no servo, swing by themselves, for hips of a metre; small animals faster."""
ARMATURE = 2e-3
"""Inertia that every servo adds to its hinge, in masses times hip heights squared: muscles move with their bones."""


@dataclass(frozen=True, eq=False)
class Hinge:
    """A turn of a segment about an `axis (3,)` (in the axes of the world, in the bind pose) from `low` to `high`.

    `stiffness` in Nm/rad and `damping` in Nm s/rad are those of its servo or, if it is `passive`, of its spring;
    `max_torque` in Nm; `armature` in kg m².
    """

    name: str
    segment: int
    axis: Floats
    low: float
    high: float
    stiffness: float
    damping: float
    max_torque: float
    armature: float
    passive: bool = False


def hinge_angles(turn: Floats, frame: Floats, count: int) -> Floats:
    """The angles `(..., count)` of one to three hinges about the columns of `frame (..., 3, 3)`, one after the other,
    that make a `turn (..., 4)`, or come near it."""
    parts = np.einsum("...i,...ij->...j", turn[..., 1:], frame)
    if count == 1:
        angle = 2 * np.arctan2(parts[..., 0], turn[..., 0])
        return _wrapped(angle)[..., None]
    w, (x, y, z) = turn[..., 0], np.moveaxis(parts, -1, 0)
    second = np.arcsin(np.clip(2 * (x * z + w * y), -1.0, 1.0))
    first = np.arctan2(2 * (w * x - y * z), 1 - 2 * (x * x + y * y))
    third = np.arctan2(2 * (w * z - x * y), 1 - 2 * (y * y + z * z))
    result: Floats = np.stack([first, second, third], -1)[..., :count]
    return result


def _wrapped(angle: Floats) -> Floats:
    result: Floats = (angle + math.pi) % (2 * math.pi) - math.pi
    return result


def make_hinges(
    segments: Sequence[Segment], hip_height: float, going: Floats, anything: Floats
) -> tuple[tuple[Hinge, ...], Floats]:
    """The hinges of segments, and the axes of each segment's as columns `(S, 3, 3)`: about what it turns about in its
    gaits, limits by all that it does, both as turns of every segment from the one above it `(T, S, 4)`."""
    frames, hinges = np.tile(np.eye(3), (len(segments), 1, 1)), list[Hinge]()
    for number, segment in enumerate(segments):
        if segment.parent < 0:
            continue
        frames[number], count = _axes(segment, going[:, number])
        angles = hinge_angles(anything[:, number], frames[number], count)
        for k in range(count):
            margin = MARGINS[segment.role][k]
            low, high = float(angles[:, k].min()) - margin, float(angles[:, k].max()) + margin
            low, high = max(low, -MAX_ANGLE), min(high, MAX_ANGLE)
            hinges.append(_hinge(segments, hip_height, number, k, frames[number][:, k], low, high))
    return _stiffened(segments, hinges), frames


def _stiffened(segments: Sequence[Segment], hinges: Sequence[Hinge]) -> tuple[Hinge, ...]:
    """The same with legs that are stiff enough to stand on."""
    mass = total_mass(segments)
    centre_height = sum(segment.mass * segment.centre[1] for segment in segments) / mass
    short = MIN_TIP_STIFFNESS * mass * GRAVITY * centre_height / max(tip_stiffness(segments, hinges), 1e-9)
    if short <= 1.0:
        return tuple(hinges)
    return tuple(
        hinge
        if segments[hinge.segment].leg < 0
        else replace(hinge, stiffness=hinge.stiffness * short, damping=hinge.damping * math.sqrt(short))
        for hinge in hinges
    )


def tip_stiffness(segments: Sequence[Segment], hinges: Sequence[Hinge]) -> float:
    """The moment in Nm a radian with which the servos of the legs right a trunk that tips over sideways in the bind
    pose: each leg gives way by what all its hinges do."""
    total = 0.0
    for segment in segments:
        if segment.role == "lower":
            mine = [hinge for hinge in hinges if segments[hinge.segment].leg == segment.leg]
            lifts = [np.cross(hinge.axis, segment.end - segments[hinge.segment].place)[1] for hinge in mine]
            give = sum(lift**2 / hinge.stiffness for lift, hinge in zip(lifts, mine, strict=True))
            total += float(segment.end[0] ** 2 / max(give, 1e-12))
    return total


def _axes(segment: Segment, turns: Floats) -> tuple[Floats, int]:
    """Axes of a segment's hinges as columns `(3, 3)`, and how many it needs.

    Legs bend first about the axis that the clips bend them most about, hips also about the animal's length; trunk, neck
    and tail nod, swing and roll.
    """
    vectors = rot.log(turns)
    if segment.leg < 0:
        frame = np.eye(3)
    else:
        values, axes = np.linalg.eigh(vectors.T @ vectors / len(vectors))
        main = axes[:, -1] if values[-1] > MIN_AXIS_RMS**2 else np.array([1.0, 0.0, 0.0])
        main = main if main[0] >= 0 else -main
        if main[0] < 0.7:  # not what a leg bends about: a rig that twists its bones
            main = np.array([1.0, 0.0, 0.0])
        spread = np.array([0.0, 0.0, 1.0]) - main[2] * main
        spread /= np.linalg.norm(spread)
        frame = np.stack([main, spread, np.cross(main, spread)], -1)
    rms = np.sqrt(np.mean((vectors @ frame) ** 2, axis=0))
    needed = 1 + int(rms[1] > MIN_AXIS_RMS or rms[2] > MIN_AXIS_RMS) + int(rms[2] > MIN_AXIS_RMS)
    return frame, max(needed, MIN_HINGES[segment.role])


def _hinge(
    segments: Sequence[Segment], hip_height: float, number: int, order: int, axis: Floats, low: float, high: float
) -> Hinge:
    """A hinge with gains by what it carries, and by the inertia of what hangs on it."""
    segment, mass = segments[number], total_mass(segments)
    scale, armature = mass * GRAVITY * hip_height, ARMATURE * mass * hip_height**2
    name = f"{segment.name}_{'xyz'[order]}"
    if segment.role == "tail":
        frequency = 2 * math.pi * TAIL_SWINGS_A_SECOND / math.sqrt(hip_height)
        inertia = _inertia_below(segments, number, axis)
        stiffness, armature = inertia * frequency**2, 0.1 * inertia
        damping = 2 * TAIL_DAMPING_RATIO * inertia * frequency
        return Hinge(name, number, axis, low, high, stiffness, damping, math.inf, armature, passive=True)
    bones = sum(other.leg == segment.leg for other in segments) if segment.leg >= 0 else USUAL_BONES
    stiffness = STIFFNESS[segment.role] * scale * max(bones / USUAL_BONES, 1.0)
    damping = 2 * DAMPING_RATIO * math.sqrt(stiffness * (_inertia_below(segments, number, axis) + armature))
    return Hinge(name, number, axis, low, high, stiffness, damping, MAX_TORQUE[segment.role] * scale, armature)


def _inertia_below(segments: Sequence[Segment], number: int, axis: Floats) -> float:
    """The inertia in kg m² of a segment and all that hangs on it, about an axis through its joint."""
    below, total = {number}, 0.0
    for k, segment in enumerate(segments):
        if k in below or segment.parent in below:
            below.add(k)
            away = segment.centre - segments[number].place
            across = away - (away @ axis) * axis
            total += float(axis @ segment.inertia @ axis) + segment.mass * float(across @ across)
    return total

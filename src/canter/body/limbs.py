"""Legs for an animal that came without a body: tapered bones, the muscles behind them, and paws or hooves."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from canter.anatomy import Leg
from canter.body.frame import Frame, back_line, carrier, girdles, trunk_joints
from canter.body.parts import Capsule, Ellipsoid, Part
from canter.motion.arrays import Floats

COAT, PALE, DARK = "#9a6b45", "#b98d64", "#4a3526"

CELL = 0.014
"""The grid in hip heights; between two lower legs at least three cells stay free, or they would grow together."""
LEG_AT = (0.0, 0.25, 0.5, 0.72, 1.0)
"""Shares of a leg's length from hip to sole, where the next rows give its radius in leg lengths."""
FORE_RADII = (0.090, 0.078, 0.050, 0.038, 0.034)
HIND_RADII = (0.120, 0.090, 0.054, 0.038, 0.034)
LEG_THIN = (1.5, 1.4, 1.2, 1.1, 1.05)
SLENDER, STOUT, STOUTEST = 0.14, 5.0, 1.6
"""A leg is thicker where it stands farther than this from the middle, by so much a leg length, at most so much."""
UPRIGHT = 0.7
"""A leg that is less high than this share of its length sprawls, and has no muscles behind its bones."""
HOOVES = 0.85
"""Animals whose hips are higher than this, in metres, get hooves."""


@dataclass(frozen=True)
class Muscle:
    """A mass between two shares of a leg, so far behind its bones and so thick there, in leg lengths."""

    shares: tuple[float, float]
    behind: tuple[float, float]
    radii: tuple[float, float]
    thin: float


FORE_MUSCLES = (
    Muscle((0.02, 0.36), (0.055, 0.030), (0.075, 0.046), 1.5),
    Muscle((0.38, 0.58), (-0.010, -0.002), (0.052, 0.036), 1.2),
)
HIND_MUSCLES = (
    Muscle((0.02, 0.35), (0.085, 0.045), (0.105, 0.052), 1.6),
    Muscle((0.38, 0.58), (0.030, 0.016), (0.050, 0.030), 1.25),
)


@dataclass(frozen=True, eq=False)
class Path:
    """A leg from hip to toe: its `joints`, their `points (N, 3)`, and the share of its `length` at each of them."""

    joints: list[int]
    points: Floats
    at: Floats
    length: float

    @staticmethod
    def of(frame: Frame, leg: Leg) -> Path:
        joints = list(leg.joints[leg.joints.index(leg.hip) :])
        points = frame.place[joints]
        bones = np.linalg.norm(np.diff(points, axis=0), axis=1)
        length = max(float(bones.sum()), 0.2 * frame.unit)
        return Path(joints, points, np.concatenate([[0.0], np.cumsum(bones)]) / length, length)

    def point(self, share: float) -> Floats:
        return np.array([np.interp(share, self.at, self.points[:, i]) for i in range(3)])

    def joint(self, share: float) -> int:
        """The joint that carries the bone at that share of the length."""
        before = np.searchsorted(self.at, share, side="right") - 1
        return self.joints[int(np.clip(before, 0, max(len(self.joints) - 2, 0)))]

    @property
    def upright(self) -> bool:
        return bool(self.points[0, 1] - self.points[-1, 1] > UPRIGHT * self.length)


def leg_parts(frame: Frame, leg: Leg) -> list[Part]:
    """Bones, muscles and foot of one leg."""
    path, fore = Path.of(frame, leg), leg.name.endswith("F")
    away = abs(float(path.points[0, 0] - girdles(frame)[int(fore)][0])) / path.length
    stout = min(max(1.0, 1.0 + STOUT * (away - SLENDER)), STOUTEST)
    size = 0.5 * stout * (frame.unit + 0.85 * path.length) / frame.unit
    thin = np.interp(path.at, LEG_AT, LEG_THIN)
    room = _room(frame, path, thin)
    radii = np.minimum(size * np.interp(path.at, LEG_AT, FORE_RADII if fore else HIND_RADII), room)
    parts = [*_top(frame, leg, float(radii[0])), *_bones(frame, leg, path, radii, thin)]
    for muscle in (FORE_MUSCLES if fore else HIND_MUSCLES) if path.upright else ():
        parts.append(_muscle(frame, leg, path, muscle, size, float(np.interp(muscle.shares[1], path.at, room))))
    return [*parts, *_foot(frame, leg, path, size, float(room[-1]))]


def _room(frame: Frame, path: Path, thin: Floats) -> Floats:
    """The greatest radius at each joint that leaves some air between the two legs of a pair."""
    other = frame.place[frame.character.anatomy.mirror[path.joints]]
    beside = np.abs(other - path.points)[:, 2] < 0.2 * frame.unit
    gap = np.where(beside, np.abs(other - path.points)[:, 0], np.linalg.norm(other - path.points, axis=1))
    room = np.where((path.at > 0.35) & (gap > 0), thin * (gap / 2 / frame.unit - 1.5 * CELL), 1.0)
    widest: Floats = np.maximum(room, 0.015)
    return widest


def _bones(frame: Frame, leg: Leg, path: Path, radii: Floats, thin: Floats) -> list[Part]:
    parts: list[Part] = []
    for i, joint in enumerate(path.joints[:-1]):
        if path.at[i + 1] - path.at[i] < 1e-4:
            continue
        start = _below_back(frame, path.points[i], float(radii[i]))
        spots = frame.spot(joint, start), frame.spot(joint, path.points[i + 1])
        blend, soft = (0.06, 0.05) if path.at[i] < 0.2 else (0.03, 0.025)
        color = PALE if path.at[i] > 0.6 else COAT
        ends = float(radii[i]), float(radii[i + 1])
        parts.append(Capsule(joint, *spots, *ends, color, float(thin[i]), blend, leg.name, soft))
    return parts


def _muscle(frame: Frame, leg: Leg, path: Path, muscle: Muscle, size: float, room: float) -> Part:
    joint = path.joint(float(np.mean(muscle.shares)))
    first, last = (min(size * radius, max(room, 0.015)) for radius in muscle.radii)
    start, end = (
        path.point(share) - np.array([0.0, 0.0, back * size * frame.unit])
        for share, back in zip(muscle.shares, muscle.behind, strict=True)
    )
    spots = frame.spot(joint, _below_back(frame, start, first)), frame.spot(joint, end)
    return Capsule(joint, *spots, first, last, COAT, muscle.thin, 0.05, leg.name, 0.045)


def _below_back(frame: Frame, point: Floats, radius: float) -> Floats:
    """`point`, lowered so that a ball around it does not stand out of the back."""
    hind, fore = girdles(frame)
    tops = back_line(frame, trunk_joints(frame))
    top = float(np.interp(point[2], (hind[2], fore[2]), tops)) - 0.03 * frame.unit
    result: Floats = point - np.array([0.0, max(0.0, float(point[1]) + radius * frame.unit - top), 0.0])
    return result


def _top(frame: Frame, leg: Leg, radius: float) -> list[Part]:
    """The mass that joins a leg to the trunk where its first joint lies below it."""
    hip = frame.place[leg.hip]
    joints = trunk_joints(frame)
    spine = frame.place[carrier(frame, joints, float(hip[2]))]
    gap = float(spine[1] - hip[1])
    if gap < 0.1 * frame.unit:
        return []
    inner = _below_back(frame, hip + np.array([-0.3 * hip[0], 0.6 * gap, 0.0]), 1.25 * radius)
    spots = frame.spot(leg.hip, inner), frame.spot(leg.hip, hip)
    return [Capsule(leg.hip, *spots, 1.25 * radius, 1.1 * radius, COAT, 1.5, 0.06, leg.name, 0.06)]


def _foot(frame: Frame, leg: Leg, path: Path, size: float, room: float) -> list[Part]:
    """A paw with two toes, or a hoof, carried by the last joint that bears a bone."""
    joints = path.joints
    joint = joints[-1] if frame.skeleton.children[joints[-1]] or len(joints) == 1 else joints[-2]
    sole = path.points[-1].copy()
    sole[1] = max(float(sole[1]), 0.03 * frame.unit + min(0.0, float(sole[1])))
    wide = max(0.95 * room, 0.015)

    def at(x: float, y: float, z: float) -> tuple[int, float, float, float]:
        return frame.spot(joint, sole + size * frame.unit * np.array([x, y, z]))

    if frame.unit > HOOVES:
        ends = min(0.036 * size, wide), min(0.056 * size, wide)
        return [Capsule(joint, at(0, 0.035, 0), at(0, -0.02, 0.012), *ends, DARK, 1.05, 0.012, leg.name)]
    half = min(0.052 * size, wide)
    parts: list[Part] = [
        Ellipsoid(joint, at(0, 0, 0.006), (half, 0.040 * size, 0.072 * size), PALE, 4, 0.02, leg.name, 0.02)
    ]
    for side in (1.0, -1.0):
        toe, across = (0.48 * half, 0.030 * size, 0.036 * size), 0.38 * side * half / size
        parts.append(Ellipsoid(joint, at(across, -0.004, 0.062), toe, DARK, 8, 0.012, leg.name, 0.02))
    return parts

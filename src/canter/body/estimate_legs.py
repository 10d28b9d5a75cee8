"""Legs of an estimated body: tapered bones, the muscles behind them, and paws or hooves."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from canter.anatomy import Leg
from canter.body.measures import (
    BoundCharacter,
    back_heights,
    floor_height,
    girdle_centres,
    trunk_joint_near,
    trunk_joints,
)
from canter.body.parts import Capsule, Ellipsoid, Part
from canter.motion.arrays import Floats

COAT, PALE, DARK = "#9a6b45", "#b98d64", "#4a3526"

CELL_HIP_HEIGHTS = 0.014
"""The grid's cell; three cells stay free between two lower legs, or they would grow together."""
LEG_POSITIONS = (0.0, 0.25, 0.5, 0.72, 1.0)
"""Positions from hip (0) to sole (1); below: radii there in leg lengths, and how much deeper than wide a leg is."""
FORE_RADII = (0.090, 0.078, 0.050, 0.038, 0.034)
HIND_RADII = (0.120, 0.090, 0.054, 0.038, 0.034)
LEG_DEPTH_PER_WIDTH = (1.5, 1.4, 1.2, 1.1, 1.05)
STOUT_FROM, STOUTNESS_GAIN, MAX_STOUTNESS = 0.14, 5.0, 1.6
"""A leg is stouter the farther its hip is from the midline: from how many leg lengths on, gain, largest factor."""
COLUMN_SHARES = (0.3, 0.7), (0.0, 1.0)
"""Positions on a leg between which stoutness begins to count a second time: stout legs are columns."""
MIN_SPRAWL, MIN_SPRAWLING_TRACK = 0.12, 0.45
"""How far outside its hip, and from the midline, a foot stands at least that sprawls, in hip heights."""
MIN_UPRIGHT_SHARE = 0.7
"""A leg whose height is a smaller fraction of its length sprawls, and has no muscles behind its bones."""
MIN_MISSING_BONE = 0.02
"""Hip heights from the end of a leg to the middle of its foot above which there is a bone between them."""
PASTERN_LEAN = (0.3, 0.8)
"""How far forward the last bone of a leg goes per length downward, at least and at most, where the rig lacks it."""
FOOT_HEIGHT = 0.034
"""The height of the middle of a foot above the ground, in the unit of a leg's radii: less than the half height of a paw
or a hoof, so that its sole is flat."""
MIN_FOOT_CELLS, FREE_CELLS = 1.7, 1.5
"""Cells of the grid that a foot is at least wide to either side, or the grid would miss its sole; and that stay free
between two feet that stand close together for its sake."""
HOOF_HIP_HEIGHT_M = 0.85
"""Animals with higher hips get hooves, others paws."""


@dataclass(frozen=True)
class Muscle:
    """A mass between two positions on a leg; how far behind the bones it is and its radii, both in leg lengths."""

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
class LegPath:
    """A leg from hip to toe: its `joints`, their `points (N, 3)` in metres and positions `at (N,)` along it, 0 to 1."""

    joints: list[int]
    points: Floats
    at: Floats
    length: float

    @staticmethod
    def of(bound: BoundCharacter, leg: Leg) -> LegPath:
        joints = list(leg.joints[leg.joints.index(leg.hip) :])
        points = bound.place[joints]
        bones = np.linalg.norm(np.diff(points, axis=0), axis=1)
        length = max(float(bones.sum()), 0.2 * bound.unit)
        return LegPath(joints, points, np.concatenate([[0.0], np.cumsum(bones)]) / length, length)

    def point(self, share: float) -> Floats:
        """The point `(3,)` at a fraction of the length."""
        return np.array([np.interp(share, self.at, self.points[:, i]) for i in range(3)])

    def joint(self, share: float) -> int:
        """The joint that carries the bone at a fraction of the length."""
        before = np.searchsorted(self.at, share, side="right") - 1
        return self.joints[int(np.clip(before, 0, max(len(self.joints) - 2, 0)))]

    @property
    def upright(self) -> bool:
        return bool(self.points[0, 1] - self.points[-1, 1] > MIN_UPRIGHT_SHARE * self.length)


def legs_sprawl(bound: BoundCharacter) -> bool:
    """Whether feet stand well outside their hips, as those of lizards do."""
    anatomy = bound.character.anatomy
    hips, feet = np.abs(bound.place[anatomy.hips, 0]), np.abs(bound.place[anatomy.feet, 0])
    outward, track = float(np.median(feet - hips)) / bound.unit, float(np.median(feet)) / bound.unit
    return outward > MIN_SPRAWL and track > MIN_SPRAWLING_TRACK


def leg_parts(bound: BoundCharacter, leg: Leg) -> list[Part]:
    """Bones, muscles and foot of one leg."""
    path, fore = LegPath.of(bound, leg), leg.name.endswith("F")
    away = abs(float(path.points[0, 0] - girdle_centres(bound)[int(fore)][0])) / path.length
    stout = min(max(1.0, 1.0 + STOUTNESS_GAIN * (away - STOUT_FROM)), MAX_STOUTNESS)
    size = 0.5 * stout * (bound.unit + 0.85 * path.length) / bound.unit
    thin = np.interp(path.at, LEG_POSITIONS, LEG_DEPTH_PER_WIDTH)
    room = _max_radii(bound, path, thin)
    columns = 1.0 + (stout - 1.0) * np.interp(path.at, *COLUMN_SHARES)
    radii = columns * size * np.interp(path.at, LEG_POSITIONS, FORE_RADII if fore else HIND_RADII)
    radii = np.minimum(radii, room)
    parts = [*_hip_muscle(bound, leg, float(radii[0])), *_bones(bound, leg, path, radii, thin)]
    for muscle in (FORE_MUSCLES if fore else HIND_MUSCLES) if path.upright else ():
        parts.append(_muscle(bound, leg, path, muscle, size, float(np.interp(muscle.shares[1], path.at, room))))
    return [*parts, *_foot(bound, leg, path, size, float(radii[-1]), float(room[-1]))]


def _max_radii(bound: BoundCharacter, path: LegPath, thin: Floats) -> Floats:
    """The largest radius `(N,)` at each joint, in hip heights, that leaves a gap between the legs of a pair."""
    other = bound.place[bound.character.anatomy.mirror[path.joints]]
    beside = np.abs(other - path.points)[:, 2] < 0.2 * bound.unit
    gap = np.where(beside, np.abs(other - path.points)[:, 0], np.linalg.norm(other - path.points, axis=1))
    room = np.where((path.at > 0.35) & (gap > 0), thin * (gap / 2 / bound.unit - 1.5 * CELL_HIP_HEIGHTS), 1.0)
    widest: Floats = np.maximum(room, 0.015)
    return widest


def _bones(bound: BoundCharacter, leg: Leg, path: LegPath, radii: Floats, thin: Floats) -> list[Part]:
    parts: list[Part] = []
    for i, joint in enumerate(path.joints[:-1]):
        if path.at[i + 1] - path.at[i] < 1e-4:
            continue
        start = _below_back(bound, path.points[i], float(radii[i]))
        spots = bound.spot(joint, start), bound.spot(joint, path.points[i + 1])
        blend, soft = (0.06, 0.05) if path.at[i] < 0.2 else (0.03, 0.025)
        color = PALE if path.at[i] > 0.6 else COAT
        ends = float(radii[i]), float(radii[i + 1])
        parts.append(Capsule(joint, *spots, *ends, color, float(thin[i]), blend, leg.name, soft))
    return parts


def _muscle(bound: BoundCharacter, leg: Leg, path: LegPath, muscle: Muscle, size: float, room: float) -> Part:
    joint = path.joint(float(np.mean(muscle.shares)))
    first, last = (min(size * radius, max(room, 0.015)) for radius in muscle.radii)
    start, end = (
        path.point(share) - np.array([0.0, 0.0, back * size * bound.unit])
        for share, back in zip(muscle.shares, muscle.behind, strict=True)
    )
    spots = bound.spot(joint, _below_back(bound, start, first)), bound.spot(joint, end)
    return Capsule(joint, *spots, first, last, COAT, muscle.thin, 0.05, leg.name, 0.045)


def _below_back(bound: BoundCharacter, point: Floats, radius: float) -> Floats:
    """`point (3,)`, lowered until a ball around it does not protrude from the back."""
    hind, fore = girdle_centres(bound)
    tops = back_heights(bound, trunk_joints(bound))
    top = float(np.interp(point[2], (hind[2], fore[2]), tops)) - 0.03 * bound.unit
    result: Floats = point - np.array([0.0, max(0.0, float(point[1]) + radius * bound.unit - top), 0.0])
    return result


def _hip_muscle(bound: BoundCharacter, leg: Leg, radius: float) -> list[Part]:
    """The mass that connects a leg to a trunk joint above its hip."""
    hip = bound.place[leg.hip]
    joints = trunk_joints(bound)
    spine = bound.place[trunk_joint_near(bound, joints, float(hip[2]))]
    gap = float(spine[1] - hip[1])
    if gap < 0.1 * bound.unit:
        return []
    inner = _below_back(bound, hip + np.array([-0.3 * hip[0], 0.6 * gap, 0.0]), 1.25 * radius)
    spots = bound.spot(leg.hip, inner), bound.spot(leg.hip, hip)
    return [Capsule(leg.hip, *spots, 1.25 * radius, 1.1 * radius, COAT, 1.5, 0.06, leg.name, 0.06)]


def _foot(bound: BoundCharacter, leg: Leg, path: LegPath, size: float, radius: float, room: float) -> list[Part]:
    """A paw with two toes, or a hoof, carried by the last joint that has a bone; a rig that ends above the ground gets
    the bone that is missing down to it."""
    joints = path.joints
    joint = joints[-1] if bound.skeleton.children[joints[-1]] or len(joints) == 1 else joints[-2]
    end, sole = path.points[-1], _sole(bound, path, size)
    parts: list[Part] = []
    if end[1] - sole[1] > MIN_MISSING_BONE * bound.unit:
        joint = joints[-1]
        spots = bound.spot(joint, end), bound.spot(joint, sole)
        parts.append(Capsule(joint, *spots, radius, radius, PALE, LEG_DEPTH_PER_WIDTH[-1], 0.03, leg.name, 0.025))
    wide = max(0.95 * room, 0.015, min(MIN_FOOT_CELLS * CELL_HIP_HEIGHTS, _half_gap(bound, path)))

    def at(x: float, y: float, z: float) -> tuple[int, float, float, float]:
        return bound.spot(joint, sole + size * bound.unit * np.array([x, y, z]))

    if bound.unit > HOOF_HIP_HEIGHT_M:
        ends = min(max(0.036 * size, radius), wide), min(max(0.056 * size, 1.15 * radius), wide)
        return [*parts, Capsule(joint, at(0, 0.035, 0), at(0, -0.02, 0.012), *ends, DARK, 1.05, 0.012, leg.name)]
    half = min(0.052 * size, wide)
    parts.append(Ellipsoid(joint, at(0, 0, 0.006), (half, 0.040 * size, 0.072 * size), PALE, 4, 0.02, leg.name, 0.02))
    for side in (1.0, -1.0):
        toe, across = (0.48 * half, 0.030 * size, 0.036 * size), 0.38 * side * half / size
        parts.append(Ellipsoid(joint, at(across, -0.004, 0.062), toe, DARK, 8, 0.012, leg.name, 0.02))
    return parts


def _half_gap(bound: BoundCharacter, path: LegPath) -> float:
    """From the end of a leg half of the way to that of its partner, less what must stay free there, in hip heights."""
    other = bound.place[bound.character.anatomy.mirror[path.joints[-1]]]
    return float(np.linalg.norm(other - path.points[-1])) / 2 / bound.unit - FREE_CELLS / 2 * CELL_HIP_HEIGHTS


def _sole(bound: BoundCharacter, path: LegPath, size: float) -> Floats:
    """The middle of a foot `(3,)`: at the end of its leg, or where the last bone would go on to the ground."""
    end: Floats = path.points[-1].copy()
    floor = floor_height(bound)
    if floor is None:
        end[1] = max(float(end[1]), 0.03 * bound.unit + min(0.0, float(end[1])))
        return end
    height = max(FOOT_HEIGHT * size, 0.03) * bound.unit + floor * bound.unit
    last = path.points[-1] - path.points[-2] if len(path.points) > 1 else np.zeros(3)
    lean = float(np.clip(last[2] / max(-float(last[1]), 1e-6), *PASTERN_LEAN))
    missing = max(float(end[1]) - height, 0.0)
    result: Floats = np.array([end[0], height, end[2] + lean * missing])
    return result

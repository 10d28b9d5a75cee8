"""A body for an animal that came without one: radii guessed from the lengths of its bones and from its anatomy.

Legs taper, the barrel hangs between the girdles below the spine, neck and head and tail follow their joints. The
profiles are those of our own horse and dog, in shares of leg and trunk length. Whatever is no quadruped gets a rounded
bone for every bone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from canter.anatomy import Character, Leg
from canter.body.parts import Bend, Body, Capsule, Ellipsoid, Paint, Part
from canter.body.stance import bind_pose
from canter.motion import Skeleton, forward
from canter.motion.arrays import Floats

COAT, PALE, DARK, NOSE, EYE = "#9a6b45", "#b98d64", "#4a3526", "#1c1512", "#0c0a09"

LEG_AT = (0.0, 0.25, 0.5, 0.72, 1.0)
"""Shares of a leg's length from hip to sole, where the next rows give its radius in leg lengths."""
FORE_RADII = (0.090, 0.078, 0.052, 0.038, 0.034)
HIND_RADII = (0.130, 0.092, 0.058, 0.038, 0.034)
LEG_THIN = (1.5, 1.4, 1.2, 1.1, 1.05)
CELL = 0.014
"""The grid in hip heights; between two lower legs at least two cells stay free, or they would grow together."""

TRUNK_AT = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Shares of the way from the hips to the shoulders; depth and half width of the trunk there, in trunk lengths."""
TRUNK_DEPTHS = (0.34, 0.36, 0.44, 0.52, 0.54)
TRUNK_WIDTHS = (0.18, 0.18, 0.20, 0.19, 0.16)
TRUNK_REACH = 0.30
BACK = 0.10
"""How far the back is above the spine, in trunk lengths."""
STEEP = 0.12
"""How much higher one end of the back may be than the other, in trunk lengths."""
CLEARANCE = 0.53
"""The lowest that a belly hangs, as a share of the height of the back."""


@dataclass(frozen=True, eq=False)
class Frame:
    """A character in its bind pose: `place (J, 3)` in metres, and the joints that are no part of the body."""

    character: Character
    place: Floats
    unit: float

    @property
    def skeleton(self) -> Skeleton:
        return self.character.skeleton

    def spot(self, joint: int, target: Floats) -> tuple[int, float, float, float]:
        """The point `target (3,)` as an offset from a joint, in hip heights."""
        x, y, z = ((target - self.place[joint]) / self.unit).tolist()
        return (joint, x, y, z)

    def middle(self, joints: list[int]) -> Floats:
        centre: Floats = self.place[joints].mean(axis=0)
        return centre

    def is_symmetric(self) -> bool:
        """Whether the two sides are each other's mirror image, within a hundredth of the hip height."""
        partner = self.character.anatomy.mirror
        used = self.used()
        gap = self.place[partner] * np.array([-1.0, 1.0, 1.0]) - self.place
        return bool(np.abs(gap[used]).max() < 0.01 * self.unit)

    def used(self) -> list[int]:
        ignored = set(self.character.anatomy.ignored)
        return [joint for joint in range(len(self.skeleton)) if joint not in ignored]


def estimate_body(character: Character) -> Body:
    """A body's table for any character, to be bound in `bind_pose(character)`."""
    pose = bind_pose(character)
    place, _ = forward(character.skeleton, pose.positions, pose.rotations)
    frame = Frame(character, np.asarray(place, float), _size(character, np.asarray(place, float)))
    anatomy = character.anatomy
    four = anatomy.kind == "quadruped" and len(anatomy.legs) == 4
    parts = _quadruped(frame) if four else _bones(frame)
    groups = {"trunk": 0.0, "head": 0.04, "eyes": 0.0} | {leg.name: 0.05 for leg in (*anatomy.legs, *anatomy.arms)}
    return Body(
        unit=frame.unit,
        parts=tuple(parts),
        groups={name: radius for name, radius in groups.items() if any(part.group == name for part in parts)},
        paints=_paints(frame) if four else (),
        bends=tuple(_bends(frame)),
        cell=CELL,
        triangles=8000,
        floor=_floor(frame) if four else None,
        symmetric=frame.is_symmetric(),
        one_sided=False,
        name=character.name,
    )


def _size(character: Character, place: Floats) -> float:
    """The hip height, or half the extent of a skeleton that has none."""
    height = float(character.anatomy.hip_height)
    return height if np.isfinite(height) and height > 0 else max(0.5 * float(np.ptp(place, axis=0).max()), 1e-3)


def _floor(frame: Frame) -> float | None:
    """The height of the ground below feet that stand on it, in hip heights; None if the animal lies."""
    anatomy = frame.character.anatomy
    above = [joint for leg in anatomy.legs for joint in leg.joints[:-2]]
    sole = float(frame.place[anatomy.feet, 1].min()) / frame.unit
    stands = not above or float(frame.place[above, 1].min()) / frame.unit > sole + 0.1
    return min(0.0, sole) if stands else None


# Quadrupeds --------------------------------------------------------------------------------------


def _quadruped(frame: Frame) -> list[Part]:
    parts = _trunk(frame) + _neck(frame) + _head(frame) + _tail(frame)
    for leg in frame.character.anatomy.legs:
        parts += _leg(frame, leg, FORE_RADII if leg.name.endswith("F") else HIND_RADII)
    return parts


def _girdles(frame: Frame) -> tuple[Floats, Floats]:
    """The middle of the hips and of the shoulders."""
    anatomy = frame.character.anatomy
    hind = frame.middle([leg.hip for leg in anatomy.legs if leg.name.endswith("H")])
    fore = frame.middle([leg.hip for leg in anatomy.legs if leg.name.endswith("F")])
    return hind, fore


def _trunk_length(frame: Frame) -> float:
    hind, fore = _girdles(frame)
    return max(float(np.linalg.norm((fore - hind)[[0, 2]])), 0.4 * frame.unit)


def _trunk_joints(frame: Frame) -> list[int]:
    """The joints of the spine and those from which the legs spring, from tail to head."""
    anatomy = frame.character.anatomy
    joints = set(anatomy.spine) or {0}
    for leg in anatomy.legs:
        above = [j for j in frame.skeleton.chain(leg.joints[0])[:-1] if j in joints]
        parent = int(frame.skeleton.parents[leg.joints[0]])
        if not above and parent >= 0:
            joints.add(parent)
    joints -= {joint for leg in anatomy.legs for joint in leg.joints} | set(anatomy.ignored)
    return sorted(joints or {0}, key=lambda joint: frame.place[joint, 2])


def _carrier(frame: Frame, joints: list[int], where: float) -> int:
    """The trunk joint whose bone, forward or backward from it, is nearest to the place `where` along the body."""

    def bone_middle(joint: int) -> float:
        inner = [child for child in frame.skeleton.children[joint] if child in joints]
        end = frame.place[inner, 2].mean() if inner else frame.place[joint, 2]
        return float(frame.place[joint, 2] + end) / 2

    return min(joints, key=lambda joint: abs(bone_middle(joint) - where))


def _trunk(frame: Frame) -> list[Part]:
    hind, fore = _girdles(frame)
    joints, length, unit = _trunk_joints(frame), _trunk_length(frame), frame.unit
    tops = _back_line(frame, joints)
    narrow = float(np.abs(frame.place[frame.character.anatomy.hips, 0] - hind[0]).mean())
    ground = float(frame.place[frame.character.anatomy.feet, 1].min())
    parts: list[Part] = []
    for at, depth, width in zip(TRUNK_AT, TRUNK_DEPTHS, TRUNK_WIDTHS, strict=True):
        centre = hind + at * (fore - hind)
        top = tops[0] + at * (tops[1] - tops[0])
        bottom = max(top - depth * length, ground + CLEARANCE * (top - ground))
        half = float(np.clip(width * length, 1.15 * narrow, max(2.2 * narrow, 0.12 * length)))
        centre[1] = (top + bottom) / 2
        radii = (half / unit, max(top - bottom, 0.15 * length) / 2 / unit, TRUNK_REACH * length / unit)
        carrier = _carrier(frame, joints, float(centre[2]))
        parts.append(Ellipsoid(carrier, frame.spot(carrier, centre), radii, COAT, soft=0.05))
    return parts


def _back_line(frame: Frame, joints: list[int]) -> tuple[float, float]:
    """The height of the back over the hips and over the shoulders: above spine and girdle, and nearly level."""
    spine, length = frame.place[joints], _trunk_length(frame)
    over = [max(float(np.interp(end[2], spine[:, 2], spine[:, 1])), float(end[1])) for end in _girdles(frame)]
    lowest = max(over) - STEEP * length
    return max(over[0], lowest) + BACK * length, max(over[1], lowest) + BACK * length


def _neck(frame: Frame) -> list[Part]:
    anatomy, length, unit = frame.character.anatomy, _trunk_length(frame), frame.unit
    head = anatomy.head
    if head is None:
        return []
    _, fore = _girdles(frame)
    chest = _carrier(frame, _trunk_joints(frame), float(fore[2]))
    chain = [joint for joint in anatomy.neck if joint != head] or [chest]
    base = (frame.place[chain[0]] + fore) / 2
    points = [base, *frame.place[chain[1:]], frame.place[head]]
    radii = np.linspace(0.175, 0.105, len(points)) * length / unit
    far = float(np.linalg.norm(points[-1] - points[0]))
    radii = np.minimum(radii, max(0.45 * far, 0.12 * length) / unit)
    return [
        Capsule(
            joint,
            frame.spot(joint, points[i]),
            frame.spot(joint, points[i + 1]),
            float(radii[i]),
            float(radii[i + 1]),
            COAT,
            thin=1.3,
            blend=0.07,
            soft=0.05,
        )
        for i, joint in enumerate(chain)
    ]


def _head(frame: Frame) -> list[Part]:
    head = frame.character.anatomy.head
    if head is None:
        return []
    poll, nose = frame.place[head], _nose(frame, head)
    ahead = nose - poll
    long = float(np.linalg.norm(ahead))
    across = np.array([0.0, ahead[2], -ahead[1]]) / long
    up = across if across[1] > 0 else -across
    size = long / frame.unit

    def at(along: float, above: float, left: float = 0.0) -> tuple[int, float, float, float]:
        return frame.spot(head, poll + along * ahead + above * long * up + left * long * np.array([1.0, 0.0, 0.0]))

    parts: list[Part] = [
        Capsule(head, at(0.02, 0), at(0.32, 0.02), 0.21 * size, 0.22 * size, COAT, 1.15, 0.05, "head", 0.03),
        Capsule(head, at(0.32, 0.02), at(0.90, 0), 0.20 * size, 0.115 * size, COAT, 1.15, 0.04, "head"),
        Ellipsoid(head, at(0.97, 0.05), (0.06 * size, 0.05 * size, 0.05 * size), NOSE, 0, 0.01, "head", 0.02),
    ]
    for side in (1.0, -1.0):
        eye = (0.045 * size, 0.045 * size, 0.045 * size)
        parts.append(Ellipsoid(head, at(0.40, 0.10, 0.145 * side), eye, EYE, group="eyes", apart=True))
        tip = at(-0.04, 0.50, 0.20 * side)
        parts.append(
            Capsule(head, at(0.05, 0.14, 0.13 * side), tip, 0.085 * size, 0.03 * size, DARK, 0.9, 0.02, "head")
        )
    return parts


def _nose(frame: Frame, head: int) -> Floats:
    """The tip of the face: the joint below the head that is farthest forward, or a guess."""
    _, fore = _girdles(frame)
    usual = 0.36 * frame.unit + 0.08 * _trunk_length(frame)
    below = [joint for joint in frame.skeleton.subtree(head)[1:] if joint not in frame.character.anatomy.ignored]
    poll = frame.place[head]
    if below:
        tip = frame.place[max(below, key=lambda joint: frame.place[joint, 2])]
        middle = np.array([poll[0], tip[1], tip[2]])
        if 0.7 * usual < float(np.linalg.norm(middle - poll)) < 1.5 * usual and middle[2] > poll[2]:
            return middle
    climb = float(np.clip((poll - fore)[1] / max(float(np.linalg.norm(poll - fore)), 1e-6), 0.0, 1.0))
    down = np.radians(10 + 35 * climb)
    guess: Floats = poll + usual * np.array([0.0, -np.sin(down), np.cos(down)])
    return guess


def _tail(frame: Frame) -> list[Part]:
    tail = [joint for joint in frame.character.anatomy.tail if not frame.skeleton.end_sites[joint]]
    if not tail:
        return []
    thick, unit = 0.055 * _trunk_length(frame) / frame.unit, frame.unit
    points = [*frame.place[tail]]
    usual = float(np.linalg.norm(np.diff(points, axis=0), axis=1).mean()) if len(points) > 1 else 0.3 * unit
    last = [
        frame.place[child]
        for child in frame.skeleton.children[tail[-1]]
        if float(np.linalg.norm(frame.place[child] - points[-1])) < 2 * usual
    ]
    if last:
        points.append(last[0])
    elif len(points) > 1:
        points.append(points[-1] + 0.8 * (points[-1] - points[-2]))
    else:
        points.append(points[-1] + unit * np.array([0.0, -0.25, -0.2]))
    radii = np.interp(np.linspace(0, 1, len(points)), (0, 0.4, 1), (thick, thick, 0.45 * thick))
    return [
        Capsule(
            joint,
            frame.spot(joint, points[i]),
            frame.spot(joint, points[i + 1]),
            float(radii[i]),
            float(radii[i + 1]),
            COAT if i < len(tail) / 2 else DARK,
            soft=0.03,
        )
        for i, joint in enumerate(tail)
    ]


# Limbs -------------------------------------------------------------------------------------------


def _leg(frame: Frame, leg: Leg, profile: tuple[float, ...]) -> list[Part]:
    joints = list(leg.joints[leg.joints.index(leg.hip) :])
    points = frame.place[joints]
    bones = np.linalg.norm(np.diff(points, axis=0), axis=1)
    length = max(float(bones.sum()), 0.2 * frame.unit)
    at = np.concatenate([[0.0], np.cumsum(bones)]) / length
    size = 0.5 * (frame.unit + 0.85 * length) / frame.unit
    radii, thin = size * np.interp(at, LEG_AT, profile), np.interp(at, LEG_AT, LEG_THIN)
    other = frame.place[frame.character.anatomy.mirror[joints]]
    beside = np.abs(other - points)[:, 2] < 0.2 * frame.unit
    gap = np.where(beside, np.abs(other - points)[:, 0], np.linalg.norm(other - points, axis=1))
    room = np.where((at > 0.35) & (gap > 0), thin * (gap / 2 / frame.unit - CELL), np.inf)
    radii = np.minimum(radii, np.maximum(room, 0.015))
    parts = _top(frame, leg, float(radii[0]))
    for i, joint in enumerate(joints[:-1]):
        if bones[i] < 1e-4 * frame.unit:
            continue
        start, end = frame.spot(joint, points[i]), frame.spot(joint, points[i + 1])
        blend, soft = (0.05, 0.05) if at[i] < 0.2 else (0.02, 0.02)
        color = PALE if at[i] > 0.6 else COAT
        parts.append(
            Capsule(
                joint, start, end, float(radii[i]), float(radii[i + 1]), color, float(thin[i]), blend, leg.name, soft
            )
        )
    return [*parts, _paw(frame, leg, joints, size, float(room[-1]))]


def _top(frame: Frame, leg: Leg, radius: float) -> list[Part]:
    """The mass that joins a leg to the trunk where its first joint lies below it."""
    hip = frame.place[leg.hip]
    joints = _trunk_joints(frame)
    spine = frame.place[_carrier(frame, joints, float(hip[2]))]
    gap = float(spine[1] - hip[1])
    if gap < 0.1 * frame.unit:
        return []
    inner = hip + np.array([-0.25 * hip[0], 0.6 * gap, 0.0])
    spots = frame.spot(leg.hip, inner), frame.spot(leg.hip, hip)
    return [Capsule(leg.hip, *spots, 1.25 * radius, 1.1 * radius, COAT, 1.4, 0.05, leg.name, 0.06)]


def _paw(frame: Frame, leg: Leg, joints: list[int], size: float, room: float) -> Part:
    """The foot, carried by the last joint that bears a bone."""
    carrier = joints[-1] if frame.skeleton.children[joints[-1]] or len(joints) == 1 else joints[-2]
    sole = frame.place[joints[-1]].copy()
    sole[2] += 0.015 * frame.unit
    sole[1] = max(float(sole[1]), 0.03 * frame.unit + min(0.0, float(sole[1])))
    radii = (min(0.046 * size, max(room, 0.015)), 0.042 * size, 0.066 * size)
    return Ellipsoid(carrier, frame.spot(carrier, sole), radii, DARK, 0, 0.02, leg.name, 0.02)


def _bones(frame: Frame) -> list[Part]:
    """A rounded bone for every bone, thick where it is long."""
    parts: list[Part] = []
    for child in frame.used():
        joint = int(frame.skeleton.parents[child])
        if joint < 0:
            continue
        start, end = frame.place[joint], frame.place[child]
        long = float(np.linalg.norm(end - start)) / frame.unit
        if 0.01 < long < 1.5:
            radius = float(np.clip(0.22 * long, 0.03, 0.11))
            spots = frame.spot(joint, start), frame.spot(joint, end)
            parts.append(Capsule(joint, *spots, radius, 0.8 * radius, COAT, blend=0.04, soft=0.03))
    return parts or [Ellipsoid(0, 0, (0.2, 0.2, 0.2), COAT)]


# Paint and bends ---------------------------------------------------------------------------------


def _paints(frame: Frame) -> tuple[Paint, ...]:
    """A pale belly."""
    hind, fore = _girdles(frame)
    length = _trunk_length(frame) / frame.unit
    middle = (hind + fore) / 2
    middle[1] -= 0.33 * _trunk_length(frame)
    return (Paint(frame.spot(0, middle), (0.3 * length, 0.14 * length, 0.6 * length), PALE, 0.8, group="trunk"),)


def _bends(frame: Frame) -> list[Bend]:
    anatomy = frame.character.anatomy
    rows = [Bend(leg.hip, -30, 30) for leg in anatomy.legs]
    for leg in anatomy.legs:
        below = leg.joints[leg.joints.index(leg.hip) + 1 : -1]
        rows += [Bend(joint, -35, 35) for joint in below]
    rows += [Bend(joint, -8, 8, axis) for joint in anatomy.spine[1:] for axis in "xy"]
    rows += [Bend(joint, -15, 15) for joint in anatomy.neck]
    return rows + [Bend(joint, -15, 15) for joint in anatomy.tail[:2]]

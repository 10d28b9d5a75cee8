"""A body for an animal that came without one: radii guessed from the lengths of its bones and from its anatomy.

Legs taper, the barrel hangs between the girdles below the spine, neck and head and tail follow their joints. The
profiles are those of our own horse and dog, in shares of leg and trunk length. Whatever is no quadruped gets a rounded
bone for every bone.
"""

from __future__ import annotations

import numpy as np

from canter.anatomy import Character
from canter.body.frame import Frame, back_line, carrier, frame_of, girdles, trunk_joints, trunk_length
from canter.body.limbs import CELL, COAT, DARK, HOOVES, PALE, leg_parts
from canter.body.parts import Bend, Body, Capsule, Ellipsoid, Paint, Part
from canter.motion.arrays import Floats

NOSE, EYE = "#1c1512", "#0c0a09"

TRUNK_AT = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Shares of the way from hips to shoulders; depth, half width and reach of the trunk there, in trunk lengths."""
TRUNK_DEPTHS = (0.32, 0.35, 0.43, 0.50, 0.48)
TRUNK_WIDTHS = (0.17, 0.17, 0.19, 0.19, 0.15)
TRUNK_REACHES = (0.21, 0.27, 0.30, 0.29, 0.21)
TAIL_AT, TAIL_RADII = (0.0, 0.25, 0.6, 1.0), (0.75, 1.0, 1.1, 0.4)
"""Shares of a tail's length, and how thick it is there: fullest behind its middle."""
CLEARANCE = 0.53
"""The lowest that a belly hangs, as a share of the height of the back."""


def estimate_body(character: Character) -> Body:
    """A body's table for any character, to be bound in `bind_pose(character)`."""
    frame = frame_of(character)
    anatomy = character.anatomy
    four = anatomy.kind == "quadruped" and len(anatomy.legs) == 4
    parts = _quadruped(frame) if four else _bones(frame)
    groups = {"trunk": 0.0, "head": 0.04, "eyes": 0.0} | {leg.name: 0.07 for leg in (*anatomy.legs, *anatomy.arms)}
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
        parts += leg_parts(frame, leg)
    return parts


def _trunk(frame: Frame) -> list[Part]:
    hind, fore = girdles(frame)
    joints, length, unit = trunk_joints(frame), trunk_length(frame), frame.unit
    tops = back_line(frame, joints)
    narrow = float(np.abs(frame.place[frame.character.anatomy.hips, 0] - hind[0]).mean())
    ground = float(frame.place[frame.character.anatomy.feet, 1].min())
    parts: list[Part] = []
    for at, depth, width, reach in zip(TRUNK_AT, TRUNK_DEPTHS, TRUNK_WIDTHS, TRUNK_REACHES, strict=True):
        centre = hind + at * (fore - hind)
        top = tops[0] + at * (tops[1] - tops[0])
        bottom = max(top - depth * length, ground + CLEARANCE * (top - ground))
        half = float(np.clip(width * length, 1.15 * narrow, max(2.2 * narrow, 0.12 * length)))
        centre[1] = (top + bottom) / 2
        radii = (half / unit, max(top - bottom, 0.15 * length) / 2 / unit, reach * length / unit)
        joint = carrier(frame, joints, float(centre[2]))
        parts.append(Ellipsoid(joint, frame.spot(joint, centre), radii, COAT, soft=0.05))
    return parts


def _neck(frame: Frame) -> list[Part]:
    anatomy, length, unit = frame.character.anatomy, trunk_length(frame), frame.unit
    head = anatomy.head
    if head is None:
        return []
    _, fore = girdles(frame)
    chest = carrier(frame, trunk_joints(frame), float(fore[2]))
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

    def ball(radius: float) -> tuple[float, float, float]:
        return (radius * size, radius * size, radius * size)

    ear = 0.40 if frame.unit > HOOVES else 0.55
    parts: list[Part] = [
        Capsule(head, at(0.02, 0.0), at(0.28, 0.03), 0.23 * size, 0.25 * size, COAT, 1.1, 0.05, "head", 0.03),
        Capsule(head, at(0.34, -0.01), at(0.91, -0.01), 0.19 * size, 0.115 * size, COAT, 1.15, 0.05, "head"),
        Capsule(head, at(0.22, -0.15), at(0.80, -0.10), 0.13 * size, 0.07 * size, COAT, 1.15, 0.04, "head"),
        Ellipsoid(head, at(0.98, 0.045), (0.06 * size, 0.05 * size, 0.05 * size), NOSE, 0, 0.01, "head", 0.02),
    ]
    for side in (1.0, -1.0):
        parts += [
            Ellipsoid(head, at(0.43, 0.125, 0.165 * side), ball(0.045), EYE, group="eyes", apart=True),
            Ellipsoid(head, at(0.37, 0.17, 0.12 * side), ball(0.07), COAT, 0, 0.04, "head", 0.02),
            Capsule(
                head,
                at(0.06, 0.18, 0.15 * side),
                at(0.04, ear, 0.20 * side),
                0.105 * size,
                0.03 * size,
                DARK,
                0.8,
                0.03,
                "head",
            ),
        ]
    return parts


def _nose(frame: Frame, head: int) -> Floats:
    """The tip of the face: the joint below the head that is farthest forward, or a guess."""
    _, fore = girdles(frame)
    usual = 0.36 * frame.unit + 0.08 * trunk_length(frame)
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
    thick, unit = 0.065 * trunk_length(frame) / frame.unit, frame.unit
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
    steps = np.linalg.norm(np.diff(points, axis=0), axis=1)
    along = np.concatenate([[0.0], np.cumsum(steps)]) / max(float(steps.sum()), 1e-9)
    radii = min(thick, 0.2 * float(steps.sum()) / unit) * np.interp(along, TAIL_AT, TAIL_RADII)
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
    hind, fore = girdles(frame)
    length = trunk_length(frame) / frame.unit
    middle = (hind + fore) / 2
    middle[1] -= 0.33 * trunk_length(frame)
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

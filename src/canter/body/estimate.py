"""A body table for a character that has none: radii estimated from the lengths of its bones and its anatomy.

Legs taper, the barrel hangs between the girdles below the spine, neck, head and tail follow their joints. Profiles are
those of the shipped horse and dog, relative to leg and trunk length. Other than quadrupeds get one capsule per bone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from canter.anatomy import Character
from canter.body.estimate_legs import CELL_HIP_HEIGHTS, COAT, DARK, HOOF_HIP_HEIGHT_M, PALE, leg_parts, legs_sprawl
from canter.body.measures import (
    BoundCharacter,
    back_heights,
    bound_character,
    floor_height,
    girdle_centres,
    trunk_joint_near,
    trunk_joints,
    trunk_length,
)
from canter.body.parts import Bend, Body, Capsule, Ellipsoid, Paint, Part
from canter.motion.arrays import Floats

NOSE, EYE = "#1c1512", "#0c0a09"

TRUNK_POSITIONS = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Positions from hips (0) to shoulders (1); below: depth, half width and half length there, in trunk lengths."""
TRUNK_DEPTHS = (0.32, 0.35, 0.43, 0.50, 0.48)
TRUNK_WIDTHS = (0.17, 0.17, 0.19, 0.19, 0.15)
TRUNK_REACHES = (0.21, 0.27, 0.30, 0.29, 0.21)
TAIL_POSITIONS, TAIL_RADII = (0.0, 0.25, 0.6, 1.0), (0.75, 1.0, 1.1, 0.4)
"""Positions along the tail, and its relative thickness there."""
BELLY_CLEARANCE, SPRAWLING_CLEARANCE, BARREL_CLEARANCE = 0.53, 0.2, 0.4
"""The lowest height of the belly, as a fraction of the height of the back: of slender animals, of those whose legs
sprawl, and of any that are broad."""
TRUNK_BLEND = 0.1
"""The radius in hip heights with which the parts of a trunk are blended, so that its outline has no waves."""
BARREL_DEPTH = 1.3
"""How much deeper than wide a broad trunk is."""
SPRAWLING_TAIL, SPRAWLING_TAIL_RADII = 0.6, (1.0, 0.7, 0.35, 0.1)
"""The radius of the root of a tail as a share of that of a sprawling trunk, and its taper at TAIL_POSITIONS."""
HOOFED_TAIL = 0.5
"""How much thinner than others the tails of large animals are."""
MIN_PROBOSCIS_BONES, MIN_PROBOSCIS_HEADS = 3, 1.2
"""A chain of so many bones on the midline below the head, longer than so many faces, is a proboscis."""
PROBOSCIS_RADII = (0.24, 0.09)
"""The radii of a proboscis at its root and its tip, in face lengths."""


def estimate_body(character: Character) -> Body:
    """A body table for any character, to be bound in `bind_pose(character)`."""
    bound = bound_character(character)
    anatomy = character.anatomy
    four = anatomy.kind == "quadruped" and len(anatomy.legs) == 4
    parts = _quadruped(bound) if four else _bones(bound)
    groups = {"trunk": 0.0, "head": 0.04, "eyes": 0.0} | {leg.name: 0.07 for leg in (*anatomy.legs, *anatomy.arms)}
    return Body(
        unit=bound.unit,
        parts=tuple(parts),
        groups={name: radius for name, radius in groups.items() if any(part.group == name for part in parts)},
        paints=_paints(bound) if four else (),
        bends=tuple(_bends(bound)),
        cell=CELL_HIP_HEIGHTS,
        triangles=8000,
        floor=floor_height(bound) if four else None,
        symmetric=bound.is_symmetric(),
        one_sided=False,
        name=character.name,
    )


# Quadrupeds --------------------------------------------------------------------------------------


def _quadruped(bound: BoundCharacter) -> list[Part]:
    parts = _trunk(bound) + _neck(bound) + _head(bound) + _tail(bound)
    for leg in bound.character.anatomy.legs:
        parts += leg_parts(bound, leg)
    return parts


def _trunk(bound: BoundCharacter) -> list[Part]:
    hind, fore = girdle_centres(bound)
    joints, length, unit = trunk_joints(bound), trunk_length(bound), bound.unit
    parts: list[Part] = []
    for at, reach in zip(TRUNK_POSITIONS, TRUNK_REACHES, strict=True):
        half, top, bottom = _section(bound, at)
        centre = hind + at * (fore - hind)
        centre[1] = (top + bottom) / 2
        radii = (half / unit, (top - bottom) / 2 / unit, reach * length / unit)
        joint = trunk_joint_near(bound, joints, float(centre[2]))
        parts.append(Ellipsoid(joint, bound.spot(joint, centre), radii, COAT, blend=TRUNK_BLEND, soft=0.05))
    return parts


def _section(bound: BoundCharacter, at: float) -> tuple[float, float, float]:
    """Half the width of the trunk, and the heights of back and belly, in metres, at a position from hips (0) to
    shoulders (1): the belly of a broad animal hangs lower, and of one that sprawls nearly to the ground."""
    length, half, floor = trunk_length(bound), _half_width(bound, at), floor_height(bound)
    first, last = back_heights(bound, trunk_joints(bound))
    top = first + at * (last - first)
    ground = float(bound.place[bound.character.anatomy.feet, 1].min()) if floor is None else floor * bound.unit
    depth = float(np.interp(at, TRUNK_POSITIONS, TRUNK_DEPTHS)) * length
    slender = max(top - depth, ground + BELLY_CLEARANCE * (top - ground))
    clearance = SPRAWLING_CLEARANCE if legs_sprawl(bound) else BARREL_CLEARANCE
    broad = max(top - BARREL_DEPTH * 2 * half, ground + clearance * (top - ground))
    return half, top, min(slender, broad, top - 0.15 * length)


def _half_width(bound: BoundCharacter, at: float) -> float:
    """Half the width of the trunk in metres at a position from hips (0) to shoulders (1), by its length and by the
    distance between its hips."""
    hind, _ = girdle_centres(bound)
    length = trunk_length(bound)
    narrow = float(np.abs(bound.place[bound.character.anatomy.hips, 0] - hind[0]).mean())
    width = float(np.interp(at, TRUNK_POSITIONS, TRUNK_WIDTHS))
    return float(np.clip(width * length, 1.15 * narrow, max(2.2 * narrow, 0.12 * length)))


def _neck(bound: BoundCharacter) -> list[Part]:
    anatomy, length, unit = bound.character.anatomy, trunk_length(bound), bound.unit
    head = anatomy.head
    if head is None:
        return []
    _, fore = girdle_centres(bound)
    chest = trunk_joint_near(bound, trunk_joints(bound), float(fore[2]))
    chain = [joint for joint in anatomy.neck if joint != head] or [chest]
    base = (bound.place[chain[0]] + fore) / 2
    points = [base, *bound.place[chain[1:]], bound.place[head]]
    radii = np.linspace(0.175, 0.105, len(points)) * length / unit
    far = float(np.linalg.norm(points[-1] - points[0]))
    radii = np.minimum(radii, max(0.45 * far, 0.12 * length) / unit)
    return _tapered(bound, chain, points, radii, thin=1.3, blend=0.07, soft=0.05)


def _head(bound: BoundCharacter) -> list[Part]:
    head = bound.character.anatomy.head
    if head is None:
        return []
    poll, proboscis = bound.place[head], _proboscis(bound, head)
    nose = _root_of(bound, head, proboscis) if proboscis else _nose(bound, head)
    ahead = nose - poll
    long = float(np.linalg.norm(ahead))
    across = np.array([0.0, ahead[2], -ahead[1]]) / long
    up = across if across[1] > 0 else -across
    size = long / bound.unit

    def at(along: float, above: float, left: float = 0.0) -> tuple[int, float, float, float]:
        return bound.spot(head, poll + along * ahead + above * long * up + left * long * np.array([1.0, 0.0, 0.0]))

    def ball(radius: float) -> tuple[float, float, float]:
        return (radius * size, radius * size, radius * size)

    ear = 0.40 if bound.unit > HOOF_HIP_HEIGHT_M else 0.55
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
        ]
        if proboscis:
            flap = (0.05 * size, 0.42 * size, 0.30 * size)
            parts.append(Ellipsoid(head, at(-0.12, 0.0, 0.30 * side), flap, DARK, 0, 0.03, "head", 0.02))
        elif not legs_sprawl(bound):
            ends = at(0.06, 0.18, 0.15 * side), at(0.04, ear, 0.20 * side)
            parts.append(Capsule(head, *ends, 0.105 * size, 0.03 * size, DARK, 0.8, 0.03, "head"))
    return parts + _proboscis_parts(bound, proboscis, nose, size)


def _proboscis(bound: BoundCharacter, head: int) -> list[int]:
    """The joints of an elephant's trunk below the head, from its root to its tip; none where there is no such chain."""
    most = MIN_PROBOSCIS_HEADS * _usual_face(bound)
    ours = {joint for joint in bound.skeleton.subtree(head)[1:] if joint not in bound.character.anatomy.ignored}
    ours = {joint for joint in ours if bound.character.anatomy.mirror[joint] == joint}
    tips = [joint for joint in ours if not any(child in ours for child in bound.skeleton.children[joint])]
    chains = [[joint for joint in bound.skeleton.chain(tip) if joint in ours] for tip in tips]
    chains = [chain for chain in chains if len(chain) > MIN_PROBOSCIS_BONES]
    longest = max(chains, key=lambda chain: _length(bound.place[chain]), default=[])
    hangs = bool(longest) and bound.place[longest[-1], 1] < bound.place[head, 1] - 0.5 * most
    return longest if hangs and _length(bound.place[[head, *longest]]) > most else []


def _length(points: Floats) -> float:
    """The length of a path through `points (N, 3)`, in metres."""
    return float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum())


def _root_of(bound: BoundCharacter, head: int, proboscis: list[int]) -> Floats:
    """Where a face ends that goes on as a proboscis `(3,)`: at its first joint that is about a face from the head."""
    away = np.linalg.norm(bound.place[proboscis] - bound.place[head], axis=1)
    far = np.flatnonzero(away > 0.6 * _usual_face(bound))
    root: Floats = bound.place[proboscis[int(far[0]) if len(far) else -1]]
    return root


def _proboscis_parts(bound: BoundCharacter, chain: list[int], root: Floats, size: float) -> list[Part]:
    """Tapered bones along an elephant's trunk, from where the face ends; `size` is that of the face."""
    if not chain:
        return []
    first = int(np.argmin(np.linalg.norm(bound.place[chain] - root, axis=1)))
    points = bound.place[chain[first:]]
    along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
    radii = size * np.interp(along / max(along[-1], 1e-9), (0.0, 1.0), PROBOSCIS_RADII)
    return _tapered(bound, chain[first:-1], points, radii, blend=0.04, group="head", soft=0.04)


def _tapered(
    bound: BoundCharacter, joints: Sequence[int], points: Sequence[Floats] | Floats, radii: Floats, **look: Any
) -> list[Part]:
    """A capsule of each of K joints, between K + 1 points with such radii."""
    return [
        Capsule(
            joint,
            bound.spot(joint, points[i]),
            bound.spot(joint, points[i + 1]),
            float(radii[i]),
            float(radii[i + 1]),
            COAT,
            **look,
        )
        for i, joint in enumerate(joints)
    ]


def _usual_face(bound: BoundCharacter) -> float:
    """How long a face is where the rig does not say, in metres."""
    return 0.36 * bound.unit + 0.08 * trunk_length(bound)


def _nose(bound: BoundCharacter, head: int) -> Floats:
    """The tip of the face `(3,)`: the foremost descendant of the head, or an estimate where that is implausible."""
    _, fore = girdle_centres(bound)
    usual = _usual_face(bound)
    below = [joint for joint in bound.skeleton.subtree(head)[1:] if joint not in bound.character.anatomy.ignored]
    poll = bound.place[head]
    if below:
        tip = bound.place[max(below, key=lambda joint: bound.place[joint, 2])]
        middle = np.array([poll[0], tip[1], tip[2]])
        if 0.7 * usual < float(np.linalg.norm(middle - poll)) < 1.5 * usual and middle[2] > poll[2]:
            return middle
    climb = float(np.clip((poll - fore)[1] / max(float(np.linalg.norm(poll - fore)), 1e-6), 0.0, 1.0))
    down = np.radians(10 + 35 * climb)
    guess: Floats = poll + usual * np.array([0.0, -np.sin(down), np.cos(down)])
    return guess


def _tail(bound: BoundCharacter) -> list[Part]:
    tail = [joint for joint in bound.character.anatomy.tail if not bound.skeleton.end_sites[joint]]
    if not tail:
        return []
    unit, sprawls = bound.unit, legs_sprawl(bound)
    half, top, bottom = _section(bound, 0.0)
    root = SPRAWLING_TAIL * min(half, (top - bottom) / 2) if sprawls else 0.065 * trunk_length(bound)
    thick = root / unit * (HOOFED_TAIL if unit > HOOF_HIP_HEIGHT_M else 1.0)
    points = [*bound.place[tail]]
    usual = float(np.linalg.norm(np.diff(points, axis=0), axis=1).mean()) if len(points) > 1 else 0.3 * unit
    last = [
        bound.place[child]
        for child in bound.skeleton.children[tail[-1]]
        if float(np.linalg.norm(bound.place[child] - points[-1])) < 2 * usual
    ]
    if last:
        points.append(last[0])
    elif len(points) > 1:
        points.append(points[-1] + 0.8 * (points[-1] - points[-2]))
    else:
        points.append(points[-1] + unit * np.array([0.0, -0.25, -0.2]))
    steps = np.linalg.norm(np.diff(points, axis=0), axis=1)
    along = np.concatenate([[0.0], np.cumsum(steps)]) / max(float(steps.sum()), 1e-9)
    taper = SPRAWLING_TAIL_RADII if sprawls else TAIL_RADII
    radii = min(thick, 0.2 * float(steps.sum()) / unit) * np.interp(along, TAIL_POSITIONS, taper)
    return [
        Capsule(
            joint,
            bound.spot(joint, points[i]),
            bound.spot(joint, points[i + 1]),
            float(radii[i]),
            float(radii[i + 1]),
            COAT if i < len(tail) / 2 else DARK,
            soft=0.03,
        )
        for i, joint in enumerate(tail)
    ]


def _bones(bound: BoundCharacter) -> list[Part]:
    """One capsule for every bone, thicker where it is longer."""
    parts: list[Part] = []
    for child in bound.used():
        joint = int(bound.skeleton.parents[child])
        if joint < 0:
            continue
        start, end = bound.place[joint], bound.place[child]
        long = float(np.linalg.norm(end - start)) / bound.unit
        if 0.01 < long < 1.5:
            radius = float(np.clip(0.22 * long, 0.03, 0.11))
            spots = bound.spot(joint, start), bound.spot(joint, end)
            parts.append(Capsule(joint, *spots, radius, 0.8 * radius, COAT, blend=0.04, soft=0.03))
    return parts or [Ellipsoid(0, 0, (0.2, 0.2, 0.2), COAT)]


# Paint and bends ---------------------------------------------------------------------------------


def _paints(bound: BoundCharacter) -> tuple[Paint, ...]:
    """A pale belly."""
    hind, fore = girdle_centres(bound)
    length = trunk_length(bound) / bound.unit
    middle = (hind + fore) / 2
    middle[1] -= 0.33 * trunk_length(bound)
    return (Paint(bound.spot(0, middle), (0.3 * length, 0.14 * length, 0.6 * length), PALE, 0.8, group="trunk"),)


def _bends(bound: BoundCharacter) -> list[Bend]:
    """Ranges in which joints are expected to turn."""
    anatomy = bound.character.anatomy
    rows = [Bend(leg.hip, -30, 30) for leg in anatomy.legs]
    for leg in anatomy.legs:
        below = leg.joints[leg.joints.index(leg.hip) + 1 : -1]
        rows += [Bend(joint, -35, 35) for joint in below]
    rows += [Bend(joint, -8, 8, axis) for joint in anatomy.spine[1:] for axis in "xy"]
    rows += [Bend(joint, -15, 15) for joint in anatomy.neck]
    return rows + [Bend(joint, -15, 15) for joint in anatomy.tail[:2]]

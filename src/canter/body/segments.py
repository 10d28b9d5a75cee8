"""Rigid segments of a quadruped: which joints a simulation moves, and mass, centre and inertia of what hangs on each.

The body table that makes the skin is filled with cells of one density; a cell belongs to the part that it is deepest
in. All is in the bind pose, in metres and kilograms, +Y up and +Z ahead.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from canter.body.measures import BoundCharacter
from canter.body.parts import Body, both_sides
from canter.body.solids import Solid, place_solids
from canter.motion import Pose, Skeleton
from canter.motion.arrays import Floats, Ints

DENSITY_KG_M3 = 1000.0
"""Of an animal as a whole; it swims just below the surface."""
COAT_METRES, MAX_COAT_HIP_HEIGHTS = 0.006, 0.015
"""How deep the coat is, which a skin shows and which weighs nothing; of small animals in hip heights."""
CELL_HIP_HEIGHTS = 0.025
"""The cell by which parts are filled."""
MAX_TAIL_SEGMENTS = 3
"""Joints of a tail that swing by themselves; those beyond go with the last."""
MIN_BONE_HIP_HEIGHTS = 0.02
"""A shorter leg bone is no segment of its own."""
MIN_MASS_SHARE = 2e-4
"""The least share of the animal's mass that a segment has: a simulation needs some."""


@dataclass(frozen=True, eq=False)
class Segment:
    """What one joint moves. `place (3,)` is the joint in the bind pose, `centre (3,)` the centre of mass and `inertia
    (3, 3)` the inertia about it, in world axes; `parent` is the number of a segment, -1 for the trunk's first."""

    name: str
    joint: int
    parent: int
    role: str
    """"trunk", "neck", "head", "tail", or "hip", "upper", "lower" of a leg."""
    leg: int
    """The number of its leg, or -1."""
    place: Floats
    end: Floats
    """Where its bone ends `(3,)`: at the next joint of its chain, or at its tip."""
    end_joint: int
    """The joint there, or -1."""
    mass: float
    centre: Floats
    inertia: Floats
    solids: tuple[Solid, ...]


def make_segments(bound: BoundCharacter, body: Body, pose: Pose) -> tuple[Segment, ...]:
    """The segments of a quadruped that is bound in `pose`, each followed by all that hangs on it."""
    skeleton, bones = bound.skeleton, _bones(bound)
    number = {bone.joint: k for k, bone in enumerate(bones)}
    solids = [solid for solid in place_solids(skeleton, both_sides(body), pose) if not solid.apart]
    owner = [number[_moved_with(skeleton, solid.joint, number)] for solid in solids]
    coat = min(COAT_METRES, MAX_COAT_HIP_HEIGHTS * bound.unit)
    masses, centres, inertias = _filled(solids, owner, len(bones), CELL_HIP_HEIGHTS * bound.unit, coat)
    least = MIN_MASS_SHARE * float(masses.sum())
    segments = []
    for k, bone in enumerate(bones):
        start = bound.place[bone.joint]
        end = bound.place[bone.end] if bone.end >= 0 else start
        mass, centre, inertia = float(masses[k]), centres[k], inertias[k]
        if mass < least:  # nothing fills it: a thin rod along its bone
            mass, centre, inertia = least, (start + end) / 2, _rod(end - start, least, coat)
        mine = tuple(solid for solid, at in zip(solids, owner, strict=True) if at == k)
        segments.append(
            Segment(
                name=skeleton.names[bone.joint],
                joint=bone.joint,
                parent=bone.parent,
                role=bone.role,
                leg=bone.leg,
                place=start,
                end=end,
                end_joint=bone.end,
                mass=mass,
                centre=centre,
                inertia=inertia,
                solids=mine,
            )
        )
    return tuple(segments)


def total_mass(segments: Sequence[Segment]) -> float:
    """Kilograms."""
    return sum(segment.mass for segment in segments)


class _Bone(NamedTuple):
    """A simulated joint, the number of the one above it, and the joint at which its bone ends."""

    joint: int
    role: str
    parent: int
    end: int = -1
    leg: int = -1


def _bones(bound: BoundCharacter) -> list[_Bone]:
    """The simulated joints of spine, neck, head, tail and legs."""
    anatomy, skeleton = bound.character.anatomy, bound.skeleton
    bones: list[_Bone] = []

    def add_chain(joints: Sequence[int], roles: Sequence[str], last: int = -1, leg: int = -1) -> None:
        parent = -1 if not bones else _number_above(bound, joints[0], bones)
        for joint, role, end in zip(joints, roles, [*joints[1:], last], strict=True):
            bones.append(_Bone(joint, role, parent, end, leg))
            parent = len(bones) - 1

    spine = list(anatomy.spine)
    add_chain(spine, ["trunk"] * len(spine))
    neck = [joint for joint in anatomy.neck if joint != anatomy.head and joint not in spine]
    head = [] if anatomy.head is None or anatomy.head in spine else [anatomy.head]
    if neck or head:
        tips = [joint for joint in skeleton.subtree(head[0])[1:] if joint not in anatomy.ignored] if head else []
        tip = max(tips, key=lambda joint: float(bound.place[joint, 2]), default=-1)
        add_chain(neck + head, ["neck"] * len(neck) + ["head"] * len(head), tip)
    if tail := [joint for joint in anatomy.tail if not skeleton.end_sites[joint]][:MAX_TAIL_SEGMENTS]:
        below = [joint for joint in skeleton.children[tail[-1]] if joint not in anatomy.ignored]
        add_chain(tail, ["tail"] * len(tail), below[0] if below else -1)
    for number, leg in enumerate(anatomy.legs):
        joints = [leg.chain[0]]
        for joint in leg.chain[1:-1]:
            if np.linalg.norm(bound.place[joint] - bound.place[joints[-1]]) > MIN_BONE_HIP_HEIGHTS * bound.unit:
                joints.append(joint)
        add_chain(joints, ["hip", *["upper"] * (len(joints) - 2), "lower"][-len(joints) :], leg.foot, number)
    return _depth_first(bones)


def _depth_first(bones: Sequence[_Bone]) -> list[_Bone]:
    """The bones so that each is followed by all that hangs on it, as simulators number them."""
    order: list[int] = []

    def visit(number: int) -> None:
        order.append(number)
        for k, bone in enumerate(bones):
            if bone.parent == number:
                visit(k)

    visit(0)
    return [bones[k]._replace(parent=order.index(bones[k].parent) if bones[k].parent >= 0 else -1) for k in order]


def _number_above(bound: BoundCharacter, joint: int, bones: Sequence[_Bone]) -> int:
    """The number of the simulated joint that a joint hangs on; of the nearest of the trunk, where the rig hangs it on
    none."""
    number = {bone.joint: k for k, bone in enumerate(bones)}
    for above in reversed(bound.skeleton.chain(joint)[:-1]):
        if above in number:
            return number[above]
    trunk = [k for k, bone in enumerate(bones) if bone.role == "trunk"]
    away = bound.place[[bones[k].joint for k in trunk]] - bound.place[joint]
    return trunk[int(np.argmin(np.linalg.norm(away, axis=1)))]


def _moved_with(skeleton: Skeleton, joint: int, number: dict[int, int]) -> int:
    """The simulated joint that a joint moves with: itself or the nearest above it."""
    return next((above for above in reversed(skeleton.chain(joint)) if above in number), next(iter(number)))


def _filled(
    solids: Sequence[Solid], owner: Sequence[int], count: int, cell: float, coat: float
) -> tuple[Floats, Floats, Floats]:
    """Masses `(K,)`, centres `(K, 3)` and inertias about them `(K, 3, 3)` of what the solids fill below their coat."""
    boxes = np.array([solid.box for solid in solids])
    low, high = boxes[:, 0].min(axis=0), boxes[:, 1].max(axis=0)
    low[0], high[0] = min(low[0], -high[0]), max(high[0], -low[0])  # cells mirror each other, as the sides do
    half = np.arange(cell / 2, high[0], cell)
    axes = [np.concatenate([-half[::-1], half]), *(np.arange(low[k] + cell / 2, high[k], cell) for k in (1, 2))]
    points = np.stack(np.meshgrid(*axes, indexing="ij"), -1).reshape(-1, 3)
    deepest, part = np.full(len(points), -coat), np.full(len(points), -1)
    for solid, at in zip(solids, owner, strict=True):
        near = np.flatnonzero(((points >= solid.box[0]) & (points <= solid.box[1])).all(axis=1))
        depth = solid.distance(points[near])
        inside = depth < deepest[near]
        deepest[near[inside]], part[near[inside]] = depth[inside], at
    return _moments(points, part, count, DENSITY_KG_M3 * cell**3, cell)


def _moments(points: Floats, part: Ints, count: int, mass: float, cell: float) -> tuple[Floats, Floats, Floats]:
    """Mass, centre and inertia of cells `points (N, 3)` of one mass by the number of their part, -1 for none."""
    masses, centres, inertias = np.zeros(count), np.zeros((count, 3)), np.zeros((count, 3, 3))
    for k in range(count):
        mine = points[part == k]
        masses[k] = mass * len(mine)
        if len(mine):
            centres[k] = mine.mean(axis=0)
            away = mine - centres[k]
            second = mass * (away.T @ away + len(mine) * cell**2 / 12 * np.eye(3))
            inertias[k] = np.trace(second) * np.eye(3) - second
    return masses, centres, inertias


def _rod(bone: Floats, mass: float, radius: float) -> Floats:
    """The inertia `(3, 3)` of a rod along `bone (3,)` about its middle."""
    second = mass * (np.outer(bone, bone) / 12 + radius**2 / 4 * np.eye(3))
    result: Floats = np.trace(second) * np.eye(3) - second
    return result

"""A puppet for the generator made from any rig: trunk, neck, tail and four legs with roles; and how the rig follows it.

The generator needs legs attached to a spine, roles for their joints and soles on the ground. Rigs have helper joints,
feet kept elsewhere and more bones than roles. So the generator moves a puppet made of some of the rig's joints, and
every joint of the rig follows one joint of the puppet rigidly.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from canter.anatomy import LEGS, Anatomy, Character, Leg
from canter.anatomy.standing import foot_skin
from canter.animals.fitting.leg_roles import leg_roles
from canter.animals.fitting.standing_rig import StandingRig
from canter.animals.generator.standing import Standing
from canter.motion import Motion, Skeleton
from canter.motion import rotations as rot
from canter.motion.arrays import Floats, Ints
from canter.motion.kinematics import local

GROUND_JOINT_HIP_HEIGHTS = 0.012
"""Height up to which a foot joint counts as standing on the ground itself."""
SOLE_LENGTH_PER_HEIGHT = 1.2
"""How far ahead of a foot joint its tip is, as a multiple of the joint's height, where there is no skin."""
SOLE_HEIGHT_SHARE, MAX_SOLE_HIP_HEIGHTS = 0.3, 0.15
"""The lowest share of a foot's height whose skin is its sole, and how far a sole may reach ahead."""
MAX_SIDEWAYS_SHARE = 0.8
"""A bone at the top of a leg that goes sideways by a larger share of its length only carries the leg."""
MIN_BONE_HIP_HEIGHTS = 0.01
"""Shorter bones are left out of a leg."""
MAX_SPRAWL = 0.15
"""Sideways extent of legs relative to their extent in the sagittal plane, above which the animal sprawls."""
SCAPULA_HIP_HEIGHTS = 0.3
"""Height above the shoulder at which forelegs without a scapula get one, to let the shoulder glide on the chest."""


@dataclass(frozen=True, eq=False)
class Puppet:
    """A `standing` pose that the generator can move, made from a rig.

    `owner (J,)` is the puppet's joint that each of the rig's joints follows, -1 for joints that follow only the travel.
    `rig` is the rig's own standing pose. `flat_footed` legs end in a sole that is no joint of the rig. `soles` are
    points `(N, 3)` under each standing foot, relative to its last joint.
    """

    standing: Standing
    owner: Ints
    rig: StandingRig
    flat_footed: tuple[bool, ...]
    soles: tuple[Floats, ...]

    @property
    def feet(self) -> list[int]:
        """The puppet's joints that are the rig's feet."""
        legs = zip(self.standing.anatomy.legs, self.flat_footed, strict=True)
        return [leg.joints[-2 if flat else -1] for leg, flat in legs]

    def depths(self, motion: Motion) -> Floats:
        """How deep each foot enters the ground at most `(4,)` in metres, negative if it stays above."""
        found = []
        for leg, sole in zip(self.standing.anatomy.legs, self.soles, strict=True):
            places, turns = motion.position_world[:, [leg.joints[-1]]], motion.rotation_world[:, [leg.joints[-1]]]
            found.append(-float((places + rot.rotate(turns, sole))[..., 1].min()))
        return np.array(found)


class _PuppetBuilder:
    """The joints of a puppet while it is built; `of` maps the rig's joints to the puppet's."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.parents: list[int] = []
        self.places: list[Floats] = []
        self.of: dict[int, int] = {}

    def add(self, name: str, parent: int, place: Floats, joint: int | None = None) -> int:
        self.names.append(name)
        self.parents.append(parent)
        self.places.append(np.asarray(place, np.float64))
        if joint is not None:
            self.of[joint] = len(self.names) - 1
        return len(self.names) - 1


def make_puppet(character: Character, rig: StandingRig, turning: bool = False) -> Puppet:
    """The puppet of a standing rig; with `turning`, for turns on the spot, soles are right below the foot joints."""
    _check_upright(character, rig)
    builder, anatomy = _PuppetBuilder(), character.anatomy
    height = float(rig.places[anatomy.hips[2:], 1].mean())
    spine = _spine(builder, character, rig, height)
    taken = {*rig.trunk, *(j for leg in anatomy.legs for j in leg.joints)}
    tail = _line(builder, rig, [j for j in anatomy.tail if j not in taken], "tail")
    neck = _line(builder, rig, [j for j in anatomy.neck if j not in taken and j != anatomy.head], "neck")
    head = _line(builder, rig, [j for j in (anatomy.head,) if j is not None and j not in taken], "head")
    legs, roles = zip(*(_leg(builder, character, rig, k, height, turning) for k in range(4)), strict=True)
    skeleton = _skeleton(builder)
    ours = Anatomy(
        "quadruped",
        anatomy.up,
        anatomy.forward,
        height,
        tuple(legs),
        np.arange(len(skeleton), dtype=np.int32),
        spine=tuple(spine),
        neck=tuple(neck),
        head=head[0] if head else None,
        tail=tuple(tail),
    )
    turns = np.tile(rot.IDENTITY, (len(skeleton), 1))
    standing = Standing(skeleton, np.stack(builder.places), turns, ours, tuple(roles))
    owner = _owners(builder, rig)
    flat_footed = tuple(leg.foot not in owner for leg in legs)
    soles = tuple(
        _outline(character, rig, k) - standing.places[legs[k].foot] if flat else np.zeros((1, 3))
        for k, flat in enumerate(flat_footed)
    )
    return Puppet(standing, owner, rig, flat_footed, soles)


def _check_upright(character: Character, rig: StandingRig) -> None:
    """Raises ValueError for sprawling legs: the generator moves upright legs in planes along the body."""
    aside = [_aside(rig.places[_chain(leg, rig, False)]) for leg in character.anatomy.legs]
    if min(np.mean(aside[:2]), np.mean(aside[2:])) > MAX_SPRAWL:
        words = "its legs go too far out to the sides, and only upright legs can be given gaits"
        raise ValueError(f"{character.name} sprawls: {words}")


def _aside(points: Floats) -> float:
    """The sideways extent of a leg's bones relative to their extent in the sagittal plane."""
    steps = np.abs(np.diff(points, axis=0)).sum(axis=0)
    return float(steps[0] / (steps[1] + steps[2]))


def _owner(builder: _PuppetBuilder, rig: StandingRig, joint: int) -> int:
    """The puppet's joint that a joint of the rig follows: its own, or that of the nearest ancestor that has one."""
    while joint >= 0 and joint not in builder.of:
        joint = int(rig.parents[joint])
    return builder.of[joint] if joint >= 0 else -1


def _owners(builder: _PuppetBuilder, rig: StandingRig) -> Ints:
    return np.array([_owner(builder, rig, j) for j in range(len(rig.parents))], np.int32)


def _spine(builder: _PuppetBuilder, character: Character, rig: StandingRig, height: float) -> list[int]:
    """Adds the trunk's joints, and a sacrum or withers where they end far from the hips or the shoulders."""
    spine: list[int] = []
    hips, first = rig.places[character.anatomy.hips[2:]].mean(axis=0), rig.places[rig.trunk[0]]
    if first[2] - hips[2] > 0.2 * height:
        spine.append(builder.add("sacrum", -1, np.array([0.0, first[1], hips[2]])))
    for joint in rig.trunk:
        spine.append(builder.add(f"spine {len(spine)}", spine[-1] if spine else -1, rig.places[joint], joint))
    shoulders = rig.places[[leg.joints[0] for leg in character.anatomy.legs[:2]]].mean(axis=0)
    last = rig.places[rig.trunk[-1]]
    if len(spine) < 2 or shoulders[2] - last[2] > 0.33 * height:
        spine.append(builder.add("withers", spine[-1], np.array([0.0, max(shoulders[1], last[1]), shoulders[2]])))
    return spine


def _line(builder: _PuppetBuilder, rig: StandingRig, joints: list[int], name: str) -> list[int]:
    """Adds a chain of joints such as neck or tail; each hangs on its nearest ancestor."""
    found: list[int] = []
    for joint in joints:
        parent = max(_owner(builder, rig, joint), 0)
        found.append(builder.add(f"{name} {len(found)}", parent, rig.places[joint], joint))
    return found


def _leg(
    builder: _PuppetBuilder, character: Character, rig: StandingRig, k: int, height: float, turning: bool
) -> tuple[Leg, tuple[str, ...]]:
    """Adds a leg's joints that have roles, down to a sole on the ground; returns the leg and its roles."""
    leg, fore = character.anatomy.legs[k], k < 2
    joints = _chain(leg, rig, fore)
    points = rig.places[joints]
    sole = _sole(character, rig, k, height)
    roles = leg_roles((points if sole is None else np.vstack([points, sole])) / height, fore)
    if sole is not None:
        roles = (*roles[:-1], "hoof")
        sole[2] = points[-1, 2] if turning else sole[2]
    top = joints[0]
    parent = max(_owner(builder, rig, int(rig.parents[top])), 0)
    chain: list[int] = []
    if fore and roles[0] != "scapula":
        above = rig.places[top] + np.array([0.0, SCAPULA_HIP_HEIGHTS * height, 0.0])
        chain.append(builder.add(f"{leg.name} scapula", parent, above))
    for joint, role in zip(joints, roles, strict=False):
        if role:
            chain.append(builder.add(f"{leg.name} {role}", chain[-1] if chain else parent, rig.places[joint], joint))
    last = joints[-1]
    tip = rig.places[last] if sole is None else sole
    chain.append(builder.add(f"{leg.name} toe", chain[-1], tip, last if sole is None else None))
    named = ("scapula", *roles) if fore and roles[0] != "scapula" else roles
    return Leg(LEGS[k], tuple(chain), chain[0], chain[-1]), tuple(r for r in named if r)


def _chain(leg: Leg, rig: StandingRig, fore: bool) -> list[int]:
    """The rig's joints of a leg down to its foot, of a hind leg from the hip.

    Bones that only lead sideways and bones without length are left out.
    """
    joints = list(leg.joints[: leg.joints.index(leg.foot) + 1])
    joints = joints if fore else joints[joints.index(leg.hip) :]
    while len(joints) > 3:
        step = np.abs(rig.places[joints[1]] - rig.places[joints[0]])
        if step[0] < MAX_SIDEWAYS_SHARE * np.linalg.norm(step):
            break
        joints = joints[1:]
    steps = np.linalg.norm(np.diff(rig.places[joints], axis=0), axis=1)
    return [j for j, step in zip(joints, [*steps, np.inf], strict=True) if step > MIN_BONE_HIP_HEIGHTS * rig.height]


def _sole(character: Character, rig: StandingRig, k: int, height: float) -> Floats | None:
    """The sole `(3,)` of a foot whose joint is above the ground, half-way to its tip; None if it is on the ground."""
    foot = rig.places[character.anatomy.legs[k].foot]
    if foot[1] <= GROUND_JOINT_HIP_HEIGHTS * height:
        return None
    ahead = float(_outline(character, rig, k)[:, 2].max() - foot[2]) / 2
    return np.array([foot[0], 0.0, foot[2] + float(np.clip(ahead, 0.0, MAX_SOLE_HIP_HEIGHTS * height))])


def _outline(character: Character, rig: StandingRig, k: int) -> Floats:
    """Heel and tip of a standing foot `(2, 3)`, from its skin, or else from the joint's height."""
    foot = character.anatomy.legs[k].foot
    place = rig.places[foot]
    skin = foot_skin(character, rig.places, rig.turns, foot)
    if skin is None:
        return np.array([[place[0], 0.0, place[2]], [place[0], 0.0, place[2] + SOLE_LENGTH_PER_HEIGHT * place[1]]])
    sole = skin[skin[:, 1] < skin[:, 1].min() + SOLE_HEIGHT_SHARE * place[1]]
    return np.stack([sole[np.argmin(sole[:, 2])], sole[np.argmax(sole[:, 2])]])


def _skeleton(builder: _PuppetBuilder) -> Skeleton:
    places, parents = np.stack(builder.places), np.array(builder.parents, np.int32)
    offsets = places.copy()
    offsets[1:] -= places[parents[1:]]
    return Skeleton.make(builder.names, parents, offsets)


def follow(puppet: Puppet, motion: Motion, skeleton: Skeleton, turn: float = 0.0) -> Motion:
    """The rig's motion for a motion of its puppet, whose yaw rate is `turn` degrees per second."""
    rig, rest = puppet.rig, puppet.standing.places
    moved, turned = (x.astype(np.float64) for x in motion.world)
    owner, loose = np.maximum(puppet.owner, 0), puppet.owner < 0
    turns = turned[:, owner]
    places = moved[:, owner] + rot.rotate(turns, rig.places - rest[owner])
    heading = rot.yaw(np.radians(turn) * np.arange(len(motion)) / motion.frame_rate)[:, None]
    way = (moved[-1, 0] - rot.rotate(heading[-1, 0], moved[0, 0])) * np.array([1.0, 0.0, 1.0])
    travel = np.linspace(0, 1, len(motion))[:, None, None] * way
    places[:, loose] = rot.rotate(heading, rig.places[loose]) + travel
    turns[:, loose] = heading
    positions, rotations = local(skeleton, places, rot.multiply(turns, rig.turns))
    return replace(motion, skeleton=skeleton, positions=positions, rotations=rot.positive(rotations))

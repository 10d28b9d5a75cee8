"""A puppet for the generator inside any rig: trunk, neck, tail and four legs with roles, and how the rig follows it.

The generator wants legs that hang on a spine, roles for their joints and soles on the ground. Rigs have helpers, feet
kept elsewhere and more bones than roles. So the generator moves a puppet made of some of the rig's joints, and every
joint of the rig goes rigidly with one joint of the puppet.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from canter.anatomy import LEGS, Anatomy, Character, Leg
from canter.animals.fitting.roles import leg_roles
from canter.animals.fitting.stand import Stood, foot_skin
from canter.animals.generator.standing import Standing
from canter.motion import Motion, Skeleton
from canter.motion import rotations as rot
from canter.motion.arrays import Floats, Ints
from canter.motion.kinematics import local

THIN = 0.012
"""Hip heights up to which a foot joint counts as being on the ground itself."""
LONG_SOLE = 1.2
"""How far in front of a foot joint its tip is, as a share of the joint's height, where no skin tells."""
SOLE_SHARE, LONGEST_SOLE = 0.3, 0.15
"""The share of a foot's height that is its sole, where the skin tells how far that goes, and hip heights of it."""
SIDEWAYS = 0.8
"""The share of its length that a bone goes sideways which is no part of a leg: it only carries one."""
SHORTEST_BONE = 0.01
"""Hip heights of which a bone of a leg has more."""
SPRAWL = 0.15
"""How far legs may go sideways as a share of their other ways; beyond, the animal sprawls."""
SCAPULA = 0.3
"""Hip heights above the shoulder at which forelegs without a scapula get one: their shoulders glide along the chest."""


@dataclass(frozen=True, eq=False)
class Puppet:
    """A Standing that the generator can move; `owner (J,)` is the puppet's joint that each of the rig's follows.

    -1 is the ground that the animal travels over. `stood` is the rig's own standing pose. `flat_footed` legs end in a
    sole that is no joint of the rig. `soles` are points `(N, 3)` under each standing foot, seen from its last joint.
    """

    standing: Standing
    owner: Ints
    stood: Stood
    flat_footed: tuple[bool, ...]
    soles: tuple[Floats, ...]

    @property
    def feet(self) -> list[int]:
        """The puppet's joints that are the rig's feet."""
        legs = zip(self.standing.anatomy.legs, self.flat_footed, strict=True)
        return [leg.joints[-2 if flat else -1] for leg, flat in legs]

    def depths(self, motion: Motion) -> Floats:
        """How far each foot enters the ground at most `(4,)`, negative if it does not."""
        found = []
        for leg, sole in zip(self.standing.anatomy.legs, self.soles, strict=True):
            places, turns = motion.position_world[:, [leg.joints[-1]]], motion.rotation_world[:, [leg.joints[-1]]]
            found.append(-float((places + rot.rotate(turns, sole))[..., 1].min()))
        return np.array(found)


class _Parts:
    """Joints of a puppet while it is put together."""

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


def make_puppet(character: Character, stood: Stood, turning: bool = False) -> Puppet:
    """The puppet of a standing animal; one that is to turn on the spot stands right below the joints of its feet."""
    _check_upright(character, stood)
    parts, anatomy = _Parts(), character.anatomy
    height = float(stood.places[anatomy.hips[2:], 1].mean())
    spine = _spine(parts, character, stood, height)
    taken = {*stood.trunk, *(j for leg in anatomy.legs for j in leg.joints)}
    tail = _line(parts, stood, [j for j in anatomy.tail if j not in taken], "tail")
    neck = _line(parts, stood, [j for j in anatomy.neck if j not in taken and j != anatomy.head], "neck")
    head = _line(parts, stood, [j for j in (anatomy.head,) if j is not None and j not in taken], "head")
    legs, roles = zip(*(_leg(parts, character, stood, k, height, turning) for k in range(4)), strict=True)
    skeleton = _skeleton(parts)
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
    standing = Standing(skeleton, np.stack(parts.places), turns, ours, tuple(roles))
    owner = _owners(parts, stood)
    flat_footed = tuple(leg.foot not in owner for leg in legs)
    soles = tuple(
        _outline(character, stood, k) - standing.places[legs[k].foot] if flat else np.zeros((1, 3))
        for k, flat in enumerate(flat_footed)
    )
    return Puppet(standing, owner, stood, flat_footed, soles)


def _check_upright(character: Character, stood: Stood) -> None:
    """Legs are moved in planes along the body, which those of a lizard or a turtle are not."""
    aside = [_aside(stood.places[_chain(leg, stood, False)]) for leg in character.anatomy.legs]
    if min(np.mean(aside[:2]), np.mean(aside[2:])) > SPRAWL:
        words = "its legs go too far out to the sides, and only upright legs can be given gaits"
        raise ValueError(f"{character.name} sprawls: {words}")


def _aside(points: Floats) -> float:
    """How far a leg's bones go sideways, as a share of how far they go up, down, forward and back."""
    steps = np.abs(np.diff(points, axis=0)).sum(axis=0)
    return float(steps[0] / (steps[1] + steps[2]))


def _owner(parts: _Parts, stood: Stood, joint: int) -> int:
    """The puppet's joint that a joint goes with: its own, or that of the nearest joint above."""
    while joint >= 0 and joint not in parts.of:
        joint = int(stood.parents[joint])
    return parts.of[joint] if joint >= 0 else -1


def _owners(parts: _Parts, stood: Stood) -> Ints:
    return np.array([_owner(parts, stood, j) for j in range(len(stood.parents))], np.int32)


def _spine(parts: _Parts, character: Character, stood: Stood, height: float) -> list[int]:
    """The trunk's joints, with a sacrum or withers of its own where they end far from the hips or the shoulders."""
    spine: list[int] = []
    hips, first = stood.places[character.anatomy.hips[2:]].mean(axis=0), stood.places[stood.trunk[0]]
    if first[2] - hips[2] > 0.2 * height:
        spine.append(parts.add("sacrum", -1, np.array([0.0, first[1], hips[2]])))
    for joint in stood.trunk:
        spine.append(parts.add(f"spine {len(spine)}", spine[-1] if spine else -1, stood.places[joint], joint))
    shoulders = stood.places[[leg.joints[0] for leg in character.anatomy.legs[:2]]].mean(axis=0)
    last = stood.places[stood.trunk[-1]]
    if len(spine) < 2 or shoulders[2] - last[2] > 0.33 * height:
        spine.append(parts.add("withers", spine[-1], np.array([0.0, max(shoulders[1], last[1]), shoulders[2]])))
    return spine


def _line(parts: _Parts, stood: Stood, joints: list[int], name: str) -> list[int]:
    found: list[int] = []
    for joint in joints:
        parent = max(_owner(parts, stood, joint), 0)
        found.append(parts.add(f"{name} {len(found)}", parent, stood.places[joint], joint))
    return found


def _leg(
    parts: _Parts, character: Character, stood: Stood, k: int, height: float, turning: bool
) -> tuple[Leg, tuple[str, ...]]:
    """A leg's joints with roles, down to a sole on the ground."""
    leg, fore = character.anatomy.legs[k], k < 2
    joints = _chain(leg, stood, fore)
    points = stood.places[joints]
    sole = _sole(character, stood, k, height)
    roles = leg_roles((points if sole is None else np.vstack([points, sole])) / height, fore)
    if sole is not None:
        roles = (*roles[:-1], "hoof")
        sole[2] = points[-1, 2] if turning else sole[2]
    top = joints[0]
    parent = max(_owner(parts, stood, int(stood.parents[top])), 0)
    chain: list[int] = []
    if fore and roles[0] != "scapula":
        above = stood.places[top] + np.array([0.0, SCAPULA * height, 0.0])
        chain.append(parts.add(f"{leg.name} scapula", parent, above))
    for joint, role in zip(joints, roles, strict=False):
        if role:
            chain.append(parts.add(f"{leg.name} {role}", chain[-1] if chain else parent, stood.places[joint], joint))
    last = joints[-1]
    tip = stood.places[last] if sole is None else sole
    chain.append(parts.add(f"{leg.name} toe", chain[-1], tip, last if sole is None else None))
    named = ("scapula", *roles) if fore and roles[0] != "scapula" else roles
    return Leg(LEGS[k], tuple(chain), chain[0], chain[-1]), tuple(r for r in named if r)


def _chain(leg: Leg, stood: Stood, fore: bool) -> list[int]:
    """The joints of a leg down to its foot; of a hind leg from the hip.

    Bones that only lead sideways are left out, and bones without length.
    """
    joints = list(leg.joints[: leg.joints.index(leg.foot) + 1])
    joints = joints if fore else joints[joints.index(leg.hip) :]
    while len(joints) > 3:
        step = np.abs(stood.places[joints[1]] - stood.places[joints[0]])
        if step[0] < SIDEWAYS * np.linalg.norm(step):
            break
        joints = joints[1:]
    steps = np.linalg.norm(np.diff(stood.places[joints], axis=0), axis=1)
    return [j for j, step in zip(joints, [*steps, np.inf], strict=True) if step > SHORTEST_BONE * stood.height]


def _sole(character: Character, stood: Stood, k: int, height: float) -> Floats | None:
    """Where a foot whose joint is above the ground stands, half way to its tip; None for a joint on the ground."""
    foot = stood.places[character.anatomy.legs[k].foot]
    if foot[1] <= THIN * height:
        return None
    ahead = float(_outline(character, stood, k)[:, 2].max() - foot[2]) / 2
    return np.array([foot[0], 0.0, foot[2] + float(np.clip(ahead, 0.0, LONGEST_SOLE * height))])


def _outline(character: Character, stood: Stood, k: int) -> Floats:
    """Heel and tip of a standing foot `(2, 3)`: by its skin, else by its height."""
    foot = character.anatomy.legs[k].foot
    place = stood.places[foot]
    skin = foot_skin(character, stood.places, stood.turns, foot)
    if skin is None:
        return np.array([[place[0], 0.0, place[2]], [place[0], 0.0, place[2] + LONG_SOLE * place[1]]])
    sole = skin[skin[:, 1] < skin[:, 1].min() + SOLE_SHARE * place[1]]
    return np.stack([sole[np.argmin(sole[:, 2])], sole[np.argmax(sole[:, 2])]])


def _skeleton(parts: _Parts) -> Skeleton:
    places, parents = np.stack(parts.places), np.array(parts.parents, np.int32)
    offsets = places.copy()
    offsets[1:] -= places[parents[1:]]
    return Skeleton.make(parts.names, parents, offsets)


def follow(puppet: Puppet, motion: Motion, skeleton: Skeleton, turn: float = 0.0) -> Motion:
    """The rig's motion that goes with a motion of its puppet, which turns by `turn` degrees a second."""
    stood, rest = puppet.stood, puppet.standing.places
    moved, turned = (x.astype(np.float64) for x in motion.world)
    owner, loose = np.maximum(puppet.owner, 0), puppet.owner < 0
    turns = turned[:, owner]
    places = moved[:, owner] + rot.rotate(turns, stood.places - rest[owner])
    heading = rot.yaw(np.radians(turn) * np.arange(len(motion)) / motion.frame_rate)[:, None]
    way = (moved[-1, 0] - rot.rotate(heading[-1, 0], moved[0, 0])) * np.array([1.0, 0.0, 1.0])
    travel = np.linspace(0, 1, len(motion))[:, None, None] * way
    places[:, loose] = rot.rotate(heading, stood.places[loose]) + travel
    turns[:, loose] = heading
    positions, rotations = local(skeleton, places, rot.multiply(turns, stood.turns))
    return replace(motion, skeleton=skeleton, positions=positions, rotations=rot.positive(rotations))

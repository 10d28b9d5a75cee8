"""From a table of joints to a skeleton and a standing pose; in the rest pose every joint has the world's axes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from canter.anatomy import LEGS, Anatomy, Leg
from canter.animals.generator.legs import FLEXION_SIGNS
from canter.animals.generator.standing import Standing
from canter.motion import Skeleton
from canter.motion.kinematics import forward


@dataclass(frozen=True)
class Joint:
    """A row of a skeleton's table: a joint's parent and its position in the standing pose.

    `parent` is "" for the root. `place` is (left, up, forward) in hip heights, from the ground below the hips. A row
    whose name begins with "Left" stands for the right side too. `freedoms` is the number of degrees of freedom; a tip
    has none and marks where a bone ends.
    """

    name: str
    parent: str
    place: tuple[float, float, float]
    freedoms: int = 0

    @property
    def is_tip(self) -> bool:
        return self.freedoms == 0


def both_sides(rows: Sequence[Joint]) -> list[Joint]:
    """`rows` followed by the mirror images of those whose name begins with "Left"."""
    return [*rows, *(_mirrored(row) for row in rows if row.name.startswith("Left"))]


def _mirrored(row: Joint) -> Joint:
    x, y, z = row.place
    return Joint(_right_of(row.name), _right_of(row.parent), (-x, y, z), row.freedoms)


def _right_of(name: str) -> str:
    """The name on the right side of a name on the left; any other name stays."""
    return "Right" + name[4:] if name.startswith("Left") else name


def build_skeleton(rows: Sequence[Joint], hip_height: float) -> Skeleton:
    """The skeleton of a table; `hip_height` in metres."""
    table = both_sides(rows)
    names = [row.name for row in table]
    places = np.array([row.place for row in table]) * hip_height
    if unknown := sorted({row.parent for row in table if row.parent} - set(names)):
        raise ValueError(f"parents that are no joints of the table: {', '.join(unknown)}")
    parents = np.array([names.index(row.parent) if row.parent else -1 for row in table], np.int32)
    offsets = places.copy()
    child = parents >= 0
    offsets[child] -= places[parents[child]]
    return Skeleton.make(names, parents, offsets, end_sites=np.array([row.is_tip for row in table]))


def freedoms(rows: Sequence[Joint]) -> int:
    """The number of degrees of freedom of the whole skeleton, both sides counted."""
    return sum(row.freedoms for row in both_sides(rows))


@dataclass(frozen=True)
class Plan:
    """One animal as a table: its joints, what they are, and its hip height in metres.

    `fore` and `hind` are the joints of a leg from the top to the toe, without "Left" and "Right". `fore_roles` and
    `hind_roles` are what gait rows call them, the toe left out: from "scapula", "shoulder" or "hip" down over "elbow",
    "carpus", "stifle", "hock" and "fetlock" to "hoof", if there is one. `spine` runs from the pelvis to the chest.
    `ears` are names without a side too.
    """

    name: str
    joints: tuple[Joint, ...]
    hip_height: float
    fore: tuple[str, ...]
    fore_roles: tuple[str, ...]
    hind: tuple[str, ...]
    hind_roles: tuple[str, ...]
    spine: tuple[str, ...]
    neck: tuple[str, ...]
    head: str
    tail: tuple[str, ...]
    ears: tuple[str, ...] = ()
    sprawls: bool = False
    """Whether the upper limbs stick out sideways, as a tortoise's do."""


def stand(plan: Plan) -> Standing:
    """The standing pose of a plan, with its anatomy. Raises ValueError for legs or a spine that cannot be moved."""
    _check(plan)
    skeleton = build_skeleton(plan.joints, plan.hip_height)
    places, turns = forward(skeleton, skeleton.offsets, skeleton.rotations)

    def find(*names: str) -> tuple[int, ...]:
        return tuple(skeleton.index(name) for name in names)

    chains = [find(*(side + name for name in part)) for part in (plan.fore, plan.hind) for side in ("Left", "Right")]
    legs = tuple(Leg(name, chain, chain[0], chain[-1]) for name, chain in zip(LEGS, chains, strict=True))
    mirror = np.array([skeleton.index(_opposite(name)) for name in skeleton.names], np.int32)
    anatomy = Anatomy(
        "quadruped",
        np.array([0.0, 1.0, 0.0]),
        np.array([0.0, 0.0, 1.0]),
        plan.hip_height,
        legs,
        mirror,
        (),
        find(*plan.spine),
        find(*plan.neck),
        skeleton.index(plan.head),
        find(*plan.tail),
    )
    roles = (plan.fore_roles, plan.fore_roles, plan.hind_roles, plan.hind_roles)
    ears = find(*(side + name for name in plan.ears for side in ("Left", "Right")))
    return Standing(skeleton, places, turns, anatomy, roles, ears, plan.sprawls)


def _check(plan: Plan) -> None:
    """Raises ValueError with the remedy where the generator could not move the legs or the spine of a plan."""
    if len(plan.spine) < 2:
        raise ValueError(f"the spine of the {plan.name} needs two joints or more, from the pelvis to the chest")
    for part, joints, roles in (("fore", plan.fore, plan.fore_roles), ("hind", plan.hind, plan.hind_roles)):
        leg = f"the {part} leg of the {plan.name}"
        if len(roles) != len(joints) - 1:
            raise ValueError(
                f"{leg} has {len(joints)} joints and {len(roles)} roles; every joint but the toe needs one"
            )
        if plan.sprawls and len(joints) != 4:
            raise ValueError(
                f"{leg} sprawls and has {len(joints)} joints; it needs upper limb, lower limb, foot and toe"
            )
        first = 2 if roles[0] == "scapula" else 1
        unknown = [role for role in roles[first:] if role not in FLEXION_SIGNS and role != "hoof"]
        if unknown and not plan.sprawls:
            raise ValueError(
                f"{leg}: no joint bends as {', '.join(unknown)}; there are {', '.join(FLEXION_SIGNS)}, hoof"
            )


def _opposite(name: str) -> str:
    """The name on the other side; a name without a side stays."""
    return "Left" + name[5:] if name.startswith("Right") else _right_of(name)

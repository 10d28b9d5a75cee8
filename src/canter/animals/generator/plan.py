"""From a table of joints to a Skeleton: rest poses are tables of places, and a joint's rest frame is the world's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from canter.anatomy import LEGS, Anatomy, Leg
from canter.animals.generator.standing import Standing
from canter.motion import Skeleton
from canter.motion.kinematics import forward


@dataclass(frozen=True)
class Joint:
    """A row of a skeleton's table: where a joint stands at rest, and how it may turn.

    `place` is (left, up, forward) in hip heights from under the hips. A row whose name begins with "Left" stands for
    the right side too. `freedoms` counts the degrees of freedom; a tip has none and marks where a bone ends.
    """

    name: str
    parent: str
    place: tuple[float, float, float]
    freedoms: int = 0

    @property
    def is_tip(self) -> bool:
        return self.freedoms == 0


def both_sides(rows: Sequence[Joint]) -> list[Joint]:
    """The rows with every left limb followed by its mirror image, parents before children."""
    return [*rows, *(_mirrored(row) for row in rows if row.name.startswith("Left"))]


def _mirrored(row: Joint) -> Joint:
    x, y, z = row.place
    return Joint(_other(row.name), _other(row.parent), (-x, y, z), row.freedoms)


def _other(name: str) -> str:
    return "Right" + name[4:] if name.startswith("Left") else name


def build_skeleton(rows: Sequence[Joint], hip_height: float) -> Skeleton:
    """The skeleton of a table at a hip height in metres."""
    table = both_sides(rows)
    names = [row.name for row in table]
    places = np.array([row.place for row in table]) * hip_height
    parents = np.array([names.index(row.parent) if row.parent else -1 for row in table], np.int32)
    offsets = places.copy()
    child = parents >= 0
    offsets[child] -= places[parents[child]]
    return Skeleton.make(names, parents, offsets, end_sites=np.array([row.is_tip for row in table]))


def freedoms(rows: Sequence[Joint]) -> int:
    """Degrees of freedom of the whole skeleton."""
    return sum(row.freedoms for row in both_sides(rows))


@dataclass(frozen=True)
class Plan:
    """One animal as a table: its joints, which of them are what, and how high its hips are in metres.

    `fore` and `hind` name the joints of a leg from the top to the toe without their side, `*_roles` what rows of gaits
    call them.
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
    """The animal of a plan, standing."""
    skeleton = build_skeleton(plan.joints, plan.hip_height)
    places, turns = forward(skeleton, skeleton.offsets, skeleton.rotations)

    def find(*names: str) -> tuple[int, ...]:
        return tuple(skeleton.index(name) for name in names)

    chains = [find(*(side + name for name in part)) for part in (plan.fore, plan.hind) for side in ("Left", "Right")]
    legs = tuple(Leg(name, chain, chain[0], chain[-1]) for name, chain in zip(LEGS, chains, strict=True))
    mirror = np.array([skeleton.index(_across(name)) for name in skeleton.names], np.int32)
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


def _across(name: str) -> str:
    return "Left" + name[5:] if name.startswith("Right") else _other(name)

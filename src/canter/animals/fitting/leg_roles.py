"""Which joint of a rig's leg is the elbow, which the hock: by the joints' heights and the direction they bend.

Every assignment of roles in order gets a cost, and the cheapest is chosen. If a rig gets a wrong knee, look here. A
joint that fits no role gets "" and moves with the joint above it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np

from canter.animals.generator.legs import FLEXION_SIGNS
from canter.motion.arrays import Floats

FORE_HEIGHTS = {"scapula": 1.19, "shoulder": 0.90, "elbow": 0.72, "carpus": 0.34, "fetlock": 0.16}
HIND_HEIGHTS = {"hip": 1.0, "stifle": 0.69, "hock": 0.42, "fetlock": 0.17}
"""Usual heights of joints in hip heights, between those of the horse's and the dog's tables."""
MISSING_COST = {"scapula": 0.3, "shoulder": 0.0, "hip": 0.0, "elbow": 2.5, "stifle": 2.0, "carpus": 1.0, "hock": 1.0}
"""The cost of a leg without a role."""
HEIGHT_TOLERANCE = 0.12
"""Standard deviation of a joint's height in hip heights."""
MIN_BEND_DEG = 6.0
"""Degrees of bend in the wrong direction that cost nothing."""
CARPUS_SLACK_DEG = 45.0
"""Degrees by which the carpus of a standing paw may bend backward at no cost."""
FLAT_FOOT_DEG, LOW_FOOT_HIP_HEIGHTS = 55.0, 0.13
"""A last segment is a foot on the ground if it slopes less (degrees) and begins lower (hip heights) than this."""


def leg_roles(points: Floats, fore: bool) -> tuple[str, ...]:
    """The role of each joint of a leg except its last; "" for one that moves with the joint above it.

    `points (N, 3)` are its joints from the top to the toe in hip heights, the ground at 0. A last segment that lies on
    the ground begins at a "hoof", which stays flat in stance.
    """
    points = np.asarray(points, np.float64)
    if len(points) < 3:
        raise ValueError(f"a leg needs three joints or more to walk, and this one has {len(points)}")
    lying = len(points) > 3 and lies(points[-2], points[-1])
    upper = points[:-1] if lying else points
    bends, top = flexions(upper), (points[0, 1] - points[-1, 1])
    best = min(_choices(len(upper) - 1, fore), key=lambda roles: _cost(roles, upper, bends, top, fore))
    return (*best, "hoof") if lying else best


def lies(above: Floats, toe: Floats) -> bool:
    """Whether the segment to the toe lies on the ground, as a paw does, or a hoof."""
    step = toe - above
    slope = np.degrees(np.arctan2(-step[1], np.hypot(step[0], step[2])))
    return bool(slope < FLAT_FOOT_DEG and above[1] - toe[1] < LOW_FOOT_HIP_HEIGHTS)


def flexions(points: Floats) -> Floats:
    """Degrees `(N,)` by which each inner joint bends the leg forward in the sagittal plane; 0 at the ends."""
    steps = np.diff(points, axis=0)
    angles = np.degrees(np.arctan2(steps[:, 2], -steps[:, 1]))
    turns = (np.diff(angles) + 180) % 360 - 180
    return np.concatenate([[0.0], turns, [0.0]])


@cache
def _choices(count: int, fore: bool) -> tuple[tuple[str, ...], ...]:
    """All assignments of roles to `count` joints in order; the first is a scapula, a shoulder or a hip."""
    tops = (("scapula", "shoulder"), ("shoulder",)) if fore else (("hip",),)
    lower = ("elbow", "carpus", "fetlock") if fore else ("stifle", "hock", "fetlock")
    return tuple(
        (*top, *rest) for top in tops if len(top) <= count for rest in _fill(count - len(top), lower) if any(rest)
    )


def _fill(count: int, roles: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """All ways to give `count` joints one of `roles` in order, or none."""
    if count == 0:
        yield ()
        return
    for rest in _fill(count - 1, roles):
        yield ("", *rest)
    for k, role in enumerate(roles):
        for rest in _fill(count - 1, roles[k + 1 :]):
            yield (role, *rest)


def _cost(roles: tuple[str, ...], points: Floats, bends: Floats, top: float, fore: bool) -> float:
    """The cost of an assignment: missing roles, joints off their usual height, and bends in the wrong direction."""
    heights = FORE_HEIGHTS if fore else HIND_HEIGHTS
    scale = float(np.clip(top / heights[roles[0]], 0.85, 1.4))
    cost = 3.0 * (top / heights[roles[0]] - 1) ** 2
    cost += sum(price for role, price in MISSING_COST.items() if role in heights and role not in roles)
    for k, role in enumerate(roles):
        bend = float(bends[k])
        if role == "":
            cost += 0.4 + (bend / 30) ** 2
            continue
        off = (points[k, 1] - points[-1, 1]) / scale - heights[role]
        cost += (off / HEIGHT_TOLERANCE) ** 2 / 2
        wrong = -bend * FLEXION_SIGNS.get(role, -1.0 if role == "shoulder" and k else 0.0)
        cost += (
            max(wrong - (CARPUS_SLACK_DEG if role == "carpus" and "elbow" in roles else MIN_BEND_DEG), 0.0) / 15
        ) ** 2
    return cost

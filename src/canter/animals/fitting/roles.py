"""Which joint of any leg is the elbow, which the hock: told by heights along the leg and by the way it bends.

Heights are those of the horse's and the dog's tables in hip heights. A joint that fits no part of a leg gets no role
and turns with the joint above it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np

from canter.animals.generator.legs import SIGNS
from canter.motion.arrays import Floats

FORE = {"scapula": 1.19, "shoulder": 0.90, "elbow": 0.72, "carpus": 0.34, "fetlock": 0.16}
HIND = {"hip": 1.0, "stifle": 0.69, "hock": 0.42, "fetlock": 0.17}
MISSING = {"scapula": 0.3, "shoulder": 0.0, "hip": 0.0, "elbow": 2.5, "stifle": 2.0, "carpus": 1.0, "hock": 1.0}
"""What it costs to leave a part out of a leg."""
LOOSE = 0.12
"""Hip heights by which a joint may well be off the height of its part."""
BELIEVED = 6.0
"""Degrees of bend from which its direction tells something."""
GIVES = 45.0
"""Degrees by which a carpus may give backward in a standing paw."""
FLAT_FOOT, LOW_FOOT = 55.0, 0.13
"""A last segment that slopes less than so many degrees and begins lower than so many hip heights lies on the ground."""


def leg_roles(points: Floats, fore: bool) -> tuple[str, ...]:
    """The role of each joint of a leg but its last; "" for one that should turn with the joint above it.

    `points (N, 3)` go from the top to the toe in hip heights over level ground. A last segment that lies on the ground
    begins at a "hoof", which stays flat in stance.
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
    return bool(slope < FLAT_FOOT and above[1] - toe[1] < LOW_FOOT)


def flexions(points: Floats) -> Floats:
    """Degrees by which each inner joint swings the segment below it forward, seen from the side; 0 at the ends."""
    steps = np.diff(points, axis=0)
    angles = np.degrees(np.arctan2(steps[:, 2], -steps[:, 1]))
    turns = (np.diff(angles) + 180) % 360 - 180
    return np.concatenate([[0.0], turns, [0.0]])


@cache
def _choices(count: int, fore: bool) -> tuple[tuple[str, ...], ...]:
    """All ways to give `count` joints roles in order; the first is always the shoulder's or the hip's."""
    tops = (("scapula", "shoulder"), ("shoulder",)) if fore else (("hip",),)
    lower = ("elbow", "carpus", "fetlock") if fore else ("stifle", "hock", "fetlock")
    return tuple(
        (*top, *rest) for top in tops if len(top) <= count for rest in _fill(count - len(top), lower) if any(rest)
    )


def _fill(count: int, roles: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    if count == 0:
        yield ()
        return
    for rest in _fill(count - 1, roles):
        yield ("", *rest)
    for k, role in enumerate(roles):
        for rest in _fill(count - 1, roles[k + 1 :]):
            yield (role, *rest)


def _cost(roles: tuple[str, ...], points: Floats, bends: Floats, top: float, fore: bool) -> float:
    heights = FORE if fore else HIND
    scale = float(np.clip(top / heights[roles[0]], 0.85, 1.4))
    cost = 3.0 * (top / heights[roles[0]] - 1) ** 2
    cost += sum(price for role, price in MISSING.items() if role in heights and role not in roles)
    for k, role in enumerate(roles):
        bend = float(bends[k])
        if role == "":
            cost += 0.4 + (bend / 30) ** 2
            continue
        off = (points[k, 1] - points[-1, 1]) / scale - heights[role]
        cost += (off / LOOSE) ** 2 / 2
        wrong = -bend * SIGNS.get(role, -1.0 if role == "shoulder" and k else 0.0)
        cost += (max(wrong - (GIVES if role == "carpus" and "elbow" in roles else BELIEVED), 0.0) / 15) ** 2
    return cost

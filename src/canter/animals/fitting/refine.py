"""A search over small changes of a fitted row, until no leg is jerked, bent the wrong way or off its foothold.

A row that suits one animal may jerk another's legs: where a leg is nearly straight, a little more length is a lot less
flexion. Another foothold, other flexions or a lower body mostly help and are hardly visible.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from canter.animals.fitting.puppet import Puppet
from canter.animals.generator.gait_rows import GaitRow, LegRow
from canter.animals.generator.gaits import generate
from canter.animals.generator.legs import FLEXION_SIGNS
from canter.animals.generator.standing import Standing
from canter.animals.generator.waves import Points
from canter.motion import Motion
from canter.motion import rotations as rot
from canter.motion.arrays import Floats
from canter.motion.metrics import foot_skating

CALM_RATIO, ACCEPTED_RATIO = 2.6, 2.9
"""Penalties at which the search stops, and up to which a row is accepted without a search. A penalty is mostly the
ratio of a segment's peak angular acceleration to its 95th percentile."""
MIN_ACCELERATION = np.radians(300)
"""rad/s² below which a 95th percentile does not count: such accelerations are not seen."""
MIN_BEND_DEG, MAX_FOOT_ERROR_M = 4.0, 0.0015
"""Degrees that elbows, stifles and hocks should stay flexed, and metres that a sole may move or enter the ground."""
MAX_SKATING_CM, LOW_FOOT = 0.25, (0.025, 0.06)
"""Skating in cm per frame that is not penalised, and the height below which a foot counts as skating: the smaller of
metres and hip heights."""
VARIATIONS: dict[str, tuple[float, ...]] = {
    "centre": (-0.02, 0.02, -0.045, 0.045),
    "bends": (-6.0, 6.0, 12.0),
    "lift": (0.8, 1.25, 1.6),
    "drop": (-0.01, 0.015, 0.03),
    "length": (0.93, 0.86),
}
"""Changes that are tried, the least visible first: centre and drop in hip heights, bends in degrees, lift and stride
length as factors."""
ROUNDS = 2
"""How often all of them are tried."""


@dataclass(frozen=True, eq=False)
class Attempt:
    """A row, its motion, and the penalties `(2,)` of its fore and its hind legs."""

    row: GaitRow
    motion: Motion
    penalty: Floats


FootErrors = Callable[[GaitRow, Motion], Floats]
"""From a row and its motion to metres `(4,)` that the sole of each leg moves in stance."""


def try_row(puppet: Puppet, row: GaitRow, foot_errors: FootErrors) -> Attempt:
    """The motion of a row on a puppet, and its penalties."""
    motion = generate(puppet.standing, row)
    return Attempt(row, motion, _penalty(puppet, row, motion, foot_errors(row, motion)))


def refine(puppet: Puppet, row: GaitRow, foot_errors: FootErrors) -> Attempt:
    """The row changed as little as needed for the penalties to fall below `CALM_RATIO`, or the best that was found."""
    best = try_row(puppet, row, foot_errors)
    for what in [*VARIATIONS] * ROUNDS:
        if best.penalty.max() <= CALM_RATIO:
            break
        tries = [best]
        for changed in _varied_rows(best.row, what):
            tries.append(try_row(puppet, changed, foot_errors))
            if tries[-1].penalty.max() <= CALM_RATIO:
                break
        fore, hind = (tries[int(np.argmin([t.penalty[k] for t in tries]))].row for k in range(2))
        tries.append(try_row(puppet, replace(best.row, fore=fore.fore, hind=hind.hind), foot_errors))
        best = min(tries, key=lambda t: float(np.sum(np.maximum(t.penalty, CALM_RATIO))))
    return best


def _varied_rows(row: GaitRow, what: str) -> Iterator[GaitRow]:
    """The row with one of its numbers changed by each step of `VARIATIONS[what]`."""
    for step in VARIATIONS[what]:
        if what == "drop":
            yield replace(row, drop=row.drop + step)
        elif what == "length":
            speed, sideways, frequency = row.speed * step**0.5, row.sideways * step**0.5, row.frequency / step**0.5
            yield replace(row, speed=speed, sideways=sideways, frequency=frequency)
        else:
            yield replace(row, fore=_varied_leg(row.fore, what, step), hind=_varied_leg(row.hind, what, step))


def _varied_leg(part: LegRow, what: str, step: float) -> LegRow:
    if what == "centre":
        return replace(part, centre=part.centre + step)
    if what == "lift":
        return replace(part, lift=tuple((at, value * step) for at, value in part.lift))
    return replace(
        part, bends={role: (_more_bent(a, step), _more_bent(b, step)) for role, (a, b) in part.bends.items()}
    )


def _more_bent(curve: Points, step: float) -> Points:
    """Flexions higher by `step` degrees; nearly straight ones are not straightened further."""
    return tuple((at, max(value + step, min(value, 2 * MIN_BEND_DEG))) for at, value in curve)


def _penalty(puppet: Puppet, row: GaitRow, motion: Motion, foot_errors: Floats) -> Floats:
    """Penalties `(2,)` of fore and hind legs: acceleration ratio, missing flexion, foot errors, skating, in sum."""
    animal = puppet.standing
    ratios, least = acceleration_ratios(animal, row, motion), least_bends(animal, motion)
    toes = [leg.joints[-1] for leg in animal.anatomy.legs]
    deep = -motion.position_world[:, toes, 1].min(axis=0)
    off = np.maximum(np.maximum(foot_errors, deep) - MAX_FOOT_ERROR_M, 0.0) / animal.height
    low = min(LOW_FOOT[0], LOW_FOOT[1] * animal.height)
    skating = foot_skating(motion.position_world[:, puppet.feet], motion.frame_rate, threshold=low)
    skating = np.maximum(skating - MAX_SKATING_CM, 0.0)
    each = ratios + np.maximum(MIN_BEND_DEG - least, 0.0) / 4 + 1000 * off + 30 * skating
    return np.array([each[:2].max(), each[2:].max()])


def acceleration_ratios(animal: Standing, row: GaitRow, motion: Motion) -> Floats:
    """The largest ratio, over each leg's segments `(4,)`, of peak angular acceleration to its 95th percentile."""
    heading = rot.yaw(-np.radians(row.turn) * np.arange(len(motion)) / motion.frame_rate)[:, None]
    turns = rot.multiply(heading, motion.rotation_world.astype(np.float64))[:-1]
    rate = rot.log(rot.multiply(np.roll(turns, -1, axis=0), rot.conjugate(turns))) * motion.frame_rate
    change = np.linalg.norm(np.roll(rate, -1, axis=0) - rate, axis=-1) * motion.frame_rate
    each = change.max(axis=0) / np.maximum(np.percentile(change, 95, axis=0), MIN_ACCELERATION)
    return np.array([each[list(leg.joints)].max() for leg in animal.anatomy.legs])


def least_bends(animal: Standing, motion: Motion) -> Floats:
    """The smallest flexion in degrees of each leg's elbow, stifle and hock `(4,)`, in the sagittal plane."""
    found: list[float] = []
    for leg, roles in zip(animal.anatomy.legs, animal.roles, strict=True):
        turns = rot.log(motion.rotation_world[:, list(leg.joints)].astype(np.float64))[..., 0]
        planar = animal.planar(len(found))
        angles = planar.angles - turns[:, : len(planar.angles)]
        bends = [
            np.degrees(FLEXION_SIGNS[role] * (angles[:, k] - angles[:, k - 1])).min()
            for k, role in enumerate(roles[: planar.free])
            if role in ("elbow", "stifle", "hock")
        ]
        found.append(float(min(bends, default=90.0)))
    return np.array(found)

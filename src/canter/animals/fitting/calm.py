"""A fitted row is varied a little until no leg is jerked, bent the wrong way or off its place.

What a row asks of one animal's legs another's may do only with a jerk: where a leg is nearly straight, a little more
way is a lot more bend. Another place to stand, other bends or a lower body mostly help, and one sees them hardly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from canter.animals.fitting.puppet import Puppet
from canter.animals.generator.gait_rows import GaitRow, LegRow
from canter.animals.generator.generate import generate
from canter.animals.generator.legs import SIGNS
from canter.animals.generator.standing import Standing
from canter.animals.generator.waves import Points
from canter.motion import Motion
from canter.motion import rotations as rot
from canter.motion.arrays import Floats
from canter.motion.metrics import foot_skating

CALM, FINE = 2.6, 2.9
"""A leg is calm if no segment's angular acceleration exceeds so many times its own 95th percentile, and fine as it is
with a little more."""
QUIET = np.radians(300)
"""Angular accelerations per second squared of which nobody takes notice."""
STRAIGHTEST, MISPLACED = 4.0, 0.0015
"""Degrees that elbows, stifles and hocks should stay bent, and metres that a sole may be off its place or too low."""
SKATING, LOW = 0.25, (0.025, 0.06)
"""Centimetres a frame that a foot may skate, and metres and hip heights under which it does: it swings high enough."""
STEPS: dict[str, tuple[float, ...]] = {
    "centre": (-0.02, 0.02, -0.045, 0.045),
    "bends": (-6.0, 6.0, 12.0),
    "lift": (0.8, 1.25, 1.6),
    "drop": (-0.01, 0.015, 0.03),
    "length": (0.93, 0.86),
}
"""What is tried, the least visible first: hip heights, degrees, and factors."""
ROUNDS = 2


@dataclass(frozen=True, eq=False)
class Attempt:
    """A row, its motion, and what is wrong with its fore and its hind legs `(2,)`."""

    row: GaitRow
    motion: Motion
    wrong: Floats


Faults = Callable[[GaitRow, Motion], Floats]
"""By how many metres the sole of each leg is off its place."""


def attempt(puppet: Puppet, row: GaitRow, faults: Faults) -> Attempt:
    """The row tried on an animal."""
    motion = generate(puppet.standing, row)
    return Attempt(row, motion, _wrong(puppet, row, motion, faults(row, motion)))


def calmed(puppet: Puppet, row: GaitRow, faults: Faults) -> Attempt:
    """The row, changed as little as needed."""
    best = attempt(puppet, row, faults)
    for what in [*STEPS] * ROUNDS:
        if best.wrong.max() <= CALM:
            break
        tries = [best]
        for changed in _variations(best.row, what):
            tries.append(attempt(puppet, changed, faults))
            if tries[-1].wrong.max() <= CALM:
                break
        fore, hind = (tries[int(np.argmin([t.wrong[k] for t in tries]))].row for k in range(2))
        tries.append(attempt(puppet, replace(best.row, fore=fore.fore, hind=hind.hind), faults))
        best = min(tries, key=lambda t: float(np.sum(np.maximum(t.wrong, CALM))))
    return best


def _variations(row: GaitRow, what: str) -> Iterator[GaitRow]:
    for step in STEPS[what]:
        if what == "drop":
            yield replace(row, drop=row.drop + step)
        elif what == "length":
            speed, sideways, frequency = row.speed * step**0.5, row.sideways * step**0.5, row.frequency / step**0.5
            yield replace(row, speed=speed, sideways=sideways, frequency=frequency)
        else:
            yield replace(row, fore=_varied(row.fore, what, step), hind=_varied(row.hind, what, step))


def _varied(part: LegRow, what: str, step: float) -> LegRow:
    if what == "centre":
        return replace(part, centre=part.centre + step)
    if what == "lift":
        return replace(part, lift=tuple((at, value * step) for at, value in part.lift))
    return replace(part, bends={role: (_moved(a, step), _moved(b, step)) for role, (a, b) in part.bends.items()})


def _moved(curve: Points, step: float) -> Points:
    """Bends higher by `step` degrees, but those that are nearly straight."""
    return tuple((at, max(value + step, min(value, 2 * STRAIGHTEST))) for at, value in curve)


def _wrong(puppet: Puppet, row: GaitRow, motion: Motion, faults: Floats) -> Floats:
    """How much is wrong with the fore and the hind legs: jerks, and what counts as much."""
    animal = puppet.standing
    jerk, straight = jerks(animal, row, motion), straightest(animal, motion)
    toes = [leg.joints[-1] for leg in animal.anatomy.legs]
    deep = -motion.position_world[:, toes, 1].min(axis=0)
    off = np.maximum(np.maximum(faults, deep) - MISPLACED, 0.0) / animal.height
    low = min(LOW[0], LOW[1] * animal.height)
    skating = foot_skating(motion.position_world[:, puppet.feet], motion.frame_rate, threshold=low)
    skating = np.maximum(skating - SKATING, 0.0)
    each = jerk + np.maximum(STRAIGHTEST - straight, 0.0) / 4 + 1000 * off + 30 * skating
    return np.array([each[:2].max(), each[2:].max()])


def jerks(animal: Standing, row: GaitRow, motion: Motion) -> Floats:
    """The largest angular acceleration of each leg's segments `(4,)`, over the 95th percentile of its own."""
    heading = rot.yaw(-np.radians(row.turn) * np.arange(len(motion)) / motion.frame_rate)[:, None]
    turns = rot.multiply(heading, motion.rotation_world.astype(np.float64))[:-1]
    rate = rot.log(rot.multiply(np.roll(turns, -1, axis=0), rot.conjugate(turns))) * motion.frame_rate
    change = np.linalg.norm(np.roll(rate, -1, axis=0) - rate, axis=-1) * motion.frame_rate
    each = change.max(axis=0) / np.maximum(np.percentile(change, 95, axis=0), QUIET)
    return np.array([each[list(leg.joints)].max() for leg in animal.anatomy.legs])


def straightest(animal: Standing, motion: Motion) -> Floats:
    """The least bend in degrees of each leg's elbow, stifle and hock `(4,)`, seen from the side."""
    found: list[float] = []
    for leg, roles in zip(animal.anatomy.legs, animal.roles, strict=True):
        turns = rot.log(motion.rotation_world[:, list(leg.joints)].astype(np.float64))[..., 0]
        planar = animal.planar(len(found))
        angles = planar.angles - turns[:, : len(planar.angles)]
        bends = [
            np.degrees(SIGNS[role] * (angles[:, k] - angles[:, k - 1])).min()
            for k, role in enumerate(roles[: planar.free])
            if role in ("elbow", "stifle", "hock")
        ]
        found.append(float(min(bends, default=90.0)))
    return np.array(found)

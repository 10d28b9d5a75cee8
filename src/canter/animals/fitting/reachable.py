"""A gait row changed until every foot is in reach: the body lowered, stances moved, strides shortened, legs bent."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from canter.animals.fitting.proportions import MIN_STANDING_BEND_DEG, lengthening_roles, shifted
from canter.animals.fitting.puppet import Puppet
from canter.animals.generator.gait_rows import GaitRow, LegRow
from canter.animals.generator.gaits import generate
from canter.animals.generator.legs import COMPLIANCE, FLEXION_SIGNS, PlanarLeg
from canter.animals.generator.standing import Standing
from canter.motion import Motion
from canter.motion import rotations as rot
from canter.motion.arrays import Bools, Floats

STRETCHED_BEND_SHARE, MIN_STANCE_BEND_DEG = 0.5, 30.0
"""The share of its flexions, and the degrees, that a leg keeps in stance when it is stretched as far as it may be."""
MAX_DROP, MAX_EXTRA_DROP = 0.05, 0.08
"""Hip heights that the body may be lowered below the row's drop, and how much more for short strides."""
MIN_MISSING_REACH = 0.008
"""Hip heights by which the body may be too high before the row is changed: legs stretch a little more."""
MAX_CENTRE_SHIFT = 0.15
"""Hip heights by which the middle of an overstretched leg's stance may be moved."""
MIN_STRIDE_SHARE = 0.5
"""The share of their length to which strides may be shortened so that the legs reach."""
BEND_TOLERANCE_DEG = 8.0
"""Degrees by which the flexions of a row may be off: the generator's scaling of flexions makes up for as much."""
MAX_SOLE_DEPTH = 0.002
"""Hip heights that a sole may enter the ground."""
EXTRA_SWING_BEND_DEG = 5.0
"""Degrees by which a swinging leg is flexed more where its sole would enter the ground."""


def reachable(animal: Standing, row: GaitRow) -> GaitRow:
    """The row with the body lowered, and where that is not enough with shorter strides, until every foot is in reach.

    Flexions are then changed so that the legs are about as long as their stance needs.
    """
    if row.speed == 0 or row.turn != 0:
        return _bent_to_length(animal, row)
    for share in np.arange(1.0, MIN_STRIDE_SHARE - 0.01, -0.1):
        best = _centred(animal, _shortened(row, float(share)))
        missing, deepest = _missing_drop(animal, best), MAX_DROP + MAX_EXTRA_DROP * (1 - float(share))
        if missing <= deepest:
            break
    if missing > MIN_MISSING_REACH:
        best = replace(best, drop=best.drop + min(missing, deepest))
    return _bent_to_length(animal, best)


def _shortened(row: GaitRow, share: float) -> GaitRow:
    """The row with strides of `share` of their length: lower speed and higher frequency, by the same factor."""
    factor = share**0.5
    return replace(row, speed=row.speed * factor, frequency=row.frequency / factor)


def _missing_drop(animal: Standing, row: GaitRow) -> float:
    """Hip heights by which the body must be lowered for all feet to be in reach while they stand."""
    motion = generate(animal, row)
    excesses = [
        _excess_height(animal, row.leg(leg), leg, _hip_from_foot(animal, row, motion, leg)).max() for leg in range(4)
    ]
    return float(np.max(excesses)) / animal.height


def _centred(animal: Standing, row: GaitRow) -> GaitRow:
    """The row with stances of overstretched legs moved until start and end are equally far out of reach."""
    motion = generate(animal, row)
    fore, hind = (
        replace(
            part,
            centre=part.centre
            + _balancing_shift(animal, part, leg, _hip_from_foot(animal, row, motion, leg)) / animal.height,
        )
        for leg, part in ((0, row.fore), (2, row.hind))
    )
    return replace(row, fore=fore, hind=hind)


def _balancing_shift(animal: Standing, part: LegRow, leg: int, from_foot: Floats) -> float:
    """Metres by which a stance must be moved forward to be balanced; 0 if the leg reaches both ends."""
    if _excess_height(animal, part, leg, from_foot).max() <= MIN_MISSING_REACH * animal.height:
        return 0.0
    half = len(from_foot) // 2
    low, high = -MAX_CENTRE_SHIFT * animal.height, MAX_CENTRE_SHIFT * animal.height
    for _ in range(20):
        middle = (low + high) / 2
        excess = _excess_height(animal, part, leg, from_foot - np.array([0.0, 0.0, middle]))
        low, high = (low, middle) if excess[:half].max() > excess[half:].max() else (middle, high)
    return (low + high) / 2


def _excess_height(animal: Standing, part: LegRow, leg: int, from_foot: Floats) -> Floats:
    """Metres `(T,)` by which the top of a limb is too high, if it is `from_foot (T, 3)` away from its held joint."""
    planar, joints = animal.planar(leg), list(animal.anatomy.legs[leg].joints)
    natural = animal.places[joints[planar.free], 0] - animal.places[joints[planar.aimed], 0]
    longest = np.hypot(_leg_lengths(planar, part, np.linspace(0, 1, len(from_foot)), STRETCHED_BEND_SHARE), natural)
    flat = np.hypot(from_foot[:, 0], from_foot[:, 2])
    result: Floats = from_foot[:, 1] - np.sqrt(np.maximum(longest**2 - flat**2, 0.0))
    return result


def _hip_from_foot(animal: Standing, row: GaitRow, motion: Motion, leg: int) -> Floats:
    """The vector `(T, 3)` from a leg's wanted held joint to the top of the limb, from touchdown to lift-off."""
    planar, joints = animal.planar(leg), list(animal.anatomy.legs[leg].joints)
    frames = np.flatnonzero(in_stance(row, len(motion), leg)[:-1])
    frames = frames[np.argsort((frames / (len(motion) - 1) - row.touchdowns[leg]) % 1.0)]
    held = footholds(animal, row, len(motion), leg)[frames]
    if planar.has_hoof:
        bone = animal.places[joints[-2]] - animal.places[joints[-1]]
        held = held + rot.rotate(motion.rotation_world[frames][:, joints[-2]], bone)
    result: Floats = motion.position_world[frames][:, joints[planar.aimed]] - held
    return result


def _bent_to_length(animal: Standing, row: GaitRow) -> GaitRow:
    """The row with all flexions of a leg shifted until it is on average as long as its stance needs."""
    straight = row if row.turn == 0 else replace(row, speed=0.0, sideways=0.0, turn=0.0)
    motion = generate(animal, straight)
    fore, hind = (_bent_leg(animal, straight, motion, leg) for leg in (0, 2))
    return replace(row, fore=fore, hind=hind)


def _bent_leg(animal: Standing, row: GaitRow, motion: Motion, leg: int) -> LegRow:
    """The row of one leg with its flexions shifted until its mean length fits, found by bisection."""
    part, planar = row.leg(leg), animal.planar(leg)
    joints = animal.anatomy.legs[leg].joints
    from_foot = _hip_from_foot(animal, row, motion, leg)
    natural = animal.places[joints[planar.free], 0] - animal.places[joints[planar.aimed], 0]
    wanted = float(np.mean(np.sqrt(np.maximum((from_foot**2).sum(axis=1) - natural**2, 0.0))))
    at = np.linspace(0, 1, len(from_foot))
    low, high = -60.0, 60.0
    for _ in range(20):
        middle = (low + high) / 2
        low, high = (
            (middle, high) if _leg_lengths(planar, _more_bent(part, middle), at).mean() > wanted else (low, middle)
        )
    return _more_bent(part, float(np.sign(low) * max(abs(low) - BEND_TOLERANCE_DEG, 0.0)))


def _more_bent(part: LegRow, degrees: float) -> LegRow:
    """The row with the flexions of lengthening joints higher by `degrees`."""
    lengthening = lengthening_roles(tuple(part.bends))
    return replace(
        part,
        bends={
            role: (
                shifted(stance, degrees, MIN_STANDING_BEND_DEG / 2),
                shifted(swing, degrees, MIN_STANDING_BEND_DEG / 2),
            )
            if role in lengthening
            else (stance, swing)
            for role, (stance, swing) in part.bends.items()
        },
    )


def _leg_lengths(leg: PlanarLeg, part: LegRow, at: Floats, scale: float = 1.0) -> Floats:
    """Lengths `(T,)` of a limb in metres at fractions `at (T,)` of stance, compliant flexions times `scale`."""
    resting, lengthening = leg.rest_flexions(), lengthening_roles(leg.roles)
    angle = np.zeros_like(at)
    down, forward = np.full_like(at, leg.lengths[leg.aimed]), np.zeros_like(at)
    for k in range(leg.aimed + 1, leg.free):
        role = leg.roles[k]
        stance = part.bends[role][0] if role in part.bends else ((0.0, float(np.degrees(resting[k]))),)
        bend = np.interp(at, [x for x, _ in stance], [y for _, y in stance])
        kept = bend * (1 + COMPLIANCE.get(role, 0.0) * (scale - 1))
        kept = np.maximum(kept, np.minimum(bend, MIN_STANCE_BEND_DEG)) if role in lengthening else kept
        angle = angle + FLEXION_SIGNS[role] * np.radians(kept)
        down, forward = down + leg.lengths[k] * np.cos(angle), forward + leg.lengths[k] * np.sin(angle)
    result: Floats = np.hypot(down, forward)
    return result


def cleared(puppet: Puppet, row: GaitRow) -> GaitRow:
    """The row with feet lifted higher where a sole would enter the ground in swing."""
    for _ in range(3):
        low = puppet.depths(generate(puppet.standing, row)) / puppet.standing.height
        if low.max() <= MAX_SOLE_DEPTH:
            break
        row = replace(
            row, fore=_lifted_more(row.fore, float(low[:2].max())), hind=_lifted_more(row.hind, float(low[2:].max()))
        )
    return row


def _lifted_more(part: LegRow, low: float) -> LegRow:
    """The row with more lift and flexion in swing, if a sole was `low` hip heights below the ground."""
    if low <= MAX_SOLE_DEPTH:
        return part
    lengthening = lengthening_roles(tuple(part.bends))
    bends = {
        role: (stance, shifted(swing, EXTRA_SWING_BEND_DEG, -90.0) if role in lengthening else swing)
        for role, (stance, swing) in part.bends.items()
    }
    return replace(part, lift=tuple((at, value + 1.5 * low) for at, value in part.lift), bends=bends)


def footholds(animal: Standing, row: GaitRow, frames: int, leg: int) -> Floats:
    """Where the toe of a leg should be in each frame `(T, 3)` while it is down, for gaits that do not turn."""
    part, h = row.leg(leg), animal.height
    phase = np.arange(frames) / (frames - 1)
    share = (phase - row.touchdowns[leg]) % 1.0 / part.duty
    centre = row.stance_centre(leg)
    side = 1 if leg % 2 == 0 else -1
    middle = np.array([side * part.width * h, 0.0, animal.places[animal.anatomy.legs[leg].joints[0], 2] + centre * h])
    seconds = (part.duty * (0.5 - share) + phase) / row.frequency
    result: Floats = middle + seconds[:, None] * np.array([row.sideways, 0.0, row.speed])
    return result


def in_stance(row: GaitRow, frames: int, leg: int) -> Bools:
    """In which `frames` of one stride, the last repeating the first, a leg is down."""
    return row.is_down(leg, np.arange(frames) / (frames - 1))

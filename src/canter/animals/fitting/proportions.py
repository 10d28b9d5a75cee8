"""A gait row for an animal of other proportions than its model: other footholds, straighter or more bent legs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from canter.animals.fitting.puppet import Puppet
from canter.animals.generator.gait_rows import GaitRow, LegRow
from canter.animals.generator.legs import FLEXION_SIGNS
from canter.animals.generator.standing import Standing
from canter.animals.generator.waves import Points

MIN_STANDING_BEND_DEG = 16.0
"""The least standing flexion in degrees of elbow, stifle and hock in fitting: columns bend a little too."""
OWN_BEND_SHARE = 0.5
"""The share of the difference between an animal's and its model's standing flexions that is kept in motion."""
LENGTHENING_ROLES = ("elbow", "stifle", "hock")
"""The joints that make a leg longer or shorter."""
ONLY_KNEE = {"carpus": "elbow", "hock": "stifle"}
"""The joint of the model whose flexions the only knee of a two-bone leg takes if it bends the other way."""
FOLD_DEG, FOLD_SHARE = 60.0, 0.8
"""Degrees of flexion by which the possible lift of a leg is found, and the share of it that any leg must lift."""
CLOSED_DEG, OPEN_DEG = 120.0, 60.0
"""Degrees of flexion above which a joint is bent no further, and up to which it takes a whole shift."""
MAX_WIDTH_RATIO = 1.1
"""How much wider than standing a gait may be."""


def proportioned(row: GaitRow, puppet: Puppet, model: Standing) -> GaitRow:
    """The row with footholds, flexions and lift changed by how the puppet stands differently from the model.

    A foot whose last joint is above the ground stands flat until it leaves, so that the joint stays in place.
    """
    animal = puppet.standing
    row = replace(row, fore=_leg_row(row.fore, animal, model, 0), hind=_leg_row(row.hind, animal, model, 2))
    fore, hind = (
        replace(part, roll_pitch=0.0) if puppet.flat_footed[leg] else part
        for leg, part in ((0, row.fore), (2, row.hind))
    )
    row = replace(row, fore=fore, hind=hind)
    if len(animal.anatomy.spine) < 3 and animal.skeleton.names[animal.anatomy.spine[-1]] == "withers":
        row = replace(row, flexion=(), bend=(), thorax_roll=row.pelvis_roll)  # a trunk of one piece
    return row


def _leg_row(part: LegRow, animal: Standing, model: Standing, leg: int) -> LegRow:
    ahead, beside = _foothold(animal, leg)
    model_ahead, model_beside = _foothold(model, leg)
    return replace(
        part,
        centre=part.centre + ahead - model_ahead,
        width=beside * min(part.width / max(model_beside, 1e-6), MAX_WIDTH_RATIO),
        bends=_bends(part, animal, model, leg),
        lift=_possible_lift(part.lift, _fold(animal, leg), _fold(model, leg)),
    )


def _possible_lift(lift: Points, fold: float, model_fold: float) -> Points:
    """The lift of a toe whose leg can be folded by `fold` hip heights, where the model's can by `model_fold`."""
    share = max(fold / model_fold, FOLD_SHARE * fold / max(value for _, value in lift))
    return tuple((at, value * min(share, 1.0)) for at, value in lift)


def _fold(animal: Standing, leg: int) -> float:
    """Hip heights by which a leg shortens when its lengthening joints are flexed by `FOLD_DEG` more."""
    planar = animal.planar(leg)
    lengthening = lengthening_roles(planar.roles)
    angles = planar.angles[: planar.free].copy()
    for k in range(planar.aimed + 1, planar.free):
        if planar.roles[k] in lengthening:
            angles[k:] += FLEXION_SIGNS[planar.roles[k]] * np.radians(FOLD_DEG)
    both = np.stack([planar.angles[: planar.free], angles]), planar.lengths[: planar.free]
    steps = [(both[1] * wave(both[0]))[:, planar.aimed :].sum(axis=1) for wave in (np.cos, np.sin)]
    length, folded = np.hypot(*steps)
    return float(length - folded) / animal.height


def _foothold(animal: Standing, leg: int) -> tuple[float, float]:
    """How far the toe stands ahead of the top of its leg, and beside the midline, in hip heights."""
    joints = animal.anatomy.legs[leg].joints
    top, toe = animal.places[joints[0]], animal.places[joints[-1]]
    return float(toe[2] - top[2]) / animal.height, abs(float(toe[0])) / animal.height


def _bends(part: LegRow, animal: Standing, model: Standing, leg: int) -> dict[str, tuple[Points, Points]]:
    """The row's flexions, shifted by a share of the difference between the animal's and the model's standing ones."""
    ours, theirs = _standing_bends(animal, leg), _standing_bends(model, leg)
    lengthening = lengthening_roles(animal.roles[leg])
    found = {}
    for role in ours:
        like = ONLY_KNEE.get(role, role) if _is_only_knee(role, animal.roles[leg]) else role
        if like not in part.bends:
            continue
        base = max(ours[role], MIN_STANDING_BEND_DEG) if role in lengthening else ours[role]
        shift = OWN_BEND_SHARE * (base - theirs.get(like, base))
        least = MIN_STANDING_BEND_DEG / 2 if role in lengthening else -90.0
        stance, swing = part.bends[like]
        found[role] = shifted(stance, shift, least), shifted(swing, shift, least)
    return found


def lengthening_roles(roles: tuple[str, ...]) -> tuple[str, ...]:
    """The joints that make a leg longer or shorter; of a leg with only one knee that one, whichever way it bends."""
    return (*LENGTHENING_ROLES, *(role for role in roles if _is_only_knee(role, roles)))


def _is_only_knee(role: str, roles: tuple[str, ...]) -> bool:
    return role in ONLY_KNEE and ONLY_KNEE[role] not in roles


def shifted(curve: Points, shift: float, least: float) -> Points:
    """Flexions higher by `shift` degrees, less so where the joint is closed already, and at least `least`."""
    room = [
        min(max((CLOSED_DEG - value) / (CLOSED_DEG - OPEN_DEG), 0.0), 1.0) if shift > 0 else 1.0 for _, value in curve
    ]
    return tuple((at, max(value + shift * share, least)) for (at, value), share in zip(curve, room, strict=True))


def _standing_bends(animal: Standing, leg: int) -> dict[str, float]:
    """Degrees of flexion of a standing leg by role."""
    planar = animal.planar(leg)
    return {
        planar.roles[k]: float(np.degrees(v))
        for k, v in planar.rest_flexions().items()
        if planar.roles[k] in FLEXION_SIGNS
    }

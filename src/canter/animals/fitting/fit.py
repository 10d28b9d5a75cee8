"""Gaits for a rig that has none: rows of a table, scaled by dynamic similarity and fitted to the rig's proportions.

Animals move alike at equal Froude numbers (Alexander and Jayes 1983): lengths go with the hip height, speeds with its
root, frequencies with the root's inverse. What is left are proportions: where the feet stand, how straight the legs
are and how far they reach; rows are changed by just that much.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from canter.anatomy import Character, Clip
from canter.anatomy.footfalls import read_footfalls
from canter.animals.fitting.calm import FINE, attempt, calmed
from canter.animals.fitting.puppet import Puppet, follow, make_puppet
from canter.animals.fitting.stand import standing_pose
from canter.animals.generator.gait_rows import GaitRow, LegRow
from canter.animals.generator.generate import generate
from canter.animals.generator.legs import GIVING, SIGNS, PlanarLeg
from canter.animals.generator.standing import Standing
from canter.animals.generator.waves import Points
from canter.motion import Motion
from canter.motion import rotations as rot
from canter.motion.arrays import Bools, Floats
from canter.motion.feet import stances

READ_AS = {"back": "backward"}
"""Rows whose gait has another name where footfalls are read."""
LEAST_BEND = 16.0
"""Degrees that elbow, stifle and hock of a moving leg are bent at least when it stands: columns give a little too."""
OWN_WAY = 0.5
"""How much of the difference between an animal's and its model's standing bends is kept when it moves."""
STRETCH, LEFT = 0.5, 30.0
"""The share of its bends and the degrees that a leg keeps in stance when it is stretched as far as it should."""
GIVING_ROLES = ("elbow", "stifle", "hock")
"""The joints that make a leg longer or shorter."""
ONLY_KNEE = {"carpus": "elbow", "hock": "stifle"}
"""What else a leg of two bones that bends the other way moves like."""
DEEPEST, DEEPER = 0.05, 0.08
"""Hip heights that the body may sink below the row's drop so that legs reach, and how much more for short strides."""
FOLD, FOLDED = 60.0, 0.8
"""Degrees by which joints are bent to see how far a leg can be lifted, and which share of that is asked of any leg."""
CLOSED = 120.0
"""Degrees of flexion at which a joint closes no further."""
BEND_MORE = 5.0
"""Degrees by which a swinging leg is bent more where its sole would enter the ground."""
DEEP_SOLE = 0.002
"""Hip heights that a sole may enter the ground."""
TOLERATED = 0.008
"""Hip heights by which the body may be too high before anything is done about it: legs stretch a little more."""
ENOUGH = 8.0
"""Degrees by which the bends of a row may be off: legs give by as much."""
FARTHEST = 0.15
"""Hip heights by which the middle of an overstretched leg's stance may be moved."""
SHORTEST = 0.5
"""The share to which strides may be shortened, so that the legs reach."""


@dataclass(frozen=True, eq=False)
class Fitted:
    """A gait of a rig: the clip, the row that made it, and the puppet's motion with its soles.

    `miss` is how far, in metres, a sole gets from its place on the ground while it should stand there.
    """

    clip: Clip
    row: GaitRow
    puppet: Puppet
    sketch: Motion

    @property
    def is_told_right(self) -> bool:
        """Whether footfalls alone tell the gait that this should be."""
        return self.clip.footfalls.gait == READ_AS.get(self.row.name, self.row.name)

    @property
    def miss(self) -> float:
        return float(_misses(self.puppet.standing, self.row, self.sketch).max())


def gaits_for(character: Character, rows: Sequence[GaitRow], model: Standing) -> tuple[Clip, ...]:
    """A clip of every gait in `rows`, which were made for the animal `model`; the character's own clips are not used.

    Each is one stride on the character's skeleton, travelling along +Z, its last frame like its first.
    """
    return tuple(fitted.clip for fitted in fit(character, rows, model))


def fit(character: Character, rows: Sequence[GaitRow], model: Standing) -> tuple[Fitted, ...]:
    """`gaits_for`, with what was made on the way."""
    stood = standing_pose(character)
    puppets = [make_puppet(character, stood, turning) for turning in (False, True)]
    return tuple(_fitted(character, puppets[row.turn != 0], row, model) for row in rows)


def _fitted(character: Character, puppet: Puppet, row: GaitRow, model: Standing) -> Fitted:
    standing = puppet.standing

    def faults(tried: GaitRow, motion: Motion) -> Floats:
        return _misses(standing, tried, motion)

    ours = proportioned(similar(row, model.height, standing.height), puppet, model)
    made = attempt(puppet, ours, faults)
    if made.wrong.max() > FINE or puppet.depths(made.motion).max() > DEEP_SOLE * standing.height:
        made = calmed(puppet, _cleared(puppet, reaching(standing, ours)), faults)
    clip = read_footfalls(follow(puppet, made.motion, character.skeleton, made.row.turn), character.anatomy)
    return Fitted(clip, made.row, puppet, made.motion)


def _misses(animal: Standing, row: GaitRow, motion: Motion) -> Floats:
    """By how many metres the sole of each leg moves while it should stand `(4,)`."""
    found = []
    for leg in range(4):
        toe = motion.position_world[:, animal.anatomy.legs[leg].joints[-1]]
        runs = stances(in_stance(row, len(toe), leg))
        found.append(max(float(np.ptp(toe[first:stop], axis=0).max()) for first, stop in runs))
    return np.array(found)


def similar(row: GaitRow, from_height: float, to_height: float) -> GaitRow:
    """The row of an animal of another size at the same Froude number; its lengths are in hip heights already."""
    root = float(np.sqrt(to_height / from_height))
    low, high = row.speeds
    return replace(
        row,
        speed=row.speed * root,
        speeds=(low * root, high * root),
        frequency=row.frequency / root,
        sideways=row.sideways * root,
        turn=row.turn / root,
    )


# Proportions -------------------------------------------------------------------------------------


def proportioned(row: GaitRow, puppet: Puppet, model: Standing) -> GaitRow:
    """The row for an animal whose feet stand elsewhere than the model's, and whose legs are straighter or more bent.

    A foot whose last joint is above the ground stands flat until it leaves: the joint stays where it is then.
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
        width=beside * min(part.width / max(model_beside, 1e-6), 1.1),
        bends=_bends(part, animal, model, leg),
        lift=_possible(part.lift, _fold(animal, leg), _fold(model, leg)),
    )


def _possible(lift: Points, fold: float, model_fold: float) -> Points:
    """How high a toe is lifted by a leg that can be folded by `fold` hip heights."""
    share = max(fold / model_fold, FOLDED * fold / max(value for _, value in lift))
    return tuple((at, value * min(share, 1.0)) for at, value in lift)


def _fold(animal: Standing, leg: int) -> float:
    """By how many hip heights a leg gets shorter when its joints that give are bent by `FOLD` more than standing."""
    planar = animal.planar(leg)
    giving = giving_roles(planar.roles)
    angles = planar.angles[: planar.free].copy()
    for k in range(planar.aimed + 1, planar.free):
        if planar.roles[k] in giving:
            angles[k:] += SIGNS[planar.roles[k]] * np.radians(FOLD)
    both = np.stack([planar.angles[: planar.free], angles]), planar.lengths[: planar.free]
    steps = [(both[1] * wave(both[0]))[:, planar.aimed :].sum(axis=1) for wave in (np.cos, np.sin)]
    length, folded = np.hypot(*steps)
    return float(length - folded) / animal.height


def _foothold(animal: Standing, leg: int) -> tuple[float, float]:
    """How far the toe stands before the top of its leg, and beside the midline, in hip heights."""
    joints = animal.anatomy.legs[leg].joints
    top, toe = animal.places[joints[0]], animal.places[joints[-1]]
    return float(toe[2] - top[2]) / animal.height, abs(float(toe[0])) / animal.height


def _bends(part: LegRow, animal: Standing, model: Standing, leg: int) -> dict[str, tuple[Points, Points]]:
    """Flexions that differ from the animal's standing ones as the row's do from the model's."""
    ours, theirs = _standing_bends(animal, leg), _standing_bends(model, leg)
    giving = giving_roles(animal.roles[leg])
    found = {}
    for role in ours:
        like = ONLY_KNEE.get(role, role) if _is_only_knee(role, animal.roles[leg]) else role
        if like not in part.bends:
            continue
        base = max(ours[role], LEAST_BEND) if role in giving else ours[role]
        shift = OWN_WAY * (base - theirs.get(like, base))
        least = LEAST_BEND / 2 if role in giving else -90.0
        stance, swing = part.bends[like]
        found[role] = _shifted(stance, shift, least), _shifted(swing, shift, least)
    return found


def giving_roles(roles: tuple[str, ...]) -> tuple[str, ...]:
    """The joints that make a leg longer or shorter: of a leg with one knee that, whichever way it bends."""
    return (*GIVING_ROLES, *(role for role in roles if _is_only_knee(role, roles)))


def _is_only_knee(role: str, roles: tuple[str, ...]) -> bool:
    return role in ONLY_KNEE and ONLY_KNEE[role] not in roles


def _shifted(curve: Points, shift: float, least: float) -> Points:
    """The curve higher by `shift` degrees, less so where the joint is closed already."""
    room = [min(max((CLOSED - value) / (CLOSED - 60.0), 0.0), 1.0) if shift > 0 else 1.0 for _, value in curve]
    return tuple((at, max(value + shift * share, least)) for (at, value), share in zip(curve, room, strict=True))


def _standing_bends(animal: Standing, leg: int) -> dict[str, float]:
    """Degrees of flexion of a standing leg by role."""
    planar = animal.planar(leg)
    return {
        planar.roles[k]: float(np.degrees(v)) for k, v in planar.rest_flexions().items() if planar.roles[k] in SIGNS
    }


# Reach -------------------------------------------------------------------------------------------


def reaching(animal: Standing, row: GaitRow) -> GaitRow:
    """The row with the body lowered, and where that is not enough with shorter strides, until every foot is in reach.

    Bends are then changed so that the legs are about as long as their stance asks.
    """
    if row.speed == 0 or row.turn != 0:
        return _bent_to_reach(animal, row)
    for share in np.arange(1.0, SHORTEST - 0.01, -0.1):
        best = _centred(animal, _shorter(row, float(share)))
        lack, deepest = _lack(animal, best), DEEPEST + DEEPER * (1 - float(share))
        if lack <= deepest:
            break
    if lack > TOLERATED:
        best = replace(best, drop=best.drop + min(lack, deepest))
    return _bent_to_reach(animal, best)


def _shorter(row: GaitRow, share: float) -> GaitRow:
    """The row with strides of a share of their length: slower and quicker by the same factor."""
    factor = share**0.5
    return replace(row, speed=row.speed * factor, frequency=row.frequency / factor)


def _lack(animal: Standing, row: GaitRow) -> float:
    """Hip heights that the body should sink for all feet to be in reach while they stand."""
    motion = generate(animal, row)
    shorts = [_short(animal, _part(row, leg), leg, _way(animal, row, motion, leg)).max() for leg in range(4)]
    return float(np.max(shorts)) / animal.height


def _centred(animal: Standing, row: GaitRow) -> GaitRow:
    """The row with the stances of overstretched legs moved to where they reach as well at the start as at the end."""
    motion = generate(animal, row)
    fore, hind = (
        replace(part, centre=part.centre + _shift(animal, part, leg, _way(animal, row, motion, leg)) / animal.height)
        for leg, part in ((0, row.fore), (2, row.hind))
    )
    return replace(row, fore=fore, hind=hind)


def _shift(animal: Standing, part: LegRow, leg: int, way: Floats) -> float:
    """How far forward a stance should go to be balanced, in metres; none if the leg reaches its ends."""
    if _short(animal, part, leg, way).max() <= TOLERATED * animal.height:
        return 0.0
    half = len(way) // 2
    low, high = -FARTHEST * animal.height, FARTHEST * animal.height
    for _ in range(20):
        middle = (low + high) / 2
        short = _short(animal, part, leg, way - np.array([0.0, 0.0, middle]))
        low, high = (low, middle) if short[:half].max() > short[half:].max() else (middle, high)
    return (low + high) / 2


def _short(animal: Standing, part: LegRow, leg: int, way: Floats) -> Floats:
    """By how many metres the joint that turns a leg is too high, if it is `way (T, 3)` from its held joint."""
    planar, joints = animal.planar(leg), list(animal.anatomy.legs[leg].joints)
    natural = animal.places[joints[planar.free], 0] - animal.places[joints[planar.aimed], 0]
    longest = np.hypot(_lengths(planar, part, np.linspace(0, 1, len(way)), STRETCH), natural)
    flat = np.hypot(way[:, 0], way[:, 2])
    result: Floats = way[:, 1] - np.sqrt(np.maximum(longest**2 - flat**2, 0.0))
    return result


def _way(animal: Standing, row: GaitRow, motion: Motion, leg: int) -> Floats:
    """From where a leg's held joint should be up to the joint that turns the leg, from touchdown to lift-off."""
    planar, joints = animal.planar(leg), list(animal.anatomy.legs[leg].joints)
    frames = np.flatnonzero(in_stance(row, len(motion), leg)[:-1])
    frames = frames[np.argsort((frames / (len(motion) - 1) - row.touchdowns[leg]) % 1.0)]
    held = footholds(animal, row, len(motion), leg)[frames]
    if planar.has_hoof:
        bone = animal.places[joints[-2]] - animal.places[joints[-1]]
        held = held + rot.rotate(motion.rotation_world[frames][:, joints[-2]], bone)
    result: Floats = motion.position_world[frames][:, joints[planar.aimed]] - held
    return result


def _bent_to_reach(animal: Standing, row: GaitRow) -> GaitRow:
    """The row with all bends of a leg raised or lowered until it is on average as long as its stance asks."""
    straight = row if row.turn == 0 else replace(row, speed=0.0, sideways=0.0, turn=0.0)
    motion = generate(animal, straight)
    fore, hind = (_bent(animal, straight, motion, leg) for leg in (0, 2))
    return replace(row, fore=fore, hind=hind)


def _bent(animal: Standing, row: GaitRow, motion: Motion, leg: int) -> LegRow:
    part, planar = _part(row, leg), animal.planar(leg)
    joints = animal.anatomy.legs[leg].joints
    way = _way(animal, row, motion, leg)
    natural = animal.places[joints[planar.free], 0] - animal.places[joints[planar.aimed], 0]
    wanted = float(np.mean(np.sqrt(np.maximum((way**2).sum(axis=1) - natural**2, 0.0))))
    at = np.linspace(0, 1, len(way))
    low, high = -60.0, 60.0
    for _ in range(20):
        middle = (low + high) / 2
        low, high = (middle, high) if _lengths(planar, _raised(part, middle), at).mean() > wanted else (low, middle)
    return _raised(part, float(np.sign(low) * max(abs(low) - ENOUGH, 0.0)))


def _raised(part: LegRow, degrees: float) -> LegRow:
    giving = giving_roles(tuple(part.bends))
    return replace(
        part,
        bends={
            role: (_shifted(stance, degrees, LEAST_BEND / 2), _shifted(swing, degrees, LEAST_BEND / 2))
            if role in giving
            else (stance, swing)
            for role, (stance, swing) in part.bends.items()
        },
    )


def _lengths(leg: PlanarLeg, part: LegRow, at: Floats, scale: float = 1.0) -> Floats:
    """The length of a leg at shares of stance, bent as its row says but for the `scale` of what gives."""
    resting, giving = leg.rest_flexions(), giving_roles(leg.roles)
    angle = np.zeros_like(at)
    down, forward = np.full_like(at, leg.lengths[leg.aimed]), np.zeros_like(at)
    for k in range(leg.aimed + 1, leg.free):
        role = leg.roles[k]
        stance = part.bends[role][0] if role in part.bends else ((0.0, float(np.degrees(resting[k]))),)
        bend = np.interp(at, [x for x, _ in stance], [y for _, y in stance])
        kept = bend * (1 + GIVING.get(role, 0.0) * (scale - 1))
        kept = np.maximum(kept, np.minimum(bend, LEFT)) if role in giving else kept
        angle = angle + SIGNS[role] * np.radians(kept)
        down, forward = down + leg.lengths[k] * np.cos(angle), forward + leg.lengths[k] * np.sin(angle)
    result: Floats = np.hypot(down, forward)
    return result


def _part(row: GaitRow, leg: int) -> LegRow:
    return row.fore if leg < 2 else row.hind


def _cleared(puppet: Puppet, row: GaitRow) -> GaitRow:
    """The row with feet lifted higher where a sole would enter the ground in swing."""
    for _ in range(3):
        low = puppet.depths(generate(puppet.standing, row)) / puppet.standing.height
        if low.max() <= DEEP_SOLE:
            break
        row = replace(row, fore=_lifted(row.fore, float(low[:2].max())), hind=_lifted(row.hind, float(low[2:].max())))
    return row


def _lifted(part: LegRow, low: float) -> LegRow:
    """Feet higher and joints that give more bent in swing, if a sole was `low` hip heights under the ground."""
    if low <= DEEP_SOLE:
        return part
    giving = giving_roles(tuple(part.bends))
    bends = {
        role: (stance, _shifted(swing, BEND_MORE, -90.0) if role in giving else swing)
        for role, (stance, swing) in part.bends.items()
    }
    return replace(part, lift=tuple((at, value + 1.5 * low) for at, value in part.lift), bends=bends)


def in_stance(row: GaitRow, frames: int, leg: int) -> Bools:
    """In which frames of a stride a leg is down."""
    phase = np.arange(frames) / (frames - 1)
    duty = _part(row, leg).duty
    return np.asarray((phase - row.touchdowns[leg]) % 1.0 < duty)


def footholds(animal: Standing, row: GaitRow, frames: int, leg: int) -> Floats:
    """Where the toe of a leg should be on the ground in each frame `(T, 3)`, if it is down then; not for turns."""
    part, h = _part(row, leg), animal.height
    phase = np.arange(frames) / (frames - 1)
    share = (phase - row.touchdowns[leg]) % 1.0 / part.duty
    gap = (row.touchdowns[leg] - row.touchdowns[leg ^ 1]) % 1.0
    centre = part.centre + (part.leading_centre if 0 < gap < 0.4 else 0.0)
    side = 1 if leg % 2 == 0 else -1
    middle = np.array([side * part.width * h, 0.0, animal.places[animal.anatomy.legs[leg].joints[0], 2] + centre * h])
    seconds = (part.duty * (0.5 - share) + phase) / row.frequency
    result: Floats = middle + seconds[:, None] * np.array([row.sideways, 0.0, row.speed])
    return result

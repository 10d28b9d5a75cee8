"""How an animal stands that came as a rig: its rest pose if that stands, else the mean of its clips with legs set down.

Only this one pose is taken from clips. Bones keep their lengths: whatever is changed here, is turned.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from canter.anatomy import Character, Clip, Leg, ground_track
from canter.anatomy.soles import sole_heights
from canter.motion import rotations as rot
from canter.motion.arrays import Bools, Floats, Ints
from canter.motion.kinematics import forward

HIGHEST_FOOT = 0.3
"""Hip heights up to which a foot joint may stand above the ground: rigs that end at the ankle."""
UNDER = 0.45
"""Hip heights that a foot of a standing animal may be before, behind or beside its hip."""
FORE_FOOT, HIND_FOOT = (-0.25, 0.12), (-0.06, 0.10)
"""Hip heights by which a foot that was taken from a clip may stand before the top of its leg."""
MOST_BENT = 1.2
"""Radians to which a segment of a standing leg may be turned from the line of the leg."""
STRAIGHT = 0.985
"""The share of its length to which a standing leg may be stretched."""


@dataclass(frozen=True, eq=False)
class Stood:
    """World `places (J, 3)` and `turns (J, 4)` of a standing animal; `parents (J,)` says what each joint hangs on.

    The parents are the skeleton's, but for feet and legs that a rig keeps elsewhere. `soles (4,)` are the heights of
    the feet's joints, and `reason` says where the pose was taken from.
    """

    places: Floats
    turns: Floats
    parents: Ints
    trunk: tuple[int, ...]
    soles: Floats
    height: float
    reason: str


def standing_pose(character: Character) -> Stood:
    """The animal standing on level ground, facing +Z, alike on both sides."""
    anatomy = character.anatomy
    if anatomy.kind != "quadruped":
        raise ValueError(f"{character.name} has no four legs that canter understands; see canter inspect")
    rest = character.skeleton.rest
    places, turns = forward(character.skeleton, *(x.astype(np.float64) for x in (rest.positions, rest.rotations)))
    reason = "rest pose"
    if not _stands(character, places):
        if not character.clips:
            raise ValueError(f"{character.name} does not stand in its rest pose, and has no clip to take a stand from")
        places, turns, reason = _mean_pose(character)
    trunk, parents = hang(character, places)
    stood = Stood(places, turns, parents, trunk, np.zeros(4), anatomy.hip_height, reason)
    stood = _set_down(character, _even(character, stood))
    return stood


def _stands(character: Character, places: Floats) -> bool:
    anatomy, h = character.anatomy, character.anatomy.hip_height
    feet, hips = places[anatomy.feet] / h, places[anatomy.hips] / h
    low = bool(np.all((feet[:, 1] > -0.05) & (feet[:, 1] < HIGHEST_FOOT)))
    under = bool(np.all(np.abs(feet - hips)[:, [0, 2]] < UNDER))
    return low and under and abs(float(hips[2:, 1].mean()) - 1) < 0.25


# From clips --------------------------------------------------------------------------------------


def _mean_pose(character: Character) -> tuple[Floats, Floats, str]:
    """The mean of a clip's frames seen from the body; of a leg only those frames in which its foot is down."""
    clip = min(character.clips, key=_unrest)
    motion, anatomy = clip.motion, character.anatomy
    track = ground_track(motion, anatomy)
    back = rot.yaw(-track.facings)[:, None]
    turns = rot.multiply(back, motion.rotation_world.astype(np.float64))
    origin = np.stack([track.positions[:, 0], np.zeros(len(motion)), track.positions[:, 1]], axis=-1)
    places = rot.rotate(back, motion.position_world - origin[:, None])
    usual = _usual(character, places)
    chosen_frames = np.tile(usual[:, None], (1, len(character.skeleton)))
    for k, leg in enumerate(anatomy.legs):
        under = np.abs(places[:, leg.foot, 2] - places[:, leg.hip, 2]) < 0.25 * anatomy.hip_height
        for chosen in (clip.footfalls.contacts[:, k] & usual & under, clip.footfalls.contacts[:, k] & usual):
            if chosen.any():
                chosen_frames[:, list(leg.joints)] = chosen[:, None]
                break
    mean = np.stack([_mean_turn(turns[chosen_frames[:, j], j]) for j in range(len(character.skeleton))])
    return _joined(character, places[usual], turns[usual], mean), mean, f"mean of the clip {clip.name}"


def _usual(character: Character, places: Floats) -> Bools:
    """The frames in which the animal carries its hips and shoulders as high as it does when it walks."""
    hips, h = character.anatomy.hips, character.anatomy.hip_height
    hind, fore = places[:, hips[2:], 1].mean(axis=1), places[:, hips[:2], 1].mean(axis=1)
    for width in (0.08, 0.2):
        upright = np.abs(hind / h - 1) < width
        if upright.any():
            return np.asarray(upright & (np.abs(fore - np.median(fore[upright])) <= width * h))
    return np.ones(len(places), bool)


def _unrest(clip: Clip) -> float:
    return clip.footfalls.speed if np.isfinite(clip.footfalls.speed) else 99.0


def _mean_turn(turns: Floats) -> Floats:
    """The rotation nearest to all, by the largest eigenvector (Markley et al. 2007)."""
    result: Floats = np.linalg.eigh(turns.T @ turns)[1][:, -1]
    return result


def _joined(character: Character, places: Floats, turns: Floats, mean: Floats) -> Floats:
    """Places with every bone as long as it mostly is."""
    parents = character.skeleton.parents
    result: Floats = np.empty_like(places[0])
    for joint, parent in enumerate(parents):
        if parent < 0:
            result[joint] = np.median(places[:, joint], axis=0)
            continue
        bone = rot.rotate(rot.conjugate(turns[:, parent]), places[:, joint] - places[:, parent])
        result[joint] = result[parent] + rot.rotate(mean[parent], np.median(bone, axis=0))
    return result


# What hangs on what ------------------------------------------------------------------------------


def hang(character: Character, places: Floats) -> tuple[tuple[int, ...], Ints]:
    """The trunk's joints from the pelvis to the chest, and what every joint hangs on."""
    anatomy, parents = character.anatomy, character.skeleton.parents.astype(np.int64).copy()
    for leg in anatomy.legs:
        for above, below in pairwise(leg.joints):
            if above not in character.skeleton.chain(below):
                parents[below] = above
    helpers = _helpers(character, places)
    trunk = _path(character, helpers)
    if not trunk:
        trunk = _midline(character, places, helpers)
    if not trunk:
        raise ValueError(f"{character.name} has no joints between its hips and its shoulders")
    for joint in range(len(parents)):
        if parents[joint] in helpers and joint not in helpers and places[joint, 1] > 0.3 * anatomy.hip_height:
            parents[joint] = _nearest(joint, trunk, places)
    return trunk, parents.astype(np.int32)


def _helpers(character: Character, places: Floats) -> set[int]:
    """Joints that carry the animal and are no part of it: roots on the ground, and what only leads to them; and -1."""
    anatomy, skeleton = character.anatomy, character.skeleton
    limbs = {j for leg in anatomy.legs for j in leg.joints}
    body = set(anatomy.spine) | set(anatomy.neck) | set(anatomy.tail) | limbs
    low = places[:, 1] < 0.3 * anatomy.hip_height
    found = {-1}
    for joint in range(len(skeleton)):
        if int(skeleton.parents[joint]) in found and joint not in body and (joint in anatomy.ignored or low[joint]):
            found.add(joint)
    return found


def _path(character: Character, helpers: set[int]) -> tuple[int, ...]:
    """From the joint that carries the hind legs to that which carries the forelegs, if they hang together."""
    chains = [_above(character, character.anatomy.legs[k : k + 2], helpers) for k in (2, 0)]
    if not all(chains):
        return ()
    hind, fore = chains
    shared = next((j for j in hind if j in fore), None)
    if shared is None:
        return ()
    return (*hind[: hind.index(shared) + 1], *reversed(fore[: fore.index(shared)]))


def _above(character: Character, legs: tuple[Leg, ...], helpers: set[int]) -> list[int]:
    """The joints that carry both legs of a pair, the lowest first."""
    left, right = ([*reversed(character.skeleton.chain(leg.joints[0]))] for leg in legs)
    limbs = {j for leg in legs for j in leg.joints}
    return [j for j in left if j in right and j not in helpers and j not in limbs]


def _midline(character: Character, places: Floats, helpers: set[int]) -> tuple[int, ...]:
    """Joints over the midline between hips and shoulders from behind, for trunks that are in pieces."""
    anatomy, h = character.anatomy, character.anatomy.hip_height
    limbs = {j for leg in anatomy.legs for j in leg.joints} | {*anatomy.tail[1:], *anatomy.neck, anatomy.head}
    hips, shoulders = places[anatomy.hips[2:]].mean(axis=0), places[anatomy.hips[:2]].mean(axis=0)
    inside = [
        j
        for j in range(len(places))
        if j not in limbs | helpers
        and abs(places[j, 0]) < 0.06 * h
        and places[j, 1] > 0.6 * h
        and hips[2] - 0.25 * h < places[j, 2] < shoulders[2] + 0.15 * h
        and character.skeleton.children[j]
    ]
    found: list[int] = []
    for joint in sorted(inside, key=lambda j: places[j, 2]):
        if not found or places[joint, 2] - places[found[-1], 2] > 0.05 * h:
            found.append(joint)
    return tuple(found)


def _nearest(joint: int, trunk: tuple[int, ...], places: Floats) -> int:
    if joint in trunk:
        k = trunk.index(joint)
        return trunk[k - 1] if k else -1
    return min(trunk, key=lambda t: abs(places[t, 2] - places[joint, 2]))


# Turning parts -----------------------------------------------------------------------------------


def _below(parents: Ints, joint: int) -> list[int]:
    found = {joint}
    grown = True
    while grown:
        more = {j for j in range(len(parents)) if int(parents[j]) in found} - found
        found |= more
        grown = bool(more)
    return sorted(found)


def _turned(stood: Stood, places: Floats, turns: Floats, joint: int, turn: Floats) -> None:
    """Turn a joint and all that hangs on it, in place."""
    below = _below(stood.parents, joint)
    places[below] = places[joint] + rot.rotate(turn, places[below] - places[joint])
    turns[below] = rot.multiply(turn, turns[below])


def _even(character: Character, stood: Stood) -> Stood:
    """Left and right alike: the segments of a pair of legs mirror each other, the midline stays in its plane."""
    places, turns = stood.places.copy(), stood.turns.copy()
    anatomy = character.anatomy
    places[:, 2] -= np.mean(places[anatomy.hips[2:], 2])
    _square(stood, places, turns, stood.trunk[0], [leg.joints[0] for leg in anatomy.legs[2:]])
    _straighten(stood, places, turns, list(stood.trunk))
    _square(stood, places, turns, stood.trunk[-1], [leg.joints[0] for leg in anatomy.legs[:2]])
    head = [] if anatomy.head is None else [anatomy.head]
    for chain in ([*anatomy.neck, *head, *_nose(stood, head)], [*anatomy.tail]):
        _straighten(stood, places, turns, chain)
    places[:, 0] -= np.mean(places[anatomy.hips, 0])
    for left, right in ((0, 1), (2, 3)):
        pair = anatomy.legs[left].joints, anatomy.legs[right].joints
        if len(pair[0]) == len(pair[1]):
            _mirror_legs(stood, places, turns, *pair)
    return Stood(places, turns, stood.parents, stood.trunk, stood.soles, stood.height, stood.reason)


def _straighten(stood: Stood, places: Floats, turns: Floats, chain: list[int]) -> None:
    """Turn the bones of a chain into the plane between left and right."""
    for above, below in pairwise(chain):
        if stood.parents[below] == above:
            _aim(stood, places, turns, above, below, (places[below] - places[above]) * np.array([0.0, 1.0, 1.0]))


def _square(stood: Stood, places: Floats, turns: Floats, joint: int, pair: list[int]) -> None:
    """Turn the joint that carries a pair of legs until the line from right to left lies across."""
    across = places[pair[0]] - places[pair[1]]
    if all(top in _below(stood.parents, joint) for top in pair) and across[0] > 0.5 * np.linalg.norm(across):
        _turned(stood, places, turns, joint, rot.between(across, np.array([1.0, 0.0, 0.0])))


def _nose(stood: Stood, head: list[int]) -> list[int]:
    """The only joint that hangs on a head, if there is just one: a nose."""
    found = [j for j, parent in enumerate(stood.parents) if int(parent) in head]
    return found if len(found) == 1 else []


def _aim(stood: Stood, places: Floats, turns: Floats, joint: int, below: int, wanted: Floats) -> None:
    step = places[below] - places[joint]
    if min(np.linalg.norm(step), np.linalg.norm(wanted)) > 1e-6:
        _turned(stood, places, turns, joint, rot.between(step, wanted))


def _mirror_legs(stood: Stood, places: Floats, turns: Floats, left: tuple[int, ...], right: tuple[int, ...]) -> None:
    across = np.array([-1.0, 1.0, 1.0])
    for k in range(len(left) - 1):
        steps = [places[leg[k + 1]] - places[leg[k]] for leg in (left, right)]
        mean = rot.normalize(steps[0]) + rot.normalize(steps[1]) * across
        _aim(stood, places, turns, left[k], left[k + 1], mean)
        _aim(stood, places, turns, right[k], right[k + 1], mean * across)


# Down to the ground ------------------------------------------------------------------------------


def _set_down(character: Character, stood: Stood) -> Stood:
    """Feet at the height of their soles: legs taken from clips are set under the body, then all legs are fitted."""
    places, turns = stood.places.copy(), stood.turns.copy()
    legs, h = character.anatomy.legs, stood.height
    soles = _soles(character, places, turns)
    targets = _footholds(legs, places, soles, h, stood.reason != "rest pose")
    places[:, 1] -= max(_lack(places, leg, target) for leg, target in zip(legs, targets, strict=True))
    for leg, target in zip(legs, targets, strict=True):
        _reach(stood, places, turns, leg, target)
    return Stood(places, turns, stood.parents, stood.trunk, soles, h, stood.reason)


def _footholds(legs: tuple[Leg, ...], places: Floats, soles: Floats, h: float, tidy: bool) -> Floats:
    """Where the feet stand `(4, 3)`: as they are, the same on both sides; with `tidy` under the body."""
    targets = np.empty((4, 3))
    for pair in ((0, 1), (2, 3)):
        ahead = float(np.mean([places[legs[k].foot, 2] - places[legs[k].joints[0], 2] for k in pair]))
        if tidy:
            ahead = float(np.clip(ahead, *(np.array(FORE_FOOT if pair[0] == 0 else HIND_FOOT) * h)))
        wide = float(np.mean([abs(places[legs[k].foot, 0]) for k in pair]))
        for k in pair:
            targets[k] = (1 if k % 2 == 0 else -1) * wide, soles[k], places[legs[k].joints[0], 2] + ahead
    return targets


def _chain(leg: Leg) -> list[int]:
    return list(leg.joints[: leg.joints.index(leg.foot) + 1])


def _lack(places: Floats, leg: Leg, target: Floats) -> float:
    """How far the body must sink for a leg to reach its foothold."""
    points = places[_chain(leg)]
    longest = STRAIGHT * float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum())
    way = points[0] - target
    return max(float(way[1]) - float(np.sqrt(max(longest**2 - way[0] ** 2 - way[2] ** 2, 0.0))), 0.0)


def _soles(character: Character, places: Floats, turns: Floats) -> Floats:
    """How high the joints of the feet stand, the same on both sides: by the skin as it stands, if there is one."""
    h, anatomy = character.anatomy.hip_height, character.anatomy
    found = sole_heights(character)
    for k, leg in enumerate(anatomy.legs):
        if (skin := foot_skin(character, places, turns, leg.foot)) is not None:
            found[k] = max(float(places[leg.foot, 1] - skin[:, 1].min()), 0.0)
            continue
        downs = [(c.motion.position_world[:, leg.foot, 1], c.footfalls.contacts[:, k]) for c in character.clips]
        seen = [float(np.median(height[down])) for height, down in downs if down.any()]
        level = float(np.median(seen)) if seen else float(places[leg.foot, 1])
        if found[k] <= 0.0 and 0 < level < HIGHEST_FOOT * h:
            found[k] = level
    pairs: Floats = np.repeat([found[:2].mean(), found[2:].mean()], 2)
    return np.clip(pairs, 0.0, HIGHEST_FOOT * h)


def foot_skin(character: Character, places: Floats, turns: Floats, foot: int) -> Floats | None:
    """The points of the skin `(N, 3)` that go mostly with a foot and what hangs on it; None if there are none."""
    below = [j for j in range(len(character.skeleton)) if foot in character.skeleton.chain(j)]
    found = []
    for skin in character.skins:
        ours = np.flatnonzero((skin.weights * np.isin(skin.joints, below)).sum(axis=1) > 0.5)
        bones, weights = skin.joints[ours], skin.weights[ours, :, None]
        bound = np.einsum("vkij,vj->vki", skin.inverse_bind[bones][..., :3, :3], skin.vertices[ours])
        bound = bound + skin.inverse_bind[bones][..., :3, 3]
        found.append(((rot.rotate(turns[bones], bound) + places[bones]) * weights).sum(axis=1))
    return np.concatenate(found) if sum(map(len, found)) else None


def _reach(stood: Stood, places: Floats, turns: Floats, leg: Leg, target: Floats) -> None:
    """Bend the leg, each segment towards or away from the line of the leg, until the foot is as far as the target."""
    chain = _chain(leg)
    steps = np.diff(places[chain], axis=0)
    line = rot.normalize(places[chain[-1]] - places[chain[0]])
    away = rot.log(rot.between(np.tile(line, (len(steps), 1)), steps))
    longest = STRAIGHT * float(np.linalg.norm(steps, axis=1).sum())
    wanted = min(float(np.linalg.norm(target - places[chain[0]])), longest)

    def bent(scale: float) -> Floats:
        lengths = np.linalg.norm(steps, axis=1, keepdims=True)
        result: Floats = rot.rotate(rot.exp(away * scale), np.tile(line, (len(steps), 1))) * lengths
        return result

    low, high = 0.0, 2.0
    while high * np.linalg.norm(away, axis=1).max() < MOST_BENT and np.linalg.norm(bent(high).sum(axis=0)) > wanted:
        high *= 2
    for _ in range(30):
        middle = (low + high) / 2
        low, high = (middle, high) if np.linalg.norm(bent(middle).sum(axis=0)) > wanted else (low, middle)
    fitted = bent(low)
    fitted = rot.rotate(rot.between(fitted.sum(axis=0), target - places[chain[0]]), fitted)
    foot_turn = turns[chain[-1]].copy()
    for k, (above, below) in enumerate(pairwise(chain)):
        _aim(stood, places, turns, above, below, fitted[k])
    _turned(stood, places, turns, chain[-1], rot.multiply(foot_turn, rot.conjugate(turns[chain[-1]])))

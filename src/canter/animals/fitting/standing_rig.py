"""The standing pose of a rig with both sides alike, its legs under the body and its feet on the ground.

Bones keep their lengths: joints are only rotated.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from canter.anatomy import Character, Leg
from canter.anatomy.standing import MAX_EXTENSION, missing_reach, sole_heights, standing_pose, stands_in_shape
from canter.motion import rotations as rot
from canter.motion.arrays import Floats, Ints
from canter.motion.kinematics import forward

FORE_FOOT_RANGE, HIND_FOOT_RANGE = (-0.25, 0.12), (-0.06, 0.10)
"""Hip heights by which a foot taken from a clip may stand ahead of the top of its leg: from, to."""
MAX_BEND_RAD = 1.2
"""Radians that a segment of a standing leg may be turned away from the line of the leg."""


@dataclass(frozen=True, eq=False)
class StandingRig:
    """World positions `places (J, 3)` and rotations `turns (J, 4)` of a standing rig.

    `parents (J,)` are the skeleton's, except for feet and legs that a rig keeps elsewhere, which get anatomical
    parents. `trunk` are the joints from pelvis to chest, `soles (4,)` the heights of the foot joints in metres,
    `height` is the hip height, and `reason` says where the pose was taken from.
    """

    places: Floats
    turns: Floats
    parents: Ints
    trunk: tuple[int, ...]
    soles: Floats
    height: float
    reason: str


def standing_rig(character: Character) -> StandingRig:
    """The rig standing on level ground, facing +Z, symmetric. Raises ValueError if no such pose is found."""
    if character.anatomy.kind != "quadruped":
        raise ValueError(f"{character.name} has no four legs that canter understands; see canter inspect")
    if not character.clips and not stands_in_shape(character):
        raise ValueError(f"{character.name} does not stand in its rest pose, and has no clip to take a stand from")
    stood = standing_pose(character)
    places, turns = forward(
        character.skeleton, *(x.astype(np.float64) for x in (stood.pose.positions, stood.pose.rotations))
    )
    trunk, parents = trunk_and_parents(character, places)
    reason = "rest pose" if stood.clip is None else f"the clip {stood.clip.name}"
    rig = StandingRig(places, turns, parents, trunk, np.zeros(4), character.anatomy.hip_height, reason)
    return _on_the_ground(character, _symmetric(character, rig))


# What hangs on what ------------------------------------------------------------------------------


def trunk_and_parents(character: Character, places: Floats) -> tuple[tuple[int, ...], Ints]:
    """The trunk's joints from pelvis to chest, and the anatomical parent `(J,)` of every joint."""
    anatomy, parents = character.anatomy, character.skeleton.parents.astype(np.int64).copy()
    for leg in anatomy.legs:
        for above, below in pairwise(leg.joints):
            if above not in character.skeleton.chain(below):
                parents[below] = above
    helpers = _helpers(character, places)
    trunk = _trunk_path(character, helpers)
    if not trunk:
        trunk = _midline_joints(character, places, helpers)
    if not trunk:
        raise ValueError(f"{character.name} has no joints between its hips and its shoulders")
    for joint in range(len(parents)):
        if parents[joint] in helpers and joint not in helpers and places[joint, 1] > 0.3 * anatomy.hip_height:
            parents[joint] = _nearest(joint, trunk, places)
    return trunk, parents.astype(np.int32)


def _helpers(character: Character, places: Floats) -> set[int]:
    """Joints that carry the animal but are no part of it, such as roots on the ground; and -1."""
    anatomy, skeleton = character.anatomy, character.skeleton
    limbs = {j for leg in anatomy.legs for j in leg.joints}
    body = set(anatomy.spine) | set(anatomy.neck) | set(anatomy.tail) | limbs
    low = places[:, 1] < 0.3 * anatomy.hip_height
    found = {-1}
    for joint in range(len(skeleton)):
        if int(skeleton.parents[joint]) in found and joint not in body and (joint in anatomy.ignored or low[joint]):
            found.add(joint)
    return found


def _trunk_path(character: Character, helpers: set[int]) -> tuple[int, ...]:
    """The joints from the one that carries the hind legs to the one that carries the forelegs; empty if unconnected."""
    chains = [_shared_ancestors(character, character.anatomy.legs[k : k + 2], helpers) for k in (2, 0)]
    if not all(chains):
        return ()
    hind, fore = chains
    shared = next((j for j in hind if j in fore), None)
    if shared is None:
        return ()
    return (*hind[: hind.index(shared) + 1], *reversed(fore[: fore.index(shared)]))


def _shared_ancestors(character: Character, legs: tuple[Leg, ...], helpers: set[int]) -> list[int]:
    """The common ancestors of both legs of a pair, the nearest first."""
    left, right = ([*reversed(character.skeleton.chain(leg.joints[0]))] for leg in legs)
    limbs = {j for leg in legs for j in leg.joints}
    return [j for j in left if j in right and j not in helpers and j not in limbs]


def _midline_joints(character: Character, places: Floats, helpers: set[int]) -> tuple[int, ...]:
    """Joints on the midline from hips to shoulders, for trunks that are not connected."""
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
    """The trunk joint nearest along the body; of a trunk joint the one before it, or -1."""
    if joint in trunk:
        k = trunk.index(joint)
        return trunk[k - 1] if k else -1
    return min(trunk, key=lambda t: abs(places[t, 2] - places[joint, 2]))


# Turning parts -----------------------------------------------------------------------------------


def _below(parents: Ints, joint: int) -> list[int]:
    """A joint and all its descendants."""
    found = {joint}
    grown = True
    while grown:
        more = {j for j in range(len(parents)) if int(parents[j]) in found} - found
        found |= more
        grown = bool(more)
    return sorted(found)


def _turn_subtree(rig: StandingRig, places: Floats, turns: Floats, joint: int, turn: Floats) -> None:
    """Rotates a joint and its descendants, in place."""
    below = _below(rig.parents, joint)
    places[below] = places[joint] + rot.rotate(turn, places[below] - places[joint])
    turns[below] = rot.multiply(turn, turns[below])


def _symmetric(character: Character, rig: StandingRig) -> StandingRig:
    """The pose made symmetric: legs of a pair mirror each other, spine, neck and tail lie in the median plane."""
    places, turns = rig.places.copy(), rig.turns.copy()
    anatomy = character.anatomy
    places[:, 2] -= np.mean(places[anatomy.hips[2:], 2])
    _level_pair(rig, places, turns, rig.trunk[0], [leg.joints[0] for leg in anatomy.legs[2:]])
    _straighten(rig, places, turns, list(rig.trunk))
    _level_pair(rig, places, turns, rig.trunk[-1], [leg.joints[0] for leg in anatomy.legs[:2]])
    head = [] if anatomy.head is None else [anatomy.head]
    for chain in ([*anatomy.neck, *head, *_nose(rig, head)], [*anatomy.tail]):
        _straighten(rig, places, turns, chain)
    places[:, 0] -= np.mean(places[anatomy.hips, 0])
    for left, right in ((0, 1), (2, 3)):
        pair = anatomy.legs[left].joints, anatomy.legs[right].joints
        if len(pair[0]) == len(pair[1]):
            _mirror_legs(rig, places, turns, *pair)
    return StandingRig(places, turns, rig.parents, rig.trunk, rig.soles, rig.height, rig.reason)


def _straighten(rig: StandingRig, places: Floats, turns: Floats, chain: list[int]) -> None:
    """Rotates the bones of a chain into the median plane."""
    for above, below in pairwise(chain):
        if rig.parents[below] == above:
            _aim(rig, places, turns, above, below, (places[below] - places[above]) * np.array([0.0, 1.0, 1.0]))


def _level_pair(rig: StandingRig, places: Floats, turns: Floats, joint: int, pair: list[int]) -> None:
    """Rotates the joint that carries a pair of legs until the line from right to left is along +X."""
    across = places[pair[0]] - places[pair[1]]
    if all(top in _below(rig.parents, joint) for top in pair) and across[0] > 0.5 * np.linalg.norm(across):
        _turn_subtree(rig, places, turns, joint, rot.between(across, np.array([1.0, 0.0, 0.0])))


def _nose(rig: StandingRig, head: list[int]) -> list[int]:
    """The only child of the head, if there is just one: a nose."""
    found = [j for j, parent in enumerate(rig.parents) if int(parent) in head]
    return found if len(found) == 1 else []


def _aim(rig: StandingRig, places: Floats, turns: Floats, joint: int, below: int, wanted: Floats) -> None:
    step = places[below] - places[joint]
    if min(np.linalg.norm(step), np.linalg.norm(wanted)) > 1e-6:
        _turn_subtree(rig, places, turns, joint, rot.between(step, wanted))


def _mirror_legs(
    rig: StandingRig, places: Floats, turns: Floats, left: tuple[int, ...], right: tuple[int, ...]
) -> None:
    across = np.array([-1.0, 1.0, 1.0])
    for k in range(len(left) - 1):
        steps = [places[leg[k + 1]] - places[leg[k]] for leg in (left, right)]
        mean = rot.normalize(steps[0]) + rot.normalize(steps[1]) * across
        _aim(rig, places, turns, left[k], left[k + 1], mean)
        _aim(rig, places, turns, right[k], right[k + 1], mean * across)


# Down to the ground ------------------------------------------------------------------------------


def _on_the_ground(character: Character, rig: StandingRig) -> StandingRig:
    """The pose with all feet at the height of their soles; legs taken from clips are placed under the body first."""
    places, turns = rig.places.copy(), rig.turns.copy()
    legs, h = character.anatomy.legs, rig.height
    found = sole_heights(character)
    soles = np.repeat([found[:2].mean(), found[2:].mean()], 2)
    targets = _footholds(legs, places, soles, h, rig.reason != "rest pose")
    places[:, 1] -= max(missing_reach(places[_chain(leg)], target) for leg, target in zip(legs, targets, strict=True))
    for leg, target in zip(legs, targets, strict=True):
        _reach(rig, places, turns, leg, target)
    return StandingRig(places, turns, rig.parents, rig.trunk, soles, h, rig.reason)


def _footholds(legs: tuple[Leg, ...], places: Floats, soles: Floats, h: float, tidy: bool) -> Floats:
    """Footholds `(4, 3)`: where the feet are, the same on both sides; with `tidy`, limited to places under the body."""
    targets = np.empty((4, 3))
    for pair in ((0, 1), (2, 3)):
        ahead = float(np.mean([places[legs[k].foot, 2] - places[legs[k].joints[0], 2] for k in pair]))
        if tidy:
            ahead = float(np.clip(ahead, *(np.array(FORE_FOOT_RANGE if pair[0] == 0 else HIND_FOOT_RANGE) * h)))
        wide = float(np.mean([abs(places[legs[k].foot, 0]) for k in pair]))
        for k in pair:
            targets[k] = (1 if k % 2 == 0 else -1) * wide, soles[k], places[legs[k].joints[0], 2] + ahead
    return targets


def _chain(leg: Leg) -> list[int]:
    return list(leg.joints[: leg.joints.index(leg.foot) + 1])


def _reach(rig: StandingRig, places: Floats, turns: Floats, leg: Leg, target: Floats) -> None:
    """Bends a leg in place until its foot is at the target; the foot keeps its orientation.

    The angles of its segments from the line of the leg are scaled by one factor, found by bisection.
    """
    chain = _chain(leg)
    steps = np.diff(places[chain], axis=0)
    line = rot.normalize(places[chain[-1]] - places[chain[0]])
    away = rot.log(rot.between(np.tile(line, (len(steps), 1)), steps))
    longest = MAX_EXTENSION * float(np.linalg.norm(steps, axis=1).sum())
    wanted = min(float(np.linalg.norm(target - places[chain[0]])), longest)

    def bent(scale: float) -> Floats:
        lengths = np.linalg.norm(steps, axis=1, keepdims=True)
        result: Floats = rot.rotate(rot.exp(away * scale), np.tile(line, (len(steps), 1))) * lengths
        return result

    low, high = 0.0, 2.0
    while high * np.linalg.norm(away, axis=1).max() < MAX_BEND_RAD and np.linalg.norm(bent(high).sum(axis=0)) > wanted:
        high *= 2
    for _ in range(30):
        middle = (low + high) / 2
        low, high = (middle, high) if np.linalg.norm(bent(middle).sum(axis=0)) > wanted else (low, middle)
    fitted = bent(low)
    fitted = rot.rotate(rot.between(fitted.sum(axis=0), target - places[chain[0]]), fitted)
    foot_turn = turns[chain[-1]].copy()
    for k, (above, below) in enumerate(pairwise(chain)):
        _aim(rig, places, turns, above, below, fitted[k])
    _turn_subtree(rig, places, turns, chain[-1], rot.multiply(foot_turn, rot.conjugate(turns[chain[-1]])))

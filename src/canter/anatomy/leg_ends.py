"""Where legs end: at the joint that stands on the ground.

Rigs go on beyond it, with markers of the ends of bones, or stop short of it, with feet that hang elsewhere; and an
animal that lies rests on other joints than its paws.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from canter.anatomy.limb_pairs import View
from canter.anatomy.rig_motion import resting_share
from canter.anatomy.up_axis_and_feet import FeetCandidate

MAX_END_STEEPNESS = 0.7
"""How steep the bone beyond the one that stands on the ground is at most, height over length; steeper ones are struts
that end above a sole which the rig does not have."""
MAX_END_MARKERS, MAX_END_SHARE = 2, 0.15
"""Joints beyond the one that stands on the ground that a limb may have, and the share of its length that they may be:
what is longer is a foot, and the animal lies on its elbows or wrists."""
RESTING_SHARE, MIN_REST_RATIO, MAX_SOLE_RISE = 0.02, 1.2, 0.2
"""A joint rests while it is within this share of the body's height of its lowest place. The joint above the last one is
the foot if it rests longer by this ratio and is no higher than the third."""


def ending_at_feet(candidate: FeetCandidate, limbs: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """The limbs, a left and a right one after the other, each down to its foot."""
    limbs = [limb for k in (0, 2) for limb in _with_paws(candidate.view, limbs[k : k + 2])]
    limbs = _with_feet_from_elsewhere(candidate, limbs)
    return [limb for k in (0, 2) for limb in _ending_at_soles(candidate, limbs[k : k + 2])]


def _with_feet_from_elsewhere(candidate: FeetCandidate, limbs: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Legs that end above the ground are given the feet that hang elsewhere below them, if both of a pair have one: a
    leg that ends higher than the other is held up."""
    floor, height = candidate.floor_and_height
    taken = {j for limb in limbs for j in candidate.view.rig.skeleton.subtree(limb[0])}
    feet = [_foot_below(candidate, limb, floor, height, taken) for limb in limbs]
    both = [bool(feet[k - k % 2] and feet[k - k % 2 + 1]) for k in range(4)]
    return [limb + foot if own else limb for limb, foot, own in zip(limbs, feet, both, strict=True)]


def _with_paws(view: View, pair: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """A left and a right limb that go on to the ends of their bones, where much of them would be left out: an animal
    that lies has its wrists or hocks lower than its paws."""
    whole = [limb + _only_chain(view, limb[-1]) for limb in pair]
    long = all(
        _length(view, end[len(limb) - 1 :]) > MAX_END_SHARE * _length(view, end)
        for limb, end in zip(pair, whole, strict=True)
    )
    return whole if long else list(pair)


def _only_chain(view: View, joint: int) -> tuple[int, ...]:
    """The joints of the body below one, as long as there is one at a time."""
    found: list[int] = []
    while len(below := [j for j in view.rig.skeleton.children[joint] if view.rig.body[j]]) == 1:
        joint = below[0]
        found.append(joint)
    return tuple(found) if not below else ()


def _length(view: View, limb: Sequence[int]) -> float:
    return float(view.rig.bone_lengths[list(limb[1:])].sum())


def _ending_at_soles(candidate: FeetCandidate, pair: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """A left and a right limb without the joints beyond the one that stands still on the ground, such as the marker of
    a bone's end: those are lifted, or sink into the ground, while the foot rolls over its tip."""
    view = candidate.view
    _, height = candidate.floor_and_height
    most = min(MAX_END_MARKERS, *(len(limb) - 3 for limb in pair))

    def at_rest(end: int) -> float:
        joints = [limb[len(limb) - 1 - end] for limb in pair]
        above = view.body[:, joints, 2] - view.low[joints]
        level = float(np.mean(np.abs(above) < RESTING_SHARE * height))
        return level * float(np.mean([share for take in view.rig.takes if (share := resting_share(take, joints))] or 1))

    ends = [0]
    for end in range(1, most + 1):
        rise = max(view.low[limb[len(limb) - 1 - end]] - view.low[limb[-1]] for limb in pair)
        upright = max(_steepness(view, limb[len(limb) - 1 - end], limb[len(limb) - end]) for limb in pair)
        if (
            rise < MAX_SOLE_RISE * height
            and all(_length(view, limb[-1 - end :]) < MAX_END_SHARE * _length(view, limb) for limb in pair)
            and upright < MAX_END_STEEPNESS
            and at_rest(end) > MIN_REST_RATIO * at_rest(ends[-1])
        ):
            ends.append(end)
    return [limb[: len(limb) - ends[-1]] for limb in pair]


def _steepness(view: View, joint: int, end: int) -> float:
    """The share of a bone's length by which it goes down on average."""
    bone = view.mean[joint] - view.mean[end]
    return float(bone[2] / max(float(np.linalg.norm(bone)), 1e-9))


def _foot_below(
    candidate: FeetCandidate, limb: tuple[int, ...], floor: float, height: float, taken: set[int]
) -> tuple[int, ...]:
    """A foot that hangs on the root, lower than the end of this leg and moving with it; usually there is none."""
    view = candidate.view
    end = limb[-1]
    if view.low[end] < floor + 0.12 * height:
        return ()
    paths = view.body[:, :, :2] - view.body[:, :, :2].mean(axis=0)
    for tip in view.tips:
        if tip in taken or view.mean[tip, 2] > view.mean[end, 2] - 0.08 * height:
            continue
        aside = np.linalg.norm(view.mean[tip, :2] - view.mean[end, :2])
        spread = np.linalg.norm(paths[:, tip]) * np.linalg.norm(paths[:, end])
        if aside < 0.3 * height and spread > 0 and np.sum(paths[:, tip] * paths[:, end]) / spread > 0.6:
            return (tip,)
    return ()

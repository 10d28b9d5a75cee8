"""The rig seen with each axis as up, and limbs that could be each other's mirror image: what feet are chosen from.

The lowest joint of every branch is a tip; tips pair up where their limbs have like bones and stand apart sideways.
Feet that hang on the root are joined to the legs that end above them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from canter.anatomy.floor import BODY_NOISE, MAX_TILT, common_slope
from canter.anatomy.rig_motion import RigMotion, body_frame, rotations_of, upright_frames
from canter.motion.arrays import Bools, Floats

MAX_TIPS = 40
"""Among so many of the lowest branch ends feet are looked for: manes, feathers and faces have hundreds."""
MAX_FOOT_HEIGHT = 0.3
"""How high a foot that hangs on the root begins at most, in heights of the body: legs begin higher."""
SWINGING_ACTIVITY, MAX_BONE_STRETCH = 0.03, 0.015
"""How far the end of a limb moves that swings, in sizes of the body (standard deviation), and how much the length of a
bone varies (standard deviation over mean)."""
MIN_LEG_LENGTH = 0.2
"""The length of a leg, in sizes of the body, at least."""


@dataclass(frozen=True, eq=False)
class View:
    """The rig seen with one axis as up: positions in the body frame as (plane, plane, height) and summaries."""

    axis: int
    sign: int
    body: Floats
    mean: Floats
    low: Floats
    activity: Floats
    turns: Floats
    """`(F,)`: how far the body is turned about up in each frame, against the frame of `mean`."""
    rig: RigMotion
    lost: float = 0.0
    """The share of all frames that are not looked at, for another side of the body is up in them."""

    @property
    def up(self) -> Floats:
        result = np.zeros(3)
        result[self.axis] = self.sign
        return result

    @cached_property
    def tips(self) -> list[int]:
        """In every branch that ends in a leaf, the joint furthest down the chain that is about as low as any."""
        return find_tips(self)

    @cached_property
    def pairs(self) -> list[Pair]:
        """The most promising pairs of low tips, the best first."""
        lowest = sorted(sorted(self.tips, key=lambda tip: float(self.low[tip]))[:MAX_TIPS])
        found = [pair for pair in find_pairs(self, lowest) if not _short(self, pair)]
        return sorted(found, key=lambda p: -_pair_score(self, p))

    @cached_property
    def top(self) -> float:
        """The height of the body: the 80th percentile of its joints."""
        return float(np.percentile(self.mean[self.rig.body, 2], 80))

    def to_file(self, direction: Floats) -> Floats:
        """A direction of the body's plane in the file's axes, as it points on average over the frames."""
        turned = complex(direction[0], direction[1]) * np.mean(np.exp(1j * self.turns))
        turned = turned / max(abs(turned), 1e-9)
        result = np.zeros(3)
        result[(self.axis + 1) % 3], result[(self.axis + 2) % 3] = turned.real, turned.imag * self.sign
        return result


@dataclass(frozen=True, eq=False)
class Pair:
    """A left and a right limb (which is which is not known yet), each from below their common ancestor to its tip.

    `across (2,)` is the way from the second limb to the first in the view's plane, `middle (2,)` the place between.
    """

    chains: tuple[tuple[int, ...], tuple[int, ...]]
    likeness: float
    across: Floats
    middle: Floats

    @property
    def tips(self) -> tuple[int, int]:
        return self.chains[0][-1], self.chains[1][-1]


def views(rig: RigMotion) -> list[View]:
    """The six ways to stand the rig up."""
    result = []
    joints = rig.frames[:, rig.body]
    rotations = rotations_of(joints, joints[len(joints) // 2])
    for axis in range(3):
        upright = upright_frames(rotations, rig.take, np.eye(3)[axis])
        body, turns = body_frame(_levelled(rig, axis)[upright], axis, rig.body)
        lost = 1 - float(np.mean(upright))
        spread = np.sqrt(np.sum(np.var(body, axis=0), axis=-1)) / rig.size
        for sign in (1, -1):
            seen = body * np.array([1, sign, sign])
            low = np.percentile(seen[..., 2], 4, axis=0)
            result.append(View(axis, sign, seen, seen.mean(axis=0), low, spread, turns * sign, rig, lost))
    return result


def _levelled(rig: RigMotion, axis: int) -> Floats:
    """The frames with heights along `axis` over the floor, where the body rises or sinks a little as it goes: over a
    long way that is more than a step."""
    result = rig.frames.copy()
    result[..., axis] -= rig.frames[..., [(axis + 1) % 3, (axis + 2) % 3]] @ slope_of_way(rig, axis)
    return result


def slope_of_way(rig: RigMotion, axis: int, steepest: float = MAX_TILT) -> Floats:
    """How much the body rises along `axis` for each unit that it goes along the two axes after it `(2,)`."""
    middles = np.median(rig.frames[:, rig.body][..., [(axis + 1) % 3, axis, (axis + 2) % 3]], axis=1)
    takes = [middles[rig.take == take] for take in np.unique(rig.take)]
    return common_slope(takes, rig.size, BODY_NOISE, steepest)


def find_tips(view: View) -> list[int]:
    """In every branch that ends in a leaf, the joint furthest down the chain that is about as low as any."""
    skeleton, body = view.rig.skeleton, view.rig.body
    living = [[c for c in skeleton.children[j] if body[c]] for j in range(len(skeleton))]
    tips = set()
    for leaf in view.rig.joints:
        if living[leaf]:
            continue
        branch = [int(leaf)]
        while (parent := int(skeleton.parents[branch[-1]])) >= 0 and len(living[parent]) == 1 and body[parent]:
            branch.append(parent)
        lowest = view.mean[branch, 2].min()
        tips.add(next(j for j in branch if view.mean[j, 2] <= lowest + 0.06 * view.rig.size))
    return sorted(tips)


def find_pairs(view: View, tips: list[int]) -> list[Pair]:
    """Tips that could be each other's mirror image: limbs of like bones, apart from each other sideways."""
    rig = view.rig
    height = float(np.percentile(view.mean[rig.body, 2], 85))
    chains = {tip: rig.skeleton.chain(tip) for tip in tips}
    lengths = rig.bone_lengths
    pairs = []
    for a, b in combinations(tips, 2):
        shared = _shared(chains[a], chains[b])
        left, right = chains[a][shared:], chains[b][shared:]
        if not left or not right:
            continue
        if shared and _two_toes(view, chains[a][shared - 1], height):
            continue
        likeness = _likeness(lengths[left], lengths[right], rig.size)
        if likeness <= 0.15:
            continue
        left, right = _legs_above(view, left, right, chains, height)
        across, middle = limb_vector(view.mean[:, :2], view.activity, left, right)
        if np.linalg.norm(across) > 0.03 * rig.size:
            pairs.append(Pair((tuple(left), tuple(right)), likeness, across, middle))
    return pairs


def _shared(a: list[int], b: list[int]) -> int:
    """How many joints two chains have in common from the root down."""
    return sum(x == y for x, y in zip(a, b, strict=False))


def _legs_above(
    view: View, left: list[int], right: list[int], chains: dict[int, list[int]], height: float
) -> tuple[list[int], list[int]]:
    """Feet that hang on the root joined to the legs that end above them; other chains stay as they are."""
    floor = float(view.low[[left[-1], right[-1]]].mean())
    tall = height - floor
    if tall <= 0 or max(view.mean[left[0], 2], view.mean[right[0], 2]) > floor + MAX_FOOT_HEIGHT * tall:
        return left, right
    if any(_swings(view, limb) for limb in (left, right)):
        return left, right
    ends = [_end_above(view, foot, chains, tall) for foot in (left, right)]
    if ends[0] is None or ends[1] is None or ends[0] == ends[1]:
        return left, right
    shared = _shared(chains[ends[0]], chains[ends[1]])
    upper = [
        _down_to(view, chains[end][shared:], foot)
        for end, foot in zip(ends, (left, right), strict=True)
        if end is not None
    ]
    return upper[0] + left, upper[1] + right


def _down_to(view: View, limb: list[int], foot: list[int]) -> list[int]:
    """A limb without the joints beyond the one that carries a foot, such as the marker of a bone's end."""
    away = np.linalg.norm(view.body[:, limb] - view.body[:, foot[:1]], axis=-1).mean(axis=0)
    return limb[: max(int(np.argmin(away)) + 1, 2)]


def _swings(view: View, limb: list[int]) -> bool:
    """Whether a limb moves about while its top keeps its distance from its parent: it is a leg with a hip, and no foot
    that is moved by itself."""
    rig, top = view.rig, limb[0]
    return bool(view.activity[limb[-1]] > SWINGING_ACTIVITY and rig.bone_stretch[top] < MAX_BONE_STRETCH)


def _end_above(view: View, foot: list[int], chains: dict[int, list[int]], tall: float) -> int | None:
    """The end of a limb that comes down from the body to a foot, the nearest within about the length of a bone."""
    place, whole = view.mean[foot[0]], chains[foot[-1]]
    best, nearest = None, np.inf
    for end, chain in chains.items():
        own = chain[_shared(chain, whole) :]
        rise = view.mean[end, 2] - place[2]
        top = view.mean[own, 2].max() - place[2] if len(own) > 1 else 0.0
        bone = float(view.rig.bone_lengths[end])
        if top < 0.12 * tall or not -0.05 * tall < rise < max(0.7 * tall, bone):
            continue
        gap = float(np.linalg.norm(view.mean[end, :2] - place[:2]) + 0.3 * abs(rise))
        if gap < min(nearest, max(0.6 * tall, 1.3 * bone)):
            best, nearest = end, gap
    return best


def _two_toes(view: View, ancestor: int, height: float) -> bool:
    """Two toes of one foot branch apart near the ground, at a joint that does not carry the body."""
    rig = view.rig
    if 2 * rig.carried[ancestor] > len(rig.joints):
        return False
    low = float(view.low[rig.body].min())
    return bool(view.mean[ancestor, 2] - low < 0.25 * (height - low))


def _short(view: View, pair: Pair) -> bool:
    """Whether both limbs are too short for legs: toes of one foot, ears or horns. Feet on the root are not meant, which
    move legs that end above them."""
    rig = view.rig
    parents = {int(rig.skeleton.parents[chain[0]]) for chain in pair.chains}
    if any(parent < 0 or 2 * rig.carried[parent] > len(rig.joints) for parent in parents):
        return False
    return all(rig.bone_lengths[list(chain)].sum() < MIN_LEG_LENGTH * rig.size for chain in pair.chains)


def _likeness(left: Floats, right: Floats, size: float) -> float:
    """1 for equal bone lengths, 0 when they differ by 30 %; compared from the top, or from the toe for less."""
    left, right = left[left > 0.01 * size], right[right > 0.01 * size]
    most, least = max(len(left), len(right)), min(len(left), len(right))
    if least == 0:
        return 0.0 if most else 0.5
    total = (left.sum() + right.sum()) / 2
    left_over = left[least:].sum() + right[least:].sum()
    from_top = (np.abs(left[:least] - right[:least]).sum() + left_over) / total
    toe_left, toe_right = left[len(left) - least :], right[len(right) - least :]
    from_toe = np.abs(toe_left - toe_right).sum() / total + 0.1 + 0.05 * (most - least)
    return float(np.clip(1 - min(from_top, from_toe) / 0.3, 0, 1))


def limb_vector(points: Floats, activity: Floats, left: Sequence[int], right: Sequence[int]) -> tuple[Floats, Floats]:
    """The mean of left-right differences along both chains, and their midpoint, in the plane of `points (J, 2)`.

    Quiet joints count more than feet.
    """
    count = min(len(left), len(right))
    a, b = np.array(left[-count:]), np.array(right[-count:])
    weight = 1 / ((activity[a] + activity[b]) ** 2 + 0.01)
    weight = weight / weight.sum()
    return weight @ (points[a] - points[b]), weight @ (points[a] + points[b]) / 2


def lateral_axis(pairs: tuple[Pair, ...]) -> Floats:
    """The unit left-right direction of the plane that the pairs agree on (sign open)."""
    total = np.zeros(2)
    for pair in pairs:
        total += pair.across * np.sign(total @ pair.across or 1)
    result: Floats = total / np.linalg.norm(total)
    return result


def low_share(view: View, tips: list[int], floor: float | Floats, height: float) -> Floats:
    """For each tip the share of frames that it spends within 0.15 of the body's height over `floor`."""
    near: Bools = view.body[:, tips, 2] < floor + 0.15 * height
    result: Floats = near.mean(axis=0)
    return result


def _pair_score(view: View, pair: Pair) -> float:
    """How much a pair by itself looks like two feet: bones alike, low, moving much."""
    tips = list(pair.tips)
    low, high = (float(x) for x in np.percentile(view.low[view.rig.body], [0, 90]))
    depth = 1 - (view.low[tips].mean() - low) / max(high - low, 1e-9)
    busy = float(view.activity[tips].min()) / max(float(view.activity[view.rig.body].max()), 1e-9)
    return float(pair.likeness + 2 * depth + busy + 0.2 * min(len(pair.chains[0]), 4) / 4)

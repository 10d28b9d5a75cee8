"""Which joints are the feet, and which way is up: decided together, for four feet and for two.

For each of six candidate ups the lowest joints of the branches are paired left with right, and pairs are put together;
the best-scoring combination of all wins. The terms of the score and their weights follow what was seen to matter:
bones of a left and a right limb match, feet share a plane, move most and dwell low, the body is above and between them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from canter.anatomy.evidence import Evidence, body_frame
from canter.motion.arrays import Bools, Floats

WEIGHTS = {
    "likeness": 4.0,  # bone lengths of left and right match
    "between": 4.0,  # the body is between the feet
    "plane": 3.0,  # the four feet come down to one height
    "symmetry": 3.0,  # the whole mean pose mirrors about the plane between left and right
    "activity": 2.0,  # feet are the busiest ends
    "below": -1.5,  # other moving joints are lower
    "trunk": 1.5,  # the trunk is long from pair to pair
    "dwell": 1.2,  # more time low than high
    "above": 1.0,  # the body is above the feet
    "hangs": 1.0,  # a limb starts higher than it ends
    "parallel": 1.0,  # both pairs point the same way across
    "square": 1.0,  # from pair to pair is at right angles to left-right
    "long": 0.8,  # limbs have several bones
}
TWO_WEIGHTS = {
    "likeness": 4.0,
    "over": 4.0,  # the body stands over the feet
    "plane": 3.0,
    "symmetry": 3.0,
    "activity": 1.5,
    "below": -4.0,
    "above": 2.0,
    "upright": 2.0,  # taller than wide
    "hangs": 1.0,
    "long": 0.8,
}
MOST_TIPS = 40
"""The lowest ends of a rig among which feet are looked for: manes, feathers and faces have hundreds."""
PAIRS_KEPT = 16


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
    evidence: Evidence

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
        lowest = sorted(sorted(self.tips, key=lambda tip: float(self.low[tip]))[:MOST_TIPS])
        return sorted(find_pairs(self, lowest), key=lambda p: -_promise(self, p))

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


@dataclass(frozen=True, eq=False)
class Stance:
    """A candidate answer: the pairs of feet under one view, with its score and the terms behind it."""

    view: View
    pairs: tuple[Pair, ...]
    score: float
    terms: dict[str, float]

    @property
    def tips(self) -> tuple[int, ...]:
        return tuple(t for p in self.pairs for t in p.tips)

    @property
    def share(self) -> float:
        """The score as a share of the most that can be had."""
        table = WEIGHTS if len(self.pairs) == 2 else TWO_WEIGHTS
        return self.score / sum(w for w in table.values() if w > 0)


def views(evidence: Evidence) -> list[View]:
    """The six ways to stand the rig up."""
    result = []
    for axis in range(3):
        body, turns = body_frame(evidence.frames, axis, evidence.body)
        spread = np.sqrt(np.sum(np.var(body, axis=0), axis=-1)) / evidence.size
        for sign in (1, -1):
            seen = body * np.array([1, sign, sign])
            low = np.percentile(seen[..., 2], 4, axis=0)
            result.append(View(axis, sign, seen, seen.mean(axis=0), low, spread, turns * sign, evidence))
    return result


def find_tips(view: View) -> list[int]:
    """In every branch that ends in a leaf, the joint furthest down the chain that is about as low as any."""
    skeleton, body = view.evidence.skeleton, view.evidence.body
    living = [[c for c in skeleton.children[j] if body[c]] for j in range(len(skeleton))]
    tips = set()
    for leaf in view.evidence.joints:
        if living[leaf]:
            continue
        branch = [int(leaf)]
        while (parent := int(skeleton.parents[branch[-1]])) >= 0 and len(living[parent]) == 1 and body[parent]:
            branch.append(parent)
        lowest = view.mean[branch, 2].min()
        tips.add(next(j for j in branch if view.mean[j, 2] <= lowest + 0.06 * view.evidence.size))
    return sorted(tips)


def find_pairs(view: View, tips: list[int]) -> list[Pair]:
    """Tips that could be each other's mirror image: limbs of like bones, apart from each other sideways."""
    evidence = view.evidence
    height = float(np.percentile(view.mean[evidence.body, 2], 85))
    chains = {tip: evidence.skeleton.chain(tip) for tip in tips}
    lengths = evidence.bone_lengths
    pairs = []
    for a, b in combinations(tips, 2):
        shared = _shared(chains[a], chains[b])
        left, right = chains[a][shared:], chains[b][shared:]
        if not left or not right:
            continue
        if shared and _two_toes(view, chains[a][shared - 1], height):
            continue
        likeness = _likeness(lengths[left], lengths[right], evidence.size)
        if likeness <= 0.15:
            continue
        left, right = _legs_above(view, left, right, chains, height)
        across, middle = limb_vector(view.mean[:, :2], view.activity, left, right)
        if np.linalg.norm(across) > 0.03 * evidence.size:
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
    if tall <= 0 or max(view.mean[left[0], 2], view.mean[right[0], 2]) > floor + 0.45 * tall:
        return left, right
    ends = [_end_above(view, foot, chains, tall) for foot in (left, right)]
    if ends[0] is None or ends[1] is None or ends[0] == ends[1]:
        return left, right
    shared = _shared(chains[ends[0]], chains[ends[1]])
    upper = [chains[end][shared:] for end in ends if end is not None]
    return upper[0] + left, upper[1] + right


def _end_above(view: View, foot: list[int], chains: dict[int, list[int]], tall: float) -> int | None:
    """The end of a limb that comes down from the body to a foot, the nearest to it."""
    place, whole = view.mean[foot[0]], chains[foot[-1]]
    best, nearest = None, 0.6 * tall
    for end, chain in chains.items():
        own = chain[_shared(chain, whole) :]
        rise = view.mean[end, 2] - place[2]
        top = view.mean[own, 2].max() - place[2] if len(own) > 1 else 0.0
        if top < 0.12 * tall or not -0.05 * tall < rise < 0.7 * tall:
            continue
        gap = float(np.linalg.norm(view.mean[end, :2] - place[:2]) + 0.3 * abs(rise))
        if gap < nearest:
            best, nearest = end, gap
    return best


def _two_toes(view: View, ancestor: int, height: float) -> bool:
    """Two toes of one foot branch apart near the ground, at a joint that does not carry the body."""
    evidence = view.evidence
    if 2 * evidence.carried[ancestor] > len(evidence.joints):
        return False
    low = float(view.low[evidence.body].min())
    return bool(view.mean[ancestor, 2] - low < 0.25 * (height - low))


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


def four_footed(seen: Sequence[View], usual_up: int | None = 1) -> list[Stance]:
    """Four-footed answers, the best first. `usual_up` is the format's own up axis and breaks ties only."""
    found: list[Stance] = []
    for view in seen:
        bonus = 0.25 if usual_up is not None and view.axis == usual_up and view.sign > 0 else 0.0
        candidates = []
        for first, second in combinations(view.pairs[:PAIRS_KEPT], 2):
            if set(first.chains[0] + first.chains[1]) & set(second.chains[0] + second.chains[1]):
                continue
            if (terms := _four_feet(view, first, second)) is not None:
                candidates.append(Stance(view, (first, second), _total(terms) + bonus, terms))
        for stance in sorted(candidates, key=lambda s: -s.score)[:6]:
            terms = {**stance.terms, "symmetry": _symmetry(view, stance.pairs)}
            found.append(Stance(view, stance.pairs, _total(terms) + bonus, terms))
    return sorted(found, key=lambda s: -s.score)


def _total(terms: dict[str, float]) -> float:
    return sum(WEIGHTS[name] * value for name, value in terms.items())


def _promise(view: View, pair: Pair) -> float:
    """How much a pair alone looks like two feet: like bones, low, busy."""
    tips = list(pair.tips)
    low, high = (float(x) for x in np.percentile(view.low[view.evidence.body], [0, 90]))
    depth = 1 - (view.low[tips].mean() - low) / max(high - low, 1e-9)
    busy = float(view.activity[tips].min()) / max(float(view.activity[view.evidence.body].max()), 1e-9)
    return float(pair.likeness + 2 * depth + busy + 0.2 * min(len(pair.chains[0]), 4) / 4)


def _four_feet(view: View, first: Pair, second: Pair) -> dict[str, float] | None:
    """The terms of the score for two pairs, or None where they cannot be four feet."""
    evidence = view.evidence
    tips = [*first.tips, *second.tips]
    lows = view.low[tips]
    floor = float(lows.mean())
    height = float(np.percentile(view.mean[evidence.body, 2], 80)) - floor
    if height <= 0.05 * evidence.size:
        return None
    limbs = [*first.chains, *second.chains]
    others = evidence.body.copy()
    others[[j for limb in limbs for j in limb]] = False
    across = [first.across, second.across]
    widths = [float(np.linalg.norm(v)) for v in across]
    along = second.middle - first.middle
    length = float(np.linalg.norm(along))
    if length < 0.1 * evidence.size or not others.any():
        return None
    lateral = across[0] / widths[0] + np.sign(across[0] @ across[1] or 1) * across[1] / widths[1]
    lateral = lateral / max(float(np.linalg.norm(lateral)), 1e-9)
    tops = np.array([view.mean[limb[0], 2] for limb in limbs])
    rest = view.mean[others]
    below: Bools = view.low[others] < floor - 0.08 * height
    return {
        "likeness": (first.likeness + second.likeness) / 2,
        "between": _between(rest, first.middle, along, lateral, evidence.size),
        "plane": float(np.clip(1 - np.ptp(lows) / (0.35 * height), 0, 1)),
        "activity": _activity_rank(view, tips),
        "below": min(1.0, 3 * float(below.mean())),
        "trunk": _trunk(rest[:, :2], along / length),
        "dwell": _dwell(view, tips),
        "above": float(np.mean(rest[:, 2] > floor + 0.3 * height)),
        "hangs": float(np.mean(np.clip((tops - view.mean[tips, 2]) / (0.5 * height), -1, 1))),
        "parallel": float(abs(across[0] @ across[1]) / (widths[0] * widths[1])),
        "square": float(1 - abs(lateral @ along) / length),
        "long": float(np.mean([min(len(limb), 4) / 4 for limb in limbs])),
    }


def _between(rest: Floats, start: Floats, along: Floats, lateral: Floats, size: float) -> float:
    """1 when the middle of the body stands over the feet or, with a heavy head, a little before them."""
    centre = np.median(rest[:, :2], axis=0) - start
    share = float(centre @ along / (along @ along))
    outside = max(0.0, -0.3 - share, share - 1.3) * float(np.linalg.norm(along))
    aside = abs(float(centre @ lateral))
    return float(np.clip(1 - (outside + aside) / (0.5 * size), 0, 1))


def _activity_rank(view: View, tips: list[int]) -> float:
    """The least active of the feet against the mean of the busiest four tips; 1 in a rest pose."""
    ends = np.sort(view.activity[view.tips])[-4:]
    if float(ends.mean()) < 1e-6:
        return 1.0
    return float(np.clip(view.activity[tips].min() / ends.mean(), 0, 1))


def _trunk(rest: Floats, along: Floats) -> float:
    """How well the long axis of the body agrees with the way from pair to pair, times how long it is."""
    if len(rest) < 3:
        return 0.0
    values, vectors = np.linalg.eigh(np.cov(rest.T))
    elongation = 1 - np.sqrt(max(values[0], 0) / max(values[1], 1e-12))
    return float(elongation * (vectors[:, 1] @ along) ** 2)


def _dwell(view: View, tips: list[int]) -> float:
    """Feet spend more time in the lowest quarter of their range than in the highest."""
    heights = view.body[:, tips, 2]
    low, high = heights.min(axis=0), heights.max(axis=0)
    if np.any(high - low < 1e-6 * view.evidence.size):
        return 0.5
    share = (heights - low) / (high - low)
    near, far = np.mean(share < 0.25, axis=0), np.mean(share > 0.75, axis=0)
    return float(np.mean((near - far) / (near + far + 1e-9)))


def lateral_axis(pairs: tuple[Pair, ...]) -> Floats:
    """The unit left-right direction of the plane that the pairs agree on (sign open)."""
    total = np.zeros(2)
    for pair in pairs:
        total += pair.across * np.sign(total @ pair.across or 1)
    result: Floats = total / np.linalg.norm(total)
    return result


def _symmetry(view: View, pairs: tuple[Pair, ...]) -> float:
    """How many joints find a partner when the mean pose is reflected between left and right."""
    across = lateral_axis(pairs)
    normal = np.array([across[0], across[1], 0.0])
    middle = np.mean([p.middle for p in pairs], axis=0) @ across
    points = view.mean[view.evidence.body]
    mirrored = points - 2 * (points @ normal - middle)[:, None] * normal
    gap = np.linalg.norm(points[:, None] - mirrored[None], axis=-1).min(axis=1)
    return float(np.mean(np.clip(1 - gap / (0.12 * view.evidence.size), 0, 1)))


def low_share(view: View, tips: list[int], floor: float | Floats, height: float) -> Floats:
    """For each tip the share of frames that it spends within 0.15 of the body's height over `floor`."""
    near: Bools = view.body[:, tips, 2] < floor + 0.15 * height
    result: Floats = near.mean(axis=0)
    return result


def two_footed(seen: Sequence[View], usual_up: int | None = 1) -> list[Stance]:
    """Answers with one pair of feet, the best first; scores are not comparable with those of `four_footed`."""
    found = []
    for view in seen:
        bonus = 0.25 if usual_up is not None and view.axis == usual_up and view.sign > 0 else 0.0
        for pair in view.pairs[: 2 * PAIRS_KEPT]:
            if (terms := _two_feet(view, pair)) is not None:
                found.append(Stance(view, (pair,), sum(TWO_WEIGHTS[k] * v for k, v in terms.items()) + bonus, terms))
    return sorted(found, key=lambda s: -s.score)


def _two_feet(view: View, pair: Pair) -> dict[str, float] | None:
    evidence, tips = view.evidence, list(pair.tips)
    lows = view.low[tips]
    floor = float(lows.mean())
    height = float(np.percentile(view.mean[evidence.body, 2], 90)) - floor
    others = evidence.body.copy()
    others[[j for limb in pair.chains for j in limb]] = False
    if height <= 0.1 * evidence.size or np.count_nonzero(others) < 3:
        return None
    rest = view.mean[others]
    aside = float(np.linalg.norm(np.median(rest[:, :2], axis=0) - pair.middle))
    spread = float(np.linalg.norm(np.std(rest[:, :2], axis=0)))
    tops = np.array([view.mean[limb[0], 2] for limb in pair.chains])
    return {
        "likeness": pair.likeness,
        "over": float(np.clip(1 - aside / (0.35 * height), 0, 1)),
        "plane": float(np.clip(1 - np.ptp(lows) / (0.2 * height), 0, 1)),
        "symmetry": _symmetry(view, (pair,)),
        "activity": float(np.clip(view.activity[tips].min() / max(float(view.activity[others].max()), 1e-9), 0, 1)),
        "below": float(np.mean(np.asarray(view.low[others] < floor + 0.1 * height))),
        "above": float(np.mean(rest[:, 2] > floor + 0.35 * height)),
        "upright": float(np.clip(1 - spread / height, 0, 1)),
        "hangs": float(np.mean(np.clip((tops - view.mean[tips, 2]) / (0.35 * height), -1, 1))),
        "long": float(np.mean([min(len(limb), 4) / 4 for limb in pair.chains])),
    }

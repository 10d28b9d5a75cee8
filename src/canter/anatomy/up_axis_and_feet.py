"""Which joints are the feet, and which way is up: decided together, for four feet and for two.

For each of six candidate ups pairs of limbs are put together, and the best-scoring combination of all wins. The terms
of the score and their weights follow what was seen to matter: bones of a left and a right limb match, feet share a
plane, move most and dwell low, the body is above and between them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from canter.anatomy.limb_pairs import Pair, View, lateral_axis
from canter.motion.arrays import Bools, Floats

FOUR_WEIGHTS = {
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
    "lost": -2.0,  # another side is up in other frames
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
    "lost": -2.0,
}
LAME_PLANE = 0.7
"""What it counts if all feet but one come down to one height."""
MIN_WIDTH_RATIO = 0.22
"""How wide the narrower pair of feet is at least, as a share of the other: toes of one foot are no pair."""
PAIRS_KEPT = 16
"""Pairs of limbs of each view that are tried as feet, the most promising first."""


@dataclass(frozen=True, eq=False)
class FeetCandidate:
    """One choice of up and feet: the pairs of feet under one view, with its score and the terms that add up to it."""

    view: View
    pairs: tuple[Pair, ...]
    score: float
    terms: dict[str, float]

    @property
    def tips(self) -> tuple[int, ...]:
        return tuple(t for p in self.pairs for t in p.tips)

    @property
    def floor_and_height(self) -> tuple[float, float]:
        """Ground height under the feet and the height of the body over it."""
        floor = float(np.sort(self.view.low[list(self.tips)])[:2].mean())
        return floor, self.view.top - floor

    @property
    def share(self) -> float:
        """The score as a share of the most that can be had."""
        table = FOUR_WEIGHTS if len(self.pairs) == 2 else TWO_WEIGHTS
        return self.score / sum(w for w in table.values() if w > 0)


def four_footed(seen: Sequence[View], usual_up: int | None = 1) -> list[FeetCandidate]:
    """Four-footed answers, the best first. `usual_up` is the format's own up axis and breaks ties only."""
    found: list[FeetCandidate] = []
    for view in seen:
        bonus = 0.25 if usual_up is not None and view.axis == usual_up and view.sign > 0 else 0.0
        candidates = []
        for first, second in combinations(view.pairs[:PAIRS_KEPT], 2):
            if set(first.chains[0] + first.chains[1]) & set(second.chains[0] + second.chains[1]):
                continue
            if (terms := _four_feet(view, first, second)) is not None:
                candidates.append(FeetCandidate(view, (first, second), _total(terms) + bonus, terms))
        for candidate in sorted(candidates, key=lambda s: -s.score)[:6]:
            terms = {**candidate.terms, "symmetry": _symmetry(view, candidate.pairs)}
            found.append(FeetCandidate(view, candidate.pairs, _total(terms) + bonus, terms))
    return sorted(found, key=lambda s: -s.score)


def _total(terms: dict[str, float]) -> float:
    return sum(FOUR_WEIGHTS[name] * value for name, value in terms.items())


def _four_feet(view: View, first: Pair, second: Pair) -> dict[str, float] | None:
    """The terms of the score for two pairs, or None where they cannot be four feet."""
    rig = view.rig
    tips = [*first.tips, *second.tips]
    lows = view.low[tips]
    floor = float(lows.mean())
    height = view.top - floor
    if height <= 0.05 * rig.size:
        return None
    limbs = [*first.chains, *second.chains]
    others = rig.body.copy()
    others[[j for limb in limbs for j in limb]] = False
    across = [first.across, second.across]
    widths = [float(np.linalg.norm(v)) for v in across]
    along = second.middle - first.middle
    length = float(np.linalg.norm(along))
    if length < 0.1 * rig.size or not others.any() or min(widths) < MIN_WIDTH_RATIO * max(widths):
        return None
    lateral = across[0] / widths[0] + np.sign(across[0] @ across[1] or 1) * across[1] / widths[1]
    lateral = lateral / max(float(np.linalg.norm(lateral)), 1e-9)
    tops = np.array([view.mean[limb[0], 2] for limb in limbs])
    rest = view.mean[others]
    below: Bools = view.low[others] < floor - 0.08 * height
    return {
        "likeness": (first.likeness + second.likeness) / 2,
        "between": _between(rest, first.middle, along, lateral, rig.size),
        "plane": _plane(lows, height),
        "activity": _activity_rank(view, tips),
        "below": min(1.0, 3 * float(below.mean())),
        "trunk": _trunk(rest[:, :2], along / length),
        "dwell": _dwell(view, tips),
        "above": float(np.mean(rest[:, 2] > floor + 0.3 * height)),
        "hangs": float(np.mean(np.clip((tops - view.mean[tips, 2]) / (0.5 * height), -1, 1))),
        "parallel": float(abs(across[0] @ across[1]) / (widths[0] * widths[1])),
        "square": float(1 - abs(lateral @ along) / length),
        "long": float(np.mean([min(len(limb), 4) / 4 for limb in limbs])),
        "lost": view.lost,
    }


def _plane(lows: Floats, height: float) -> float:
    """1 when all feet come down to one height; somewhat less where all but the highest do, for one may be lame."""
    four, three = (float(np.clip(1 - np.ptp(feet) / (0.35 * height), 0, 1)) for feet in (lows, np.sort(lows)[:-1]))
    return max(four, LAME_PLANE * three)


def _between(rest: Floats, start: Floats, along: Floats, lateral: Floats, size: float) -> float:
    """1 when the middle of the body stands over the feet or, with a heavy head, a little before them."""
    centre = np.median(rest[:, :2], axis=0) - start
    share = float(centre @ along / (along @ along))
    outside = max(0.0, -0.3 - share, share - 1.3) * float(np.linalg.norm(along))
    aside = abs(float(centre @ lateral))
    return float(np.clip(1 - (outside + aside) / (0.5 * size), 0, 1))


def _activity_rank(view: View, tips: list[int]) -> float:
    """The least active of the feet, but for one that may be lame, against the mean of the busiest four tips; 1 in a
    rest pose."""
    ends = np.sort(view.activity[view.tips])[-4:]
    if float(ends.mean()) < 1e-6:
        return 1.0
    return float(np.clip(np.sort(view.activity[tips])[1] / ends.mean(), 0, 1))


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
    if np.any(high - low < 1e-6 * view.rig.size):
        return 0.5
    share = (heights - low) / (high - low)
    near, far = np.mean(share < 0.25, axis=0), np.mean(share > 0.75, axis=0)
    return float(np.mean((near - far) / (near + far + 1e-9)))


def _symmetry(view: View, pairs: tuple[Pair, ...]) -> float:
    """How many joints find a partner when the mean pose is reflected between left and right."""
    across = lateral_axis(pairs)
    normal = np.array([across[0], across[1], 0.0])
    middle = np.mean([p.middle for p in pairs], axis=0) @ across
    points = view.mean[view.rig.body]
    mirrored = points - 2 * (points @ normal - middle)[:, None] * normal
    gap = np.linalg.norm(points[:, None] - mirrored[None], axis=-1).min(axis=1)
    return float(np.mean(np.clip(1 - gap / (0.12 * view.rig.size), 0, 1)))


def two_footed(seen: Sequence[View], usual_up: int | None = 1) -> list[FeetCandidate]:
    """Answers with one pair of feet, the best first; scores are not comparable with those of `four_footed`."""
    found = []
    for view in seen:
        bonus = 0.25 if usual_up is not None and view.axis == usual_up and view.sign > 0 else 0.0
        for pair in view.pairs[: 2 * PAIRS_KEPT]:
            if (terms := _two_feet(view, pair)) is not None:
                found.append(
                    FeetCandidate(view, (pair,), sum(TWO_WEIGHTS[k] * v for k, v in terms.items()) + bonus, terms)
                )
    return sorted(found, key=lambda s: -s.score)


def _two_feet(view: View, pair: Pair) -> dict[str, float] | None:
    rig, tips = view.rig, list(pair.tips)
    lows = view.low[tips]
    floor = float(lows.mean())
    height = float(np.percentile(view.mean[rig.body, 2], 90)) - floor
    others = rig.body.copy()
    others[[j for limb in pair.chains for j in limb]] = False
    if height <= 0.1 * rig.size or np.count_nonzero(others) < 3:
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
        "lost": view.lost,
    }

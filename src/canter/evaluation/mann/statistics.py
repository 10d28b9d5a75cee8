"""Means over tracks and seeds with bootstrap intervals, and ratios to the ground truth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from canter.motion.arrays import Floats

DRAWS = 2000
INTERVAL = (2.5, 97.5)
"""Percentiles of the draws: a 95 % interval."""
SEED = 0


class Estimate(NamedTuple):
    """A mean and its 95 % interval; NaN where nothing was measured."""

    value: float
    low: float
    high: float

    def ties(self, other: Estimate) -> bool:
        """Whether the intervals of both overlap."""
        return self.low <= other.high and other.low <= self.high

    def distance(self, target: float) -> Estimate:
        """How far it is from a number; the interval begins at 0 where that lies within its own."""
        ends = sorted((abs(self.low - target), abs(self.high - target)))
        return Estimate(abs(self.value - target), 0.0 if self.low <= target <= self.high else ends[0], ends[1])

    def __str__(self) -> str:
        return "–" if np.isnan(self.value) else f"{self.value:.3g} ({self.low:.3g} … {self.high:.3g})"


NOTHING = Estimate(np.nan, np.nan, np.nan)


def as_table(values: Sequence[Sequence[float | None]]) -> Floats:
    """Seeds of tracks `(S, N)`, NaN for what is missing; rows that are shorter are filled up."""
    width = max((len(row) for row in values), default=0)
    table = np.full((len(values), width), np.nan)
    for k, row in enumerate(values):
        table[k, : len(row)] = [np.nan if x is None else x for x in row]
    return table


def estimate(values: Sequence[Sequence[float | None]]) -> Estimate:
    """The mean over seeds and tracks, and the interval of drawing both anew."""
    table = as_table(values)
    if not np.isfinite(table).any():
        return NOTHING
    return _estimate(float(np.nanmean(table)), _draws(table, np.random.default_rng(SEED)))


def ratio(values: Sequence[Sequence[float | None]], truth: Sequence[Sequence[float | None]]) -> Estimate:
    """The ratio of the means. Where both have the same tracks, the same tracks are drawn for both."""
    above, below = as_table(values), as_table(truth)
    if not (np.isfinite(above).any() and np.isfinite(below).any()):
        return NOTHING
    random = np.random.default_rng(SEED)
    if above.shape[1] == below.shape[1]:
        tracks = random.integers(above.shape[1], size=(DRAWS, above.shape[1]))
        drawn = _draws(above, random, tracks), _draws(below, random, tracks)
    else:
        drawn = _draws(above, random), _draws(below, random)
    with np.errstate(invalid="ignore", divide="ignore"):
        draws = drawn[0] / drawn[1]
    return _estimate(float(np.nanmean(above) / np.nanmean(below)), draws)


def _draws(table: Floats, random: np.random.Generator, tracks: np.ndarray | None = None) -> Floats:
    """Means `(DRAWS,)` of seeds and tracks drawn with replacement."""
    seeds, count = table.shape
    if tracks is None:
        tracks = random.integers(count, size=(DRAWS, count))
    own = random.integers(seeds, size=(DRAWS, seeds))
    found = table[own[:, :, None], tracks[:, None, :]].reshape(DRAWS, -1)
    with np.errstate(invalid="ignore"):
        weights = np.isfinite(found)
        sums = np.where(weights, found, 0.0).sum(axis=1)
        result: Floats = sums / np.where(weights.any(axis=1), weights.sum(axis=1), np.nan)
    return result


def _estimate(value: float, draws: Floats) -> Estimate:
    low, high = np.nanpercentile(draws, INTERVAL)
    return Estimate(float(value), float(low), float(high))

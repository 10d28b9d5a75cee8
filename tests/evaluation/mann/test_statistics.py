"""Means, intervals and ratios."""

from __future__ import annotations

import numpy as np
import pytest

from canter.evaluation.mann.statistics import NOTHING, Estimate, estimate, ratio


def test_an_interval_covers_the_mean_and_narrows_with_more_tracks() -> None:
    random = np.random.default_rng(0)
    few, many = (estimate([random.normal(5.0, 1.0, count).tolist()]) for count in (8, 800))
    for found in (few, many):
        assert found.low < found.value < found.high
    assert many.high - many.low < 0.3 * (few.high - few.low)
    assert many.low < 5.0 < many.high


def test_the_interval_of_a_mean_is_as_wide_as_theory_says() -> None:
    values = np.random.default_rng(1).normal(0.0, 1.0, 400).tolist()
    found = estimate([values])
    assert found.high - found.low == pytest.approx(2 * 1.96 / np.sqrt(400), rel=0.15)


def test_seeds_that_differ_widen_the_interval() -> None:
    same = estimate([[1.0, 1.1, 0.9]] * 3)
    apart = estimate([[1.0, 1.1, 0.9], [2.0, 2.1, 1.9], [3.0, 3.1, 2.9]])
    assert apart.high - apart.low > 5 * (same.high - same.low)


def test_a_ratio_draws_the_same_tracks_for_both() -> None:
    truth = [0.1, 0.5, 1.0, 5.0, 10.0]
    paired = ratio([[2 * x for x in truth]], [truth])
    assert paired == pytest.approx((2.0, 2.0, 2.0))
    unpaired = ratio([[2 * x for x in truth] + [7.0]], [truth])
    assert unpaired.high - unpaired.low > 1


def test_what_is_missing_is_left_out() -> None:
    assert estimate([[1.0, None, float("nan"), 3.0]]).value == 2.0
    assert np.isnan(estimate([[None]]).value)
    assert str(NOTHING) == "–"


def test_ties() -> None:
    assert Estimate(1.0, 0.8, 1.2).ties(Estimate(1.3, 1.1, 1.5))
    assert not Estimate(1.0, 0.8, 1.2).ties(Estimate(1.5, 1.3, 1.7))


def test_distances_of_both_sides_tie() -> None:
    below, above, far = Estimate(0.98, 0.97, 0.99), Estimate(1.01, 1.0, 1.02), Estimate(0.9, 0.86, 0.94)
    assert below.distance(1.0) == pytest.approx((0.02, 0.01, 0.03))
    assert above.distance(1.0) == pytest.approx((0.01, 0.0, 0.02))
    assert not below.ties(above)
    assert below.distance(1.0).ties(above.distance(1.0))
    assert not far.distance(1.0).ties(above.distance(1.0))

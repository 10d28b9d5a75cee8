"""The curves that animals are made of, against SciPy's."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.interpolate import CubicSpline, PchipInterpolator

from canter.animals.generator.curves import clamped_spline, clamped_uniform_spline, monotone_cubic, periodic_spline

DICE = np.random.default_rng(5)


@pytest.mark.parametrize("count", [3, 8, 200, 201])
def test_around_is_the_periodic_spline(count: int) -> None:
    values, at = DICE.standard_normal((count, 4, 3)), DICE.uniform(-1, 2, 60)
    closed = np.concatenate([values, values[:1]])
    theirs = CubicSpline(np.arange(count + 1) / count, closed, axis=0, bc_type="periodic")
    np.testing.assert_allclose(periodic_spline(values, at), theirs(at % 1.0), atol=1e-9)
    np.testing.assert_allclose(periodic_spline(values, np.arange(count + 1) / count), closed, atol=1e-9)


@pytest.mark.parametrize("count", [2, 3, 50])
def test_resting_is_level_at_both_ends(count: int) -> None:
    values, at = DICE.standard_normal(count), np.linspace(0, 1, 77)
    theirs = CubicSpline(np.linspace(0, 1, count), values, bc_type="clamped")
    np.testing.assert_allclose(clamped_uniform_spline(values, at), theirs(at), atol=1e-9)


@pytest.mark.parametrize("count", [2, 3, 6])
def test_bump_is_the_clamped_spline(count: int) -> None:
    x, y = np.sort(DICE.uniform(0, 1, count)), DICE.standard_normal(count)
    at = DICE.uniform(x[0], x[-1], (5, 9))
    np.testing.assert_allclose(clamped_spline(x, y, at), CubicSpline(x, y, bc_type="clamped")(at), atol=1e-9)


def test_monotone_is_pchip() -> None:
    for count in (2, 3, 4, 9):
        for _ in range(30):
            x, y = np.cumsum(DICE.uniform(0.1, 1, count)), np.round(DICE.standard_normal(count), 1)
            at = DICE.uniform(x[0], x[-1], 40)
            np.testing.assert_allclose(monotone_cubic(x, y, at), PchipInterpolator(x, y)(at), atol=1e-9)

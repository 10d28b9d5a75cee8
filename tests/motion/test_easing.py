"""Smooth steps: values, derivatives at both ends, and no way back in between."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.polynomial import Polynomial

from canter.motion.arrays import Floats
from canter.motion.easing import cubic_step, quintic_step

STEPS = pytest.mark.parametrize(
    ("step", "order", "steepest"), [(cubic_step, 3, 1.5), (quintic_step, 5, 1.875)], ids=["cubic", "quintic"]
)


@STEPS
def test_a_step_is_the_polynomial_of_its_order_that_is_level_at_both_ends(
    step: Callable[[Floats], Floats], order: int, steepest: float
) -> None:
    x = np.linspace(0, 1, 101)
    fitted: Polynomial = Polynomial.fit(x, step(x), order, domain=[0, 1], window=[0, 1])
    np.testing.assert_allclose(fitted(x), step(x), atol=1e-12)
    np.testing.assert_allclose(fitted([0.0, 0.5, 1.0]), [0, 0.5, 1], atol=1e-12)
    for derivative in range(1, (order + 1) // 2):
        np.testing.assert_allclose(fitted.deriv(derivative)([0.0, 1.0]), 0, atol=1e-9)
    assert abs(fitted.deriv((order + 1) // 2)(0.0)) > 1
    assert fitted.deriv()(0.5) == pytest.approx(steepest)


@STEPS
def test_a_step_is_monotone_clamped_and_point_symmetric(
    step: Callable[[Floats], Floats], order: int, steepest: float
) -> None:
    x = np.linspace(-0.5, 1.5, 2001)
    y = step(x)
    assert np.all(np.diff(y) >= 0)
    assert np.diff(y).max() * 1000 <= steepest + 1e-6
    np.testing.assert_array_equal(y[x <= 0], 0)
    np.testing.assert_array_equal(y[x >= 1], 1)
    np.testing.assert_allclose(y + y[::-1], 1, atol=1e-12)


@STEPS
def test_a_step_takes_any_shape_and_plain_numbers(
    step: Callable[[object], Floats], order: int, steepest: float
) -> None:
    x = np.random.default_rng(0).uniform(-1, 2, (3, 4, 5))
    assert step(x).shape == x.shape
    np.testing.assert_array_equal(step(x)[1, 2], step(x[1, 2]))
    assert float(step(0.5)) == 0.5
    assert step([0, 1, 2]).tolist() == [0.0, 1.0, 1.0]
    assert step(x.astype(np.float32)).dtype == np.float32

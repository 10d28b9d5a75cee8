"""Stance and swing on the grid, and curves that are continued smoothly through swing."""

from __future__ import annotations

import numpy as np
import pytest

from canter.animals.generator.step_timing import StepTiming, bridge_swing

STEPS = StepTiming(size=200, strides=3, touchdown=37, stance_points=120)


def test_by_step_and_by_time_are_inverse() -> None:
    curve = np.random.default_rng(1).normal(size=(600, 2))
    steps = STEPS.by_step(curve)
    assert steps.shape == (3, 200, 2)
    np.testing.assert_array_equal(steps[0, 0], curve[37])
    np.testing.assert_array_equal(STEPS.by_time(steps), curve)


def test_shares_of_stance_and_swing() -> None:
    assert STEPS.stance.sum() == 120
    assert STEPS.stance_share[0] == 0
    assert STEPS.stance_share[120] == 1
    assert not STEPS.swing_share[:120].any()
    assert STEPS.swing_share[-1] == pytest.approx(1 - 1 / STEPS.swing_points)
    assert np.all(np.diff(STEPS.swing_share[119:]) > 0)


def test_numbers_per_step_change_only_in_swing() -> None:
    curve = STEPS.blend_in_swing(np.array([1.0, 3.0, -2.0]))
    assert curve.shape == (3, 200)
    np.testing.assert_array_equal(curve[:, :120], np.repeat([[1.0], [3.0], [-2.0]], 120, axis=1))
    np.testing.assert_allclose(curve[:, -1], [3, -2, 1], atol=1e-3)


def test_the_swing_window_is_0_in_stance_and_1_between_its_edges() -> None:
    window = STEPS.swing_window(0.2)
    assert not window[:120].any()
    inner = (STEPS.swing_share > 0.2) & (STEPS.swing_share < 0.8)
    np.testing.assert_allclose(window[inner], 1)


def test_a_constant_curve_stays_constant_through_swing() -> None:
    np.testing.assert_allclose(bridge_swing(np.full((3, 200), 0.4), STEPS), 0.4, atol=1e-12)


def test_stance_is_kept_and_swing_is_the_base() -> None:
    curve, base = np.cos(np.linspace(0, 9, 600)).reshape(3, 200), np.full((3, 200), 5.0)
    bridged = bridge_swing(curve, STEPS, base, window=0.3)
    np.testing.assert_array_equal(bridged[:, :120], curve[:, :120])
    middle = (STEPS.swing_share > 0.45) & (STEPS.swing_share < 0.55)
    np.testing.assert_allclose(bridged[:, middle], 5, atol=0.05)


def test_bridged_curves_have_no_corners() -> None:
    """A foot that moves back in stance: second differences at lift-off and touchdown are smaller than in swing."""
    toe = np.tile(np.linspace(0.3, -0.5, 200), (3, 1))
    bend = np.abs(np.diff(STEPS.by_time(bridge_swing(toe, STEPS)), 2))
    ends = [STEPS.touchdown % 600, (STEPS.touchdown + STEPS.stance_points) % 600]
    assert max(bend[end - 4 : end + 2].max() for end in ends) < bend.max()
    assert bend.max() < 0.01

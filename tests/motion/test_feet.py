"""Targets of feet: still while they stand, and eased back to their own path without a jump."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from canter.motion import foot_targets
from canter.motion.feet import stances

SEEDS = st.integers(0, 2**32 - 1)


def test_stances_are_runs() -> None:
    assert stances([0, 1, 1, 0, 1]) == [(1, 3), (4, 5)]
    assert stances([1, 1]) == [(0, 2)]
    assert stances([]) == stances([0, 0]) == []


@settings(max_examples=60)
@given(SEEDS, st.integers(1, 60), st.floats(0, 0.5))
def test_targets_are_still_in_contact_and_eased_outside_without_a_jump(seed: int, frames: int, ease: float) -> None:
    g = np.random.default_rng(seed)
    down = np.cumsum(g.random((frames, 3)) < 0.15, axis=0) % 2 == 1
    position = np.cumsum(g.normal(size=(frames, 3, 3)), axis=0)
    target = foot_targets(position, down, 60, ease)
    offset = target - position
    for foot in range(3):
        runs = stances(down[:, foot])
        for first, stop in runs:
            held = target[first:stop, foot]
            np.testing.assert_allclose(held, np.broadcast_to(held[0], held.shape), atol=1e-9)
        far = [abs(t - f) > 60 * ease for t in range(frames) for first, stop in runs for f in (first, stop - 1)]
        away = np.all(np.reshape(far, (frames, -1)), axis=1) & ~down[:, foot]
        assert np.all(offset[away, foot] == 0)


def test_easing_keeps_value_and_slope() -> None:
    """The offset is continued from its last step inside the contact, and arrives level at zero."""
    time = np.arange(400)
    position = np.stack([0.001 * time, 0 * time, 0.002 * time], -1)[:, None]
    down = (time[:, None] >= 100) & (time[:, None] < 200)
    offset = (foot_targets(position, down, 100, ease_seconds=0.8) - position)[:, 0]
    step = np.diff(offset, axis=0)
    np.testing.assert_allclose(step[199], step[198], atol=1e-4)
    np.testing.assert_allclose(step[99], step[100], atol=1e-4)
    assert np.max(np.abs(np.diff(step, axis=0))) < 4e-4
    np.testing.assert_allclose(offset[[0, 10, 19, 280, 399]], 0, atol=1e-12)
    assert np.linalg.norm(offset[240]) > 0.01


def test_heights_are_those_of_the_median_of_the_ground_or_kept() -> None:
    g = np.random.default_rng(0)
    position = g.normal(size=(20, 1, 3))
    down = np.ones((20, 1))
    np.testing.assert_allclose(foot_targets(position, down, 30)[..., 1], np.median(position[..., 1]))
    np.testing.assert_allclose(foot_targets(position, down, 30, heights=0.25)[..., 1], 0.25)
    np.testing.assert_array_equal(foot_targets(position, down, 30, heights="keep")[..., 1], position[..., 1])
    assert np.ptp(foot_targets(position, down, 30, heights="keep")[..., 0]) < 1e-12
    two = np.concatenate([position, position], axis=1)
    each = foot_targets(two, np.ones((20, 2)), 30, heights=[0.25, "keep"])[..., 1]
    np.testing.assert_allclose(each[:, 0], 0.25)
    np.testing.assert_array_equal(each[:, 1], position[:, 0, 1])


def test_wrong_shapes_are_refused() -> None:
    with pytest.raises(ValueError, match="do not fit"):
        foot_targets(np.zeros((3, 2, 3)), np.zeros((3, 1)), 30)
    with pytest.raises(ValueError, match="shorter"):
        foot_targets(np.zeros((3, 2, 3)), np.zeros((3, 2)), 30, heights=[0.0])

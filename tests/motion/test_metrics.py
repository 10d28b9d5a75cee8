"""Metrics against values that were worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from canter.motion import Motion, close_loop, metrics, resample
from canter.motion import rotations as rot
from canter.motion.feet import stances

from .rigs import random_skeleton, wobble


def sliding(heights: list[float], step: float = 0.01) -> np.ndarray:
    """One foot that moves `step` metres along z in every frame, at the given heights."""
    x = np.zeros((len(heights), 1, 3))
    x[:, 0, 1], x[:, 0, 2] = heights, step * np.arange(len(heights))
    return x


def test_skating_by_hand() -> None:
    # 1 cm a frame at 60 frames a second, on the ground: s = 1 (2 - 2^0) = 1
    np.testing.assert_allclose(metrics.foot_skating(sliding([0, 0, 0]), 60, ground=0), [1.0])
    # half way up, 1.25 cm: s = 2 - 2^0.5
    half = metrics.foot_skating(sliding([0, 0.0125, 0.0125]), 60, ground=0)
    np.testing.assert_allclose(half, [2 - np.sqrt(2)])
    # above 2.5 cm nothing, below the ground as on it
    np.testing.assert_allclose(metrics.foot_skating(sliding([0, 0.03, 0.025]), 60, ground=0), [0.0], atol=1e-12)
    np.testing.assert_allclose(metrics.foot_skating(sliding([0, -0.03, -1]), 60, ground=0), [1.0])
    # vertical speed does not count
    np.testing.assert_allclose(metrics.foot_skating(sliding([0, 0.01, 0], step=0), 60, ground=0), [0.0])


def test_skating_divisors() -> None:
    x = sliding([0, 0, 0.1, 0.1, 0.1])  # four steps, one of them low
    np.testing.assert_allclose(metrics.foot_skating(x, 60, ground=0), [0.25])
    np.testing.assert_allclose(metrics.foot_skating(x, 60, ground=0, divisor="low"), [1.0])
    np.testing.assert_allclose(metrics.foot_skating(x, 60, ground=-1, divisor="low"), [0.0])


def test_skating_refers_to_sixty_frames_a_second() -> None:
    """The same slide at half the rate, with steps twice as long, scores the same."""
    slow = metrics.foot_skating(sliding([0] * 11, 0.02), 30, ground=0)
    fast = metrics.foot_skating(sliding([0] * 21, 0.01), 60, ground=0)
    np.testing.assert_allclose(slow, fast)
    np.testing.assert_allclose(slow, [1.0])


def test_skating_measures_height_from_the_foots_own_low() -> None:
    x = sliding([5.0] * 100)
    np.testing.assert_allclose(metrics.foot_skating(x, 60), [1.0])
    both = np.concatenate([x, sliding([7.0] * 100)], axis=1)
    np.testing.assert_allclose(metrics.foot_skating(both, 60), [1.0, 1.0])
    np.testing.assert_allclose(metrics.foot_skating(both, 60, ground=[5.0, 0.0]), [1.0, 0.0])


def test_stance_slip_by_hand() -> None:
    x = np.zeros((6, 2, 3))
    x[:, 0, 0] = [0, 0.03, 0.03, 9, 1, 1.01]
    x[:, 0, 2] = [0, 0.04, 0.04, 9, 1, 1]
    x[:, 0, 1] = [0, 5, 5, 0, 0, 0]  # height does not count
    x[:, 1, 2] = 0.02 * np.arange(6)  # never stands
    down = np.array([[1, 1, 1, 0, 1, 1], [0, 0, 0, 0, 0, 0]]).T
    slip = metrics.stance_slip(x, down)
    assert slip.mean == pytest.approx(3.0)  # of 5 cm and 1 cm
    assert slip.max == pytest.approx(5.0)


def test_stance_slip_sees_a_foot_that_slides_and_comes_back() -> None:
    x = np.zeros((6, 2, 3))
    x[:, 0, 0] = [0.5, 0.0, 0.03, 0.0, 0.4, 0.4]  # 3 cm away and back while it stands
    x[:, 1, 2] = 0.001 * np.arange(6)
    down = np.array([[0, 1, 1, 1, 0, 0], [0, 0, 0, 0, 1, 1]]).T
    slip = metrics.stance_slip(x, down)
    assert slip.max == pytest.approx(3.0)
    assert slip.mean == pytest.approx((3.0 + 0.1) / 2)
    twins = np.stack([x, 2 * x], axis=1)  # (T, 2 animals, F, 3)
    both = metrics.stance_slip(twins, np.stack([down, down], axis=1))
    assert both.max == pytest.approx(6.0)
    assert both.mean == pytest.approx(1.5 * slip.mean)


@settings(max_examples=30)
@given(st.integers(0, 2**32 - 1), st.integers(1, 30))
def test_stance_slip_is_that_of_a_loop_over_stances(seed: int, frames: int) -> None:
    dice = np.random.default_rng(seed)
    x, down = dice.normal(size=(frames, 2, 3, 3)), dice.random((frames, 2, 3)) < 0.6
    ground = x[..., [0, 2]]
    each = [
        100 * np.linalg.norm(ground[first:stop, n, foot] - ground[first, n, foot], axis=-1).max()
        for n in range(2)
        for foot in range(3)
        for first, stop in stances(down[:, n, foot])
    ]
    slip = metrics.stance_slip(x, down)
    assert slip.mean == pytest.approx(np.mean(each) if each else np.nan, nan_ok=True)
    assert slip.max == pytest.approx(np.max(each, initial=0.0) if each else np.nan, nan_ok=True)


def test_stance_slip_without_stances_is_unknown() -> None:
    slip = metrics.stance_slip(np.zeros((3, 2, 3)), np.zeros((3, 2)))
    assert np.isnan(slip.mean)
    assert np.isnan(slip.max)


def test_leg_activity_by_hand() -> None:
    q = np.stack([rot.about([1.0, 0, 0], np.radians(3.0) * np.arange(5)), np.tile(rot.IDENTITY, (5, 1))], axis=1)
    q[2] *= -1  # the sign of a quaternion means nothing
    np.testing.assert_allclose(metrics.leg_activity(q, 60), [3, 0], atol=1e-6)
    np.testing.assert_allclose(metrics.leg_activity(q, 30), [1.5, 0], atol=1e-6)
    assert np.all(np.isnan(metrics.leg_activity(q[:1], 60)))


def test_penetration_by_hand() -> None:
    x = np.zeros((2, 2, 3))
    x[..., 1] = [[0.1, -0.02], [-0.06, 0]]
    assert metrics.ground_penetration(x) == pytest.approx((2.0, 6.0))
    assert metrics.ground_penetration(x, ground=-0.05) == pytest.approx((0.25, 1.0))
    assert metrics.ground_penetration(x, ground=[-1, 0]) == pytest.approx((0.5, 2.0))


def test_jerk_of_a_cubic_is_its_third_derivative() -> None:
    t = np.arange(12) / 30
    x = np.stack([np.stack([2 * t**3, t, t**2], -1), np.stack([t**2, t, 0 * t], -1)], axis=1)
    np.testing.assert_allclose(metrics.jerk(x, 30), [12, 0], atol=1e-6)
    assert np.all(np.isnan(metrics.jerk(x[:3], 30)))


def test_loop_closure_by_hand() -> None:
    skeleton = random_skeleton(1, 3)
    positions = np.tile(skeleton.offsets, (2, 1, 1))
    rotations = np.tile(skeleton.rotations, (2, 1, 1))
    positions[1, 0] += [3, 0.07, 4]  # travels, and rises by 7 cm
    rotations[1, 2] = rot.multiply(rotations[1, 2], rot.about([0, 0, 1.0], np.radians(5)))
    motion = Motion(skeleton, 30, positions, rotations)
    assert metrics.loop_closure(motion) == pytest.approx((7.0, 5.0))
    assert metrics.loop_closure(motion, travel=False).position == pytest.approx(100 * np.hypot(5, 0.07))
    turned = np.zeros((2, 3)), np.array([0, 0.1])
    assert metrics.loop_closure(motion, track=turned).angle == pytest.approx(np.degrees(0.1))
    assert np.isnan(metrics.loop_closure(motion[:1]).angle)


@settings(max_examples=20)
@given(st.integers(0, 2**32 - 1))
def test_closed_loops_close(seed: int) -> None:
    motion = wobble(random_skeleton(seed), seed)
    gap = metrics.loop_closure(close_loop(motion))
    assert gap.position < 1e-6
    assert gap.angle < 1e-4


def test_path_deviation_by_hand() -> None:
    path = [[0.0, 0], [0, 2], [0, 2], [3, 2]]  # two metres forward, then three to the left; one point doubled
    place = np.array([[0.1, 9, 1], [-0.3, 9, -0.4], [2, 9, 2.05]])
    yaw = np.array([0.2, 2 * np.pi - 0.1, 0])
    deviation = metrics.path_deviation(place, yaw, path)
    np.testing.assert_allclose(deviation.position, [10, 50, 5])
    np.testing.assert_allclose(deviation.angle, np.degrees([0.2, 0.1, np.pi / 2]))
    closed = metrics.path_deviation([[1.5, 1.0]], [0], path, closed=True)  # on the way back to the start
    np.testing.assert_allclose(closed.position, [0], atol=1e-9)
    with pytest.raises(ValueError, match="two different points"):
        metrics.path_deviation(place, yaw, [[1, 1], [1, 1]])


def test_jerk_and_activity_hardly_depend_on_the_frame_rate() -> None:
    motion = wobble(random_skeleton(4), 4, frames=120)
    double = resample(motion, 60)
    np.testing.assert_allclose(
        metrics.leg_activity(double.rotations, 60), metrics.leg_activity(motion.rotations, 30), rtol=0.02
    )

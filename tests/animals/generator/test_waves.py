"""Periodic functions: known harmonics, group laws of delays, and the spring against its differential equation."""

from __future__ import annotations

import numpy as np
import pytest

from canter.animals.generator.waves import (
    blurred,
    derivative,
    fade,
    lagged,
    noise,
    points,
    profile,
    spring,
    wave,
)
from canter.motion.easing import quintic_step

PHASE = np.arange(200) / 200
HARMONIC = np.cos(2 * np.pi * 3 * PHASE)


def test_a_wave_is_the_sum_of_its_terms_and_repeats() -> None:
    terms = ((2.0, 0, 0.0), (0.5, 1, 0.3), (0.1, 2, 0.05))
    expected = 2 + 0.5 * np.cos(2 * np.pi * (PHASE - 0.3)) + 0.1 * np.cos(4 * np.pi * (PHASE - 0.05))
    np.testing.assert_allclose(wave(terms, PHASE), expected)
    np.testing.assert_allclose(wave(terms, PHASE + 1), expected, atol=1e-12)
    assert PHASE[np.argmax(wave(((1.0, 1, 0.3),), PHASE))] == pytest.approx(0.3)
    assert not wave((), PHASE).any()


def test_smoothstep_starts_and_ends_at_rest() -> None:
    curve = quintic_step(np.linspace(-0.5, 1.5, 2001))
    assert (curve[0], curve[1000], curve[-1]) == (0, 0.5, 1)
    assert np.abs(np.diff(curve, 2)).max() * 1e6 < 6


def test_fade_keeps_value_slope_and_curvature_at_the_start_and_ends_at_rest() -> None:
    step = 1e-3
    x = np.array([0, step, 2 * step, 1 - 2 * step, 1 - step, 1, 2])
    value, slope, curvature = np.array(0.7), np.array(-1.5), np.array(4.0)
    curve = fade(x, value, slope, curvature)
    assert curve[0] == pytest.approx(0.7)
    assert (-1.5 * curve[0] + 2 * curve[1] - 0.5 * curve[2]) / step == pytest.approx(-1.5, abs=1e-3)
    assert (curve[0] - 2 * curve[1] + curve[2]) / step**2 == pytest.approx(4.0, abs=0.1)
    assert np.abs(curve[3:6]).max() < 1e-6
    assert curve[-1] == 0


def test_blurring_damps_a_harmonic_by_the_transform_of_a_gaussian() -> None:
    width = 0.02
    damped = HARMONIC * np.exp(-0.5 * (2 * np.pi * 3 * width) ** 2)
    np.testing.assert_allclose(blurred(HARMONIC, width), damped, atol=1e-12)
    np.testing.assert_allclose(blurred(np.full((200, 2), 4.0), width), 4.0)


def test_a_profile_runs_through_its_points_and_closes() -> None:
    stance, swing = ((0.0, 10.0), (0.5, 20.0)), ((0.0, 30.0), (0.5, 0.0))
    curve = profile(stance, swing, 0.6, 1000)
    for at, value in ((0.3, 20.0), (0.6, 30.0), (0.8, 0.0)):
        assert curve[round(at * 1000)] == pytest.approx(value, abs=2.5)
    assert abs(curve[0] - curve[-1]) < 0.5
    assert profile(stance, swing, 0.6, 1000) is curve
    with pytest.raises(ValueError, match="read-only"):
        curve[0] = 0


@pytest.mark.parametrize("damping", [0.2, 1.0])
def test_a_spring_obeys_its_equation(damping: float) -> None:
    seconds, frequency = 1.7, 1.3
    force = wave(((1.0, 1, 0.2), (0.4, 3, 0.7), (0.3, 0, 0.0)), PHASE)
    x, own = spring(force, seconds, frequency, damping), 2 * np.pi * frequency
    velocity, acceleration = derivative(x, seconds), derivative(x, seconds, 2)
    np.testing.assert_allclose(acceleration + 2 * damping * own * velocity + own**2 * x, own**2 * force, atol=1e-9)


def test_a_spring_at_resonance_is_a_quarter_cycle_late() -> None:
    force = np.cos(2 * np.pi * PHASE)
    np.testing.assert_allclose(spring(force, 1.0, 1.0, 0.25), 2 * lagged(force, 0.25), atol=1e-9)


def test_derivatives_of_harmonics() -> None:
    rate = 2 * np.pi * 3 / 0.8
    np.testing.assert_allclose(derivative(HARMONIC, 0.8), -rate * np.sin(2 * np.pi * 3 * PHASE), atol=1e-9)
    np.testing.assert_allclose(derivative(HARMONIC, 0.8, 2), -(rate**2) * HARMONIC, atol=1e-8)
    np.testing.assert_allclose(derivative(HARMONIC, 0.8, highest=2), 0, atol=1e-9)


def test_delays_add_up_and_a_whole_cycle_is_none() -> None:
    curve = wave(((1.0, 1, 0.1), (0.5, 7, 0.4)), PHASE)[:, None] * np.array([1.0, -2.0])
    np.testing.assert_allclose(lagged(lagged(curve, 0.13), 0.27), lagged(curve, 0.4), atol=1e-12)
    np.testing.assert_allclose(lagged(curve, 1.0), curve, atol=1e-12)
    np.testing.assert_allclose(lagged(curve, 0.1), np.roll(curve, 20, axis=0), atol=1e-12)


def test_noise_has_unit_deviation_and_only_its_harmonics() -> None:
    curve = noise(np.random.default_rng(4), PHASE, 2, 5)
    assert curve.std() == pytest.approx(1)
    spectrum = np.abs(np.fft.rfft(curve))
    assert spectrum[2:6].min() > 1
    assert np.delete(spectrum, range(2, 6)).max() < 1e-9
    np.testing.assert_array_equal(noise(np.random.default_rng(4), PHASE, 2, 5), curve)
    assert np.abs(noise(np.random.default_rng(5), PHASE, 2, 5) - curve).max() > 0.1


def test_points_are_parsed() -> None:
    assert points("0:38 .2:-46.5") == ((0.0, 38.0), (0.2, -46.5))
    assert points("") == ()

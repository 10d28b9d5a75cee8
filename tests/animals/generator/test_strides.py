"""Sequences of strides: identical without a seed, differing but periodic and repeatable with one."""

from __future__ import annotations

import numpy as np

from canter.animals.generator.strides import GRID, StrideSequence


def test_phases_count_on_over_the_strides() -> None:
    sequence = StrideSequence(0.8, 3)
    assert sequence.phase.shape == (3 * GRID,)
    np.testing.assert_allclose(sequence.phase[:: GRID // 2], [0, 0.5, 1, 1.5, 2, 2.5])
    assert sequence.total == 0.8 * 3


def test_without_a_seed_nothing_differs() -> None:
    sequence = StrideSequence(0.8, 3)
    assert not sequence.drift("sway", 0.1).any()
    assert not sequence.per_stride("lift", 0.1).any()


def test_a_seed_repeats_and_names_are_independent() -> None:
    first, again, other = StrideSequence(0.8, 6, 7), StrideSequence(0.8, 6, 7), StrideSequence(0.8, 6, 8)
    np.testing.assert_array_equal(first.drift("sway", 1.0), again.drift("sway", 1.0))
    assert np.abs(first.drift("sway", 1.0) - other.drift("sway", 1.0)).max() > 0.1
    assert np.abs(first.drift("sway", 1.0) - first.drift("yaw", 1.0)).max() > 0.1
    assert np.abs(first.per_stride("a", 1.0) - first.per_stride("b", 1.0)).max() > 0.1


def test_drift_is_slow_and_closes() -> None:
    drift = StrideSequence(0.8, 6, 7).drift("sway", 0.5)
    assert abs(drift.std() - 0.5) < 1e-9
    assert np.abs(np.diff(np.append(drift, drift[0]))).max() < 0.05, "from the last point on to the first"
    assert np.abs(np.fft.rfft(drift))[4:].max() < 1e-9, "nothing quicker than half the number of strides"


def test_numbers_per_stride_are_limited() -> None:
    values = np.concatenate([StrideSequence(0.8, 50, seed).per_stride("lift", 0.1) for seed in range(20)])
    assert values.shape == (1000,)
    assert np.abs(values).max() <= 0.2
    assert 0.08 < values.std() < 0.1

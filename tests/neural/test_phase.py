"""Phases of strides from contacts."""

from __future__ import annotations

import numpy as np

from canter.neural.phase import STANCE_SHARE, stride_phases


def test_a_steady_gait_has_a_phase_that_rises_by_one_a_stride() -> None:
    stands = (np.arange(400) % 40) < 24  # 0.6 of a stride
    other = np.roll(stands, 20)
    phase = stride_phases(np.stack([stands, other], axis=1), np.array([0, 400]), 60.0)
    np.testing.assert_allclose(np.diff(phase), 1 / 40, atol=1e-9)


def test_it_stands_still_with_the_animal_and_lifts_with_the_foot() -> None:
    stands = np.ones(600, bool)
    stands[100:120] = stands[300:320] = False
    phase = stride_phases(stands[:, None], np.array([0, 600]), 60.0)
    assert np.ptp(phase[150:270]) < 1e-9
    np.testing.assert_allclose(phase[[100, 300]] % 1.0, STANCE_SHARE, atol=1e-9)
    np.testing.assert_allclose(phase[[120, 320]], [1.0, 2.0], atol=1e-9)
    assert (np.diff(phase) >= 0).all()


def test_clips_have_phases_of_their_own() -> None:
    stands = (np.arange(200) % 40) < 24
    phase = stride_phases(stands[:, None], np.array([0, 100, 200]), 60.0)
    assert phase[100] < 1.0 < phase[99]


def test_a_foot_that_never_moves_has_one_phase() -> None:
    assert np.ptp(stride_phases(np.ones((50, 4), bool), np.array([0, 50]), 60.0)) <= STANCE_SHARE

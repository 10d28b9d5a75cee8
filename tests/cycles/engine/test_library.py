"""Cycles sampled at any phase of any leg, and blended by their weights."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from canter.cycles.engine.cycle import GRID
from canter.cycles.engine.library import fastest_joints, free_joints, make_library, same_side
from canter.cycles.engine.sampling import Normalise, Sampling

from .made_up import STAND, TROT, WALK, character, cycle, frame, library, strides, timing

PHASES = st.integers(-3000, 3000).map(lambda x: x / 997)


@settings(max_examples=40)
@given(PHASES, st.integers(-3, 3))
def test_phases_wrap(phase: float, rounds: int) -> None:
    which = np.array([WALK, TROT])
    here, there = (library().sample(which, np.full((2, 5), x)) for x in (phase, phase + rounds))
    for a, b in zip(here, there, strict=True):
        assert np.abs(a - b).max() < 1e-9


@pytest.mark.parametrize("which", [STAND, WALK, TROT])
@pytest.mark.parametrize("row", [0, 7, GRID - 1])
def test_on_the_grid_a_sample_is_the_cycle_itself(which: int, row: int) -> None:
    positions, rotations, feet = library().sample(np.array([which]), np.full((1, 5), row / GRID))
    made = library().cycles[which]
    assert np.abs(positions[0] - made.positions[row]).max() < 1e-12
    assert np.abs((rotations[0] * made.rotations[row]).sum(axis=-1)).min() > 1 - 1e-12
    assert np.abs(feet[0] - library().feet[which, row]).max() < 1e-12


def test_between_samples_it_is_linear_also_over_the_seam() -> None:
    half = library().sample(np.array([WALK]), np.full((1, 5), (GRID - 0.5) / GRID))[2][0]
    assert half == pytest.approx((library().feet[WALK, -1] + library().feet[WALK, 0]) / 2)


def test_every_leg_has_a_phase_of_its_own() -> None:
    phase = np.array([[0.1, 0.2, 0.3, 0.4, 0.6]])
    _, rotations, _ = library().sample(np.array([WALK]), phase)
    for k, leg in enumerate(character().anatomy.legs):
        own = library().sample(np.array([WALK]), np.full((1, 5), phase[0, k]))[1]
        assert np.array_equal(rotations[0, leg.hip], own[0, leg.hip])


def test_owners_are_the_legs_and_the_rest_is_body() -> None:
    owner = library().owner
    for k, leg in enumerate(character().anatomy.legs):
        assert np.all(owner[list(leg.joints)] == k)
    assert np.all(owner[:4] == 4)
    assert library().skeleton.names[free_joints(library())[0]] == "chest"


def test_signs_are_those_nearest_to_the_middle() -> None:
    middle = np.array([[1.0, 0.0, 0.0, 0.0]])
    assert np.array_equal(same_side(np.array([[[-1.0, 0, 0, 0]], [[0.9, 0.1, 0, 0]]]), middle)[:, 0, 0], [1.0, 0.9])


def test_the_fastest_a_joint_turns() -> None:
    """In the trot the hip turns by asin(0.486 / 2) each way, back in 0.27 s and forth in 0.33 s."""
    hip = character().anatomy.legs[0].hip
    speed = fastest_joints(library().cycles[TROT])[hip]
    assert speed == pytest.approx(0.486 / 0.27 / np.cos(np.arcsin(0.243)), rel=0.02)


def test_an_animal_without_a_gait_is_refused() -> None:
    with pytest.raises(ValueError, match="no loop that travels"):
        make_library(character(), [cycle("stand", (0.0, 0.0), 4.0, 1.0, (0.0,) * 4)])


# Sampling as a stage -----------------------------------------------------------------------------


@pytest.mark.parametrize("gait", [WALK, TROT])
def test_all_weight_on_one_cycle_gives_that_cycle(gait: int) -> None:
    time = timing(1, gait)
    time.phases, time.body_phases = np.full((1, 8, 4), 30 / GRID), np.full((1, 8), 30 / GRID)
    made = frame(time)
    Sampling(library(), strides()).step(made)
    Normalise().step(made)
    assert np.abs(made.positions[0] - library().positions[gait, 30]).max() < 1e-12
    assert np.abs(made.rotations[0] - library().rotations[gait, 30]).max() < 1e-12
    assert np.abs(made.feet[0] - library().feet[gait, 30]).max() < 1e-12
    assert np.abs(made.sweep[0] - strides().sweeps[gait]).max() < 1e-12


def test_two_cycles_are_blended_by_their_weights() -> None:
    time = timing(2, WALK)
    time.weights[0, [WALK, TROT]] = time.posture_weights[0, [WALK, TROT]] = (0.3, 0.7)
    made = frame(time)
    Sampling(library(), strides()).step(made)
    expected = 0.3 * library().feet[WALK, 0] + 0.7 * library().feet[TROT, 0]
    assert np.abs(made.feet[0] - expected).max() < 1e-12
    assert np.abs(made.feet[1] - library().feet[WALK, 0]).max() < 1e-12
    Normalise().step(made)
    assert np.linalg.norm(made.rotations, axis=-1) == pytest.approx(1.0)


def test_the_body_keeps_the_posture_that_it_comes_from() -> None:
    """Legs trot already, the posture of the body is still a mean of both."""
    low, high = library().positions[TROT].mean(axis=0)[0, 1], library().positions[WALK].mean(axis=0)[0, 1] + 0.2
    lifted = library().positions.copy()
    lifted[WALK, :, 0, 1] += 0.2
    other = make_library(character(), library().cycles)
    object.__setattr__(other, "positions", lifted)
    time = timing(1, TROT)
    time.posture_weights[0, [WALK, TROT]] = (0.25, 0.75)
    made = frame(time)
    Sampling(other, strides()).step(made)
    assert made.positions[0, 0, 1] - lifted[TROT, 0, 0, 1] == pytest.approx(0.25 * (high - low))

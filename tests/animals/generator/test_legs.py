"""Upright legs: the flexion scale against the law of cosines, feet that are exactly where stance wants them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from canter.animals.generator.legs import (
    Ground,
    PlanarLeg,
    leg_angles,
    planted_leg_angles,
    rolling_hoof_angle,
    solve_flexion_scale,
    stance_roll,
)
from canter.animals.generator.step_timing import StepTiming
from canter.motion.arrays import Floats

from ..loaded import animal

COLUMN = PlanarLeg(("hip", "stifle"), np.array([0.5, 0.4]), np.radians([20.0, -20.0]), has_hoof=False)
"""Two bones with a stifle flexed by 40 degrees."""
STEPS = StepTiming(200, 1, 0, 120)


def length(flexion: float) -> float:
    return float(np.sqrt(0.5**2 + 0.4**2 + 2 * 0.5 * 0.4 * np.cos(flexion)))


def held_joint(leg: PlanarLeg, angles: Floats) -> tuple[Floats, Floats]:
    bones = leg.lengths[: leg.free]
    return (bones * np.cos(angles)).sum(axis=-1), (bones * np.sin(angles)).sum(axis=-1)


def test_flexions_of_standing() -> None:
    assert COLUMN.rest_flexions() == {1: pytest.approx(np.radians(40))}
    assert (COLUMN.aimed, COLUMN.free, COLUMN.has_scapula) == (0, 2, False)
    fore = animal("horse").standing.planar(0)
    assert (fore.aimed, fore.free, fore.has_hoof) == (1, 5, True)


@pytest.mark.parametrize("degrees", [5.0, 32.0, 40.0, 80.0])
def test_the_flexion_scale_follows_the_law_of_cosines(degrees: float) -> None:
    flexions, wanted = np.radians([[40.0]]), np.array([length(np.radians(degrees))])
    assert solve_flexion_scale(COLUMN, flexions, wanted) == pytest.approx(degrees / 40, abs=1e-6)


def test_lengths_out_of_reach_give_the_bounds() -> None:
    flexions = np.radians([[40.0], [40.0]])
    np.testing.assert_array_equal(solve_flexion_scale(COLUMN, flexions, np.array([2.0, 0.01])), [0.03, 2.2])


def test_a_joint_without_compliance_is_not_scaled() -> None:
    stiff = replace(COLUMN, roles=("hip", "fetlock"))
    wanted = np.array([length(0.2), length(1.2)])
    np.testing.assert_array_equal(solve_flexion_scale(stiff, np.radians([[40.0], [40.0]]), wanted), [0.03, 2.2])


@pytest.mark.parametrize("name", ["horse", "dog"])
@pytest.mark.parametrize("index", range(4))
def test_a_planted_leg_reaches_its_foot(name: str, index: int) -> None:
    leg = animal(name).standing.planar(index)
    down, ahead = held_joint(leg, leg.angles[: leg.free])
    targets = np.array([down, 0.97 * down, 0.94 * down]), np.array([ahead, ahead + 0.05 * down, ahead - 0.05 * down])
    angles = planted_leg_angles(leg, targets, gain=0.3)
    np.testing.assert_allclose(held_joint(leg, angles), targets, atol=1e-6 * float(down))
    still = planted_leg_angles(leg, (targets[0][:1], targets[1][:1]), gain=0.0)[0]
    np.testing.assert_allclose(still, leg.angles[: leg.free], atol=1e-3)


def test_a_leg_is_at_its_foothold_in_stance_and_clears_the_ground_in_swing() -> None:
    horse = animal("horse")
    leg, row = horse.standing.planar(2), horse.row("trot").hind
    down, ahead = held_joint(leg, leg.angles[: leg.free])
    path = np.full((1, 200), 0.97 * down), ahead + np.linspace(0.25, -0.5, 200)[None]
    toe = float(leg.lengths[-1] * np.cos(leg.angles[-1]))
    ground = Ground(np.full((1, 200), 0.97 * down + toe), np.zeros((1, 200)), 0.0)
    angles = leg_angles(leg, row, STEPS, path, ground, horse.standing.height, 0.0, np.ones((1, 200)))
    found_down, found_ahead = held_joint(leg, angles)
    np.testing.assert_allclose(found_down[:, :120], path[0][:, :120], atol=1e-6)
    np.testing.assert_allclose(found_ahead[:, :120], path[1][:, :120], atol=1e-6)
    assert found_down[0, 150:170].max() < 0.96 * down, "the held joint is lifted in mid-swing"
    closed = np.concatenate([angles, angles[:, :1]], axis=1)
    assert np.abs(np.diff(closed, axis=1)).max() < np.radians(6), "no joint jumps from one grid point to the next"


def test_a_foot_rolls_over_its_toe_at_the_end_of_stance() -> None:
    row = animal("horse").row("walk").fore
    roll = np.degrees(stance_roll(row, STEPS))
    assert not roll[STEPS.stance_share < row.roll_start].any()
    assert roll[120] == pytest.approx(row.roll_pitch)
    assert np.all(np.diff(roll[:120]) >= 0)
    hoof = rolling_hoof_angle(row, STEPS)
    np.testing.assert_allclose(hoof[0, :120], -np.radians(roll[:120]))
    assert abs(hoof[0, -1]) < np.radians(1), "flat again at the next touchdown"


def test_the_ground_below_a_tilted_leg() -> None:
    ground = Ground(np.array([1.0]), np.array([0.3]), 0.1)
    assert ground.height(np.array([0.8])) == pytest.approx(1 - 0.8 * np.cos(0.3) + 0.1 * np.sin(0.3))

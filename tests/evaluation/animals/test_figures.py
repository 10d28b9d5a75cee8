"""Figures of a stride: known harmonics are found again, and faults that were made are seen."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from canter.animals.animal import Animal, horse
from canter.evaluation.animals.figures import (
    Sample,
    clearance,
    depth,
    fall,
    harmonics,
    joint_angles,
    loop_gap,
    pops,
    sample,
    slip,
    stride_differences,
    touchdowns,
    trunk_point,
)


@pytest.fixture(scope="module")
def animal() -> Animal:
    return horse()


def changed(s: Sample, frame: int, joint: int, by: tuple[float, float, float]) -> Sample:
    """The sample with one joint of one frame moved."""
    positions = s.motion.positions.copy()
    positions[frame, joint] += np.array(by)
    return Sample(s.animal, s.row, replace(s.motion, positions=positions))


def test_harmonics_are_found_again() -> None:
    phase = np.arange(90) / 90
    height = 1.2 + 0.03 * np.cos(2 * np.pi * (phase - 0.7)) + 0.01 * np.cos(4 * np.pi * (phase - 0.35))
    first, second = harmonics(height, start=0.1)
    assert (first.size, first.at) == pytest.approx((0.03, 0.6))
    assert (second.size, second.at) == pytest.approx((0.01, 0.25))


def test_touchdowns_of_uneven_gaits_go_by_lead(animal: Animal) -> None:
    found = touchdowns(animal.row("canter"), by_lead=True)
    assert list(found) == ["leading hind", "trailing fore", "leading fore"]
    assert 0 < found["leading hind"] <= found["trailing fore"] < found["leading fore"] < 1
    assert list(touchdowns(animal.row("trot"), by_lead=False)) == ["LF", "RF", "RH"]


def test_figures_see_a_foot_that_slips_and_sinks(animal: Animal) -> None:
    s = sample(animal, "walk")
    hoof = animal.anatomy.legs[3].foot
    middle = int((s.row.touchdowns[3] + 0.3) % 1.0 * len(s.places))
    assert slip(changed(s, middle, hoof, (0.02, -0.03, 0.0))).value > slip(s).value + 1
    sunk = depth(changed(s, middle, hoof, (0.0, -0.03, 0.0)))
    assert sunk.value > 2
    assert animal.skeleton.names[hoof] in sunk.where


def test_loops_close_and_figures_see_when_not(animal: Animal) -> None:
    s = sample(animal, "trot")
    assert loop_gap(s) < 1e-9
    assert loop_gap(changed(s, -1, 3, (0.0, 0.01, 0.0))) > 0.005


def test_figures_see_a_pop(animal: Animal) -> None:
    s = sample(animal, "trot")
    rotations = s.motion.rotations.copy()
    rotations[10, 5] = np.array([0.7071068, 0.7071068, 0.0, 0.0])
    assert pops(Sample(s.animal, s.row, replace(s.motion, rotations=rotations))).value > pops(s).value + 1


def test_the_trunk_rises_as_the_row_says(animal: Animal) -> None:
    s = sample(animal, "trot")
    first, second = harmonics(trunk_point(animal.anatomy, s.places, "hips")[:, 1], 0.0)
    terms = {n: amplitude for amplitude, n, _ in s.row.sacrum}
    assert first.size == pytest.approx(terms[1] * animal.standing.height, rel=0.01)
    assert second.size == pytest.approx(terms[2] * animal.standing.height, rel=0.01)


def test_clearance_is_about_the_lift_of_the_row(animal: Animal) -> None:
    s = sample(animal, "trot")
    highest = max(value for _, value in s.row.fore.lift)
    assert clearance(s, 0) == pytest.approx(highest, rel=0.35)


def test_joints_of_a_standing_leg_have_their_angles(animal: Animal) -> None:
    s = sample(animal, "walk")
    angles = joint_angles(s, 0)
    assert {"shoulder", "elbow", "carpus", "fetlock", "fore limb"} <= set(angles)
    assert angles["carpus"].max() < 190
    assert 90 < angles["elbow"].min() < angles["elbow"].max() < 180


def test_a_gait_in_suspension_falls_with_gravity(animal: Animal) -> None:
    s = sample(animal, "trot")
    assert s.flight.any()
    assert fall(s) == pytest.approx(-9.81, rel=0.2)


def test_strides_of_a_seeded_sequence_differ(animal: Animal) -> None:
    assert stride_differences(animal, "walk", 4, seed=1).shape == (3,)
    assert stride_differences(animal, "walk", 4, seed=1).min() > 0.005

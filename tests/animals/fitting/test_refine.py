"""The search for smooth legs: its measures see faults that were made, and it reduces them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from canter.animals.fitting.puppet import make_puppet
from canter.animals.fitting.refine import CALM_RATIO, acceleration_ratios, least_bends, refine, try_row
from canter.animals.fitting.standing_rig import standing_rig
from canter.animals.generator.gait_rows import GaitRow
from canter.animals.generator.gaits import generate
from canter.motion import Motion
from canter.motion import rotations as rot
from canter.motion.arrays import Floats

from ..loaded import animal

STANDING, TROT = animal("horse").standing, animal("horse").row("trot")


def no_errors(row: GaitRow, motion: Motion) -> Floats:
    return np.zeros(4)


def test_a_jerked_segment_is_seen_in_its_leg_alone() -> None:
    motion = generate(STANDING, TROT, 240.0)
    before = acceleration_ratios(STANDING, TROT, motion)
    rotations = motion.rotations.copy()
    joint = STANDING.anatomy.legs[3].joints[2]
    rotations[10, joint] = rot.multiply(rotations[10, joint], rot.exp(np.array([0.3, 0.0, 0.0])))
    after = acceleration_ratios(STANDING, TROT, replace(motion, rotations=rotations))
    assert after[3] > before[3] + 1
    np.testing.assert_allclose(after[:3], before[:3])


def test_a_leg_bent_the_wrong_way_has_a_negative_bend() -> None:
    motion = generate(STANDING, TROT)
    before = least_bends(STANDING, motion)
    assert before.min() > 4
    rotations = motion.rotations.copy()
    elbow = STANDING.anatomy.legs[0].joints[2]
    rotations[5, elbow] = rot.multiply(rot.exp(np.array([np.radians(90), 0.0, 0.0])), rotations[5, elbow])
    assert least_bends(STANDING, replace(motion, rotations=rotations))[0] < 0


def test_foot_errors_are_penalised() -> None:
    puppet = make_puppet(animal("horse"), standing_rig(animal("horse")))
    calm = try_row(puppet, TROT, no_errors)
    off = try_row(puppet, TROT, lambda row, motion: np.array([0.0, 0.0, 0.0, 0.02]))
    assert off.penalty[0] == pytest.approx(calm.penalty[0])
    assert off.penalty[1] > calm.penalty[1] + 10


def test_overstretched_legs_are_calmed_and_calm_ones_left_alone() -> None:
    puppet = make_puppet(animal("horse"), standing_rig(animal("horse")))
    stretched = replace(animal("horse").row("walk"), drop=-0.02)
    assert try_row(puppet, stretched, no_errors).penalty.max() > CALM_RATIO
    assert refine(puppet, stretched, no_errors).penalty.max() <= CALM_RATIO
    assert refine(puppet, TROT, no_errors).row is TROT

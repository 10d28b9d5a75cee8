"""Inverse kinematics of legs in actions: targets are reached exactly, or approached softly."""

from __future__ import annotations

import numpy as np
import pytest

from canter.animals.generator.reach import leg_reach, solve_reach
from canter.motion import rotations as rot

from ..loaded import animal

LEGS = [(name, leg) for name in ("dog", "horse") for leg in range(4)]


@pytest.mark.parametrize(("name", "leg"), LEGS)
def test_a_leg_reaches_whatever_is_within_reach(name: str, leg: int) -> None:
    reach = leg_reach(animal(name).standing, leg)
    bends = np.tile(reach.rest_bends, (50, 1))
    size = reach.lengths[reach.first : reach.held].sum()
    rng = np.random.default_rng(leg)
    aims = rot.exp(rng.uniform(-1, 1, (50, 3)) * [0.8, 0.2, 0.2])
    wanted = rot.rotate(aims, np.array([0.0, -1.0, 0.0])) * size * rng.uniform(0.55, 0.88, (50, 1))
    turns = solve_reach(reach, bends, wanted)
    reached = rot.rotate(turns, reach.bones[reach.first : reach.held]).sum(axis=1)
    assert np.abs(reached - wanted).max() < 1e-6


@pytest.mark.parametrize(("name", "leg"), LEGS)
def test_a_standing_leg_is_not_turned(name: str, leg: int) -> None:
    reach = leg_reach(animal(name).standing, leg)
    bones = reach.bones[reach.first : reach.held]
    np.testing.assert_allclose(reach.along(reach.angles[None, reach.first : reach.held])[0], bones.sum(axis=0))
    turns = solve_reach(reach, reach.rest_bends[None], bones.sum(axis=0)[None])
    assert np.degrees(rot.angle(turns)).max() < 2, "only the soft end of the reach may bend a standing leg"


@pytest.mark.parametrize(("name", "leg"), LEGS)
def test_a_target_too_far_away_is_pointed_at(name: str, leg: int) -> None:
    reach = leg_reach(animal(name).standing, leg)
    far = np.array([[0.0, -3.0, 1.0]]) * animal(name).standing.height
    turns = solve_reach(reach, reach.rest_bends[None], far)
    reached = rot.rotate(turns, reach.bones[reach.first : reach.held]).sum(axis=1)
    np.testing.assert_allclose(rot.normalize(reached), rot.normalize(far), atol=1e-9)
    size = float(reach.lengths[reach.first : reach.held].sum())
    assert 0.8 * size < np.linalg.norm(reached) < size + abs(reach.aside)


def test_feet_are_hooves_or_what_is_below_the_hock() -> None:
    horse, dog = animal("horse").standing, animal("dog").standing
    assert leg_reach(horse, 0).bending == ("elbow", "carpus", "fetlock")
    assert leg_reach(dog, 0).bending == ("elbow", "carpus")
    assert leg_reach(dog, 2).bending == ("stifle",)
    assert leg_reach(dog, 0).held == len(leg_reach(dog, 0).bones), "a forepaw has no foot of its own"


def test_a_turned_foot_keeps_its_length() -> None:
    reach = leg_reach(animal("horse").standing, 2)
    foot = reach.foot(np.radians([0.0, 40.0, -70.0]))
    np.testing.assert_allclose(foot[0], reach.bones[reach.held :].sum(axis=0))
    np.testing.assert_allclose(np.linalg.norm(foot, axis=1), np.linalg.norm(foot[0]))
    assert foot[1, 2] > foot[0, 2], "a positive angle turns the toe forward"

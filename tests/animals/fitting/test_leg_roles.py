"""Roles of leg joints: the tables get their own, and odd legs get sensible ones."""

from __future__ import annotations

import numpy as np
import pytest

from canter.animals.dog.skeleton import DOG
from canter.animals.fitting.leg_roles import flexions, leg_roles, lies
from canter.animals.generator.plan import Plan
from canter.animals.horse.skeleton import HORSE
from canter.motion.arrays import Floats


def leg(plan: Plan, fore: bool) -> Floats:
    names = ["Left" + name for name in (plan.fore if fore else plan.hind)]
    return np.array([next(j.place for j in plan.joints if j.name == name) for name in names])


@pytest.mark.parametrize("plan", [DOG, HORSE], ids=["dog", "horse"])
def test_the_tables_get_their_own_roles(plan: Plan) -> None:
    assert leg_roles(leg(plan, True), True) == plan.fore_roles
    assert leg_roles(leg(plan, False), False) == plan.hind_roles


def test_a_leg_without_scapula_begins_at_the_shoulder() -> None:
    assert leg_roles(leg(DOG, True)[1:], True) == DOG.fore_roles[1:]


def test_a_column_of_two_bones_has_an_elbow_and_a_stifle() -> None:
    column = np.array([[0.1, 0.95, 0.0], [0.1, 0.5, -0.01], [0.1, 0.0, 0.0]])
    assert leg_roles(column, True) == ("shoulder", "elbow")
    assert leg_roles(column * [1, 1, -1], False) == ("hip", "stifle")


def test_a_twist_bone_gets_no_role() -> None:
    points = leg(DOG, False)
    twisted = np.insert(points, 1, points[:2].mean(axis=0), axis=0)
    assert leg_roles(twisted, False) == ("hip", "", "stifle", "hock")


def test_a_leg_of_two_joints_is_refused() -> None:
    with pytest.raises(ValueError, match="three joints"):
        leg_roles(np.zeros((2, 3)), True)


def test_a_foot_on_the_ground_lies() -> None:
    toe = np.array([0.1, 0.0, 0.2])
    assert lies(np.array([0.1, 0.05, 0.1]), toe)
    assert not lies(np.array([0.1, 0.3, 0.1]), toe), "too high"
    assert not lies(np.array([0.1, 0.05, 0.19]), toe), "too steep"


def test_flexions_are_forward_positive_and_wrapped() -> None:
    points = np.array([[0, 2.0, 0], [0, 1.0, 0], [0, 1.0, 1.0], [0, 1.0, 0.5]])
    np.testing.assert_allclose(flexions(points), [0, 90, -180, 0])

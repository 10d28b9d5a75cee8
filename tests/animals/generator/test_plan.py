"""Tables of joints: mirrored sides, scaled skeletons, and the standing pose of a plan."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from canter.anatomy import LEGS
from canter.animals.dog.skeleton import DOG
from canter.animals.generator.plan import Joint, Plan, both_sides, build_skeleton, freedoms, stand
from canter.animals.horse.skeleton import HORSE
from canter.animals.turtle.skeleton import TURTLE
from canter.motion.kinematics import forward

ROWS = (
    Joint("Root", "", (0.0, 1.0, 0.0), 6),
    Joint("LeftHip", "Root", (0.2, 0.9, 0.1), 3),
    Joint("LeftToe", "LeftHip", (0.2, 0.0, 0.3)),
)


def test_rows_of_the_left_are_mirrored() -> None:
    rows = both_sides(ROWS)
    assert [row.name for row in rows] == ["Root", "LeftHip", "LeftToe", "RightHip", "RightToe"]
    assert rows[3] == Joint("RightHip", "Root", (-0.2, 0.9, 0.1), 3)
    assert rows[4].parent == "RightHip"


def test_degrees_of_freedom_count_both_sides() -> None:
    assert freedoms(ROWS) == 6 + 3 + 3


def test_a_skeleton_stands_at_its_places() -> None:
    skeleton = build_skeleton(ROWS, 0.5)
    places, _ = forward(skeleton, skeleton.offsets, skeleton.rotations)
    np.testing.assert_allclose(places, 0.5 * np.array([row.place for row in both_sides(ROWS)]))
    assert skeleton.end_sites.tolist() == [False, False, True, False, True]
    assert skeleton.parents.tolist() == [-1, 0, 1, 0, 3]


@pytest.mark.parametrize("plan", [HORSE, DOG, TURTLE], ids=lambda plan: plan.name)
def test_a_plan_stands_on_four_symmetric_legs(plan: Plan) -> None:
    standing = stand(plan)
    anatomy = standing.anatomy
    assert tuple(leg.name for leg in anatomy.legs) == LEGS
    np.testing.assert_allclose(standing.places[anatomy.feet, 1], 0, atol=1e-12)
    np.testing.assert_array_equal(anatomy.mirror[anatomy.mirror], np.arange(len(standing.skeleton)))
    np.testing.assert_allclose(standing.places[anatomy.mirror] * [-1, 1, 1], standing.places, atol=1e-12)
    for leg, roles in zip(anatomy.legs, standing.roles, strict=True):
        assert len(leg.joints) == len(roles) + 1, "every joint but the toe has a role"
    assert standing.height == plan.hip_height


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"spine": ("Root",)}, "spine of the horse needs two joints"),
        ({"fore_roles": HORSE.fore_roles[:-1]}, "fore leg of the horse has 7 joints and 5 roles"),
        ({"hind_roles": ("hip", "knee", "hock", "fetlock", "hoof")}, "hind leg of the horse: no joint bends as knee"),
        ({"sprawls": True}, "fore leg of the horse sprawls and has 7 joints"),
        ({"joints": (*HORSE.joints, Joint("Horn", "Nose", (0, 1, 1)))}, "no joints of the table: Nose"),
    ],
)
def test_a_plan_that_cannot_be_moved_is_refused_with_the_remedy(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        stand(replace(HORSE, **change))

"""Sprawling legs: two-bone inverse kinematics and the path of a step."""

from __future__ import annotations

import numpy as np
import pytest

from canter.animals.generator.sprawl import hold_sprawling_leg, step_path, two_bone_joint
from canter.animals.generator.standing import propagate
from canter.animals.generator.step_timing import StepTiming
from canter.motion import rotations as rot

from ..loaded import animal


def test_two_bones_reach_and_bend_to_their_side() -> None:
    rng = np.random.default_rng(1)
    aim = rot.normalize(rng.normal(size=(50, 3))) * rng.uniform(0.4, 1.5, (50, 1))
    pole = rng.normal(size=(50, 3))
    knee = two_bone_joint(aim, pole, 0.9, 0.7)
    assert np.allclose(np.linalg.norm(knee, axis=-1), 0.9)
    assert np.allclose(np.linalg.norm(aim - knee, axis=-1), 0.7)
    assert np.all(np.sum(knee * np.cross(aim, np.cross(pole, aim)), axis=-1) > 0)


def test_what_is_out_of_reach_is_pointed_at() -> None:
    aim = np.array([[0.0, -3.0, 0.0]])
    knee = two_bone_joint(aim, np.array([[1.0, 0.0, 0.0]]), 0.6, 0.6)
    assert knee[0] @ rot.normalize(aim[0]) > 0.99 * 0.6


def test_a_step_keeps_its_stance_and_is_lifted_as_the_row_says() -> None:
    row, steps = animal("turtle").row("slow walk").fore, StepTiming(200, 1, 0, 160)
    toe = np.zeros((1, 200, 3))
    toe[0, :, 2] = np.linspace(0.1, -0.1, 200)
    pitch = np.zeros(200)
    path, foot = step_path(toe, pitch, row, steps, np.full((1, 200), 0.2))
    np.testing.assert_array_equal(path[:, :160], toe[:, :160])
    np.testing.assert_array_equal(foot[:, :160], 0)
    highest = max(value for _, value in row.lift)
    assert path[..., 1].max() == pytest.approx(0.2 * highest, rel=0.05)
    assert path[..., 1].min() >= 0
    assert path[0, -1, 2] == pytest.approx(0.1, abs=0.01), "back at the next foothold"


def test_a_planted_leg_keeps_its_toe_while_the_shell_moves() -> None:
    turtle = animal("turtle").standing
    turns = np.tile(rot.IDENTITY, (5, len(turtle.skeleton), 1))
    root = turtle.places[0] + np.linspace(0, 0.01, 5)[:, None] * [1.0, -1.0, 1.0]
    places = propagate(turtle, turns, root)
    for leg in range(4):
        hold_sprawling_leg(turtle, leg, turns, places)
        toe = turtle.anatomy.legs[leg].foot
        np.testing.assert_allclose(places[:, toe], np.tile(turtle.places[toe], (5, 1)), atol=1e-9)
        np.testing.assert_allclose(rot.angle(turns[0, list(turtle.anatomy.legs[leg].joints)]), 0, atol=1e-6)

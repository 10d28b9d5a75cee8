"""Forward kinematics relative to the standing pose."""

from __future__ import annotations

import numpy as np
import pytest

from canter.animals.generator.standing import propagate, propagate_below, turn_about
from canter.motion import rotations as rot

from ..loaded import animal

STANDING = animal("dog").standing


def still(frames: int = 2) -> np.ndarray:
    return np.tile(rot.IDENTITY, (frames, len(STANDING.skeleton), 1))


@pytest.mark.parametrize("axis", range(3))
def test_turns_about_axes_form_a_group(axis: int) -> None:
    a, b = np.array([0.3, -1.0]), np.array([0.5, 2.0])
    np.testing.assert_allclose(rot.multiply(turn_about(axis, a), turn_about(axis, b)), turn_about(axis, a + b))
    undone = rot.multiply(turn_about(axis, a), turn_about(axis, -a))
    np.testing.assert_allclose(undone, np.tile(rot.IDENTITY, (2, 1)), atol=1e-15)
    np.testing.assert_allclose(turn_about(axis, a), rot.about(np.eye(3)[axis], a))


def test_no_turn_is_the_standing_pose() -> None:
    root = np.tile(STANDING.places[STANDING.anatomy.spine[0]], (2, 1))
    np.testing.assert_allclose(propagate(STANDING, still(), root), np.tile(STANDING.places, (2, 1, 1)), atol=1e-12)


def test_a_turn_of_the_whole_spine_turns_everything_rigidly() -> None:
    turns, turn = still(), turn_about(1, np.array(0.7))
    turns[:, list(STANDING.anatomy.spine)] = turn
    root = np.tile(STANDING.places[STANDING.anatomy.spine[0]], (2, 1))
    places = propagate(STANDING, turns, root)
    expected = root[0] + rot.rotate(turn, STANDING.places - root[0])
    np.testing.assert_allclose(places[0], expected, atol=1e-12)
    np.testing.assert_allclose(turns, np.tile(turn, (2, len(STANDING.skeleton), 1)), atol=1e-12)


def test_a_changed_joint_moves_only_what_is_below_it() -> None:
    turns, joint = still(), STANDING.skeleton.index("LeftLeg")
    root = np.tile(STANDING.places[STANDING.anatomy.spine[0]], (2, 1))
    places = propagate(STANDING, turns, root)
    before = places.copy()
    turns[:, joint] = turn_about(0, np.array(0.4))
    propagate_below(STANDING, turns, places, [joint])
    below = set(STANDING.skeleton.subtree(joint)) - {joint}
    moved = np.flatnonzero(np.abs(places - before).max(axis=(0, 2)) > 1e-9)
    assert set(moved.tolist()) == below
    np.testing.assert_allclose(turns[:, sorted(below)], np.tile(turns[:, [joint]], (1, len(below), 1)))


def test_a_planar_leg_adds_up_to_its_toe() -> None:
    for name in ("horse", "dog"):
        standing = animal(name).standing
        for k, leg in enumerate(standing.anatomy.legs):
            planar = standing.planar(k)
            way = standing.places[leg.joints[-1]] - standing.places[leg.joints[0]]
            assert np.sum(planar.lengths * np.cos(planar.angles)) == pytest.approx(-way[1])
            assert np.sum(planar.lengths * np.sin(planar.angles)) == pytest.approx(way[2])


def test_the_centre_of_mass_goes_with_the_body() -> None:
    places = np.stack([STANDING.places, STANDING.places + np.array([1.0, 2.0, 3.0])])
    first, second = STANDING.centre_of_mass(places)
    np.testing.assert_allclose(second - first, [1, 2, 3])
    assert first[0] == pytest.approx(0, abs=1e-9)
    assert 0.7 < first[1] / STANDING.height < 1.2

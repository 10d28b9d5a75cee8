"""From a row to strides: travel along arcs, exact loops, and frame rates."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from canter.animals.generator.gaits import generate, plant_leg, sample_frames, travel
from canter.animals.generator.standing import propagate
from canter.motion import rotations as rot

from ..loaded import animal

HORSE = animal("horse")
WALK = HORSE.row("walk")


def test_straight_travel_is_velocity_times_time() -> None:
    row = replace(WALK, speed=2.0, sideways=0.5, turn=0.0)
    np.testing.assert_allclose(travel(row, np.array([0.0, 1.0, 3.0])), [[0, 0, 0], [0.5, 0, 2], [1.5, 0, 6]])


def test_turning_travel_is_a_circle() -> None:
    row = replace(WALK, speed=2.0, sideways=0.0, turn=90.0)
    np.testing.assert_allclose(travel(row, np.array([4.0])), [[0, 0, 0]], atol=1e-12)
    radius = 2.0 / np.radians(90)
    np.testing.assert_allclose(travel(row, np.array([1.0])), [[radius, 0, radius]])


@pytest.mark.parametrize("strides", [1, 3])
def test_a_motion_is_an_exact_loop_that_has_travelled(strides: int) -> None:
    motion = generate(HORSE.standing, WALK, 60.0, strides, seed=2 if strides > 1 else None)
    seconds = strides / WALK.frequency
    assert motion.seconds == pytest.approx(seconds)
    way = motion.position_world[-1] - motion.position_world[0]
    np.testing.assert_allclose(way, np.tile([0, 0, WALK.speed * seconds], (len(way), 1)), atol=1e-9)
    assert rot.difference(motion.rotations[0], motion.rotations[-1]).max() < 1e-7


def test_strides_without_a_seed_are_identical() -> None:
    row = replace(WALK, frequency=1.0)
    one, three = (generate(HORSE.standing, row, 60.0, strides) for strides in (1, 3))
    assert (len(one), len(three)) == (61, 181)
    for first in (0, 60, 120):
        np.testing.assert_allclose(three.rotations[first : first + 61], one.rotations, atol=1e-9)


def test_frames_of_the_standing_pose_are_the_standing_pose() -> None:
    standing = HORSE.standing
    turns = np.tile(rot.IDENTITY, (16, len(standing.skeleton), 1))
    root = np.tile(standing.places[standing.anatomy.spine[0]], (16, 1))
    motion = sample_frames(standing, "still", turns, root, 1.03, 30.0)
    assert len(motion) == 32
    assert motion.frame_rate == pytest.approx(31 / 1.03)
    np.testing.assert_allclose(motion.position_world, np.tile(standing.places, (32, 1, 1)), atol=1e-9)


def test_a_planted_leg_keeps_its_toe_while_the_body_moves() -> None:
    standing = HORSE.standing
    turns = np.tile(rot.IDENTITY, (4, len(standing.skeleton), 1))
    root = standing.places[standing.anatomy.spine[0]] + np.linspace(0, 0.04, 4)[:, None] * [0.5, -1.0, 0.7]
    places = propagate(standing, turns, root - [0.0, 0.02, 0.0])
    for leg in range(4):
        plant_leg(standing, leg, 0.2, turns, places)
        toe = standing.anatomy.legs[leg].joints[-1]
        np.testing.assert_allclose(places[:, toe], np.tile(standing.places[toe], (4, 1)), atol=1e-6)

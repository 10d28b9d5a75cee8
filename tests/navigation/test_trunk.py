"""The trunk from above: taken from the joints of the legs, and how deep it is inside walls."""

from __future__ import annotations

import math

import numpy as np
import pytest

import canter
from canter.control.world import Wall
from canter.motion import forward
from canter.navigation.trunk import Outline, trunk, wall_depths

from .carts import Cart, dog

HIPS = (("LH", "RH"), ("LF", "RF"))


def test_a_trunk_reaches_from_hips_to_shoulders() -> None:
    skeleton, anatomy = dog().skeleton, dog().anatomy
    world = forward(skeleton, skeleton.offsets, skeleton.rotations)[0]
    line, half_width = trunk(anatomy, world)
    for end, names in zip(line, HIPS, strict=True):
        joints = world[[anatomy.leg(name).hip for name in names]]
        np.testing.assert_allclose(end, joints.mean(axis=0)[[0, 2]])
        assert half_width >= np.linalg.norm(joints[0] - joints[1]) / 2 - 1e-9
    assert line[1, 1] > line[0, 1], "shoulders are ahead"


@pytest.mark.parametrize(("animal", "body_length"), [("dog", 0.95), ("horse", 2.16), ("turtle", 0.57)])
def test_the_outline_of_an_animal(animal: str, body_length: float) -> None:
    outline = Outline.of(canter.load(animal))
    assert outline.body_length == pytest.approx(body_length, abs=0.02)
    assert 0.4 < outline.length / outline.body_length < 0.6
    assert outline.turning_radius == pytest.approx(outline.length / 2 + outline.half_width)
    assert outline.nose > outline.length / 2


def test_depths_inside_walls_are_those_of_the_capsule() -> None:
    wall = (Wall((-3, 1), (3, 1), thickness=0.2),)
    lines = np.array([[(0, 0), (0, 0.5)], [(0, 0), (0, 0.85)], [(0, 0), (0, 2)], [(-1, 0.8), (1, 0.8)]], float)
    np.testing.assert_allclose(wall_depths(wall, lines, np.full(4, 0.1)), [0, 0.05, 0.2, 0.0], atol=1e-12)
    assert wall_depths((), lines, np.full(4, 0.1)).max() == 0


def test_the_trunk_of_a_pose_turns_with_it() -> None:
    cart = Cart()
    state = cart.reset()
    cart.place, cart.yaw = np.array([2.0, 3.0]), math.pi / 2
    turned = cart._state()
    for one, place, ahead in ((state, (0, 0), (0, 1)), (turned, (2, 3), (1, 0))):
        world = forward(one.pose.skeleton, one.pose.positions, one.pose.rotations)[0]
        line, _ = trunk(dog().anatomy, world)
        np.testing.assert_allclose(line.mean(axis=0), place, atol=1e-6)
        along = line[1] - line[0]
        np.testing.assert_allclose(along / np.linalg.norm(along), ahead, atol=1e-6)

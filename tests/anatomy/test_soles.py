"""The height of foot joints above the ground, from skin, rest pose or clips."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from canter.anatomy.soles import sole_heights
from canter.motion import Skin, forward, transform_skeleton
from canter.motion import rotations as rot

from .animals import dog


def test_soles_by_the_rest_pose() -> None:
    assert np.abs(sole_heights(dog())).max() < 0.03


def test_soles_by_the_clips_where_the_rest_pose_does_not_stand() -> None:
    character = dog()
    sunk = replace(character, skeleton=transform_skeleton(character.skeleton, translation=[0.0, -1.0, 0.0]))
    height = character.clips[0].motion.position_world[:, character.anatomy.feet, 1]
    down = character.clips[0].footfalls.contacts
    usual = [np.median(height[down[:, k], k]) for k in range(4)]
    one = replace(sunk, clips=character.clips[:1])
    np.testing.assert_allclose(sole_heights(one), np.maximum(usual, 0.0), atol=1e-6)


def test_soles_by_the_skin() -> None:
    """One vertex for each foot, five centimetres below its joint in the rest pose."""
    character, feet = dog(), dog().anatomy.feet
    place, turn = forward(character.skeleton, character.skeleton.offsets, character.skeleton.rotations)
    bind = np.tile(np.eye(4), (len(place), 1, 1))
    bind[:, :3, :3] = rot.to_matrix(rot.conjugate(turn))
    bind[:, :3, 3] = -rot.rotate(rot.conjugate(turn), place)
    joints, weights = np.tile(np.array(feet)[:, None], (1, 4)), np.tile([1.0, 0, 0, 0], (4, 1))
    skin = Skin(place[feet] - [0.0, 0.05, 0.0], np.array([[0, 1, 2]]), joints, weights, bind)
    bare, shod = sole_heights(character), sole_heights(replace(character, skins=(skin,)))
    assert np.all(bare < 0.03)
    np.testing.assert_allclose(shod, 0.05, atol=0.015)

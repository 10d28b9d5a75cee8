"""How an animal stands: its rest pose, the height of its foot joints above the ground, and the standing pose."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from canter.anatomy import Character, understand
from canter.anatomy.ground import ground_track
from canter.anatomy.standing import (
    SOLE_PERCENTILE,
    shown_standing,
    sole_heights,
    standing_pose,
    stands_in_shape,
    stands_of,
)
from canter.motion import Skin, concatenate, forward, transform, transform_skeleton
from canter.motion import rotations as rot
from canter.motion.arrays import Floats
from canter.synthetic import synthetic_rig

from .animals import dog


def raised(metres: float) -> Character:
    """The dog with a rest pose above or below its ground."""
    return replace(dog(), skeleton=transform_skeleton(dog().skeleton, translation=[0.0, metres, 0.0]))


def lying() -> Character:
    """The dog with a rest pose whose legs are stretched to the front and to the back."""
    character = dog()
    skeleton = replace(character.skeleton, rotations=character.skeleton.rotations.copy())
    for leg in character.anatomy.legs:
        skeleton.rotations[leg.hip] = [np.sqrt(0.5), np.sqrt(0.5), 0, 0]
    return replace(character, skeleton=skeleton)


def places(character: Character) -> Floats:
    pose = standing_pose(character).pose
    return forward(character.skeleton, pose.positions, pose.rotations)[0]


# The rest pose -----------------------------------------------------------------------------------


def test_shape_and_place_of_a_rest_pose_are_two_things() -> None:
    assert stands_in_shape(dog())
    for metres in (-1.0, 0.1, 2.0):
        assert stands_in_shape(raised(metres))
    assert not stands_in_shape(lying())


# Soles -------------------------------------------------------------------------------------------


def test_soles_by_the_rest_pose() -> None:
    assert np.abs(sole_heights(dog())).max() < 0.03


def test_soles_by_the_clips_where_the_rest_pose_is_not_on_the_ground() -> None:
    character = dog()
    height = character.clips[0].motion.position_world[:, character.anatomy.feet, 1]
    down = character.clips[0].footfalls.contacts
    usual = [np.percentile(height[down[:, k], k], SOLE_PERCENTILE) for k in range(4)]
    for metres in (-1.0, 0.1):
        one = replace(raised(metres), clips=character.clips[:1])
        np.testing.assert_allclose(sole_heights(one), np.maximum(usual, 0.0), atol=1e-6)


def test_a_dog_that_lies_for_long_has_the_same_soles() -> None:
    walk = dog().clips[0]
    lies = transform(walk.motion, translation=[0.0, -0.6 * dog().anatomy.hip_height, 0.0])
    motion = concatenate([walk.motion, lies, lies, lies])
    contacts = np.concatenate(4 * [walk.footfalls.contacts])
    long = replace(walk, motion=motion, footfalls=replace(walk.footfalls, contacts=contacts))
    one = replace(raised(-1.0), clips=(walk,))
    np.testing.assert_allclose(sole_heights(replace(one, clips=(long,))), sole_heights(one), atol=1e-6)


@pytest.mark.parametrize("seed", [12, 15])
def test_rigs_that_end_at_the_ankle_have_high_soles(seed: int) -> None:
    character = understand(synthetic_rig(seed).asset)
    rest = forward(character.skeleton, character.skeleton.offsets, character.skeleton.rotations)[0]
    soles = rest[character.anatomy.feet, 1]
    assert soles.min() > 0.1 * character.anatomy.hip_height
    np.testing.assert_allclose(sole_heights(character), soles, atol=0.005 * character.anatomy.hip_height)


def test_soles_by_the_skin() -> None:
    """One vertex for each foot, five centimetres below its joint in the rest pose; with clips and without."""
    character, feet = dog(), dog().anatomy.feet
    place, turn = forward(character.skeleton, character.skeleton.offsets, character.skeleton.rotations)
    bind = np.tile(np.eye(4), (len(place), 1, 1))
    bind[:, :3, :3] = rot.to_matrix(rot.conjugate(turn))
    bind[:, :3, 3] = -rot.rotate(rot.conjugate(turn), place)
    joints, weights = np.tile(np.array(feet)[:, None], (1, 4)), np.tile([1.0, 0, 0, 0], (4, 1))
    skin = Skin(place[feet] - [0.0, 0.05, 0.0], np.array([[0, 1, 2]]), joints, weights, bind)
    shod = replace(character, skins=(skin,))
    np.testing.assert_allclose(sole_heights(shod), 0.05, atol=0.015)
    np.testing.assert_allclose(sole_heights(replace(shod, clips=())), 0.05, atol=1e-6)


# The standing pose -------------------------------------------------------------------------------


def test_a_rest_pose_that_stands_is_put_on_the_ground() -> None:
    wanted = places(dog())
    np.testing.assert_allclose(wanted[dog().anatomy.feet, 1], sole_heights(dog()), atol=0.01)
    for metres in (-1.0, 2.0):
        assert standing_pose(raised(metres)).clip is None
        np.testing.assert_allclose(places(raised(metres)), wanted, atol=0.01)


def test_an_animal_that_lies_in_its_rest_pose_stands_by_its_clips() -> None:
    character, h = lying(), dog().anatomy.hip_height
    stood = standing_pose(character)
    assert stood.clip is not None
    assert stood.clip.footfalls.gait == "walk"
    feet, hips = places(character)[character.anatomy.feet], places(character)[character.anatomy.hips]
    np.testing.assert_allclose(feet[:, 1], sole_heights(character), atol=0.01 * h)
    np.testing.assert_allclose(feet[[0, 2]] * [-1, 1, 1], feet[[1, 3]], atol=0.02 * h)
    assert hips[2:, 1].mean() == pytest.approx(h, rel=0.05)
    np.testing.assert_allclose(hips.mean(axis=0)[[0, 2]], 0.0, atol=1e-6)
    off = np.linalg.norm(places(character) - places(dog()), axis=-1)
    legs = [joint for leg in character.anatomy.legs for joint in leg.joints]
    assert off[legs].mean() < 0.03 * h


def test_an_animal_that_is_shown_standing_stands_so() -> None:
    """Its feet are turned as in the clip, not as in the rest pose, and on their soles."""
    character = understand(synthetic_rig(109, more_clips=True, backward=False, detached_feet=True).asset)
    stood = shown_standing(character)
    assert standing_pose(character).clip is None
    assert stood.clip is not None
    assert stood.clip.footfalls.gait == "stand"
    feet, h = character.anatomy.feet, character.anatomy.hip_height
    place, turn = forward(character.skeleton, stood.pose.positions, stood.pose.rotations)
    np.testing.assert_allclose(place[feet, 1], sole_heights(character), atol=0.001 * h)
    seen = ground_track(stood.clip.motion, character.anatomy, smooth=False)
    shown = rot.multiply(rot.yaw(-seen.facings[90]), stood.clip.motion.rotation_world[90, feet])
    assert rot.difference(turn[feet], shown).max() < np.radians(5)
    assert shown_standing(replace(character, clips=())).clip is None


def test_loops_come_first_among_stands() -> None:
    stands = [clip for clip in understand(synthetic_rig(47).asset).clips if clip.footfalls.gait == "stand"]
    clips = [
        replace(
            stands[0], motion=replace(stands[0].motion, name=name), footfalls=replace(stands[0].footfalls, loop=loop)
        )
        for name, loop in (("open", False), ("loop", True), ("second", True))
    ]
    found = stands_of((dog().clips[0], *clips))
    assert [clip.name for clip in found] == ["loop", "second", "open"]


def test_without_legs_or_clips_the_rest_pose_is_all_there_is() -> None:
    flat = replace(lying(), clips=())
    assert standing_pose(flat).clip is None
    other = understand(synthetic_rig(1, kind="other").asset)
    assert np.isfinite(standing_pose(other).pose.positions).all()

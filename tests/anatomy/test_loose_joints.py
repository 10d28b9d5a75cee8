"""Joints that go with a leg though they hang elsewhere: found in any rig, and put where the leg carries them."""

from __future__ import annotations

import numpy as np
import pytest

from canter.anatomy import Character, understand
from canter.anatomy.loose_joints import carried, companions, find_loose_joints
from canter.motion import rotations as rot
from canter.motion.kinematics import forward
from canter.synthetic import synthetic_rig

TWICE = 15
"""The seed of a horse that has its fore feet twice: at the ends of its legs, and on the root."""


def twice() -> Character:
    return understand(synthetic_rig(TWICE, detached_feet=True, more_clips=True, backward=False).asset)


def test_a_second_foot_on_the_root_goes_with_its_leg() -> None:
    character = twice()
    found = companions(character)
    names = [character.skeleton.names[joint] for joint in found.joints]
    assert sorted(names) == ["Bip01 L Finger0_", "Bip01 R Finger0"]
    assert {character.anatomy.legs[k].name for k in found.legs} == {"LF", "RF"}
    assert np.abs(found.spots).max() < 0.02 * character.anatomy.hip_height


def test_it_is_found_without_motion_too() -> None:
    character = twice()
    rest = forward(character.skeleton, character.skeleton.offsets[None], character.skeleton.rotations[None])
    still = find_loose_joints(character.skeleton, character.anatomy, *rest)
    assert sorted(still.joints) == sorted(companions(character).joints)


@pytest.mark.parametrize("seed", range(6))
def test_attached_rigs_have_none(seed: int) -> None:
    character = understand(synthetic_rig(seed, plain=True, ears=True, jaw=True, saddle=True).asset)
    assert not len(companions(character))


def test_they_are_put_where_a_moved_leg_carries_them() -> None:
    character = twice()
    found, motion = companions(character), character.clips[0].motion
    rotations = motion.rotations.astype(np.float64)
    hips = list(character.anatomy.hips)
    rotations[:, hips] = rot.multiply(rotations[:, hips], rot.exp(np.array([0.5, 0.0, 0.0])))
    moved = carried(type(motion)(motion.skeleton, motion.frame_rate, motion.positions, rotations), found)
    places, turns = moved.position_world, moved.rotation_world
    assert np.abs(places[:, found.joints] - found.places(places, turns)).max() < 1e-6
    others = np.setdiff1d(np.arange(len(motion.skeleton)), found.joints)
    assert np.array_equal(moved.positions[:, others], motion.positions[:, others])

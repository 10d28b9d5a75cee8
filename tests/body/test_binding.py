"""The pose in which a skin is bound."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from canter.body import bind_pose
from canter.body.binding import stands
from canter.motion import forward
from canter.synthetic import example_character


def test_a_rest_pose_that_does_not_stand_is_not_bound() -> None:
    character = example_character()
    assert stands(character)
    skeleton = replace(character.skeleton, rotations=character.skeleton.rotations.copy())
    for leg in character.anatomy.legs:
        skeleton.rotations[leg.hip] = [np.sqrt(0.5), np.sqrt(0.5), 0, 0]
    lying = replace(character, skeleton=skeleton)
    assert not stands(lying)
    pose = bind_pose(lying)
    place, _ = forward(skeleton, pose.positions, pose.rotations)
    hips, feet = place[character.anatomy.hips], place[character.anatomy.feet]
    assert (hips - feet)[:, 1].min() > 0.6 * character.anatomy.hip_height
    assert abs(hips.mean(axis=0)[0]) < 0.01
    ahead = hips[:2].mean(axis=0) - hips[2:].mean(axis=0)
    assert ahead[2] > 10 * abs(ahead[0])

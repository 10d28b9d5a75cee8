"""What is cleaned away before anything is decided: bind poses, idle frames, place and yaw."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from canter.anatomy.rig_motion import MAX_FRAMES, active, bind_pose_dropped, body_frame, body_size, rig_motion
from canter.motion import concatenate
from canter.motion import rotations as rot
from canter.synthetic import synthetic_rig

from .animals import example, moved, on_the_spot, with_clips


def test_size_goes_with_the_unit_and_not_with_the_place() -> None:
    walk = example().clips[0].position_world
    assert body_size(100 * walk + 7) == pytest.approx(100 * body_size(walk))


def test_a_bind_pose_at_the_head_is_dropped_and_nothing_else() -> None:
    bound = synthetic_rig(3, plain=True, bind_first=True, clip="straight").asset.clips[0]
    assert len(bind_pose_dropped(bound)) == len(bound) - 1
    assert len(bind_pose_dropped(bound[1:])) == len(bound) - 1
    assert len(bind_pose_dropped(bound[:3])) == 3


def test_frames_that_rest_are_not_active() -> None:
    walk = example().clips[0].position_world
    take = np.concatenate([np.repeat(walk[:1], 200, axis=0), walk])
    found = active(take, 60.0)
    assert found[:180].sum() == 0
    assert found[210:].mean() > 0.9


@pytest.mark.parametrize("frames", [1, 2, 3, 7])
def test_a_very_short_clip_is_active_throughout(frames: int) -> None:
    assert active(example().clips[0].position_world[:frames], 60.0).tolist() == [True] * frames


def test_the_sample_is_bounded_and_of_moving_frames() -> None:
    walk = example().clips[0]
    still = walk[:1]
    take = concatenate([*[still] * 900, *[walk] * 4])
    rig = rig_motion(with_clips(example(), take))
    assert len(rig.frames) <= MAX_FRAMES + 1
    assert np.ptp(rig.frames[:, :, 2], axis=0).min() > 0.5


def test_a_walk_on_the_spot_is_looked_at_beside_something_wilder() -> None:
    """An idle take is not: there nothing is fast."""
    walk = on_the_spot(example().clip("walk"), 0.72)
    spin = rot.about(np.array([0.0, 0.0, 1.0]), np.linspace(0, 60, len(walk)))
    rolling = replace(walk, rotations=walk.rotations.copy())
    rolling.rotations[:, 0] = rot.multiply(spin, rolling.rotations[:, 0])
    rig = rig_motion(with_clips(example(), walk, rolling, concatenate([walk[:1]] * 60)))
    assert set(rig.take.tolist()) == {0, 1}


def test_without_clips_the_rest_pose_is_used() -> None:
    rig = rig_motion(with_clips(example()))
    assert rig.frames.shape == (1, len(example().skeleton), 3)
    assert rig.size > 0.1


def test_carried_joints_and_bone_lengths() -> None:
    rig = rig_motion(example())
    assert rig.carried[0] == np.count_nonzero(rig.body)
    joint = rig.skeleton.index("LeftForeElbow")
    assert rig.carried[joint] == len(rig.skeleton.subtree(joint))
    np.testing.assert_allclose(rig.bone_lengths[joint], np.linalg.norm(rig.skeleton.offsets[joint]))


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_the_body_frame_takes_out_place_and_yaw(axis: int) -> None:
    pose = example().clips[0].position_world[:1]
    up = np.eye(3)[axis]
    angles = np.linspace(-3, 3, 40)
    turned = rot.rotate(rot.about(up, angles)[:, None], pose) + np.random.default_rng(0).normal(size=(40, 1, 3))
    body, found = body_frame(turned, axis, np.ones(pose.shape[1], bool))
    np.testing.assert_allclose(body[..., :2] - body[:1, :, :2], 0, atol=1e-9)
    np.testing.assert_allclose(np.unwrap(found) - found[0], angles - angles[0], atol=1e-9)


def test_an_asset_in_centimetres_gives_the_same_but_for_size() -> None:
    one, hundred = rig_motion(example()), rig_motion(moved(example(), scale=100.0))
    assert hundred.size == pytest.approx(100 * one.size)
    np.testing.assert_array_equal(one.body, hundred.body)

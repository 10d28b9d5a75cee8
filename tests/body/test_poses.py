"""Trial poses: bends about world axes, and the frames of clips that differ most."""

from __future__ import annotations

import numpy as np

from canter.body import Bend, trial_poses
from canter.body.poses import bent, most_different_poses
from canter.motion import Motion, Pose, Skeleton, forward

ARM = Skeleton.make(["Root", "LeftArm", "LeftHand"], [-1, 0, 1], np.array([[0.0, 1, 0], [0.3, 0, 0], [0.3, -0.5, 0]]))
TUBE = Skeleton.make(["Root", "Middle", "End"], [-1, 0, 1], np.array([[0.0, 1, -1], [0.0, 0, 1], [0.0, 0, 1]]))


def test_bending_turns_a_joint_about_the_axes_of_the_world() -> None:
    pose = bent(ARM.rest, {1: np.array([0.0, 0.0, np.pi / 2])})
    place, _ = forward(ARM, pose.positions, pose.rotations)
    np.testing.assert_allclose(place[2], place[1] + [0.5, 0.3, 0], atol=1e-9)
    assert len(trial_poses(ARM, [Bend("LeftArm", -10, 20)])) == 42
    assert trial_poses(ARM, []) == []


def test_frames_that_differ_most_are_chosen_first() -> None:
    rest = TUBE.rest
    turns = [0.0, 1, 2, 3, 60, 3, 2, 1, -45]
    poses = [bent(rest, {1: np.radians([angle, 0, 0])}) for angle in turns]
    motion = Motion(TUBE, 30.0, np.array([p.positions for p in poses]), np.array([p.rotations for p in poses]))
    chosen = most_different_poses([motion], rest, 2)
    assert [_frame(motion, pose) for pose in chosen] == [4, 8]
    assert len(most_different_poses([motion], rest, 50)) == 5
    assert most_different_poses([], rest, 5) == []


def _frame(motion: Motion, pose: Pose) -> int:
    return int(np.argmin(np.abs(motion.rotations - pose.rotations).sum(axis=(1, 2))))

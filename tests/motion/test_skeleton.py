"""The nouns refuse what does not fit, and answer about trees and time."""

from __future__ import annotations

import numpy as np
import pytest

from canter.motion import Asset, Motion, Skeleton

from .rigs import random_motion, random_skeleton


def branched() -> Skeleton:
    return Skeleton.make(["a", "b", "c", "d", "e"], [-1, 0, 1, 0, -1], np.zeros((5, 3)))


def test_tree_questions() -> None:
    skeleton = branched()
    assert len(skeleton) == 5
    assert skeleton.children == ((1, 3), (2,), (), (), ())
    assert skeleton.chain(2) == [0, 1, 2]
    assert skeleton.subtree(0) == [0, 1, 2, 3]
    assert skeleton.index("d") == 3
    assert [(list(j), list(p)) for j, p in skeleton.levels] == [([1, 3], [0, 0]), ([2], [1])]


def test_an_unknown_joint_is_named_with_the_known_ones() -> None:
    with pytest.raises(KeyError, match=r"'tail'.*a, b, c, d, e"):
        branched().index("tail")


@pytest.mark.parametrize("parents", [[0, -1], [-1, 1], [-1, -2], [1, -1]])
def test_children_before_parents_are_refused(parents: list[int]) -> None:
    with pytest.raises(ValueError, match="parents before children"):
        Skeleton.make(["a", "b"], parents, np.zeros((2, 3)))


def test_wrong_shapes_are_refused() -> None:
    with pytest.raises(ValueError, match="offsets"):
        Skeleton.make(["a", "b"], [-1, 0], np.zeros((3, 3)))
    with pytest.raises(ValueError, match="rotations"):
        Skeleton.make(["a", "b"], [-1, 0], np.zeros((2, 3)), np.zeros((2, 3)))
    skeleton = random_skeleton(0)
    with pytest.raises(ValueError, match="4 frames and 8 joints"):
        Motion(skeleton, 30, np.zeros((4, 8, 3)), np.zeros((4, 7, 4)))
    with pytest.raises(ValueError, match="frame rate"):
        Motion(skeleton, 0, np.zeros((4, 8, 3)), np.zeros((4, 8, 4)))


def test_a_motion_is_cut_timed_and_reversed_by_slices() -> None:
    motion = random_motion(random_skeleton(0), 1, frames=10)
    assert len(motion[2:5]) == 3
    assert motion.seconds == pytest.approx(9 / 30)
    assert motion[:1].seconds == motion[:0].seconds == 0
    np.testing.assert_array_equal(motion[::-1].positions[0], motion.positions[-1])
    np.testing.assert_array_equal(motion[3:].position_world, motion.position_world[3:])
    np.testing.assert_array_equal(motion.pose(4).rotations, motion.rotations[4])


def test_an_asset_finds_clips_by_name() -> None:
    motion = random_motion(random_skeleton(0), 1)
    asset = Asset(motion.skeleton, (motion,))
    assert asset.clip("random") is motion
    with pytest.raises(KeyError, match=r"'trot'.*random"):
        asset.clip("trot")

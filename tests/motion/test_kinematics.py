"""Forward kinematics agrees with a plain product of matrices, and `local` undoes it."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from canter.motion import kinematics
from canter.motion import rotations as rot

from .rigs import random_motion, random_skeleton

SEEDS = st.integers(0, 2**32 - 1)


def matrix(position: Any, rotation: Any) -> Any:
    m = np.eye(4)
    m[:3, :3], m[:3, 3] = rot.to_matrix(rotation), position
    return m


@settings(max_examples=30)
@given(SEEDS, st.integers(1, 12), st.integers(1, 3))
def test_forward_is_the_product_of_matrices(seed: int, joints: int, roots: int) -> None:
    skeleton = random_skeleton(seed, joints, min(roots, joints))
    motion = random_motion(skeleton, seed, frames=2)
    position, rotation = kinematics.forward(skeleton, motion.positions, motion.rotations)
    for frame in range(2):
        for joint in range(joints):
            expected = np.eye(4)
            for k in skeleton.chain(joint):
                expected = expected @ matrix(motion.positions[frame, k], motion.rotations[frame, k])
            np.testing.assert_allclose(matrix(position[frame, joint], rotation[frame, joint]), expected, atol=1e-9)


@settings(max_examples=30)
@given(SEEDS, st.sampled_from([np.float32, np.float64]), st.sampled_from([(), (3,), (2, 3), (0,)]))
def test_local_undoes_forward_over_any_leading_axes(seed: int, kind: Any, shape: tuple[int, ...]) -> None:
    skeleton = random_skeleton(seed, roots=2)
    g = np.random.default_rng(seed)
    positions = g.normal(size=(*shape, 8, 3)).astype(kind)
    rotations = rot.unit(g.normal(size=(*shape, 8, 4))).astype(kind)
    world = kinematics.forward(skeleton, positions, rotations)
    back = kinematics.local(skeleton, *world)
    assert world[0].dtype == world[1].dtype == back[0].dtype == back[1].dtype == kind
    tolerance = 1e-4 if kind == np.float32 else 1e-11
    np.testing.assert_allclose(back[0], positions, atol=tolerance)
    np.testing.assert_allclose(back[1], rotations, atol=tolerance)


def test_forward_of_some_joints_is_a_part_of_forward() -> None:
    skeleton = random_skeleton(4, 12, roots=2)
    motion = random_motion(skeleton, 5)
    joints = [7, 0, 11]
    position, rotation = kinematics.forward_of(skeleton, motion.positions, motion.rotations, joints)
    np.testing.assert_allclose(position, motion.position_world[:, joints], atol=1e-12)
    np.testing.assert_allclose(rotation, motion.rotation_world[:, joints], atol=1e-12)


def test_velocity_of_a_line_and_of_one_frame() -> None:
    x = np.outer(np.arange(5), [1.0, 2.0, 3.0])
    np.testing.assert_allclose(kinematics.velocity(x, 10), np.tile([10.0, 20, 30], (5, 1)))
    np.testing.assert_array_equal(kinematics.velocity(x[:1], 10), np.zeros((1, 3)))
    np.testing.assert_allclose(kinematics.velocity(x[:2], 10), np.tile([10.0, 20, 30], (2, 1)))


def test_angular_velocity_is_in_the_world_frame_and_blind_to_signs() -> None:
    start = rot.about([1.0, 0, 0], 1.0)
    q = rot.multiply(rot.about([0, 1.0, 0], np.arange(6) * 0.1), start)
    q[3] *= -1
    np.testing.assert_allclose(kinematics.angular_velocity(q, 20), np.tile([0, 2.0, 0], (6, 1)), atol=1e-12)
    np.testing.assert_array_equal(kinematics.angular_velocity(q[:1], 20), np.zeros((1, 3)))


def test_ten_thousand_frames_take_no_loop_over_frames() -> None:
    motion = random_motion(random_skeleton(0, 30), 0, frames=10_000)
    start = time.perf_counter()
    kinematics.forward(motion.skeleton, motion.positions, motion.rotations)
    assert time.perf_counter() - start < 2.0  # 0.1 s when nothing else runs


@pytest.mark.parametrize("frames", [0, 1])
def test_forward_of_no_frames_and_of_one(frames: int) -> None:
    motion = random_motion(random_skeleton(0), 0, frames=frames)
    assert motion.position_world.shape == (frames, 8, 3)

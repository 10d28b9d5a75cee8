"""Edits keep what they must keep: poses that are met, lengths of clips, rigid shapes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from canter.motion import edits
from canter.motion import rotations as rot

from .rigs import random_motion, random_skeleton, wobble

SEEDS = st.integers(0, 2**32 - 1)


def same(a: Any, b: Any, tolerance: float = 1e-9) -> None:
    np.testing.assert_allclose(a.position_world, b.position_world, atol=tolerance)
    np.testing.assert_allclose(rot.difference(a.rotation_world, b.rotation_world), 0, atol=tolerance)


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_resampling_meets_the_frames_that_both_rates_share(kind: Any) -> None:
    motion = random_motion(random_skeleton(1), 2, frames=11, kind=kind)
    double = edits.resample(motion, 60)
    assert len(double) == 21
    assert double.frame_rate == 60
    assert double.positions.dtype == double.rotations.dtype == kind
    np.testing.assert_array_equal(double.positions[::2], motion.positions)
    np.testing.assert_array_equal(double.rotations[::2], motion.rotations)
    np.testing.assert_allclose(double.positions[1], (motion.positions[0] + motion.positions[1]) / 2, atol=1e-6)
    half = rot.difference(motion.rotations[0], double.rotations[1])
    np.testing.assert_allclose(half, rot.difference(motion.rotations[0], motion.rotations[1]) / 2, atol=1e-3)
    back = edits.resample(double, 30)
    np.testing.assert_allclose(back.positions, motion.positions, atol=1e-6)


@settings(max_examples=50)
@given(st.integers(1, 40), st.floats(5, 240), st.floats(5, 240))
def test_resampling_keeps_time(frames: int, rate: float, other: float) -> None:
    motion = edits.replace(random_motion(random_skeleton(0, 2), 0, frames=frames), frame_rate=rate)
    changed = edits.resample(motion, other)
    assert -1e-9 <= motion.seconds - changed.seconds < 1 / other
    # a joint that moves evenly still does
    even = edits.replace(motion, positions=np.broadcast_to(np.arange(frames)[:, None, None] / rate, (frames, 2, 3)))
    moved = edits.resample(even, other)
    expected = np.minimum(np.arange(len(moved)) / other, motion.seconds)
    np.testing.assert_allclose(moved.positions[:, 0, 0], expected, atol=1e-9)


def test_periodic_resampling_keeps_the_seam() -> None:
    motion = random_motion(random_skeleton(1), 2, frames=12)
    changed = edits.resample(motion, 24, periodic=True)
    assert len(changed) == 10  # 11 steps at 30 are 8.8 at 24
    np.testing.assert_array_equal(changed.positions[[0, -1]], motion.positions[[0, -1]])


def test_resampling_refuses_nonsense_and_survives_one_frame() -> None:
    motion = random_motion(random_skeleton(1), 2, frames=1)
    assert len(edits.resample(motion, 77)) == 1
    assert edits.resample(motion, 77).frame_rate == 77
    with pytest.raises(ValueError, match="above zero"):
        edits.resample(motion, 0)
    with pytest.raises(ValueError, match="without frames"):
        edits.sample(motion[:0], [0])


def test_concatenation_is_associative_and_checks_its_parts() -> None:
    a, b, c = (random_motion(random_skeleton(1), seed, frames=seed + 1) for seed in range(3))
    joined = edits.concatenate([a, b, c])
    assert len(joined) == 6
    same(joined, edits.concatenate([edits.concatenate([a, b]), c]))
    with pytest.raises(ValueError, match="resample"):
        edits.concatenate([a, edits.replace(b, frame_rate=24)])
    with pytest.raises(ValueError, match="another skeleton"):
        edits.concatenate([a, random_motion(random_skeleton(3), 0)])
    with pytest.raises(ValueError, match="nothing"):
        edits.concatenate([])


def test_crossfade_starts_as_the_one_ends_as_the_other() -> None:
    skeleton = random_skeleton(1)
    a, b = wobble(skeleton, 1, 20), wobble(skeleton, 2, 15)
    faded = edits.crossfade(a, b, 6)
    assert len(faded) == 29
    same(faded[:14], a[:14])
    same(faded[-9:], b[-9:])
    middle = faded.positions[14:20]
    low, high = np.minimum(a.positions[14:], b.positions[:6]), np.maximum(a.positions[14:], b.positions[:6])
    assert np.all((middle >= low - 1e-12) & (middle <= high + 1e-12))
    nearer = np.linalg.norm(middle - a.positions[14:], axis=(1, 2)) / np.linalg.norm(
        b.positions[:6] - a.positions[14:], axis=(1, 2)
    )
    assert np.all(np.diff(nearer) > 0)
    same(edits.crossfade(a, b, 0), edits.concatenate([a, b]))
    with pytest.raises(ValueError, match="overlap 16"):
        edits.crossfade(a, b, 16)


def test_crossfade_of_a_clip_with_itself_changes_nothing() -> None:
    a = wobble(random_skeleton(1), 1, 10)
    same(edits.crossfade(a, a, 10), a, 1e-7)


@settings(max_examples=30)
@given(SEEDS, st.floats(0.01, 100))
def test_transform_moves_every_joint_of_every_root(seed: int, scale: float) -> None:
    motion = random_motion(random_skeleton(seed, roots=3), seed, frames=3)
    g = np.random.default_rng(seed)
    turn, shift = rot.unit(g.normal(size=4)), g.normal(size=3)
    moved = edits.transform(motion, turn, shift, scale)
    expected = scale * rot.rotate(turn, motion.position_world) + shift
    np.testing.assert_allclose(moved.position_world, expected, atol=1e-9 * max(scale, 1))
    expected = rot.multiply(turn, motion.rotation_world)
    np.testing.assert_allclose(rot.difference(moved.rotation_world, expected), 0, atol=1e-7)
    np.testing.assert_allclose(moved.skeleton.offsets, scale * motion.skeleton.offsets)


def test_transform_by_frame_and_its_skeletons() -> None:
    motion = random_motion(random_skeleton(5), 5, frames=4)
    shifts = np.random.default_rng(0).normal(size=(4, 3))
    moved = edits.transform(motion, rot.yaw(np.arange(4.0)), shifts)
    assert moved.skeleton is motion.skeleton
    np.testing.assert_allclose(
        moved.position_world[2], rot.rotate(rot.yaw(2.0), motion.position_world[2]) + shifts[2], atol=1e-12
    )
    shared = edits.transform_skeleton(motion.skeleton, rot.yaw(1.0), [1, 2, 3], 2.0)
    np.testing.assert_allclose(shared.offsets[0], 2 * rot.rotate(rot.yaw(1.0), motion.skeleton.offsets[0]) + [1, 2, 3])
    assert edits.transform(motion, scale=2.0, skeleton=shared).skeleton is shared


def test_with_world_puts_joints_where_they_are_told() -> None:
    motion = random_motion(random_skeleton(5), 5)
    other = random_motion(motion.skeleton, 6)
    same(edits.with_world(motion, *other.world), other, 1e-7)

"""Locked feet stand still, and are taken hold of and let go smoothly."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from canter.motion import Motion, Skeleton, foot_targets, lock_feet
from canter.motion import rotations as rot
from canter.motion.feet import stances
from canter.motion.loops import cycle_travel
from canter.motion.metrics import loop_closure, stance_slip

LEGS = [[1, 2, 3, 4], [5, 6, 7, 8]]
SEEDS = st.integers(0, 2**32 - 1)


def walker(frames: int = 41, slide: float = 0.004, kind: Any = np.float64) -> tuple[Motion, Any]:
    """A trunk at constant speed on two legs of three bones whose feet slide a little while they are down."""
    parents = [-1, 0, 1, 2, 3, 0, 5, 6, 7]
    leg = [[0, -0.35, 0.1], [0, -0.3, -0.15], [0, -0.28, 0.05]]
    offsets = np.array([[0, 1.0, 0], [0.2, 0, 0], *leg, [-0.2, 0, 0], *leg])
    skeleton = Skeleton.make([f"j{k}" for k in range(9)], parents, offsets)
    phase = np.linspace(0, 2 * np.pi, frames)
    positions = np.tile(offsets, (frames, 1, 1))
    positions[:, 0, 2] = np.linspace(0, 0.5, frames)
    rotations = np.tile(rot.IDENTITY, (frames, 9, 1))
    for hip, shift in ((1, 0.0), (5, np.pi)):
        rotations[:, hip] = rot.about([1.0, 0, 0], 0.25 * np.cos(phase + shift) + slide * np.sin(3 * phase))
        rotations[:, hip + 1] = rot.about([1.0, 0, 0], 0.3 * np.clip(np.sin(-phase - shift), 0, 1) ** 2)
    down = np.stack([np.sin(phase) >= 0.15, np.sin(phase + np.pi) >= 0.15], -1)
    return Motion(skeleton, 30.0, positions.astype(kind), rotations.astype(kind)), down


def test_stances_are_runs() -> None:
    assert stances([0, 1, 1, 0, 1]) == [(1, 3), (4, 5)]
    assert stances([1, 1]) == [(0, 2)]
    assert stances([]) == stances([0, 0]) == []


@pytest.mark.parametrize("foot_rotation", ["follow", "keep_world"])
def test_a_locked_foot_does_not_slip(foot_rotation: Any) -> None:
    motion, down = walker()
    assert stance_slip(motion.position_world[:, [4, 8]], down).max > 1
    locked = lock_feet(motion, LEGS, down, foot_rotation=foot_rotation)
    feet = locked.position_world[:, [4, 8]]
    assert stance_slip(feet, down).max < 1e-6
    for foot in range(2):
        for first, stop in stances(down[:, foot]):
            np.testing.assert_allclose(
                feet[first:stop, foot], feet[first : first + 1, foot].repeat(stop - first, 0), atol=1e-9
            )
            np.testing.assert_allclose(
                feet[first, foot], np.median(motion.position_world[first:stop, 4 + 4 * foot], axis=0)
            )
    if foot_rotation == "keep_world":
        np.testing.assert_allclose(
            rot.difference(locked.rotation_world[:, 8], motion.rotation_world[:, 8]), 0, atol=1e-9
        )
    np.testing.assert_array_equal(locked.positions, motion.positions)
    np.testing.assert_array_equal(locked.rotations[:, 0], motion.rotations[:, 0])


def test_frames_far_from_a_contact_stay_exactly_as_they_are() -> None:
    motion, down = walker()
    down[:, 1] = False
    down[:, 0] = False
    down[5:9, 0] = True
    locked = lock_feet(motion, LEGS, down, ease_seconds=0.1)
    same = np.all(locked.rotations == motion.rotations, axis=(1, 2))
    np.testing.assert_array_equal(np.flatnonzero(~same), np.arange(3, 11))  # three steps of ease, the last at zero


def test_no_contacts_no_legs_and_no_ease() -> None:
    motion, down = walker()
    np.testing.assert_array_equal(lock_feet(motion, LEGS, np.zeros_like(down)).rotations, motion.rotations)
    np.testing.assert_array_equal(lock_feet(motion, [], np.zeros((41, 0))).rotations, motion.rotations)
    abrupt = lock_feet(motion, LEGS, down, ease_seconds=0)
    up = ~down[:, 0]
    np.testing.assert_array_equal(abrupt.rotations[up, 1:5], motion.rotations[up, 1:5])
    assert stance_slip(abrupt.position_world[:, [4, 8]], down).max < 1e-6


@pytest.mark.parametrize("frames", [1, 2, 3])
@pytest.mark.parametrize("periodic", [False, True])
def test_tiny_clips(frames: int, periodic: bool) -> None:
    motion, _ = walker()
    for contacts in (np.ones((frames, 2)), np.zeros((frames, 2)), np.eye(frames, 2)):
        locked = lock_feet(motion[:frames], LEGS, contacts, periodic=periodic)
        assert len(locked) == frames
        assert np.all(np.isfinite(locked.rotations))


@settings(max_examples=60, deadline=None)
@given(SEEDS, st.integers(1, 60), st.floats(0, 0.5))
def test_targets_are_still_in_contact_and_eased_outside_without_a_jump(seed: int, frames: int, ease: float) -> None:
    g = np.random.default_rng(seed)
    down = np.cumsum(g.random((frames, 3)) < 0.15, axis=0) % 2 == 1
    position = np.cumsum(g.normal(size=(frames, 3, 3)), axis=0)
    target = foot_targets(position, down, 60, ease)
    offset = target - position
    for foot in range(3):
        runs = stances(down[:, foot])
        for first, stop in runs:
            held = target[first:stop, foot]
            np.testing.assert_allclose(held, np.broadcast_to(held[0], held.shape), atol=1e-9)
        far = [abs(t - f) > 60 * ease for t in range(frames) for first, stop in runs for f in (first, stop - 1)]
        away = np.all(np.reshape(far, (frames, -1)), axis=1) & ~down[:, foot]
        assert np.all(offset[away, foot] == 0)


def test_easing_keeps_value_and_slope() -> None:
    """The offset is continued from its last step inside the contact, and arrives level at zero."""
    time = np.arange(400)
    position = np.stack([0.001 * time, 0 * time, 0.002 * time], -1)[:, None]
    down = (time[:, None] >= 100) & (time[:, None] < 200)
    offset = (foot_targets(position, down, 100, ease_seconds=0.8) - position)[:, 0]
    step = np.diff(offset, axis=0)
    np.testing.assert_allclose(step[199], step[198], atol=1e-4)
    np.testing.assert_allclose(step[99], step[100], atol=1e-4)
    assert np.max(np.abs(np.diff(step, axis=0))) < 4e-4
    np.testing.assert_allclose(offset[[0, 10, 19, 280, 399]], 0, atol=1e-12)
    assert np.linalg.norm(offset[240]) > 0.01


def test_heights_are_those_of_the_median_of_the_ground_or_kept() -> None:
    g = np.random.default_rng(0)
    position = g.normal(size=(20, 1, 3))
    down = np.ones((20, 1))
    np.testing.assert_allclose(foot_targets(position, down, 30)[..., 1], np.median(position[..., 1]))
    np.testing.assert_allclose(foot_targets(position, down, 30, height=0.25)[..., 1], 0.25)
    np.testing.assert_array_equal(foot_targets(position, down, 30, height="keep")[..., 1], position[..., 1])
    assert np.ptp(foot_targets(position, down, 30, height="keep")[..., 0]) < 1e-12


def test_a_loop_stays_closed_and_its_feet_stand_over_the_seam() -> None:
    motion, _ = walker()
    phase = np.linspace(0, 2 * np.pi, len(motion))
    down = np.stack([np.cos(phase) >= 0.2, np.cos(phase) < -0.2], -1)
    locked = lock_feet(motion, LEGS, down, periodic=True)
    gap = loop_closure(locked)
    assert gap.position < 1e-6
    assert gap.angle < 1e-4
    way = cycle_travel(motion).shift
    foot = locked.position_world[:, 4]
    before, after = foot[down[:, 0] & (phase > 3)], foot[down[:, 0] & (phase < 3)]
    np.testing.assert_allclose(before - way, np.broadcast_to(after[0], before.shape), atol=1e-9)
    open_gap = loop_closure(lock_feet(motion, LEGS, down))
    assert open_gap.position > 0.01


def test_float32_and_wrong_shapes() -> None:
    motion, down = walker(kind=np.float32)
    locked = lock_feet(motion, LEGS, down)
    assert locked.positions.dtype == locked.rotations.dtype == np.float32
    assert stance_slip(locked.position_world[:, [4, 8]], down).max < 1e-3
    with pytest.raises(ValueError, match="2 legs"):
        lock_feet(motion, LEGS, down[:, :1])
    with pytest.raises(ValueError, match="do not fit"):
        foot_targets(np.zeros((3, 2, 3)), np.zeros((3, 1)), 30)

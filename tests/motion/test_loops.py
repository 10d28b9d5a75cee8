"""Loops travel without jumps, and their seams close without moving any pose by more than half the gap."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from canter.motion import Motion, edits, loops
from canter.motion import rotations as rot

from .rigs import random_skeleton, wobble

SEEDS = st.integers(0, 2**32 - 1)


def circling(frames: int = 13, turn: float = 1.2, radius: float = 2.0) -> tuple[Motion, loops.Track]:
    """A closed loop that walks a part of a circle to the left, and its ground track; joints swing once a cycle."""
    skeleton = random_skeleton(3, 4)
    angle = np.linspace(0, turn, frames)
    place = np.stack([radius * (1 - np.cos(angle)), 0 * angle, radius * np.sin(angle)], -1)
    phase = np.linspace(0, 2 * np.pi, frames)
    positions = np.repeat(skeleton.offsets[None], frames, axis=0)
    positions[:, 0] = place + [0.3, 1, 0] * np.sin(phase)[:, None] * [0, 0.1, 0]
    rotations = np.repeat(skeleton.rotations[None], frames, axis=0)
    rotations[:, 1:] = rot.multiply(rotations[:, 1:], rot.about([0, 0, 1], 0.5 * np.sin(phase))[:, None])
    rotations[:, 0] = rot.yaw(angle)
    return Motion(skeleton, 30, positions, rotations), (place, angle)


def test_a_loop_on_a_circle_stays_on_it() -> None:
    motion, track = circling()
    four = loops.loop(motion, 4, track=track)
    assert len(four) == 4 * 12 + 1
    centre = np.array([2.0, 0])
    radius = np.linalg.norm(four.position_world[:, 0, [0, 2]] - centre, axis=-1)
    np.testing.assert_allclose(radius, 2, atol=1e-12)
    steps = np.linalg.norm(np.diff(four.position_world[:, 0, [0, 2]], axis=0), axis=-1)
    np.testing.assert_allclose(steps, steps[0], atol=1e-12)
    np.testing.assert_allclose(rot.log(four.rotation_world[:, 0])[3 * 12, 1], 3 * 1.2 - 2 * np.pi, atol=1e-9)
    np.testing.assert_allclose(four.positions[:13], motion.positions, atol=0)
    flat = loops.loop(motion, 4, track=(track[0][:, [0, 2]], track[1]))
    np.testing.assert_allclose(flat.positions, four.positions, atol=1e-12)


def test_without_track_a_loop_goes_straight_and_without_travel_it_stays() -> None:
    motion = wobble(random_skeleton(2), 3, 10)
    way = motion.position_world[-1, 0] - motion.position_world[0, 0]
    three = loops.loop(motion, 3)
    shift = three.position_world[18] - three.position_world[9]
    np.testing.assert_allclose(shift, np.tile(way * [1, 0, 1], (8, 1)), atol=1e-12)
    np.testing.assert_array_equal(loops.loop(motion, 3, travel=False).positions[18], motion.positions[-1])
    np.testing.assert_array_equal(loops.loop(motion, 1).positions, motion.positions)


def test_loops_refuse_what_they_cannot_do() -> None:
    motion, track = circling()
    with pytest.raises(ValueError, match="at least one"):
        loops.loop(motion, 0)
    with pytest.raises(ValueError, match="two frames"):
        loops.loop(motion[:1], 2)
    with pytest.raises(ValueError, match="track has 13"):
        loops.loop(motion[:5], 2, track=track)


def test_an_open_loop_gets_the_seam_that_it_lacks() -> None:
    motion, (place, yaw) = circling()
    closed = loops.with_seam(motion[:-1], (place[:-1], yaw[:-1]))
    np.testing.assert_allclose(closed.position_world, motion.position_world, atol=1e-12)
    np.testing.assert_allclose(rot.difference(closed.rotations, motion.rotations), 0, atol=1e-7)


@settings(max_examples=30)
@given(SEEDS, st.integers(2, 20), st.floats(-3, 3))
def test_closing_closes_and_moves_no_pose_by_more_than_half_the_gap(seed: int, frames: int, turn: float) -> None:
    motion = wobble(random_skeleton(seed, roots=2), seed, frames)
    g = np.random.default_rng(seed)
    track = (np.cumsum(g.normal(size=(frames, 3)), axis=0), np.linspace(0.5, 0.5 + turn, frames))
    closed = loops.close_loop(motion, track=track)
    step = loops.cycle_travel(motion, track)
    arrived, first = step.apply(closed[:1]), closed[-1:]
    np.testing.assert_allclose(arrived.position_world, first.position_world, atol=1e-9)
    np.testing.assert_allclose(rot.difference(arrived.rotations, first.rotations), 0, atol=1e-7)
    gap = np.linalg.norm(step.apply(motion[:1]).positions[0] - motion.positions[-1], axis=-1)
    moved = np.linalg.norm(closed.positions - motion.positions, axis=-1)
    assert np.all(moved <= gap / 2 + 1e-9)


def test_closing_a_closed_loop_changes_nothing() -> None:
    motion, track = circling()
    closed = loops.close_loop(motion, track=track)
    np.testing.assert_allclose(closed.positions, motion.positions, atol=1e-12)
    np.testing.assert_allclose(rot.difference(closed.rotations, motion.rotations), 0, atol=1e-7)
    assert loops.close_loop(motion[:1]) is not None


def test_travels_compose_and_undo() -> None:
    a, b = loops.Travel(0.7, np.array([1.0, 0, 2])), loops.Travel(-2.0, np.array([0.0, 0, 5]))
    motion = wobble(random_skeleton(1), 1, 3)
    np.testing.assert_allclose(a.then(b).apply(motion).positions, b.apply(a.apply(motion)).positions, atol=1e-12)
    np.testing.assert_allclose(a.then(a.inverse()).apply(motion).positions, motion.positions, atol=1e-12)
    moved = loops.move_between([1, 5, 2], 0.3, [4, 9, 4], 1.1)
    np.testing.assert_allclose(rot.rotate(moved.rotation, [1.0, 0, 2]) + moved.shift, [4, 0, 4], atol=1e-12)


def test_an_open_loop_stays_open_at_another_frame_rate() -> None:
    skeleton = random_skeleton(3, 4)
    phase = np.arange(10) / 10 * 2 * np.pi
    rotations = np.repeat(skeleton.rotations[None], 10, axis=0)
    rotations[:, 1] = rot.about([0, 0, 1], 0.5 * np.sin(phase))
    motion = Motion(skeleton, 30, np.repeat(skeleton.offsets[None], 10, axis=0), rotations)
    finer = loops.resample_open_loop(motion, 60, 10)
    assert len(finer) == 20
    np.testing.assert_allclose(finer.rotations[::2], motion.rotations, atol=1e-12)
    np.testing.assert_allclose(finer.rotations[-1, 1], rot.about([0, 0, 1], 0.25 * np.sin(phase[-1])), atol=1e-3)
    with pytest.raises(ValueError, match="cannot repeat after 9"):
        loops.resample_open_loop(motion, 60, 9)


def test_float32_stays_float32() -> None:
    motion = wobble(random_skeleton(1), 1, 6, kind=np.float32)
    for result in (
        loops.loop(motion, 2),
        loops.close_loop(motion),
        loops.with_seam(motion),
        edits.resample(motion, 50),
    ):
        assert result.positions.dtype == result.rotations.dtype == np.float32

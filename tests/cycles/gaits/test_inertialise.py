"""Inertialisation: where a pose jumps, value and slope go on, and the difference is gone in time."""

from __future__ import annotations

import numpy as np
import pytest

from canter.control.steering import Root
from canter.cycles.gaits.inertialise import FADE_SECONDS, Inertialiser
from canter.motion import rotations as rot
from canter.motion.arrays import Floats

from ..engine.made_up import frame, timing

RATE = 240.0
JUMP = 60
"""The frame in which the pose jumps."""


def poses(count: int, *, jump: bool) -> tuple[Floats, Floats]:
    """One joint, the root: rises at 0.5 m/s and turns about x at 1 rad/s, then stands 0.2 m and 0.3 rad elsewhere."""
    seconds = np.arange(count) / RATE
    height, angle = 1 + 0.5 * seconds, seconds
    if jump:
        after = np.arange(count) >= JUMP
        height, angle = np.where(after, 0.9, height), np.where(after, 0.55, angle)
    positions = np.zeros((count, 1, 3))
    positions[:, 0, 1] = height
    return positions, rot.exp(angle[:, None, None] * np.array([1.0, 0.0, 0.0]))


def run(*, requested: bool, yaw_rate: float = 0.0) -> tuple[Floats, Floats, Inertialiser]:
    """Heights and angles of the root as they come out."""
    made = Inertialiser(1, np.array([0]), 1, RATE)
    positions, rotations = poses(JUMP + 200, jump=True)
    heights, angles = [], []
    for k in range(len(positions)):
        root = Root(1)
        root.yaw = np.array([yaw_rate * k / RATE])
        one = frame(timing(), root)
        one.positions, one.rotations = positions[[k]].copy(), rotations[[k]].copy()
        if k == JUMP and requested:
            made.request(np.array([0]))
        made.step(one)
        heights.append(one.positions[0, 0, 1])
        angles.append(rot.log(one.rotations[0, 0])[0])
        one.rotations = rot.multiply(rot.yaw(root.yaw)[:, None], one.rotations)
        made.remember(one)
    return np.array(heights), np.array(angles), made


def test_value_and_slope_go_on_over_a_jump() -> None:
    """The pose of the jump repeats the one before it; from there on its speed goes on, and changes gently."""
    heights, angles, _ = run(requested=True)
    for values, slope in ((heights, 0.5), (angles, 1.0)):
        assert values[JUMP] == pytest.approx(values[JUMP - 1])
        steps = np.diff(values)[JUMP:] * RATE
        assert steps[0] == pytest.approx(slope, rel=0.05)
        assert np.abs(np.diff(steps)).max() < 0.15 * slope


def test_the_difference_is_gone_after_its_time() -> None:
    heights, angles, made = run(requested=True)
    end = JUMP + round(FADE_SECONDS * RATE) + 1
    assert np.abs(heights[end:] - 0.9).max() < 1e-9
    assert np.abs(angles[end:] - 0.55).max() < 1e-9
    assert np.abs(heights[end - 20] - 0.9) > 1e-6, "and not much sooner"
    assert made.state.age[0] >= FADE_SECONDS


def test_nothing_changes_unless_it_is_asked_for() -> None:
    heights, _, _ = run(requested=False)
    assert np.array_equal(heights, poses(JUMP + 200, jump=True)[0][:, 0, 1])


def test_poses_are_compared_as_seen_from_the_animal() -> None:
    turning, straight = run(requested=True, yaw_rate=2.0), run(requested=True)
    assert turning[1] == pytest.approx(straight[1], abs=1e-9)


def test_a_reset_forgets_what_fades() -> None:
    made = run(requested=True)[2]
    made.state.age[:] = 0.1
    made.reset(np.array([True]))
    assert np.isinf(made.state.age[0])

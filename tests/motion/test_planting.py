"""Planted feet stand still, legs follow, the body sinks no more than it must, and loops stay closed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from canter.motion import Motion, Skeleton, plant_feet, solve_legs, transform
from canter.motion import rotations as rot
from canter.motion.feet import stances
from canter.motion.loops import cycle_travel
from canter.motion.metrics import loop_closure, stance_slip
from canter.motion.planting import body_drop

LEGS = [[1, 2, 3, 4], [5, 6, 7, 8]]


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


@pytest.mark.parametrize("foot_rotation", ["follow", "keep_world"])
def test_a_planted_foot_does_not_slip(foot_rotation: Any) -> None:
    motion, down = walker()
    assert stance_slip(motion.position_world[:, [4, 8]], down).max > 1
    planted = plant_feet(motion, LEGS, down, foot_rotation=foot_rotation)
    feet = planted.position_world[:, [4, 8]]
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
            rot.difference(planted.rotation_world[:, 8], motion.rotation_world[:, 8]), 0, atol=1e-9
        )
    np.testing.assert_array_equal(planted.positions, motion.positions)
    np.testing.assert_array_equal(planted.rotations[:, 0], motion.rotations[:, 0])


def test_frames_far_from_a_contact_stay_exactly_as_they_are() -> None:
    motion, down = walker()
    down[:, 1] = False
    down[:, 0] = False
    down[5:9, 0] = True
    planted = plant_feet(motion, LEGS, down, ease_seconds=0.1)
    same = np.all(planted.rotations == motion.rotations, axis=(1, 2))
    np.testing.assert_array_equal(np.flatnonzero(~same), np.arange(3, 11))  # three steps of ease, the last at zero


def test_no_contacts_no_legs_and_no_ease() -> None:
    motion, down = walker()
    np.testing.assert_array_equal(plant_feet(motion, LEGS, np.zeros_like(down)).rotations, motion.rotations)
    np.testing.assert_array_equal(plant_feet(motion, [], np.zeros((41, 0))).rotations, motion.rotations)
    abrupt = plant_feet(motion, LEGS, down, ease_seconds=0)
    up = ~down[:, 0]
    np.testing.assert_array_equal(abrupt.rotations[up, 1:5], motion.rotations[up, 1:5])
    assert stance_slip(abrupt.position_world[:, [4, 8]], down).max < 1e-6


@pytest.mark.parametrize("frames", [1, 2, 3])
@pytest.mark.parametrize("periodic", [False, True])
def test_tiny_clips(frames: int, periodic: bool) -> None:
    motion, _ = walker()
    for contacts in (np.ones((frames, 2)), np.zeros((frames, 2)), np.eye(frames, 2)):
        planted = plant_feet(motion[:frames], LEGS, contacts, periodic=periodic)
        assert len(planted) == frames
        assert np.all(np.isfinite(planted.rotations))


def test_a_loop_stays_closed_and_its_feet_stand_over_the_seam() -> None:
    motion, _ = walker()
    phase = np.linspace(0, 2 * np.pi, len(motion))
    down = np.stack([np.cos(phase) >= 0.2, np.cos(phase) < -0.2], -1)
    planted = plant_feet(motion, LEGS, down, periodic=True)
    gap = loop_closure(planted)
    assert gap.position < 1e-6
    assert gap.angle < 1e-4
    way = cycle_travel(motion).shift
    foot = planted.position_world[:, 4]
    before, after = foot[down[:, 0] & (phase > 3)], foot[down[:, 0] & (phase < 3)]
    np.testing.assert_allclose(before - way, np.broadcast_to(after[0], before.shape), atol=1e-9)
    open_gap = loop_closure(plant_feet(motion, LEGS, down))
    assert open_gap.position > 0.01


def test_float32_and_wrong_shapes() -> None:
    motion, down = walker(kind=np.float32)
    planted = plant_feet(motion, LEGS, down)
    assert planted.positions.dtype == planted.rotations.dtype == np.float32
    assert stance_slip(planted.position_world[:, [4, 8]], down).max < 1e-3
    with pytest.raises(ValueError, match="2 legs"):
        plant_feet(motion, LEGS, down[:, :1])


LENGTH = float(np.linalg.norm([[-0.35, 0.1], [-0.3, -0.15], [-0.28, 0.05]], axis=1).sum())
"""Of a leg of the walker, straight."""


def raised(rise: float) -> tuple[Motion, Any]:
    """The walker on tiptoe: its feet have to stay on the ground, for which its legs are too short."""
    motion, down = walker(slide=0.0)
    return transform(motion, translation=[0.0, rise, 0.0]), down


def lowest(motion: Motion) -> float:
    return float(motion.position_world[:, [4, 8], 1].min())


@pytest.mark.parametrize("max_extension", [1.0, 0.98])
@pytest.mark.parametrize("periodic", [False, True])
def test_the_body_sinks_where_legs_are_short(max_extension: float, periodic: bool) -> None:
    motion, down = raised(0.1)
    ground = lowest(motion) - 0.1
    missed = plant_feet(motion, LEGS, down, heights=ground, max_extension=max_extension, periodic=periodic)
    planted = plant_feet(
        motion, LEGS, down, heights=ground, max_extension=max_extension, max_drop=0.5, periodic=periodic
    )
    feet = planted.position_world[:, [4, 8], 1]
    assert np.abs(missed.position_world[:, [4, 8], 1][down] - ground).max() > 0.01
    np.testing.assert_allclose(feet[down], ground, atol=1e-6)
    drop = motion.positions[:, 0, 1] - planted.positions[:, 0, 1]
    assert 0.02 < drop.max() < 0.15
    assert drop.min() >= 0
    assert np.abs(np.diff(drop, 2)).max() < 0.01  # no corners
    reached = np.linalg.norm(planted.position_world[:, [4, 8]] - planted.position_world[:, [1, 5]], axis=-1)
    assert reached[down].max() <= max_extension * LENGTH + 1e-6
    np.testing.assert_array_equal(planted.positions[:, 1:], motion.positions[:, 1:])


def test_the_body_sinks_no_further_than_it_may_and_not_at_all_without_need() -> None:
    motion, down = raised(0.1)
    little = plant_feet(motion, LEGS, down, heights=lowest(motion) - 0.1, max_drop=0.01)
    assert (motion.positions[:, 0, 1] - little.positions[:, 0, 1]).max() == pytest.approx(0.01)
    easy = plant_feet(motion, LEGS, down, max_drop=0.5)
    np.testing.assert_array_equal(easy.positions, motion.positions)


def test_body_drop_by_hand() -> None:
    skeleton = Skeleton.make(["hip", "knee", "foot"], [-1, 0, 1], np.array([[0, 2.0, 0], [0, -1.0, 0], [0, -1.0, 0]]))
    motion = Motion(skeleton, 30.0, np.tile(skeleton.offsets, (4, 1, 1)), np.tile(rot.IDENTITY, (4, 3, 1)))
    targets = np.array([[0, 0.0, 0], [0, -0.3, 0], [1.2, 0, 0], [2.5, 0, 0]])[:, None]
    down = np.ones((4, 1), bool)
    np.testing.assert_allclose(body_drop(motion, [[0, 1, 2]], targets, down, 1.0), [0, 0.3, 2 - 1.6, 0])
    np.testing.assert_allclose(body_drop(motion, [[0, 1, 2]], targets, down, 0.9)[0], 0.2)
    np.testing.assert_array_equal(body_drop(motion, [[0, 1, 2]], targets, ~down, 1.0), 0)


def test_legs_are_solved_where_their_feet_are_elsewhere_only() -> None:
    motion, _ = walker()
    targets = motion.position_world[:, [4, 8]].copy()
    targets[10:20, 0, 1] += 0.05
    solved = solve_legs(motion, LEGS, targets)
    np.testing.assert_allclose(solved.position_world[:, [4, 8]], targets, atol=1e-9)
    changed = np.any(solved.rotations != motion.rotations, axis=(1, 2))
    np.testing.assert_array_equal(np.flatnonzero(changed), np.arange(10, 20))

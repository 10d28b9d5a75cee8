"""Bend and aim reaches what can be reached, keeps what it should keep, and says by how much it misses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from canter.motion import Motion, Skeleton
from canter.motion import rotations as rot
from canter.motion.inverse import bend_and_aim, leg_flexion, solve_leg
from canter.motion.kinematics import forward
from canter.motion.roots import falling_root

from .rigs import random_skeleton, wobble

SEEDS = st.integers(0, 2**32 - 1)


def chain_skeleton(points: Any, spare: bool = True) -> Skeleton:
    """A root, a leg through world `points`, and a joint that hangs on every joint of the leg."""
    points = np.asarray(points, float)
    n = len(points)
    parents = [-1, *range(n)] + (list(range(1, n + 1)) if spare else [])
    offsets = np.concatenate([np.zeros((1, 3)), points[:1], np.diff(points, axis=0)])
    if spare:
        offsets = np.concatenate([offsets, np.tile([0.05, 0, 0.1], (n, 1))])
    return Skeleton.make([f"j{k}" for k in range(len(parents))], parents, offsets)


def legs(seed: int, bones: int, rows: int = 20) -> Any:
    """Random bent chains `(rows, bones + 1, 3)` that mostly hang down."""
    g = np.random.default_rng(seed)
    steps = g.normal(size=(rows, bones, 3)) * 0.5 + [0, -1, 0]
    return np.concatenate([np.zeros((rows, 1, 3)), np.cumsum(steps, axis=1)], axis=1) + g.normal(size=(rows, 1, 3))


def reach_of(points: Any) -> tuple[Any, Any]:
    lengths = np.linalg.norm(np.diff(points, axis=-2), axis=-1)
    total = np.sum(lengths, axis=-1)
    return np.maximum(2 * np.max(lengths, axis=-1) - total, 0), total


def moved(points: Any, turns: Any) -> Any:
    bones = rot.rotate(turns, np.diff(points, axis=-2))
    return points[..., :1, :] + np.concatenate([np.zeros_like(bones[..., :1, :]), np.cumsum(bones, axis=-2)], axis=-2)


@settings(max_examples=60)
@given(SEEDS, st.integers(1, 6), st.integers(0, 2))
def test_any_reachable_target_is_reached(seed: int, bones: int, mode: int) -> None:
    points = legs(seed, bones)
    g = np.random.default_rng(seed + 1)
    least, most = reach_of(points)
    if mode == 0:  # anywhere in reach
        distance = least + (most - least) * g.uniform(0.2, 0.999, len(points))
        target = points[:, 0] + rot.normalize(g.normal(size=(len(points), 3))) * distance[:, None]
    else:  # near where the foot is
        target = points[:, -1] + g.normal(size=(len(points), 3)) * (0.3 if mode == 1 else 1e-7)
    distance = np.clip(np.linalg.norm(target - points[:, 0], axis=-1), 0.8 * least + 0.2 * most, most)
    target = points[:, 0] + rot.normalize(target - points[:, 0]) * distance[:, None]
    solved = bend_and_aim(points, target)
    foot = moved(points, solved.turns)[:, -1]
    np.testing.assert_allclose(solved.miss, np.linalg.norm(foot - target, axis=-1), atol=1e-9)
    np.testing.assert_allclose(solved.miss, 0, atol=1e-6)


@settings(max_examples=30)
@given(SEEDS, st.integers(1, 6))
def test_a_met_target_changes_nothing(seed: int, bones: int) -> None:
    points = legs(seed, bones)
    solved = bend_and_aim(points, points[:, -1])
    np.testing.assert_allclose(rot.angle(solved.turns), 0, atol=1e-9)
    np.testing.assert_allclose(solved.bend, 1, atol=1e-9)


@settings(max_examples=30)
@given(SEEDS, st.integers(2, 6), st.floats(0.2, 0.999))
def test_a_leg_in_a_plane_stays_in_it_and_bends_the_same_way(seed: int, bones: int, share: float) -> None:
    points = legs(seed, bones)
    points[..., 0] = 0
    now = np.linalg.norm(points[:, -1] - points[:, 0], axis=-1)
    distance = now + (reach_of(points)[1] - now) * share
    target = points[:, 0] + rot.normalize(points[:, -1] - points[:, 0]) * distance[:, None]
    solved = bend_and_aim(points, target)
    after = moved(points, solved.turns)
    np.testing.assert_allclose(after[..., 0], 0, atol=1e-9)
    before, bones_after = np.diff(points, axis=1), np.diff(after, axis=1)
    cross = [np.cross(b[:, :-1], b[:, 1:])[..., 0] for b in (before, bones_after)]
    assert np.all(cross[0] * cross[1] >= -1e-9)
    # all flexions are scaled by the same number
    dot = [np.sum(b[:, :-1] * b[:, 1:], axis=-1) for b in (before, bones_after)]
    angle = np.arctan2(cross, dot)
    np.testing.assert_allclose(angle[1], solved.bend[:, None] * angle[0], atol=1e-6)


@pytest.mark.parametrize("factor", [1.0001, 1.5, 100.0])
def test_too_far_is_a_straight_leg_and_a_told_shortfall(factor: float) -> None:
    points = legs(3, 4)
    total = reach_of(points)[1]
    way = rot.normalize(np.random.default_rng(0).normal(size=(20, 3)))
    solved = bend_and_aim(points, points[:, 0] + way * (factor * total)[:, None])
    np.testing.assert_allclose(solved.miss, (factor - 1) * total, rtol=1e-6)
    np.testing.assert_allclose(moved(points, solved.turns)[:, -1], points[:, 0] + way * total[:, None], atol=1e-9)


def test_too_near_is_approached_as_far_as_the_bones_allow() -> None:
    points = np.array([[0.0, 0, 0], [0, -1, 0.2], [0, -1.3, 0.1]])
    least = reach_of(points)[0]
    solved = bend_and_aim(points, [0, -0.1, 0])
    assert solved.miss == pytest.approx(least - 0.1, abs=1e-6)
    assert np.all(np.isfinite(bend_and_aim(points, points[0]).turns))


def test_reach_below_one_stops_short_of_a_straight_leg_but_never_shortens_one() -> None:
    points = legs(3, 3)
    total = reach_of(points)[1]
    far = points[:, 0] + [0, -100, 0]
    solved = bend_and_aim(points, far, reach=0.98)
    now = np.linalg.norm(points[:, -1] - points[:, 0], axis=-1)
    length = np.linalg.norm(moved(points, solved.turns)[:, -1] - points[:, 0], axis=-1)
    np.testing.assert_allclose(length, np.maximum(0.98 * total, now), atol=1e-9)


@pytest.mark.parametrize("bend", [0.0, 1e-12, 1e-6, -1e-6, 0.01, -0.01, -0.03])
@pytest.mark.parametrize("bones", [2, 3, 5])
def test_a_straight_leg_bends_the_way_the_hint_says(bend: float, bones: int) -> None:
    """Also when it is bent over a little the wrong way."""
    directions = rot.rotate(rot.about([1.0, 0, 0], bend * np.arange(bones)), [0.0, -1, 0])
    points = np.concatenate([np.zeros((1, 3)), np.cumsum(directions, axis=0)])
    hint = np.zeros((bones - 1, 3))
    hint[0, 0] = 1
    solved = bend_and_aim(points, points[-1] * 0.9, hint=hint)
    assert solved.miss < 1e-9
    after = np.diff(moved(points, solved.turns), axis=0)
    assert np.cross(after[0], after[1])[0] > 0.1
    np.testing.assert_allclose(after[:, 0], 0, atol=1e-9)


def test_straight_legs_without_any_hint_still_bend() -> None:
    for way in np.concatenate([np.eye(3), -np.eye(3)]):
        points = np.outer(np.arange(4), way)
        solved = bend_and_aim(points, 2.5 * way)
        assert solved.miss < 1e-9
        assert np.all(np.isfinite(solved.turns))


def test_the_bend_grows_steadily_from_a_straight_leg() -> None:
    """No snap: the joint angles of a leg that shortens evenly change evenly in the square root of the shortening."""
    points = np.tile([[0.0, 0, 0], [0, -1, 0], [0, -2, 0]], (200, 1, 1))
    short = np.linspace(0, 0.3, 200)
    solved = bend_and_aim(points, points[:, -1] + np.stack([0 * short, short, 0 * short], -1), hint=[[1.0, 0, 0]])
    bones = np.diff(moved(points, solved.turns), axis=1)
    knee = np.arccos(np.clip(np.sum(bones[:, 0] * bones[:, 1], axis=-1), -1, 1))
    np.testing.assert_allclose(knee, 2 * np.arccos(1 - short / 2), atol=1e-6)


@pytest.mark.parametrize("zero", [0, 1, 2])
def test_bones_without_length_do_no_harm(zero: int) -> None:
    points = np.array([[0.0, 0, 0], [0.1, -1, 0.3], [0, -2, -0.1], [0.2, -3, 0.2]])
    points = np.insert(points, zero, points[zero], axis=0)
    for target in ([0, -2.5, 0.5], [1.0, -1, 0], [0, -9, 0]):
        solved = bend_and_aim(points, target)
        assert np.all(np.isfinite(solved.turns))
        foot = moved(points, solved.turns)[-1]
        np.testing.assert_allclose(np.linalg.norm(foot - target), solved.miss, atol=1e-9)
        assert solved.miss < 1e-9 or target[1] == -9
    flat = bend_and_aim(np.zeros((4, 3)), [0, -1, 0])
    assert flat.miss == pytest.approx(1)
    assert np.all(np.isfinite(flat.turns))


def test_joints_without_give_keep_their_angle() -> None:
    points = legs(5, 4)
    total = reach_of(points)[1]
    target = points[:, 0] + [0, -1, 0] * (0.9 * total)[:, None]
    solved = bend_and_aim(points, target, give=[1, 1, 0])
    before, after = np.diff(points, axis=1), np.diff(moved(points, solved.turns), axis=1)
    fetlock = [np.sum(rot.normalize(b[:, 2]) * rot.normalize(b[:, 3]), axis=-1) for b in (before, after)]
    np.testing.assert_allclose(fetlock[1], fetlock[0], atol=1e-9)


@pytest.mark.parametrize("lead", [(), (1,), (7,), (2, 3), (0,)])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("foot_rotation", ["follow", "keep_world"])
def test_solve_leg_over_any_leading_axes(lead: tuple[int, ...], kind: Any, foot_rotation: Any) -> None:
    skeleton = chain_skeleton([[0.2, 1, 0], [0.2, 0.6, 0.2], [0.2, 0.3, -0.1], [0.2, 0, 0]])
    g = np.random.default_rng(0)
    positions = np.broadcast_to(skeleton.offsets, (*lead, len(skeleton), 3)).astype(kind)
    rotations = rot.exp(g.normal(size=(*lead, len(skeleton), 3)) * 0.2).astype(kind)
    place, turn = forward(skeleton, positions, rotations)
    chain = [1, 2, 3, 4]
    target = (place[..., 1, :] + 0.97 * (place[..., 4, :] - place[..., 1, :])) + np.array([0.02, 0, 0.03], kind)
    solved = solve_leg(skeleton, positions, rotations, chain, target, foot_rotation=foot_rotation)
    assert solved.positions.dtype == solved.rotations.dtype == kind
    assert solved.miss.shape == solved.bend.shape == lead
    after, turned = forward(skeleton, solved.positions, solved.rotations)
    tolerance = 1e-5 if kind == np.float32 else 1e-9
    np.testing.assert_allclose(after[..., 4, :], target, atol=tolerance)
    np.testing.assert_array_equal(solved.positions, positions)
    others = [0, *range(5, len(skeleton))]
    np.testing.assert_array_equal(solved.rotations[..., others, :], rotations[..., others, :])
    if foot_rotation == "keep_world":
        np.testing.assert_allclose(rot.difference(turned[..., 4, :], turn[..., 4, :]), 0, atol=10 * tolerance)
    else:
        np.testing.assert_array_equal(solved.rotations[..., 4, :], rotations[..., 4, :])


@settings(max_examples=20)
@given(SEEDS)
def test_solve_leg_leaves_a_met_target_alone(seed: int) -> None:
    motion = wobble(random_skeleton(seed), seed)
    foot = max(range(8), key=lambda joint: len(motion.skeleton.chain(joint)))
    chain = motion.skeleton.chain(foot)[-4:]
    if len(chain) < 2:
        return
    target = motion.position_world[:, foot]
    solved = solve_leg(motion.skeleton, motion.positions, motion.rotations, chain, target)
    np.testing.assert_allclose(rot.difference(solved.rotations, motion.rotations), 0, atol=1e-9)
    np.testing.assert_allclose(solved.positions, motion.positions, atol=1e-9)


def test_a_chain_may_skip_joints_and_start_at_the_root() -> None:
    skeleton = chain_skeleton([[0.2, 1, 0], [0.2, 0.6, 0.2], [0.2, 0.3, -0.1], [0.2, 0, 0]])
    for chain in ([1, 3, 4], [0, 2, 4], [1, 4]):
        start = forward(skeleton, skeleton.offsets, skeleton.rotations)[0]
        reach = np.linalg.norm(start[chain[-1]] - start[chain[0]])
        target = start[chain[0]] + reach * rot.normalize([0.1, -1.0, 0.2]) * (1 if len(chain) == 2 else 0.9)
        solved = solve_leg(skeleton, skeleton.offsets, skeleton.rotations, chain, target)
        after = forward(skeleton, solved.positions, solved.rotations)[0]
        np.testing.assert_allclose(after[4], target, atol=1e-9)


def detached() -> tuple[Skeleton, list[int]]:
    """A leg whose foot hangs on the root, as the feet of many game rigs do."""
    points = np.array([[0, 1.0, 0], [0.2, 1, 0], [0.2, 0.6, 0.2], [0.2, 0.3, -0.1], [0.2, 0, 0]])
    offsets = np.concatenate([points[:1], np.diff(points[:4], axis=0), points[4:] - points[0]])
    return Skeleton.make(["root", "hip", "knee", "ankle", "foot"], [-1, 0, 1, 2, 0], offsets), [1, 2, 3, 4]


@pytest.mark.parametrize("foot_rotation", ["follow", "keep_world"])
def test_a_detached_foot_is_put_at_the_target_and_its_shin_follows(foot_rotation: Any) -> None:
    skeleton, chain = detached()
    g = np.random.default_rng(1)
    motion = wobble(skeleton, 1, 10, size=0.1)
    target = motion.position_world[:, 4] + g.normal(size=(10, 3)) * 0.03
    before = np.linalg.norm(motion.position_world[:, 4] - motion.position_world[:, 3], axis=-1)
    solved = solve_leg(skeleton, motion.positions, motion.rotations, chain, target, foot_rotation=foot_rotation)
    after = Motion(skeleton, 30, solved.positions, solved.rotations)
    np.testing.assert_allclose(after.position_world[:, 4], target, atol=1e-9)
    within = solved.miss < 1e-9
    assert np.sum(within) > 5
    gap = np.linalg.norm(after.position_world[:, 4] - after.position_world[:, 3], axis=-1)
    np.testing.assert_allclose(gap[within], before[within], atol=1e-9)
    np.testing.assert_array_equal(solved.positions[:, :4], motion.positions[:, :4])
    if foot_rotation == "keep_world":
        np.testing.assert_allclose(
            rot.difference(after.rotation_world[:, 4], motion.rotation_world[:, 4]), 0, atol=1e-7
        )


def test_straight_frames_bend_as_the_others_do_on_average() -> None:
    skeleton = chain_skeleton([[0.0, 2, 0], [0, 1, 0], [0, 0, 0]], spare=False)
    positions = np.tile(skeleton.offsets, (5, 1, 1))
    rotations = np.tile(rot.IDENTITY, (5, 4, 1))
    rotations[1:, 2] = rot.about([0, 0, 1.0], -0.8)  # four frames bend about -z, the first is straight
    target = np.tile([0.0, 0.4, 0], (5, 1))
    solved = solve_leg(skeleton, positions, rotations, [1, 2, 3], target)
    knee = rot.log(solved.rotations[:, 2])
    assert np.all(knee[:, 2] < -0.5)
    np.testing.assert_allclose(knee[:, :2], 0, atol=1e-9)
    average = leg_flexion(skeleton, positions, rotations, [1, 2, 3])
    np.testing.assert_allclose(average, [[0, 0, -0.64]], atol=1e-9)
    alone = solve_leg(skeleton, positions[0], rotations[0], [1, 2, 3], target[0])
    assert rot.log(alone.rotations[2])[0] > 0.5  # alone it bends about the pole, +x
    told = solve_leg(skeleton, positions[0], rotations[0], [1, 2, 3], target[0], flexion=average)
    assert rot.log(told.rotations[2])[2] < -0.5


def test_wrong_chains_are_refused() -> None:
    skeleton, _ = detached()
    for chain in ([1], [1, 1], [1, 9], [-1, 2]):
        with pytest.raises(ValueError, match="leg"):
            solve_leg(skeleton, skeleton.offsets, skeleton.rotations, chain, [0, 0, 0])


def test_falling_root_finds_crossings_behind_its_guess_and_admits_when_there_is_none() -> None:
    level = np.array([0.3, 3.0, 1.0, -2.0, 5.0])

    def function(x: Any, rows: Any) -> Any:
        return level[rows] - x * x

    low, limit = np.zeros(5), np.full(5, 2.0)
    root = falling_root(function, low, np.full(5, 0.1), limit, np.full(5, 1e-13))
    np.testing.assert_allclose(root, [np.sqrt(0.3), np.sqrt(3.0), 1, 0, 2], atol=1e-9)


def test_noise_in_a_bone_that_is_next_to_nothing_does_not_turn_the_foot() -> None:
    """An ankle and its copy, a millimetre apart in any direction, above a foot that is hardly moved."""
    g = np.random.default_rng(0)
    points = np.array([[0.0, 1.0, 0.0], [0.0, 0.6, 0.2], [0.0, 0.2, -0.1], [0.0, 0.2, -0.1], [0.0, 0.0, 0.1]])
    skeleton = chain_skeleton(points, spare=False)
    positions = np.tile(skeleton.offsets, (30, 1, 1))
    positions[:, 4] = 0.001 * rot.normalize(g.normal(size=(30, 3)))
    rotations = np.tile(skeleton.rotations, (30, 1, 1))
    places, turns = forward(skeleton, positions, rotations)
    solved = solve_leg(skeleton, positions, rotations, [1, 2, 3, 4, 5], places[:, 5] + [0.0, 0.01, 0.0])
    assert solved.miss.max() < 1e-6
    assert rot.difference(forward(skeleton, solved.positions, solved.rotations)[1], turns).max() < 0.2


def test_a_leg_of_one_bone_has_no_flexion() -> None:
    skeleton = chain_skeleton([[0.0, 1.0, 0.0], [0.0, 0.0, 0.0]], spare=False)
    assert leg_flexion(skeleton, skeleton.offsets[None], skeleton.rotations[None], [1, 2]).shape == (0, 3)

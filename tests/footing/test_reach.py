"""Legs put in place: against forward kinematics, for any target, in any batch."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from canter.footing.reach import MAX_EXTENSION, MIN_SIDE_REACH, cross, frames, legs_to, reach
from canter.motion import rotations as rot
from canter.motion.arrays import Floats
from canter.motion.kinematics import forward

from .rigs import HOOFED, PANTOGRAPH, TWO_BONES, Rig, rig

RIGS = {"two bones": rig(), "pantograph": rig(TWO_BONES, PANTOGRAPH), "hoofed": rig(PANTOGRAPH, HOOFED)}
SEEDS = st.integers(0, 2**32 - 1)


def random_poses(built: Rig, random: np.random.Generator, count: int) -> tuple[Floats, Floats]:
    """Poses near the rest pose, every joint turned a little and the trunk as it likes."""
    positions, rotations = (np.repeat(x, count, axis=0) for x in built.pose)
    rotations = rot.multiply(rotations, rot.exp(random.normal(0, 0.1, (*rotations.shape[:2], 3))))
    rotations[:, 0] = rot.unit(random.normal(size=(count, 4)))
    return positions + random.normal(0, 1, (count, 1, 3)) * (built.skeleton.parents < 0)[:, None], rotations


def feet_of(built: Rig, positions: Floats, rotations: Floats) -> Floats:
    return forward(built.skeleton, positions, rotations)[0][:, built.anatomy.feet]


@settings(max_examples=25)
@given(SEEDS, st.sampled_from(list(RIGS)), st.sampled_from([1, 2, 7]))
def test_a_foot_comes_to_its_target(seed: int, name: str, count: int) -> None:
    built, random = RIGS[name], np.random.default_rng(seed)
    tree, (positions, rotations) = built.tree, random_poses(built, np.random.default_rng(seed), count)
    targets = feet_of(built, positions, rotations) + random.uniform(-0.15, 0.15, (count, 4, 3))
    hooves = forward(built.skeleton, positions, rotations)[1][:, tree.legs.ankle]
    before = rotations.copy()
    world = frames(tree, positions, rotations)
    legs = legs_to(tree, world, targets.transpose(2, 0, 1))
    needed = reach(tree, rotations, world, legs, legs.want)
    reached = feet_of(built, positions, rotations)
    within = needed < MAX_EXTENSION
    assert np.abs(reached - targets)[within].max(initial=0.0) < 1e-9
    others = np.setdiff1d(np.arange(len(built.skeleton)), tree.movers)
    assert np.array_equal(rotations[:, others], before[:, others])
    turned = rot.difference(hooves, forward(built.skeleton, positions, rotations)[1][:, tree.legs.ankle])
    assert turned[:, tree.hooves].max(initial=0.0) < 1e-6  # a hoof keeps its rotation in the world


@pytest.mark.parametrize("name", RIGS)
def test_a_foot_that_is_in_its_place_changes_nothing(name: str) -> None:
    built = RIGS[name]
    positions, rotations = random_poses(built, np.random.default_rng(3), 20)
    before, world = rotations.copy(), frames(built.tree, positions, rotations)
    legs = legs_to(built.tree, world, feet_of(built, positions, rotations).transpose(2, 0, 1))
    needed = reach(built.tree, rotations, world, legs, legs.want)
    assert np.abs(rotations - before).max() < 1e-9
    assert needed == pytest.approx(legs.extension)


def test_a_leg_that_is_too_short_points_to_its_target() -> None:
    built = RIGS["pantograph"]
    positions, rotations = built.pose
    feet = feet_of(built, positions, rotations)
    world = frames(built.tree, positions, rotations)
    hips = world[..., :3, 3][:, built.tree.inner.hip]
    targets = hips + 3 * (feet - hips) + (0.3, 0.0, 0.4)
    legs = legs_to(built.tree, world, targets.transpose(2, 0, 1))
    needed = reach(built.tree, rotations, world, legs, legs.want)
    assert np.all(needed > 1.5)
    way, wanted = feet_of(built, positions, rotations) - hips, targets - hips
    assert np.linalg.norm(way, axis=-1) == pytest.approx((MAX_EXTENSION + 5e-4) * legs.straight, rel=1e-6)
    assert np.abs(np.cross(way, wanted)).max() < 1e-9


def test_rows_of_a_batch_are_independent() -> None:
    built, random = RIGS["hoofed"], np.random.default_rng(5)
    positions, rotations = random_poses(built, random, 6)
    targets = feet_of(built, positions, rotations) + random.uniform(-0.1, 0.1, (6, 4, 3))
    alone = rotations.copy()
    world = frames(built.tree, positions, rotations)
    legs = legs_to(built.tree, world, targets.transpose(2, 0, 1))
    reach(built.tree, rotations, world, legs, legs.want)
    for k in range(6):
        row = alone[[k]]
        world = frames(built.tree, positions[[k]], row)
        legs = legs_to(built.tree, world, targets[[k]].transpose(2, 0, 1))
        reach(built.tree, row, world, legs, legs.want)
        assert np.abs(row[0] - rotations[k]).max() < 1e-12


@given(SEEDS)
@settings(max_examples=10)
def test_frames_are_forward_kinematics(seed: int) -> None:
    built = RIGS["hoofed"]
    positions, rotations = random_poses(built, np.random.default_rng(seed), 3)
    world = frames(built.tree, positions, rotations)
    places, turns = forward(built.skeleton, positions, rotations)
    joints = built.tree.joints
    assert np.abs(world[..., :3, 3] - places[:, joints]).max() < 1e-12
    assert np.abs(world[..., :3, :3] - rot.to_matrix(turns[:, joints])).max() < 1e-12
    across = np.stack(cross(places.transpose(2, 0, 1), places[:, ::-1].transpose(2, 0, 1)), axis=-1)
    assert np.abs(across - np.cross(places, places[:, ::-1])).max() < 1e-12


def test_what_a_leg_lacks_and_how_far_it_is_drawn_in() -> None:
    """Two bones of 0.5385 m, the foot wanted 1 m below the hip and 0.5 m aside."""
    built = RIGS["two bones"]
    positions, rotations = built.pose
    world = frames(built.tree, positions, rotations)
    hips = world[..., :3, 3][:, built.tree.inner.hip]
    legs = legs_to(built.tree, world, (hips + np.array([0.5, -1.0, 0.0])).transpose(2, 0, 1))
    straight = 2 * np.hypot(0.5, 0.2)
    assert legs.straight == pytest.approx(np.full((1, 4), straight))
    assert legs.lack(np.full((1, 4), 0.9)) == pytest.approx(np.full((1, 4), 1 - np.sqrt((0.9 * straight) ** 2 - 0.25)))
    aside = np.sqrt((0.98 * straight) ** 2 - 1)
    assert 0.5 * legs.withdrawal(np.full((1, 4), 0.98))[0, 0] == pytest.approx(aside - 0.5)
    assert 0.5 * legs.withdrawal(np.full((1, 4), 0.5))[0, 0] == pytest.approx(MIN_SIDE_REACH * straight - 0.5)
    near = legs_to(built.tree, world, (hips + np.array([0.01, -1.0, 0.0])).transpose(2, 0, 1))
    assert np.abs(near.withdrawal(np.full((1, 4), 0.98))).max() < 1e-12


def test_a_straight_leg_folds_about_its_hinge() -> None:
    """Nothing in the pose says which way; the rotations stay of unit length."""
    built = rig(((-0.5, 0.0), (-0.5, 0.0)))
    (positions, rotations), tree = built.pose, built.tree
    world = frames(tree, positions, rotations)
    targets = feet_of(built, positions, rotations) + np.array([0.0, 0.2, 0.0])
    legs = legs_to(tree, world, targets.transpose(2, 0, 1))
    reach(tree, rotations, world, legs, legs.want)
    assert np.linalg.norm(rotations, axis=-1) == pytest.approx(1.0)
    assert feet_of(built, positions, rotations) == pytest.approx(targets, abs=1e-8)
    knees = forward(built.skeleton, positions, rotations)[0][0, tree.legs.knee]
    assert np.abs(knees[:, 0]) == pytest.approx(0.2)

"""Weights that do not fold the skin, on a bent tube."""

from __future__ import annotations

import numpy as np
import pytest

from canter.body import Body, Capsule
from canter.body.mesh import Mesh, partners
from canter.body.poses import bent
from canter.body.skinning import inverse_bind, joint_matrices
from canter.body.solids import place_solids
from canter.body.surface import make_surface
from canter.body.unfold import Mirror, TrialPoses, unfolded
from canter.body.weights import distance_weights, folds, smoothed, strongest_only
from canter.motion import Skeleton
from canter.motion.arrays import Floats

TUBE = Skeleton.make(["Root", "Middle", "End"], [-1, 0, 1], np.array([[0.0, 1, -1], [0.0, 0, 1], [0.0, 0, 1]]))


def tube(degrees: float) -> tuple[Mesh, Floats, Floats]:
    """A thick tube, its weights with a sharp change at the middle joint, and what bending it there does."""
    parts = [
        Capsule("Root", "Root", "Middle", 0.3, 0.3, "#808080", soft=0.02),
        Capsule("Middle", "Middle", "End", 0.3, 0.3, "#808080", soft=0.02),
    ]
    solids = place_solids(TUBE, Body(1.0, tuple(parts)))
    mesh = make_surface(solids, {"trunk": 0.0}, 0.06, 1600)
    weights = smoothed(distance_weights(mesh.vertices, solids, len(TUBE), 1.0), mesh, 2)
    poses = [bent(TUBE.rest, {1: np.radians([share * degrees, 0, 0])}) for share in (0.5, 1.0)]
    bind = inverse_bind(TUBE, TUBE.rest)
    return mesh, weights, np.array([joint_matrices(pose, bind) for pose in poses])


@pytest.mark.parametrize("degrees", [95, -100])
def test_a_bent_tube_does_not_fold(degrees: float) -> None:
    mesh, weights, moves = tube(degrees)
    assert folds(mesh, strongest_only(weights), moves).sum() > 5
    better = unfolded(weights, mesh, moves, TUBE.parents)
    assert folds(mesh, strongest_only(better), moves).sum() == 0
    np.testing.assert_allclose(better.sum(axis=1), 1, atol=1e-9)
    assert better.min() >= 0
    far = np.abs(mesh.vertices[:, 2]) > 0.9
    np.testing.assert_allclose(better[far], weights[far], atol=0.02)


def test_both_sides_stay_alike() -> None:
    mesh, weights, _ = tube(90)
    bind = inverse_bind(TUBE, TUBE.rest)
    aside = bent(TUBE.rest, {1: np.radians([0, 100.0, 0])})
    partner = partners(mesh)
    better = unfolded(weights, mesh, joint_matrices(aside, bind)[None], TUBE.parents, partner)
    assert np.abs(better - weights).max() > 0.05
    np.testing.assert_allclose(better[partner], better, atol=1e-6)


def test_a_joint_that_turns_over_gives_way_to_its_parent() -> None:
    mesh, weights, moves = tube(175)
    assert folds(mesh, strongest_only(weights), moves).sum() > 20
    better = unfolded(weights, mesh, moves, TUBE.parents)
    assert folds(mesh, strongest_only(better), moves).mean(axis=1).max() < 0.001
    tip = np.argmax(mesh.vertices[:, 2])
    assert better[tip, 0] > 0.1


def test_joints_are_partners_whose_weights_are_mirror_images() -> None:
    weights = np.array([[1.0, 0, 0, 0], [0, 1.0, 0, 0], [0.2, 0.2, 0.6, 0]])
    assert Mirror.of(weights, np.array([1, 0, 2])).joints.tolist() == [1, 0, 2, 3]


def test_area_shares_of_a_triangle() -> None:
    mesh = Mesh(np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]]), np.array([[0, 1, 2]]))
    weights = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    moves = np.tile(np.eye(3, 4), (3, 2, 1, 1))
    moves[1:, 1, 1, 3] = -0.75, -1.5
    np.testing.assert_allclose(
        TrialPoses.of(mesh, moves).shares_and_volumes(weights)[0][:, 0], [1, 0.25, -0.5], atol=1e-6
    )


def test_a_tube_that_loses_volume_gets_it_back() -> None:
    mesh, weights, moves = tube(110)
    soft = smoothed(weights, mesh, 400)
    trials = TrialPoses.of(mesh, moves)
    before = trials.shares_and_volumes(strongest_only(soft))[1].min() / mesh.volume
    tight = strongest_only(unfolded(soft, mesh, moves, TUBE.parents))
    after = trials.shares_and_volumes(tight)[1].min() / mesh.volume
    assert before < 0.86
    assert after > before + 0.02

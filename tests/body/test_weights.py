"""Skin weights: continuous where the choice of joints changes, and folds are seen."""

from __future__ import annotations

import numpy as np

from canter.body.mesh import Mesh, ball
from canter.body.weights import folds, smoothed, strongest


def test_weights_do_not_jump_where_the_choice_of_joints_changes() -> None:
    weights = np.array(
        [[0.4, 0.3, 0.15, 0.1001, 0.0499], [0.4, 0.3, 0.2, 0.05001, 0.04999], [0.4, 0.3, 0.2, 0.04999, 0.05001]]
    )
    joints, kept = strongest(weights)
    np.testing.assert_allclose(kept.sum(axis=1), 1)
    dense = np.zeros_like(weights)
    np.add.at(dense, (np.arange(3)[:, None], joints), kept)
    np.testing.assert_allclose(dense[1], dense[2], atol=1e-3)


def test_a_triangle_turned_over_counts_as_folded() -> None:
    mesh = Mesh(np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]]), np.array([[0, 1, 2]]))
    weights = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    still = np.tile(np.eye(3, 4), (2, 1, 1))
    over = still.copy()
    over[1, 1, 3] = -3.0
    assert folds(mesh, weights, np.array([still, over])).tolist() == [[False], [True]]


def test_smoothing_keeps_sums_and_brings_neighbours_together() -> None:
    sphere = ball(2)
    left = (sphere.vertices[:, 0] > 0).astype(float)
    weights = np.stack([left, 1 - left], axis=1)
    smooth = smoothed(weights, sphere, 5)
    np.testing.assert_allclose(smooth.sum(axis=1), 1)
    edges = np.unique(sphere.edges, axis=0)
    assert np.abs(np.diff(smooth[edges, 0], axis=1)).max() < 0.5

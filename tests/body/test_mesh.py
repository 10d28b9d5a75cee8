"""Meshes: spheres, mirrored halves, averaging."""

from __future__ import annotations

import numpy as np
import pytest

from canter.body.mesh import Mesh, ball, mirrored, partners


def test_a_ball_is_closed_and_a_half_is_mirrored() -> None:
    sphere = ball(2)
    assert sphere.is_closed
    assert sphere.volume == pytest.approx(4.19, abs=0.4)
    half = Mesh(sphere.vertices, sphere.triangles[sphere.vertices[sphere.triangles][:, :, 0].mean(axis=1) > 0])
    used, index = np.unique(half.triangles, return_inverse=True)
    whole = mirrored(Mesh(sphere.vertices[used], index.reshape(-1, 3)))
    assert whole.is_closed
    assert whole.volume == pytest.approx(sphere.volume)


def test_normals_of_a_ball_point_outward() -> None:
    sphere = ball(2)
    np.testing.assert_allclose((sphere.normals * sphere.vertices).sum(axis=1), 1, atol=0.02)
    inside_out = Mesh(sphere.vertices, sphere.triangles[:, ::-1])
    assert inside_out.volume == pytest.approx(-sphere.volume)
    assert inside_out.outward().volume == pytest.approx(sphere.volume)


def test_partners_are_mirror_images() -> None:
    sphere = ball(2)
    partner = partners(sphere)
    np.testing.assert_array_equal(partner[partner], np.arange(len(sphere.vertices)))
    np.testing.assert_allclose(sphere.vertices[partner] * [-1, 1, 1], sphere.vertices, atol=1e-9)


def test_averaging_keeps_constants_and_shrinks_a_ball() -> None:
    sphere = ball(2)
    mean = sphere.averaging()
    np.testing.assert_allclose(mean @ np.ones(len(sphere.vertices)), 1)
    assert np.linalg.norm(mean @ sphere.vertices, axis=1).max() < 1

"""Solids, smooth unions, meshes and weights, each on its own."""

from __future__ import annotations

import numpy as np
import pytest

from canter.body.flips import qualities, without_needles
from canter.body.mesh import Mesh, ball, mirrored
from canter.body.parts import Bend, Body, Capsule, Ellipsoid, both_sides
from canter.body.poses import bent, trial_poses
from canter.body.solids import ellipsoid_distance, linear_color, place_solids
from canter.body.surface import make_surface, smooth_min
from canter.body.weights import folds, strongest
from canter.motion import Skeleton, forward

ARM = Skeleton.make(["Root", "LeftArm", "LeftHand"], [-1, 0, 1], np.array([[0.0, 1, 0], [0.3, 0, 0], [0.3, -0.5, 0]]))


def test_a_capsule_is_as_thick_as_it_says() -> None:
    body = Body(1.0, (Capsule("Root", ("Root", 0, 0, 0), ("Root", 0, 0, 1), 0.2, 0.1, "#ffffff", thin=2),))
    (solid,) = place_solids(ARM, body)
    points = np.array([[0, 1.2, 0], [0, 1.1, 1], [0.1, 1, 0], [0, 1.15, 0.5], [0.075, 1, 0.5]])
    np.testing.assert_allclose(solid.distance(points), 0, atol=1e-9)
    assert solid.distance(np.array([0.0, 1, 0.5])) < 0
    assert solid.distance(np.array([0.3, 1, 0.5])) == pytest.approx(0.225, abs=1e-9)


def test_an_ellipsoid_lowers_its_nose() -> None:
    radii = np.array([0.1, 0.2, 0.5])
    tip = 0.5 * np.array([0, -np.sin(0.3), np.cos(0.3)])
    assert ellipsoid_distance(tip, radii, 0.3) == pytest.approx(0, abs=1e-9)
    assert ellipsoid_distance(np.zeros(3), radii, 0.0) < 0


def test_a_smooth_minimum_is_round_only_where_both_are_near() -> None:
    a, b = np.array([0.0, 1.0, 0.1]), np.array([0.0, 0.0, 0.1])
    np.testing.assert_allclose(smooth_min(a, b, 0.4), [-0.1, 0.0, 0.0], atol=1e-12)
    np.testing.assert_allclose(smooth_min(a, b, 0.0), np.minimum(a, b))


def test_rows_of_the_left_stand_for_the_right() -> None:
    parts = (
        Capsule("LeftArm", "LeftArm", ("LeftHand", 0.1, 0, 0), 0.1, 0.1, "#000000", group="LeftFore"),
        Ellipsoid("Root", ("Root", 0.1, 0, 0), (0.1, 0.1, 0.1), "#000000"),
        Ellipsoid("Root", "Root", (0.1, 0.1, 0.1), "#000000"),
    )
    bends = (Bend("LeftArm", -10, 20), Bend("LeftArm", -10, 20, "y"), Bend("Root", -5, 5))
    body = both_sides(Body(1.0, parts, {"trunk": 0.0, "LeftFore": 0.1}, bends=bends))
    assert [part.joint for part in body.parts] == ["LeftArm", "RightArm", "Root", "Root", "Root"]
    assert list(body.groups) == ["trunk", "LeftFore", "RightFore"]
    mirror = body.parts[1]
    assert isinstance(mirror, Capsule)
    assert mirror.end == ("RightHand", -0.1, 0, 0)
    assert [(bend.low, bend.high) for bend in body.bends] == [(-10, 20), (-10, 20), (-10, 20), (-20, 10), (-5, 5)]
    assert both_sides(body) is body


@pytest.mark.parametrize("symmetric", [True, False])
def test_two_balls_become_one_closed_surface(symmetric: bool) -> None:
    parts = (
        Ellipsoid("Root", ("Root", 0, 0, 0), (0.3, 0.3, 0.3), "#808080"),
        Ellipsoid("Root", ("Root", 0, 0, 0.5), (0.2, 0.2, 0.2), "#808080", blend=0.1),
    )
    mesh = make_surface(place_solids(ARM, Body(1.0, parts)), {"trunk": 0.0}, 0.03, 800, 0.8, symmetric)
    assert mesh.is_closed
    assert len(mesh.triangles) <= 800
    assert mesh.vertices[:, 1].min() == pytest.approx(0.8, abs=0.01)
    spheres = 4 / 3 * np.pi * (0.3**3 + 0.2**3)
    assert 0.75 * spheres < mesh.volume < 1.05 * spheres


def test_parts_of_two_sides_do_not_grow_together() -> None:
    sides = [
        Ellipsoid("Root", ("Root", x, 0, 0), (0.1, 0.1, 0.1), "#808080", group=g)
        for x, g in ((0.11, "l"), (-0.11, "r"))
    ]
    body = Body(1.0, tuple(sides), {"l": 0.2, "r": 0.2}, one_sided=False)
    mesh = make_surface(place_solids(ARM, body), {"l": 0.2, "r": 0.2}, 0.02, 2000, None, False)
    assert mesh.is_closed
    assert np.abs(mesh.vertices[:, 0]).min() > 0.005


def test_a_ball_is_closed_and_a_half_is_mirrored() -> None:
    sphere = ball(2)
    assert sphere.is_closed
    assert sphere.volume == pytest.approx(4.19, abs=0.4)
    half = Mesh(sphere.vertices, sphere.triangles[sphere.vertices[sphere.triangles][:, :, 0].mean(axis=1) > 0])
    used, index = np.unique(half.triangles, return_inverse=True)
    whole = mirrored(Mesh(sphere.vertices[used], index.reshape(-1, 3)))
    assert whole.is_closed
    assert whole.volume == pytest.approx(sphere.volume)


def test_needles_are_flipped() -> None:
    points = np.array([[0.0, 0, 0], [1, 0, 0], [0.5, 0.02, 0], [0.5, -0.5, 0]])
    mesh = Mesh(points, np.array([[0, 1, 2], [1, 0, 3]]))
    better = without_needles(mesh)
    assert qualities(points, better.triangles).min() > 5 * qualities(points, mesh.triangles).min()
    assert (better.faces[:, 2] > 0).all()


def test_weights_do_not_jump_where_the_choice_of_joints_changes() -> None:
    weights = np.array(
        [[0.4, 0.3, 0.15, 0.1001, 0.0499], [0.4, 0.3, 0.2, 0.05001, 0.04999], [0.4, 0.3, 0.2, 0.04999, 0.05001]]
    )
    joints, kept = strongest(weights)
    np.testing.assert_allclose(kept.sum(axis=1), 1)
    dense = np.zeros_like(weights)
    np.add.at(dense, (np.arange(3)[:, None], joints), kept)
    np.testing.assert_allclose(dense[1], dense[2], atol=1e-3)


def test_bending_turns_a_joint_about_the_axes_of_the_world() -> None:
    pose = bent(ARM.rest, {1: np.array([0.0, 0.0, np.pi / 2])})
    place, _ = forward(ARM, pose.positions, pose.rotations)
    np.testing.assert_allclose(place[2], place[1] + [0.5, 0.3, 0], atol=1e-9)
    assert len(trial_poses(ARM, [Bend("LeftArm", -10, 20)])) == 42
    assert trial_poses(ARM, []) == []


def test_a_triangle_turned_over_counts_as_folded() -> None:
    mesh = Mesh(np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]]), np.array([[0, 1, 2]]))
    weights = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    still = np.tile(np.eye(3, 4), (2, 1, 1))
    over = still.copy()
    over[1, 1, 3] = -3.0
    assert folds(mesh, weights, np.array([still, over])).tolist() == [[False], [True]]


def test_colours_are_linear() -> None:
    np.testing.assert_allclose(linear_color("#ff0080"), [1, 0, 0.2159], atol=1e-3)

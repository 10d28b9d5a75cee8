"""Closed surfaces around solids."""

from __future__ import annotations

import numpy as np
import pytest

from canter.body import Body, Ellipsoid
from canter.body.solids import place_solids
from canter.body.surface import make_surface, smooth_min
from canter.motion import Skeleton

ARM = Skeleton.make(["Root", "LeftArm", "LeftHand"], [-1, 0, 1], np.array([[0.0, 1, 0], [0.3, 0, 0], [0.3, -0.5, 0]]))


def test_a_smooth_minimum_is_round_only_where_both_are_near() -> None:
    a, b = np.array([0.0, 1.0, 0.1]), np.array([0.0, 0.0, 0.1])
    np.testing.assert_allclose(smooth_min(a, b, 0.4), [-0.1, 0.0, 0.0], atol=1e-12)
    np.testing.assert_allclose(smooth_min(a, b, 0.0), np.minimum(a, b))


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

"""Signed distances of solids, and colours."""

from __future__ import annotations

import numpy as np
import pytest

from canter.body import Body, Capsule
from canter.body.solids import ellipsoid_distance, linear_color, place_solids
from canter.motion import Skeleton

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


def test_colours_are_linear() -> None:
    np.testing.assert_allclose(linear_color("#ff0080"), [1, 0, 0.2159], atol=1e-3)

"""Edge flips remove needles."""

from __future__ import annotations

import numpy as np
import pytest

from canter.body.edge_flips import qualities, without_needles
from canter.body.mesh import Mesh, ball


def test_needles_are_flipped() -> None:
    points = np.array([[0.0, 0, 0], [1, 0, 0], [0.5, 0.02, 0], [0.5, -0.5, 0]])
    mesh = Mesh(points, np.array([[0, 1, 2], [1, 0, 3]]))
    better = without_needles(mesh)
    assert qualities(points, better.triangles).min() > 5 * qualities(points, mesh.triangles).min()
    assert (better.faces[:, 2] > 0).all()


def test_qualities_of_known_triangles() -> None:
    points = np.array([[0.0, 0, 0], [1, 0, 0], [0.5, np.sqrt(0.75), 0], [2, 0, 0]])
    assert qualities(points, np.array([[0, 1, 2], [0, 1, 3]])) == pytest.approx([1, 0])


def test_a_good_mesh_is_left_alone() -> None:
    sphere = ball(2)
    assert without_needles(sphere) is sphere

"""Complex numbers as vectors and rotations of a plane."""

from __future__ import annotations

import numpy as np

from canter.motion.planar import complex_from, unit_complex


def test_a_unit_complex_number_turns_by_its_angle() -> None:
    angles = np.linspace(-7, 7, 12).reshape(3, 4)
    np.testing.assert_allclose(unit_complex(angles), np.exp(1j * angles), atol=1e-15)
    np.testing.assert_allclose((2 + 0j) * unit_complex(np.array(np.pi / 2)), 2j, atol=1e-15)


def test_parts_become_numbers() -> None:
    assert complex_from(np.array([1.0, 2.0]), np.array([3.0, -4.0])).tolist() == [1 + 3j, 2 - 4j]

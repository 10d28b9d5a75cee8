"""Vectors and rotations of a plane as complex numbers: a product turns and scales."""

from __future__ import annotations

import numpy as np

from canter.motion.arrays import Complexes, Floats


def unit_complex(angle: Floats) -> Complexes:
    """exp(1j angle) `(...)` of angles in radians: multiplying by it turns a vector of the plane."""
    return complex_from(np.cos(angle), np.sin(angle))


def complex_from(real: Floats, imaginary: Floats) -> Complexes:
    """Complex numbers `(...)` from their parts; `real + 1j * imaginary` takes NumPy three times as long."""
    result = np.empty(real.shape, complex)
    result.real, result.imag = real, imaginary
    return result

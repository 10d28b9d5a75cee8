"""Vectors and rotations of a plane as complex numbers: a product turns and scales."""

from __future__ import annotations

from typing import Any

from canter.motion.numbers import Arrays, functions_of


def unit_complex(angle: Any) -> Any:
    """exp(1j angle) `(...)` of angles in radians, arrays or a number: multiplying by it turns a vector of the plane."""
    fn = functions_of(angle)
    return fn.complex_from(fn.cos(angle), fn.sin(angle))


complex_from = Arrays.complex_from

"""Smooth steps from 0 to 1, named by the order of their polynomial, clamped to 0 and 1 outside."""

from __future__ import annotations

import numpy as np

from canter.motion.arrays import ArrayLike, Floats


def cubic_step(x: ArrayLike) -> Floats:
    """3x² - 2x³, known as smoothstep: the slope is 0 at both ends and 1.5 in the middle."""
    x = np.minimum(np.maximum(x, 0.0), 1.0)
    result: Floats = x * x * (3.0 - 2.0 * x)
    return result


def quintic_step(x: ArrayLike) -> Floats:
    """10x³ - 15x⁴ + 6x⁵, known as smootherstep: slope and curvature are 0 at both ends; slope 1.875 in the middle."""
    x = np.minimum(np.maximum(x, 0.0), 1.0)
    result: Floats = x * x * x * (10.0 - x * (15.0 - 6.0 * x))
    return result

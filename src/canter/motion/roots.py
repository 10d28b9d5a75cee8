"""Roots of decreasing functions, for many rows at once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from canter.motion.arrays import Floats, Ints

Rowwise = Callable[[Floats, Ints], Floats]
"""A function of `x (n,)` for the rows `(n,)` of a larger problem."""


def falling_root(
    function: Rowwise, low: Floats, high: Floats, limit: Floats, tolerance: Floats, rounds: int = 100
) -> Floats:
    """The zero `(N,)` of a decreasing `function` above `low (N,)`, searched up to `high` first and then up to `limit`.

    `low` itself where a row is not positive there, and the place of the least value found where it never reaches zero.
    """
    low, high = low.copy(), np.minimum(high, limit)
    at_low, at_high, result = _bracket(function, low, high, limit)
    result = np.where(np.abs(at_low) <= tolerance, low, result)
    rows = np.flatnonzero((at_low > tolerance) & (at_high < -tolerance))
    result[rows] = _false_position(
        function, rows, low[rows], high[rows], at_low[rows], at_high[rows], tolerance[rows], rounds
    )
    return result


def _bracket(function: Rowwise, low: Floats, high: Floats, limit: Floats) -> tuple[Floats, Floats, Floats]:
    """Move `low` and `high` on, with steps that double, until the values at them differ in sign or the limit is met."""
    rows = np.arange(len(low))
    at_low, at_high = function(low, rows), function(high, rows)
    least = np.where(at_low <= at_high, at_low, at_high)
    result = np.where((at_low <= 0) | (at_low <= at_high), low, high)
    step = high - low
    while True:
        rows = np.flatnonzero((at_low > 0) & (at_high > 0) & (high < limit))
        if len(rows) == 0:
            return at_low, at_high, result
        step[rows] = np.maximum(2 * step[rows], 1e-3 * limit[rows])
        low[rows], at_low[rows] = high[rows], at_high[rows]
        high[rows] = np.minimum(high[rows] + step[rows], limit[rows])
        at_high[rows] = function(high[rows], rows)
        better = rows[at_high[rows] < least[rows]]
        least[better], result[better] = at_high[better], high[better]


def _false_position(
    function: Rowwise, rows: Ints, a: Floats, b: Floats, fa: Floats, fb: Floats, tolerance: Floats, rounds: int
) -> Floats:
    """The crossing between `a` and `b`: false position with the slope correction of Anderson and Björck (1973).

    Every sixth step halves the bracket, so that it is as safe as bisection.
    """
    result, places = a.copy(), np.arange(len(rows))
    for turn in range(1, rounds + 1):
        if len(places) == 0:
            break
        x = (a * fb - b * fa) / (fb - fa)
        x = np.where((x > a) & (x < b) & (turn % 6 != 0), x, (a + b) / 2)
        fx = function(x, rows[places])
        result[places] = x
        right = fx < 0
        slope = 1 - fx / np.where(right, fb, fa)
        keep = np.where(slope > 0, slope, 0.5)
        a, b = np.where(right, a, x), np.where(right, x, b)
        fa, fb = np.where(right, fa * keep, fx), np.where(right, fx, fb * keep)
        going = (np.abs(fx) > tolerance[places]) & (b - a > 4e-16 * np.abs(b))
        if not np.all(going):
            places, a, b, fa, fb = places[going], a[going], b[going], fa[going], fb[going]
    return result

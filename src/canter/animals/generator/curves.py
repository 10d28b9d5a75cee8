"""Cubic splines in NumPy: importing SciPy for them takes longer than making a cycle. The tests compare with SciPy."""

from __future__ import annotations

import numpy as np

from canter.motion.arrays import Floats


def periodic_spline(values: Floats, at: Floats) -> Floats:
    """The periodic cubic spline through equally spaced `values (G, ...)`, at phases `at (T,)` in cycles."""
    count = len(values)
    wave = np.cos(2 * np.pi * np.fft.rfftfreq(count)).reshape(-1, *[1] * (values.ndim - 1))
    bends = np.fft.irfft(np.fft.rfft(values, axis=0) * 6 * (wave - 1) / (wave + 2), n=count, axis=0)
    place = (at % 1.0) * count
    first = np.minimum(place.astype(int), count - 1)
    after = (first + 1) % count
    v = (place - first).reshape(-1, *[1] * (values.ndim - 1))
    u = 1 - v
    result: Floats = u * values[first] + v * values[after]
    result += ((u**3 - u) * bends[first] + (v**3 - v) * bends[after]) / 6
    return result


def clamped_uniform_spline(values: Floats, at: Floats) -> Floats:
    """The cubic spline through equally spaced `values (G,)`, slope 0 at both ends, at fractions `at (T,)` of it."""
    whole = np.concatenate(
        [values, values[-2:0:-1]]
    )  # symmetric about both ends, so the periodic spline has slope 0 there
    return periodic_spline(whole, np.clip(at, 0, 1) * (len(values) - 1) / len(whole))


def clamped_spline(x: Floats, y: Floats, at: Floats) -> Floats:
    """The cubic spline through points `x, y (K,)` with slope 0 at both ends, at `at (...)` between them."""
    step = np.diff(x)
    slope = np.diff(y) / step
    system, push = np.eye(len(x)), np.zeros(len(x))
    for k in range(1, len(x) - 1):
        system[k, k - 1 : k + 2] = step[k], 2 * (step[k - 1] + step[k]), step[k - 1]
        push[k] = 3 * (step[k] * slope[k - 1] + step[k - 1] * slope[k])
    return _hermite(x, y, np.linalg.solve(system, push), at)


def monotone_cubic(x: Floats, y: Floats, at: Floats) -> Floats:
    """Monotone cubic interpolation through points `x, y (K,)`, at `at (...)` (Fritsch and Butland 1984)."""
    step = np.diff(x)
    slope = np.diff(y) / step
    if len(x) == 2:
        return _hermite(x, y, np.repeat(slope, 2), at)
    before, after = slope[:-1], slope[1:]
    a, b = 2 * step[1:] + step[:-1], step[1:] + 2 * step[:-1]
    same = before * after > 0
    safe = np.where(same, before, 1.0), np.where(same, after, 1.0)
    inner = np.where(same, (a + b) / (a / safe[0] + b / safe[1]), 0.0)
    ends = [_end_slope(step[k], step[j], slope[k], slope[j]) for k, j in ((0, 1), (-1, -2))]
    return _hermite(x, y, np.concatenate([ends[:1], inner, ends[1:]]), at)


def _end_slope(step: float, next_step: float, slope: float, next_slope: float) -> float:
    """The slope at an end by the three-point formula, limited so that the curve does not overshoot."""
    found = ((2 * step + next_step) * slope - step * next_slope) / (step + next_step)
    if found * slope <= 0:
        return 0.0
    return 3 * slope if slope * next_slope <= 0 and abs(found) > 3 * abs(slope) else float(found)


def _hermite(x: Floats, y: Floats, slopes: Floats, at: Floats) -> Floats:
    """Cubic Hermite interpolation through points `x, y (K,)` with the given `slopes (K,)`."""
    first = np.clip(np.searchsorted(x, at, side="right") - 1, 0, len(x) - 2)
    step = x[first + 1] - x[first]
    t = (at - x[first]) / step
    rise = y[first + 1] - y[first]
    leave, arrive = slopes[first] * step, slopes[first + 1] * step
    result: Floats = y[first] + t * (leave + t * (3 * rise - 2 * leave - arrive + t * (leave + arrive - 2 * rise)))
    return result

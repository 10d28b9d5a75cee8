"""Functions of the stride's phase: harmonics, profiles through points, and springs, all exactly periodic."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from canter.animals.generator.curves import monotone
from canter.motion.arrays import Floats

Wave = tuple[tuple[float, int, float], ...]
"""Terms (amplitude, harmonic, phase of the maximum): the sum of A cos(2 pi n (phase - peak)); harmonic 0 is a mean."""
Points = tuple[tuple[float, float], ...]


def wave(terms: Wave, phase: Floats) -> Floats:
    """The sum of the terms at `phase` (cycles)."""
    result = np.zeros_like(phase)
    for amplitude, harmonic, peak in terms:
        result = result + amplitude * np.cos(2 * np.pi * harmonic * (phase - peak))
    return result


def fade(x: Floats, value: Floats, slope: Floats, curvature: Floats) -> Floats:
    """From the given value, slope and curvature at 0 to nothing at 1, and nothing beyond."""
    x = np.clip(x, 0, 1)
    held = 1 - x**3 * (10 - 15 * x + 6 * x**2)
    result: Floats = held * value + (x - x**3 * (6 - 8 * x + 3 * x**2)) * slope + x**2 * (1 - x) ** 3 / 2 * curvature
    return result


def blurred(x: Floats, width: float) -> Floats:
    """A periodic Gaussian over the first axis, `width` in cycles: corners gone, no overshoot."""
    frequency = np.fft.rfftfreq(len(x), 1 / len(x))
    damp = np.exp(-0.5 * (2 * np.pi * frequency * width) ** 2)
    result: Floats = np.fft.irfft(np.fft.rfft(x, axis=0) * damp.reshape(-1, *[1] * (x.ndim - 1)), n=len(x), axis=0)
    return result


@lru_cache(maxsize=256)
def profile(stance: Points, swing: Points, duty: float, size: int) -> Floats:
    """A smooth periodic curve `(size,)` from touchdown on, through points by fraction of stance and of swing.

    Left and right legs share it, so it is kept; it cannot be written to.
    """
    at = [(duty * s, v) for s, v in stance] + [(duty + (1 - duty) * w, v) for w, v in swing]
    x, y = np.array([p for p, _ in at]), np.array([v for _, v in at])
    curve = monotone(np.concatenate([x - 1, x, x + 1]), np.tile(y, 3), np.arange(size) / size)
    result = blurred(curve, 0.016)
    result.flags.writeable = False
    return result


def spring(force: Floats, seconds: float, frequency: float, damping: float) -> Floats:
    """Where a damped spring of unit stiffness is under a periodic `force (G, ...)`, solved in the frequency domain.

    The spring has its own `frequency` in Hz; one period takes `seconds`. No warm-up, exactly periodic.
    """
    driven = 2 * np.pi * np.fft.rfftfreq(len(force), seconds / len(force))
    own = 2 * np.pi * frequency
    gain = own**2 / (own**2 - driven**2 + 2j * damping * own * driven)
    shape = (-1, *[1] * (force.ndim - 1))
    result: Floats = np.fft.irfft(np.fft.rfft(force, axis=0) * gain.reshape(shape), n=len(force), axis=0)
    return result


def derivative(x: Floats, seconds: float, order: int = 1, most: int = 12) -> Floats:
    """The time derivative of a periodic curve, of its harmonics up to `most`."""
    frequency = np.fft.rfftfreq(len(x), 1 / len(x))
    factor = np.where(frequency <= most, (2j * np.pi * frequency / seconds) ** order, 0)
    shape = (-1, *[1] * (x.ndim - 1))
    result: Floats = np.fft.irfft(np.fft.rfft(x, axis=0) * factor.reshape(shape), n=len(x), axis=0)
    return result


def lagged(x: Floats, cycles: float) -> Floats:
    """The curve delayed by a share of the cycle."""
    frequency = np.fft.rfftfreq(len(x), 1 / len(x))
    turn = np.exp(-2j * np.pi * frequency * cycles).reshape(-1, *[1] * (x.ndim - 1))
    result: Floats = np.fft.irfft(np.fft.rfft(x, axis=0) * turn, n=len(x), axis=0)
    return result


def noise(dice: np.random.Generator, phase: Floats, first: int, last: int) -> Floats:
    """Periodic noise of unit deviation, of the harmonics from `first` to `last`."""
    harmonics = np.arange(first, last + 1)
    shift = dice.uniform(0, 1, len(harmonics))
    weight = dice.uniform(0.5, 1.0, len(harmonics)) / harmonics**0.5
    curve = (weight * np.cos(2 * np.pi * (phase[:, None] * harmonics + shift))).sum(axis=1)
    result: Floats = curve / np.sqrt((weight**2).sum() / 2)
    return result


def points(text: str) -> Points:
    """Points written as "0:38 .2:46 .6:44"."""
    return tuple((float(at), float(value)) for at, value in (word.split(":") for word in text.split()))


__all__: Sequence[str] = (
    "Points",
    "Wave",
    "blurred",
    "derivative",
    "fade",
    "lagged",
    "noise",
    "points",
    "profile",
    "spring",
    "wave",
)

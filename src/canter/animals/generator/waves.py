"""Periodic functions of the stride's phase: sums of harmonics, profiles through points, springs, delays and noise."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from canter.animals.generator.curves import monotone_cubic
from canter.motion.arrays import Floats

Wave = tuple[tuple[float, int, float], ...]
"""Terms (amplitude A, harmonic n, phase of the maximum in cycles): the sum of A cos(2 pi n (phase - peak)).

Harmonic 0 is a constant."""
Points = tuple[tuple[float, float], ...]
"""Pairs (position, value), ascending in position."""


def wave(terms: Wave, phase: Floats) -> Floats:
    """The sum of the harmonics `terms` at `phase (...)` in cycles."""
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
    """`x (G, ...)` convolved with a periodic Gaussian over the first axis, standard deviation `width` in cycles."""
    frequency = np.fft.rfftfreq(len(x), 1 / len(x))
    damp = np.exp(-0.5 * (2 * np.pi * frequency * width) ** 2)
    result: Floats = np.fft.irfft(np.fft.rfft(x, axis=0) * damp.reshape(-1, *[1] * (x.ndim - 1)), n=len(x), axis=0)
    return result


@lru_cache(maxsize=256)
def profile(stance: Points, swing: Points, duty: float, size: int) -> Floats:
    """A smooth periodic curve `(size,)` that starts at touchdown and runs close to the given points.

    Positions of `stance` points are fractions of stance, those of `swing` fractions of swing; stance takes the share
    `duty` of the stride. The result is cached because left and right legs share it, and is read-only.
    """
    at = [(duty * s, v) for s, v in stance] + [(duty + (1 - duty) * w, v) for w, v in swing]
    x, y = np.array([p for p, _ in at]), np.array([v for _, v in at])
    curve = monotone_cubic(np.concatenate([x - 1, x, x + 1]), np.tile(y, 3), np.arange(size) / size)
    result = blurred(curve, 0.016)
    result.flags.writeable = False
    return result


def spring(force: Floats, seconds: float, frequency: float, damping: float) -> Floats:
    """The displacement `(G, ...)` of a damped spring of unit stiffness under a periodic `force (G, ...)`.

    `frequency` is the natural frequency in Hz, `damping` the damping ratio, `seconds` the period of the force. Solved
    in the frequency domain, so that the result is the exactly periodic steady state.
    """
    driven = 2 * np.pi * np.fft.rfftfreq(len(force), seconds / len(force))
    own = 2 * np.pi * frequency
    gain = own**2 / (own**2 - driven**2 + 2j * damping * own * driven)
    shape = (-1, *[1] * (force.ndim - 1))
    result: Floats = np.fft.irfft(np.fft.rfft(force, axis=0) * gain.reshape(shape), n=len(force), axis=0)
    return result


def derivative(x: Floats, seconds: float, order: int = 1, highest: int = 12) -> Floats:
    """The time derivative of a periodic curve `(G, ...)` of period `seconds`, without harmonics above `highest`."""
    frequency = np.fft.rfftfreq(len(x), 1 / len(x))
    factor = np.where(frequency <= highest, (2j * np.pi * frequency / seconds) ** order, 0)
    shape = (-1, *[1] * (x.ndim - 1))
    result: Floats = np.fft.irfft(np.fft.rfft(x, axis=0) * factor.reshape(shape), n=len(x), axis=0)
    return result


def lagged(x: Floats, cycles: float) -> Floats:
    """The periodic curve `x (G, ...)` delayed by a number of `cycles`."""
    frequency = np.fft.rfftfreq(len(x), 1 / len(x))
    turn = np.exp(-2j * np.pi * frequency * cycles).reshape(-1, *[1] * (x.ndim - 1))
    result: Floats = np.fft.irfft(np.fft.rfft(x, axis=0) * turn, n=len(x), axis=0)
    return result


def noise(rng: np.random.Generator, phase: Floats, first: int, last: int) -> Floats:
    """Periodic noise `(G,)` of standard deviation 1 at `phase (G,)` in cycles, of harmonics `first` to `last`."""
    harmonics = np.arange(first, last + 1)
    shift = rng.uniform(0, 1, len(harmonics))
    weight = rng.uniform(0.5, 1.0, len(harmonics)) / harmonics**0.5
    curve = (weight * np.cos(2 * np.pi * (phase[:, None] * harmonics + shift))).sum(axis=1)
    result: Floats = curve / np.sqrt((weight**2).sum() / 2)
    return result


def points(text: str) -> Points:
    """Parses points written as "0:38 .2:46 .6:44" (position:value)."""
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

"""The last second of N animals as a network sees it: ground tracks, wanted speeds and weights of labels, in a ring."""

from __future__ import annotations

import numpy as np

from canter.motion.arrays import Bools, Complexes, Floats, Ints


class Past:
    """Frames of N animals, read `samples (P,)` frames before the last one: numbers below zero, in order.

    A frame has a track `(3, N)` (place, direction and velocity in the world, complex numbers), the wanted speed `(N,)`
    and the weights of labels `(N, A)`.
    """

    def __init__(self, samples: Ints, count: int, labels: int) -> None:
        frames = 1 - int(samples[0])
        self._samples, self._last = samples, 0
        self._tracks = np.zeros((3, frames, count), complex)
        self._told: Floats = np.zeros((frames, count, 1 + labels))

    def fill(self, who: Bools, track: Complexes, weights: Floats) -> None:
        """The animals of the mask `who (N,)` have always been like this, and were told to rest."""
        self._tracks[..., who] = track[:, None, who]
        self._told[:, who, 0], self._told[:, who, 1:] = 0.0, weights[who]

    def add(self, track: tuple[Complexes, Complexes, Complexes], speed: Floats, weights: Floats) -> None:
        """The frame that is now."""
        self._last = (self._last + 1) % len(self._told)
        self._tracks[:, self._last] = track
        told = self._told[self._last]
        told[:, 0], told[:, 1:] = speed, weights

    def read(self) -> tuple[Complexes, Floats]:
        """The sampled frames: tracks `(3, P, N)`, and what was told `(P, N, 1 + A)`: the wanted speed and weights."""
        rows = (self._last + self._samples) % len(self._told)
        return self._tracks.take(rows, axis=1), self._told.take(rows, axis=0)

"""A sequence of strides on a common phase grid: identical ones, or with small seeded differences between them."""

from __future__ import annotations

from dataclasses import dataclass
from zlib import crc32

import numpy as np

from canter.animals.generator.waves import noise
from canter.motion.arrays import Floats

GRID = 200
"""Grid points of a stride; all curves of a stride are computed on them."""


@dataclass(frozen=True)
class StrideSequence:
    """A loop of `strides` strides that take `seconds` each.

    With a `seed` every stride differs a little from the others; without one all are identical.
    """

    seconds: float
    strides: int = 1
    seed: int | None = None

    @property
    def phase(self) -> Floats:
        """The phase `(strides * GRID,)` of every grid point in cycles; it counts on over the strides."""
        return np.arange(self.strides * GRID) / GRID

    @property
    def total(self) -> float:
        """Seconds of the whole sequence."""
        return self.seconds * self.strides

    def drift(self, name: str, deviation: float) -> Floats:
        """Slow periodic noise `(strides * GRID,)` of the given standard deviation; 0 without a seed.

        Each `name` has its own random numbers.
        """
        if self.seed is None:
            return np.zeros(self.strides * GRID)
        return deviation * noise(self._rng(name), self.phase / self.strides, 1, max(1, self.strides // 2))

    def per_stride(self, name: str, deviation: float) -> Floats:
        """One random number for every stride `(strides,)`, of the given standard deviation; 0 without a seed."""
        if self.seed is None:
            return np.zeros(self.strides)
        return deviation * np.clip(self._rng(name).standard_normal(self.strides), -2, 2)

    def _rng(self, name: str) -> np.random.Generator:
        return np.random.default_rng([self.seed or 0, crc32(name.encode())])

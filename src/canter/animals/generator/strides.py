"""Strides in a row: one exact cycle, or several that differ a little as a living animal's do."""

from __future__ import annotations

from dataclasses import dataclass
from zlib import crc32

import numpy as np

from canter.animals.generator.waves import noise
from canter.motion.arrays import Floats

GRID = 200
"""Points of a stride on which everything is solved."""


@dataclass(frozen=True)
class Ride:
    """So many `strides` of so many `seconds` each, after which the first follows again.

    With a `seed` every stride is a little different; without one all are alike.
    """

    seconds: float
    strides: int = 1
    seed: int | None = None

    @property
    def phase(self) -> Floats:
        """Cycles at every point of the grid."""
        return np.arange(self.strides * GRID) / GRID

    @property
    def total(self) -> float:
        """Seconds of the whole ride."""
        return self.seconds * self.strides

    def drift(self, name: str, deviation: float) -> Floats:
        """A slow difference between strides at every point of the grid; `name` keeps one from another."""
        if self.seed is None:
            return np.zeros(self.strides * GRID)
        return deviation * noise(self._dice(name), self.phase / self.strides, 1, max(1, self.strides // 2))

    def steps(self, name: str, deviation: float) -> Floats:
        """One difference for every stride `(strides,)`."""
        if self.seed is None:
            return np.zeros(self.strides)
        return deviation * np.clip(self._dice(name).standard_normal(self.strides), -2, 2)

    def _dice(self, name: str) -> np.random.Generator:
        return np.random.default_rng([self.seed or 0, crc32(name.encode())])

"""Mirror images of what bodies see and do, by which policies learn both sides at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from canter.motion.arrays import Floats, Ints

POLAR, AXIAL = (1.0, -1.0, 1.0), (-1.0, 1.0, -1.0)
"""Signs of mirrored vectors (ahead, left, up), and of mirrored turns about them."""


@dataclass(frozen=True, eq=False)
class Mirror:
    """A mirror image of vectors `(..., n)`: where each number comes from, and its sign."""

    source: Ints
    sign: Floats

    def __call__(self, values: Floats) -> Floats:
        result: Floats = values[..., self.source] * self.sign
        return result

    @staticmethod
    def of(sign: Sequence[float], source: Sequence[int] | None = None) -> Mirror:
        return Mirror(np.arange(len(sign)) if source is None else np.asarray(source), np.asarray(sign, np.float64))

    @staticmethod
    def join(parts: Sequence[Mirror]) -> Mirror:
        starts = np.cumsum([0, *(len(part.sign) for part in parts)])
        sources = [part.source + start for part, start in zip(parts, starts, strict=False)]
        return Mirror(np.concatenate(sources), np.concatenate([part.sign for part in parts]))

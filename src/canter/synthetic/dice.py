"""Draws by name from one seed."""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np


class Dice:
    """Named draws from one seed: each name has a stream of its own, so that a new choice leaves the others alone."""

    def __init__(self, seed: int, overrides: dict[str, Any]) -> None:
        self.seed = seed
        self.overrides = dict(overrides)
        self.chosen: dict[str, str] = {}

    def stream(self, name: str) -> np.random.Generator:
        return np.random.default_rng([self.seed, zlib.crc32(name.encode())])

    def chance(self, name: str, probability: float) -> bool:
        """Whether the named thing happens; an override decides."""
        drawn = self.overrides.get(name, self.stream(name).random() < probability)
        self.chosen[name] = str(bool(drawn))
        return bool(drawn)

    def pick(self, name: str, weights: dict[str, float]) -> str:
        """One key, by weight; an override decides."""
        shares = np.array(list(weights.values()), float)
        drawn = self.overrides.get(name) or self.stream(name).choice(list(weights), p=shares / shares.sum())
        self.chosen[name] = str(drawn)
        return str(drawn)

    def check(self) -> None:
        """Raise ValueError for overrides that no draw has used."""
        unknown = sorted(set(self.overrides) - set(self.chosen))
        if unknown:
            raise TypeError(
                f"nothing is drawn by the name {', '.join(unknown)}; there are {', '.join(sorted(self.chosen))}"
            )

"""States of batches: dataclasses whose arrays have one row an animal."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np

from canter.motion.arrays import Bools


def merge_rows(now: Any, other: Any, who: Bools) -> None:
    """Takes the rows `who (N,)` of all arrays of a state dataclass from `other`, in new arrays."""
    for item in fields(now):
        mine, theirs = getattr(now, item.name), getattr(other, item.name)
        if isinstance(mine, np.ndarray):
            setattr(now, item.name, np.where(who.reshape(-1, *[1] * (mine.ndim - 1)), theirs, mine))

"""One stride of a gait on a grid of phases, seen from the travelling animal.

Everything is relative to the ground track, which goes along +Z at the cycle's speed. Phases are fractions of a stride;
a leg's own phase is zero at its touchdown.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from canter.motion.arrays import Floats

GRID = 120
"""Samples of a cycle; between them it is interpolated."""


@dataclass(frozen=True, eq=False)
class Cycle:
    """One stride. `positions (GRID, J, 3)` and `rotations (GRID, J, 4)` are local, the roots' relative to the track.

    `velocity (2,)` is how the track moves to the left and ahead in m/s and `turn` how it turns in radians a second;
    `touchdowns (L,)` and `duty (L,)` are fractions of the stride; `sweep (L, 2)` is how far each foot goes to the left
    and ahead against the track while it stands.
    """

    name: str
    gait: str
    seconds: float
    velocity: Floats
    turn: float
    positions: Floats
    rotations: Floats
    touchdowns: Floats
    duty: Floats
    sweep: Floats

    @property
    def speed(self) -> float:
        return float(np.hypot(*self.velocity))

    @property
    def stands(self) -> bool:
        """Whether no foot is ever lifted."""
        return bool(np.all(self.duty >= 1.0))

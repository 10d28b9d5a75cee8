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
MAX_STRAIGHT_YAW_RATE = 0.2
"""Radians a second below which a cycle goes straight on."""
MIN_LEAD_GAP, MAX_LEAD_GAP = 0.03, 0.365
"""Shares of a stride between the touchdowns of a pair of legs: below the first they land together, beyond the second
the gait is symmetrical (as in `anatomy.gaits.name_gait`)."""


@dataclass(frozen=True, eq=False)
class Cycle:
    """One stride. `positions (GRID, J, 3)` and `rotations (GRID, J, 4)` are local, the roots' relative to the track.

    `velocity (2,)` is how the track moves to the left and ahead in m/s and `turn` how it turns in radians a second;
    `touchdowns (L,)` and `duty (L,)` are fractions of the stride; `sweep (L, 2)` is how far each foot goes to the left
    and ahead against the track while it stands. A mirror image comes after its original in a list of cycles.
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
    is_mirror_image: bool = False

    @property
    def speed(self) -> float:
        return float(np.hypot(*self.velocity))

    @property
    def stands(self) -> bool:
        """Whether no foot is ever lifted."""
        return bool(np.all(self.duty >= 1.0))

    @property
    def goes_straight(self) -> bool:
        """Whether the track goes mostly ahead and hardly turns."""
        return bool(self.velocity[1] > 0.5 * self.speed > 0) and abs(self.turn) < MAX_STRAIGHT_YAW_RATE

    @property
    def lead(self) -> int:
        """The side of the leading foreleg, the second of the pair to land: 1 left, -1 right; 0 in a symmetrical gait.

        Where the forelegs land together, that of the hind legs.
        """
        gaps = self.touchdowns[[1, 3]] - self.touchdowns[[0, 2]]
        fore, hind = gaps - np.rint(gaps)
        gap = hind if abs(fore) < MIN_LEAD_GAP else fore
        if self.stands or abs(gap) < MIN_LEAD_GAP or max(abs(fore), abs(hind)) > MAX_LEAD_GAP:
            return 0
        return -1 if gap > 0 else 1

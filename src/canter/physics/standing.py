"""Whether a body stands by its servos alone, as it is bound: the first thing to know of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from canter.body.articulation import Articulation
from canter.physics.simulation import Simulation

STAND_SECONDS = 10.0
LOOK_SECONDS = 0.1
"""How often it is looked whether it still stands."""


@dataclass(frozen=True)
class Stood:
    """For how long a body stood, how far its trunk moved at most, and whether it still stands."""

    seconds: float
    moved_hip_heights: float
    upright: bool


def try_standing(body: Articulation, seconds: float = STAND_SECONDS) -> Stood:
    """A body in its bind pose, simulated until it falls or the time is over."""
    simulation = Simulation(body)
    start, still = simulation.qpos[0, :3].copy(), np.zeros((1, simulation.model.nu))
    substeps = round(LOOK_SECONDS / simulation.timestep)
    moved, looks = 0.0, round(seconds / LOOK_SECONDS)
    for look in range(looks):
        simulation.step(still, substeps)
        moved = max(moved, float(np.abs(simulation.qpos[0, :3] - start).max()))
        if simulation.diverged[0] or simulation.sensed().down[0]:
            return Stood(look * LOOK_SECONDS, moved / body.hip_height, False)
    return Stood(seconds, moved / body.hip_height, True)

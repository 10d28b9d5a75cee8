"""Our own way over the ground: velocity and turn follow what is wished like damped springs, within what legs can do."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from canter.motion.arrays import Complexes, Floats
from canter.motion.constants import GRAVITY

if TYPE_CHECKING:
    from canter.cycles.engine.engine import Crowd

RESPONSE = 0.95
"""How quickly speed follows, in springs' turns a stride."""
MOST = 0.8
"""The greatest acceleration, in g."""
TURNING = 14.0
"""How quickly a turn changes, radians a second, a second, for an animal of one metre at the hips."""


class Springs:
    """The drive of the preset `gaits`."""

    def move(self, crowd: Crowd, wish: Complexes, turn: Floats, dt: float) -> None:
        herd = crowd.herd
        quick = 2 * np.pi * RESPONSE / np.maximum(crowd.stride, 0.15)
        push = herd.push + dt * (quick**2 * (wish - herd.velocity) - 2 * quick * herd.push)
        herd.push = push / np.maximum(np.abs(push) / (MOST * GRAVITY), 1.0)
        before, turned = herd.velocity, herd.turn
        herd.velocity = before + dt * herd.push
        most = TURNING * dt / np.sqrt(crowd.library.character.anatomy.hip_height)
        herd.turn = turned + np.minimum(np.maximum(turn - turned, -most), most)
        middle = herd.yaw + dt * (turned + herd.turn) / 4
        herd.place = herd.place + dt * (before + herd.velocity) / 2 * np.exp(1j * middle)
        herd.yaw = herd.yaw + dt * (turned + herd.turn) / 2

"""Between canter's axes (+Y up, +Z ahead, +X left) and MuJoCo's habit (+Z up, +X ahead, +Y left): the same axes in
another order, so that a vector's numbers only change places."""

from __future__ import annotations

from canter.motion.arrays import Floats

_THERE, _BACK = [2, 0, 1], [1, 2, 0]
_TURN_THERE, _TURN_BACK = [0, 3, 1, 2], [0, 2, 3, 1]


def to_mujoco(vector: Floats) -> Floats:
    """Vectors `(..., 3)` in MuJoCo's axes."""
    return vector[..., _THERE]


def from_mujoco(vector: Floats) -> Floats:
    """Vectors `(..., 3)` in canter's axes."""
    return vector[..., _BACK]


def turn_to_mujoco(turn: Floats) -> Floats:
    """Quaternions `(..., 4)` in MuJoCo's axes."""
    return turn[..., _TURN_THERE]


def turn_from_mujoco(turn: Floats) -> Floats:
    """Quaternions `(..., 4)` in canter's axes."""
    return turn[..., _TURN_BACK]

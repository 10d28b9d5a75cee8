"""How well a simulated body follows: the rewards of CARL (Luo et al. 2020, Equations 4 to 8, 12 and 13), and ours.

All are from 0 to 1, for arrays of bodies. Speeds of hinges are counted in the animal's own time, the root of hip height
over gravity, so that a small animal's quick legs are not judged more harshly than a large one's.
"""

from __future__ import annotations

import math

import numpy as np

from canter.motion.arrays import Bools, Floats
from canter.motion.constants import GRAVITY

POSE_WEIGHT, SPEED_WEIGHT, CENTRE_WEIGHT, CONTACT_WEIGHT = 0.65, 0.1, 0.1, 0.15
"""Of Equation 8."""


def own_time(hip_height: float) -> float:
    """The animal's own unit of time, in seconds."""
    return math.sqrt(hip_height / GRAVITY)


def pose_reward(off: Floats) -> Floats:
    """Equation 4: `off (N, H)` are differences of hinge angles in radians."""
    result: Floats = np.exp(-2.0 * np.sum(off**2, axis=-1))
    return result


def joint_speed_reward(off: Floats, hip_height: float) -> Floats:
    """Equation 5: `off (N, H)` are differences of hinge speeds in rad/s, counted in the animal's own time."""
    result: Floats = np.exp(-0.1 * np.sum((off * own_time(hip_height)) ** 2, axis=-1))
    return result


def centre_reward(off: Floats) -> Floats:
    """Equation 6: `off (N, 3)` is how far the centre of mass is away, in metres."""
    result: Floats = np.exp(-10.0 * np.sum(off**2, axis=-1))
    return result


def contact_reward(contacts: Bools, wanted: Bools) -> Floats:
    """Equation 7: contacts of the feet `(N, L)` that differ."""
    result: Floats = np.exp(-5.0 / contacts.shape[-1] * np.sum(contacts ^ wanted, axis=-1))
    return result


def imitation_reward(pose: Floats, speed: Floats, centre: Floats, contact: Floats) -> Floats:
    """Equation 8."""
    result: Floats = POSE_WEIGHT * pose + SPEED_WEIGHT * speed + CENTRE_WEIGHT * centre + CONTACT_WEIGHT * contact
    return result


def speed_reward(speed: Floats, wanted: Floats) -> Floats:
    """Equation 12, in m/s."""
    result: Floats = np.exp(-0.8 * (wanted - speed) ** 2)
    return result


def heading_reward(velocity: Floats, heading: Floats) -> Floats:
    """Equation 13: the cosine between velocities on the ground `(N, 2)` and headings `(N,)`, from 0 to 1."""
    towards = np.stack([np.cos(heading), np.sin(heading)], -1)
    length = np.maximum(np.linalg.norm(velocity, axis=-1), 1e-6)
    result: Floats = 0.5 * (np.sum(towards * velocity, axis=-1) / length + 1.0)
    return result


def going_reward(velocity: Floats, wanted: Floats, hip_height: float) -> Floats:
    """Ours: velocities on the ground `(N, 2)` beside wanted ones, in hip heights per own time."""
    unit = math.sqrt(GRAVITY * hip_height)
    result: Floats = np.exp(-20.0 * np.sum(((velocity - wanted) / unit) ** 2, axis=-1))
    return result


def carriage_reward(yaw: Floats, up: Floats, height: Floats) -> Floats:
    """Ours: how far the trunk's yaw (radians), its upward axis `(N, 3)` and its height (hip heights) are off."""
    result: Floats = np.exp(-3.0 * yaw**2 - 5.0 * np.sum(up**2, axis=-1) - 40.0 * height**2)
    return result

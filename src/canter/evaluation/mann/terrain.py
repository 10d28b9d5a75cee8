"""Figure 7: hills and slopes. How deep feet sink in, how far they slip, and whether legs bend as they never do."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from canter.anatomy import Anatomy
from canter.control.world import World
from canter.evaluation.mann.rides import Ride
from canter.motion import Motion
from canter.motion import rotations as rot
from canter.motion.arrays import Floats
from canter.motion.metrics import ground_penetration, stance_slip

SLOPE = math.radians(8)
WORLDS: Mapping[str, Callable[[], World]] = {
    "flat": World,
    "uphill": lambda: World.slope(SLOPE, 0.0),
    "downhill": lambda: World.slope(SLOPE, math.pi),
    "across": lambda: World.slope(SLOPE, math.pi / 2),
    "hills": lambda: World.rolling(0.1, 4.0),
}
LIMIT_DEGREES = 10.0
"""By how much a leg joint may turn farther from its mean pose than it ever does in the ground truth."""


def leg_joints(anatomy: Anatomy) -> list[int]:
    """All joints of all legs."""
    return [joint for leg in anatomy.legs for joint in leg.joints]


def joint_ranges(motions: Sequence[Motion], anatomy: Anatomy) -> tuple[Floats, Floats]:
    """The mean local rotation of every leg joint `(J, 4)` in the ground truth, and the farthest from it `(J,)` in
    radians."""
    turned = np.concatenate([motion.rotations[:, leg_joints(anatomy)] for motion in motions]).astype(np.float64)
    turned = turned * np.where((turned * turned[:1]).sum(axis=-1, keepdims=True) < 0, -1.0, 1.0)
    mean = turned.mean(axis=0)
    mean /= np.linalg.norm(mean, axis=-1, keepdims=True)
    return mean, rot.difference(np.broadcast_to(mean, turned.shape), turned).max(axis=0)


def beyond_limits(motion: Motion, anatomy: Anatomy, ranges: tuple[Floats, Floats]) -> float:
    """The share of frames, from 0 to 1, in which any leg joint is beyond its limit."""
    mean, farthest = ranges
    turned = motion.rotations[:, leg_joints(anatomy)].astype(np.float64)
    off = rot.difference(np.broadcast_to(mean, turned.shape), turned)
    return float((off > farthest + math.radians(LIMIT_DEGREES)).any(axis=1).mean())


def terrain_figures(
    ride: Ride, world: World, anatomy: Anatomy, ground: Floats, ranges: tuple[Floats, Floats]
) -> dict[str, Any]:
    """Depth of feet below where they stand on flat ground in cm (mean and deepest), slip of stances in cm (mean and
    largest), and per cent of frames with a joint beyond its limit."""
    feet = ride.motion.position_world[:, anatomy.feet].astype(np.float64)
    level = world.height(feet[..., [0, 2]]) + ground
    depth, slip = ground_penetration(feet, level), stance_slip(feet, ride.contacts)
    return {
        "penetration": depth.mean,
        "penetration_max": depth.max,
        "slip": slip.mean,
        "slip_max": slip.max,
        "beyond_limits": 100 * beyond_limits(ride.motion, anatomy, ranges),
    }

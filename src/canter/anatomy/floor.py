"""The floor under a capture: a plane through the places where feet rest, for rooms that were calibrated with a tilt.

A tilt of two degrees lifts the feet of a dog that has walked ten metres higher than a step does.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from canter.anatomy.contacts import STEADY_SECONDS, steadied
from canter.anatomy.rig_motion import RESTING_SPEED_SHARE
from canter.motion.arrays import Floats

MIN_EXTENT = 2.0
"""Hip heights that the places of rest must extend over for a tilt to be seen."""
MIN_TILT, MAX_TILT = np.radians(0.4), np.radians(8)
"""Smaller tilts do no harm, larger ones are slopes and stairs."""
FOOT_NOISE, BODY_NOISE = 0.01, 0.05
"""Hip heights by which the places where a foot rests, and those of the body, are off a plane."""
ROUNDS = 6
"""Rounds of reweighting in which places off the plane lose their weight."""


def floor_slope(takes: Sequence[tuple[Floats, float]], height: float) -> Floats:
    """How much the floor rises along x and z `(2,)`, from foot paths `(T, L, 3)` with y up and their frame rates;
    zero where that cannot be told. `height` is that of the hips.

    All takes were captured in one room: they share the slope, and each foot of each take has a height of its own.
    """
    return common_slope([rest for feet, rate in takes for rest in _rests(feet, rate)], height)


def common_slope(
    groups: Sequence[Floats], height: float, noise: float = FOOT_NOISE, steepest: float = MAX_TILT
) -> Floats:
    """How much the planes rise along x and z `(2,)` that some groups of points `(N, 3)` with y up are on, one above the
    other; zero where that cannot be told. Points are off their plane by `noise` hip heights.

    Groups that extend over much less than the others say little of whether there is a slope.
    """
    groups = [points - points.mean(axis=0) for points in groups if len(points)]
    extents = np.array([np.ptp(points[:, [0, 2]], axis=0).max() for points in groups])
    if not groups or not extents.max() >= MIN_EXTENT * abs(height):
        return np.zeros(2)
    points = np.concatenate(groups)
    far = np.repeat(extents >= 0.5 * extents.max(), [len(group) for group in groups])
    flat, rise = points[:, [0, 2]], points[:, 1]
    weights, slope = np.ones(len(points)), np.zeros(2)
    axes = np.linalg.eigh(flat.T @ flat)[1]
    seen = np.max([np.ptp(group[:, [0, 2]] @ axes, axis=0) for group in groups], axis=0) >= MIN_EXTENT * height
    prior = len(points) * (0.3 * height) ** 2 * (axes * ~seen) @ axes.T  # no slope across straight tracks
    for _ in range(ROUNDS):
        weighted = flat * weights[:, None]
        slope = np.linalg.solve(weighted.T @ flat + prior * weights.mean(), weighted.T @ rise)
        off = np.abs(rise - flat @ slope)
        weights = 1 / (1 + (off / (noise * height)) ** 2)
    before, after = np.median(np.abs(rise[far])), np.median(np.abs(rise - flat @ slope)[far])
    steep = float(np.arctan(np.linalg.norm(slope)))
    return slope if MIN_TILT < steep < steepest and after < 0.5 * before else np.zeros(2)


def _rests(feet: Floats, rate: float) -> list[Floats]:
    """The places `(N, 3)` where each foot rests."""
    if len(feet) < 8:
        return []
    smooth = steadied(feet, round(STEADY_SECONDS * rate))
    speed = np.linalg.norm(np.gradient(smooth, axis=0), axis=-1) * rate
    slow = speed < RESTING_SPEED_SHARE * np.percentile(speed, 90, axis=0)
    return [smooth[slow[:, k], k] for k in range(feet.shape[1])]

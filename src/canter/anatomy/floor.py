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
ROUNDS = 6
"""Rounds of reweighting in which places off the plane lose their weight."""


def floor_slope(takes: Sequence[tuple[Floats, float]], height: float) -> Floats:
    """How much the floor rises along x and z `(2,)`, from foot paths `(T, L, 3)` with y up and their frame rates;
    zero where that cannot be told. `height` is that of the hips.

    All takes were captured in one room: they share the slope, and each foot of each take has a height of its own.
    """
    rests = [rest for feet, rate in takes for rest in _rests(feet, rate)]
    rests = [rest - rest.mean(axis=0) for rest in rests if len(rest)]
    if not rests or max(float(np.ptp(rest[:, [0, 2]], axis=0).max()) for rest in rests) < MIN_EXTENT * height:
        return np.zeros(2)
    points = np.concatenate(rests)
    flat, rise = points[:, [0, 2]], points[:, 1]
    weights, slope = np.ones(len(points)), np.zeros(2)
    prior = len(points) * (0.3 * height) ** 2 * np.eye(2)  # no slope across a straight track
    for _ in range(ROUNDS):
        weighted = flat * weights[:, None]
        slope = np.linalg.solve(weighted.T @ flat + prior * weights.mean(), weighted.T @ rise)
        off = np.abs(rise - flat @ slope)
        weights = 1 / (1 + (off / (0.01 * height)) ** 2)
    before, after = np.median(np.abs(rise)), np.median(np.abs(rise - flat @ slope))
    steep = float(np.arctan(np.linalg.norm(slope)))
    return slope if MIN_TILT < steep < MAX_TILT and after < 0.5 * before else np.zeros(2)


def _rests(feet: Floats, rate: float) -> list[Floats]:
    """The places `(N, 3)` where each foot rests."""
    if len(feet) < 8:
        return []
    smooth = steadied(feet, round(STEADY_SECONDS * rate))
    speed = np.linalg.norm(np.gradient(smooth, axis=0), axis=-1) * rate
    slow = speed < RESTING_SPEED_SHARE * np.percentile(speed, 90, axis=0)
    return [smooth[slow[:, k], k] for k in range(feet.shape[1])]

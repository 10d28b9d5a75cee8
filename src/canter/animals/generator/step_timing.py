"""Stance and swing of one leg on the stride's grid, and curves that are given in stance and continued through swing."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from canter.animals.generator.waves import fade
from canter.motion.arrays import Bools, Floats
from canter.motion.easing import quintic_step

OVERSHOOT_RAD = np.radians(4)
"""Radians that a joint which moves at lift-off goes on before it turns back."""


@dataclass(frozen=True)
class StepTiming:
    """When one leg stands and when it swings, in grid points.

    There are `strides` strides of `size` points. A step begins at the point `touchdown` of every stride, and its first
    `stance_points` points are stance. Curves by step have the shape `(strides, size, ...)`, each row beginning at a
    touchdown; curves by time have `(strides * size, ...)`.
    """

    size: int
    strides: int
    touchdown: int
    stance_points: int

    def by_step(self, x: Floats) -> Floats:
        """A curve by time `(strides * size, ...)` as a curve by step."""
        return np.roll(x, -self.touchdown, axis=0).reshape(self.strides, self.size, *x.shape[1:])

    def by_time(self, x: Floats) -> Floats:
        """A curve by step `(strides, size, ...)` as a curve by time."""
        return np.roll(x.reshape(self.strides * self.size, *x.shape[2:]), self.touchdown, axis=0)

    @property
    def stance(self) -> Bools:
        """Which points of a step are stance `(size,)`."""
        return np.arange(self.size) < self.stance_points

    @property
    def stance_share(self) -> Floats:
        """The fraction of stance at each point `(size,)`: 0 at touchdown, 1 at lift-off, more in swing."""
        return np.arange(self.size) / self.stance_points

    @property
    def swing_share(self) -> Floats:
        """The fraction of swing at each point `(size,)`: 0 in stance, 1 at the next touchdown."""
        return np.clip((np.arange(self.size) - self.stance_points + 1) / self.swing_points, 0, 1)

    @property
    def swing_points(self) -> int:
        """Grid points from the last point of stance to the next touchdown."""
        return self.size - self.stance_points + 1

    def blend_in_swing(self, x: Floats) -> Floats:
        """Numbers per step `(strides,)` as a curve by step: constant in stance, changing to the next in swing."""
        result: Floats = x[:, None] + (np.roll(x, -1) - x)[:, None] * quintic_step(self.swing_share)
        return result

    def swing_window(self, edge: float) -> Floats:
        """A window `(size,)` over swing: 0 in stance, else 1, with smooth edges of the fraction `edge` of swing."""
        return quintic_step(self.swing_share / edge) * quintic_step((1 - self.swing_share) / edge)


Ends = tuple[Floats, Floats, Floats]
"""Value, slope and second derivative of a curve at a point, per grid point."""


_NEAR = np.arange(6)
_SLOPES = np.linalg.pinv(np.stack([_NEAR**0, _NEAR, _NEAR**2 / 2, _NEAR**3 / 6], axis=1))[1:3]
"""Weights `(2, 6)` for slope and second derivative at the first of six points: the cubic fitted by least squares."""


def curve_ends(x: Floats, steps: StepTiming) -> tuple[Ends, Ends]:
    """A curve by step at the end of each stance, and at the beginning of the next one."""
    begin = np.einsum("kp,np...->kn...", _SLOPES, x[:, : len(_NEAR)])
    end = np.einsum("kp,np...->kn...", _SLOPES, x[:, steps.stance_points - len(_NEAR) : steps.stance_points][:, ::-1])
    following = np.roll(begin, -1, axis=1)
    return (x[:, steps.stance_points - 1], -end[0], end[1]), (np.roll(x[:, 0], -1, axis=0), following[0], following[1])


def bridge_swing(
    x: Floats, steps: StepTiming, base: Floats | float = 0.0, window: float = 1.0, overshoot: float = OVERSHOOT_RAD
) -> Floats:
    """The curve by step `x` in stance; in swing `base`, to which it fades over the fraction `window` of swing.

    It fades out after lift-off and in before touchdown; value, slope and second derivative are continuous. A curve that
    still moves at an end overshoots by about `overshoot`.
    """
    leaving, landing = curve_ends(x - base, steps)
    after = np.arange(1.0, steps.size - steps.stance_points + 1)
    length = steps.swing_points * window
    result: Floats = np.array(np.broadcast_to(base, x.shape), np.float64)
    result[:, : steps.stance_points] = x[:, : steps.stance_points]
    result[:, steps.stance_points :] += _faded_end(after, leaving, length, overshoot)
    value, slope, curvature = landing
    result[:, steps.stance_points :] += _faded_end(
        steps.swing_points - after, (value, -slope, curvature), length, overshoot
    )
    return result


def _faded_end(points: Floats, ends: Ends, length: float, overshoot: float) -> Floats:
    """What remains of an end `points (P,)` grid points away from it; the faster it moves, the sooner it is stopped."""
    value, slope, curvature = (x[:, None] for x in ends)
    points = points.reshape(-1, *[1] * (value.ndim - 2))
    stop = np.minimum(overshoot / (0.2 * np.abs(slope) + 1e-9), np.sqrt(overshoot / (0.017 * np.abs(curvature) + 1e-9)))
    stop = np.clip(stop, 10, length)
    most = 2 * overshoot  # joints of a nearly straight leg snap, and their slopes are not to be trusted
    slope, curvature = (
        np.clip(x, -most / size, most / size) for x, size in ((slope, 0.2 * stop), (curvature, 0.017 * stop**2))
    )
    rest = fade(points / length, value, 0 * value, 0 * value)
    return rest + fade(points / stop, 0 * value, slope * stop, curvature * stop**2)

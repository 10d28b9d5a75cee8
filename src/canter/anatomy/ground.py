"""The ground track: where the animal is and which way it faces, from its girdles, never from a root bone."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from canter.anatomy.character import Anatomy
from canter.motion import Motion
from canter.motion.arrays import Floats

CUTOFF_HZ = 2.0
"""Cutoff frequency of the low-pass filter: below the sway of a stride."""


@dataclass(frozen=True, eq=False)
class GroundTrack:
    """`positions (T, 2)` on the ground as (x, z) and `facings (T,)`, yaw in radians, continuous over time."""

    positions: Floats
    facings: Floats

    @cached_property
    def directions(self) -> Floats:
        """The facing as unit vectors (x, z)."""
        return np.stack([np.sin(self.facings), np.cos(self.facings)], axis=-1)


def ground_track(motion: Motion, anatomy: Anatomy, smooth: bool = True) -> GroundTrack:
    """The midpoint of the hip and shoulder lines on the ground, and their direction, for a canonical motion.

    The facing is what the way from hips to shoulders and the normals of both lines agree on; people have the lines of
    their hips and shoulders only. With `smooth`, a zero-phase low-pass at 2 Hz takes the sway of each stride out.
    """
    positions, yaw = girdle_track(motion.position_world, anatomy)
    yaw = np.unwrap(yaw)
    if smooth:
        positions, yaw = low_pass(positions, motion.frame_rate), low_pass(yaw, motion.frame_rate)
    return GroundTrack(positions, yaw)


def girdle_track(position_world: Floats, anatomy: Anatomy) -> tuple[Floats, Floats]:
    """The same for poses by themselves `(T, J, 3)`: `(T, 2)` and `(T,)`, with the sway of each stride."""
    flat = position_world[:, :, [0, 2]].astype(np.float64)
    girdles = [anatomy.legs[i : i + 2] for i in range(0, len(anatomy.legs), 2)]
    girdles += [anatomy.arms] if len(anatomy.arms) == 2 else []
    middles = [(flat[:, left.hip] + flat[:, right.hip]) / 2 for left, right in girdles]
    across = [flat[:, left.hip] - flat[:, right.hip] for left, right in girdles]
    normals = [np.stack([-line[:, 1], line[:, 0]], axis=-1) for line in across]
    facing = sum((_unit(n) for n in normals), np.zeros_like(middles[0]))
    if len(anatomy.legs) == 4:
        facing = facing + 2 * _unit(middles[0] - middles[1])
    positions = np.mean(middles[: max(len(anatomy.legs) // 2, 1)], axis=0)
    yaw: Floats = np.arctan2(facing[:, 0], facing[:, 1])
    return positions, yaw


def _unit(v: Floats) -> Floats:
    result: Floats = v / np.maximum(np.linalg.norm(v, axis=-1, keepdims=True), 1e-9)
    return result


def low_pass(x: Floats, frame_rate: float, cutoff: float = CUTOFF_HZ) -> Floats:
    """A zero-phase second-order Butterworth filter along the first axis, applied in the frequency domain.

    The ends are continued by odd reflection. Clips that are too short or too slow for the cutoff stay as they are.
    """
    if cutoff >= 0.45 * frame_rate or len(x) < 10:
        return x
    pad = min(len(x) - 1, int(2 * frame_rate / cutoff))
    whole = np.concatenate([2 * x[0] - x[pad:0:-1], x, 2 * x[-1] - x[-2 : -pad - 2 : -1]])
    drift = np.linspace(0, 1, len(whole)).reshape(-1, *[1] * (x.ndim - 1)) * (whole[-1] - whole[0]) + whole[0]
    warped = np.tan(np.pi * np.minimum(np.fft.rfftfreq(len(whole)), 0.4999)) / np.tan(np.pi * cutoff / frame_rate)
    gain = (1 / (1 + warped**4)).reshape(-1, *[1] * (x.ndim - 1))
    result: Floats = np.fft.irfft(np.fft.rfft(whole - drift, axis=0) * gain, n=len(whole), axis=0) + drift
    return result[pad : pad + len(x)]

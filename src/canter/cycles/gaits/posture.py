"""How an animal holds itself: slow turns bend the spine, fast turns lean the trunk, and the head goes first; on slopes
the trunk follows the ground under the feet.

The gains are those of two captured dogs (bend and head yaw per yaw rate, lean as a share of the ideal bank angle).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from canter.motion import rotations as rot
from canter.motion.arrays import Floats
from canter.motion.constants import GRAVITY
from canter.motion.kinematics import forward

if TYPE_CHECKING:
    from canter.cycles.engine.engine import Crowd
    from canter.cycles.engine.library import Library

BEND, HEAD = 0.20, 0.35
"""Radians that spine and head turn into a slow turn, per radian a second; less and less in fast ones."""
SLOW = 1.0
"""Froude's number of speed v / sqrt(g h) at which the spine bends half as much."""
LEAN = 0.5
"""The share of the ideal bank angle."""
STRAIGHT = 1e-6
"""Radians that cannot be seen."""
LAG = 0.15
"""Seconds in which the carriage follows."""


class Turning:
    """The carriage of the preset `gaits`."""

    def __init__(self, library: Library, count: int) -> None:
        anatomy, skeleton = library.character.anatomy, library.skeleton
        head = () if anatomy.head is None else (anatomy.head,)
        spine, neck = list(anatomy.spine[1:]), [*anatomy.neck, *head]
        self._joints = np.array(spine + neck, np.int64)
        self._gains = np.array([BEND / max(len(spine), 1)] * len(spine) + [HEAD / max(len(neck), 1)] * len(neck)) / 2
        self._froude = SLOW * np.sqrt(GRAVITY * anatomy.hip_height)
        turns = forward(skeleton, library.positions[0, 0], library.rotations[0, 0])[1]
        parents = np.maximum(skeleton.parents[self._joints], 0)
        self._axes = rot.rotate(rot.conjugate(turns[parents]), np.array([0.0, 1.0, 0.0]))
        self._roots = np.flatnonzero(skeleton.parents < 0)
        self._bend, self._lean = np.zeros(count), np.zeros(count)
        self._height, self._slope = np.zeros(count), np.zeros(count)

    def hold(self, crowd: Crowd, positions: Floats, rotations: Floats) -> None:
        self._turn(crowd, positions, rotations)
        if crowd.ground is not None:
            self._climb(crowd, positions, rotations)

    def _climb(self, crowd: Crowd, positions: Floats, rotations: Floats) -> None:
        """The trunk is as high as the ground under the feet and as steep as it is between hind and fore."""
        herd, share = crowd.herd, min(1.0, 1 / (LAG * crowd.frame_rate))
        feet = crowd.feet[..., 2] + 1j * crowd.feet[..., 0]
        there = herd.place[:, None] + feet * np.exp(1j * herd.yaw)[:, None]
        assert crowd.ground is not None
        heights = crowd.ground.height(np.stack([there.imag, there.real], axis=-1))
        ahead = feet.real[:, :2].mean(axis=1) - feet.real[:, 2:].mean(axis=1)
        slope = np.arctan2(heights[:, :2].mean(axis=1) - heights[:, 2:].mean(axis=1), np.maximum(ahead, 0.1))
        started = herd.time > 0
        share_now = np.where(started, share, 1.0)
        self._height = self._height + share_now * (heights.mean(axis=1) - self._height)
        self._slope = self._slope + share_now * (slope - self._slope)
        pitch = np.zeros((len(slope), 1, 4))
        pitch[:, 0, 0], pitch[:, 0, 1] = np.cos(self._slope / 2), -np.sin(self._slope / 2)
        middle = np.zeros((len(slope), 1, 3))
        middle[:, 0, 2] = feet.real.mean(axis=1)
        positions[:, self._roots] = middle + rot.rotate(pitch, positions[:, self._roots] - middle)
        positions[:, self._roots, 1] += self._height[:, None]
        rotations[:, self._roots] = rot.multiply(pitch, rotations[:, self._roots])

    def _turn(self, crowd: Crowd, positions: Floats, rotations: Floats) -> None:
        herd, share = crowd.herd, min(1.0, 1 / (LAG * crowd.frame_rate))
        speed = np.abs(herd.velocity)
        slow = 1 / (1 + (speed / self._froude) ** 2)
        bank = np.arctan(speed * herd.turn / GRAVITY)
        self._bend = self._bend + share * (herd.turn * slow - self._bend)
        self._lean = self._lean + share * (LEAN * bank - self._lean)
        if np.abs(self._bend).max() > STRAIGHT and len(self._joints):
            angle = self._bend[:, None] * self._gains
            turn = np.empty((*angle.shape, 4))
            turn[..., 0], turn[..., 1:] = np.cos(angle), np.sin(angle)[..., None] * self._axes
            rotations[:, self._joints] = rot.multiply(turn, rotations.take(self._joints, axis=1))
        if np.abs(self._lean).max() > STRAIGHT:
            roll = np.zeros((len(speed), 1, 4))
            roll[:, 0, 0], roll[:, 0, 3] = np.cos(self._lean / 2), -np.sin(self._lean / 2)
            up = positions[:, self._roots, 0] + 1j * positions[:, self._roots, 1]
            up = up * np.exp(-1j * self._lean)[:, None]
            positions[:, self._roots, 0], positions[:, self._roots, 1] = up.real, up.imag
            rotations[:, self._roots] = rot.multiply(roll, rotations[:, self._roots])

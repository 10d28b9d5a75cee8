"""How an animal holds itself: slow turns bend the spine, fast turns lean the trunk, and the head goes first; on slopes
the trunk follows the ground under the feet.

The gains are those of two captured dogs (bend and head yaw per yaw rate, lean as a share of the ideal bank angle).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from canter.cycles.engine.frame import Frame
from canter.cycles.engine.library import Library
from canter.footing.ground import Ground, height_at, to_complex
from canter.motion import rotations as rot
from canter.motion.arrays import Floats, Ints
from canter.motion.constants import GRAVITY
from canter.motion.kinematics import forward

SPINE_BEND, HEAD_YAW = 0.20, 0.35
"""Radians that spine and head turn into a slow turn, per radian a second; less and less in fast ones."""
HALF_BEND_FROUDE = 1.0
"""The speed v / sqrt(g h) at which the spine bends half as much."""
LEAN_SHARE = 0.5
"""The share of the ideal bank angle that the trunk leans."""
INVISIBLE = 1e-6
"""Radians that cannot be seen."""
LAG_SECONDS = 0.14
"""The time constant with which the posture follows."""


@dataclass(eq=False)
class PostureState:
    """Smoothed posture of N animals: yaw rate that bends the spine, lean in radians, height and slope of the ground."""

    count: int
    bend: Floats = field(init=False)
    lean: Floats = field(init=False)
    height: Floats = field(init=False)
    slope: Floats = field(init=False)

    def __post_init__(self) -> None:
        self.bend, self.lean, self.height, self.slope = (np.zeros(self.count) for _ in range(4))


class Posture:
    """The posture stage of the preset `gaits`."""

    def __init__(self, library: Library, count: int, frame_rate: float, ground: Ground | None) -> None:
        anatomy, skeleton = library.character.anatomy, library.skeleton
        head = () if anatomy.head is None else (anatomy.head,)
        spine, neck = list(anatomy.spine[1:]), [*anatomy.neck, *head]
        self._joints = np.array(spine + neck, np.int64)
        gains = [SPINE_BEND / max(len(spine), 1)] * len(spine) + [HEAD_YAW / max(len(neck), 1)] * len(neck)
        self._half_gains = np.array(gains) / 2
        self._half_bend_speed = HALF_BEND_FROUDE * np.sqrt(GRAVITY * anatomy.hip_height)
        self._axes = vertical_axes(library, self._joints)
        self._roots = np.flatnonzero(skeleton.parents < 0)
        self._follow, self._ground = -math.expm1(-1 / (LAG_SECONDS * frame_rate)), ground
        self.state = PostureState(count)

    def step(self, frame: Frame) -> None:
        self._turn(frame)
        if self._ground is not None:
            self._follow_ground(frame, self._ground)

    def _follow_ground(self, frame: Frame, ground: Ground) -> None:
        """The trunk is as high as the ground under the feet and as steep as it is between hind and fore."""
        root, state, positions = frame.root, self.state, frame.positions
        feet = to_complex(frame.feet)
        heights = height_at(ground, root.place[:, None] + feet * np.exp(1j * root.yaw)[:, None])
        ahead = feet.real[:, :2].mean(axis=1) - feet.real[:, 2:].mean(axis=1)
        slope = np.arctan2(heights[:, :2].mean(axis=1) - heights[:, 2:].mean(axis=1), np.maximum(ahead, 0.1))
        follow = np.where(frame.timing.time > 0, self._follow, 1.0)
        state.height = state.height + follow * (heights.mean(axis=1) - state.height)
        state.slope = state.slope + follow * (slope - state.slope)
        pitch = np.zeros((len(slope), 1, 4))
        pitch[:, 0, 0], pitch[:, 0, 1] = np.cos(state.slope / 2), -np.sin(state.slope / 2)
        middle = np.zeros((len(slope), 1, 3))
        middle[:, 0, 2] = feet.real.mean(axis=1)
        positions[:, self._roots] = middle + rot.rotate(pitch, positions[:, self._roots] - middle)
        positions[:, self._roots, 1] += state.height[:, None]
        frame.rotations[:, self._roots] = rot.multiply(pitch, frame.rotations[:, self._roots])

    def _turn(self, frame: Frame) -> None:
        """Bends spine and neck into a slow turn, leans the trunk into a fast one."""
        root, state, positions, rotations = frame.root, self.state, frame.positions, frame.rotations
        speed = np.abs(root.velocity)
        slow = 1 / (1 + (speed / self._half_bend_speed) ** 2)
        bank = np.arctan(speed * root.yaw_rate / GRAVITY)
        state.bend = _visible(state.bend + self._follow * (root.yaw_rate * slow - state.bend))
        state.lean = _visible(state.lean + self._follow * (LEAN_SHARE * bank - state.lean))
        if state.bend.any() and len(self._joints):
            angle = state.bend[:, None] * self._half_gains
            turn = np.empty((*angle.shape, 4))
            turn[..., 0], turn[..., 1:] = np.cos(angle), np.sin(angle)[..., None] * self._axes
            rotations[:, self._joints] = rot.multiply(turn, rotations.take(self._joints, axis=1))
        if state.lean.any():
            roll = np.zeros((len(speed), 1, 4))
            roll[:, 0, 0], roll[:, 0, 3] = np.cos(state.lean / 2), -np.sin(state.lean / 2)
            up = positions[:, self._roots, 0] + 1j * positions[:, self._roots, 1]
            up = up * np.exp(-1j * state.lean)[:, None]
            positions[:, self._roots, 0], positions[:, self._roots, 1] = up.real, up.imag
            rotations[:, self._roots] = rot.multiply(roll, rotations[:, self._roots])


def _visible(angle: Floats) -> Floats:
    """Angles without those that cannot be seen, so that a straight ride costs nothing."""
    return np.where(np.abs(angle) > INVISIBLE, angle, 0.0)


def vertical_axes(library: Library, joints: Ints) -> Floats:
    """The vertical in the parents of `joints (K,)`, in the first pose of the first cycle `(K, 3)`."""
    turns = forward(library.skeleton, library.positions[0, 0], library.rotations[0, 0])[1]
    parents = np.maximum(library.skeleton.parents[joints], 0)
    return rot.rotate(rot.conjugate(turns[parents]), np.array([0.0, 1.0, 0.0]))

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
from canter.footing.ground import Ground, to_complex
from canter.footing.trunk import LAG_SECONDS, TrunkFollower, TrunkState
from canter.motion import rotations as rot
from canter.motion.arrays import Floats, Ints
from canter.motion.constants import GRAVITY
from canter.motion.kinematics import forward
from canter.motion.planar import complex_from, unit_complex

SPINE_BEND, HEAD_YAW = 0.20, 0.35
"""Radians that spine and head turn into a slow turn, per radian a second; less and less in fast ones."""
HALF_BEND_FROUDE = 1.0
"""The speed v / sqrt(g h) at which the spine bends half as much."""
LEAN_SHARE = 0.5
"""The share of the ideal bank angle that the trunk leans."""
INVISIBLE = 1e-6
"""Radians that cannot be seen."""


@dataclass(eq=False)
class PostureState(TrunkState):
    """Smoothed posture of N animals: yaw rate that bends the spine, lean in radians, and the ground under the trunk."""

    bend: Floats = field(init=False)
    lean: Floats = field(init=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.bend, self.lean = np.zeros(self.count), np.zeros(self.count)


class Posture:
    """The posture stage of the preset `gaits`."""

    def __init__(self, library: Library, count: int, frame_rate: float, ground: Ground | None) -> None:
        anatomy = library.character.anatomy
        head = () if anatomy.head is None else (anatomy.head,)
        spine, neck = list(anatomy.spine[1:]), [*anatomy.neck, *head]
        self._joints = np.array(spine + neck, np.int64)
        gains = [SPINE_BEND / max(len(spine), 1)] * len(spine) + [HEAD_YAW / max(len(neck), 1)] * len(neck)
        self._half_gains = np.array(gains) / 2
        self._half_bend_speed = HALF_BEND_FROUDE * np.sqrt(GRAVITY * anatomy.hip_height)
        self._left_axes = rot.left_products(vertical_axes(library, self._joints))
        self._roots = library.tree.root_index
        self._follow = -math.expm1(-1 / (LAG_SECONDS * frame_rate))
        self.state = PostureState(count)
        legs = [leg.name for leg in anatomy.legs]
        self._trunk = None if ground is None else TrunkFollower(self.state, self._roots, ground, legs)

    def step(self, frame: Frame) -> None:
        self._turn(frame)
        if self._trunk is not None:
            root, share = frame.root, self._follow if frame.dt > 0 else 1.0
            feet = to_complex(frame.feet)
            frame.ground = self._trunk.step(frame.positions, frame.rotations, feet, root.place, root.yaw, share)

    def _turn(self, frame: Frame) -> None:
        """Bends spine and neck into a slow turn, leans the trunk into a fast one."""
        root, state, positions, rotations = frame.root, self.state, frame.positions, frame.rotations
        turns = np.count_nonzero(np.abs(root.yaw_rate) > INVISIBLE)
        if not (turns or np.count_nonzero(state.bend) or np.count_nonzero(state.lean)):
            return
        speed, rate = np.abs(root.velocity), root.yaw_rate
        slow = 1.0 / (1.0 + (speed / self._half_bend_speed) ** 2)
        now, wanted = np.array([state.bend, state.lean]), np.empty((2, len(rate)))
        wanted[0], wanted[1] = rate * slow, LEAN_SHARE * np.arctan(speed * rate / GRAVITY)
        now += self._follow * (wanted - now)
        now[np.abs(now) <= INVISIBLE] = 0.0  # so that a straight ride costs nothing
        state.bend, state.lean = now
        if len(self._joints) and np.count_nonzero(state.bend):
            angle = (state.bend[:, None] * self._half_gains)[..., None]
            joints = rotations.take(self._joints, axis=1)
            aside = np.matmul(joints[..., None, :], self._left_axes)[..., 0, :]
            rotations[:, self._joints] = np.cos(angle) * joints + np.sin(angle) * aside
        if np.count_nonzero(state.lean):
            roots = self._roots
            half = unit_complex(-0.5 * state.lean)[:, None]
            up = complex_from(positions[:, roots, 0], positions[:, roots, 1]) * (half * half)
            positions[:, roots, 0], positions[:, roots, 1] = up.real, up.imag
            rotations[:, roots] = rot.turned(rotations[:, roots], "z", half)


def vertical_axes(library: Library, joints: Ints) -> Floats:
    """The vertical in the parents of `joints (K,)`, in the first pose of the first cycle `(K, 3)`."""
    turns = forward(library.skeleton, library.positions[0, 0], library.rotations[0, 0])[1]
    parents = np.maximum(library.skeleton.parents[joints], 0)
    return rot.rotate(rot.conjugate(turns[parents]), np.array([0.0, 1.0, 0.0]))

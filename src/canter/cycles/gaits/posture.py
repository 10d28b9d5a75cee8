"""How an animal holds itself: slow turns bend the spine, fast turns lean the trunk, and the head goes first; on slopes
the trunk follows the ground under the feet.

The gains are those of two captured dogs (bend and head yaw per yaw rate, lean as a share of the ideal bank angle).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from canter.cycles.engine.frame import Frame
from canter.cycles.engine.library import Library
from canter.footing.ground import Ground, to_complex, turn_roots
from canter.footing.trunk import LAG_SECONDS, TrunkFollower, TrunkState
from canter.motion import rotations as rot
from canter.motion.arrays import Floats, Ints
from canter.motion.constants import GRAVITY
from canter.motion.kinematics import forward
from canter.motion.numbers import array_of, column, functions_of, number_or_array, some
from canter.motion.planar import unit_complex

SPINE_BEND, HEAD_YAW = 0.20, 0.35
"""Radians that spine and head turn into a slow turn, per radian a second; less and less in fast ones."""
MAX_BEND_RATE = 2.1
"""Radians a second of turning beyond which nothing bends more: small animals with long strides spin faster."""
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
        anatomy, gains = library.character.anatomy, bend_gains(library)
        self._joints, self._half_gains = np.array([*gains], np.int64), np.array([*gains.values()]) / 2
        self._half_bend_speed = HALF_BEND_FROUDE * math.sqrt(GRAVITY * anatomy.hip_height)
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
            feet = frame.natural = to_complex(frame.feet)
            frame.ground = self._trunk.step(frame.positions, frame.rotations, feet, root.place, root.yaw, share)

    def _turn(self, frame: Frame) -> None:
        """Bends spine and neck into a slow turn, leans the trunk into a fast one."""
        state, rotations, rate = self.state, frame.rotations, number_or_array(frame.root.yaw_rate)
        bend, lean = number_or_array(state.bend), number_or_array(state.lean)
        if not (some(abs(rate) > INVISIBLE) or some(bend) or some(lean)):
            return
        speed = abs(number_or_array(frame.root.velocity))
        fn = functions_of(rate)
        slow = fn.minimum(fn.maximum(rate, -MAX_BEND_RATE), MAX_BEND_RATE)
        bend = self._followed(bend, slow / (1.0 + (speed / self._half_bend_speed) ** 2))
        lean = self._followed(lean, LEAN_SHARE * fn.arctan(speed * rate / GRAVITY))
        state.bend, state.lean = array_of(bend), array_of(lean)
        if len(self._joints) and some(bend):
            angle = (column(bend) * self._half_gains)[..., None]
            joints = rotations.take(self._joints, axis=1)
            aside = np.matmul(joints[..., None, :], self._left_axes)[..., 0, :]
            rotations[:, self._joints] = np.cos(angle) * joints + np.sin(angle) * aside
        if some(lean):
            turn_roots(frame.positions, rotations, self._roots, "z", unit_complex(-0.5 * lean))

    def _followed(self, now: Any, goal: Any) -> Any:
        """What follows its goal smoothly, one frame later; zero where it cannot be seen, so that a straight ride costs
        nothing."""
        now = now + self._follow * (goal - now)
        return functions_of(now).where(abs(now) <= INVISIBLE, 0.0, now)


def bend_gains(library: Library) -> dict[int, float]:
    """By how much joints turn about the vertical, per radian a second, to bend an animal into a turn: those of the
    spine, toward the turn where they carry the forelegs and away from it where they carry the hind legs, for the root
    may be at either end; those of neck and head; and feet that hang elsewhere, as much as their legs."""
    skeleton, anatomy = library.skeleton, library.character.anatomy
    head = () if anatomy.head is None else (anatomy.head,)
    hind, fore = ({leg.hip for leg in anatomy.legs if leg.name.endswith(end)} for end in "HF")
    neck = [joint for joint in (*anatomy.neck, *head) if not (hind | fore) & {*skeleton.subtree(joint)}]
    carried = {joint: {*skeleton.subtree(joint)} for joint in anatomy.spine}
    ahead = {joint: bool((fore | {*neck}) & below) for joint, below in carried.items()}
    bent = [joint for joint in anatomy.spine if ahead[joint] != bool(hind & carried[joint])]
    gains = {joint: (1.0 if ahead[joint] else -1.0) * SPINE_BEND / len(bent) for joint in bent}
    gains |= {joint: HEAD_YAW / len(neck) for joint in neck}

    def turned(joint: int) -> float:
        return sum(gains.get(above, 0.0) for above in skeleton.chain(joint))

    loose = library.tree.loose
    hung = {int(j): turned(int(on)) - turned(int(j)) for j, on in zip(loose.joints, loose.carriers, strict=True)}
    return gains | {joint: gain for joint, gain in hung.items() if gain}


def vertical_axes(library: Library, joints: Ints) -> Floats:
    """The vertical in the parents of `joints (K,)`, in the first pose of the first cycle `(K, 3)`."""
    turns = forward(library.skeleton, library.positions[0, 0], library.rotations[0, 0])[1]
    parents = np.maximum(library.skeleton.parents[joints], 0)
    return rot.rotate(rot.conjugate(turns[parents]), np.array([0.0, 1.0, 0.0]))

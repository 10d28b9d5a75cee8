"""Actions that an animal performs from standing to standing, led into and out of without a jerk."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from canter.anatomy import Character
from canter.anatomy.lazily import ByName
from canter.animals.waves import smoothstep
from canter.cycles.herd import Herd
from canter.motion import rotations as rot
from canter.motion.arrays import Bools, Floats
from canter.motion.edits import resample

if TYPE_CHECKING:
    from canter.motion import Motion

SOFT = 0.35
"""Seconds over which what is left of the pose before is let go."""


class Performance:
    """What one animal performs now, if anything, and what is left over from its pose before."""

    def __init__(self, character: Character, frame_rate: float, root: Floats) -> None:
        """`root (3,)` is where the root of the standing animal is, level, seen from the middle of it."""
        self._actions = ByName(character.actions)
        self._frame_rate, self._skeleton, self._root = frame_rate, character.skeleton, root
        self._motions: dict[str, Motion] = {}
        self._roots = np.flatnonzero(character.skeleton.parents < 0)
        self.reset()

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._actions)

    def reset(self) -> None:
        self.name: str | None = None
        self._frame, self._age, self._jump = 0, np.inf, False
        self._last: tuple[Floats, Floats] | None = None
        """The last pose, of whatever moved the animal."""
        self._turns: Floats = np.zeros((len(self._skeleton), 4))
        self._shift: Floats = np.zeros((len(self._roots), 3))
        self.contacts: Bools = np.ones(4, bool)

    def begin(self, name: str, herd: Herd) -> None:
        """Starts an action where the animal stands."""
        self.name, self._frame = name, 0
        action = self._actions[name]
        rate = self._frame_rate
        if name not in self._motions:
            same = abs(action.motion.frame_rate - rate) < 1e-6
            self._motions[name] = action.motion if same else resample(action.motion, rate)
        self._start = complex(herd.place[0]), float(herd.yaw[0])
        self._jump = True

    def step(self, wanted: str | None, herd: Herd) -> tuple[Floats, Floats, bool]:
        """One frame: local positions and rotations `(1, J, ...)`, roots in the world, and whether it has ended.

        A hold goes on as long as the action is wanted.
        """
        assert self.name is not None
        action, motion = self._actions[self.name], self._motions[self.name]
        scale = self._frame_rate / action.motion.frame_rate
        positions, rotations = (x[None] for x in self._pose())
        self.contacts = action.contacts[min(int(self._frame / scale), len(action.contacts) - 1)]
        travelled = motion.positions[int(self._frame), 0] - motion.positions[0, 0]
        place, yaw = self._start
        herd.place[0] = place + (float(travelled[2]) + 1j * float(travelled[0])) * np.exp(1j * yaw)
        self._frame += 1
        if action.hold is not None and wanted == self.name and self._frame >= action.hold[1] * scale:
            self._frame = int(action.hold[0] * scale)
        finished = self._frame >= len(motion)
        self.soften(positions, rotations)
        if finished:
            self.name, self._jump = None, True
        return positions, rotations, finished

    def soften(self, positions: Floats, rotations: Floats) -> None:
        """Leads from the pose before into those `(1, J, ...)` of another source, in place."""
        if self._jump and self._last is not None:
            before_positions, before_rotations = self._last
            self._turns = rot.multiply(rot.conjugate(rotations[0]), before_rotations)
            self._shift = before_positions[self._roots] - positions[0, self._roots]
            self._age = 0.0
        self._jump = False
        if self._age < SOFT:
            left = float(1 - smoothstep(np.array(self._age / SOFT)))
            self._age += 1 / self._frame_rate
            rotations[0] = rot.multiply(rotations[0], rot.slerp(rot.IDENTITY, self._turns, np.float64(left)))
            positions[0, self._roots] += left * self._shift
        self._last = positions[0].copy(), rotations[0].copy()

    def _pose(self) -> tuple[Floats, Floats]:
        """The action's pose now, where it was begun."""
        assert self.name is not None
        motion = self._motions[self.name]
        frame = min(int(self._frame), len(motion) - 1)
        positions = motion.positions[frame].astype(np.float64)
        rotations = motion.rotations[frame].astype(np.float64)
        place, yaw = self._start
        turn, origin = rot.yaw(np.float64(yaw)), motion.positions[0, 0] * [1, 0, 1]
        positions[self._roots] = rot.rotate(turn, positions[self._roots] - origin)
        positions[self._roots] += rot.rotate(turn, self._root) + np.array([place.imag, 0.0, place.real])
        rotations[self._roots] = rot.multiply(turn, rotations[self._roots])
        return positions, rotations

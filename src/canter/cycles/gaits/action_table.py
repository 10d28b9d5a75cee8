"""The table of actions: clips at the frame rate of the engine, seen from the animal that does them."""

from __future__ import annotations

import numpy as np

from canter.anatomy import Action
from canter.cycles.engine.library import Library
from canter.motion.arrays import Bools, Floats
from canter.motion.edits import resample
from canter.motion.kinematics import forward

LEAVE_SECONDS = 0.6
"""Seconds before its end at which an action may be left for a gait, at 1 m of hip height, if all feet stand."""
LEAVE_HEIGHT = 0.04
"""Hip heights by which the trunk may then be off where it ends."""


class ActionTable:
    """Actions at the frame rate of the engine, one after the other `(F, ...)`, seen from the animal that does them:
    poses, feet, how far the root has `travelled` (complex), the legs' `clocks`, and whether an animal that wants to go
    on may leave (`leavable`). `first`, `length`, `hold_first` and `hold_last (A,)` are frames of each action."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.first, self.length, self.hold_first, self.hold_last = (np.zeros(0, np.int64) for _ in range(4))
        self._parts: list[tuple[Floats, ...]] = []

    def add(self, action: Action, library: Library, frame_rate: float, root: Floats) -> None:
        """Loads an action; `root (3,)` is where the root of a standing animal is, level, seen from its middle."""
        motion, anatomy = action.motion, library.character.anatomy
        scale = frame_rate / motion.frame_rate
        motion = motion if abs(scale - 1) < 1e-6 else resample(motion, frame_rate)
        count = len(motion)
        at = np.minimum((np.arange(count) / scale).astype(int), len(action.contacts) - 1)
        clocks = np.stack([_clock(leg) for leg in action.contacts[at].T], axis=1)
        positions, rotations = (x.astype(np.float64) for x in (motion.positions, motion.rotations))
        gone = positions[:, 0] - positions[0, 0]
        roots = np.flatnonzero(motion.skeleton.parents < 0)
        positions[:, roots] -= (positions[:, 0] * np.array([1.0, 0.0, 1.0]))[:, None]
        feet = forward(motion.skeleton, positions, rotations)[0][:, anatomy.feet] + root
        heights = positions[:, roots[0], 1]
        positions[:, roots] += root
        late = count - np.arange(count) < LEAVE_SECONDS * np.sqrt(anatomy.hip_height) * frame_rate
        stands = np.flip(np.logical_and.accumulate(np.flip((clocks < 1).all(axis=1))))
        leavable = late & stands & (np.abs(heights - heights[-1]) < LEAVE_HEIGHT * anatomy.hip_height)
        hold = (-1, -1) if action.hold is None else tuple(min(int(k * scale), count - 1) for k in action.hold)
        numbers = (int(self.length.sum()), count, *hold)
        for name, number in zip(("first", "length", "hold_first", "hold_last"), numbers, strict=True):
            setattr(self, name, np.append(getattr(self, name), number))
        self.names.append(action.name)
        self._parts.append((positions, rotations, feet, gone[:, 2] + 1j * gone[:, 0], clocks, leavable))
        stacked = [np.concatenate(part) for part in zip(*self._parts, strict=True)]
        self.positions, self.rotations, self.feet, self.travelled, self.clocks, self.leavable = stacked


def _clock(stands: Bools) -> Floats:
    """A leg's clock `(T,)` from when it stands: in the middle of a stance, or as far through a swing as it is."""
    clock = np.full(len(stands), 0.5)
    edges = np.flatnonzero(np.diff(np.concatenate([[True], stands, [True]]).astype(int)))
    for first, last in zip(edges[::2], edges[1::2], strict=True):
        clock[first:last] = 1 + (np.arange(first, last) - first + 1) / (last - first + 1)
    return clock

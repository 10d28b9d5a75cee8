"""The kinematic controller that a simulated body follows: run a little ahead of it, and read as a reference.

A policy is told what its reference does in the next two of its steps, so the guide is ahead by these and by the frame
that the last speeds are read from: some 80 ms at 60 frames a second.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np

from canter.anatomy import Character
from canter.body.articulation import Articulation, Placed
from canter.control.batch import BatchCommand, BatchController, BatchState
from canter.control.registry import make_batch
from canter.motion import forward
from canter.motion.arrays import Bools, Floats
from canter.physics.reference import POLICY_RATE, ReferenceState, states_between

STEPS_AHEAD = 2
"""Steps of a policy that it is told ahead."""


@dataclass(frozen=True, eq=False)
class Guided:
    """A frame of the guide, and how a body would be placed in it."""

    state: BatchState
    placed: Placed


class Guide:
    """A batch controller that N bodies follow."""

    def __init__(self, body: Articulation, character: Character, count: int, frame_rate: float, name: str) -> None:
        self.controller: BatchController = make_batch(name, character, count, frame_rate=frame_rate)
        self.body, self.frame_rate = body, frame_rate
        self.frames_per_step = round(frame_rate / POLICY_RATE)
        self._now = 1
        self._frames: deque[Guided] = deque(maxlen=STEPS_AHEAD * self.frames_per_step + 3)

    def reset(self, seed: int, who: Bools | None) -> None:
        """The guides of a mask, or all, stand at the origin and have done so for a while."""
        state = self.controller.reset(seed, who)
        fresh = self._guided(state)
        if who is None or not self._frames:
            self._frames.extend([fresh] * (self._frames.maxlen or 1))
            return
        for k, frame in enumerate(self._frames):
            self._frames[k] = _merged(frame, fresh, who)

    def step(self, command: BatchCommand) -> None:
        """Goes on by one frame."""
        self._frames.append(self._guided(self.controller.step(command)))

    @property
    def now(self) -> BatchState:
        """The frame that the body should be in now."""
        return self._frames[self._now].state

    @property
    def places(self) -> Floats:
        """Where the first segment should be on the ground now `(N, 2)`, ahead and left, if nothing had moved it."""
        return self._frames[self._now].placed.place[:, [2, 0]]

    @property
    def latest(self) -> BatchState:
        """The frame that the guide itself has come to."""
        return self._frames[-1].state

    def ahead(self, steps: int) -> ReferenceState:
        """What the body should do so many steps of its policy from now."""
        at = self._now + steps * self.frames_per_step
        before, now, after = (self._frames[at + k] for k in (-1, 0, 1))
        return states_between(before.placed, now.placed, after.placed, now.state.contacts, 2 / self.frame_rate)

    def _guided(self, state: BatchState) -> Guided:
        skeleton = self.body.character.skeleton
        return Guided(state, self.body.place(*forward(skeleton, state.positions, state.rotations)))


def _merged(old: Guided, new: Guided, who: Bools) -> Guided:
    """The new frame for the rows of a mask, the old one for the others."""
    placed = Placed(
        *(
            np.where(who[:, None], getattr(new.placed, name), getattr(old.placed, name))
            for name in ("place", "turn", "angles")
        )
    )
    mask = who[:, None, None]
    a, b = new.state, old.state
    state = BatchState(
        np.where(mask, a.positions, b.positions),
        np.where(mask, a.rotations, b.rotations),
        np.where(who[:, None], a.contacts, b.contacts),
        np.where(who, a.gait, b.gait),
        a.gait_names,
        np.where(who[:, None], a.velocity_world, b.velocity_world),
        np.where(who, a.facing, b.facing),
        np.where(who[:, None], a.place, b.place),
        a.samples,
    )
    return Guided(state, placed)

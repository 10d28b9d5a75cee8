"""Inertialisation: where a pose does not follow from the one before, the difference and its speed fade out.

(Bollo 2018 and Holden's dead blending do the same with other curves.) Poses are compared as seen from the animal.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from canter.control.trajectory import on_plane
from canter.cycles.engine.frame import Frame
from canter.motion import rotations as rot
from canter.motion.arrays import Bools, Complexes, Floats, Ints
from canter.motion.easing import quintic_step
from canter.motion.rows import merge_rows

FADE_SECONDS = 0.4
"""Seconds over which the difference to the pose before, and its speed, fade out."""


@dataclass(eq=False)
class Offsets:
    """What fades out of N animals: rotation vectors of all joints and their speeds `(N, J, 3)`, shifts of the roots and
    their speeds `(N, R, 3)`, for how long already; and who is to be measured anew."""

    count: int
    joints: int
    roots: int
    age: Floats = field(init=False)
    pending: Bools = field(init=False)
    turns: Floats = field(init=False)
    spins: Floats = field(init=False)
    shift: Floats = field(init=False)
    drift: Floats = field(init=False)

    def __post_init__(self) -> None:
        n = self.count
        self.age, self.pending = np.full(n, np.inf), np.zeros(n, bool)
        self.turns, self.spins = np.zeros((n, self.joints, 3)), np.zeros((n, self.joints, 3))
        self.shift, self.drift = np.zeros((n, self.roots, 3)), np.zeros((n, self.roots, 3))


Kept = tuple[Floats, Floats, Complexes, Floats]
"""Positions, rotations, places and yaws of a frame."""


class Inertialiser:
    """Remembers the last two poses, and fades out what the next one differs by where it is asked to."""

    def __init__(self, joints: int, roots: Ints, count: int, frame_rate: float) -> None:
        self._roots, self._frame_rate = roots, frame_rate
        self.state = Offsets(count, joints, len(roots))
        self._poses: list[Kept] = []

    def request(self, rows: Ints | Bools) -> None:
        """From the next pose on, what it differs by from those before fades out."""
        self.state.pending[rows] = True

    def step(self, frame: Frame) -> None:
        state = self.state
        if np.count_nonzero(state.pending):
            if self._poses:
                self._measure(frame, np.flatnonzero(state.pending))
            state.pending[:] = False
        fades = state.age < FADE_SECONDS
        if not np.count_nonzero(fades):
            return
        rows = np.flatnonzero(fades)
        share = state.age[rows] / FADE_SECONDS
        left = (1 - quintic_step(share))[:, None, None]
        on = (FADE_SECONDS * share * (1 - share) ** 3)[:, None, None]
        turns = rot.exp(left * state.turns[rows] + on * state.spins[rows])
        frame.rotations[rows] = rot.multiply(frame.rotations[rows], turns)
        frame.positions[rows[:, None], self._roots] += left * state.shift[rows] + on * state.drift[rows]
        state.age[rows] += 1 / self._frame_rate

    def remember(self, frame: Frame) -> None:
        """After everything: the pose of this frame, roots in the world."""
        self._poses = [*self._poses[-1:], (frame.positions, frame.rotations, frame.root.place, frame.root.yaw)]

    def reset(self, who: Bools) -> None:
        merge_rows(self.state, Offsets(self.state.count, self.state.joints, self.state.roots), who)

    def _measure(self, frame: Frame, rows: Ints) -> None:
        """By how much the poses before were off this one, and how fast that changed."""
        state, rate = self.state, self._frame_rate
        positions, rotations = frame.positions[rows][:, self._roots], frame.rotations[rows]
        seen = [self._seen(kept, rows) for kept in self._poses]
        off = [rot.log(rot.multiply(rot.conjugate(rotations), turns)) for _, turns in seen]
        away = [places - positions for places, _ in seen]
        state.turns[rows], state.shift[rows] = off[-1], away[-1]
        state.spins[rows] = (off[-1] - off[0]) * rate
        state.drift[rows] = (away[-1] - away[0]) * rate * np.array([0.0, 1.0, 0.0])
        state.age[rows] = 0.0

    def _seen(self, kept: Kept, rows: Ints) -> tuple[Floats, Floats]:
        """Places of the roots and all rotations of some animals, seen from them."""
        positions, rotations, place = kept[0][rows][:, self._roots], kept[1][rows], kept[2][rows]
        back = rot.yaw(-kept[3][rows])[:, None]
        positions = positions - on_plane(place)[:, None]
        rotations[:, self._roots] = rot.multiply(back, rotations[:, self._roots])
        return rot.rotate(back, positions), rotations

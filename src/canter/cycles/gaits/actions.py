"""Actions that animals perform where they have come to rest, led into and out of without a jerk.

The poses are the clip's; feet are held and legs reach for them as in any gait, so that an action may begin as soon as
the animal has all feet down, wherever these are: a foot stays where it is until the action lifts it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from canter.anatomy import Action
from canter.cycles.engine.frame import Frame
from canter.cycles.engine.library import Library
from canter.cycles.gaits.action_table import ActionTable
from canter.cycles.gaits.crossings import crossing_frames
from canter.cycles.gaits.inertialise import FADE_SECONDS, Inertialiser
from canter.cycles.gaits.transition import Transition
from canter.footing.lock import FootLock
from canter.motion.arrays import Bools, Complexes, Floats, Ints
from canter.motion.rows import merge_rows

STANCE_LIMIT = 0.995
"""The share of its length to which a leg in stance may be extended in an action; gaits allow less."""
NOTHING = -1


@dataclass(eq=False)
class ActionState:
    """Actions of N animals: `which (N,)` of those that were loaded, `NOTHING` for none; the `frame` in it, and for how
    many frames it has been performed (`age`); the place where its first frame would be (`start`), the velocity in the
    world that the animal had more than the clip when it began (`glide`), and whether its hold is left."""

    count: int
    which: Ints = field(init=False)
    frame: Ints = field(init=False)
    age: Ints = field(init=False)
    start: Complexes = field(init=False)
    glide: Complexes = field(init=False)
    velocity: Complexes = field(init=False)
    leaves: Bools = field(init=False)

    def __post_init__(self) -> None:
        n = self.count
        self.which = np.full(n, NOTHING, np.int64)
        self.frame, self.age = np.zeros(n, np.int64), np.zeros(n, np.int64)
        self.start, self.glide, self.velocity = (np.zeros(n, complex) for _ in range(3))
        self.leaves = np.zeros(n, bool)


class Actions:
    """The actions of N animals as an overlay on the stages of locomotion; `known` are made when they are asked for."""

    def __init__(
        self,
        library: Library,
        known: Mapping[str, Action],
        count: int,
        frame_rate: float,
        stand: int,
        transition: Transition,
        lock: FootLock,
        inertialiser: Inertialiser,
    ) -> None:
        self._library, self.known, self._frame_rate, self._stand = library, known, frame_rate, stand
        self._transition, self._inertialiser, self._lock = transition, inertialiser, lock
        self._stance_limit = lock.limits.stance
        root: Floats = library.positions[stand, :, 0].mean(axis=0)
        self._root = root * np.array([1.0, 0.0, 1.0])
        self.table = ActionTable()
        self._crossings: dict[tuple[int, int], Ints] = {}
        self.state = ActionState(count)

    @property
    def rows(self) -> Ints:
        """Who performs."""
        return np.flatnonzero(self.state.which >= 0)

    @property
    def held(self) -> Bools:
        """Who performs an action that can be held `(N,)`."""
        held: Bools = np.append(self.table.hold_last >= 0, False)[self.state.which]  # the last one is NOTHING
        return held

    def prepare(self, name: str) -> None:
        """Makes an action, if it is not made yet."""
        if name not in self.table.names:
            self.table.add(self.known[name], self._library, self._frame_rate, self._root)

    def begin(self, name: str, rows: Ints, frame: Frame) -> None:
        """Starts an action where animals stand."""
        self.prepare(name)
        state, root, timing = self.state, frame.root, frame.timing
        state.which[rows], state.frame[rows], state.age[rows] = self.table.names.index(name), 0, 0
        state.leaves[rows] = False
        state.start[rows], state.glide[rows] = root.place[rows], root.velocity[rows] * np.exp(1j * root.yaw[rows])
        self._transition.settle(rows, np.full(len(rows), self._stand))
        timing.target[rows], timing.lift[rows] = self._stand, 0.0
        root.yaw_rate[rows], root.acceleration[rows] = 0.0, 0.0
        self._fade_into(rows)

    def _fade_into(self, rows: Ints) -> None:
        """From the next pose on, what it differs by fades out: the body drop too, which must not count twice."""
        self._inertialiser.request(rows)
        self._lock.take_drop(rows)

    def go_over(self, name: str, rows: Ints, frame: Frame) -> Ints:
        """Starts an action where animals leave another, if they have come to a frame from which it can be entered;
        returns those that have."""
        self.prepare(name)
        state, table, root = self.state, self.table, frame.root
        following = table.names.index(name)
        into = np.array(
            [self._crossing(int(state.which[row]), following)[state.frame[row]] for row in rows.tolist()], np.int64
        )
        rows, into = rows[into >= 0], into[into >= 0]
        ahead = np.exp(1j * root.yaw[rows])
        there, before = (table.travelled[table.first[following] + k] for k in (into, np.maximum(into - 1, 0)))
        state.start[rows] = root.place[rows] - before * ahead
        state.glide[rows] = (state.velocity[rows] - (there - before) * self._frame_rate) * ahead
        state.which[rows], state.frame[rows], state.age[rows] = following, into, 0
        state.leaves[rows] = False
        self._fade_into(rows)
        return rows

    def prepare_crossings(self) -> None:
        """Finds out where animals go over from each action that can be held into each other, of those that are made."""
        for now in np.flatnonzero(self.table.hold_last >= 0):
            for following in range(len(self.table.names)):
                self._crossing(int(now), following)

    def _crossing(self, now: int, following: int) -> Ints:
        """The `crossing_frames` between two actions of the table."""
        if (now, following) not in self._crossings:
            height = self._library.character.anatomy.hip_height
            self._crossings[now, following] = crossing_frames(self.table, now, following, height, self._frame_rate)
        return self._crossings[now, following]

    def move(self, frame: Frame, wanted: Bools) -> None:
        """After the root motion: the clip moves the root. A hold goes on as long as the action is `wanted (N,)`, and is
        left at once and for good when it is not."""
        rows = self.rows
        if not len(rows):
            return
        state, table, root, last = self.state, self.table, frame.root, frame.last_root
        which = state.which[rows]
        first, end, now = table.hold_first[which], table.hold_last[which], state.frame[rows]
        holds = end >= 0
        state.leaves[rows] |= holds & ~wanted[rows]
        leaves, offset = state.leaves[rows], table.first[which]
        ahead = np.exp(1j * last.yaw[rows])
        skips = holds & leaves & (first <= now) & (now < end)
        gone = table.travelled[offset + np.maximum(now - 1, 0)] - table.travelled[offset + end]
        state.start[rows] += np.where(skips, gone * ahead, 0.0)
        self._fade_into(rows[skips])
        now = np.where(skips, end, np.where(holds & ~leaves & (now >= end), first, now))
        state.frame[rows] = now
        slows = np.maximum(1 - state.age[rows] / (FADE_SECONDS * self._frame_rate), 0.0) ** 2
        state.start[rows] += frame.dt * slows * state.glide[rows]
        at = offset + now
        root.yaw[rows], root.yaw_rate[rows], root.acceleration[rows] = last.yaw[rows], 0.0, 0.0
        root.place[rows] = state.start[rows] + table.travelled[at] * ahead
        root.velocity[rows] = slows * state.glide[rows] / ahead
        step = table.travelled[at] - table.travelled[offset + np.maximum(now - 1, 0)]
        state.velocity[rows] = root.velocity[rows] + step * self._frame_rate

    def time(self, frame: Frame) -> None:
        """After the transition: feet are down when the clip has them down."""
        rows = self.rows
        if len(rows):
            self._transition.set_clocks(rows, self.table.clocks[self._at(rows)])
            frame.timing.lift = frame.timing.lift.copy()
            frame.timing.lift[rows] = 0.0

    def pose(self, frame: Frame) -> None:
        """After sampling: the clip's pose in place of the gait's."""
        rows = self.rows
        if not len(rows):
            return
        at = self._at(rows)
        frame.positions[rows], frame.rotations[rows] = self.table.positions[at], self.table.rotations[at]
        frame.feet[rows] = self.table.feet[at]
        limit = np.broadcast_to(self._stance_limit, frame.contacts.shape).copy()
        limit[rows] = np.maximum(self._stance_limit, STANCE_LIMIT)
        frame.stance_limit = limit

    def advance(self, frame: Frame, goes: Bools) -> Bools:
        """After everything: the next frame, and who has ended `(N,)`; who `goes (N,)` need not have come to rest."""
        ended = np.zeros(self.state.count, bool)
        rows = self.rows
        if not len(rows):
            return ended
        state, table = self.state, self.table
        state.frame[rows] += 1
        state.age[rows] += 1
        which, now = state.which[rows], state.frame[rows]
        over = now >= table.length[which]
        at = table.first[which] + np.minimum(now, table.length[which] - 1)
        done = rows[over | (goes[rows] & table.leavable[at])]
        ended[done] = True
        state.which[done] = NOTHING
        frame.root.velocity[done] = 0.0
        self._transition.set_clocks(done, np.full((len(done), frame.timing.legs), 0.5))
        self._fade_into(done)
        return ended

    def reset(self, who: Bools) -> None:
        merge_rows(self.state, ActionState(self.state.count), who)

    def _at(self, rows: Ints) -> Ints:
        """Where in the table the frames of some animals are."""
        result: Ints = self.table.first[self.state.which[rows]] + self.state.frame[rows]
        return result

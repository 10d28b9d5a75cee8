"""A jump as the engine needs it: its flight cut out of an action, with what goes before and comes after.

Whether an action is a jump is told by its clip: all feet leave the ground for a while, and it travels. Times are
seconds of the clip.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from canter.anatomy import Action, Anatomy, Character
from canter.anatomy.ground import ground_track
from canter.cycles.engine.cycle import GRID, Cycle
from canter.cycles.engine.library import Library, same_side
from canter.motion import rotations as rot
from canter.motion.arrays import Bools, Floats, Ints
from canter.motion.kinematics import forward
from canter.motion.mirroring import mirror

SECONDS_BEFORE, SECONDS_AFTER = 1.0, 0.9
"""Seconds before the take-off and after the landing that are kept, at 1 m of hip height."""
MIN_FLIGHT_SECONDS = 0.08
"""Seconds without a foot down that make a jump, at 1 m of hip height."""
MIN_TRAVEL = 0.5
"""Hip heights that a jump travels at least."""


@dataclass(frozen=True, eq=False)
class Jump:
    """One jump. `cycle` holds its poses from second `start` to `end`, seen from the track that goes along with it.

    No foot is down from `takeoff` to `landing`; each leg is lifted at `lifts (L,)` and comes down at `lands (L,)`. As
    the animal stands, feet are `home (L,)` metres ahead of its middle; they sweep back by `pushes (L,)` metres in the
    stances before the flight and by `catches (L,)` in those after it. `speed` is that of the flight, and `climb (2,)`
    how fast the root rises as it takes off and lands.
    """

    name: str
    cycle: Cycle
    start: float
    end: float
    takeoff: float
    landing: float
    lifts: Floats
    lands: Floats
    home: Floats
    pushes: Floats
    catches: Floats
    speed: float
    climb: Floats

    @property
    def seconds(self) -> float:
        """How long the flight lasts."""
        return self.landing - self.takeoff

    @property
    def fastest(self) -> Floats:
        """The greatest speed of each joint relative to its parent `(J,)`, in radians a second."""
        rotations = self.cycle.rotations
        turns = rot.log(rot.multiply(rot.conjugate(rotations[:-1]), rotations[1:]))
        result: Floats = np.linalg.norm(turns, axis=-1).max(axis=0) * (GRID - 1) / (self.end - self.start)
        return result

    def phase(self, at: float) -> float:
        """The phase of the cycle at a second of the clip; it never wraps around."""
        share = (at - self.start) / (self.end - self.start)
        return float(np.clip(share, 0.0, 1.0)) * (GRID - 1) / GRID


def is_jump(action: Action, anatomy: Anatomy) -> bool:
    """Whether an action flies and travels."""
    motion = action.motion
    away = np.linalg.norm((motion.positions[-1, 0] - motion.positions[0, 0])[[0, 2]])
    first, last = _flight(action.contacts)
    seconds = (last - first) / motion.frame_rate
    height = anatomy.hip_height
    return bool(seconds > MIN_FLIGHT_SECONDS * np.sqrt(height) and away > MIN_TRAVEL * height and action.hold is None)


def make_jump(character: Character, action: Action) -> Jump:
    """The jump of an action, as it is done from standing."""
    motion, anatomy = action.motion, character.anatomy
    rate, slow = motion.frame_rate, np.sqrt(anatomy.hip_height)
    first, last = _flight(action.contacts)
    start, end = (
        max(round(first - SECONDS_BEFORE * slow * rate), 0),
        min(round(last + SECONDS_AFTER * slow * rate), len(motion) - 1),
    )
    lifts, lands = _around(action.contacts, first, last)
    track = ground_track(motion, anatomy).positions
    roots = np.flatnonzero(motion.skeleton.parents < 0)
    positions: Floats = motion.positions.astype(np.float64)
    positions[:, roots, 0] -= track[:, :1]
    positions[:, roots, 2] -= track[:, 1:]
    rotations = rot.continuous(motion.rotations.astype(np.float64))
    feet = forward(motion.skeleton, positions, rotations)[0][:, anatomy.feet]
    at = np.linspace(start, end, GRID)
    legs = np.arange(len(anatomy.feet))
    home = feet[0, :, 2]
    pushes, catches = 2 * (home - feet[lifts, legs, 2]), 2 * (feet[lands, legs, 2] - home)
    speed = float(track[last, 1] - track[first, 1]) * rate / (last - first)
    heights = positions[:, roots[0], 1]
    climb = np.array([heights[first] - heights[first - 1], heights[last + 1] - heights[last]]) * rate
    seconds = (end - start) / rate
    touchdowns = (lands - start) / (end - start)
    cycle = Cycle(
        action.name,
        "jump",
        seconds,
        np.array([0.0, speed]),
        0.0,
        _between(positions, at),
        rot.unit(_between(rotations, at)),
        touchdowns,
        1 - touchdowns,
        np.stack([np.zeros(len(legs)), -catches], axis=-1),
    )
    return Jump(
        action.name,
        cycle,
        start=start / rate,
        end=end / rate,
        takeoff=first / rate,
        landing=last / rate,
        lifts=lifts / rate,
        lands=lands / rate,
        home=home,
        pushes=np.maximum(pushes, 0),
        catches=np.maximum(catches, 0),
        speed=speed,
        climb=climb,
    )


def mirrored(action: Action, anatomy: Anatomy) -> Action:
    """The mirror image of an action: what the left feet did, the right ones do."""
    contacts = action.contacts[:, anatomy.partners]
    return replace(action, motion=mirror(action.motion, anatomy.mirror), contacts=contacts)


def _flight(contacts: Bools) -> tuple[int, int]:
    """The frames between which no foot is down for longest: that of the last lift and that of the first landing."""
    down = np.concatenate([[0], np.flatnonzero(contacts.any(axis=1)), [len(contacts) - 1]])
    longest = int(np.argmax(np.diff(down)))
    first, last = int(down[longest]), int(down[longest + 1])
    return (first, last) if last - first > 1 else (first, first)


def _around(contacts: Bools, first: int, last: int) -> tuple[Ints, Ints]:
    """The last frame before a flight and the first after it at which each foot is down."""
    before = [np.flatnonzero(leg[: first + 1])[-1] for leg in contacts.T]
    after = [last + np.flatnonzero(leg[last:])[0] for leg in contacts.T]
    return np.array(before), np.array(after)


def _between(x: Floats, at: Floats) -> Floats:
    """Frames `(T, ...)` read between them, at `at (K,)`."""
    first = np.minimum(at.astype(int), len(x) - 2)
    share = (at - first).reshape(-1, *[1] * (x.ndim - 1))
    result: Floats = x[first] * (1 - share) + x[first + 1] * share
    return result


class JumpTable:
    """The jumps of one animal as stacked arrays, by number; fields as of `Jump`, seconds `(M,)`, feet `(M, L)`.

    Rotations have the signs that bring them nearest to those of the animal's cycles, so that they may be blended.
    """

    def __init__(self, jumps: Sequence[Jump], library: Library) -> None:
        middle = library.rotations.mean(axis=(0, 1))
        self.jumps = tuple(jumps)
        scalars = ("start", "end", "takeoff", "landing", "speed", "seconds")
        arrays = ("lifts", "lands", "home", "pushes", "catches", "climb")
        for name in (*scalars, *arrays):
            setattr(self, name, np.array([getattr(jump, name) for jump in jumps]))
        self.positions: Floats = np.stack([jump.cycle.positions for jump in jumps])
        self.rotations: Floats = np.stack([same_side(jump.cycle.rotations, middle) for jump in jumps])
        self.feet: Floats = forward(library.skeleton, self.positions, self.rotations)[0][
            :, :, library.character.anatomy.feet
        ]
        extensions = library.tree.extensions(self.positions, self.rotations)
        self.swing_limit: Floats = np.clip(
            np.maximum(library.limits.swing, extensions.max(axis=(0, 1)) + 0.002), 0, 0.998
        )

    start: Floats
    end: Floats
    takeoff: Floats
    landing: Floats
    speed: Floats
    seconds: Floats
    lifts: Floats
    lands: Floats
    home: Floats
    pushes: Floats
    catches: Floats
    climb: Floats

    def sample(self, which: Ints, at: Floats) -> tuple[Floats, Floats, Floats]:
        """Positions `(R, J, 3)`, rotations `(R, J, 4)` (not of unit length) and feet `(R, L, 3)` of jumps `which (R,)`
        at seconds `at (R,)` of their clips."""
        share = np.clip((at - self.start[which]) / (self.end - self.start)[which], 0.0, 1.0)
        row = share * (GRID - 1)
        first = np.minimum(row.astype(np.int64), GRID - 2)
        part = (row - first)[:, None, None]
        positions, rotations, feet = (
            x[which, first] * (1 - part) + x[which, first + 1] * part
            for x in (self.positions, self.rotations, self.feet)
        )
        return positions, rotations, feet

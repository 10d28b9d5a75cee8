"""Transitions made before they are needed: the frames that the search found, and when the feet stand in between."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from canter.cycles.engine.cycle import Cycle
from canter.cycles.engine.library import Library
from canter.cycles.engine.strides import clocks_at
from canter.cycles.papers.search import Found, Junction, between_cycles, lags, search
from canter.cycles.papers.strips import FRAME_RATE
from canter.motion.arrays import Bools, Floats

LENGTHS, QUICKEST = (1.0, 1.5, 2.0, 3.0), 1.35
"""Values of k, the user's to choose: they are tried until no leg goes on by more than so many frames in one."""
BRIEF = 4
"""Frames below which a stance or a swing is none."""


@dataclass(frozen=True, eq=False)
class Bridge:
    """A precomputed transition: the junction, the frames that were found, and the legs' `clocks (m_t + 1, L)`."""

    junction: Junction
    found: Found
    clocks: Floats

    @property
    def frames(self) -> int:
        return self.junction.frames


def frames_of(cycle: Cycle) -> int:
    """How many frames a cycle has in the paper's count."""
    return max(round(cycle.seconds * FRAME_RATE), BRIEF)


def make_bridge(library: Library, source: int, target: int) -> Bridge:
    """The transition between two cycles, no longer than its quickest leg needs."""
    cycles = library.cycles[source], library.cycles[target]
    lengths = frames_of(cycles[0]), frames_of(cycles[1])
    for k in LENGTHS:
        junction = between_cycles(library, source, target, *lengths, k)
        found = search(junction)
        if junction.increments(found.frames).max() <= QUICKEST:
            break
    return Bridge(junction, found, _clocks(junction, found, *cycles))


def _clocks(junction: Junction, found: Found, source: Cycle, target: Cycle) -> Floats:
    """The legs' clocks in a transition `(m_t + 1, L)`: a foot stands where it is planted by the search's measure and
    one of the cycles has it stand."""
    n = np.arange(junction.frames + 1)[:, None]
    gone = n * junction.increments(found.frames)
    first = clocks_at(gone / junction.source.frames, source.touchdowns, source.duty)
    last = clocks_at((found.frames + gone) / junction.target.frames, target.touchdowns, target.duty)
    height, slide = junction.blend(np.arange(len(found.frames)), found.frames, lags(found.frames))
    planted = junction.planted(height, slide).T & (np.minimum(first, last) < 1)
    return np.stack([_clock(*leg) for leg in zip(planted.T, first[0], last[-1], strict=True)], axis=-1)


def _clock(planted: Bools, first: float, last: float) -> Floats:
    """A leg's clock from the frames in which it stands, between two given clocks; it goes on where it would wrap."""
    stands = planted.copy()
    stands[:BRIEF], stands[-BRIEF:] = first < 1, last < 1
    edges = [0, *(np.flatnonzero(stands[1:] != stands[:-1]) + 1), len(stands)]
    for start, stop in pairwise(edges[1:-1]):
        if stop - start < BRIEF:
            stands[start:stop] = not stands[start]
    changes = np.flatnonzero(stands[1:] != stands[:-1]) + 1
    base = np.floor(first)
    times = [0, *changes, len(stands) - 1]
    values = [first, *(base + 1 + np.arange(len(changes))), base + len(changes) + last % 1.0]
    result: Floats = np.interp(np.arange(len(stands)), times, values)
    return result

"""Which gait suits what is wished: by speed along the gait graph, by direction where there are gaits for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

import numpy as np

from canter.cycles.engine.cycle import Cycle
from canter.motion.arrays import Complexes, Floats, Ints
from canter.motion.numbers import functions_of, some

COMMON = ("walk", "trot", "canter", "gallop")
"""Gaits that an animal with more of them goes in unless it is told otherwise."""
SLOWER = 0.8
"""An animal that shows no walk also goes in other gaits slower than this share of its slowest common one."""
HYSTERESIS = 0.05
"""The share of the border speed by which an animal must be beyond it to leave the gait that it is in."""
RESTS = 0.15
"""An animal that is told to stop stands as soon as it is below this share of the least speed of its slowest gait."""
AHEAD = np.radians(60)
"""How far from its facing an animal may go and still go ahead."""
STILL, MIN_TURN = 1e-6, np.radians(4)
"""Metres a second that are no speed, and radians a second below which an animal that stands does not turn."""


Range = tuple[float, float]
"""The speeds that a gait is for."""


@dataclass(frozen=True, eq=False)
class Graph:
    """Where gaits, the slowest first, meet: `borders (S - 1,)` in m/s."""

    borders: Floats

    @cached_property
    def _kept(self) -> tuple[Floats, Floats]:
        """The speeds between which a gait that an animal goes in is kept; no speeds, last, for none of them."""
        low, high = np.array([0.0, *self.borders, np.inf]), np.array([*self.borders, np.inf, 0.0])
        return low * (1 - HYSTERESIS), high * (1 + HYSTERESIS)

    def gait_for(self, speed: Floats, current: Ints) -> Ints:
        """The gaits `(N,)` for the speeds.

        The current one, -1 for none of them, is kept a little beyond its border, so that no animal hesitates between
        two.
        """
        fn, (low, high) = functions_of(speed), self._kept
        stays = (speed > fn.take(low, current)) & (speed < fn.take(high, current))
        result: Ints = fn.where(stays, current, fn.rank(self.borders, speed))
        return result


def gait_graph(speeds: Sequence[float]) -> list[Range]:
    """The range of speeds of each gait from the speeds of its cycles, slowest first (Sung, section III.1).

    Neighbours meet at the harmonic mean of their speeds; the ends reach as far out as their other half.
    """
    between = [2 * a * b / (a + b) for a, b in pairwise(speeds)]
    if not between:
        return [(0.5 * speeds[0], 1.5 * speeds[0])]
    low = max(speeds[0] - (between[0] - speeds[0]), 0.3 * speeds[0])
    high = speeds[-1] + (speeds[-1] - between[-1])
    return list(zip([low, *between], [*between, high], strict=True))


def make_graph(ranges: Sequence[Range]) -> Graph:
    """The graph of gaits with such ranges of speeds, the slowest first."""
    return Graph(np.array([high for _, high in ranges[:-1]]))


@dataclass(frozen=True, eq=False)
class Choice:
    """The gaits of one animal by what they are for, as indices of its cycles."""

    stand: int
    ahead: tuple[int, ...]
    ranges: Mapping[int, tuple[float, float]]
    aside: tuple[int, int] | None = None
    """To the left and to the right."""
    back: int | None = None
    around: tuple[int, int] | None = None
    names: tuple[str, ...] = ()
    others: tuple[int, ...] = field(default=())
    """Gaits that go ahead but are taken only when asked for."""
    leads: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    """Of gaits with a lead, the cycles in which the left and the right foreleg lead; one of them is the gait itself."""
    kinds: tuple[str, ...] = ()
    """What the feet say each cycle is, whatever it is called."""

    def words_for(self, gait: int) -> tuple[str, ...]:
        """The words by which a gait can be asked for: its name, and its kind if that is no other gait's name."""
        name, kind = self.names[gait], self.kinds[gait]
        return (name,) if kind in self.names else (name, kind)

    @property
    def fastest(self) -> float:
        return max(self.ranges[k][1] for k in self.ahead)

    @property
    def slowest(self) -> float:
        return self.ranges[self.ahead[0]][0]

    @cached_property
    def gait_of(self) -> Ints:
        """The gait of each cycle: itself, or that whose mirror image it is with the other lead."""
        gaits = np.arange(max(len(self.names), 1 + max(self.ahead)))
        for gait, cycles in self.leads.items():
            gaits[list(cycles)] = gait
        return gaits

    @cached_property
    def _ahead(self) -> Ints:
        return np.array(self.ahead)

    @cached_property
    def _graph(self) -> Graph:
        return make_graph([self.ranges[k] for k in self.ahead])

    @cached_property
    def _places(self) -> Ints:
        """Where in `ahead` the gait of each cycle is, -1 for those that are not."""
        places = np.full(len(self.gait_of), -1)
        places[self._ahead] = np.arange(len(self.ahead))
        return places[self.gait_of]

    def choose(self, current: Ints, wish: Complexes, speed: Floats, turn: Floats, now: Floats) -> Ints:
        """Gaits `(N,)` for wished velocities in own axes, speeds to find a gait for, wished turns and speeds now."""
        fn = functions_of(speed)
        gaits: Ints = fn.take(self._ahead, self._graph.gait_for(speed, fn.take(self._places, current)))
        size = abs(wish)
        if some(wish.imag) or some(wish.real < 0):
            goes, angle = size > STILL, abs(fn.arctan2(wish.imag, wish.real))
            if self.aside is not None:
                sideways = goes & (angle > AHEAD) & (angle < np.pi - AHEAD)
                gaits = fn.where(sideways, fn.where(wish.imag > 0, *self.aside), gaits)
            if self.back is not None:
                gaits = fn.where(goes & (angle >= np.pi - AHEAD), self.back, gaits)
        stays = size <= STILL
        if not some(stays):
            return gaits
        rests = stays & (now < RESTS * self.slowest)
        if self.around is not None:
            gaits = fn.where(rests, fn.where(turn > 0, *self.around), gaits)
        result: Ints = fn.where(rests & (abs(turn) < MIN_TURN), self.stand, gaits)
        return result


def make_choice(
    cycles: Sequence[Cycle], names: Sequence[str], speed_ranges: Mapping[str, tuple[float, float]]
) -> Choice:
    """The choice among cycles, called `names`; `speed_ranges` by name overrule the gait graph at its ends."""
    ahead = [k for k, c in enumerate(cycles) if c.goes_straight and not c.is_mirror_image]
    plain = {cycles[k].gait for k in ahead if names[k] == cycles[k].gait}
    common = [
        k for k in ahead if cycles[k].gait in COMMON and (names[k] == cycles[k].gait or cycles[k].gait not in plain)
    ]
    if "walk" not in {cycles[k].gait for k in common}:
        least = min((cycles[k].speed for k in common), default=0.0)
        common += [k for k in ahead if k not in common and cycles[k].speed < SLOWER * least]
    main = sorted(common if len(common) > 1 else ahead, key=lambda k: cycles[k].speed)
    graph = gait_graph([cycles[k].speed for k in main])
    ranges = dict(zip(main, graph, strict=True))
    for end, side in ((main[0], 0), (main[-1], 1)):
        if names[end] in speed_ranges:
            told = speed_ranges[names[end]][side]
            ranges[end] = (told, ranges[end][1]) if side == 0 else (ranges[end][0], told)
    others = tuple(k for k in ahead if k not in main)
    for k in others:
        ranges[k] = speed_ranges.get(names[k], (0.7 * cycles[k].speed, 1.3 * cycles[k].speed))
    aside = _pair([k for k, c in enumerate(cycles) if c.gait == "side"], lambda k: float(cycles[k].velocity[0]))
    around = _pair([k for k, c in enumerate(cycles) if c.gait == "turn"], lambda k: cycles[k].turn)
    back = next((k for k, c in enumerate(cycles) if c.velocity[1] < -0.5 * c.speed), None)
    stand = next((k for k, c in enumerate(cycles) if c.stands), None)
    if stand is None:
        raise ValueError("the animal has no clip in which it stands, and none could be made from its gaits")
    images = [k for k in ahead if k + 1 < len(cycles) and cycles[k + 1].is_mirror_image and cycles[k].lead]
    leads = {k: (k, k + 1) if cycles[k].lead > 0 else (k + 1, k) for k in images}
    return Choice(
        stand, tuple(main), ranges, aside, back, around, tuple(names), others, leads, tuple(c.gait for c in cycles)
    )


def _pair(found: list[int], value: object) -> tuple[int, int] | None:
    """The one to the left and the one to the right."""
    assert callable(value)
    left, right = ([k for k in found if sign * value(k) > 0] for sign in (1, -1))
    return (left[0], right[0]) if left and right else None

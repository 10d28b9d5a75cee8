"""Where a gait goes over into another or into a clip: the search for the best frame of each leg (Sung, section III.4).

The source plays to the end of its cycle. Each leg has ten frames of the target that look most like it there, and of
the ten thousand combinations the one with the least spread is taken whose feet alternate and do not drag. `search`
tries them in the order of their spread and stops at the first good one; `brute_force` tries them all, as the paper
does. If the target is a cycle, frames are counted around it, so that its last and its first are neighbours; the paper's
plain numbers would call them far apart. If it is a clip, as of a jump, the transition is over when it ends.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise, product

import numpy as np
import numpy.typing as npt

from canter.anatomy import Anatomy
from canter.cycles.engine.library import Library
from canter.cycles.papers.strips import Strip, cycle_strip
from canter.motion.arrays import Bools, Floats, Ints

BEST = 10
"""Frames that are kept for each leg."""
QUICK, HIGH = 0.4, 0.12
"""A foot is planted at rest on the ground; these shares of the animal's speed and hip height make it free."""
VELOCITY_WEIGHT = 0.8
"""How much more the foot's speed counts than its height in telling whether it is planted."""
LOW, DRAGGED = 0.02, 0.05
"""Hip heights below which a free foot drags, and over which way it may, more than in the clips themselves."""
BLOCK = 64
"""Legs that are blended at once, few enough to stay in a processor's cache."""
FIRST_TRIES = (8, 256)
"""Combinations with the least spread that are judged before the rest."""
PAIRS = ((0, 1), (2, 3))
"""Legs that must alternate."""


@dataclass(frozen=True, eq=False)
class Found:
    """Target frames of the legs `(L,)`, how far they spread, whether feet alternate, by how many hip heights the worst
    drags more than it may (zero for none), and how many combinations were tried."""

    frames: Ints
    spread: float
    alternates: bool
    dragged: float
    tried: int

    @property
    def good(self) -> bool:
        return self.alternates and self.dragged <= 0

    @property
    def rank(self) -> tuple[float, bool, float]:
        """The smaller the better: good ones by their spread, and where there are none, those that drag least."""
        return (self.dragged, not self.alternates, self.spread)


@dataclass(frozen=True, eq=False)
class Junction:
    """What an animal goes over from and into, the source a cycle, and `k` of the paper."""

    anatomy: Anatomy
    source: Strip
    target: Strip
    k: float = 1.0

    @cached_property
    def frames(self) -> int:
        """How many frames the transition has: m_t = k (m1 + m2) / 2."""
        return max(round(self.k * (self.source.frames + self.target.frames) / 2), 2)

    @cached_property
    def height(self) -> float:
        return self.anatomy.hip_height

    def increments(self, frames: Ints) -> Floats:
        """Equation 4: by how many frames each leg goes on in one, so that all arrive together `(..., L)`."""
        result: Floats = 1 + lags(frames) / self.frames
        return result

    def candidates(self) -> Ints:
        """The frames of the target that look most like the source's last `(L, BEST)`, the most like first; fewer than
        `BEST` if the target has no more to begin in."""
        here, there = self.source.places[0], self.target.places[: self.target.starts(self.frames)]
        best = []
        for leg in self.anatomy.legs:
            joints = list(leg.joints)
            best.append(np.argsort(distances(cloud(here[joints]), cloud(there[:, joints])), kind="stable")[:BEST])
        return np.stack(best)

    def blend(self, legs: Ints, frames: Ints, lag: Ints) -> tuple[Floats, Floats]:
        """Heights of feet and how far they slide over the ground in each frame, both `(K, m_t + 1)`: of legs `(K,)`
        that enter the target at `frames (K,)`, `lag (K,)` frames behind the latest leg, which the body goes with."""
        n = np.arange(-1, self.frames + 1)
        gone = (1 + lag / self.frames)[:, None] * n
        source, high = self.source.feet_at(legs, gone)
        target, higher = self.target.feet_at(legs, frames[:, None] + gone)
        share = np.clip(n / self.frames, 0, 1)
        path = source + share * (target - source)
        step, further = self.source.travel_at(n[1:]), self.target.travel_at((frames + lag)[:, None] + n[1:])
        slide = np.abs(path[:, 1:] - path[:, :-1] + step + share[1:] * (further - step))
        floor = np.minimum(self.source.floor, self.target.floor)[legs]
        return (high + share * (higher - high))[:, 1:] - floor[:, None], slide

    def planted(self, height: Floats, slide: Floats) -> Bools:
        """Whether feet stand: by their speed over the ground and, less, their height (after Kovar), most of the time
        around a frame."""
        share = np.arange(self.frames + 1) / self.frames
        usual = (1 - share) * self.source.speed + share * self.target.speed
        free = VELOCITY_WEIGHT * slide / (QUICK * usual)
        free += (1 - VELOCITY_WEIGHT) * height / (HIGH * self.height)
        stands = (free < 1).astype(np.int8)
        stands = np.concatenate([stands[:, :1], stands[:, :1], stands, stands[:, -1:], stands[:, -1:]], axis=1)
        around = sum(stands[:, k : k + len(share)] for k in range(5))
        result: Bools = np.asarray(around) > 2
        return result

    def check(self, legs: Ints, frames: Ints, lag: Ints) -> tuple[npt.NDArray[np.int8], Floats]:
        """Footfalls until each frame `(K, m_t + 1)`, and how far the feet drag in hip heights `(K,)`."""
        height, slide = self.blend(legs, frames, lag)
        stands = self.planted(height, slide)
        low = height < LOW * self.height
        dragged = (slide * (low & ~stands)).sum(axis=1) / self.height
        falls = np.cumsum(stands[:, 1:] & ~stands[:, :-1], axis=1, dtype=np.int8)
        return falls, dragged

    @cached_property
    def allowed(self) -> float:
        """How far a foot may drag: a little more than in the worse of the two clips."""
        legs = np.arange(len(self.anatomy.legs))
        alone = [Junction(self.anatomy, strip, strip) for strip in (self.source, self.target)]
        return DRAGGED + max(float(one.check(legs, 0 * legs, 0 * legs)[1].max()) for one in alone)

    def judge(self, frames: Ints) -> tuple[Bools, Floats]:
        """Whether those of the combinations `(C, L)` that drag least alternate, and by how much each drags too far."""
        legs, count = np.arange(frames.shape[1]), self.target.frames
        lag = lags(frames)
        span = int(lag.max()) + 1
        kinds, row = _distinct((legs * count + frames % count) * span + lag, len(legs) * count * span)
        leg, rest = np.divmod(kinds, count * span)
        frame, wait = np.divmod(rest, span)
        parts = [slice(k, k + BLOCK) for k in range(0, len(kinds), BLOCK)]
        checked = [self.check(leg[part], frame[part], wait[part]) for part in parts]
        falls, drags = (np.concatenate(column) for column in zip(*checked, strict=True))
        dragged = np.maximum(drags[row].max(axis=1) - self.allowed, 0.0)
        least = np.flatnonzero(dragged <= dragged.min())
        alternates = np.zeros(len(frames), bool)
        alternates[least] = True
        for left, right in PAIRS:
            pairs, which = _distinct(row[least, left] * len(kinds) + row[least, right], len(kinds) ** 2)
            apart = np.ptp(falls[pairs // len(kinds)] - falls[pairs % len(kinds)], axis=1)
            alternates[least] &= (apart <= 1)[which]
        return alternates, dragged


def between_cycles(
    library: Library, source: int, target: int, source_frames: int, target_frames: int, k: float = 1.0
) -> Junction:
    """The junction of two cycles of a library, by index, that last so many frames."""
    first, last = cycle_strip(library, source, source_frames), cycle_strip(library, target, target_frames)
    return Junction(library.character.anatomy, first, last, k)


def lags(frames: Ints) -> Ints:
    """By how many frames each leg of combinations `(..., L)` is behind the latest, which is furthest in the target."""
    result: Ints = frames.max(axis=-1, keepdims=True) - frames
    return result


def _distinct(codes: Ints, count: int) -> tuple[Ints, Ints]:
    """The different ones among whole numbers below `count`, and which of them each is; quicker than by sorting."""
    place = np.full(count, -1, np.intp)
    place[codes] = 0
    kinds = np.flatnonzero(place >= 0)
    place[kinds] = np.arange(len(kinds))
    return kinds, place[codes]


def search(junction: Junction) -> Found:
    """The best combination: they are tried in the order of their spread, so that the first good one is the best.

    Legs with the same frames are blended once, and the first few combinations before the many.
    """
    every = np.stack(np.meshgrid(*junction.candidates(), indexing="ij"), axis=-1).reshape(-1, 4)
    every = junction.target.nearest(every)
    spread = every.std(axis=1)
    order = np.argsort(spread, kind="stable")
    best: Found | None = None
    stops = [0, *(stop for stop in FIRST_TRIES if stop < len(order)), len(order)]
    for tried, until in pairwise(stops):
        chosen = order[tried:until]
        alternates, dragged = junction.judge(every[chosen])
        first = np.lexsort((~alternates, dragged))[0]
        k = chosen[first]
        found = Found(every[k], float(spread[k]), bool(alternates[first]), float(dragged[first]), until)
        best = found if best is None or found.rank < best.rank else best
        if best.good:
            break
    assert best is not None
    return replace(best, tried=until)


def brute_force(junction: Junction) -> Found:
    """The same by trying all combinations one after another, each leg of each blended anew, as the paper does."""
    legs = np.arange(4)
    best: Found | None = None
    candidates, allowed, tried = junction.candidates(), junction.allowed, 0
    for combination in product(*candidates):
        frames = junction.target.nearest(np.array(combination))
        tried += 1
        falls, dragged = junction.check(legs, frames, lags(frames))
        alternates = all(np.ptp(falls[left] - falls[right]) <= 1 for left, right in PAIRS)
        worst = max(float(dragged.max()) - allowed, 0.0)
        found = Found(frames, float(frames.std()), alternates, worst, tried)
        best = found if best is None or found.rank < best.rank else best
    assert best is not None
    return replace(best, tried=tried)


def first_combination(junction: Junction) -> Found:
    """What the legs' best frames give if nothing is checked: the paper's Figure 5 (a)."""
    frames = junction.target.nearest(junction.candidates()[:, 0])
    alternates, dragged = junction.judge(frames[None])
    return Found(frames, float(frames.std()), bool(alternates[0]), float(dragged[0]), 1)


def cloud(places: Floats) -> Floats:
    """A leg as points `(..., P, 3)`: its joints, and the middle between each two."""
    return np.concatenate([places, (places[..., 1:, :] + places[..., :-1, :]) / 2], axis=-2)


def distances(here: Floats, there: Floats) -> Floats:
    """Squared distances of a cloud `(P, 3)` and others `(T, P, 3)`, turned about the vertical and shifted over the
    ground as suits each best: Kovar's closed form."""
    a, b = here - here.mean(axis=-2, keepdims=True), there - there.mean(axis=-2, keepdims=True)
    x, z, u, w = a[..., 0], a[..., 2], b[..., 0], b[..., 2]
    across, along = (x * w - u * z).sum(axis=-1), (x * u + z * w).sum(axis=-1)
    flat = (x * x + z * z).sum(axis=-1) + (u * u + w * w).sum(axis=-1) - 2 * np.hypot(across, along)
    result: Floats = flat + ((here[..., 1] - there[..., 1]) ** 2).sum(axis=-1)
    return result

"""Where one gait goes over into another: the search for the best frame of each leg (Sung, section III.4).

The source plays to the end of its cycle. Each leg has ten frames of the target that look most like it there, and of
the ten thousand combinations the one with the least spread is taken whose feet alternate and do not drag. `search`
tries them in the order of their spread and stops at the first good one; `brute_force` tries them all, as the paper
does. Frames are counted around the target's cycle, so that its last and its first are neighbours; the paper's plain
numbers would call them far apart.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product

import numpy as np
import numpy.typing as npt

from canter.cycles.engine.cycle import GRID
from canter.cycles.engine.library import Library
from canter.motion.arrays import Bools, Complexes, Floats, Ints
from canter.motion.kinematics import forward

FRAME_RATE = 60.0
"""Frames a second of the paper's clips, in which its frames are counted."""
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


class Feet:
    """Feet of one cycle over the ground, from places `(L, GRID, 3)`; the ground is complex: ahead + 1j * left."""

    def __init__(self, places: Floats) -> None:
        ground = places[..., 2] + 1j * places[..., 0]
        height = places[..., 1]
        self._ground, self._height = ground.ravel(), height.ravel()
        self._way: Complexes = (np.roll(ground, -1, axis=1) - ground).ravel()
        self._rise: Floats = (np.roll(height, -1, axis=1) - height).ravel()

    def at(self, legs: Ints, phase: Floats) -> tuple[Complexes, Floats]:
        """Where feet of legs `(K,)` are at phases `(K, T)`, and how high."""
        at: Floats = (phase - np.floor(phase)) * GRID  # several times as quick as the remainder
        first = np.minimum(at.astype(np.intp), GRID - 1)
        share = at - first
        first += GRID * legs[:, None]
        ground: Complexes = self._ground.take(first) + share * self._way.take(first)
        height: Floats = self._height.take(first) + share * self._rise.take(first)
        return ground, height


@dataclass(frozen=True, eq=False)
class Junction:
    """Two cycles of a library, by index, of so many `source_frames` and `target_frames`, and `k` of the paper."""

    library: Library
    source: int
    target: int
    source_frames: int
    target_frames: int
    k: float = 1.0

    @cached_property
    def frames(self) -> int:
        """How many frames the transition has: m_t = k (m1 + m2) / 2."""
        return max(round(self.k * (self.source_frames + self.target_frames) / 2), 2)

    @cached_property
    def height(self) -> float:
        return self.library.character.anatomy.hip_height

    def increments(self, frames: Ints) -> Floats:
        """Equation 4: by how many frames each leg goes on in one, so that all arrive together `(..., L)`."""
        result: Floats = 1 + (frames.max(axis=-1, keepdims=True) - frames) / self.frames
        return result

    def candidates(self) -> Ints:
        """The frames of the target that look most like the source's last `(L, BEST)`, the most like first."""
        skeleton, library = self.library.skeleton, self.library
        phase = np.arange(self.target_frames) / self.target_frames
        positions, rotations, _ = library.sample(np.full(len(phase), self.target), np.tile(phase[:, None], (1, 5)))
        here = forward(skeleton, library.positions[self.source, 0], library.rotations[self.source, 0])[0]
        unit = rotations / np.linalg.norm(rotations, axis=-1, keepdims=True)
        there = forward(skeleton, positions, unit)[0]
        best = []
        for leg in library.character.anatomy.legs:
            joints = list(leg.joints)
            best.append(np.argsort(distances(cloud(here[joints]), cloud(there[:, joints])), kind="stable")[:BEST])
        return np.stack(best)

    @cached_property
    def _feet(self) -> tuple[Feet, Feet]:
        feet = self.library.feet[[self.source, self.target]].transpose(0, 2, 1, 3).copy()
        feet[..., 1] -= feet[..., 1].min(axis=(0, 2), keepdims=True)[0]
        return Feet(feet[0]), Feet(feet[1])

    @cached_property
    def _steps(self) -> Complexes:
        """How far source and target travel in a frame `(2,)`."""
        cycles = self.library.cycles
        ends = ((cycles[self.source], self.source_frames), (cycles[self.target], self.target_frames))
        return np.array([complex(c.velocity[1], c.velocity[0]) * c.seconds / frames for c, frames in ends])

    def blend(self, legs: Ints, frames: Ints, increments: Floats) -> tuple[Floats, Floats]:
        """Heights of feet and how far they slide over the ground in each frame, both `(K, m_t + 1)`."""
        n = np.arange(-1, self.frames + 1)
        gone = increments[:, None] * n
        source, high = self._feet[0].at(legs, gone / self.source_frames)
        target, higher = self._feet[1].at(legs, (frames[:, None] + gone) / self.target_frames)
        share = np.clip(n / self.frames, 0, 1)
        path = source + share * (target - source)
        step = self._steps[0] + share[1:] * (self._steps[1] - self._steps[0])
        return (high + share * (higher - high))[:, 1:], np.abs(path[:, 1:] - path[:, :-1] + step)

    def planted(self, height: Floats, slide: Floats) -> Bools:
        """Whether feet stand: by their speed over the ground and, less, their height (after Kovar), most of the time
        around a frame."""
        share = np.arange(self.frames + 1) / self.frames
        usual = (1 - share) * np.abs(self._steps[0]) + share * np.abs(self._steps[1])
        free = VELOCITY_WEIGHT * slide / (QUICK * usual)
        free += (1 - VELOCITY_WEIGHT) * height / (HIGH * self.height)
        stands = (free < 1).astype(np.int8)
        stands = np.concatenate([stands[:, :1], stands[:, :1], stands, stands[:, -1:], stands[:, -1:]], axis=1)
        around = sum(stands[:, k : k + len(share)] for k in range(5))
        result: Bools = np.asarray(around) > 2
        return result

    def check(self, legs: Ints, frames: Ints, increments: Floats) -> tuple[npt.NDArray[np.int8], Floats]:
        """Footfalls until each frame `(K, m_t + 1)`, and how far the feet drag in hip heights `(K,)`."""
        height, slide = self.blend(legs, frames, increments)
        stands = self.planted(height, slide)
        low = height < LOW * self.height
        dragged = (slide * (low & ~stands)).sum(axis=1) / self.height
        falls = np.cumsum(stands[:, 1:] & ~stands[:, :-1], axis=1, dtype=np.int8)
        return falls, dragged

    @cached_property
    def allowed(self) -> float:
        """How far a foot may drag: a little more than in the worse of the two clips."""
        legs = np.arange(len(self.library.tree.legs.foot))
        ends = ((self.source, self.source_frames), (self.target, self.target_frames))
        alone = [Junction(self.library, which, which, frames, frames) for which, frames in ends]
        return DRAGGED + max(float(one.check(legs, 0 * legs, np.ones(len(legs)))[1].max()) for one in alone)

    def around(self, frames: Ints) -> Ints:
        """Combinations `(..., L)` with every frame counted to within half a cycle of the first leg's."""
        off = (frames - frames[..., :1]) / self.target_frames
        result: Ints = frames - self.target_frames * np.rint(off).astype(np.int64)
        return result

    def judge(self, frames: Ints) -> tuple[Bools, Floats]:
        """Whether those of the combinations `(C, L)` that drag least alternate, and by how much each drags too far."""
        legs, count = np.arange(frames.shape[1]), self.target_frames
        behind = frames.max(axis=1, keepdims=True) - frames
        span = int(behind.max()) + 1
        kinds, row = _distinct((legs * count + frames % count) * span + behind, len(legs) * count * span)
        leg, rest = np.divmod(kinds, count * span)
        frame, late = np.divmod(rest, span)
        parts = [slice(k, k + BLOCK) for k in range(0, len(kinds), BLOCK)]
        checked = [self.check(leg[part], frame[part], 1 + late[part] / self.frames) for part in parts]
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
    every = junction.around(np.stack(np.meshgrid(*junction.candidates(), indexing="ij"), axis=-1).reshape(-1, 4))
    spread = every.std(axis=1)
    order = np.argsort(spread, kind="stable")
    best: Found | None = None
    tried = 0
    for until in (8, 256, len(order)):
        chosen = order[tried:until]
        alternates, dragged = junction.judge(every[chosen])
        first = np.lexsort((~alternates, dragged))[0]
        k = chosen[first]
        found = Found(every[k], float(spread[k]), bool(alternates[first]), float(dragged[first]), until)
        best = found if best is None or found.rank < best.rank else best
        tried = until
        if best.good:
            break
    assert best is not None
    return replace(best, tried=tried)


def brute_force(junction: Junction) -> Found:
    """The same by trying all combinations one after another, each leg of each blended anew, as the paper does."""
    legs = np.arange(4)
    best: Found | None = None
    allowed, tried = junction.allowed, 0
    for combination in product(*junction.candidates()):
        frames = junction.around(np.array(combination))
        tried += 1
        falls, dragged = junction.check(legs, frames, junction.increments(frames))
        alternates = all(np.ptp(falls[left] - falls[right]) <= 1 for left, right in PAIRS)
        worst = max(float(dragged.max()) - allowed, 0.0)
        found = Found(frames, float(frames.std()), alternates, worst, tried)
        best = found if best is None or found.rank < best.rank else best
    assert best is not None
    return replace(best, tried=tried)


def first_combination(junction: Junction) -> Found:
    """What the legs' best frames give if nothing is checked: the paper's Figure 5 (a)."""
    frames = junction.around(junction.candidates()[:, 0])
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

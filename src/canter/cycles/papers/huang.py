"""Huang's preset: a root driven by the feet that stand, turns that go from the head to the root, and the gaits' ranges.

How gaits go over into each other is in `warping`. A change of gait is heeded at any phase; another one waits until the
last has ended.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from canter.anatomy import Character
from canter.control.world import World
from canter.cycles.build.cycle import GRID
from canter.cycles.engine.engine import Crowd, ground_of
from canter.cycles.engine.gait_graph import Range
from canter.cycles.engine.laws import gait_graph
from canter.cycles.engine.library import Library
from canter.cycles.engine.reach import frames
from canter.cycles.jumps.jump import Leap
from canter.cycles.jumps.jumping import FADE, Ease
from canter.cycles.jumps.plan import Plan
from canter.cycles.papers.fetlocks import stances
from canter.cycles.papers.jump import PaperLeap, nearest
from canter.cycles.papers.paper import Paper, complex_velocity, steady_library
from canter.cycles.papers.warping import CONTACT_LAWS, REFERENCE, Warping, contact_laws
from canter.motion import rotations as rot
from canter.motion.arrays import Bools, Complexes, Floats, Ints
from canter.motion.constants import GRAVITY
from canter.motion.kinematics import forward

BORDERS = {"walk": 1.9, "amble": 2.75, "trot": 3.9, "rack": 4.9, "canter": 7.5, "gallop": 16.0}
"""Up to which speed in m/s a horse of `HORSE` goes in each gait, from the literature: the paper's are in a figure."""
HORSE = 1.17
"""Metres of hip height that these speeds and the turn rates are for; others go by equal Froude numbers."""
TURN_SPEEDS, TURN_RATES = (5.0, 6.0, 25.0, 25.0), (0.01, 0.1, 0.1, 0.2)
"""Miles an hour, and degrees a frame that the head turns at them (section 7)."""
TRANSITION_RATES = (0.05, 1.15)
"""The same in transitions of slow and of fast gaits."""
TURN_SCALE = 20.0
"""How many times as fast the preset turns: the table's rates would take 150 seconds for a quarter turn at a walk."""
MILES_AN_HOUR = 0.44704
FASTEST_TURN, QUICKENING = np.radians(60), np.radians(150)
"""Radians a second that no turn exceeds, and by which it may change in a second; these are ours."""
EVEN = 0.1
"""Strides over which the root's way is evened out, so that a foot that lands unsteadily does not jerk the animal."""
SIDE_PULL, ACCELERATION = 0.35, 0.2
"""Sideways and forward accelerations in g that legs can give; these are ours."""


def speed_ranges(library: Library) -> list[Range]:
    """The paper's ranges where all clips lie in those of their gaits, else the gait graph of the clips."""
    cycles = library.cycles
    graph = gait_graph([cycle.speed for cycle in cycles])
    scale = math.sqrt(library.character.anatomy.hip_height / HORSE)
    highs = [scale * BORDERS.get(cycle.gait, 0.0) for cycle in cycles]
    ranges = list(zip([graph[0][0], *highs[:-1]], highs, strict=True))
    fits = all(low < cycle.speed < high for cycle, (low, high) in zip(cycles, ranges, strict=True))
    return ranges if fits else graph


def turn_rate(speed: Floats, crosses: Bools, hip_height: float) -> Floats:
    """Degrees a frame by the paper's table, for speeds `(N,)` of an animal of that size."""
    mph = speed / MILES_AN_HOUR / np.sqrt(hip_height / HORSE)
    steady = np.interp(mph, TURN_SPEEDS, TURN_RATES)
    return np.where(crosses, np.where(mph < TURN_SPEEDS[1], *TRANSITION_RATES), steady)


class StanceDriven:
    """Drive and carriage of the preset.

    The root goes on by as much as the feet that stand go back, on average (Equation 11), and in suspension by the speed
    of the gait. The head turns first, and every joint towards the root a frame later than the one before it.
    """

    def __init__(self, library: Library, warping: Warping, count: int) -> None:
        self._library, self._warping, self._count = library, warping, count
        anatomy, skeleton = library.character.anatomy, library.skeleton
        head = () if anatomy.head is None else (anatomy.head,)
        self._joints = np.array([*anatomy.spine[1:], *anatomy.neck, *head], np.int64)
        turns = forward(skeleton, library.positions[0, 0], library.rotations[0, 0])[1]
        parents = np.maximum(skeleton.parents[self._joints], 0)
        self._axes = rot.rotate(rot.conjugate(turns[parents]), np.array([0.0, 1.0, 0.0]))
        self._ways = np.array([complex_velocity(cycle) / cycle.speed for cycle in library.cycles])
        self._floors = library.feet[..., 1].min(axis=1)
        self._body = np.flatnonzero(library.owner == len(library.legs.foot))
        told = [stances(library, k) for k in range(len(library.cycles))]
        self._stances = None if any(one is None for one in told) else np.stack([one for one in told if one is not None])
        self.begin()

    def begin(self) -> None:
        """Everybody looks ahead, and no foot has moved yet."""
        self.yaws = np.zeros((self._count, len(self._joints) + 1))
        self._spin = np.zeros(self._count)
        self._feet: Complexes | None = None
        self._stood: Bools | None = None
        self._driven: Complexes | None = None

    def resume(self, yaw: float) -> None:
        """Everybody looks along a yaw, and no foot has moved yet."""
        self.begin()
        self.yaws[:] = yaw

    def move(self, crowd: Crowd, wish: Complexes, turn: Floats, dt: float) -> None:
        herd, warping = crowd.herd, self._warping
        warping.wish = np.abs(wish)
        flies = (herd.weights @ self._ways) * warping.way
        driven = flies if self._driven is None else np.where(np.isnan(self._driven), flies, self._driven)
        herd.velocity = herd.velocity + np.minimum(dt / (EVEN * crowd.stride), 1.0) * (driven - herd.velocity)
        self._turn(crowd, turn * dt, dt)
        herd.place = herd.place + dt * herd.velocity * np.exp(1j * herd.yaw)
        root = self.yaws[:, -1]
        herd.turn = (root - herd.yaw) / dt
        herd.yaw = root.copy()

    def _turn(self, crowd: Crowd, off: Floats, dt: float) -> None:
        """The head turns by what is left, as fast as it may, and every joint takes what the one in front of it had."""
        height = self._library.character.anatomy.hip_height
        speed = np.maximum(np.abs(crowd.herd.velocity), 1e-3)
        table = np.radians(turn_rate(speed, self._warping.crosses, height)) * TURN_SCALE * crowd.frame_rate
        most = np.minimum(np.minimum(table, FASTEST_TURN), SIDE_PULL * GRAVITY / speed)
        most = np.minimum(most, np.sqrt(2 * QUICKENING * np.abs(off)))
        change = QUICKENING * dt
        self._spin = self._spin + np.clip(np.clip(off / dt, -most, most) - self._spin, -change, change)
        self.yaws = np.concatenate([self.yaws[:, :1] + dt * self._spin[:, None], self.yaws[:, :-1]], axis=1)

    def hold(self, crowd: Crowd, positions: Floats, rotations: Floats) -> None:
        if self._warping.crosses.any():
            self._mean_body(crowd, positions, rotations)
        self._lengthen(crowd, positions, rotations)
        bends = np.diff(self.yaws[:, ::-1], axis=1) / 2
        if np.abs(bends).max(initial=0.0) > 1e-6:
            turn = np.concatenate([np.cos(bends)[..., None], np.sin(bends)[..., None] * self._axes], axis=-1)
            rotations[:, self._joints] = rot.multiply(turn, rotations[:, self._joints])
        self._drive(crowd)

    def _mean_body(self, crowd: Crowd, positions: Floats, rotations: Floats) -> None:
        """The body is the mean of its poses at the four legs' generic times, in both gaits (Equation 10)."""
        herd, library, body = crowd.herd, self._library, self._body
        who, which = np.nonzero(herd.weights > 0)
        legs = herd.legs
        phases = herd.phases[who, which]
        each = np.repeat(phases.reshape(-1, 1), legs + 1, axis=1)
        places, turns = library.sample(np.repeat(which, legs), each)
        weights = np.repeat(herd.weights[who, which] / legs, legs)[:, None, None]
        first = np.searchsorted(np.repeat(who, legs), np.arange(herd.count))
        positions[:, body] = np.add.reduceat(places[:, body] * weights, first)
        mean = np.add.reduceat(turns[:, body] * weights, first)
        rotations[:, body] = mean / np.linalg.norm(mean, axis=-1, keepdims=True)

    def _lengthen(self, crowd: Crowd, positions: Floats, rotations: Floats) -> None:
        """Feet are scaled about hip or shoulder in the sagittal plane by D' / D (Equation 2); G keeps them grounded."""
        scale = crowd.step_scale[:, None]
        hips = frames(self._library, positions, rotations)[..., :3, 3][:, self._library.tree.legs.hip]
        floors = crowd.herd.weights @ self._floors
        crowd.feet[..., 2] = (crowd.feet[..., 2] - hips[..., 2]) * scale + hips[..., 2]
        crowd.feet[..., 1] = (crowd.feet[..., 1] - floors) * scale + floors

    def _drive(self, crowd: Crowd) -> None:
        """By how much the feet that stand went back since the last frame, in m/s; NaN where none stands."""
        feet = crowd.feet[..., 2] + 1j * crowd.feet[..., 0]
        stand = self._standing(crowd)
        if self._feet is not None and self._stood is not None:
            both = stand & self._stood
            count = both.sum(axis=1)
            back = np.where(both, self._feet - feet, 0).sum(axis=1) * crowd.frame_rate
            self._driven = np.where(count > 0, back / np.maximum(count, 1), np.nan)
        self._feet, self._stood = feet, stand

    def _standing(self, crowd: Crowd) -> Bools:
        """Feet that stand by their clocks and, where there are fetlocks, by these as well (section 6.1)."""
        herd = crowd.herd
        stand = herd.clocks < 1
        if self._stances is None:
            return stand
        gait = np.argmax(herd.weights, axis=1)
        at = (herd.phases[np.arange(herd.count), gait] % 1.0 * GRID).astype(np.int64) % GRID
        told = stand & self._stances[gait[:, None], at, np.arange(herd.legs)]
        return np.where(told.any(axis=1, keepdims=True), told, stand)


class Linearly(Ease):
    """The paper's blending: linear, from the gait into the jump and out of it."""

    def share(self, plan: Plan, at: float, stride: float) -> float:
        along = at / plan.takeoff if at < plan.landing else 1 - (at - plan.landing) / (FADE * stride)
        return float(np.clip(along, 0.0, 1.0))


class Huang(Paper):
    """One animal as in Huang's paper. `gaits` names the cycles that it goes in, by default the paper's six."""

    def __init__(
        self,
        character: Character,
        *,
        world: World | None = None,
        frame_rate: float = 60.0,
        gaits: Sequence[str] | None = None,
    ) -> None:
        library = steady_library(character, tuple(CONTACT_LAWS), gaits)
        laws, ranges = contact_laws(library), speed_ranges(library)
        self._starts: dict[str, tuple[int, float]] = {}
        start = -library.cycles[0].touchdowns[None] % 1.0
        self.warping = Warping(laws, start, ranges, ACCELERATION * GRAVITY)
        self.driven = StanceDriven(library, self.warping, 1)
        crowd = Crowd(
            library,
            laws,
            1,
            frame_rate,
            transition=self.warping,
            drive=self.driven,
            carriage=self.driven,
            ground=ground_of(world),
        )
        super().__init__(crowd, ranges, float(FASTEST_TURN), world)

    @property
    def _steady(self) -> bool:
        return not self.warping.crosses[0] and self.warping.target[0] == 0

    def _heading(self) -> float:
        return float(self.driven.yaws[0, 0])

    def _turn(self, off: Floats) -> Floats:
        """At once: the drive knows how fast a head may turn."""
        return off * self.frame_rate

    def _make_jump(self, leap: Leap) -> PaperLeap:
        into = nearest(self._crowd.library, leap, float(leap.lands.max()))[0]
        return PaperLeap(self._crowd, leap, float(FASTEST_TURN), Linearly(), into)

    def _approach(self, leap: Leap, gait: Ints) -> Ints:
        """The leaping-start gait: the one that is nearest to the beginning of the jump."""
        return np.full_like(gait, self._start_of(leap)[0])

    def _ready(self, leap: Leap) -> bool:
        """In the leaping-start gait, when it comes to the posture that is nearest."""
        gait, phase = self._start_of(leap)
        warping = self.warping
        if warping.crosses[0] or warping.target[0] != gait:
            return False
        now = warping.time[0, REFERENCE] + self._crowd.touchdowns[gait, REFERENCE]
        return bool((now - phase) % 1.0 < warping.pace[0] / self.frame_rate)

    def _start_of(self, leap: Leap) -> tuple[int, float]:
        """The gait and the phase in which a jump begins: as its first fore leg is about to be lifted."""
        if leap.name not in self._starts:
            self._starts[leap.name] = nearest(self._crowd.library, leap, float(leap.lifts.min()))
        return self._starts[leap.name]

    def _resume(self, gait: int, phase: float) -> None:
        herd = self._crowd.herd
        self.warping.resume(gait, (phase - self._crowd.touchdowns[gait]) % 1.0, abs(complex(herd.velocity[0])))
        self.driven.resume(float(herd.yaw[0]))

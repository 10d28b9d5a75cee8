"""Huang's preset: a root driven by the feet that stand, turns that go from the head to the root, and the gaits' ranges.

How gaits go over into each other is in `warping`. A change of gait is heeded at any phase; another one waits until the
last has ended.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from canter.anatomy import Character
from canter.control.steering import Root
from canter.control.world import World
from canter.cycles.engine.cycle import GRID
from canter.cycles.engine.frame import Frame
from canter.cycles.engine.gait_graph import Range, gait_graph
from canter.cycles.engine.library import Library
from canter.cycles.gaits.posture import vertical_axes
from canter.cycles.jumps.jump import Jump
from canter.cycles.jumps.jumping import Ease, JumpState, linear_share
from canter.cycles.papers.fetlocks import stances
from canter.cycles.papers.jump import nearest
from canter.cycles.papers.paper import Paper, complex_velocity, steady_library, with_stand
from canter.cycles.papers.warping import CONTACT_LAWS, REFERENCE, Warping, contact_laws
from canter.footing.ground import to_complex
from canter.footing.leg_tree import LegTree
from canter.footing.reach import frames
from canter.motion import rotations as rot
from canter.motion.arrays import Bools, Complexes, Floats, Ints
from canter.motion.constants import GRAVITY

BORDERS = {"walk": 1.9, "amble": 2.75, "trot": 3.9, "rack": 4.9, "canter": 7.5, "gallop": 16.0}
"""Up to which speed in m/s a horse of `REFERENCE_HIP_HEIGHT` goes in each gait, from the literature: the paper has them
in a figure only."""
REFERENCE_HIP_HEIGHT = 1.17
"""Metres of hip height that these speeds and the turn rates are for; others go by equal Froude numbers."""
TURN_SPEEDS, TURN_RATES = (5.0, 6.0, 25.0, 25.0), (0.01, 0.1, 0.1, 0.2)
"""Miles an hour, and degrees a frame that the head turns at them (section 7)."""
TRANSITION_RATES = (0.05, 1.15)
"""The same in transitions of slow and of fast gaits."""
YAW_RATE_SCALE = 20.0
"""How many times as fast the preset turns: the table's rates would take 150 seconds for a quarter turn at a walk."""
MILES_AN_HOUR = 0.44704
MAX_YAW_RATE, YAW_ACCELERATION = np.radians(60), np.radians(150)
"""Radians a second that no turn exceeds, and by which it may change in a second; these are ours."""
SMOOTHING_STRIDES = 0.1
"""Strides over which the root's way is evened out, so that a foot that lands unsteadily does not jerk the animal."""
MAX_LATERAL_G, MAX_ACCELERATION_G = 0.35, 0.2
"""Sideways and forward accelerations in g that legs can give; these are ours."""


def speed_ranges(library: Library) -> list[Range]:
    """The paper's ranges where all clips lie in those of their gaits, else the gait graph of the clips."""
    cycles = library.cycles
    graph = gait_graph([cycle.speed for cycle in cycles])
    scale = math.sqrt(library.character.anatomy.hip_height / REFERENCE_HIP_HEIGHT)
    highs = [scale * BORDERS.get(cycle.gait, 0.0) for cycle in cycles]
    ranges = list(zip([graph[0][0], *highs[:-1]], highs, strict=True))
    fits = all(low < cycle.speed < high for cycle, (low, high) in zip(cycles, ranges, strict=True))
    return ranges if fits else graph


def turn_rate(speed: Floats, crosses: Bools, hip_height: float) -> Floats:
    """Degrees a frame by the paper's table, for speeds `(N,)` of an animal of that size."""
    mph = speed / MILES_AN_HOUR / np.sqrt(hip_height / REFERENCE_HIP_HEIGHT)
    steady = np.interp(mph, TURN_SPEEDS, TURN_RATES)
    return np.where(crosses, np.where(mph < TURN_SPEEDS[1], *TRANSITION_RATES), steady)


class StanceDriven:
    """Root motion and posture of the preset.

    The root goes on by as much as the feet that stand go back, on average (Equation 11), and in suspension by the speed
    of the gait. The head turns first, and every joint towards the root a frame later than the one before it.
    """

    def __init__(self, library: Library, tree: LegTree, root: Root, warping: Warping, frame_rate: float) -> None:
        self._library, self._tree, self._root, self._warping = library, tree, root, warping
        self._count, self._frame_rate = root.count, frame_rate
        anatomy = library.character.anatomy
        head = () if anatomy.head is None else (anatomy.head,)
        self._joints = np.array([*anatomy.spine[1:], *anatomy.neck, *head], np.int64)
        self._axes = vertical_axes(library, self._joints)
        self._ways = np.array([0 if c.stands else complex_velocity(c) / c.speed for c in library.cycles])
        self._floors = library.feet[..., 1].min(axis=1)
        self._body = np.flatnonzero(library.owner == len(tree.legs.foot))
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

    def move(self, frame: Frame, speed: float, yaw_rate: Floats) -> None:
        root, timing, warping, dt = self._root, frame.timing, self._warping, frame.dt
        warping.wish = np.full(root.count, speed)
        flies = (timing.weights @ self._ways) * warping.way
        driven = flies if self._driven is None else np.where(np.isnan(self._driven), flies, self._driven)
        follow = np.minimum(dt / (SMOOTHING_STRIDES * timing.stride), 1.0)
        root.velocity = root.velocity + follow * (driven - root.velocity)
        self._turn(yaw_rate * dt, dt)
        root.place = root.place + dt * root.velocity * np.exp(1j * root.yaw)
        yaw = self.yaws[:, -1]
        root.yaw_rate = (yaw - root.yaw) / dt
        root.yaw = yaw.copy()

    def _turn(self, off: Floats, dt: float) -> None:
        """The head turns by what is left, as fast as it may, and every joint takes what the one in front of it had."""
        height = self._library.character.anatomy.hip_height
        speed = np.maximum(np.abs(self._root.velocity), 1e-3)
        table = np.radians(turn_rate(speed, self._warping.crosses, height)) * YAW_RATE_SCALE * self._frame_rate
        most = np.minimum(np.minimum(table, MAX_YAW_RATE), MAX_LATERAL_G * GRAVITY / speed)
        most = np.minimum(most, np.sqrt(2 * YAW_ACCELERATION * np.abs(off)))
        change = YAW_ACCELERATION * dt
        self._spin = self._spin + np.clip(np.clip(off / dt, -most, most) - self._spin, -change, change)
        self.yaws = np.concatenate([self.yaws[:, :1] + dt * self._spin[:, None], self.yaws[:, :-1]], axis=1)

    def pose(self, frame: Frame) -> None:
        if self._warping.crosses.any():
            self._mean_body(frame)
        self._lengthen(frame)
        bends = np.diff(self.yaws[:, ::-1], axis=1) / 2
        if np.abs(bends).max(initial=0.0) > 1e-6:
            turn = np.concatenate([np.cos(bends)[..., None], np.sin(bends)[..., None] * self._axes], axis=-1)
            frame.rotations[:, self._joints] = rot.multiply(turn, frame.rotations[:, self._joints])
        self._drive(frame)

    def _mean_body(self, frame: Frame) -> None:
        """The body is the mean of its poses at the four legs' generic times, in both gaits (Equation 10)."""
        timing, library, body = frame.timing, self._library, self._body
        who, which = np.nonzero(timing.weights > 0)
        legs = timing.legs
        phases = timing.phases[who, which]
        each = np.repeat(phases.reshape(-1, 1), legs + 1, axis=1)
        places, turns, _ = library.sample(np.repeat(which, legs), each)
        weights = np.repeat(timing.weights[who, which] / legs, legs)[:, None, None]
        first = np.searchsorted(np.repeat(who, legs), np.arange(timing.count))
        frame.positions[:, body] = np.add.reduceat(places[:, body] * weights, first)
        mean = np.add.reduceat(turns[:, body] * weights, first)
        frame.rotations[:, body] = mean / np.linalg.norm(mean, axis=-1, keepdims=True)

    def _lengthen(self, frame: Frame) -> None:
        """Feet are scaled about hip or shoulder in the sagittal plane by D' / D (Equation 2); G keeps them grounded."""
        scale, feet = frame.timing.step_scale[:, None], frame.feet
        hips = frames(self._tree, frame.positions, frame.rotations)[..., :3, 3][:, self._tree.inner.hip]
        floors = frame.timing.weights @ self._floors
        feet[..., 2] = (feet[..., 2] - hips[..., 2]) * scale + hips[..., 2]
        feet[..., 1] = (feet[..., 1] - floors) * scale + floors

    def _drive(self, frame: Frame) -> None:
        """By how much the feet that stand went back since the last frame, in m/s; NaN where none stands."""
        feet, stand = to_complex(frame.feet), self._standing(frame)
        if self._feet is not None and self._stood is not None:
            both = stand & self._stood
            count = both.sum(axis=1)
            back = np.where(both, self._feet - feet, 0).sum(axis=1) * self._frame_rate
            self._driven = np.where(count > 0, back / np.maximum(count, 1), np.nan)
        self._feet, self._stood = feet, stand

    def _standing(self, frame: Frame) -> Bools:
        """Feet that stand by their clocks and, where there are fetlocks, by these as well (section 6.1)."""
        timing = frame.timing
        stand: Bools = timing.clocks < 1
        if self._stances is None:
            return stand
        gait = np.argmax(timing.weights, axis=1)
        at = (timing.phases[np.arange(timing.count), gait] % 1.0 * GRID).astype(np.int64) % GRID
        told = stand & self._stances[gait[:, None], at, np.arange(timing.legs)]
        return np.where(told.any(axis=1, keepdims=True), told, stand)


def linear_ease(state: JumpState, rows: Ints) -> Floats:
    """The paper's blending: linear, from the gait into the jump and out of it."""
    return np.clip(linear_share(state, rows), 0.0, 1.0)


class BatchHuang(Paper):
    """One animal as in Huang's paper. `gaits` names the cycles that it goes in, by default the paper's six."""

    def __init__(
        self,
        character: Character,
        count: int = 1,
        *,
        world: World | None = None,
        frame_rate: float = 60.0,
        gaits: Sequence[str] | None = None,
    ) -> None:
        self._steady = steady_library(character, tuple(CONTACT_LAWS), gaits)
        laws, ranges = contact_laws(with_stand(self._steady)), speed_ranges(self._steady)
        super().__init__(self._steady, count, laws, ranges, float(MAX_YAW_RATE), world, frame_rate)

    def make_stages(self) -> HuangStages:
        return HuangStages(self._steady, self)


class HuangStages:
    """Huang's root motion, transition and posture; a jump starts in the gait and posture that are nearest to it."""

    def __init__(self, library: Library, paper: Paper) -> None:
        start = -library.cycles[0].touchdowns[None] % 1.0
        acceleration = MAX_ACCELERATION_G * GRAVITY
        self.warping = Warping(paper.strides, paper.timing, start, paper.ranges, acceleration)
        self.driven = StanceDriven(paper.library, paper.lock.tree, paper.root, self.warping, paper.frame_rate)
        self._library, self._root, self._frame_rate = library, paper.root, paper.frame_rate
        self._touchdowns = paper.strides.touchdowns
        self._starts: dict[str, tuple[int, float]] = {}
        self.move, self.pose = self.driven.move, self.driven.pose

    def advance(self, frame: Frame) -> None:
        self.warping.advance(frame.gait, frame.dt)

    @property
    def steady(self) -> bool:
        return not self.warping.crosses[0] and bool(self.warping.target[0] == 0)

    def heading(self) -> float:
        return float(self.driven.yaws[0, 0])

    def yaw_rate(self, off: Floats) -> Floats:
        """At once: the root motion knows how fast a head may turn."""
        return off * self._frame_rate

    def approach(self, jump: Jump, gait: Ints) -> Ints:
        """The leaping-start gait: the one that is nearest to the beginning of the jump."""
        return np.full_like(gait, self._start_of(jump)[0])

    def ready(self, jump: Jump) -> bool:
        """In the leaping-start gait, when it comes to the posture that is nearest."""
        gait, phase = self._start_of(jump)
        warping = self.warping
        if warping.crosses[0] or warping.target[0] != gait:
            return False
        now = warping.time[0, REFERENCE] + self._touchdowns[gait, REFERENCE]
        return bool((now - phase) % 1.0 < warping.pace[0] / self._frame_rate)

    def jump_style(self, jump: Jump) -> tuple[Ease, Callable[[Ints], Ints]]:
        into = nearest(self._library, jump, float(jump.lands.max()))[0]
        return linear_ease, lambda gait: np.full_like(gait, into)

    def resume(self, gait: int, phase: float) -> None:
        speed = abs(complex(self._root.velocity[0]))
        self.warping.resume(gait, (phase - self._touchdowns[gait]) % 1.0, speed)
        self.driven.resume(float(self._root.yaw[0]))

    def _start_of(self, jump: Jump) -> tuple[int, float]:
        """The gait and the phase in which a jump begins: as its first fore leg is about to be lifted."""
        if jump.name not in self._starts:
            self._starts[jump.name] = nearest(self._library, jump, float(jump.lifts.min()))
        return self._starts[jump.name]

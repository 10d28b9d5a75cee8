"""Sung's preset: precomputed transitions that start when a cycle ends, and turns by warping the path.

A long motion is stitched of clips: whole cycles and transitions. Commands are heeded when a clip ends, as in the paper
(section V): speed, heading and gait hold for a clip. The paper changes the stride but not its time, which misses the
speed; here a cycle also lasts as long as the speed needs (T' = L' / v). Speeds go over during the overlap of ten
frames, for clips of the same gait are at the same frame there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import permutations

import numpy as np

from canter.anatomy import Character
from canter.control.steering import Root
from canter.control.world import World
from canter.cycles.engine.cycle import Cycle
from canter.cycles.engine.frame import Frame
from canter.cycles.engine.gait_graph import Range, gait_graph
from canter.cycles.engine.laws import FROUDE_POWER, make_laws
from canter.cycles.engine.library import Library
from canter.cycles.engine.strides import StrideTable, clocks_at
from canter.cycles.engine.timing import Timing
from canter.cycles.gaits.posture import vertical_axes
from canter.cycles.jumps.jump import Jump
from canter.cycles.jumps.jumping import Ease, JumpState
from canter.cycles.papers.bridges import frames_of, make_bridge
from canter.cycles.papers.paper import Paper, complex_velocity, steady_library, with_stand
from canter.cycles.papers.strips import FRAME_RATE
from canter.footing.lock import FootLock
from canter.motion import rotations as rot
from canter.motion.arrays import Bools, Floats, Ints
from canter.motion.constants import GRAVITY
from canter.motion.easing import quintic_step

COMMON = ("walk", "trot", "canter", "gallop")
"""The gaits of the paper, where an animal has more."""
OVERLAP_FRAMES = 10
"""Frames in which clips overlap (section III.7)."""
MAX_SPEED_STEP = 0.2
"""By how much of itself the speed may change from clip to clip; the paper's keys change it by less."""
MAX_CLIP_YAW = np.radians(15)
"""The most that one clip turns; a key of the paper's turns by 5 degrees, and may be pressed more than once."""
MAX_FOOT_ERROR = 0.06
"""Hip heights by which a planted foot may be off the blended one; beyond that it slides, as all feet of the paper's do
before their legs are filtered. Held fast they would make legs snap."""
MAX_LATERAL_G = 0.35
"""The greatest sideways pull in a turn, in g, which is of ours."""


def stride_law(cycles: Sequence[Cycle], hip_height: float) -> tuple[float, float]:
    """a and b of Fr = a L^b, fitted on the cycles in logarithms (Equation 2); one cycle takes b as measured on dogs."""
    speeds = np.array([cycle.speed for cycle in cycles])
    lengths = speeds * np.array([cycle.seconds for cycle in cycles])
    froude = np.log(speeds**2 / (GRAVITY * hip_height))
    if len(cycles) < 2 or np.ptp(np.log(lengths)) < 0.05:
        return float(np.exp(froude[0] - FROUDE_POWER * np.log(lengths[0]))), FROUDE_POWER
    b, a = np.polyfit(np.log(lengths), froude, 1)
    return float(np.exp(a)), float(b)


class Stitching:
    """Transition and root motion of the preset: which clip each animal is in and how far, its speed and its turn.

    A clip goes from cycle `source` to cycle `target`, the same for a plain cycle; `done` of its `length` frames are
    over, and `turn` is by how much it turns. What a command asks for is taken when a clip begins.
    """

    def __init__(
        self, library: Library, strides: StrideTable, root: Root, timing: Timing, ranges: Sequence[Range]
    ) -> None:
        self._strides, self._root, self._timing = strides, root, timing
        cycles, count = library.cycles, timing.count
        kinds, legs = len(cycles), timing.legs
        self.bridges = {pair: make_bridge(library, *pair) for pair in permutations(range(kinds), 2)}
        longest = max((bridge.frames for bridge in self.bridges.values()), default=0)
        self._clocks = np.zeros((kinds, kinds, longest + 2, legs))
        self._entries, self._increments = np.zeros((kinds, kinds, legs)), np.ones((kinds, kinds, legs))
        self._lengths = np.diag([float(frames_of(cycle)) for cycle in cycles])
        for pair, bridge in self.bridges.items():
            self._clocks[pair] = np.pad(bridge.clocks, ((0, longest + 1 - bridge.frames), (0, 0)), mode="edge")
            self._entries[pair], self._lengths[pair] = bridge.found.frames, bridge.frames
            self._increments[pair] = bridge.junction.increments(bridge.found.frames)
        self._low, self._high = np.array(ranges).T
        self._ways = np.array([complex_velocity(cycle) / cycle.speed for cycle in cycles])
        self._frames = np.diag(self._lengths)
        self.begin(count, cycles[0].speed)

    def begin(self, count: int, speed: float) -> None:
        """Everybody at the start of the first cycle."""
        self.source, self.target = np.zeros(count, np.int64), np.zeros(count, np.int64)
        self.done, self.entry = np.zeros(count), np.zeros(count)
        self.length = np.full(count, self._frames[0])
        self.speed, self._was, self._goal = (np.full(count, speed) for _ in range(3))
        self.turn, self._rate, self._rate_was = (np.zeros(count) for _ in range(3))
        self._gone, self._sideways = np.zeros(count, complex), np.zeros(count, complex)
        self._fresh = np.ones(count, bool)

    def resume(self, gait: int, phase: float, speed: float) -> None:
        """Everybody goes on in a cycle from a phase of it, after a clip that was no cycle."""
        count, frames = len(self.speed), float(self._frames[gait])
        self.begin(count, speed)
        self.source[:] = self.target[:] = gait
        self.entry[:] = phase % 1.0 * frames
        self.length = frames - self.entry

    @property
    def fresh(self) -> bool:
        """Whether the first animal has just come to the end of a plain cycle: the next clip may be any."""
        return bool(self._fresh[0] and not self.crosses[0] and self.entry[0] == 0)

    @property
    def crosses(self) -> Bools:
        """Who is in a transition `(N,)`."""
        result: Bools = self.source != self.target
        return result

    @property
    def progress(self) -> Floats:
        """How much of its clip each animal `(N,)` has done."""
        result: Floats = np.clip(self.done / self.length, 0, 1)
        return result

    @property
    def share(self) -> Floats:
        """The weight of the target: it increases steadily, and the last frames overlap with the clip that follows."""
        over = np.clip((self.done - self.length + OVERLAP_FRAMES) / OVERLAP_FRAMES, 0, 1)
        share = self.progress
        return np.where(self.crosses, share + (1 - share) * over, 1.0)

    @property
    def pace(self) -> Floats:
        """Frames a second at which the clips are played now `(N,)`."""
        each = self._strides.laws.frequencies(self.speed)[:, : len(self._frames)] * self._frames
        rows, share = np.arange(len(self.speed)), self.share
        result: Floats = (1 - share) * each[rows, self.source] + share * each[rows, self.target]
        return result

    def move(self, frame: Frame, speed: float, yaw_rate: Floats) -> None:
        """The root goes on by the blended offsets of the cycles (Equation 3), along a path that is rotated about where
        the clip began by more and more (section III.5): by what is left to turn, `MAX_CLIP_YAW` at most."""
        root, dt = self._root, frame.dt
        self._take(np.full(root.count, speed), yaw_rate, self.pace)
        over = np.clip(self.done / OVERLAP_FRAMES, 0, 1)
        self.speed = self._was + (self._goal - self._was) * np.where(self.crosses, self.share, over)
        share = self.share
        step = self.speed * ((1 - share) * self._ways[self.source] + share * self._ways[self.target])
        root.yaw_rate = self._rate_was + (self._rate - self._rate_was) * over
        root.velocity = step + 1j * root.yaw_rate * self._gone + self._sideways * (1 - over)
        self._gone = self._gone + dt * step
        root.place = root.place + dt * root.velocity * np.exp(1j * (root.yaw + dt * root.yaw_rate / 2))
        root.yaw = root.yaw + dt * root.yaw_rate

    def _take(self, speed: Floats, turn: Floats, pace: Floats) -> None:
        """Those whose clip is new take what is asked for now."""
        new = self._fresh
        speed = np.clip(speed, self._low[self.target], self._high[self.target])
        most = MAX_SPEED_STEP * self.speed
        near = np.where(self.crosses, speed, self.speed + np.clip(speed - self.speed, -most, most))
        seconds = (self.length - self.done) / pace
        angle = np.clip(turn * seconds, -MAX_CLIP_YAW, MAX_CLIP_YAW)
        pull = MAX_LATERAL_G * GRAVITY / self.speed
        self._sideways = np.where(new, 1j * self._rate * self._gone, self._sideways)
        self._gone = np.where(new, 0, self._gone)
        self._was, self._goal = np.where(new, self.speed, self._was), np.where(new, near, self._goal)
        self._rate_was = np.where(new, self._rate, self._rate_was)
        self._rate = np.where(new, np.clip(angle / seconds, -pull, pull), self._rate)
        self.turn = np.where(new, self._rate * seconds, self.turn)
        self._fresh = np.zeros_like(new)

    def advance(self, frame: Frame) -> None:
        """Legs and body go on; each leg of source and target by its own increments (Equation 4)."""
        self.done = self.done + frame.dt * self.pace
        if (self.done >= self.length).any():
            self._next(frame.gait)
        self.show()

    def _next(self, gait: Ints) -> None:
        """Where a clip has ended the next one begins: what is left of a cycle after a transition, else a transition if
        another gait is wanted, else the cycle again."""
        ended, crossed = self.done >= self.length, self.crosses
        spare = self.done - self.length
        arrival = self._entries[self.source, self.target].max(axis=-1) + self.length
        entry = np.where(crossed, arrival % self._frames[self.target], 0.0)
        goes = np.where(crossed, self.target, gait)
        length = self._lengths[self.target, goes] - entry
        self.source = np.where(ended, self.target, self.source)
        self.target = np.where(ended, goes, self.target)
        self.entry, self.length = np.where(ended, entry, self.entry), np.where(ended, length, self.length)
        self.done = np.where(ended, spare, self.done)
        self._fresh = self._fresh | ended

    def show(self) -> None:
        """Writes weights, phases and clocks as the clips have them now."""
        timing, strides, source, target = self._timing, self._strides, self.source, self.target
        rows, crosses, share = np.arange(timing.count), self.crosses[:, None], self.share
        gone = self.done[:, None] * self._increments[source, target]
        entries = np.where(crosses, self._entries[source, target], self.entry[:, None])
        target_phase = (entries + gone) / self._frames[target][:, None]
        weights = np.zeros_like(timing.weights)
        weights[rows, source] = 1 - share
        weights[rows, target] += np.where(self.crosses, share, 1.0 - weights[rows, target])
        timing.weights, timing.posture_weights = weights, weights.copy()
        timing.phases[rows, source] = gone / self._frames[source][:, None]
        timing.phases[rows, target] = target_phase
        timing.body_phases[rows, source] = self.done / self._frames[source]
        timing.body_phases[rows, target] = (entries.max(axis=1) + self.done) / self._frames[target]
        timing.target = target.copy()
        plain = clocks_at(target_phase, strides.touchdowns[target], strides.duties[target])
        timing.clocks = np.where(crosses, self._looked_up(), plain)
        rates = strides.laws.frequencies(self.speed)
        timing.stride = 1 / (weights * rates).sum(axis=1)
        timing.duty = weights @ strides.duties

    def _looked_up(self) -> Floats:
        """The clocks of the transitions at this frame `(N, L)`."""
        first = np.minimum(self.done.astype(np.int64), self._clocks.shape[2] - 2)
        share = (self.done - first)[:, None]
        now, then = (self._clocks[self.source, self.target, first + k] for k in (0, 1))
        result: Floats = (now + share * (then - now)) % 2.0
        return result


class SpineGroups:
    """The posture of the preset: the spine turns about the vertical in three groups one after another, the foremost
    first (section III.5), and feet that are planted in a transition are on the ground."""

    def __init__(self, library: Library, stitching: Stitching, lock: FootLock) -> None:
        anatomy = library.character.anatomy
        head = () if anatomy.head is None else (anatomy.head,)
        self._joints = np.array([*anatomy.spine[1:], *anatomy.neck, *head], np.int64)
        groups = np.array_split(np.arange(len(self._joints)), 3)
        self._shares = np.zeros((3, len(self._joints)))
        for row, group in zip(self._shares, groups, strict=True):
            row[group] = 1 / max(len(group), 1)
        self._axes = vertical_axes(library, self._joints)
        self._floors = library.feet[..., 1].min(axis=1)
        self._stitching, self._lock, self._hip_height = stitching, lock, anatomy.hip_height

    def step(self, frame: Frame) -> None:
        stitching, rotations = self._stitching, frame.rotations
        if np.abs(stitching.turn).max() > 1e-5 and len(self._joints):
            at = stitching.progress[:, None]
            group = stitching.turn[:, None] * (quintic_step(3 * at - np.array([2.0, 1.0, 0.0])) - at)
            angle = np.diff(group, axis=1, prepend=0.0) @ self._shares / 2
            turn = np.concatenate([np.cos(angle)[..., None], np.sin(angle)[..., None] * self._axes], axis=-1)
            rotations[:, self._joints] = rot.multiply(turn, rotations[:, self._joints])
        if stitching.crosses.any():
            self._plant(frame)

    def _plant(self, frame: Frame) -> None:
        """Feet that are planted in a transition come down to the ground, and slide where the blended legs go on."""
        timing, root, feet, lock = frame.timing, frame.root, frame.feet, self._lock
        planted = self._stitching.crosses[:, None] & (timing.clocks < 1)
        floors = timing.weights @ self._floors
        low = floors + (feet[..., 1] - floors) * (2 * timing.clocks - 1) ** 2
        feet[..., 1] = np.where(planted, low, feet[..., 1])
        ahead = np.exp(1j * root.yaw)[:, None]
        off = (lock.state.footholds - root.place[:, None]) / ahead - (feet[..., 2] + 1j * feet[..., 0])
        most = MAX_FOOT_ERROR * self._hip_height
        slide = off * np.maximum(1 - most / np.maximum(np.abs(off), 1e-9), 0.0)
        lock.shift_footholds(np.where(planted & frame.contacts, -slide * ahead, 0.0))


def overlap(frame_rate: float) -> Ease:
    """The paper's stitching: the first frames of a jump overlap the cycle before, its last ones the cycle after. The
    jump is over when all feet have come down."""
    seconds = OVERLAP_FRAMES / min(frame_rate, FRAME_RATE)

    def share(state: JumpState, rows: Ints) -> Floats:
        at = state.at[rows]
        along = np.where(at < state.landing[rows], at, state.settled[rows] + seconds - at)
        return np.clip(along / seconds, 0.0, 1.0)

    return share


class BatchSung(Paper):
    """One animal as in Sung's paper. `gaits` names the cycles that it goes in, by default the paper's four."""

    def __init__(
        self,
        character: Character,
        count: int = 1,
        *,
        world: World | None = None,
        frame_rate: float = 60.0,
        gaits: Sequence[str] | None = None,
    ) -> None:
        self._steady = steady_library(character, COMMON, gaits)
        ranges = gait_graph([cycle.speed for cycle in self._steady.cycles])
        b = stride_law(self._steady.cycles, character.anatomy.hip_height)[1]
        laws = replace(make_laws(with_stand(self._steady)), power=1 - 2 / min(max(b, 2.2), 6.0))
        max_yaw_rate = float(MAX_CLIP_YAW / self._steady.cycles[0].seconds)
        super().__init__(self._steady, count, laws, ranges, max_yaw_rate, world, frame_rate)

    def make_stages(self) -> SungStages:
        return SungStages(self._steady, self)


class SungStages:
    """Sung's root motion, transition and posture; everything is heeded when a cycle has ended."""

    def __init__(self, library: Library, paper: Paper) -> None:
        self.stitching = Stitching(library, paper.strides, paper.root, paper.timing, paper.ranges)
        self._spine = SpineGroups(paper.library, self.stitching, paper.lock)
        self._root, self._frame_rate = paper.root, paper.frame_rate
        self.move, self.advance, self.pose = self.stitching.move, self.stitching.advance, self._spine.step

    @property
    def steady(self) -> bool:
        return self.stitching.fresh and bool(self.stitching.target[0] == 0)

    def heading(self) -> float:
        return float(self._root.yaw[0])

    def yaw_rate(self, off: Floats) -> Floats:
        """All of it within the clip."""
        stitching = self.stitching
        result: Floats = off * stitching.pace / np.maximum(stitching.length - stitching.done, 1.0)
        return result

    def approach(self, jump: Jump, gait: Ints) -> Ints:
        return gait

    def ready(self, jump: Jump) -> bool:
        return self.stitching.fresh

    def jump_style(self, jump: Jump) -> tuple[Ease, Callable[[Ints], Ints]]:
        return overlap(self._frame_rate), lambda gait: gait

    def resume(self, gait: int, phase: float) -> None:
        self.stitching.resume(gait, phase, abs(complex(self._root.velocity[0])))

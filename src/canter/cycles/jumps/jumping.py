"""Jumps out of a gait and into a gait, as an overlay on the stages of locomotion.

A jump is planned when it is asked for: the take-off is put where it suits the four legs best, and until then each of
them hurries or waits a little, as in a change of gait, so that hind legs push off together and fore legs are off the
ground. The flight lasts about as long as in the clip and so is as high, and goes as far as the speed takes it (Sung,
section IV.2, makes long and short jumps from one clip). After the landing the legs fall in with the gait that is
wanted. The gait goes on underneath; feet are held and legs reach for them as in any gait.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from canter.cycles.engine.frame import Frame
from canter.cycles.engine.joint_limits import filtered, max_joint_steps
from canter.cycles.engine.laws import CONTACT_POWER
from canter.cycles.engine.library import Library, fastest_joints, free_joints
from canter.cycles.gaits.transition import STEP_EXTENSION, Transition
from canter.cycles.jumps.jump import Jump, JumpTable
from canter.cycles.jumps.plan import KNOTS, interpolated, plan_jumps
from canter.footing.lock import FootLock
from canter.motion.arrays import Bools, Floats, Ints
from canter.motion.constants import GRAVITY
from canter.motion.easing import quintic_step
from canter.motion.rows import merge_rows

PATTERN_COST = 1.5
"""What it costs to land in another pattern of feet than that of the gait, altogether."""
SETTLE_SECONDS = 0.25
"""Seconds over which the height is led into the flight and out of it, at 1 m of hip height."""
FADE_STRIDES = 0.75
"""Strides in which the jump gives way to the gait after the landing."""
MAX_FLIGHT_YAW = 0.2
"""Radians that a flight may turn by."""
STANCE_HURRY = 2.0
"""By how many times its pace a leg hurries that is too short for its stance."""
LOW_SWING = 0.7
"""By how much of their height feet swing lower than in the gait right after the landing."""
MIN_SPEED_SHARE = 0.6
"""The share of its speed in the clip that an animal jumps with at least."""

Ease = Callable[["JumpState", Ints], Floats]
"""How much of the pose is the jump's `(R,)`, for the animals of some rows."""


@dataclass(eq=False)
class JumpState:
    """Jumps of N animals; rows that are not `active` mean nothing.

    `which (N,)` is the jump, `at` the seconds since it began; `takeoff`, `landing`, `rate`, `times` and `values` are
    the plan's; `carry` is the speed that it is jumped with, `stride` the seconds of a stride then. `hangs (N, L)` are
    legs that swing on until they land, `late` how far a foot is from the clip's place when it is lifted, `ahead` and
    `after` by how many seconds legs are ahead of the plan before and after the flight, `swung` how far they are in
    their swing over it; `drop` is the body drop at the take-off, NaN before it.
    """

    count: int
    legs: int
    free_joints: int
    active: Bools = field(init=False)
    which: Ints = field(init=False)
    at: Floats = field(init=False)
    takeoff: Floats = field(init=False)
    landing: Floats = field(init=False)
    settled: Floats = field(init=False)
    rate: Floats = field(init=False)
    carry: Floats = field(init=False)
    stride: Floats = field(init=False)
    drop: Floats = field(init=False)
    times: Floats = field(init=False)
    values: Floats = field(init=False)
    hangs: Bools = field(init=False)
    late: Floats = field(init=False)
    ahead: Floats = field(init=False)
    after: Floats = field(init=False)
    swung: Floats = field(init=False)
    rotations: Floats = field(init=False)

    def __post_init__(self) -> None:
        n, legs = self.count, self.legs
        self.active, self.hangs = np.zeros(n, bool), np.zeros((n, legs), bool)
        self.which = np.zeros(n, np.int64)
        for name in ("at", "takeoff", "landing", "settled", "rate", "carry", "stride", "drop"):
            setattr(self, name, np.zeros(n))
        for name in ("late", "ahead", "after", "swung"):
            setattr(self, name, np.zeros((n, legs)))
        self.times, self.values = np.zeros((n, legs, KNOTS)), np.zeros((n, legs, KNOTS))
        self.rotations = np.zeros((n, self.free_joints, 4))

    @property
    def flies(self) -> Bools:
        """Who is in the air `(N,)`."""
        return self.active & (self.at >= self.takeoff) & (self.at < self.landing)

    @property
    def landed(self) -> Bools:
        """Who has come down again `(N,)`."""
        return self.active & (self.at >= self.landing)


def smooth_ease(state: JumpState, rows: Ints) -> Floats:
    """In over all that goes before the flight, and out within a part of the stride after it, without corners."""
    return quintic_step(linear_share(state, rows))


def linear_share(state: JumpState, rows: Ints) -> Floats:
    """The same in straight lines; beyond 0 and 1 outside."""
    at, landing = state.at[rows], state.landing[rows]
    fade = 1 - (at - landing) / (FADE_STRIDES * state.stride[rows])
    result: Floats = np.where(at < landing, at / state.takeoff[rows], fade)
    return result


class Jumping:
    """The jumps of N animals. Of several sides of a jump, it and its mirror image, that is taken which suits the legs
    best. `into` gives the gait to land in from the present one, where it is not the one that is steered to."""

    def __init__(
        self,
        library: Library,
        count: int,
        frame_rate: float,
        transition: Transition,
        lock: FootLock,
        ease: Ease = smooth_ease,
        into: Callable[[Ints], Ints] | None = None,
    ) -> None:
        self._library, self._transition, self._lock = library, transition, lock
        self._frame_rate, self._ease, self._into = frame_rate, ease, into
        self._size = float(np.sqrt(library.character.anatomy.hip_height))
        self._roots, self._free = lock.tree.roots, free_joints(library)
        self._floors = library.feet[0, :, :, 1].min(axis=0)
        self.table: JumpTable | None = None
        self._sides: dict[str, tuple[int, ...]] = {}
        self.state = JumpState(count, len(lock.tree.legs.foot), len(self._free))
        self.share: Floats = np.zeros(count)

    # Which jumps there are -----------------------------------------------------------------------

    def add(self, name: str, sides: Sequence[Jump]) -> None:
        """Makes a jump known, and its other sides."""
        known = self.table.jumps if self.table is not None else ()
        self._sides[name] = tuple(range(len(known), len(known) + len(sides)))
        self.table = JumpTable((*known, *sides), self._library)
        cycles = [fastest_joints(cycle) for cycle in self._library.cycles]
        fastest = np.stack([*cycles, *(jump.fastest for jump in self.table.jumps)]).max(axis=0)[self._free]
        self._max_steps = max_joint_steps(fastest, self._frame_rate)

    def __contains__(self, name: str) -> bool:
        return name in self._sides

    @property
    def names(self) -> list[str]:
        """What each jump of the table is called."""
        return [] if self.table is None else [jump.name for jump in self.table.jumps]

    # Beginning -----------------------------------------------------------------------------------

    def begin(self, name: str, rows: Ints, frame: Frame) -> None:
        """Plans jumps of animals from where they are in their strides."""
        assert self.table is not None
        state, timing, table = self.state, frame.timing, self.table
        speed = np.abs(frame.root.velocity[rows])
        carry = np.maximum(speed, MIN_SPEED_SHARE * table.speed[self._sides[name][0]])
        stances, swings = (timing.stride[rows, None] * x for x in (timing.duty[rows], 1 - timing.duty[rows]))
        stances = stances * ((speed / carry) ** -CONTACT_POWER)[:, None]
        stride = (stances + swings).mean(axis=1)
        pattern = self._transition.strides.touchdowns[timing.target[rows]]
        clocks = timing.clocks[rows]
        sides, each = np.array(self._sides[name]), np.arange(len(rows))
        which, who = np.repeat(sides, len(rows)), np.tile(each, len(sides))  # all sides are planned at once
        plans = plan_jumps(table, which, clocks[who], stances[who], swings[who], carry[who])
        costs = plans.cost + PATTERN_COST * _spread(plans.lands / stride[who, None] - pattern[who])
        best = np.argmin(costs.reshape(len(sides), -1), axis=0) * len(rows) + each
        for item in ("takeoff", "landing", "rate", "times", "values"):
            getattr(state, item)[rows] = getattr(plans, item)[best]
        state.which[rows] = which[best]
        state.settled[rows] = state.times[rows][..., -3].max(axis=-1)
        state.hangs[rows] = state.values[rows][..., -4] == clocks
        state.active[rows], state.at[rows], state.carry[rows], state.stride[rows] = True, 0.0, carry, stride
        state.late[rows], state.drop[rows] = np.nan, np.nan
        state.ahead[rows], state.after[rows], state.swung[rows] = 0.0, 0.0, 0.0
        state.rotations[rows] = np.nan

    @property
    def rows(self) -> Ints:
        """Who jumps."""
        return np.flatnonzero(self.state.active)

    # Stages --------------------------------------------------------------------------------------

    def steer(self, frame: Frame) -> None:
        """Before steering: until the landing the speed is kept and the yaw rate limited."""
        rows = self.rows
        if not len(rows):
            return
        state, command = self.state, frame.command
        flying = rows[~state.landed[rows]]
        speed, facing = command.speed.copy(), command.facing.copy()
        speed[flying], facing[rows] = state.carry[flying], np.nan
        frame.command = replace(command, speed=speed, facing=facing)
        frame.max_yaw_rate = np.full(state.count, np.inf)
        frame.max_yaw_rate[flying] = MAX_FLIGHT_YAW / (state.landing[flying] - state.takeoff[flying])

    def keep_gait(self, frame: Frame) -> None:
        """After steering: the gait is chosen anew from the take-off on, or is the one to land in."""
        rows = self.rows
        if len(rows):
            gait, before = frame.gait.copy(), self.state.at[rows] < self.state.takeoff[rows]
            chosen = gait[rows] if self._into is None else self._into(frame.timing.target[rows])
            gait[rows] = np.where(before, frame.timing.target[rows], chosen)
            frame.gait = gait

    def fly(self, frame: Frame) -> None:
        """After the root motion: in flight nothing changes the way, and the animal turns on as it did."""
        state = self.state
        if not state.active.any():
            return
        state.at = np.where(state.active, state.at + frame.dt, state.at)
        rows = np.flatnonzero(state.flies)
        if not len(rows):
            return
        root, last = frame.root, frame.last_root
        way = last.velocity[rows] * np.exp(1j * last.yaw[rows])
        root.yaw_rate[rows], root.place[rows] = last.yaw_rate[rows], last.place[rows] + frame.dt * way
        root.yaw[rows] = last.yaw[rows] + frame.dt * last.yaw_rate[rows]
        root.velocity[rows], root.acceleration[rows] = way * np.exp(-1j * root.yaw[rows]), 0.0

    def take_over(self, frame: Frame) -> None:
        """Before the transition: in flight the gait that is wanted has already taken over underneath."""
        rows = np.flatnonzero(self.state.flies)
        if len(rows):
            self._transition.settle(rows, frame.gait[rows])

    def time(self, frame: Frame) -> None:
        """Until all feet are down again the legs keep the plan's time and not the gait's."""
        rows = self.rows
        if not len(rows):
            return
        state = self.state
        self.share = np.zeros(state.count)
        self.share[rows] = self._ease(state, rows)
        planned = rows[state.at[rows] < state.settled[rows]]
        swung = state.swung[planned]
        state.swung[rows] = 1.0
        if len(planned):
            self._hurry(frame, planned, swung)
            at = state.at[planned, None] + state.ahead[planned] * (1 - swung) + state.after[planned]
            counted = interpolated(at, state.times[planned], state.values[planned])
            state.swung[planned] = np.clip(counted - state.values[planned][..., -4], 0.0, 1.0)
            self._transition.set_clocks(planned, counted % 2.0)

    def _hurry(self, frame: Frame, rows: Ints, swung: Floats) -> None:
        """Legs that get too short for their stances are lifted sooner; those before the flight still land in time."""
        state, clocks = self.state, frame.timing.clocks[rows]
        limit = self._lock.limits.stance
        short = np.clip((frame.strain.extension[rows] - limit) / STEP_EXTENSION + 0.5, 0.0, 1.0)
        hurry = np.where((clocks > 0.4) & (clocks < 1), STANCE_HURRY * frame.dt * short, 0.0)
        state.ahead[rows] += np.where(swung <= 0, hurry, 0.0)
        state.after[rows] += np.where(swung >= 1, hurry, 0.0)

    def blend(self, frame: Frame) -> None:
        """After sampling: the poses of jumps blended in, and the feet put where they push off and land."""
        rows = self.rows
        if not len(rows):
            return
        assert self.table is not None
        state, share = self.state, self.share[rows][:, None, None]
        positions, rotations, feet = self.table.sample(state.which[rows], self._clip_seconds(rows))
        gait_feet = frame.feet[rows].copy()
        for name, values in (("positions", positions), ("rotations", rotations), ("feet", feet)):
            array = getattr(frame, name)
            array[rows] = (1 - share) * array[rows] + share * values
        swung = quintic_step(state.swung[rows])
        pushes, catches = self.table.pushes[state.which[rows]], self.table.catches[state.which[rows]]
        jump_sweep = -(pushes * (1 - swung) + catches * swung)
        frame.sweep[rows] = (1 - share[..., 0]) * frame.sweep[rows] + share[..., 0] * jump_sweep
        self._put_feet(frame, rows, gait_feet, feet)
        lift = self._lift(frame, rows)
        frame.positions[rows[:, None], self._roots, 1] += lift[:, None]
        limit = np.broadcast_to(self._lock.limits.swing, frame.contacts.shape).copy()
        limit[rows] = self.table.swing_limit
        frame.swing_limit = limit

    def _clip_seconds(self, rows: Ints) -> Floats:
        """Where in their clips the bodies are `(R,)`."""
        assert self.table is not None
        state, table, which = self.state, self.table, self.state.which[rows]
        at, takeoff, landing, rate = (x[rows] for x in (state.at, state.takeoff, state.landing, state.rate))
        flying = table.takeoff[which] + table.seconds[which] * (at - takeoff) / (landing - takeoff)
        before = table.takeoff[which] - (takeoff - at) * rate
        after = table.landing[which] + (at - landing) * rate
        return np.where(at < takeoff, before, np.where(at > landing, after, flying))

    def _put_feet(self, frame: Frame, rows: Ints, gait: Floats, jump: Floats) -> None:
        """Natural places of the feet, leg by leg: in its stances a foot sweeps back through where it stands at rest, by
        as much as in the clip; in the air it is where the clip has it. `gait` and `jump (R, L, 3)` are those of the
        gait and of the clip."""
        assert self.table is not None
        state, table, which = self.state, self.table, self.state.which[rows]
        share, clocks, swung = self.share[rows][:, None], frame.timing.clocks[rows], state.swung[rows]
        home, pushes, catches = table.home[which], table.pushes[which], table.catches[which]
        swings, done = (swung > 0) & (swung < 1), swung >= 1
        sweep = np.where(clocks < 1, 0.5 - clocks, quintic_step(clocks - 1) - 0.5)
        stood = home + sweep * np.where(done, catches, pushes)
        lifted = swings & np.isnan(state.late[rows])
        start = np.where(state.hangs[rows], jump[..., 2], home - pushes / 2)
        state.late[rows] = np.where(lifted, start - jump[..., 2], state.late[rows])
        fade = 1 - quintic_step(1.4 * swung)
        along = np.where(swings, jump[..., 2] + np.where(swings, state.late[rows], 0.0) * fade, stood)
        feet = frame.feet[rows]
        feet[..., 2] = gait[..., 2] + share * (along - gait[..., 2])
        caught = np.where(done & (clocks < 1), 1 - quintic_step(2 * clocks), 0.0)
        early = np.maximum(gait[..., 1] - feet[..., 1], 0.0) * (1 - quintic_step(2 * swung))
        low = np.where(done & (clocks >= 1), LOW_SWING * share * (gait[..., 1] - self._floors), 0.0)
        settled = gait[..., 1] - low + caught * (jump[..., 1] - gait[..., 1])
        feet[..., 1] = np.where(swings, feet[..., 1] + early, settled)
        frame.feet[rows] = feet

    def _lift(self, frame: Frame, rows: Ints) -> Floats:
        """By how much trunks are above those of the blended poses `(R,)`, so that they fly freely; feet rise too."""
        assert self.table is not None
        state, table, which = self.state, self.table, self.state.which[rows]
        at, takeoff, landing, rate = (x[rows] for x in (state.at, state.takeoff, state.landing, state.rate))
        seconds, clip_seconds = landing - takeoff, table.seconds[which]
        longer = GRAVITY / 2 * (seconds**2 - clip_seconds**2)
        flies = state.flies[rows]
        start = rows[flies & np.isnan(state.drop[rows])]
        if len(start):
            state.drop[start] = self._lock.take_drop(start)
        share = (at - takeoff) / seconds
        rise = longer * share * (1 - share)
        feet = frame.feet[rows]
        high = np.maximum(feet[..., 1] + rise[:, None], np.minimum(feet[..., 1], self._floors))
        feet[..., 1] = np.where(flies[:, None], high, feet[..., 1])
        frame.feet[rows] = feet
        scale, over = clip_seconds / seconds, SETTLE_SECONDS * self._size
        climb = table.climb[which]
        over_in = np.minimum(over, takeoff)
        rises = climb[:, 0] * (scale - rate) + longer / seconds
        before = -over_in * rises * _slope_fade(np.minimum((takeoff - at) / over_in, 1.0))
        falls = climb[:, 1] * (scale - rate) - longer / seconds
        after = over * falls * _slope_fade(np.minimum((at - landing) / over, 1.0))
        drop = np.where(flies, np.nan_to_num(state.drop[rows]), 0.0)
        return np.where(flies, rise - drop * (1 - share), np.where(at < takeoff, before, after))

    def limit_joints(self, frame: Frame) -> None:
        """Joints that carry no leg never snap; and jumps end."""
        rows = self.rows
        if not len(rows):
            return
        free, state = self._free, self.state
        before, now = state.rotations[rows], frame.rotations[rows[:, None], free]
        first = np.isnan(before[:, :1, :1])
        now = np.where(first, now, filtered(np.where(first, now, before), now, self._max_steps))
        frame.rotations[rows[:, None], free] = now
        state.rotations[rows] = now

    def is_over(self, rows: Ints) -> Bools:
        """Whose gait has taken over altogether `(R,)`."""
        return (self.state.at[rows] >= self.state.settled[rows]) & (self.share[rows] <= 0)

    def end(self, rows: Ints) -> None:
        self.state.active[rows] = False

    def reset(self, who: Bools) -> None:
        merge_rows(self.state, JumpState(self.state.count, self.state.legs, self.state.free_joints), who)


def _spread(phases: Floats) -> Floats:
    """How far phases `(R, L)` are from being all the same: from 0 to 1 `(R,)`."""
    result: Floats = 1 - np.abs(np.exp(2j * np.pi * phases).mean(axis=-1))
    return result


def _slope_fade(x: Floats) -> Floats:
    """Quintic with f(0) = 0, f'(0) = 1 and f = f' = f'' = 0 at 1."""
    result: Floats = x - 6 * x**3 + 8 * x**4 - 3 * x**5
    return result

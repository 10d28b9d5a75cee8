"""Jumps out of a gait and into a gait, for the preset `gaits`.

A jump is planned when it is asked for: the take-off is put where it suits the four legs best, and until then each of
them hurries or waits a little, as in a change of gait, so that hind legs push off together and fore legs are off the
ground. The flight lasts about as long as in the clip and so is as high, and goes as far as the speed takes it (Sung,
section IV.2, makes long and short jumps from one clip). After the landing the legs fall in with the gait that is
wanted. Feet are held and legs reach for them as in any gait: the engine is the same, with one cycle more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from canter.control.trajectory import wrap
from canter.cycles.engine.engine import Carriage, Crowd, Drive, Transition, widened
from canter.cycles.engine.joint_limits import allowed, filtered
from canter.cycles.engine.laws import CONTACT_POWER
from canter.cycles.engine.library import fastest_joints, loose_joints
from canter.cycles.gaits.batch import FORESIGHT, SIDE_PULL, TURN_GAIN, Pack
from canter.cycles.gaits.root import MOST
from canter.cycles.gaits.transition import STRETCHED
from canter.cycles.jumps.jump import Leap
from canter.cycles.jumps.plan import Plan, plan_leap
from canter.motion.arrays import Complexes, Floats, Ints
from canter.motion.constants import GRAVITY
from canter.motion.easing import quintic_step

PATTERN = 1.5
"""What it costs to land in another pattern of feet than that of the gait, altogether."""
SETTLE = 0.25
"""Seconds over which the height is led into the flight and out of it, at 1 m of hip height."""
FADE = 0.75
"""Strides in which the jump gives way to the gait after the landing."""
FLIGHT_TURN = 0.2
"""Radians that a flight may turn by."""
HURRY = 2.0
"""By how many times its pace a leg hurries that is too short for its stance."""
LOW = 0.7
"""By how much of their height feet swing lower than in the gait right after the landing."""
MOVING = 0.6
"""Shares of the least speed of the slowest gait from which an animal jumps out of its movement."""
SLOWEST = 0.6
"""Shares of its speed in the clip that an animal jumps with at the least."""


def goes_ahead(pack: Pack) -> bool:
    """Whether the first animal of a pack goes straight ahead, fast enough to jump out of its gait."""
    herd, choice = pack.crowd.herd, pack.choice
    velocity = complex(herd.velocity[0])
    ahead = velocity.real > MOVING * choice.slowest and abs(velocity.imag) < 0.5 * velocity.real
    return ahead and int(herd.target[0]) in (*choice.ahead, *choice.others)


class Ease:
    """How a jump gives way: the share of it `at` a moment of a `plan`, in a gait of strides of so many seconds."""

    def share(self, plan: Plan, at: float, stride: float) -> float:
        """In over all that goes before the flight, and out within a part of the stride after it."""
        along = at / plan.takeoff if at < plan.landing else 1 - (at - plan.landing) / (FADE * stride)
        return float(quintic_step(np.array(along)))


class Leaping:
    """The animal of a crowd of one in a jump: transition, drive and carriage of a crowd with one cycle more.

    The herd is taken over as it is, and given back frame by frame, so that nothing starts anew. Of several `leaps`, one
    and its mirror image, that is taken which suits the legs best. `choose` is `Choice.choose` or does as that does; the
    parts are those of the crowd, unless others are told.
    """

    def __init__(
        self,
        engine: Crowd,
        leaps: Sequence[Leap],
        choose: Callable[[Ints, Complexes, Floats, Floats, Floats], Ints],
        turn_rate: float,
        *,
        transition: Transition | None = None,
        drive: Drive | None = None,
        carriage: Carriage | None = None,
        ease: Ease | None = None,
    ) -> None:
        character = engine.library.character
        self._engine, self._leaps, self.leap = engine, tuple(leaps), leaps[0]
        self._choose, self._turn_rate, self._ease = choose, turn_rate, ease or Ease()
        self._transition, self._drive, self._carriage = transition, drive, carriage
        self._slow = float(np.sqrt(character.anatomy.hip_height))
        self.crowd = widened(engine, [leap.cycle for leap in leaps])
        self.crowd.transition = self.crowd.drive = self.crowd.carriage = self
        library = self.crowd.library
        self._roots = np.flatnonzero(library.skeleton.parents < 0)
        self._loose = loose_joints(library)
        fastest = np.stack([*(fastest_joints(cycle) for cycle in engine.library.cycles), leaps[0].fastest])
        fastest = fastest.max(axis=0)[self._loose]
        self._most = allowed(fastest, engine.frame_rate)
        self._floors = library.feet[0, :, :, 1].min(axis=0)

    def begin(self) -> None:
        """Plans the jump from where the animal is in its stride."""
        herd, engine = self.crowd.herd, self._engine
        herd.take(engine.herd)
        speed = abs(complex(herd.velocity[0]))
        self._carry = max(speed, SLOWEST * self.leap.speed)
        stances, swings = (float(engine.stride[0]) * x for x in (engine.duty[0], 1 - engine.duty[0]))
        stances = stances * (speed / self._carry) ** -CONTACT_POWER
        self._stride = float((stances + swings).mean())
        pattern = engine.touchdowns[herd.target[0]]
        plans = [plan_leap(leap, herd.clocks[0], stances, swings, self._carry) for leap in self._leaps]
        costs = [plan.strain + PATTERN * _amiss(plan.lands / self._stride - pattern) for plan in plans]
        best = int(np.argmin(costs))
        self.plan, self.leap, self._which = plans[best], self._leaps[best], len(engine.library.cycles) + best
        self._base, self._eased = herd.weights.copy(), herd.eased.copy()
        self._hangs = self.plan.values[:, -4] == herd.clocks[0]
        self._late = np.full(len(self._hangs), np.nan)
        self._ahead, self._after, self._swung = (np.zeros(len(self._hangs)) for _ in range(3))
        """By how many seconds legs are ahead of the plan before and after the flight, and how far in its swing."""
        self._rotations: Floats | None = None
        self.at, self._sunk = 0.0, np.nan

    @property
    def flies(self) -> bool:
        return self.plan.takeoff <= self.at < self.plan.landing

    @property
    def landed(self) -> bool:
        return self.at >= self.plan.landing

    @property
    def over(self) -> bool:
        """Whether the gait has taken over altogether."""
        return self.at >= self.plan.settled and self.share <= 0

    @property
    def share(self) -> float:
        """How much of the pose is the jump's."""
        return self._ease.share(self.plan, self.at, self._stride)

    def step(self, speed: float, heading: float) -> tuple[Floats, Floats]:
        """One frame, toward a speed and a heading as far as a jump allows: local poses, the roots in the world."""
        herd = self.crowd.herd
        now = abs(complex(herd.velocity[0]))
        off = wrap(heading - float(herd.yaw[0]))
        most = min(self._turn_rate, SIDE_PULL * GRAVITY / max(now, 0.1))
        if not self.landed:
            most = min(most, FLIGHT_TURN / (self.plan.landing - self.plan.takeoff))
            speed = self._carry
        turn = np.array([np.clip(TURN_GAIN * off, -most, most)])
        wish = np.array([speed * max(np.cos(off), 0.25) if self.landed else speed], complex)
        soon = now + np.clip(np.abs(wish) - now, *(FORESIGHT * MOST * GRAVITY * self.crowd.stride * [[-1], [1]]))
        gait = herd.target
        if self.at >= self.plan.takeoff:
            gait = self._choose(herd.target, wish, soon, turn, np.array([now]))
        positions, rotations = self.crowd.step(wish, turn, gait)
        loose = self._loose
        if self._rotations is not None:
            rotations[:, loose] = filtered(self._rotations, rotations[:, loose], self._most)
        self._rotations = rotations[:, loose].copy()
        self._engine.herd.take(herd)
        return positions, rotations

    def move(self, crowd: Crowd, wish: Complexes, turn: Floats, dt: float) -> None:
        """In flight nothing changes the way, and the animal turns on as it did; else as in any gait."""
        self.at += dt
        if not self.flies:
            (self._drive or self._engine.drive).move(crowd, wish, turn, dt)
            return
        herd = crowd.herd
        way = herd.velocity * np.exp(1j * herd.yaw)
        herd.yaw = herd.yaw + dt * herd.turn
        herd.place = herd.place + dt * way
        herd.velocity, herd.push = way * np.exp(-1j * herd.yaw), np.zeros_like(herd.push)

    def advance(self, crowd: Crowd, gait: Ints, dt: float) -> None:
        """The gait goes on underneath; until all feet are down again the legs keep the plan's time and not its."""
        herd, leap = crowd.herd, self._which
        if self.flies:
            self._base[:] = 0.0
            self._base[np.arange(herd.count), gait] = 1.0
            self._eased = self._base
        herd.weights, herd.eased = self._base.copy(), self._eased.copy()
        (self._transition or self._engine.transition).advance(crowd, gait, dt)
        self._base, self._eased = herd.weights.copy(), herd.eased.copy()
        if self.at < self.plan.settled:
            self._hurry(crowd, dt)
            counted = self.plan.clocks(self.at + self._ahead * (1 - self._swung) + self._after)
            self._swung = np.clip(counted - self.plan.values[:, -4], 0.0, 1.0)
            herd.clocks = counted[None] % 2.0
            herd.phases = crowd.phases_of(herd.clocks)
        else:
            self._swung = np.ones(herd.legs)
        share = self.share
        herd.weights = (1 - share) * herd.weights
        herd.eased = (1 - share) * herd.eased
        herd.weights[:, leap] = herd.eased[:, leap] = share
        phase = self.leap.phase(self.plan.clip_second(self.leap, self.at))
        herd.phases[:, leap] = herd.body[:, leap] = phase
        swung = quintic_step(self._swung)
        crowd.sweeps[leap] = -(self.leap.pushes * (1 - swung) + self.leap.catches * swung)

    def _hurry(self, crowd: Crowd, dt: float) -> None:
        """Legs that get too short for their stances are lifted sooner; those before the flight still land in time."""
        herd, swung = crowd.herd, self._swung
        clock = herd.clocks[0]
        short = np.clip((herd.stretch[0] - crowd.most_standing) / STRETCHED + 0.5, 0.0, 1.0)
        hurry = np.where((clock > 0.4) & (clock < 1), HURRY * dt * short, 0.0)
        self._ahead = self._ahead + np.where(swung <= 0, hurry, 0.0)
        self._after = self._after + np.where(swung >= 1, hurry, 0.0)

    def hold(self, crowd: Crowd, positions: Floats, rotations: Floats) -> None:
        positions[:, self._roots, 1] += self._lift(crowd)
        (self._carriage or self._engine.carriage).hold(crowd, positions, rotations)

    def _lift(self, crowd: Crowd) -> float:
        """By how much the trunk is above that of the mixed poses, so that it flies freely; feet are put right too."""
        herd, plan, leap = crowd.herd, self.plan, self.leap
        seconds = plan.landing - plan.takeoff
        self._put_feet(crowd)
        longer = GRAVITY / 2 * (seconds**2 - leap.seconds**2)
        if self.flies:
            if np.isnan(self._sunk):
                self._sunk, herd.sink[:] = float(herd.sink[0]), 0.0
            share = (self.at - plan.takeoff) / seconds
            rise = longer * share * (1 - share)
            crowd.feet[..., 1] = np.maximum(crowd.feet[..., 1] + rise, np.minimum(crowd.feet[..., 1], self._floors))
            return float(rise - self._sunk * (1 - share))
        scale, over = leap.seconds / seconds, SETTLE * self._slow
        if self.at < plan.takeoff:
            over = min(over, plan.takeoff)
            change = leap.climb[0] * (scale - plan.rates[0]) + longer / seconds
            return float(-over * change) * float(_faded(min((plan.takeoff - self.at) / over, 1.0)))
        change = leap.climb[1] * (scale - plan.rates[1]) - longer / seconds
        return float(over * change) * float(_faded(min((self.at - plan.landing) / over, 1.0)))

    def _put_feet(self, crowd: Crowd) -> None:
        """Natural places of the feet, leg by leg: in its stances a foot sweeps back through where it stands at rest, by
        as much as in the clip; in the air it is where the clip has it."""
        herd, library, share = crowd.herd, crowd.library, self.share
        which = np.flatnonzero(self._base[0] > 0)
        gait = np.tensordot(self._base[0, which], library.sample_feet(which, herd.phases[0, which]), 1)
        jump = library.sample_feet(np.array([self._which]), herd.phases[:, self._which])[0]
        clock, swung = herd.clocks[0], self._swung
        swings, done = (swung > 0) & (swung < 1), swung >= 1
        sweep = np.where(clock < 1, 0.5 - clock, quintic_step(clock - 1) - 0.5)
        stood = self.leap.home + sweep * np.where(done, self.leap.catches, self.leap.pushes)
        lifted = swings & np.isnan(self._late)
        start = np.where(self._hangs, jump[:, 2], self.leap.home - self.leap.pushes / 2)
        self._late = np.where(lifted, start - jump[:, 2], self._late)
        fade = 1 - quintic_step(1.4 * swung)
        jump[:, 2] = np.where(swings, jump[:, 2] + np.where(swings, self._late, 0.0) * fade, stood)
        feet = crowd.feet[0]
        feet[:, 2] = gait[:, 2] + share * (jump[:, 2] - gait[:, 2])
        caught = np.where(done & (clock < 1), 1 - quintic_step(2 * clock), 0.0)
        early = np.maximum(gait[:, 1] - feet[:, 1], 0.0) * (
            1 - quintic_step(2 * swung)
        )  # lifted before the clip lifts it
        low = np.where(done & (clock >= 1), LOW * share * (gait[:, 1] - self._floors), 0.0)
        settled = gait[:, 1] - low + caught * (jump[:, 1] - gait[:, 1])
        feet[:, 1] = np.where(swings, feet[:, 1] + early, settled)


def _amiss(phases: Floats) -> float:
    """How far phases are from being all the same: from 0 to 1."""
    return 1 - float(np.abs(np.exp(2j * np.pi * phases).mean()))


def _faded(x: float) -> float:
    """From nothing with a speed of one to rest at nothing."""
    return x - 6 * x**3 + 8 * x**4 - 3 * x**5

"""The engine of all presets: any number of animals of one kind, stepped together.

A foot comes down where the middle of its stance will be under its natural place, whatever the animal's velocity and
turn; while it stands it is held there, and the leg reaches for it. How gaits go over into each other, how the animal
moves and how it holds itself in turns are parts that can be swapped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np

from canter.control.world import Flat, World
from canter.cycles.build.cycle import Cycle
from canter.cycles.engine.laws import Laws, make_laws
from canter.cycles.engine.library import Library, make_library
from canter.cycles.engine.reach import REACH, Ways, frames, reach, ways
from canter.cycles.engine.state import Herd
from canter.motion import rotations as rot
from canter.motion.arrays import Bools, Complexes, Floats, Ints
from canter.motion.easing import quintic_step

DEEPEST, LOWEST = 0.14, 0.28
"""Hip heights that the trunk may be let down for legs to reach: gently, and at once where a leg would end."""
LONGEST = 1.05
"""How much further than in any cycle a foot may go back under its animal; one that is too fast for that lifts it
sooner."""
SLACK, PAIRED_SLACK = 0.003, 0.01
"""By which share of its length more than in any cycle a leg may stretch in stance before the trunk is let down for it;
legs whose hock folds with the knee still bend well there."""
SWING: tuple[Floats, Floats] = (
    np.array([1.0, 1.4, 3.0, 3.0]).reshape(4, 1, 1),
    np.array([0.0, 0.0, 0.0, 1.0]).reshape(4, 1, 1),
)
"""How quickly and how late in swing a foot goes forth, lets go of where it stood, folds, and may spread again."""
STRAINED = 0.005
"""By which share of its length more than its cycle wants a leg that stands must be stretched to be in need of help."""
SINKS, RISES = 0.6, 0.08
"""Shares of the way that the trunk goes down and up in a frame."""


class Transition(Protocol):
    """How gaits go over into each other."""

    def advance(self, crowd: Crowd, gait: Ints, dt: float) -> None:
        """Weights, clocks, phases and body phases of the herd by a frame, toward the gaits `(N,)` that are wanted."""


class Drive(Protocol):
    """How the animals move over the ground."""

    def move(self, crowd: Crowd, wish: Complexes, turn: Floats, dt: float) -> None:
        """Velocity, place and yaw of the herd by a frame; `wish` is a velocity in own axes, `turn` radians a second."""


class Carriage(Protocol):
    """How the animals hold themselves in turns and on slopes."""

    def hold(self, crowd: Crowd, positions: Floats, rotations: Floats) -> None:
        """Changes the mixed poses, seen from the travelling animal, before the legs reach for the ground."""


class Ground(Protocol):
    """How high the ground is."""

    def height(self, place: Floats) -> Floats:
        """Metres above zero at places `(..., 2)` of x and z."""


def ground_of(world: World | None) -> Ground | None:
    """The world as the engine needs it: none where it is level."""
    if world is None or (isinstance(world.terrain, Flat) and world.tilt == (0.0, 0.0)):
        return None
    return world


class Crowd:
    """A herd, the cycles and laws of its kind, and the parts that move it.

    `girth` is how far the feet are from the middle of the animal, in metres: what a turn makes them go; `strayed`
    `(N, L)` how far in hip heights feet are from where they would be put down now. A part that makes steps longer than
    the cycles do says so in `step_scale (N,)`.
    """

    def __init__(
        self,
        library: Library,
        laws: Laws,
        count: int,
        frame_rate: float,
        *,
        transition: Transition,
        drive: Drive,
        carriage: Carriage,
        ground: Ground | None = None,
    ) -> None:
        self.library, self.laws, self.frame_rate, self.ground = library, laws, frame_rate, ground
        self.transition, self.drive, self.carriage = transition, drive, carriage
        self.touchdowns, self.duties = library.stacked("touchdowns"), library.stacked("duty")
        self.seconds = np.array([cycle.seconds for cycle in library.cycles])
        sweep = library.stacked("sweep")
        self.sweeps: Complexes = np.where(laws.stands[:, None], 0, sweep[..., 1] + 1j * sweep[..., 0])
        self._longest = LONGEST * np.abs(self.sweeps).max(axis=0)
        self._moves = ~laws.stands
        self._moving_duties = np.where(laws.stands[:, None], 0.0, self.duties)
        self._roots = np.flatnonzero(library.skeleton.parents < 0)
        self._body = np.flatnonzero(library.owner == len(library.legs.foot))
        means = [x.mean(axis=1)[:, self._body] for x in (library.positions, library.rotations)]
        self._means = np.concatenate([x.reshape(len(x), -1) for x in means], axis=1)
        standing, ever = library.stretch
        slack = np.where(library.legs.paired, PAIRED_SLACK, SLACK)
        self.most_standing, self._most = np.clip(standing + slack, 0.9, 0.99), np.clip(ever + 0.002, 0.95, 0.998)
        self.girth = float(np.hypot(library.feet[0, ..., 0], library.feet[0, ..., 2]).mean())
        self.step_scale: Floats = np.ones(count)
        self.herd = Herd(count, len(library.cycles), len(library.legs.foot))
        self.reset()

    @property
    def most_standing(self) -> Floats:
        """The share of its length `(L,)` to which a leg may be stretched in stance before the trunk is let down."""
        result: Floats = self._limits[0, 0]
        return result

    @most_standing.setter
    def most_standing(self, most: Floats) -> None:
        self._limits = np.stack([most, np.full_like(most, REACH)])[:, None]

    def reset(self) -> None:
        """Everybody at the origin, facing +Z, standing."""
        herd = self.herd = Herd(self.herd.count, self.herd.kinds, self.herd.legs)
        stand = int(np.argmax(self.laws.stands))
        herd.weights[:, stand] = herd.eased[:, stand] = 1.0
        herd.target[:] = stand
        herd.phases = self.phases_of(herd.clocks)
        self.measure()
        self.mix()
        herd.held = self.feet[..., 2] + 1j * self.feet[..., 0]
        self.strayed: Floats = np.zeros((herd.count, herd.legs))

    def step(self, wish: Complexes, turn: Floats, gait: Ints) -> tuple[Floats, Floats]:
        """One frame: wished velocities `(N,)` in own axes, wished turns in radians a second, and the gaits to go in.

        Returns local positions `(N, J, 3)` and rotations `(N, J, 4)`, the roots in the world.
        """
        herd, dt = self.herd, 1 / self.frame_rate
        self.drive.move(self, wish, turn, dt)
        herd.time = herd.time + dt
        self.transition.advance(self, gait, dt)
        return self.pose()

    def pose(self) -> tuple[Floats, Floats]:
        """The poses of the herd as it is now; see `step`."""
        positions, rotations = self.mix()
        self.carriage.hold(self, positions, rotations)
        self._place_feet(positions, rotations)
        return self._in_world(positions, rotations)

    def measure(self) -> None:
        """How long a stride takes now (`stride (N,)`) and which share of it the feet stand (`duty (N, L)`)."""
        herd, laws = self.herd, self.laws
        weights = herd.weights * self._moves
        share = weights.sum(axis=1)
        if share.min() < 1e-3:  # those that stand would step like their slowest gait
            weights[share < 1e-3, laws.slowest] = 1.0
            share = weights.sum(axis=1)
        weights = weights / share[:, None]
        speed = np.abs(herd.velocity) + self.girth * np.abs(herd.turn)
        self.stride: Floats = 1 / (weights * laws.frequencies(speed)).sum(axis=1)
        contact = laws.contact(speed, weights @ laws.speeds)
        duty = (weights @ self._moving_duties) * contact[:, None]
        swept = (speed * self.stride)[:, None]
        duty = np.minimum(duty, self._longest / np.maximum(swept, 1e-6))
        self.duty: Floats = np.minimum(np.maximum(duty, 0.15), 0.9)

    def phases_of(self, clocks: Floats) -> Floats:
        """Phases of all cycles `(N, S, L)` at which legs with such `clocks (N, L)` are."""
        stands = np.minimum(clocks, 1.0)[:, None]
        swings = np.maximum(clocks - 1.0, 0.0)[:, None]
        result: Floats = self.touchdowns + stands * self.duties + swings * (1 - self.duties)
        return result

    def mix(self) -> tuple[Floats, Floats]:
        """The mixed poses `(N, J, ...)`, seen from the travelling animal, and with them the natural places of feet."""
        herd, library = self.herd, self.library
        active = np.flatnonzero(herd.weights > 0)
        who, which = np.divmod(active, herd.kinds)
        body = herd.body.take(active)[:, None]
        legs = np.where(self.laws.stands[which][:, None], body, herd.phases.reshape(-1, herd.legs).take(active, axis=0))
        positions, rotations = library.sample(which, np.concatenate([legs, body], axis=1))
        feet = library.sample_feet(which, legs)
        if len(who) > herd.count:
            first = np.searchsorted(who, np.arange(herd.count))
            weights = herd.weights.take(active)[:, None, None]
            rotations, positions, feet = (np.add.reduceat(x * weights, first) for x in (rotations, positions, feet))
        late = herd.eased - herd.weights
        if late.any():
            flat = late @ self._means
            joints = self._body
            positions[:, joints] += flat[:, : 3 * len(joints)].reshape(herd.count, -1, 3)
            rotations[:, joints] += flat[:, 3 * len(joints) :].reshape(herd.count, -1, 4)
        self.feet: Floats = feet
        return positions, rotations / np.sqrt(np.vecdot(rotations, rotations))[..., None]

    def _place_feet(self, positions: Floats, rotations: Floats) -> None:
        """Feet that stand are held where they came down; those that swing go where they will stand well."""
        herd, feet, legs = self.herd, self.feet, self.library.legs
        positions[:, self._roots, 1] -= herd.sink[:, None]
        joints = frames(self.library, positions, rotations)
        natural = feet[..., 2] + 1j * feet[..., 0]
        ahead = np.exp(1j * herd.yaw)[:, None]
        forth, loose, folds, spreads = quintic_step(SWING[0] * (herd.clocks - 1) - SWING[1])
        free = natural + self._lead(natural, forth)
        stands = herd.clocks < 1
        stays = stands & herd.contacts
        here = (herd.held - herd.place[:, None]) / ahead
        herd.let_go = np.where(stays, here - free, herd.let_go)
        wanted = self._on_ground(np.where(stays, here, free + np.where(stands, 0.0, herd.let_go * (1 - loose))))
        if herd.raised.any():
            swung = np.maximum(herd.clocks - 1, 0.0)
            wanted[..., 1] += herd.raised * (4 * swung * (1 - swung)) ** 2
            herd.raised = np.where(stands, 0.0, herd.raised)
        to_go = ways(self.library, joints, wanted)
        most = herd.lifted + (to_go.natural - herd.lifted) * folds / 2
        most = np.maximum(most + np.maximum(self._most - most, 0.0) * spreads, to_go.natural)
        back = to_go.back(np.where(stands, self.most_standing, most))
        back = np.where(stays[..., None], 0.0, back)
        wanted, want = wanted + back, to_go.way + back
        there = herd.place[:, None] + (wanted[..., 2] + 1j * wanted[..., 0]) * ahead
        herd.held = np.where(stands & ~herd.contacts, there, herd.held)
        herd.contacts = stands
        self.strayed = np.where(stays, np.abs(here - free), 0.0) / self.library.character.anatomy.hip_height
        deeper = self._yield(to_go, stays)
        herd.sink = herd.sink + deeper
        positions[:, self._roots, 1] -= deeper[:, None]
        want[..., 1] += deeper[:, None]
        before = herd.stretch
        herd.stretch = reach(self.library, rotations, joints, to_go, want)
        strained = stays & (herd.stretch > to_go.natural + STRAINED)
        herd.stretching = np.where(strained, herd.stretch - before, 0.0)
        herd.lifted = np.where(stands, herd.stretch, herd.lifted)
        if len(legs.apart):
            parent = self.library.tree.legs.above[legs.apart]
            wanted[..., 1] += deeper[:, None]
            away = (wanted[:, legs.apart] - joints[:, parent][..., :3, 3])[..., None]
            positions[:, legs.foot[legs.apart]] = np.matmul(joints[:, parent][..., :3, :3].swapaxes(-1, -2), away)[
                ..., 0
            ]

    def _yield(self, to_go: Ways, stays: Bools) -> Floats:
        """How far trunks go down (or up again) in a frame for the legs that stand: gently, but at once where a leg
        would end."""
        herd, height = self.herd, self.library.character.anatomy.hip_height
        short, ends = np.where(stays, to_go.lack(self._limits), -1.0).max(axis=-1)
        change = np.minimum(np.maximum(herd.sink + short, 0.0), DEEPEST * height) - herd.sink
        change = np.where(change > 0, SINKS, RISES) * change
        deeper: Floats = np.maximum(change, np.minimum(ends, LOWEST * height - herd.sink))
        return deeper

    def _on_ground(self, target: Complexes) -> Floats:
        """Places on the ground `(N, L)` with the height of the feet now, over the terrain."""
        wanted = self.feet.copy()
        wanted[..., 0], wanted[..., 2] = target.imag, target.real
        if self.ground is not None:
            there = self.herd.place[:, None] + target * np.exp(1j * self.herd.yaw)[:, None]
            wanted[..., 1] += self.ground.height(np.stack([there.imag, there.real], axis=-1))
        return wanted

    def _lead(self, natural: Complexes, forth: Floats) -> Complexes:
        """How far from its natural place a foot must be to go back over the ground as the animal goes on; `forth
        (N, L)` is how far it has swung."""
        herd = self.herd
        stance = self.duty * self.stride[:, None]
        sweep = self.step_scale[:, None] * (herd.weights @ self.sweeps)
        amiss = herd.velocity[:, None] + 1j * herd.turn[:, None] * natural + sweep / stance
        to_middle = np.where(herd.clocks < 1, 0.5 - herd.clocks, forth - 0.5)
        result: Complexes = amiss * to_middle * stance
        return result

    def _in_world(self, positions: Floats, rotations: Floats) -> tuple[Floats, Floats]:
        herd, roots = self.herd, self._roots
        turn = rot.yaw(herd.yaw)[:, None]
        place = positions[:, roots, 2] + 1j * positions[:, roots, 0]
        place = place * np.exp(1j * herd.yaw)[:, None] + herd.place[:, None]
        positions[:, roots, 0], positions[:, roots, 2] = place.imag, place.real
        rotations[:, roots] = rot.multiply(turn, rotations[:, roots])
        return positions, rotations


def widened(crowd: Crowd, cycles: Sequence[Cycle]) -> Crowd:
    """A crowd of one with the parts of another one and some cycles more, which come last."""
    library = make_library(crowd.library.character, (*crowd.library.cycles, *cycles))
    wider = Crowd(
        library,
        replace(make_laws(library), power=crowd.laws.power),
        1,
        crowd.frame_rate,
        transition=crowd.transition,
        drive=crowd.drive,
        carriage=crowd.carriage,
        ground=crowd.ground,
    )
    wider.most_standing = crowd.most_standing
    return wider

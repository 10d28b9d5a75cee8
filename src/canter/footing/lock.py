"""The foot lock: feet in contact are held where they came down, released feet ease out, and the trunk drops where a
leg would be too short.

It knows nothing of where the poses come from. Poses are seen from a ground frame that travels with the animal (a place
and a yaw); a controller whose poses are already in the world uses a frame that stays at the origin.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from canter.footing.ground import Ground, height_at, heights_of
from canter.footing.leg_tree import LegTree
from canter.footing.reach import (
    MAX_EXTENSION,
    Legs,
    Vector,
    aim_and_bend,
    frames,
    hinges,
    put_loose,
    rotate,
    spans_of,
    with_foot_at,
)
from canter.motion.arrays import Bools, Complexes, Floats, Ints
from canter.motion.easing import quintic_step
from canter.motion.numbers import (
    all_together,
    column,
    each_leg,
    functions_of,
    largest,
    legs_apart,
    legs_together,
    number_or_array,
    some,
)

MAX_DROP, MAX_SUDDEN_DROP = 0.14, 0.28
"""Hip heights that the trunk drops at most for legs to reach: smoothly, and at once where a leg would end."""
STANCE_SLACK, PAIRED_STANCE_SLACK = 0.003, 0.01
"""By which share of its length more than in the sample poses a leg may extend in stance before the trunk drops for it;
legs whose hock folds with the knee still bend well there."""
SWING_CURVES: tuple[Floats, Floats] = (
    np.array([1.0, 1.4, 3.0, 3.0, 1.5]).reshape(5, 1, 1),
    np.array([1.0, 1.4, 3.0, 4.0, 2.0]).reshape(5, 1, 1),
)
"""Slope over the clock, and what to take off, of five steps from 0 to 1: the foot swings forth, the release offset
vanishes, the leg folds from its extension at lift-off, it may extend fully again, and the foot is put ahead of its
place, by its lead."""
LEAD_CURVE = 4
"""The last of them."""
STRAINED = 0.005
"""By which share of its length more than in the wanted pose a leg in stance must be extended to count as strained."""
MIN_EXTENSION_RATE = 1e-4
"""Lengths a second at which a strained leg counts as extending at least: one that is held at its very end is about to
leave it, whatever rounding says of its rate."""
DROP_SECONDS, RISE_SECONDS = 0.018, 0.2
"""Time constants with which the trunk drops and rises."""


@dataclass(frozen=True, eq=False)
class Limits:
    """How far legs may extend, as shares of their length `(L,)`: in stance before the trunk drops, and in swing."""

    stance: Floats
    swing: Floats


def limits_of(tree: LegTree, extensions: Floats, contacts: Bools | None = None) -> Limits:
    """Limits from the extensions of sample poses `(M, L)`; those of stances where `contacts (M, L)` says which are."""
    ever = extensions.max(axis=0)
    standing = ever if contacts is None else np.where(contacts, extensions, 0.0).max(axis=0)
    slack = np.where(tree.legs.paired, PAIRED_STANCE_SLACK, STANCE_SLACK)
    return Limits(np.clip(standing + slack, 0.9, 0.99), np.clip(ever + 0.002, 0.95, 0.998))


@dataclass(eq=False)
class Strain:
    """What holding the feet asked of the legs in the last frame, each `(N, L)`.

    `extension` is the share of its length that a leg needs, `extension_rate` by how much more a second where a leg in
    stance is strained (at least MIN_EXTENSION_RATE there, 0 elsewhere), `stray` the distance in hip heights of a held
    foot from its target.
    """

    extension: Floats
    extension_rate: Floats
    stray: Floats


@dataclass(eq=False)
class LockState:
    """What a foot lock remembers of N animals with L legs.

    `contacts (N, L)`; `footholds (N, L)`, where held feet stand in the world; `release_offsets (N, L)`, from a foot's
    target to where it is held, or was when it was lifted, in the travelling frame; `lift_extension (N, L)`, that of a
    leg when it last stood; `body_drop (N,)` in metres; and the strain of the last frame. `placed (N, L)` is where
    the lock wanted feet in it, in the travelling frame. Where `reached (N, L)` is true, the leg is long and short
    enough for that, and the foot is exactly there, at the height that was wanted.
    """

    count: int
    legs: int
    contacts: Bools = field(init=False)
    footholds: Complexes = field(init=False)
    release_offsets: Complexes = field(init=False)
    lift_extension: Floats = field(init=False)
    body_drop: Floats = field(init=False)
    extension: Floats = field(init=False)
    extension_rate: Floats = field(init=False)
    stray: Floats = field(init=False)
    placed: Complexes = field(init=False)
    reached: Bools = field(init=False)

    def __post_init__(self) -> None:
        shape = (self.count, self.legs)
        self.contacts, self.reached = np.ones((2, *shape), bool)
        self.body_drop = np.zeros(self.count)
        self.footholds, self.release_offsets, self.placed = np.zeros((3, *shape), complex)
        self.lift_extension, self.extension, self.extension_rate, self.stray = (np.zeros(shape) for _ in range(4))


class FootLock:
    """The foot lock of N animals of one kind; owns a `LockState`."""

    def __init__(
        self, tree: LegTree, limits: Limits, hip_height: float, count: int, ground: Ground | None = None
    ) -> None:
        self.tree, self.limits, self.ground = tree, limits, ground
        self._hip_height = hip_height
        shape = (count, len(tree.legs.foot))
        self._stance_limit, self._swing_limit = (np.broadcast_to(x, shape) for x in (limits.stance, limits.swing))
        self.state = LockState(count, len(tree.legs.foot))

    @property
    def strain(self) -> Strain:
        """Of the last frame."""
        return Strain(self.state.extension, self.state.extension_rate, self.state.stray)

    def reset(self, footholds: Complexes) -> None:
        """All feet in contact, at `footholds (N, L)` in the world, without any strain."""
        self.state = LockState(self.state.count, self.state.legs)
        self.state.footholds = footholds

    def shift_footholds(self, offsets: Complexes) -> None:
        """Moves the places where feet are held by `offsets (N, L)` in the world: feet slide."""
        self.state.footholds = self.state.footholds + offsets

    def take_drop(self, rows: Ints) -> Floats:
        """The body drop of some animals, which becomes zero: the caller fades it out by itself."""
        drop: Floats = self.state.body_drop[rows].copy()
        self.state.body_drop[rows] = 0.0
        return drop

    def hold(
        self,
        positions: Floats,
        rotations: Floats,
        clocks: Floats,
        targets: Complexes,
        heights: Floats,
        place: Complexes | complex,
        ahead: Complexes | complex,
        dt: float,
        stance_limit: Floats | None = None,
        swing_limit: Floats | None = None,
        swing: Floats | None = None,
        world: Floats | None = None,
    ) -> Strain:
        """Changes local poses `(N, J, 3)` and `(N, J, 4)` so that feet in contact stay where they came down.

        `clocks (N, L)` run from 0 to 1 in stance and from 1 to 2 in swing. `targets (N, L)` is where feet would be if
        they were not held, `heights (N, L)` how high over the ground. Poses and targets are seen from frames at `place
        (N,)` that face `ahead (N,)`, both complex, or numbers for one animal; `dt` is the time since the last pose, 0
        for a first one. `stance_limit` and `swing_limit (N, L)` replace the limits; `swing` are the `swing_curves` of
        the clocks, and `world` the transforms of the poses (see `frames`), where they are known.
        """
        state, tree, one = self.state, self.tree, len(clocks) == 1
        stance = self._stance_limit if stance_limit is None else stance_limit
        most = self._swing_limit if swing_limit is None else swing_limit
        world = frames(tree, positions, rotations) if world is None else world
        origin, ahead = (column(number_or_array(x)) for x in (place, ahead))
        legs = legs_apart if one else _as_they_are
        curves, contacts = legs(swing_curves(clocks) if swing is None else swing), legs(state.contacts)
        told = map(legs, (clocks, state.footholds, state.release_offsets, targets))
        feet = each_leg(partial(_feet, origin=origin, ahead=ahead), curves, contacts, *told)
        held, lands, away, offsets, level = feet
        if self.ground is not None:
            if one:
                heights = heights + heights_of(self.ground, [origin + place * ahead for place in level])
            else:
                heights = heights + height_at(self.ground, origin + level * ahead)
        told = map(legs, (spans_of(tree, world), heights, state.lift_extension, most, stance))
        drop = column(number_or_array(state.body_drop))
        leg, drawn, short, ends = each_leg(partial(_limited, drop=drop), curves, level, held, lands, *told)
        deeper = self._drop(largest(short), largest(ends), dt)
        state.body_drop = state.body_drop + deeper
        positions[:, tree.root_index, 1] -= column(state.body_drop)
        hinge: Any = partial(hinges, tree, world)
        if one:
            hinge = [partial(_of_leg, hinge, k) for k in range(len(leg))]
        put = partial(_put, drop=column(deeper), dt=max(dt, 1e-9))
        placed, reached, extension, rate, aim, bend = each_leg(
            put, leg, level, drawn, hinge, held, legs(state.extension)
        )
        rotate(tree, rotations, world, aim, bend)
        state.contacts = clocks < 1.0
        state.placed, state.release_offsets = all_together(placed, offsets)
        state.reached = legs_together(reached)
        if some(lands):
            state.footholds = np.where(legs_together(lands), origin + state.placed * ahead, state.footholds)
        state.extension, state.extension_rate, stray = all_together(extension, rate, away)
        state.stray = stray / self._hip_height
        state.lift_extension = np.where(state.contacts, state.extension, state.lift_extension)
        put_loose(tree, positions, rotations, world)
        return self.strain

    def _drop(self, short: Any, ends: Any, dt: float) -> Any:
        """Metres `(N,)`, or a number for one animal, by which trunks go down, or up again, for legs that are held: hips
        are `short` too high for their limits, and `ends` for the very end of a leg. Smoothly, but at once there."""
        height, drop = self._hip_height, number_or_array(self.state.body_drop)
        fn = functions_of(drop)
        change = fn.minimum(fn.maximum(drop + short, 0.0), MAX_DROP * height) - drop
        drops, rises = -math.expm1(-dt / DROP_SECONDS), -math.expm1(-dt / RISE_SECONDS)
        smooth = fn.maximum(drops * change, rises * change)  # it drops faster than it rises
        deeper = fn.maximum(smooth, fn.minimum(ends, MAX_SUDDEN_DROP * height - drop))
        return deeper


def _as_they_are(x: Any) -> Any:
    return x


def _feet(
    curves: Any, stood: Any, clock: Any, foothold: Any, offset: Any, target: Any, *, origin: Any, ahead: Any
) -> tuple[Any, ...]:
    """A foot before its leg is looked at: whether it is held, and whether it lands; its distance from the `target`, if
    it is held; the offset that it has, or had when it was released; and its level place."""
    fn, stands = functions_of(clock), clock < 1.0
    held = stands & stood
    lands = stands ^ held
    away = (foothold - origin) / ahead - target
    offset = fn.where(held, away, offset)
    level = target + fn.where(lands, 0.0, offset * fn.as_complex(1.0 - curves[1]))  # none is loose yet in stance
    return held, lands, fn.where(held, abs(away), 0.0), offset, level


def _limited(
    curves: Any,
    level: Any,
    held: Any,
    lands: Any,
    spans: Any,
    height: Any,
    lifted: Any,
    swing: Any,
    stance: Any,
    *,
    drop: Any,
) -> tuple[Legs, Any, Any, Any]:
    """A leg whose foot is wanted at a `level` place and a `height` over a trunk that is lower by `drop`; by which share
    of its level way the foot is drawn in; and by how many metres the hip is too high for the limit in `stance` and for
    the end of the leg, if the foot is `held`.

    In swing it may extend as far as at lift-off, `lifted`, and more and more up to the limit in `swing`.
    """
    leg = with_foot_at(spans, (level.imag, height + drop, level.real))
    fn, free = functions_of(leg.inner), held ^ True

    def withdrawal() -> Any:
        most = lifted + (leg.extension - lifted) * curves[2] * 0.5
        allowed = fn.maximum(most + fn.maximum(swing - most, 0.0) * curves[3], leg.extension)
        return leg.withdrawal(fn.where(lands, stance, allowed))

    drawn = fn.unless(held, 0.0, withdrawal)
    short = fn.unless(free, -1.0, lambda: leg.lack(stance))
    ends = fn.unless(free, -1.0, lambda: leg.lack(MAX_EXTENSION))
    return leg, drawn, short, ends


def _put(
    leg: Legs, level: Any, drawn: Any, hinge: Callable[[], Vector], held: Any, before: Any, *, drop: Any, dt: float
) -> tuple[Any, ...]:
    """A leg put in place, the foot `drawn` in from its `level` place and the hip lower by `drop`: where the foot is put
    and whether the leg reaches that far, the extension, its rate where the leg is strained, and the quaternions of
    `aim_and_bend`."""
    x, y, z = leg.want
    left, forth = x * drawn, z * drawn
    extension, aim, bend = aim_and_bend(leg, (x + left, y + drop, z + forth), hinge)
    fn, strained = functions_of(extension), held & (extension > leg.extension + STRAINED)
    rate = fn.where(strained, fn.maximum((extension - before) / dt, MIN_EXTENSION_RATE), 0.0)
    return level + fn.complex_from(forth, left), leg.reaches(extension), extension, rate, aim, bend


def _of_leg(hinge: Callable[[], Floats], leg: int) -> list[float]:
    """The hinge of one leg of one animal."""
    axis: list[float] = hinge()[:, 0, leg].tolist()
    return axis


def swing_curves(clocks: Floats) -> Floats:
    """How far legs with such `clocks (N, L)` are in five respects, from 0 to 1 `(5, N, L)`; see `SWING_CURVES`."""
    slopes, delays = SWING_CURVES
    return quintic_step(slopes * clocks - delays)

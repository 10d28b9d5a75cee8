"""The foot lock: feet in contact are held where they came down, released feet ease out, and the trunk drops where a
leg would be too short.

It knows nothing of where the poses come from. Poses are seen from a ground frame that travels with the animal (a place
and a yaw); a controller whose poses are already in the world uses a frame that stays at the origin.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from canter.footing.ground import Ground, height_at
from canter.footing.leg_tree import LegTree
from canter.footing.reach import MAX_EXTENSION, Legs, frames, legs_to, put_loose, reach
from canter.motion.arrays import Bools, Complexes, Floats, Ints
from canter.motion.easing import quintic_step
from canter.motion.numbers import column, functions_of, number_or_array

MAX_DROP, MAX_SUDDEN_DROP = 0.14, 0.28
"""Hip heights that the trunk drops at most for legs to reach: smoothly, and at once where a leg would end."""
STANCE_SLACK, PAIRED_STANCE_SLACK = 0.003, 0.01
"""By which share of its length more than in the sample poses a leg may extend in stance before the trunk drops for it;
legs whose hock folds with the knee still bend well there."""
SWING_CURVES: tuple[Floats, Floats] = (
    np.array([1.0, 1.4, 3.0, 3.0]).reshape(4, 1, 1),
    np.array([1.0, 1.4, 3.0, 4.0]).reshape(4, 1, 1),
)
"""Slope over the clock, and what to take off, of four steps from 0 to 1: the foot swings forth, the release offset
vanishes, the leg folds from its extension at lift-off, and it may extend fully again."""
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
    leg when it last stood; `body_drop (N,)` in metres; and the strain of the last frame.
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

    def __post_init__(self) -> None:
        shape = (self.count, self.legs)
        self.contacts, self.body_drop = np.ones(shape, bool), np.zeros(self.count)
        self.footholds, self.release_offsets = np.zeros(shape, complex), np.zeros(shape, complex)
        self.lift_extension, self.extension, self.extension_rate, self.stray = (np.zeros(shape) for _ in range(4))


class FootLock:
    """The foot lock of N animals of one kind; owns a `LockState`."""

    def __init__(
        self, tree: LegTree, limits: Limits, hip_height: float, count: int, ground: Ground | None = None
    ) -> None:
        self.tree, self.limits, self.ground = tree, limits, ground
        self._hip_height = hip_height
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
    ) -> Strain:
        """Changes local poses `(N, J, 3)` and `(N, J, 4)` so that feet in contact stay where they came down.

        `clocks (N, L)` run from 0 to 1 in stance and from 1 to 2 in swing. `targets (N, L)` is where feet would be if
        they were not held, `heights (N, L)` how high over the ground. Poses and targets are seen from frames at `place
        (N,)` that face `ahead (N,)`, both complex, or numbers for one animal; `dt` is the time since the last pose, 0
        for a first one. `stance_limit` and `swing_limit (N, L)` replace the limits; `swing` are the `swing_curves` of
        the clocks, where they are known.
        """
        state, tree = self.state, self.tree
        limit = self.limits.stance if stance_limit is None else stance_limit
        world = frames(tree, positions, rotations)
        ahead, origin = column(ahead), column(place)
        _, loose, folds, spreads = swing_curves(clocks) if swing is None else swing
        stands = clocks < 1.0
        held = stands & state.contacts
        lands = stands ^ held
        some_land = np.count_nonzero(lands) > 0
        away = (state.footholds - origin) / ahead - targets
        np.copyto(state.release_offsets, away, where=held)
        level = state.release_offsets * (1.0 - loose).astype(complex)  # all of it in stance: nothing is loose yet
        if some_land:
            level[lands] = 0.0
        level += targets
        drop = state.body_drop
        wanted = np.empty((3, *clocks.shape))
        wanted[0], wanted[1], wanted[2] = level.imag, heights + drop[:, None], level.real
        if self.ground is not None:
            wanted[1] += height_at(self.ground, origin + level * ahead)
        legs = legs_to(tree, world, wanted)
        allowed = self._swing_limit(legs, folds, spreads, self.limits.swing if swing_limit is None else swing_limit)
        drawn = legs.withdrawal(np.where(stands, limit, allowed) if some_land else allowed)
        drawn = np.where(held, 0.0, drawn)
        deeper = self._drop(legs, held, limit, dt)
        state.body_drop = drop + deeper
        positions[:, tree.root_index, 1] -= column(state.body_drop)
        back = legs.want[::2] * drawn
        if some_land:
            wanted[::2] += back
            landed = origin + (wanted[2] + 1j * wanted[0]) * ahead
            state.footholds = np.where(lands, landed, state.footholds)
        extension = reach(tree, rotations, world, legs, legs.moved(back, deeper))
        state.contacts = stands
        state.stray = np.where(held, np.abs(away), 0.0) / self._hip_height
        strained = held & (extension > legs.extension + STRAINED)
        rate = np.maximum((extension - state.extension) / max(dt, 1e-9), MIN_EXTENSION_RATE)
        state.extension_rate = np.where(strained, rate, 0.0)
        state.extension = extension
        np.copyto(state.lift_extension, extension, where=stands)
        put_loose(tree, positions, rotations)
        return self.strain

    def _swing_limit(self, legs: Legs, folds: Floats, spreads: Floats, limit: Floats) -> Floats:
        """The extension `(N, L)` that legs may have in swing: from that at lift-off to what the limits allow."""
        lifted = self.state.lift_extension
        most = lifted + (legs.extension - lifted) * folds * 0.5
        return np.maximum(most + np.maximum(limit - most, 0.0) * spreads, legs.extension)

    def _drop(self, legs: Legs, held: Bools, limit: Floats, dt: float) -> Any:
        """Metres `(N,)` by which trunks go down, or up again, for the legs that are held: smoothly, but at once where
        a leg would end. A number for one animal."""
        bounds = np.empty((2, *held.shape))
        bounds[0], bounds[1] = limit, MAX_EXTENSION
        lacks = np.maximum.reduce(np.where(held, legs.lack(bounds), -1.0), axis=-1)
        height, (short, ends, drop) = self._hip_height, map(number_or_array, (*lacks, self.state.body_drop))
        fn = functions_of(drop)
        change = fn.minimum(fn.maximum(drop + short, 0.0), MAX_DROP * height) - drop
        drops, rises = -math.expm1(-dt / DROP_SECONDS), -math.expm1(-dt / RISE_SECONDS)
        smooth = fn.maximum(drops * change, rises * change)  # it drops faster than it rises
        deeper = fn.maximum(smooth, fn.minimum(ends, MAX_SUDDEN_DROP * height - drop))
        return deeper


def swing_curves(clocks: Floats) -> Floats:
    """How far legs with such `clocks (N, L)` are in four respects, from 0 to 1 `(4, N, L)`; see `SWING_CURVES`."""
    slopes, delays = SWING_CURVES
    return quintic_step(slopes * clocks - delays)

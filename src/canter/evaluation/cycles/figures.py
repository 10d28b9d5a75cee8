"""Rides of a batch, and what is measured of them: speed, heading, slip, depth, joint speeds, footfalls."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from canter.anatomy import Character
from canter.anatomy.contacts import runs
from canter.cycles.gaits.batch import BatchGaits
from canter.motion import rotations as rot
from canter.motion.arrays import Bools, Complexes, Floats, Ints
from canter.motion.kinematics import forward
from canter.motion.metrics import stance_slip

RATE = 60.0
CALM = np.radians(90)
"""Radians a second that any joint may go relative to its parent."""
SLIP, SNAP, DRAG = 0.5, 1.5, 5.0
"""What a ride may have: cm that a standing foot slips, times a clip's joint speed, per cent of hip height that a low
foot drags."""
LOW = 0.01
"""Hip heights below which a foot that does not stand would drag."""

Orders = Callable[[int], tuple[Floats, Floats, Floats, Ints]]
"""Speeds, headings, facings and gaits `(N,)` for a frame; a facing of NaN is free, a gait of -1 too."""


@dataclass(frozen=True, eq=False)
class Ride:
    """What a batch did: local `positions (T, N, J, 3)` and `rotations (T, N, J, 4)`, `contacts (T, N, L)`, places on
    the ground as complex `(T, N)`, yaws, and which gait it was told `(T, N)`."""

    character: Character
    positions: Floats
    rotations: Floats
    contacts: Bools
    place: Complexes
    yaw: Floats
    gait: Ints

    def since(self, first: int) -> Ride:
        """The ride from a frame on."""
        names = ("positions", "rotations", "contacts", "place", "yaw", "gait")
        return replace(self, **{name: getattr(self, name)[first:] for name in names})

    @cached_property
    def feet(self) -> Floats:
        """World places of the feet `(T, N, L, 3)`."""
        return forward(self.character.skeleton, self.positions, self.rotations)[0][:, :, self.character.anatomy.feet]

    @cached_property
    def joint_speeds(self) -> Floats:
        """Radians a second of each joint relative to its parent `(T - 1, N, J)`."""
        return joint_speeds(self.rotations, RATE)

    def slip(self) -> float:
        """The farthest, in metres, that a foot gets from where it came down."""
        return stance_slip(self.feet, self.contacts).max / 100

    def depth(self) -> float:
        """The deepest foot below level ground, in metres."""
        return max(-float(self.feet[..., 1].min()), 0.0)

    def drag(self) -> float:
        """The farthest, in metres, that a foot goes over ground while it is low, from frame to frame, and does not
        stand."""
        low = (self.feet[..., 1] < LOW * self.character.anatomy.hip_height) & ~self.contacts
        low = low[1:] & low[:-1]
        steps = np.linalg.norm(np.diff(self.feet[..., [0, 2]], axis=0), axis=-1)
        worst = 0.0
        for n in range(low.shape[1]):
            for leg in range(low.shape[2]):
                for first, last in runs(low[:, n, leg]):
                    worst = max(worst, float(steps[first:last, n, leg].sum()))
        return worst

    def alternates(self) -> bool:
        """Whether between two touchdowns of a foot its pair touches down once, always."""
        down = self.contacts[1:] & ~self.contacts[:-1]
        for n in range(down.shape[1]):
            for left, right in ((0, 1), (2, 3)):
                events = sorted([(t, 0) for t in np.flatnonzero(down[:, n, left])])
                events += [(t, 1) for t in np.flatnonzero(down[:, n, right])]
                order = [side for _, side in sorted(events)]
                if any(a == b for a, b in pairwise(order)):
                    return False
        return True


def joint_speeds(rotations: Floats, rate: float) -> Floats:
    """Radians a second `(T - 1, ..., J)` of local rotations `(T, ..., J, 4)`."""
    turn = rot.multiply(rot.conjugate(rotations[:-1]), rotations[1:])
    result: Floats = np.linalg.norm(rot.log(turn), axis=-1) * rate
    return result


def stride_seconds(batch: BatchGaits, speed: float) -> float:
    """Seconds of a stride at a speed, in the gait that suits it."""
    choice, laws = batch.choice, batch.strides.laws
    gait = min(choice.ahead, key=lambda k: max(choice.ranges[k][0] - speed, speed - choice.ranges[k][1]))
    return 1 / float(laws.frequencies(np.array([speed]))[0, gait])


def ride(batch: BatchGaits, frames: int, orders: Orders) -> Ride:
    """What a batch does under orders, from where it is."""
    kept: list[tuple[Any, ...]] = []
    for frame in range(frames):
        state = batch.step(batch.asking(*orders(frame)))
        root, target = batch.root, batch.timing.target
        kept.append((state.positions, state.rotations, state.contacts, root.place, root.yaw, target))
    stacked = [np.stack(x) for x in zip(*kept, strict=True)]
    return Ride(batch.character, *stacked)

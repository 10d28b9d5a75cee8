"""Reference motion as a simulated body would have it: takes as hinge angles, speeds, contacts and centres of mass.

A reference has no place of its own: every frame is seen from the ground below the body's first segment, in the
direction that this faces, so that whoever follows it can put it where the body is. In MuJoCo's axes: (ahead, left, up),
yaw is positive to the left.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from canter.body.articulation import Articulation, Placed
from canter.control.takes import Takes
from canter.motion import Motion
from canter.motion import rotations as rot
from canter.motion.arrays import Bools, Floats, Ints
from canter.physics.axes import to_mujoco, turn_to_mujoco

POLICY_RATE = 30.0
"""Actions a second, and frames a second of a reference."""


@dataclass(frozen=True, eq=False)
class ReferenceState:
    """What N bodies should do at one moment, or one body at N moments.

    Of the first segment: `height (N,)`, `yaw (N,)` in the world, `tilt (N, 4)`, its turn without the yaw, `velocity
    (N, 3)` seen along its yaw, and `turning (N, 3)` in its own axes (rad/s). `angles` and `speeds (N, H)` of hinges,
    `contacts (N, L)` of feet.
    """

    height: Floats
    yaw: Floats
    tilt: Floats
    velocity: Floats
    turning: Floats
    angles: Floats
    speeds: Floats
    contacts: Bools

    def __len__(self) -> int:
        return len(self.yaw)

    def rows(self, which: Ints | slice) -> ReferenceState:
        """Some of them."""
        return ReferenceState(*(getattr(self, one.name)[which] for one in fields(self)))


def joined(states: list[ReferenceState]) -> ReferenceState:
    """One after the other."""
    return ReferenceState(*(np.concatenate([getattr(s, one.name) for s in states]) for one in fields(ReferenceState)))


@dataclass(frozen=True, eq=False)
class Reference:
    """T frames of motion, `POLICY_RATE` a second, in clips that begin at `starts (K + 1,)`; `gait (T,)` are numbers of
    `gaits`, and `centre_height (T,)` is how high the centre of mass is.

    `told (T, 2)` is the speed and the heading, in the reference's own world, that the animal was told.
    """

    starts: Ints
    states: ReferenceState
    centre_height: Floats
    gait: Ints
    gaits: tuple[str, ...]
    told: Floats

    def __len__(self) -> int:
        return len(self.states)

    def at(self, frames: Ints) -> ReferenceState:
        """The states of frames `(N,)`."""
        return self.states.rows(frames)

    def clip_end(self, frames: Ints) -> Ints:
        """The first frame `(N,)` behind the clip of each frame `(N,)`."""
        result: Ints = self.starts[np.searchsorted(self.starts, frames, side="right")]
        return result


def reference_of(body: Articulation, takes: Takes) -> Reference:
    """The reference that takes of the body's character are; takes at a multiple of its rate are thinned out."""
    parts = [(take, _stride(take.motion)) for take in takes.takes]
    states = [reference_states(body, take.motion, take.contacts).rows(slice(None, None, n)) for take, n in parts]
    told = [np.stack([take.commands["speed"], take.commands["heading"]], -1)[::n] for take, n in parts]
    return Reference(
        np.concatenate([[0], np.cumsum([len(one) for one in states])]),
        joined(states),
        np.concatenate([_centre_heights(body, take.motion)[::n] for take, n in parts]),
        np.concatenate([take.gait[::n] for take, n in parts]),
        takes.gaits,
        np.concatenate(told).astype(np.float64),
    )


def _stride(motion: Motion) -> int:
    """Every so many-th frame of a motion is one of a reference."""
    stride = round(motion.frame_rate / POLICY_RATE)
    if stride < 1 or abs(motion.frame_rate - stride * POLICY_RATE) > 1e-6:
        raise ValueError(
            f"{motion.name!r} has {motion.frame_rate:g} frames a second, not {POLICY_RATE:g} or a multiple of it"
        )
    return stride


def reference_states(body: Articulation, motion: Motion, contacts: Bools) -> ReferenceState:
    """The frames of a motion."""
    placed = body.place(*motion.world)
    last = len(motion) - 1
    numbers = np.arange(len(motion))
    before, after = np.maximum(numbers - 1, 0), np.minimum(numbers + 1, last)
    seconds = np.maximum(after - before, 1) / motion.frame_rate
    return states_between(_rows(placed, before), placed, _rows(placed, after), contacts, seconds)


def states_between(
    before: Placed, now: Placed, after: Placed, contacts: Bools, seconds: Floats | float
) -> ReferenceState:
    """States of N bodies (or moments) now, with speeds from how they were placed `before` and are `after`, so many
    `seconds (N,)` later."""
    time = np.reshape(seconds, (-1, 1))
    turn = turn_to_mujoco(now.turn)
    yaw = yaw_of(turn)
    back = yaw_turn(-yaw)
    turned = rot.log(rot.multiply(rot.conjugate(turn_to_mujoco(before.turn)), turn_to_mujoco(after.turn)))
    return ReferenceState(
        height=now.place[:, 1],
        yaw=yaw,
        tilt=rot.multiply(back, turn),
        velocity=rot.rotate(back, to_mujoco(after.place - before.place) / time),
        turning=turned / time,
        angles=now.angles,
        speeds=(after.angles - before.angles) / time,
        contacts=contacts,
    )


def _rows(placed: Placed, which: Ints) -> Placed:
    return Placed(placed.place[which], placed.turn[which], placed.angles[which])


def yaw_turn(yaw: Floats) -> Floats:
    """Turns `(..., 4)` about MuJoCo's vertical."""
    zero = np.zeros_like(yaw)
    result: Floats = np.stack([np.cos(yaw / 2), zero, zero, np.sin(yaw / 2)], -1)
    return result


def yaw_of(turn: Floats) -> Floats:
    """The yaw `(...)` of turns `(..., 4)`: where their forward axis points on the ground."""
    w, x, y, z = np.moveaxis(turn, -1, 0)
    result: Floats = np.arctan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))
    return result


def _centre_heights(body: Articulation, motion: Motion) -> Floats:
    """How high the centre of mass of a body is in every frame of a motion `(T,)`."""
    placed = body.place(*motion.world)
    turns = body.turns(placed)
    masses = np.array([segment.mass for segment in body.segments])
    away = np.stack([segment.centre - segment.place for segment in body.segments])
    result: Floats = (body.places(placed, turns) + rot.rotate(turns, away))[..., 1] @ masses / masses.sum()
    return result

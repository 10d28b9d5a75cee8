"""What a simulated body knows of itself and of its reference, in its own direction and in its own units.

Lengths are counted in hip heights, times in the root of hip height over gravity, so that animals of all sizes see
numbers of one size. Every observation and action has a mirror image, by which a policy learns both sides at once.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np

from canter.body.articulation import Articulation
from canter.control.trajectory import wrap_angles
from canter.motion import rotations as rot
from canter.motion.arrays import Bools, Floats, Ints
from canter.motion.constants import GRAVITY
from canter.physics.mirror import AXIAL, POLAR, Mirror
from canter.physics.reference import ReferenceState, yaw_of, yaw_turn
from canter.physics.rewards import own_time
from canter.physics.simulation import ROOT_POSITIONS, ROOT_SPEEDS, Simulation

TOUCH_WEIGHTS = 0.02
"""The least force of the ground on a foot that counts as contact, in the animal's weight."""
MIN_UP = 0.5
"""The cosine of the trunk's tilt below which an animal has fallen: 60 degrees."""
MAX_YAW_ERROR = 1.0
"""Radians beyond which a body is told no more of how far it has to turn."""
UP = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True, eq=False)
class BodyState:
    """N bodies as they are: `height`, `yaw`, `tilt`, `velocity`, `turning` as in `ReferenceState`, `down (N, 3)` the
    direction of gravity seen along the yaw; `angles`, `speeds`, `contacts`."""

    height: Floats
    yaw: Floats
    tilt: Floats
    velocity: Floats
    turning: Floats
    down: Floats
    angles: Floats
    speeds: Floats
    contacts: Bools

    def rows(self, which: Ints) -> BodyState:
        """Some of them."""
        return BodyState(*(getattr(self, one.name)[which] for one in fields(self)))


def body_state(simulation: Simulation) -> BodyState:
    """The bodies of a simulation."""
    qpos, qvel = simulation.qpos, simulation.qvel
    turn = qpos[:, 3:ROOT_POSITIONS]
    yaw = yaw_of(turn)
    back = yaw_turn(-yaw)
    weight = simulation.body.mass * GRAVITY
    return BodyState(
        height=qpos[:, 2],
        yaw=yaw,
        tilt=rot.multiply(back, turn),
        velocity=rot.rotate(back, qvel[:, :3]),
        turning=qvel[:, 3:ROOT_SPEEDS],
        down=rot.rotate(back, simulation.gravity / GRAVITY),
        angles=simulation.angles,
        speeds=simulation.angle_speeds,
        contacts=np.linalg.norm(simulation.sensed().forces, axis=-1) > TOUCH_WEIGHTS * weight,
    )


def upward(tilt: Floats) -> Floats:
    """Where up is `(N, 3)`, as bodies with such tilts `(N, 4)` feel it."""
    return rot.rotate(rot.conjugate(tilt), np.broadcast_to(UP, (len(tilt), 3)))


def has_fallen(simulation: Simulation, state: BodyState) -> Bools:
    """Who has trunk or head on the ground, is tilted too far, or has diverged `(N,)`."""
    result: Bools = simulation.sensed().down | (upward(state.tilt)[:, 2] < MIN_UP) | simulation.diverged
    return result


def yaw_error(state: BodyState, wanted: ReferenceState, yaw_offset: Floats | float = 0.0) -> Floats:
    """How far bodies would have to turn to face as a reference does that is turned by `yaw_offset (N,)`, in radians."""
    result: Floats = wrap_angles(wanted.yaw + yaw_offset - state.yaw)
    return result


class Senses:
    """Observations of bodies of one kind, and their mirror images."""

    def __init__(self, body: Articulation) -> None:
        self.body = body
        self.hip_height, self.time_unit = body.hip_height, own_time(body.hip_height)
        self.speed_unit = self.hip_height / self.time_unit

    def own(self, state: BodyState) -> Floats:
        """What bodies know of themselves `(N, ...)`."""
        return np.concatenate(
            [
                state.height[:, None] / self.hip_height,
                upward(state.tilt),
                state.velocity / self.speed_unit,
                state.turning * self.time_unit,
                state.down,
                state.angles,
                state.speeds * self.time_unit,
                state.contacts,
            ],
            axis=1,
        )

    def ahead(
        self, state: BodyState, first: ReferenceState, second: ReferenceState, yaw_offset: Floats | float = 0.0
    ) -> Floats:
        """What the reference, turned by `yaw_offset (N,)`, does in the next two frames `(N, ...)`: the first as
        differences from what the body does, which is what it corrects, and the second from the first; and how far the
        body would have to turn to face as the first does."""
        off = yaw_error(state, first, yaw_offset)
        parts = [np.clip(off, -MAX_YAW_ERROR, MAX_YAW_ERROR)[:, None]]
        for before, one in ((state, first), (first, second)):
            parts += [
                (one.height - before.height)[:, None] / self.hip_height,
                upward(one.tilt) - upward(before.tilt),
                (one.velocity - before.velocity) / self.speed_unit,
                (one.turning - before.turning) * self.time_unit,
                one.contacts.astype(np.float64),
                one.angles - before.angles,
            ]
        parts.append((first.speeds - state.speeds) * self.time_unit)
        return np.concatenate(parts, axis=1)

    @cached_property
    def hinge_mirror(self) -> Mirror:
        """Mirror images of hinge angles."""
        partners, hinges = self.body.partners, self.body.hinges
        slots = [[k for k, hinge in enumerate(hinges) if hinge.segment == s] for s in range(len(self.body.segments))]
        source, sign = np.zeros(len(hinges), np.int64), np.ones(len(hinges))
        for number, other in enumerate(partners):
            for mine, theirs in zip(slots[number], slots[other], strict=True):
                source[mine] = theirs
                image = hinges[theirs].axis * [1.0, -1.0, -1.0]  # a turn about it, in canter's axes
                sign[mine] = 1.0 if float(image @ hinges[mine].axis) >= 0 else -1.0
        return Mirror(source, sign)

    @cached_property
    def servo_mirror(self) -> Mirror:
        """Mirror images of servo targets."""
        servos = np.flatnonzero(~self.body.passive)
        number = {int(hinge): k for k, hinge in enumerate(servos)}
        source = [number[int(self.hinge_mirror.source[hinge])] for hinge in servos]
        return Mirror(np.array(source), self.hinge_mirror.sign[servos])

    @cached_property
    def _contact_mirror(self) -> Mirror:
        legs = self.body.character.anatomy.partners
        return Mirror.of([1.0] * len(legs), legs)

    @cached_property
    def own_mirror(self) -> Mirror:
        """Mirror images of what bodies know of themselves."""
        hinges = self.hinge_mirror
        vectors = [Mirror.of(sign) for sign in ((1.0,), POLAR, POLAR, AXIAL, POLAR)]
        return Mirror.join([*vectors, hinges, hinges, self._contact_mirror])

    @cached_property
    def ahead_mirror(self) -> Mirror:
        """Mirror images of what the reference does."""
        vectors = [Mirror.of(sign) for sign in ((1.0,), POLAR, POLAR, AXIAL)]
        one = [*vectors, self._contact_mirror, self.hinge_mirror]
        return Mirror.join([Mirror.of((-1.0,)), *one, *one, self.hinge_mirror])

"""What a crowd of one tells of its animal: the State of a frame, the same way for all presets."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from canter.control.state import State
from canter.control.trajectory import Track, direction, predict, wrap
from canter.cycles.engine.engine import Crowd
from canter.cycles.engine.state import since_touchdown
from canter.motion import Pose
from canter.motion.arrays import Floats

STILL = 1e-3
"""Metres a second below which an animal goes nowhere in particular."""


class Teller:
    """Remembers the way of one animal and tells its States; `turn_rate` is what its way is predicted with."""

    def __init__(self, crowd: Crowd, turn_rate: float) -> None:
        self._crowd, self._turn_rate = crowd, turn_rate
        self.reset()

    def reset(self) -> None:
        """The animal is at the origin and has always been there."""
        self._track = Track(self._crowd.frame_rate, np.zeros(3), 0.0)

    def tell(
        self,
        heading: float,
        positions: Floats,
        rotations: Floats,
        events: tuple[str, ...],
        *,
        gait: str,
        telemetry: Mapping[str, Any] | None = None,
        crowd: Crowd | None = None,
        velocity: complex | None = None,
    ) -> State:
        """The State of the herd as it is now, in poses `(1, J, ...)`, on its way to a `heading`.

        `telemetry` is told besides that of the herd; `crowd` is the one that moves the animal now, if another,
        and `velocity` (ahead + 1j * left) is what it moves with if the herd does not know.
        """
        crowd = crowd or self._crowd
        herd, ground = crowd.herd, crowd.ground
        yaw, velocity = float(herd.yaw[0]), complex(herd.velocity[0]) if velocity is None else velocity
        speed = abs(velocity)
        way = yaw + (math.atan2(velocity.imag, velocity.real) if speed > STILL else 0.0)
        place = np.array([herd.place[0].imag, 0.0, herd.place[0].real])
        if ground is not None:
            place[1] = ground.height(place[[0, 2]])
        self._track.record(place, yaw)
        places, yaws, velocities = predict(place, way, speed, heading, self._turn_rate if speed > 0 else 0.0)
        if ground is not None:
            places[:, 1] = ground.height(places[:, [0, 2]])
        share = float(herd.weights[0, herd.target[0]])
        told = dict(telemetry or {}, transition=share if share < 1 else math.nan)
        if "leg_phase" not in told:
            told["leg_phase"] = since_touchdown(herd.clocks, crowd.duty)[0]
        return State(
            pose=Pose(crowd.library.skeleton, positions[0].astype(np.float32), rotations[0].astype(np.float32)),
            contacts=herd.contacts[0].copy(),
            gait=gait,
            velocity_world=speed * direction(way),
            facing=wrap(yaw),
            trajectory=self._track.trajectory(places, yaws + (yaw - way), velocities),
            events=events,
            telemetry=told,
        )

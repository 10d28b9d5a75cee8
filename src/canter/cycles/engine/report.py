"""From the frame that the stages made to a BatchState, the same way for all presets."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from canter.anatomy import Character
from canter.control.batch import BatchCommand, BatchState
from canter.control.state import LazyValues
from canter.control.steering import Root, SteeringLimits, Wish
from canter.control.steering import predict as steered
from canter.control.trajectory import History, Prediction, arc, on_plane, wrap_angles
from canter.cycles.engine.frame import Frame
from canter.cycles.engine.strides import since_touchdown
from canter.footing.ground import Ground
from canter.motion.arrays import Bools, Complexes, Floats, Ints
from canter.motion.numbers import array_of, number_or_array

STILL_SPEED = 1e-3
"""Metres a second below which an animal goes nowhere in particular."""

Predict = Callable[[Floats], Prediction]


class Reporter:
    """Remembers the ground tracks of N animals and builds their states; `names` are those of gaits and actions."""

    def __init__(
        self, character: Character, names: tuple[str, ...], count: int, frame_rate: float, ground: Ground | None
    ) -> None:
        self._names, self._ground = names, ground
        self._history = History(count, frame_rate)

    def reset(self, frame: Frame, who: Bools | None) -> None:
        """The animals of the mask `who (N,)`, or all, have always been where they are."""
        self._history.reset(who, self._on_ground(frame.root.place), frame.root.yaw)

    def state(
        self,
        frame: Frame,
        gait: Ints,
        velocity: Complexes,
        predict: Predict,
        telemetry: Mapping[str, Callable[[], Floats]] | None = None,
    ) -> BatchState:
        """The state of a frame: `gait (N,)` numbers `names`, `velocity (N,)` is in own axes, `predict` says where the
        animals will be, and `telemetry` is added to what all presets report; it is computed when it is asked for."""
        root, timing = frame.root, frame.timing
        place = self._on_ground(root.place, frame.ground)
        if frame.dt > 0:
            self._history.record(place, root.yaw)
        velocity_world = on_plane(velocity * frame.ahead)
        share, clocks, duty = timing.target_weights(), timing.clocks, timing.duty
        reported: dict[str, Callable[[], Floats]] = {
            "leg_phase": lambda: since_touchdown(clocks, duty),
            "transition": lambda: np.where(share < 1, share, np.nan),
            **(telemetry or {}),
        }
        height = None if self._ground is None else self._ground.height
        return BatchState(
            frame.positions,
            frame.rotations,
            frame.contacts,
            gait,
            self._names,
            velocity_world,
            array_of(wrap_angles(number_or_array(root.yaw))),
            place,
            self._history.samples(velocity_world, predict, height),
            frame.events,
            LazyValues(reported),
        )

    def on_ground(self, places: Complexes, who: Bools) -> Floats:
        """Complex places `(N, ...)` as points `(N, ..., 3)` on the ground; NaN where `who` is False."""
        return np.where(who[..., None], self._on_ground(places), np.nan)

    def _on_ground(self, places: Complexes, heights: Floats | None = None) -> Floats:
        """Complex places `(N, ...)` as points `(N, ..., 3)` on the ground; its `heights (N, ...)`, where known."""
        points = on_plane(places)
        if self._ground is not None:
            points[..., 1] = self._ground.height(points[..., ::2]) if heights is None else heights
        return points


def arc_from(root: Root, velocity: Complexes, heading: Floats, yaw_rate: float) -> Predict:
    """Predicts animals that turn to `heading (N,)` at a steady rate and keep their speed."""
    speed = np.abs(velocity)
    way = root.yaw + np.where(speed > STILL_SPEED, np.angle(velocity), 0.0)

    def predict(times: Floats) -> Prediction:
        places, yaws, velocities = arc(root.place, way, speed, heading, yaw_rate, times)
        return places, yaws + (root.yaw - way)[:, None], velocities

    return predict


def steered_from(root: Root, command: BatchCommand, limits: SteeringLimits) -> Predict:
    """Predicts animals that follow a command by the springs of `control.steering`."""

    def predict(times: Floats) -> Prediction:
        wish = Wish(command.speed, command.heading, command.facing)
        return steered(root.numbers(), wish.numbers(), limits, times)

    return predict

"""What changes from frame to frame of N animals: their root motion and the timing of their strides.

Each is owned by one stage and only read by the others. Places on the ground are complex: real is ahead (+Z), imaginary
is left (+X).
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields

import numpy as np

from canter.motion.arrays import Complexes, Floats, Ints


@dataclass(eq=False)
class Root:
    """Root motion on the ground `(N,)`: `place` and `yaw` in the world; `velocity` and its change, the `acceleration`,
    in the animal's own axes; `yaw_rate` in radians a second."""

    count: int
    place: Complexes = field(init=False)
    yaw: Floats = field(init=False)
    velocity: Complexes = field(init=False)
    acceleration: Complexes = field(init=False)
    yaw_rate: Floats = field(init=False)

    def __post_init__(self) -> None:
        self.place, self.velocity, self.acceleration = (np.zeros(self.count, complex) for _ in range(3))
        self.yaw, self.yaw_rate = np.zeros(self.count), np.zeros(self.count)


@dataclass(eq=False)
class Timing:
    """Where N animals with S cycles and L legs are in their strides.

    `target (N,)` is the cycle to go in; `weights (N, S)` blend the cycles and change by `weight_rates` a second,
    `posture_weights (N, S)` blend the postures of the body; `clocks (N, L)` run from 0 to 1 in stance and to 2 in
    swing; `phases (N, S, L)` are those of every cycle for every leg, `body_phases (N, S)` for the rest of the body.
    `stride (N,)` is in seconds, `duty (N, L)` its share in stance, `step_scale (N,)` how much longer than in the
    cycles steps are, and `lift (N, L)` in metres how high a foot is lifted for a corrective step of a standing animal.
    """

    count: int
    kinds: int
    legs: int
    time: Floats = field(init=False)
    target: Ints = field(init=False)
    weights: Floats = field(init=False)
    posture_weights: Floats = field(init=False)
    weight_rates: Floats = field(init=False)
    clocks: Floats = field(init=False)
    phases: Floats = field(init=False)
    body_phases: Floats = field(init=False)
    stride: Floats = field(init=False)
    duty: Floats = field(init=False)
    step_scale: Floats = field(init=False)
    lift: Floats = field(init=False)

    def __post_init__(self) -> None:
        n, s, legs = self.count, self.kinds, self.legs
        self.time, self.stride, self.step_scale = np.zeros(n), np.ones(n), np.ones(n)
        self.target = np.zeros(n, np.int64)
        self.weights, self.posture_weights, self.weight_rates, self.body_phases = (np.zeros((n, s)) for _ in range(4))
        self.clocks, self.phases = np.full((n, legs), 0.5), np.zeros((n, s, legs))
        self.duty, self.lift = np.full((n, legs), 0.5), np.zeros((n, legs))


def keep_rows(now: Root | Timing, before: dict[str, object], rows: Ints) -> None:
    """Takes back what a stage did to some animals: their rows of all arrays are those of `before` again."""
    for name, value in before.items():
        array = getattr(now, name)
        if isinstance(value, np.ndarray) and array is not value:
            array = array.copy()
            array[rows] = value[rows]
            setattr(now, name, array)


def snapshot(state: Root | Timing) -> dict[str, object]:
    """The arrays of a state by name; they are replaced, never changed in place, by the stages."""
    return {item.name: getattr(state, item.name) for item in fields(state)}

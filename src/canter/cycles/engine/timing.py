"""Where animals are in their strides, which changes from frame to frame; owned by the transition stage."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from canter.motion.arrays import Floats, Ints


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
        self._first = np.arange(n) * s
        self.time, self.stride, self.step_scale = np.zeros(n), np.ones(n), np.ones(n)
        self.target = np.zeros(n, np.int64)
        self.weights, self.posture_weights, self.weight_rates, self.body_phases = (np.zeros((n, s)) for _ in range(4))
        self.clocks, self.phases = np.full((n, legs), 0.5), np.zeros((n, s, legs))
        self.duty, self.lift = np.full((n, legs), 0.5), np.zeros((n, legs))

    def target_weights(self) -> Floats:
        """The weight of the cycle that each animal goes in or changes to `(N,)`."""
        return self.weights.take(self._first + self.target)

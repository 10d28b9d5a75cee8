"""Where animals are in their strides, which changes from frame to frame; owned by the transition stage."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from canter.motion.arrays import Floats, Ints


@dataclass(frozen=True, eq=False)
class Active:
    """The A pairs of one of N animals and one of its cycles that has a weight in the blend `source (N, S)`, animal by
    animal: `who (A,)`, `which (A,)`, and their `index (A,)` in flat arrays `(N, S)`."""

    source: Floats
    who: Ints
    which: Ints
    index: Ints

    def summed(self, values: Floats) -> Floats:
        """Values of the pairs `(A, P)` added up for each animal `(N, P)`."""
        if len(self.source) == 1:
            return np.add.reduce(values, axis=0, keepdims=True)
        first = self.who.searchsorted(np.arange(len(self.source)))
        rank = np.arange(len(self.who)) - first.take(self.who)
        result: Floats = values.take(first, axis=0)
        for k in range(1, 1 + int(rank.max())):
            more = np.flatnonzero(rank == k)
            result[self.who.take(more)] += values.take(more, axis=0)
        return result


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
        self._active = Active(np.zeros(0), *[np.zeros(0, np.int64)] * 3)
        self.time, self.stride, self.step_scale = np.zeros(n), np.ones(n), np.ones(n)
        self.target = np.zeros(n, np.int64)
        self.weights, self.posture_weights, self.weight_rates, self.body_phases = (np.zeros((n, s)) for _ in range(4))
        self.clocks, self.phases = np.full((n, legs), 0.5), np.zeros((n, s, legs))
        self.duty, self.lift = np.full((n, legs), 0.5), np.zeros((n, legs))

    @property
    def active(self) -> Active:
        """The cycles that weigh anything now; `weights` are replaced when they change, and never written to."""
        if self._active.source is not self.weights:
            who, which = self.weights.nonzero()
            index = who * self.kinds + which
            self._active = Active(self.weights, who, which, index)
        return self._active

    def target_weights(self) -> Floats:
        """The weight of the cycle that each animal goes in or changes to `(N,)`."""
        return self.weights.take(self._first + self.target)

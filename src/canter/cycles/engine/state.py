"""What changes from frame to frame, of any number of animals of one kind."""

from __future__ import annotations

from dataclasses import dataclass, field, fields

import numpy as np

from canter.motion.arrays import Bools, Complexes, Floats, Ints


@dataclass(eq=False)
class Herd:
    """N animals with S cycles and L legs. Places on the ground are complex: ahead (+Z) + 1j * left (+X).

    `velocity` and `push` (its change) are in the animal's own axes; `clocks` run from 0 to 1 while a leg stands and
    from 1 to 2 while it swings; `phases` are those of every cycle for every leg, `body` for the rest; `weights` mix the
    cycles, `eased` the postures of the body. `held` is where a foot stands in the world, `let_go` how far that is from
    its natural place, while it stands and as it was lifted; `stretch` is the share of its length that a leg needs,
    `stretching` by how much more than a frame before if it is strained, `lifted` that when it last stood, `sink` how
    far the trunk is let down so that all legs reach, `raised` how high a foot is lifted to be put right in a stand.
    """

    count: int
    kinds: int
    legs: int
    place: Complexes = field(init=False)
    yaw: Floats = field(init=False)
    velocity: Complexes = field(init=False)
    push: Complexes = field(init=False)
    turn: Floats = field(init=False)
    time: Floats = field(init=False)
    target: Ints = field(init=False)
    weights: Floats = field(init=False)
    eased: Floats = field(init=False)
    drift: Floats = field(init=False)
    clocks: Floats = field(init=False)
    phases: Floats = field(init=False)
    body: Floats = field(init=False)
    contacts: Bools = field(init=False)
    held: Complexes = field(init=False)
    let_go: Complexes = field(init=False)
    stretch: Floats = field(init=False)
    stretching: Floats = field(init=False)
    lifted: Floats = field(init=False)
    sink: Floats = field(init=False)
    raised: Floats = field(init=False)

    def __post_init__(self) -> None:
        n, s, legs = self.count, self.kinds, self.legs
        self.place, self.velocity, self.push = (np.zeros(n, complex) for _ in range(3))
        self.yaw, self.turn, self.time = (np.zeros(n) for _ in range(3))
        self.target = np.zeros(n, np.int64)
        self.weights, self.eased, self.drift, self.body = (np.zeros((n, s)) for _ in range(4))
        self.clocks, self.phases = np.full((n, legs), 0.5), np.zeros((n, s, legs))
        self.contacts = np.ones((n, legs), bool)
        self.held, self.let_go = (np.zeros((n, legs), complex) for _ in range(2))
        self.stretch, self.stretching, self.lifted, self.raised = (np.zeros((n, legs)) for _ in range(4))
        self.sink = np.zeros(n)

    def take(self, other: Herd) -> None:
        """Becomes as another herd is, which may have more cycles or fewer: those are last."""
        for item in fields(self):
            value, here = getattr(other, item.name), getattr(self, item.name)
            if isinstance(value, np.ndarray):
                if value.shape == here.shape:
                    setattr(self, item.name, value.copy())
                else:
                    kinds = min(value.shape[1], here.shape[1])
                    here[:] = 0
                    here[:, :kinds] = value[:, :kinds]


def wrap(phase: Floats) -> Floats:
    """Cycles between -1/2 and 1/2."""
    result: Floats = phase - np.rint(phase)
    return result


def mean_phase(phases: Floats) -> Floats:
    """The circular mean over the last axis, in cycles."""
    mean = np.exp(2j * np.pi * phases).sum(axis=-1)
    result: Floats = np.arctan2(mean.imag, mean.real) / (2 * np.pi)
    return result


def since_touchdown(clocks: Floats, duties: Floats) -> Floats:
    """The share of a stride that went by since the touchdown, of legs with such clocks."""
    result: Floats = np.where(clocks < 1, clocks * duties, duties + (clocks - 1) * (1 - duties))
    return result

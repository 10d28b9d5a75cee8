"""How a network is trained: one dataclass, and the presets."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from itertools import pairwise
from typing import Any, Literal, get_args

from canter.neural.layout import Gating
from canter.neural.training.unrolled import Disturbance, LossWeights

Network = Literal["mann", "pfnn", "vanilla", "mixture"]
"""Blended weights, weights by the phase, one network, blended outputs."""
Optimizer = Literal["muon", "adamw"]
"""What takes the steps of matrices."""


@dataclass(frozen=True)
class Stage:
    """A part of the training: up to which share of its steps, over how many frames the network runs by itself."""

    until: float
    frames: int


@dataclass(frozen=True)
class Recipe:
    """How a network is trained.

    A step sees `batch_frames` predicted frames, but at least `min_stretches` stretches, however long they are. The
    learning rate falls from the first to the last value as a cosine; with `periods` above one it starts again, for
    twice as long each time (Loshchilov and Hutter 2019).
    """

    network: Network = "mann"
    experts: int = 4
    gating: Gating = "velocities"
    units: int = 256
    damping: float = 0.9
    dropout: float = 0.0
    stages: tuple[Stage, ...] = (Stage(0.3, 8), Stage(0.55, 16), Stage(0.7, 32), Stage(1.0, 60))
    batch_frames: int = 2304
    min_stretches: int = 96
    optimizer: Optimizer = "muon"
    learning_rate: float = 1.5e-3
    last_learning_rate: float = 2e-5
    periods: int = 1
    weight_decay: float = 1e-4
    max_gradient: float = 1.0
    disturbance: Disturbance = field(default_factory=Disturbance)
    weights: LossWeights = field(default_factory=LossWeights)
    seed: int = 0

    def __post_init__(self) -> None:
        if self.network not in get_args(Network):
            raise ValueError(f"there is no network {self.network!r}, only {', '.join(get_args(Network))}")
        if self.gating not in get_args(Gating):
            raise ValueError(f"gating must be one of {', '.join(get_args(Gating))}, not {self.gating!r}")
        if self.optimizer not in get_args(Optimizer):
            raise ValueError(f"optimizer must be one of {', '.join(get_args(Optimizer))}, not {self.optimizer!r}")
        if not 1 <= self.experts <= 64:
            raise ValueError(f"experts must be 1 to 64, not {self.experts}")
        if not 8 <= self.units <= 4096:
            raise ValueError(f"units must be 8 to 4096, not {self.units}")
        if self.min_stretches < 1:
            raise ValueError(f"stretches of a step must be at least 1, not {self.min_stretches}")
        if not 1 <= self.periods <= 12:
            raise ValueError(f"periods of the learning rate must be 1 to 12, not {self.periods}")
        untils = [stage.until for stage in self.stages]
        if not untils or untils != sorted(untils) or untils[-1] != 1.0:
            raise ValueError(f"stages must end one after another and at 1, not at {untils}")
        if any(stage.frames < 1 for stage in self.stages):
            raise ValueError("a stage runs over at least one frame")

    def frames_at(self, share: float) -> int:
        """Over how many frames a network runs by itself after that share of the training."""
        return next((stage.frames for stage in self.stages if share < stage.until), self.stages[-1].frames)

    def stretches_of(self, frames: int) -> int:
        """How many stretches of so many frames a step sees."""
        return max(self.batch_frames // frames, self.min_stretches)

    @property
    def mean_frames(self) -> float:
        """How many predicted frames a step sees, on average over the training."""
        sizes = [stage.frames * self.stretches_of(stage.frames) for stage in self.stages]
        begins = [0.0, *(stage.until for stage in self.stages)]
        return sum(size * (end - begin) for size, (begin, end) in zip(sizes, pairwise(begins), strict=True))

    def rate_at(self, share: float) -> float:
        """The learning rate after that share of the training."""
        at = share * (2**self.periods - 1) + 1
        period = min(int(math.log2(at)), self.periods - 1)
        within = at / 2**period - 1
        falls = 0.5 * (1 + math.cos(math.pi * within))
        return self.last_learning_rate + (self.learning_rate - self.last_learning_rate) * falls

    def fields(self) -> dict[str, Any]:
        """The recipe as plain values."""
        return asdict(self)

    @staticmethod
    def of(values: Mapping[str, Any]) -> Recipe:
        """A recipe from plain values; unknown ones are an error."""
        known = {item.name for item in fields(Recipe)}
        if unknown := sorted(set(values) - known):
            raise ValueError(f"a recipe has no {', '.join(unknown)}")
        made = dict(values)
        if "stages" in made:
            made["stages"] = tuple(Stage(**stage) for stage in made["stages"])
        if "disturbance" in made:
            made["disturbance"] = Disturbance(**made["disturbance"])
        if "weights" in made:
            made["weights"] = LossWeights(**made["weights"])
        return Recipe(**made)


PRESETS: dict[str, Recipe] = {
    "canter": Recipe(),
    "paper": Recipe(
        units=512,
        damping=0.0,
        dropout=0.3,
        stages=(Stage(1.0, 1),),
        batch_frames=32,
        min_stretches=32,
        optimizer="adamw",
        learning_rate=1e-4,
        last_learning_rate=0.0,
        periods=4,
        weight_decay=2.5e-3,
        disturbance=Disturbance(0.0, 0.0, 0.0, 0.0, 0.0),
        weights=LossWeights(root=1.0, drift=0.0, contacts=1.0, slip=0.0),
    ),
}
"""`canter` is ours: trained as it runs, on its own output. `paper` is MANN as printed (sections 6 and 7): every frame
by itself, from the data, the next pose and not its change; 150 epochs were 10, 20, 40 and 80 between restarts. We draw
frames by label, speed, gait and change, where the paper copied those of trot and canter eleven times."""

"""How a network is trained: one dataclass, and the presets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Literal, get_args

from canter.neural.layout import Gating
from canter.neural.training.unrolled import Disturbance, LossWeights

Network = Literal["mann", "pfnn", "vanilla", "mixture"]
"""Blended weights, weights by the phase, one network, blended outputs."""


@dataclass(frozen=True)
class Stage:
    """A part of the training: up to which share of its steps, over how many frames the network runs by itself."""

    until: float
    frames: int


@dataclass(frozen=True)
class Recipe:
    """How a network is trained.

    A step sees `batch_frames` predicted frames: fewer stretches where they are longer. The learning rate falls from
    the first to the last value as a cosine.
    """

    network: Network = "mann"
    experts: int = 4
    gating: Gating = "velocities"
    units: int = 256
    damping: float = 0.9
    dropout: float = 0.0
    stages: tuple[Stage, ...] = (Stage(0.35, 8), Stage(0.7, 16), Stage(1.0, 24))
    batch_frames: int = 2304
    learning_rate: float = 6e-4
    last_learning_rate: float = 2e-5
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
        if not 1 <= self.experts <= 64:
            raise ValueError(f"experts must be 1 to 64, not {self.experts}")
        if not 8 <= self.units <= 4096:
            raise ValueError(f"units must be 8 to 4096, not {self.units}")
        untils = [stage.until for stage in self.stages]
        if not untils or untils != sorted(untils) or untils[-1] != 1.0:
            raise ValueError(f"stages must end one after another and at 1, not at {untils}")
        if any(stage.frames < 1 for stage in self.stages):
            raise ValueError("a stage runs over at least one frame")

    def frames_at(self, share: float) -> int:
        """Over how many frames a network runs by itself after that share of the training."""
        return next((stage.frames for stage in self.stages if share < stage.until), self.stages[-1].frames)

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

"""How a policy is trained: sizes, rates and noise, as plain numbers that go into its file."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class PpoRecipe:
    """Proximal policy optimisation (Schulman et al. 2017) of N bodies at once.

    `discount` and `smoothing` are gamma and lambda of the generalised
    advantage; `divergence` is the change of the policy in an update (Kullback-Leibler) that sets the learning rate.
    """

    bodies: int = 256
    steps: int = 12
    """Of each body between two updates."""
    hidden: tuple[int, ...] = (512, 256)
    noise: float = 0.4
    """The standard deviation of actions at the beginning; it is learned, and not less than `least_noise`."""
    least_noise: float = 0.1
    discount: float = 0.95
    smoothing: float = 0.95
    epochs: int = 4
    batches: int = 4
    learning_rate: float = 3e-4
    divergence: float = 0.02
    mirrored: bool = True
    """Whether every sample is learned from in its mirror image too."""
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("bodies", "steps", "epochs", "batches"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be 1 or more, not {getattr(self, name)}")
        if not self.noise > 0 or not 0 < self.discount < 1:
            raise ValueError(f"noise must be above 0 and discount within 0 and 1, not {self.noise}, {self.discount}")

    def fields(self) -> dict[str, Any]:
        """As plain values."""
        return asdict(self) | {"hidden": list(self.hidden)}

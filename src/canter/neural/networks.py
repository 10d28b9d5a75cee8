"""The networks that predict motion, as PyTorch modules: MANN and what its paper compares it with.

All take normalised inputs and give normalised outputs; the experts of a mixture are blended in all-experts form: one
product of every expert's weights with the input, scaled by each blend weight, which is the same as blending the weights
first (MANN, section 6) and many times quicker for a batch.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

GATE_UNITS = 32
"""Hidden units of the gating network (MANN, section 6.2)."""


class ExpertLinear(nn.Module):
    """K linear layers whose weights are blended for every sample."""

    def __init__(self, experts: int, inputs: int, outputs: int) -> None:
        super().__init__()
        bound = (6.0 / (inputs + outputs)) ** 0.5  # Glorot, as for each expert alone
        self.weight = nn.Parameter(torch.empty(experts * inputs, outputs).uniform_(-bound, bound))
        self.bias = nn.Parameter(torch.zeros(experts, outputs))

    def forward(self, x: Tensor, blend: Tensor) -> Tensor:
        """`x (N, inputs)` and blend weights `(N, K)` to `(N, outputs)`."""
        spread = (blend.unsqueeze(2) * x.unsqueeze(1)).flatten(1)
        return torch.addmm(blend @ self.bias, spread, self.weight)


class Mann(nn.Module):
    """Mode-adaptive network: a gate blends the weights of K experts (MANN, equations 1 and 3)."""

    def __init__(self, inputs: int, outputs: int, gating: int, units: int, experts: int, dropout: float = 0.0) -> None:
        super().__init__()
        self.experts = experts
        self.gate = nn.Sequential(
            nn.Linear(gating, GATE_UNITS),
            nn.ELU(),
            nn.Linear(GATE_UNITS, GATE_UNITS),
            nn.ELU(),
            nn.Linear(GATE_UNITS, experts),
        )
        self.layers = nn.ModuleList(
            [
                ExpertLinear(experts, inputs, units),
                ExpertLinear(experts, units, units),
                ExpertLinear(experts, units, outputs),
            ]
        )
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor, gating: Tensor, enabled: Tensor) -> tuple[Tensor, Tensor]:
        """Outputs and blend weights `(N, K)` of `x (N, inputs)`. The gate sees `gating (N, G)`; only the experts of the
        mask `enabled (K,)` take part."""
        weights = torch.softmax(self.gate(gating), dim=1) * enabled
        blend = weights / weights.sum(dim=1, keepdim=True).clamp_min(1e-6)
        for k, layer in enumerate(self.layers):
            x = layer(self.dropout(x), blend)
            if k < len(self.layers) - 1:
                x = nn.functional.elu(x)
        return x, blend

"""The networks that predict motion, as PyTorch modules: MANN and what its paper compares it with.

All take normalised inputs and give normalised outputs; the experts of a mixture are blended in all-experts form: one
product of every expert's weights with the input, scaled by each blend weight, which is the same as blending the weights
first (MANN, section 6) and many times quicker for a batch.
"""

from __future__ import annotations

from itertools import pairwise

import torch
from torch import Tensor, nn

GATE_UNITS = 32
"""Hidden units of the gating network (MANN, section 6.2)."""
PHASE_POINTS = 4
"""Control points of a phase function (Holden et al. 2017, section 5.2)."""


def make_gate(gating: int, experts: int) -> nn.Module:
    """A gating network from `gating` inputs to one number an expert."""
    return nn.Sequential(
        nn.Linear(gating, GATE_UNITS),
        nn.ELU(),
        nn.Linear(GATE_UNITS, GATE_UNITS),
        nn.ELU(),
        nn.Linear(GATE_UNITS, experts),
    )


def blend_weights(gate: Tensor, enabled: Tensor) -> Tensor:
    """Blend weights `(N, K)` that add up to 1 from what a gate gives; only the experts `enabled (K,)` take part."""
    weights = torch.softmax(gate, dim=1) * enabled
    return weights / weights.sum(dim=1, keepdim=True).clamp_min(1e-6)


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


def expert_layers(experts: int, inputs: int, units: int, outputs: int) -> nn.ModuleList:
    """Three layers of experts."""
    return nn.ModuleList([ExpertLinear(experts, *sizes) for sizes in pairwise((inputs, units, units, outputs))])


def run_layers(layers: nn.ModuleList, x: Tensor, blend: Tensor, dropout: nn.Module) -> Tensor:
    """Outputs of `x (N, inputs)` with experts blended by `blend (N, K)`."""
    for k, layer in enumerate(layers):
        x = layer(dropout(x), blend)
        if k < len(layers) - 1:
            x = nn.functional.elu(x)
    return x


class Mann(nn.Module):
    """Mode-adaptive network: a gate blends the weights of K experts (MANN, equations 1 and 3)."""

    def __init__(self, inputs: int, outputs: int, gating: int, units: int, experts: int, dropout: float = 0.0) -> None:
        super().__init__()
        self.experts, self.gate = experts, make_gate(gating, experts)
        self.layers = expert_layers(experts, inputs, units, outputs)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor, gating: Tensor, enabled: Tensor) -> tuple[Tensor, Tensor]:
        """Outputs and blend weights `(N, K)` of `x (N, inputs)`. The gate sees `gating (N, G)`; only the experts of the
        mask `enabled (K,)` take part."""
        blend = blend_weights(self.gate(gating), enabled)
        return run_layers(self.layers, x, blend, self.dropout), blend


class Vanilla(nn.Module):
    """Three ordinary layers: what the mixture has to be better than."""

    experts = 1

    def __init__(self, inputs: int, outputs: int, units: int, dropout: float = 0.0) -> None:
        super().__init__()
        sizes = (inputs, units, units, outputs)
        layers: list[nn.Module] = []
        for k, (before, after) in enumerate(pairwise(sizes)):
            layers += [nn.Dropout(dropout), nn.Linear(before, after), *([nn.ELU()] if k < 2 else [])]
        self.layers = nn.Sequential(*layers)

    def forward(self, x: Tensor, gating: Tensor, enabled: Tensor) -> tuple[Tensor, Tensor]:
        """Outputs of `x (N, inputs)`, and the weight 1 of its only expert `(N, 1)`."""
        return self.layers(x), torch.ones_like(x[:, :1]) * enabled


class OutputMixture(nn.Module):
    """K whole networks whose outputs are blended by a gate, instead of their weights (Jacobs et al. 1991)."""

    def __init__(self, inputs: int, outputs: int, gating: int, units: int, experts: int, dropout: float = 0.0) -> None:
        super().__init__()
        self.experts, self.gate, self.dropout = experts, make_gate(gating, experts), nn.Dropout(dropout)
        sizes = (inputs, units, units, outputs)
        self.weights, self.biases = nn.ParameterList(), nn.ParameterList()
        for before, after in pairwise(sizes):
            bound = (6.0 / (before + after)) ** 0.5
            self.weights.append(nn.Parameter(torch.empty(experts, before, after).uniform_(-bound, bound)))
            self.biases.append(nn.Parameter(torch.zeros(experts, 1, after)))

    def forward(self, x: Tensor, gating: Tensor, enabled: Tensor) -> tuple[Tensor, Tensor]:
        """The same as of `Mann`."""
        blend = blend_weights(self.gate(gating), enabled)
        each = x.unsqueeze(0).expand(self.experts, -1, -1)
        for k, (weight, bias) in enumerate(zip(self.weights, self.biases, strict=True)):
            each = torch.baddbmm(bias, self.dropout(each), weight)
            if k < len(self.weights) - 1:
                each = nn.functional.elu(each)
        return (blend.T.unsqueeze(2) * each).sum(dim=0), blend


class Pfnn(nn.Module):
    """Phase-functioned network (Holden et al. 2017): the weights are a cyclic Catmull-Rom spline of the phase through
    four control points, which is a blend of four experts by fixed functions of the phase."""

    experts = PHASE_POINTS

    def __init__(self, inputs: int, outputs: int, units: int, dropout: float = 0.0) -> None:
        super().__init__()
        self.layers = expert_layers(PHASE_POINTS, inputs, units, outputs)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor, phase: Tensor, enabled: Tensor) -> tuple[Tensor, Tensor]:
        """Outputs of `x (N, inputs)` at `phase (N, 1)`, in cycles, and the weights of the control points `(N, 4)`."""
        blend = spline_weights(phase) * enabled
        return run_layers(self.layers, x, blend, self.dropout), blend


def spline_weights(phase: Tensor) -> Tensor:
    """The weights `(N, 4)` of the control points of a cyclic Catmull-Rom spline at `phase (N, 1)`, in cycles."""
    at = PHASE_POINTS * (phase - torch.floor(phase))
    t = at - torch.floor(at)
    before, first = -0.5 * t + t**2 - 0.5 * t**3, 1 - 2.5 * t**2 + 1.5 * t**3
    second, after = 0.5 * t + 2 * t**2 - 1.5 * t**3, -0.5 * t**2 + 0.5 * t**3
    near = torch.cat([before, first, second, after], dim=1)
    points = torch.arange(PHASE_POINTS, dtype=phase.dtype)
    turn = points - torch.floor(at) + 1  # which of the four near points each control point is
    index = (turn - PHASE_POINTS * torch.floor(turn / PHASE_POINTS)).long()
    return torch.gather(near, 1, index)

"""Muon: an optimizer whose steps of matrices are orthogonal (Jordan et al. 2024), so that every direction of the
gradient is learned from, not just the few that dominate it.

PyTorch has one too, which always reckons in bfloat16: on processors that are slow at that it would take longer than
all the rest of a training.
"""

from __future__ import annotations

from collections.abc import Iterable

import torch
from torch import Tensor

MOMENTUM = 0.95
ITERATIONS = 5
QUINTIC = 3.4445, -4.775, 2.0315
"""Of the Newton-Schulz iteration: chosen so that small singular values grow fast; all end between 0.7 and 1.2."""
ADAM_RMS = 0.2
"""The root mean square of a step that AdamW takes, in learning rates: steps are made as large, so that both take the
same learning rate (Liu et al. 2025)."""


def orthogonalised(matrices: Tensor, precision: torch.dtype = torch.float32) -> Tensor:
    """The orthogonal matrices nearest to `matrices (..., A, B)`, about: singular values of 0.7 to 1.2."""
    a, b, c = QUINTIC
    tall = matrices.shape[-2] > matrices.shape[-1]
    x = (matrices.mT if tall else matrices).to(precision)
    x = x / x.norm(dim=(-2, -1), keepdim=True).clamp_min(1e-7)
    for _ in range(ITERATIONS):
        square = x @ x.mT
        x = a * x + (b * square + c * square @ square) @ x
    result: Tensor = (x.mT if tall else x).to(matrices.dtype)
    return result


class Muon(torch.optim.Optimizer):
    """Steps of matrices `(..., A, B)`, in the direction of their gradients' momentum made orthogonal."""

    def __init__(self, params: Iterable[Tensor], lr: float, weight_decay: float) -> None:
        super().__init__(params, {"lr": lr, "weight_decay": weight_decay})
        self.precision = torch.float32

    @torch.no_grad()
    def step(self, closure: None = None) -> None:  # type: ignore[override]
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                state = self.state[p]
                if not state:
                    state["momentum"] = torch.zeros_like(p)
                momentum = state["momentum"].lerp_(p.grad, 1 - MOMENTUM)
                direction = orthogonalised(p.grad.lerp(momentum, MOMENTUM), self.precision)
                size = ADAM_RMS * max(p.shape[-2:]) ** 0.5
                p.mul_(1 - group["lr"] * group["weight_decay"])
                p.add_(direction, alpha=-group["lr"] * size)

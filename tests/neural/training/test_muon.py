"""Muon: steps of matrices are orthogonal, and as large as AdamW's."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from canter.neural.training.muon import ADAM_RMS, Muon, orthogonalised  # noqa: E402


@pytest.mark.parametrize("shape", [(12, 30), (30, 12), (3, 20, 8)])
def test_matrices_become_orthogonal_about(shape: tuple[int, ...]) -> None:
    torch.manual_seed(0)
    matrices = torch.randn(*shape) * torch.logspace(-2, 0, shape[-1])
    values = torch.linalg.svdvals(orthogonalised(matrices))
    assert values.min() > 0.4
    assert values.max() < 1.3
    turned, _, back = torch.linalg.svd(matrices, full_matrices=False)
    assert ((orthogonalised(matrices) - turned @ back) ** 2).mean() < 0.15 * ((turned @ back) ** 2).mean()


def test_a_step_is_as_large_as_one_of_adamw() -> None:
    torch.manual_seed(0)
    weight = torch.nn.Parameter(torch.zeros(40, 100))
    weight.grad = torch.randn(40, 100) * 1e-4
    Muon([weight], lr=0.1, weight_decay=0.0).step()
    np.testing.assert_allclose(weight.detach().square().mean().sqrt(), 0.1 * ADAM_RMS, rtol=0.2)


def test_weak_directions_are_learned_as_fast_as_strong_ones() -> None:
    """One direction of the gradient is 100 times as strong as the other."""
    strength = torch.tensor([[1.0], [0.1]])
    weight = torch.nn.Parameter(torch.eye(2))
    optimizer = Muon([weight], lr=0.05, weight_decay=0.0)
    for _ in range(60):
        optimizer.zero_grad()
        (strength * weight).square().sum().backward()
        optimizer.step()
    strong, weak = weight.detach().diagonal().tolist()
    assert strong < 0.5
    assert weak < 1.1 * strong

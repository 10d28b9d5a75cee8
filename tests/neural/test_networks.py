"""Networks: blends are what their papers say, and every kind can be trained, written and driven."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from canter import Character  # noqa: E402
from canter.control.batch import BatchCommand  # noqa: E402
from canter.neural.dataset import DataSet  # noqa: E402
from canter.neural.mann import BatchMann  # noqa: E402
from canter.neural.networks import Mann, OutputMixture, spline_weights  # noqa: E402
from canter.neural.training.recipe import Network, Recipe, Stage  # noqa: E402
from canter.neural.training.trainer import Trainer, export  # noqa: E402


def test_all_experts_at_once_are_the_blended_weights() -> None:
    torch.manual_seed(0)
    network, x, gating = Mann(6, 5, 3, 8, 4), torch.randn(7, 6), torch.randn(7, 3)
    y, blend = network(x, gating, torch.ones(4))
    for k in range(len(x)):
        one = x[k]
        for n, layer in enumerate(network.layers):
            weight = torch.einsum("k,kio->io", blend[k], layer.weight.reshape(4, -1, layer.weight.shape[1]))
            one = one @ weight + blend[k] @ layer.bias
            one = torch.nn.functional.elu(one) if n < 2 else one
        torch.testing.assert_close(y[k], one, atol=1e-5, rtol=1e-5)


def test_a_mixture_blends_outputs() -> None:
    torch.manual_seed(0)
    network, x, gating = OutputMixture(6, 5, 3, 8, 2), torch.randn(7, 6), torch.randn(7, 3)
    both, blend = network(x, gating, torch.ones(2))
    first, _ = network(x, gating, torch.tensor([1.0, 0.0]))
    second, _ = network(x, gating, torch.tensor([0.0, 1.0]))
    torch.testing.assert_close(both, blend[:, :1] * first + blend[:, 1:] * second)


def test_a_phase_function_goes_through_its_control_points_and_closes() -> None:
    phases = torch.tensor([[0.0], [0.25], [0.5], [0.75], [1.0], [-0.25], [7.5]])
    expected = torch.eye(4)[[0, 1, 2, 3, 0, 3, 2]]
    torch.testing.assert_close(spline_weights(phases), expected)
    fine = spline_weights(torch.linspace(0, 2, 801)[:, None])
    torch.testing.assert_close(fine.sum(dim=1), torch.ones(801))
    assert fine.diff(dim=0).abs().max() < 0.015  # no jumps: slopes are at most 1.4 a control point
    halfway = spline_weights(torch.tensor([[0.125]]))
    torch.testing.assert_close(halfway, torch.tensor([[0.5625, 0.5625, -0.0625, -0.0625]]))


@pytest.mark.parametrize("kind", ["pfnn", "vanilla", "mixture"])
def test_every_kind_is_trained_written_and_driven(
    kind: Network, dataset: DataSet, dog: Character, tmp_path: Path
) -> None:
    recipe = Recipe(network=kind, experts=2, units=24, stages=(Stage(1.0, 4),), batch_frames=128, learning_rate=3e-3)
    trainer = Trainer(dataset, recipe)
    starts = np.arange(2000, 2032)
    before = float(trainer.unrolled.total(trainer.unrolled.loss(starts, 4)).detach())
    trainer.total = 40
    trainer.run()
    assert float(trainer.unrolled.total(trainer.unrolled.loss(starts, 4)).detach()) < 0.9 * before
    path = tmp_path / f"{kind}.onnx"
    export(trainer, path)
    dogs = BatchMann(dog, 2, model=path)
    for _ in range(20):
        state = dogs.step(BatchCommand.make(np.array([0.0, 1.5])))
    assert np.isfinite(state.positions).all()
    assert bool(dogs.contract.layout.gaits) == (kind == "pfnn")
    if kind == "pfnn":
        np.testing.assert_allclose(state.telemetry["expert"].sum(axis=1), 1.0, atol=1e-5)

"""Networks as files: weights in fewer bits, which hardly change what a network does."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from canter.neural.dataset import DataSet  # noqa: E402
from canter.neural.export import Precision, write_model  # noqa: E402
from canter.neural.model import Model, contract_of, layout_of  # noqa: E402
from canter.neural.step import Step  # noqa: E402
from canter.neural.training.recipe import Recipe  # noqa: E402
from canter.neural.training.sampling import Sampler  # noqa: E402
from canter.neural.training.trainer import make_network  # noqa: E402
from canter.neural.training.unrolled import Frames, measure  # noqa: E402


@pytest.mark.parametrize("kind", ["mann", "vanilla"])
def test_fewer_bits_change_hardly_anything(kind: str, dataset: DataSet, tmp_path: Path) -> None:
    """The file is smaller, the gate gives the same weights, and joints are off by millimetres even where a network is
    untrained and they jump, for one animal and for many."""
    torch.manual_seed(0)
    recipe = Recipe.of({"network": kind, "experts": 2, "units": 64})
    data = replace(dataset, layout=layout_of(dataset, recipe.network, recipe.gating))
    starts = Sampler(data, 1).draw(np.random.default_rng(0), 500)
    frames = Frames(data)
    network = make_network(recipe, data.layout)
    step = Step(network, data.layout, measure(frames, starts), recipe.damping)
    contract = contract_of(data, int(getattr(network, "experts", 1)), {})
    kinds: tuple[Precision, ...] = ("full", "mixed", "integers")
    paths = {precision: tmp_path / f"{precision}.onnx" for precision in kinds}
    for precision, path in paths.items():
        write_model(step, contract, path, precision)
    sizes = [path.stat().st_size for path in paths.values()]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[1] < 0.75 * sizes[0]
    large, small = Model(paths["full"]), Model(paths["mixed"])
    joints = frames.joints(starts).numpy()
    trajectory = np.random.default_rng(1).normal(0, 0.5, (len(starts), data.layout.trajectory_size)).astype(np.float32)
    on = np.ones(contract.experts, np.float32)
    one, other = large.predict(trajectory, joints, on), small.predict(trajectory, joints, on)
    places = slice(0, 3 * len(data.layout.body))
    off = np.sqrt(np.mean((one.joints - other.joints)[:, places] ** 2))
    assert 0 < off < 0.006
    np.testing.assert_allclose(one.experts, other.experts, atol=0.01)
    alone = small.predict(trajectory[:1], joints[:1], on)
    np.testing.assert_allclose(alone.joints[:, places], other.joints[:1, places], atol=0.005)

"""The training loop: it learns, goes on after a stop where it was, and refuses what does not fit."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from canter.control.takes import Takes  # noqa: E402
from canter.neural.dataset import DataSet, write_dataset  # noqa: E402
from canter.neural.training import trainer as loop  # noqa: E402
from canter.neural.training.curves import curve_picture  # noqa: E402
from canter.neural.training.learn import learn  # noqa: E402
from canter.neural.training.recipe import PRESETS, Recipe, Stage  # noqa: E402
from canter.neural.training.trainer import Trainer  # noqa: E402

SMALL = Recipe(experts=2, units=16, stages=(Stage(0.5, 2), Stage(1.0, 4)), batch_frames=128, min_stretches=1)


def train(dataset: DataSet, path: Path | None, steps: int, recipe: Recipe = SMALL) -> Trainer:
    trainer = Trainer(dataset, recipe, path)
    if not trainer.resume():
        trainer.total = steps
    trainer.run()
    return trainer


def test_the_loss_falls(dataset: DataSet, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop, "EPOCH_STEPS", 10)
    curve = train(dataset, None, 60, replace(SMALL, learning_rate=2e-2)).curve
    for part in ("joints", "root", "contacts"):
        assert curve[-1]["validation"][part] < 0.8 * curve[0]["validation"][part]
    assert [epoch["frames"] for epoch in curve] == [2, 2, 2, 4, 4, 4]


def test_a_training_that_was_killed_ends_where_it_would_have(
    dataset: DataSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loop, "EPOCH_STEPS", 5)
    whole = train(dataset, None, 20)

    class Killed(Exception):
        pass

    def kill(done: int, *_: object) -> None:
        if done == 12:
            raise Killed

    trainer = Trainer(dataset, SMALL, tmp_path / "part.npz")
    trainer.total = 20
    with pytest.raises(Killed):
        trainer.run(kill)
    resumed = Trainer(dataset, SMALL, tmp_path / "part.npz")
    assert resumed.resume()
    assert resumed.done == 10  # what was lost is less than an epoch
    resumed.run()
    for a, b in zip(whole.network.parameters(), resumed.network.parameters(), strict=True):
        np.testing.assert_allclose(a.detach(), b.detach(), atol=1e-6)


def test_a_checkpoint_of_something_else_is_refused(dataset: DataSet, tmp_path: Path) -> None:
    train(dataset, tmp_path / "part.npz", 2)
    with pytest.raises(ValueError, match="another recipe"):
        Trainer(dataset, replace(SMALL, seed=1), tmp_path / "part.npz").resume()
    trainer, whole = Trainer(dataset, SMALL, tmp_path / "part.npz"), (tmp_path / "part.npz").read_bytes()
    middle = len(whole) // 2
    for damaged in (b"", b"PK damaged", whole[:middle], whole[: middle - 50] + bytes(100) + whole[middle + 50 :]):
        (tmp_path / "part.npz").write_bytes(damaged)
        with pytest.raises(ValueError, match=r"damaged.*delete it to begin anew"):
            trainer.resume()
        assert (tmp_path / "part.npz").read_bytes() == damaged


def test_a_checkpoint_of_a_network_of_other_sizes_is_refused(
    dataset: DataSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such as one that was made before a network got more inputs."""
    path, recipe = tmp_path / "part.npz", replace(SMALL, network="pfnn")
    with monkeypatch.context() as before:
        before.setattr(loop, "layout_of", lambda data, network, gating: replace(data.layout, phase=True))
        train(dataset, path, 2, recipe)
    with pytest.raises(ValueError, match="other sizes; delete it to begin anew"):
        Trainer(dataset, recipe, path).resume()


def test_learning_writes_a_network_its_curve_and_its_card(takes: Takes, tmp_path: Path) -> None:
    trained = learn(takes, tmp_path / "dog.onnx", SMALL, 0.02, cache=tmp_path / "cache")
    assert trained.steps >= 1
    assert sorted(path.name for path in tmp_path.glob("dog*")) == [
        "dog.curve.json",
        "dog.md",
        "dog.onnx",
    ]  # too short for a picture of its curve
    card = (tmp_path / "dog.md").read_text("utf-8")
    assert "2 experts of 16 units" in card
    assert "Licence: MIT" in card
    with pytest.raises(ValueError, match=r"written as \.onnx"):
        learn(takes, tmp_path / "dog.pt", SMALL, 0.02)


@pytest.mark.parametrize(
    "wrong",
    [{"experts": 0}, {"units": 1}, {"min_stretches": 0}, {"stages": (Stage(0.5, 2),)}, {"stages": (Stage(1.0, 0),)}],
)
def test_a_recipe_that_cannot_work_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"experts|units|stretches|stage"):
        replace(SMALL, **wrong)  # type: ignore[arg-type]


def test_a_recipe_comes_back_from_plain_values() -> None:
    assert Recipe.of(SMALL.fields()) == SMALL
    with pytest.raises(ValueError, match="no colour"):
        Recipe.of({"colour": 1})


def test_the_learning_rate_falls_and_starts_again_twice_as_long() -> None:
    recipe = Recipe(learning_rate=1.0, last_learning_rate=0.0, periods=4)
    shares = np.arange(1500) / 1500
    rates = np.array([recipe.rate_at(share) for share in shares])
    restarts = 1 + np.flatnonzero(np.diff(rates) > 0.5)
    assert restarts.tolist() == [100, 300, 700]  # of 1500: 10, 30 and 70 of 150 epochs
    np.testing.assert_allclose(rates[[0, *restarts]], 1.0, atol=1e-6)
    assert rates[[99, 299, 699, 1499]].max() < 1e-3
    assert (np.diff(rates[:100]) < 0).all()
    assert Recipe().rate_at(1.0) == pytest.approx(Recipe().last_learning_rate)


def test_the_preset_of_the_paper_trains_and_validates_without_dropout(dataset: DataSet) -> None:
    recipe = replace(PRESETS["paper"], units=16)
    trainer = train(dataset, None, 3, recipe)
    assert trainer.network.training
    assert trainer.validate() == trainer.validate()
    assert trainer.step.damping == 0.0


def test_curves_are_drawn(dataset: DataSet, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib")
    monkeypatch.setattr(loop, "EPOCH_STEPS", 2)
    curve = train(dataset, None, 6).curve
    assert curve_picture(curve, "dog").startswith(b"\x89PNG")
    assert curve_picture(curve[:1], "dog") == b""


def test_two_processes_take_the_mean_of_their_gradients(dataset: DataSet, tmp_path: Path) -> None:
    """Started by `torchrun`, each process writes its weights, and both agree although they saw other frames."""
    script = (
        "import sys, numpy as np, torch\n"
        "from pathlib import Path\n"
        "from torch import distributed\n"
        "from canter.neural.dataset import read_dataset\n"
        "from canter.neural.training.processes import joined\n"
        "from canter.neural.training.recipe import Recipe, Stage\n"
        "from canter.neural.training.trainer import Trainer\n"
        "torch.set_num_threads(1)\n"
        "with joined() as process:\n"
        "    recipe = Recipe(experts=2, units=16, stages=(Stage(1.0, 2),), batch_frames=64)\n"
        "    trainer = Trainer(read_dataset(Path(sys.argv[1])), recipe)\n"
        "    trainer.total = 4\n"
        "    drawn = trainer.random.random()\n"
        "    trainer.run()\n"
        "    flat = torch.cat([p.detach().ravel() for p in trainer.network.parameters()]).numpy()\n"
        "    np.savez(Path(sys.argv[2]) / f'{process}.npz', flat=flat, drawn=drawn)\n"
    )
    write_dataset(dataset, tmp_path / "data")
    (tmp_path / "script.py").write_text(script)
    torchrun = str(Path(sys.executable).with_name("torchrun"))
    command = [torchrun, "--standalone", "--nproc-per-node", "2", str(tmp_path / "script.py")]
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    subprocess.run(
        [*command, str(tmp_path / "data"), str(tmp_path)], env=environment, capture_output=True, timeout=300, check=True
    )
    one, other = (np.load(tmp_path / f"{k}.npz") for k in (0, 1))
    np.testing.assert_array_equal(one["flat"], other["flat"])
    assert one["drawn"] != other["drawn"]  # each sees other frames

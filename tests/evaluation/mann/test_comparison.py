"""Networks of the tables: sizes, data that is held out, trainings that end in records and go on where they were."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from canter.evaluation import Options
from canter.evaluation.mann import campaign, comparison, measuring
from canter.evaluation.mann.comparison import (
    NETWORKS,
    Network,
    Training,
    data_of,
    equal_units,
    train,
    trainings,
    trot_turns,
    without_frames,
)
from canter.evaluation.mann.records import read_record
from canter.evaluation.mann.subjects import Subject
from canter.neural.dataset import DataSet

TINY = Network("tiny", "mann", experts=2, units=8)


def test_which_networks_are_trained() -> None:
    every = trainings()
    assert len(every) == sum(len(network.seeds) for network in NETWORKS)
    assert {one.seed for one in every if one.network.name == "mann8"} == {0, 1, 2}
    assert [one.name for one in trainings("mann4-1")] == ["mann4-1"]
    assert len(trainings("pfnn", 0.5)) == 3
    assert trainings("pfnn", 0.5)[0].minutes == 0.5
    with pytest.raises(ValueError, match=r"'man'; there are: mann4"):
        trainings("man")


def test_a_plain_network_of_equal_parameters(subject: Subject) -> None:
    pytest.importorskip("torch")
    from canter.neural.networks import Mann, Vanilla

    inputs, outputs = 480, 340
    sizes = [
        sum(p.numel() for p in network.parameters())
        for network in (
            Mann(inputs, outputs, 19, 256, 4).layers,
            Vanilla(inputs, outputs, equal_units(inputs, outputs)),
        )
    ]
    assert sizes[1] == pytest.approx(sizes[0], rel=0.01)


def test_turns_at_a_trot_are_cut_out(subject: Subject) -> None:
    dataset = subject.dataset
    left_out = trot_turns(dataset)
    assert 0 < left_out.mean() < 0.3
    made = data_of(Training(replace(TINY, without_trot_turns=True), 0), subject)
    assert len(made) == len(dataset) - left_out.sum()
    assert made.about["hash"] != dataset.about["hash"]
    np.testing.assert_array_equal(made.arrays["joints"], np.asarray(dataset.arrays["joints"])[~left_out])
    assert set(np.asarray(dataset.starts)[:-1][~left_out[dataset.starts[:-1]]]) <= set(
        np.flatnonzero(~left_out)[made.starts[:-1]]
    )
    assert made.held.any()
    assert len(made.held) == len(made.starts) - 1


def test_clips_are_cut_where_frames_are_left_out(subject: Subject) -> None:
    left_out = np.zeros(len(subject.dataset), bool)
    left_out[10:20] = True
    made = without_frames(subject.dataset, left_out, "a hole")
    assert made.starts[1] == 10
    assert len(made.starts) == len(subject.dataset.starts) + 1


@pytest.fixture
def cache(tmp_path: Path, network: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of our own, and recipes that are done in a moment; what is written is another network that is there."""
    from canter.neural.training import trainer
    from canter.neural.training.recipe import Stage

    real = comparison.recipe_of

    def small(training: Training, dataset: DataSet) -> object:
        return replace(real(training, dataset), stages=(Stage(1.0, 2),), batch_frames=32)

    monkeypatch.setenv("CANTER_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(comparison, "recipe_of", small)
    monkeypatch.setattr(trainer, "export", lambda _, path: shutil.copy(network, path))
    monkeypatch.setattr(trainer, "VALIDATION_STRETCHES", 8)
    return tmp_path / "cache"


def test_a_network_is_trained_once(subject: Subject, cache: Path) -> None:
    training = Training(TINY, 0, 0.0005)
    made = train(training, subject)
    assert made.path.is_file()
    assert made.steps >= 1
    assert made.recipe["units"] == 8
    written = made.path.stat().st_mtime_ns
    assert train(training, subject).path == made.path
    assert made.path.stat().st_mtime_ns == written


def test_records_are_made_one_by_one_and_kept(
    subject: Subject, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second network fails: the record of the first is there, and a second call does only the second."""
    monkeypatch.setattr(comparison, "NETWORKS", (TINY, replace(TINY, name="other", gating="rotations")))
    trained: list[str] = []
    real = campaign.train

    def counted(training: Training, *more: object) -> comparison.Made:
        if training.network.name == "other" and not trained.count("other"):
            trained.append("other")
            raise KeyboardInterrupt
        trained.append(training.network.name)
        return real(training, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(campaign, "train", counted)
    monkeypatch.setattr(measuring, "PARTS", {"tracks": lambda column, _: {"experts": [column.experts]}})
    options = Options(minutes=0.0005)
    with pytest.raises(KeyboardInterrupt):
        list(campaign.train_networks(subject, tmp_path, options))
    assert sorted(path.name for path in tmp_path.glob("*.json")) == ["dog-tiny-0.json"]
    list(campaign.train_networks(subject, tmp_path, options))
    assert trained == ["tiny", "other", "other"]
    record = read_record(tmp_path / "dog-other-0.json")
    assert record.figures == {"tracks": {"experts": [2]}}
    assert record.config["training"]["recipe"]["gating"] == "rotations"
    assert record.training_seconds > 0


def test_networks_that_learn_as_the_paper_did(subject: Subject) -> None:
    pytest.importorskip("torch")
    from canter.neural.training.recipe import PRESETS

    one = next(network for network in NETWORKS if network.name == "mann8_paper")
    recipe, ours = (comparison.recipe_of(Training(x, 2), subject.dataset) for x in (one, TINY))
    assert recipe == replace(PRESETS["paper"], experts=8, seed=2)
    assert ours == replace(PRESETS["canter"], experts=2, units=8, seed=2)

"""A little motion to learn from, and a network that has learned a little, made once."""

from __future__ import annotations

from pathlib import Path

import pytest

import canter
from canter import Character
from canter.control.improvise import TEACHING, improvise
from canter.control.takes import Takes
from canter.neural.dataset import DataSet, make_dataset


@pytest.fixture(scope="session")
def dog() -> Character:
    return canter.load("dog")


@pytest.fixture(scope="session")
def takes(dog: Character) -> Takes:
    return improvise(dog, 3.0, seed=8, repertoire=TEACHING, take_seconds=20)


@pytest.fixture(scope="session")
def dataset(takes: Takes) -> DataSet:
    return make_dataset(takes)


@pytest.fixture(scope="session")
def network(dataset: DataSet, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An ONNX file of a tiny network after a handful of steps."""
    pytest.importorskip("torch")
    from canter.neural.training.recipe import Recipe, Stage
    from canter.neural.training.trainer import Trainer, export

    recipe = Recipe(experts=2, units=32, stages=(Stage(1.0, 4),), batch_frames=256)
    trainer = Trainer(dataset, recipe)
    trainer.total = 30
    trainer.run()
    path = tmp_path_factory.mktemp("network") / "dog.onnx"
    export(trainer, path)
    return path

"""A dog with a little data, and a tiny network that has learned next to nothing, made once."""

from __future__ import annotations

from pathlib import Path

import pytest

import canter
from canter.control.improvise import TEACHING, improvise
from canter.evaluation.mann.subjects import Subject


@pytest.fixture(scope="session")
def subject(tmp_path_factory: pytest.TempPathFactory) -> Subject:
    """The authored dog with two minutes of data."""
    dog = canter.load("dog")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CANTER_CACHE", str(tmp_path_factory.mktemp("cache")))
        made = Subject("dog", dog, True, lambda: improvise(dog, 2.0, 3, repertoire=TEACHING, take_seconds=20))
        assert len(made.dataset)  # made while the cache is ours
    return made


@pytest.fixture(scope="session")
def network(subject: Subject, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An ONNX file of a network with two experts after a handful of steps."""
    pytest.importorskip("torch")
    from canter.neural.training.recipe import Recipe, Stage
    from canter.neural.training.trainer import Trainer, export

    trainer = Trainer(
        subject.dataset, Recipe(experts=2, units=16, stages=(Stage(1.0, 2),), batch_frames=64, gating="both")
    )
    trainer.total = 5
    trainer.run()
    path = tmp_path_factory.mktemp("network") / "tiny.onnx"
    export(trainer, path)
    return path

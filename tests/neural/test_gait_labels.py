"""Gaits as labels of their own, which a PFNN has: what the data tells, what a controller tells, and old files."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from canter import Character
from canter.control.batch import BatchCommand
from canter.neural.controller import TrajectoryController
from canter.neural.dataset import DataSet
from canter.neural.labels import gait_labels, gaits_by_speed, without_gaits
from canter.neural.model import Contract, Prediction, contract_from, contract_of, fields_of, gait_speeds, layout_of


@pytest.fixture(scope="module")
def phased(dataset: DataSet) -> DataSet:
    return replace(dataset, layout=layout_of(dataset, "pfnn", "velocities"))


@pytest.fixture(scope="module")
def contract(phased: DataSet) -> Contract:
    return contract_of(phased, 4, {})


class Obedient:
    """A predictor that stands still in its joints and goes as fast as it is told; it keeps what it saw."""

    def __init__(self, contract: Contract) -> None:
        self.contract = contract
        self.labels = np.zeros(0)

    def predict(self, trajectory: np.ndarray, joints: np.ndarray, enabled: np.ndarray) -> Prediction:
        layout = self.contract.layout
        samples, now = len(layout.window.times), layout.window.now
        self.labels = trajectory[:, 7 * samples :].reshape(len(joints), samples, layout.label_count)
        root = np.zeros((len(joints), 3), np.float32)
        root[:, 0] = trajectory[:, 6 * samples + now]
        stand = np.tile(self.contract.stand.astype(np.float32), (len(joints), 1))
        return Prediction(stand, root, np.ones((len(joints), 4), np.float32), np.full((len(joints), 4), 0.25))


def test_a_pfnn_has_a_label_for_each_gait_and_no_other_network_has(dataset: DataSet, phased: DataSet) -> None:
    assert phased.layout.gaits == ("walk", "trot", "canter", "gallop")
    assert phased.layout.labels == dataset.layout.labels
    more = 12 * len(phased.layout.gaits)
    assert phased.layout.trajectory_size == dataset.layout.trajectory_size + more
    assert phased.layout.input_size == dataset.layout.input_size + more + 1  # the phase
    assert layout_of(dataset, "mann", "velocities").gaits == ()


def test_only_locomotion_becomes_a_gait() -> None:
    label, gait = np.array([0, 1, 1, 1, 2, 5]), np.array([1, 0, 1, 3, 2, 4])
    np.testing.assert_array_equal(gait_labels(label, gait, 6), [0, 1, 6, 8, 2, 5])
    np.testing.assert_array_equal(gaits_by_speed(np.array([-1.0, 0.4, 0.5, 1.0, 3.0]), [0.5, 1.0]), [0, 0, 1, 2, 2])
    weights = np.array([[0.4, 0.1, 0.0, 0.2, 0.3]])
    np.testing.assert_allclose(without_gaits(weights, 3), [[0.4, 0.6, 0.0]])


def test_the_data_tells_the_gait_that_it_shows(phased: DataSet) -> None:
    pytest.importorskip("torch")
    from canter.neural.training.unrolled import Frames

    label, gait = np.asarray(phased.arrays["label"]), np.asarray(phased.arrays["gait"])
    names = np.array((*phased.layout.labels, *phased.layout.gaits))
    frames = np.arange(200, len(phased) - 200, 50)
    told = Frames(phased).told(frames).numpy()
    last = told[:, -len(names) :].argmax(axis=1)  # what is told now, at the sample farthest ahead
    for frame, name in zip(frames, names[last], strict=True):
        shown = phased.gaits[gait[frame]]
        own = phased.layout.labels[label[frame]]
        assert name == (shown if own == "locomotion" and shown in phased.layout.gaits else own)
    assert set(names[last]) >= {"idle", "walk", "trot", "canter", "gallop", "sit"}


def test_a_ride_tells_the_gait_of_its_speed_and_the_weights_sum_to_one(dog: Character, contract: Contract) -> None:
    speeds = [0.0, *((low + high) / 2 for low, high in contract.gaits.values())]
    predictor = Obedient(contract)
    dogs = TrajectoryController(dog, len(speeds), predictor=predictor, lock_feet=False)
    names = np.array((*contract.layout.labels, *contract.layout.gaits))
    for _ in range(240):
        state = dogs.step(BatchCommand.make(np.array(speeds)))
        np.testing.assert_allclose(predictor.labels.sum(axis=2), 1, atol=1e-5)
    assert names[dogs.state.label].tolist() == ["idle", *contract.gaits]
    np.testing.assert_allclose(np.abs(dogs.state.velocity), speeds, atol=0.02)  # a gait does not hold it back
    assert [state.gait_names[k] for k in state.gait] == ["stand", *contract.gaits]
    sit = dogs.capabilities.actions.index("sit")
    dogs.step(BatchCommand.make(np.array(speeds), action=sit))
    assert names[dogs.state.label].tolist() == ["sit", *contract.gaits]  # who runs slows down first


def test_who_starts_or_goes_backwards_is_told_locomotion_in_no_gait(dog: Character, contract: Contract) -> None:
    dogs = TrajectoryController(dog, 2, predictor=Obedient(contract), lock_feet=False)
    command = BatchCommand.make(np.array([2.0, 0.6]), np.array([0.0, np.pi]), np.array([np.nan, 0.0]))
    dogs.step(command)
    assert dogs.state.label.tolist() == [1, 1]
    for _ in range(60):
        dogs.step(command)
    assert dogs.state.label[0] > len(contract.layout.labels)
    assert dogs.state.label[1] == 1


def test_contracts_keep_gait_labels_and_old_ones_have_none(contract: Contract, dataset: DataSet) -> None:
    fields: dict[str, Any] = json.loads(json.dumps(fields_of(contract)))
    assert contract_from(fields).layout.gaits == contract.layout.gaits
    old = json.loads(json.dumps(fields_of(contract_of(dataset, 2, {}))))
    del old["gait_labels"]
    assert contract_from(old).layout.trajectory_size == dataset.layout.trajectory_size
    with pytest.raises(ValueError, match="no speeds of hop"):
        contract_from(fields | {"gait_labels": ["hop"]})


def test_a_gait_named_by_speed_is_mostly_that_of_the_data(phased: DataSet) -> None:
    """The rule of run time, at the speeds of the data: it differs where the gait is about to change."""
    arrays, spans = phased.arrays, gait_speeds(phased)
    goes = arrays["teaches"] & (arrays["label"] == 1) & np.isin(np.array(phased.gaits)[arrays["gait"]], list(spans))
    said = gaits_by_speed(np.asarray(arrays["velocity"]).real[goes], [low for low, _ in spans.values()])
    shown = [1 + list(spans).index(phased.gaits[k]) for k in arrays["gait"][goes]]
    assert (said == shown).mean() > 0.8

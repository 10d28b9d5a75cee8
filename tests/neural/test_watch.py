"""The watch on networks: poses of the data are left alone, others come back, broken numbers too."""

from __future__ import annotations

import numpy as np
import pytest

from canter.control.batch import BatchCommand
from canter.control.registry import load
from canter.neural.controller import TrajectoryController
from canter.neural.dataset import DataSet
from canter.neural.mann import shipped
from canter.neural.model import Model, Prediction
from canter.neural.watch import FAR, Watcher, make_watch, nearest


def test_poses_of_the_data_are_left_alone(dataset: DataSet) -> None:
    watch, body = make_watch(dataset), dataset.layout.body
    joints = np.asarray(dataset.arrays["joints"], np.float32)
    same, lost = watch.eased(joints, body, 1 / 60)
    assert not lost.any()
    np.testing.assert_array_equal(same, joints)
    gaps = nearest(joints[:, : 3 * len(body)], watch.joints[:, : 3 * len(body)])[1]
    assert gaps.max() == pytest.approx(watch.limit / FAR, rel=1e-4)  # the farthest of all frames, not of some


def test_a_pose_far_from_the_data_comes_back(dataset: DataSet) -> None:
    watch, body = make_watch(dataset), dataset.layout.body
    size, random = 3 * len(body), np.random.default_rng(0)
    joints = np.asarray(dataset.arrays["joints"][:2], np.float32).copy()
    joints[1, :size] += 3 * watch.limit * np.tile([0, 1, 0], len(body))
    joints[1, size : 3 * size] += random.normal(0, 0.5, 2 * size)
    distances = []
    for _ in range(60):
        joints, lost = watch.eased(joints, body, 1 / 60)
        assert not lost[0]
        distances.append(nearest(joints[:, :size], watch.joints[:, :size])[1][1])
        if not lost[1]:
            break
    assert len(distances) > 3  # eased, not put
    assert distances[-1] < watch.limit < distances[0]


def test_looking_only_at_those_that_moved_far_finds_the_same(dataset: DataSet) -> None:
    watch, body = make_watch(dataset), dataset.layout.body
    watcher, random = Watcher(watch, body, 1 / 60, 2), np.random.default_rng(0)
    size, seen = 3 * len(body), 0
    joints = np.asarray(dataset.arrays["joints"][:2], np.float32).copy()
    for frame in range(200):
        joints[1, :size] += random.normal(0, 0.2 * watch.limit, size) + 0.05 * watch.limit
        if frame == 150:
            joints[0, -1] = np.nan
        wanted, lost = watch.eased(joints, body, 1 / 60)
        joints, told = watcher.eased(joints)
        np.testing.assert_array_equal(told, lost)
        np.testing.assert_allclose(joints, wanted, atol=1e-6)
        seen += int(lost[1])
    assert 0 < seen < 200


class Broken:
    """A network that gives no numbers once."""

    def __init__(self, model: Model) -> None:
        self.contract, self._model, self.frame = model.contract, model, 0

    def predict(self, trajectory: np.ndarray, joints: np.ndarray, enabled: np.ndarray) -> Prediction:
        made = self._model.predict(trajectory, joints, enabled)
        self.frame += 1
        if self.frame == 10:
            made.joints[0] = made.root[0] = np.nan
        return made


@pytest.mark.parametrize("lock_feet", [False, True])
def test_numbers_that_are_none_are_put_right_and_told(lock_feet: bool) -> None:
    dog = load("dog")
    batch = TrajectoryController(dog, 2, predictor=Broken(Model(shipped(dog, "mann"))), lock_feet=lock_feet)
    eased = []
    for _ in range(30):
        state = batch.step(BatchCommand.make(np.full(2, 1.0)))
        assert np.isfinite(state.positions).all()
        assert np.isfinite(state.rotations).all()
        eased.append(state.telemetry["eased"])
        assert ("eased" in state.events) == bool(eased[-1].any())
    assert np.array(eased)[9].tolist() == [1.0, 0.0]
    assert np.array(eased)[:9].sum() == np.array(eased)[:, 1].sum() == 0

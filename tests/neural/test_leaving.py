"""The ways out of held actions: read off data, planned ahead, and gone by the shipped dogs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from canter import Character
from canter.control.batch import BatchCommand
from canter.control.registry import make_batch
from canter.neural.dataset import DataSet
from canter.neural.leaving import WaysOut, delayed, measure_leaving


def test_a_way_out_is_read_off_the_frames_that_still_show_the_action(dataset: DataSet) -> None:
    """Five clips in which an animal sits for 50 frames, gets up in 30 while it goes 0.3 m ahead, and goes."""
    sit, number = dataset.gaits.index("sit"), dataset.layout.labels.index("sit")
    clips, length = 5, 200
    frame = np.tile(np.arange(length), clips)
    ahead = 0.01 * np.clip(frame - 50, 0, 30) + 0.05 * np.maximum(frame - 80, 0)
    yaw = np.repeat(np.linspace(0, 2, clips), length)
    arrays = dict(dataset.arrays) | {
        "label": np.where(frame < 50, number, 1),
        "gait": np.where(frame < 81, sit, dataset.gaits.index("walk")),
        "place": ahead * np.exp(1j * yaw),
        "yaw": yaw,
    }
    made = replace(dataset, arrays=arrays, starts=length * np.arange(clips + 1), held=np.zeros(clips, bool))
    found = measure_leaving(made)
    assert set(found) == {"sit"}
    np.testing.assert_allclose(found["sit"], 0.01 * np.arange(31), atol=1e-9)


def test_actions_that_end_at_once_have_no_way_out(dataset: DataSet) -> None:
    arrays = dict(dataset.arrays) | {"gait": np.zeros(len(dataset), np.int8)}
    assert measure_leaving(replace(dataset, arrays=arrays)) == {}


def test_ways_end_where_they_end() -> None:
    ways = WaysOut({"sit": np.array([0, 0.1, 0.3])}, ("idle", "locomotion", "sit"))
    assert ways.frames.tolist() == [0, 0, 2]
    np.testing.assert_allclose(ways.at(np.array([2, 2, 2, 0]), np.array([0, 1, 9, 5])), [0, 0.1, 0.3, 0])


def test_a_plan_begins_later() -> None:
    times = np.array([0.0, 0.5, 1.0])
    plan = np.array([[0, 1, 3], [1, 1j, -1], [7, 2, 4]], complex)[..., None].repeat(2, axis=2)
    late = delayed(plan, times, np.array([0.0, 0.75]))
    np.testing.assert_allclose(late[0, :, 0], [0, 1, 3])
    np.testing.assert_allclose(late[0, :, 1], [0, 0, 0.5])
    np.testing.assert_allclose(late[2, :, 1], [0, 0, 1])
    np.testing.assert_allclose(np.abs(late[1]), 1.0)


@pytest.mark.parametrize("controller", ["mann", "mann8"])
@pytest.mark.parametrize("action", ["sit", "lie", "upright"])
def test_a_dog_gets_up_before_it_goes(dog: Character, controller: str, action: str) -> None:
    """It stays on its feet and near its place until it has risen, as its teacher does; then it goes."""
    batch = make_batch(controller, dog, 1)
    number = batch.capabilities.actions.index(action)
    for _ in range(240):
        batch.step(BatchCommand.make(speed=0.0, action=number))
    shown = [batch.step(BatchCommand.make(speed=1.9)) for _ in range(150)]
    ahead = np.array([state.place[0, 2] for state in shown])
    feet = np.array([state.contacts[0].sum() for state in shown])
    assert ahead[60] - ahead[0] < dog.anatomy.hip_height
    assert (feet[:60] >= 1).all()
    assert np.hypot(*shown[-1].velocity_world[0, ::2]) > 0.7 * 1.9

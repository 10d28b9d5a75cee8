"""Motion matching: features of the data are those of the run time, and an animal follows commands with them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from canter import Character
from canter.control.batch import BatchCommand
from canter.control.registry import make_batch
from canter.control.takes import Takes, write_takes
from canter.neural.controller import TrajectoryController
from canter.neural.dataset import DataSet
from canter.neural.matching import MotionMatching, dataset_roots, dataset_trajectories, placed_by_kinematics


@pytest.fixture(scope="module")
def matching(dataset: DataSet) -> MotionMatching:
    return MotionMatching(dataset)


def test_the_registered_controller_goes_and_begins_anew(dog: Character, takes: Takes, tmp_path: Path) -> None:
    path = tmp_path / "dog.takes"
    write_takes(takes, path)
    batch = make_batch("matching", dog, 2, data=path)
    commands = [BatchCommand.make(np.array([0.9, 1.9])) for _ in range(90)]
    first = [batch.step(command).positions for command in commands][-1]
    batch.reset()
    again = [batch.step(command) for command in commands][-1]
    np.testing.assert_array_equal(first, again.positions)
    assert (again.place[:, 2] > 0.5).all()
    batch.reset(who=np.array([True, False]))
    part = [batch.step(command) for command in commands][-1]
    np.testing.assert_array_equal(part.positions[0], first[0])
    assert part.place[1, 2] > again.place[1, 2] + 1


def test_poses_of_the_data_are_left_as_they_are(dataset: DataSet) -> None:
    some = np.asarray(dataset.arrays["joints"][500:520])
    np.testing.assert_allclose(placed_by_kinematics(some, dataset.layout.body), some, atol=2e-3)


def test_bones_keep_their_lengths(dataset: DataSet) -> None:
    body, rng = dataset.layout.body, np.random.default_rng(0)
    some = np.asarray(dataset.arrays["joints"][500:520])
    placed = placed_by_kinematics(some + 0.1 * rng.normal(size=some.shape), body)
    places = placed[:, : 3 * len(body)].reshape(20, -1, 3)
    bones = np.linalg.norm(places - places[:, np.maximum(body.parents, 0)], axis=-1)[:, ~body.free]
    np.testing.assert_allclose(
        bones, np.broadcast_to(np.linalg.norm(body.offsets, axis=1)[~body.free], bones.shape), atol=1e-5
    )


def test_a_trajectory_begins_here_and_follows_the_track(dataset: DataSet) -> None:
    window = dataset.layout.window
    seen = dataset_trajectories(dataset, np.array([800]))[0]
    samples = len(window.times)
    places = seen[: 2 * samples].reshape(samples, 2)
    np.testing.assert_allclose(places[window.now], 0.0, atol=1e-6)
    root = dataset_roots(dataset, np.array([800]))[0]
    ahead = places[window.now + 1] / window.times[window.now + 1]
    assert np.linalg.norm(ahead - root[:2]) < 1.0


def test_frames_of_the_data_match_themselves(matching: MotionMatching, dataset: DataSet) -> None:
    goes = np.abs(dataset.arrays["velocity"][matching._candidates]) > 1.0  # of frames at rest there are many alike
    frames = matching._candidates[goes][[100, 300]]
    seen, joints = dataset_trajectories(dataset, frames), np.asarray(dataset.arrays["joints"][frames])
    given = matching.predict(seen, joints, np.ones(1))
    np.testing.assert_allclose(given.joints, dataset.arrays["joints"][frames + 1], atol=5e-3)
    np.testing.assert_allclose(given.contacts, dataset.arrays["contacts"][frames + 1])


def test_an_animal_goes_and_stops_as_it_is_told(matching: MotionMatching, dog: Character) -> None:
    dogs = TrajectoryController(dog, 3, predictor=matching)
    speeds = np.array([0.0, 0.9, 1.9])
    for _ in range(240):
        state = dogs.step(BatchCommand.make(speeds))
    gone = np.linalg.norm(state.velocity_world, axis=1)
    np.testing.assert_allclose(gone, speeds, atol=0.45)
    for _ in range(240):
        state = dogs.step(BatchCommand.make(np.zeros(3)))
    assert np.linalg.norm(state.velocity_world, axis=1).max() < 0.15
    assert np.isfinite(state.positions).all()

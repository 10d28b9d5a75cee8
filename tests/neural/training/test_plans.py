"""What lies ahead in training is what the steering plans at run time."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from canter.control.batch import BatchCommand  # noqa: E402
from canter.neural.controller import TrajectoryController  # noqa: E402
from canter.neural.dataset import DataSet  # noqa: E402
from canter.neural.matching import MotionMatching  # noqa: E402
from canter.neural.model import Prediction  # noqa: E402
from canter.neural.training.plans import Plans  # noqa: E402


@pytest.fixture(scope="module")
def plans(dataset: DataSet) -> Plans:
    return Plans(dataset)


def ahead_of(plans: Plans, dataset: DataSet, frames: np.ndarray, off: float = 0.0) -> tuple[np.ndarray, ...]:
    """The plans of animals that are where the data is, but turned by `off` radians."""
    yaw = torch.as_tensor(np.asarray(dataset.arrays["yaw"])[frames] + off)
    velocity = torch.as_tensor(np.asarray(dataset.arrays["velocity"])[frames] * np.exp(1j * yaw.numpy()))
    return tuple(x.numpy() for x in plans.plan(plans.steered(frames), frames, yaw, velocity))


def steady_frames(dataset: DataSet, speed: float) -> np.ndarray:
    """Frames of locomotion, faster than `speed`, in the second before and after which nothing else is told."""
    wanted, heading = (np.asarray(dataset.arrays[name]) for name in ("wanted_speed", "heading"))
    facing, label = (np.asarray(dataset.arrays[name]) for name in ("facing", "label"))
    changes = (np.diff(wanted) != 0) | (np.diff(heading) != 0) | (np.diff(label) != 0) | (np.diff(dataset.clip_of) > 0)
    near = np.convolve(np.append(changes, True), np.ones(2 * round(dataset.frame_rate) + 1), "same") > 0
    return np.flatnonzero(~near & (wanted > speed) & np.isnan(facing) & (label == 1))


class Given:
    """A predictor that gives the frames of a clip, whatever it sees, and keeps what it saw."""

    def __init__(self, dataset: DataSet, first: int) -> None:
        self.contract, self.seen = MotionMatching(dataset).contract, []
        self._dataset, self._frame = dataset, first

    def predict(self, trajectory: np.ndarray, joints: np.ndarray, enabled: np.ndarray) -> Prediction:
        self.seen.append(trajectory[0].copy())
        place, yaw = (np.asarray(self._dataset.arrays[name]) for name in ("place", "yaw"))
        k, rate = self._frame, self._dataset.frame_rate
        turn = yaw[k + 1] - yaw[k]
        moved = (place[k + 1] - place[k]) * np.exp(-1j * (yaw[k] + turn / 2)) * rate
        self._frame += 1
        root = np.array([[moved.real, moved.imag, turn * rate]])
        return Prediction(self._dataset.arrays["joints"][k + 1][None], root, np.ones((1, 4)), np.ones((1, 1)))


def test_the_controller_plans_the_same_along_the_same_way(dataset: DataSet, plans: Plans) -> None:
    """A clip, led along frame by frame: what the controller sees ahead is what a training would show there."""
    from canter.control.registry import load

    goes = np.asarray(dataset.arrays["label"]) == 1
    clip = next(k for k in range(len(dataset.starts) - 1) if goes[dataset.starts[k] : dataset.starts[k] + 50].all())
    first = int(dataset.starts[clip])
    given = Given(dataset, first)
    controller = TrajectoryController(load("dog"), 1, predictor=given)
    arrays, frames = dataset.arrays, np.arange(first, first + 50)
    controller.state.yaw[:] = arrays["yaw"][first]
    controller.state.weights[:] = np.eye(dataset.layout.label_count)[1]  # nothing holds it back
    controller._direction = np.exp(1j * controller.state.yaw)
    for k in frames:
        controller.step(
            BatchCommand.make(
                arrays["wanted_speed"][k : k + 1].astype(float),
                arrays["heading"][k : k + 1].astype(float),
                arrays["facing"][k : k + 1].astype(float),
            )
        )
    samples, now = len(dataset.layout.window.times), dataset.layout.window.now
    seen = np.array(given.seen)[:, : 6 * samples].reshape(-1, 3, samples, 2)[:, :, now + 1 :]
    places, turns, moving = ahead_of(plans, dataset, frames)
    for own, planned in zip(seen.swapaxes(0, 1), (places, np.exp(1j * turns), moving), strict=True):
        np.testing.assert_allclose(own[..., 0] + 1j * own[..., 1], planned, atol=0.02)


def test_plans_turn_back_to_what_is_told_and_reach_its_speed(dataset: DataSet, plans: Plans) -> None:
    frames = steady_frames(dataset, 1.0)[::7]
    assert len(frames) > 20
    right, off = (ahead_of(plans, dataset, frames, angle) for angle in (0.0, 0.3))
    np.testing.assert_allclose(off[1][:, -1] - right[1][:, -1], -0.3, atol=0.05)  # at a gallop yaw rates are bounded
    wanted = np.asarray(dataset.arrays["wanted_speed"])[frames]
    assert np.median(np.abs(np.abs(right[2][:, -1]) / wanted - 1)) < 0.05


def test_plans_know_nothing_of_what_will_be_told(dataset: DataSet, plans: Plans) -> None:
    """The last frame before a command plans on as it was told so far."""
    wanted, label = (np.asarray(dataset.arrays[name]) for name in ("wanted_speed", "label"))
    before = np.flatnonzero((np.abs(np.diff(wanted)) > 1) & (label[1:] == 1) & (label[:-1] == 1) & (wanted[:-1] > 1))
    before = before[dataset.clip_of[before] == dataset.clip_of[before + 1]]
    assert len(before) > 3
    speeds = np.abs(ahead_of(plans, dataset, before)[2][:, -1])
    assert (np.abs(speeds - wanted[before]) < np.abs(speeds - wanted[before + 1])).mean() > 0.8


def test_steering_goes_on_with_the_animal(dataset: DataSet, plans: Plans) -> None:
    """Frame by frame along the data, it comes to the state that it has there; told another velocity, it does not."""
    firsts = dataset.starts[:-1] + 200
    yaw, velocity = (np.asarray(dataset.arrays[name]) for name in ("yaw", "velocity"))
    along, other = plans.steered(firsts), plans.steered(firsts)
    for k in range(30):
        facing, own = torch.as_tensor(yaw[firsts + k]), velocity[firsts + k]
        for steered, moves in ((along, own), (other, own - 2)):
            plans.plan(steered, firsts + k, facing, torch.as_tensor(moves * np.exp(1j * yaw[firsts + k])))
    there = plans.steered(firsts + 30)
    for name in ("velocity", "acceleration", "yaw_rate"):
        np.testing.assert_allclose(getattr(along, name), getattr(there, name), atol=1e-3)
    assert (np.abs(other.velocity - there.velocity) > 0.3).all()

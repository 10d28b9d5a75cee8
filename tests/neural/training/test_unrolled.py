"""The unrolled loss: kinematics, trajectories without disturbance, and its parts."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from canter.neural.dataset import DataSet  # noqa: E402
from canter.neural.networks import Mann  # noqa: E402
from canter.neural.step import Step  # noqa: E402
from canter.neural.training.sampling import Sampler  # noqa: E402
from canter.neural.training.unrolled import Disturbance, Frames, LossWeights, Unrolled, measure, turned  # noqa: E402

CALM = Disturbance(0.0, 0.0, 0.0, 0.0, 0.0)


@pytest.fixture(scope="module")
def unrolled(dataset: DataSet) -> Unrolled:
    torch.manual_seed(0)
    frames, layout = Frames(dataset), dataset.layout
    normalisation = measure(frames, Sampler(dataset, 4).draw(np.random.default_rng(0), 2000))
    network = Mann(layout.input_size, Step.output_size(layout), len(layout.gating_columns), 16, 2)
    step = Step(network, layout, normalisation, 0.9)
    return Unrolled(frames, step, CALM, LossWeights(), torch.Generator().manual_seed(0))


def starts(dataset: DataSet, count: int) -> np.ndarray:
    return Sampler(dataset, 8).draw(np.random.default_rng(1), count)


def test_kinematics_places_joints_where_the_data_has_them(unrolled: Unrolled, dataset: DataSet) -> None:
    joints = unrolled.frames.joints(starts(dataset, 50))
    np.testing.assert_allclose(unrolled.step.assemble(joints[:, unrolled.step.columns]), joints, atol=1e-4)


def test_an_undisturbed_start_is_the_data(unrolled: Unrolled, dataset: DataSet) -> None:
    frames = starts(dataset, 20)
    joints, place, yaw, own = unrolled.starts(frames)
    np.testing.assert_allclose(joints, unrolled.frames.joints(frames), atol=1e-4)
    np.testing.assert_allclose(yaw, dataset.arrays["yaw"][frames], atol=1e-5)
    np.testing.assert_allclose(own[:, 0], dataset.arrays["velocity"][frames].real, atol=1e-4)
    assert place.shape == (20, 2)


def test_what_lies_ahead_is_the_datas_own_way_seen_from_here(unrolled: Unrolled, dataset: DataSet) -> None:
    frames = starts(dataset, 10)
    f = unrolled.frames
    track = f.track(frames)
    history = list(f.track(frames[:, None] + np.arange(-f.past, 1)).unbind(1))
    own = turned(track[:, 3:], -track[:, 2])
    seen = unrolled.trajectory(history, track[:, :2], track[:, 2], own, frames, torch.zeros(10, 1))
    place, yaw = np.asarray(dataset.arrays["place"]), np.asarray(dataset.arrays["yaw"])
    for k, offset in enumerate(f.sample_frames):
        there = (place[frames + offset] - place[frames]) * np.exp(-1j * yaw[frames])
        np.testing.assert_allclose(seen[:, 2 * k], there.real, atol=1e-3)
        np.testing.assert_allclose(seen[:, 2 * k + 1], there.imag, atol=1e-3)


def test_an_error_of_heading_fades_ahead(unrolled: Unrolled, dataset: DataSet) -> None:
    frames = starts(dataset, 10)
    f = unrolled.frames
    track = f.track(frames)
    history = list(f.track(frames[:, None] + np.arange(-f.past, 1)).unbind(1))
    own = turned(track[:, 3:], -track[:, 2])
    off = torch.full((10,), 0.3)
    seen = unrolled.trajectory(history, track[:, :2], track[:, 2] + off, own, frames, torch.zeros(10, 1))
    right = unrolled.trajectory(history, track[:, :2], track[:, 2], own, frames, torch.zeros(10, 1))
    size, now = len(f.sample_frames), f.now
    angles = [torch.atan2(x[:, 2 * size + 1 : 4 * size : 2], x[:, 2 * size : 4 * size : 2]) for x in (seen, right)]
    turn = (angles[0] - angles[1])[:, now + 1 :]  # towards the data's way: more and more, up to -0.3
    assert (turn.diff(dim=1) < 0).all()
    np.testing.assert_allclose(turn[:, -1], -0.3 * (1 - np.exp(-3 * 5 / 6)), atol=1e-3)


def test_parts_of_the_loss_are_finite_and_can_be_learned(unrolled: Unrolled, dataset: DataSet) -> None:
    parts = unrolled.loss(starts(dataset, 16), 3)
    assert set(parts) == {"joints", "root", "drift", "contacts", "slip"}
    total = unrolled.total(parts)
    total.backward()
    assert torch.isfinite(total)
    assert all(torch.isfinite(p.grad).all() for p in unrolled.step.network.parameters() if p.grad is not None)


def test_feet_of_the_data_do_not_slip(unrolled: Unrolled, dataset: DataSet) -> None:
    """The data itself, given as a prediction, slips less than a step of a network that knows nothing."""
    frames = starts(dataset, 200)
    f = unrolled.frames
    track = f.track(frames[:, None] + np.arange(2))
    moved = turned(track[:, 1, :2] - track[:, 0, :2], -track[:, 0, 2]) * unrolled.rate
    rate = (track[:, 1, 2] - track[:, 0, 2]) * unrolled.rate
    slip = unrolled._slip(
        f.joints(frames), f.joints(frames + 1), moved, rate, f.contacts(frames[:, None] + np.arange(2))
    )
    assert float(slip) < 0.02


def test_rare_frames_are_drawn_more_often_than_they_occur(dataset: DataSet) -> None:
    sampler = Sampler(dataset, 8)
    jump = dataset.layout.labels.index("jump")
    label = np.asarray(dataset.arrays["label"])
    drawn = label[sampler.draw(np.random.default_rng(0), 20_000)]
    assert (drawn == jump).mean() > 1.3 * (label[sampler.frames] == jump).mean()

"""The unrolled loss: kinematics, trajectories without disturbance, and its parts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from canter.neural.dataset import DataSet  # noqa: E402
from canter.neural.networks import Mann  # noqa: E402
from canter.neural.step import Step  # noqa: E402
from canter.neural.training.sampling import Sampler  # noqa: E402
from canter.neural.training.unrolled import (  # noqa: E402
    Disturbance,
    Frames,
    LossWeights,
    Track,
    Unrolled,
    measure,
    trajectory,
    turned,
)

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
    joints, track = unrolled.starts(frames)
    np.testing.assert_allclose(joints, unrolled.frames.joints(frames), atol=1e-4)
    np.testing.assert_allclose(track.yaw, dataset.arrays["yaw"][frames], atol=1e-5)
    np.testing.assert_allclose(turned(track.velocity, -track.yaw), dataset.arrays["velocity"][frames], atol=1e-4)
    np.testing.assert_allclose(track.place, dataset.arrays["place"][frames])


def test_what_lay_behind_is_the_datas_own_way_seen_from_here(unrolled: Unrolled, dataset: DataSet) -> None:
    frames, f = starts(dataset, 40), unrolled.frames
    now, past = f.track(frames), f.track(frames[:, None] + f.sample_frames[: f.now])
    ahead = Track(*f.plans.plan(f.plans.steered(frames), frames, now.yaw, now.velocity))
    seen = trajectory(past, now, ahead, f.told(frames))
    place, yaw = np.asarray(dataset.arrays["place"]), np.asarray(dataset.arrays["yaw"])
    for k, offset in enumerate(f.sample_frames[: f.now + 1]):
        there = (place[frames + offset] - place[frames]) * np.exp(-1j * yaw[frames])
        np.testing.assert_allclose(np.asarray(seen[:, 2 * k] + 1j * seen[:, 2 * k + 1]), there, atol=1e-3)


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
    before, after = f.track(frames), f.track(frames + 1)
    moved = turned(after.place - before.place, -before.yaw) * unrolled.rate
    rate = (after.yaw - before.yaw) * unrolled.rate
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


def test_frames_of_a_strange_gait_are_started_from_but_never_learned() -> None:
    """A stretch may begin in the last disturbed frame; all that it predicts teaches."""
    import canter
    from canter.control.improvise import TEACHING, improvise
    from canter.neural.dataset import make_dataset

    shares = {"idle": 1.0, "locomotion": 20.0}
    repertoire = replace(TEACHING, shares=shares, other_share=0.0, disturbed=1.0, around=0.0)
    data = make_dataset(improvise(canter.load("dog"), 1.5, 2, repertoire=repertoire, take_seconds=30))
    teaches = np.asarray(data.arrays["teaches"])
    frames = Sampler(data, 8).frames
    learned = np.unique(frames[:, None] + np.arange(1, 9))
    assert teaches[learned].all()
    assert not teaches.all()
    released = np.flatnonzero(~teaches[:-1] & teaches[1:])
    assert np.isin(released, frames).mean() > 0.5
    speeds = np.asarray(data.arrays["velocity"])[~teaches].real
    assert speeds.max() > 2.0


def test_a_gait_that_does_not_suit_its_speed_is_drawn_more_often_than_it_is_there(dataset: DataSet) -> None:
    gait = np.full(len(dataset), dataset.gaits.index("trot"), np.int8)
    rare = np.arange(len(dataset)) % 1000 < 100
    gait[rare] = dataset.gaits.index("canter")
    sampler = Sampler(replace(dataset, arrays=dataset.arrays | {"gait": gait}), 1)
    drawn = sampler.draw(np.random.default_rng(0), 20_000)
    assert rare[drawn].mean() > 1.5 * rare[sampler.frames].mean()

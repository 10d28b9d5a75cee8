"""Limits that are read off motion are those that the motion was made with."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import canter
from canter.control.steering import Root, Wish, advance
from canter.neural.dataset import DataSet
from canter.neural.steering import measure_limits, straight_starts, with_starts


def test_they_are_near_those_of_the_teacher(dataset: DataSet) -> None:
    own, teacher = measure_limits(dataset), canter.load("dog").controller("gaits").batch.limits  # type: ignore[attr-defined]
    assert own.max_speed == pytest.approx(teacher.max_speed, rel=0.1)
    assert own.max_acceleration == pytest.approx(teacher.max_acceleration, rel=0.25)
    assert own.max_lateral_acceleration == pytest.approx(teacher.max_lateral_acceleration, rel=0.3)
    for speed in (1.0, 2.0, 4.0):
        assert own.velocity_frequency(speed) == pytest.approx(teacher.velocity_frequency(speed), rel=0.2)  # type: ignore[arg-type]


@pytest.mark.parametrize("response", [2.0, 4.0, 6.0])
def test_the_response_at_rest_is_that_of_the_starts(dataset: DataSet, response: float) -> None:
    """Starts that were made with a known one, in which an animal that stood for a while goes straight ahead."""
    usual, speeds, frames = measure_limits(dataset), np.linspace(0.8, 5.0, 8), 90
    first = int(np.argmax(usual.speeds > dataset.rest_speed))
    flat = np.concatenate([np.full(first, usual.frequencies[first]), usual.frequencies[first:]])
    slow = np.interp(usual.speeds[:first], [0.0, usual.speeds[first]], [response, flat[first]])
    true = replace(usual, frequencies=np.concatenate([slow, flat[first:]]))
    root, wish = Root(len(speeds)), Wish(speeds, np.zeros(len(speeds)), np.full(len(speeds), np.nan))
    roots = [root, root] + [root := advance(root, wish, true, 1 / dataset.frame_rate) for _ in range(frames)]
    size = len(speeds) * len(roots)
    arrays = {
        "place": np.stack([root.place for root in roots], axis=1).ravel(),
        "velocity": np.stack([root.velocity for root in roots], axis=1).ravel(),
        "yaw": np.zeros(size),
        "label": np.tile(np.arange(len(roots)) > 0, len(speeds)).astype(np.int8),
    }
    made = replace(dataset, arrays=arrays, starts=np.arange(0, size + 1, len(roots)))
    found = with_starts(replace(usual, frequencies=flat), made)
    assert found.frequencies == pytest.approx(true.frequencies, rel=0.05)


def test_without_starts_the_response_at_rest_is_that_of_a_walk(dataset: DataSet) -> None:
    goes = replace(dataset, arrays=dataset.arrays | {"label": np.ones(len(dataset), np.int8)})
    assert len(straight_starts(goes)) == 0
    frequencies = measure_limits(goes).frequencies
    assert frequencies[0] == frequencies[1]

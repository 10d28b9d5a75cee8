"""Limits that are read off motion are those that the motion was made with."""

from __future__ import annotations

import pytest

import canter
from canter.neural.dataset import DataSet
from canter.neural.steering import measure_limits


def test_they_are_near_those_of_the_teacher(dataset: DataSet) -> None:
    own, teacher = measure_limits(dataset), canter.load("dog").controller("gaits").batch.limits  # type: ignore[attr-defined]
    assert own.max_speed == pytest.approx(teacher.max_speed, rel=0.1)
    assert own.max_acceleration == pytest.approx(teacher.max_acceleration, rel=0.25)
    assert own.max_lateral_acceleration == pytest.approx(teacher.max_lateral_acceleration, rel=0.3)
    for speed in (1.0, 2.0, 4.0):
        assert own.velocity_frequency(speed) == pytest.approx(teacher.velocity_frequency(speed), rel=0.2)  # type: ignore[arg-type]

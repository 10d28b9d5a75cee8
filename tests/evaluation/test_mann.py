"""What the topic `mann` measures, on the teacher itself, of which the answers are known."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import canter
from canter.control.improvise import TEACHING, improvise
from canter.control.registry import make_batch
from canter.control.takes import Takes
from canter.evaluation.mann.hour import Poses, judge, same_commands
from canter.evaluation.mann.locomotion import rides, stand_drift
from canter.neural.dataset import DataSet, make_dataset


@pytest.fixture(scope="module")
def taught() -> tuple[Takes, DataSet]:
    takes = improvise(canter.load("dog"), 2.0, seed=9, repertoire=replace(TEACHING, disturbed=0.0))
    return takes, make_dataset(takes)


def test_the_teacher_does_what_it_is_told(taught: tuple[Takes, DataSet]) -> None:
    takes, dataset = taught
    hour = judge(takes, Poses(dataset), dataset.jumps)
    assert hour.finite
    for share, count in (hour.go, hour.held, hour.jumps):
        assert count
        assert share >= 0.75
    assert hour.depth < 0.01
    assert max(hour.distance) < 0.05


def test_a_dog_that_stays_where_it_is_obeys_nothing(taught: tuple[Takes, DataSet]) -> None:
    takes, dataset = taught
    frozen = []
    for take in takes.takes:
        motion = take.motion
        still = replace(
            motion,
            positions=motion.positions[:1].repeat(len(motion), 0),
            rotations=motion.rotations[:1].repeat(len(motion), 0),
        )
        frozen.append(replace(take, motion=still, contacts=np.ones_like(take.contacts)))
    hour = judge(replace(takes, takes=tuple(frozen)), Poses(dataset), dataset.jumps)
    assert hour.go[0] == hour.jumps[0] == 0.0
    assert hour.held[0] < 0.5


def test_the_teacher_makes_the_same_of_its_own_commands(taught: tuple[Takes, DataSet]) -> None:
    takes, dataset = taught
    again = same_commands(make_batch("gaits", canter.load("dog"), len(takes.takes), **TEACHING.options), takes)
    for one, other in zip(takes.takes, again.takes, strict=True):
        np.testing.assert_allclose(
            one.motion.positions, other.motion.positions, atol=0.01
        )  # commands are kept as float32
    hour = judge(takes, Poses(dataset), dataset.jumps, again)
    assert hour.out_of_action[0] == 1.0
    assert hour.out_of_action[1]


def test_gaits_and_speeds_of_steady_rides() -> None:
    walk, trot = rides(make_batch("gaits", canter.load("dog"), 2), np.array([0.9, 1.9]))
    assert walk.share("walk") > 0.9
    assert trot.share("trot") > 0.9
    np.testing.assert_allclose([walk.speed, trot.speed], [0.9, 1.9], rtol=0.03)
    assert trot.activity[0] > walk.activity[0] > 0
    assert stand_drift(make_batch("gaits", canter.load("dog"), 1), 0.9) == pytest.approx((0.0, 0.0), abs=1e-3)

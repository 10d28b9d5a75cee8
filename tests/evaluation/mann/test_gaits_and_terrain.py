"""Gaits by speed, and hills."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from canter.control.registry import make_batch
from canter.evaluation.mann.gaits import (
    Changes,
    changing_figures,
    gait_at,
    gait_tracks,
    ride_changes,
    share_of,
    steady_figures,
)
from canter.evaluation.mann.subjects import Subject
from canter.evaluation.mann.terrain import WORLDS, terrain_figures
from canter.evaluation.mann.tracks import Track, ride_tracks

RANGES = {"walk": (0.5, 1.0), "trot": (1.0, 2.0)}


def test_the_gait_of_a_speed() -> None:
    assert [gait_at(RANGES, speed) for speed in (0.3, 0.7, 1.0, 2.0)] == ["", "walk", "trot", ""]
    assert gait_at(RANGES, 1.05, 0.1) == ""
    assert [track.gait for track in gait_tracks({"walk": (0.5, 1.2), "trot": (1.2, 2.6)}, 0.5)] == ["walk", "trot"]
    assert [track.speed for track in gait_tracks(RANGES, 0.5)] == [0.8, 1.9]


def test_the_teacher_shows_its_own_gaits(subject: Subject) -> None:
    tracks = [Track("gait", "walk", 0.8, 0.0, 0.8), Track("gait", "canter", 1.9, 0.0, 1.9)]
    rides = ride_tracks(make_batch("gaits", subject.character, 2), tracks, 4.0)
    found = steady_figures(tracks, rides, subject.character.anatomy)
    assert found["walk"]["shares"] == {"walk": 1.0}
    assert found["canter"]["shares"] == {"trot": 1.0}  # it was not asked for the canter's speed


def test_strides_under_changing_speeds(subject: Subject) -> None:
    rows = [Changes(seed, 3.0) for seed in (0, 1)]
    assert len(np.unique(rows[0].speeds(600, 60.0))) > 2
    assert not np.array_equal(rows[0].speeds(600, 60.0), rows[1].speeds(600, 60.0))
    rides = ride_changes(make_batch("gaits", subject.character, 2), rows, 10.0)
    anatomy = subject.character.anatomy
    found = changing_figures(rides, anatomy, subject.ranges)
    assert found["trot"]["strides"] > 3
    assert found["trot"]["share"] > 0.7
    swapped = subject.ranges | {"trot": subject.ranges["canter"], "canter": subject.ranges["trot"]}
    assert changing_figures(rides, anatomy, swapped)["canter"]["share"] < 0.2


def test_the_interval_of_a_share_is_of_drawing_rides_anew() -> None:
    assert share_of([[True, False], [True], []]) == (2 / 3, 0.5, 1.0)
    assert share_of([[True] * 9, [True]]) == (1.0, 1.0, 1.0)
    assert np.isnan(share_of([[], []]).value)


def test_hills(subject: Subject) -> None:
    world, anatomy = WORLDS["uphill"](), subject.character.anatomy
    batch = make_batch("gaits", subject.character, 1, world=world)
    (ride,) = ride_tracks(batch, [Track("terrain", "walk", 0.8, 0.0, 0.8)], 1.0)
    found = terrain_figures(ride, world, anatomy, subject.ground, subject.joint_ranges)
    assert found["penetration_max"] < 0.5
    assert found["slip_max"] < 0.5
    assert found["beyond_limits"] == 0
    flat = terrain_figures(ride, WORLDS["downhill"](), anatomy, subject.ground, subject.joint_ranges)
    assert flat["penetration_max"] == 0  # it is high above that ground
    assert terrain_figures(ride, world, anatomy, subject.ground + 0.05, subject.joint_ranges)["penetration_max"] > 4
    bent = ride.motion.rotations.copy()
    joint = anatomy.legs[0].joints[1]
    bent[:10, joint] = [0.0, 1.0, 0.0, 0.0]
    wrong = replace(ride, motion=replace(ride.motion, rotations=bent))
    assert terrain_figures(wrong, world, anatomy, subject.ground, subject.joint_ranges)["beyond_limits"] > 10

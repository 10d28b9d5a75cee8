"""Captured takes: one for each name, joined on one skeleton, and their stretches as ground truth."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import canter
from canter.control.improvise import improvise
from canter.control.takes import Takes
from canter.evaluation.mann.capture import (
    MAX_TRACKS,
    TURN_RATE,
    longest,
    stretches_of,
    take_files,
    tracks_like,
    with_plain_ends,
)
from canter.motion import Asset, Motion, Skeleton


def test_takes_that_are_there_twice_count_once(tmp_path: Path) -> None:
    for name in ("walk.bvh", "trot.bvh", "labelled/walk.npz", "labelled/sit.npz", "notes.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    found = take_files(tmp_path)
    assert sorted(path.stem for path in found) == ["sit", "trot", "walk"]


def test_end_sites_have_one_name() -> None:
    skeleton = Skeleton.make(["Hips", "Head", "HeadSite", "Tail"], [-1, 0, 1, 0], np.eye(4, 3))
    motion = Motion(skeleton, 60.0, np.zeros((2, 4, 3), np.float32), np.tile(np.float32([1, 0, 0, 0]), (2, 4, 1)))
    found = with_plain_ends(Asset(skeleton, (motion,)))
    assert found.skeleton.names == ("Hips", "Head", "Head_end", "Tail")
    assert found.clips[0].skeleton.names == found.skeleton.names


@pytest.fixture(scope="module")
def takes() -> Takes:
    return improvise(canter.load("dog"), 2.0, 5, take_seconds=60)


def test_stretches_are_of_one_gait_and_know_their_speed(takes: Takes) -> None:
    found = stretches_of(takes)
    assert {"walk", "turn"} <= {stretch.kind for stretch in found}
    for stretch in found:
        assert (stretch.kind == "turn") == (abs(stretch.yaw_rate) > TURN_RATE)
        assert len(stretch.motion) == len(stretch.contacts)
    speeds = {kind: np.mean([s.speed for s in found if s.gait == kind]) for kind in ("walk", "trot")}
    assert 0.3 < speeds["walk"] < speeds["trot"] < 3
    assert len(stretches_of(takes, np.array([True, False]))) < len(found)


def test_tracks_go_as_fast_as_stretches(takes: Takes) -> None:
    found = stretches_of(takes)
    chosen = longest(found)
    assert max(Counter(s.kind for s in chosen).values()) <= MAX_TRACKS
    assert {s.kind for s in chosen} == {s.kind for s in found}
    tracks = tracks_like(chosen)
    assert [track.kind for track in tracks] == [s.kind for s in chosen]
    assert all(track.yaw_rate == 0 for track in tracks if track.kind != "turn")
    assert {round(track.speed, 6) for track in tracks} <= {round(stretch.speed, 6) for stretch in found}
    doubled = tracks_like([replace(stretch, speed=2 * stretch.speed) for stretch in chosen])
    assert [t.speed for t in doubled] == pytest.approx([2 * t.speed for t in tracks])

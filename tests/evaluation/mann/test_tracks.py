"""Tracks: what is told, that it is reached, and what is measured of rides of which the answer is known."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from canter.control.batch import BatchCommand, BatchController, BatchState
from canter.control.registry import make_batch
from canter.evaluation.mann.columns import cycles_column
from canter.evaluation.mann.measures import UNITS, feet_and_legs, ride_figures, strides_in, travel_speed
from canter.evaluation.mann.measuring import LOCKED, LOOSE, track_figures
from canter.evaluation.mann.rides import drive
from canter.evaluation.mann.subjects import Subject
from canter.evaluation.mann.tracks import KINDS, TRACKS, Track, ride_tracks, tracks_of
from canter.motion.arrays import Bools


def test_tracks_lie_within_the_ranges_of_their_gaits(subject: Subject) -> None:
    assert {track.kind for track in subject.tracks} == set(KINDS)
    for track in subject.tracks:
        low, high = subject.ranges[track.gait]
        assert low < track.speed < high
        assert (track.yaw_rate != 0) == (track.kind == "turn")
        assert track.lead != track.speed
    assert {row.gait for row in TRACKS} - {"walk"} == {
        track.gait for track in tracks_of({"trot": (1, 2), "canter": (2, 3)})
    }


def test_the_teacher_goes_and_turns_as_told(subject: Subject) -> None:
    tracks = [Track("walk", "walk", 0.9, 0.0, 0.6), Track("turn", "trot", 1.8, 0.5, 2.0)]
    straight, turning = ride_tracks(make_batch("gaits", subject.character, 2), tracks, 2.0)
    assert len(straight.motion) == len(turning.motion) == 120
    assert travel_speed(straight) == pytest.approx(0.9, rel=0.02)
    assert travel_speed(turning) == pytest.approx(1.8, rel=0.05)
    assert np.unwrap(turning.facing)[-1] - turning.facing[0] == pytest.approx(0.5 * 2.0, rel=0.1)
    anatomy = subject.character.anatomy
    figures = ride_figures(straight, anatomy, subject.ground)
    assert set(figures) == set(UNITS)
    assert figures["speed_error"] < 2
    assert figures["slip"] < 0.1
    late = ride_figures(replace(straight, speed=straight.speed * 2), anatomy, subject.ground)
    assert late["speed_error"] == pytest.approx(50, abs=2)


def test_a_foot_that_sinks_in_hides_no_skating(subject: Subject) -> None:
    """A slide over the ground with a few frames far below: heights from the foot's own lowest frames make it vanish,
    heights from where feet stand do not."""
    anatomy = subject.character.anatomy
    motion = subject.truth[0][:100]
    positions, rotations = (x[:1].repeat(100, 0) for x in (motion.positions, motion.rotations))
    positions[:, 0, 2] += 0.01 * np.arange(100)  # 1 cm a frame
    positions[:5, 0, 1] -= 0.2
    stance = motion.position_world[0, anatomy.feet, 1]
    figures = feet_and_legs(replace(motion, positions=positions, rotations=rotations), anatomy, stance)
    assert figures["skating"] == pytest.approx(1.0, rel=0.02)
    assert figures["skating_own"] < 0.1
    assert figures["activity"] == pytest.approx(0.0, abs=1e-3)


def test_figures_of_a_column(subject: Subject) -> None:
    found = track_figures(cycles_column(subject, "gaits"), subject, 0.5)
    assert LOOSE not in found  # its feet are always locked
    for kind in KINDS:
        count = sum(track.kind == kind for track in subject.tracks)
        assert all(len(values) == count for values in found[LOCKED][kind].values())
    assert np.mean(found[LOCKED]["canter"]["activity"]) > np.mean(found[LOCKED]["walk"]["activity"])


def test_a_paper_preset_is_driven_one_after_another(subject: Subject) -> None:
    column = cycles_column(subject, "huang")
    tracks = [Track("walk", "walk", 0.8, 0.0, 0.8), Track("trot", "trot", 1.8, 0.0, 1.8)]
    slow, fast = column.over(tracks, lambda batch, rows: ride_tracks(batch, rows, 0.5))
    assert travel_speed(fast) > 1.5 * travel_speed(slow)


class Wild:
    """The teacher's batch, whose second animal explodes after ten frames of each life."""

    def __init__(self, batch: BatchController, broken: float) -> None:
        self._batch, self._broken, self._age = batch, broken, 0
        self.resets: list[list[bool] | None] = []

    def __getattr__(self, name: str) -> object:
        return getattr(self._batch, name)

    def reset(self, seed: int = 0, who: Bools | None = None) -> BatchState:
        self.resets.append(None if who is None else who.tolist())
        self._age = 0
        return self._batch.reset(seed, who)

    def step(self, command: BatchCommand) -> BatchState:
        state = self._batch.step(command)
        self._age += 1
        if self._age == 10:
            state.positions[1, 3] = self._broken
        return state


@pytest.mark.parametrize("broken", [np.nan, np.inf, 1e6])
def test_a_lost_animal_is_left_out_and_the_others_are_not(subject: Subject, broken: float) -> None:
    def told(frame: int, _: BatchState) -> BatchCommand:
        return BatchCommand.make(np.array([0.9, 0.9]))

    batch = Wild(make_batch("gaits", subject.character, 2), broken)
    sound, lost = drive(batch, told, 25)  # type: ignore[arg-type]
    assert batch.resets == [None, [False, True], [False, True]]
    assert sound.finite
    assert not lost.finite
    alone, _ = drive(make_batch("gaits", subject.character, 2), told, 25)
    np.testing.assert_array_equal(sound.motion.positions, alone.motion.positions)


def test_strides_of_what_never_moves(subject: Subject) -> None:
    motion = subject.truth[0][:120]
    assert strides_in(motion, subject.character.anatomy)
    still = replace(motion, positions=motion.positions * 0, rotations=motion.rotations[:1].repeat(120, 0))
    assert strides_in(still, subject.character.anatomy) == []

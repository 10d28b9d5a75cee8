"""Improvised motion: finite, the same for a seed, in the shares of a capture session, labelled, by any controller."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import canter
from canter import Character
from canter.anatomy import ground_track
from canter.anatomy.character_file import save_character
from canter.control.batch import BatchCommand
from canter.control.improvise import SHARES, TEACHING, Repertoire, told_labels
from canter.control.takes import Takes


@pytest.fixture(scope="module")
def dog() -> Character:
    return canter.load("dog")


@pytest.fixture(scope="module")
def improvised(dog: Character) -> Takes:
    return canter.improvise(dog, minutes=4, seed=3)


def test_it_is_as_long_as_asked_and_finite(improvised: Takes) -> None:
    assert sum(improvised.seconds.values()) == pytest.approx(240, rel=0.01)
    for take in improvised.takes:
        motion = take.motion
        assert len(motion) == len(take.gait) == len(take.contacts) == len(take.action)
        assert all(len(values) == len(motion) for values in take.commands.values())
        assert motion.frame_rate == 60
        assert np.isfinite(motion.positions).all()
        np.testing.assert_allclose(np.linalg.norm(motion.rotations, axis=-1), 1, atol=1e-4)


def test_it_has_the_shares_of_a_capture_session(improvised: Takes) -> None:
    seconds = improvised.seconds
    assert set(seconds) == set(SHARES)
    for name, wanted in SHARES.items():
        share = seconds[name] / sum(seconds.values())
        assert share == pytest.approx(wanted / sum(SHARES.values()), abs=0.08), name


def test_labels_are_what_is_told_and_gaits_what_is_shown(improvised: Takes) -> None:
    sit = improvised.actions.index("sit")
    told = np.concatenate([take.action == sit for take in improvised.takes])
    labelled = np.concatenate([take.shows("sit") for take in improvised.takes])
    shown = np.concatenate([take.gait == improvised.gaits.index("sit") for take in improvised.takes])
    np.testing.assert_array_equal(told, labelled)
    assert (told & shown).sum() > 0.5 * shown.sum() > 0
    assert (shown & ~told).any()  # while it gets up
    assert improvised.provenance["seed"] == 3


def test_a_teacher_enters_every_action_often_and_out_of_every_gait(dog: Character) -> None:
    takes = canter.improvise(dog, minutes=8, repertoire=TEACHING)
    for action in set(takes.actions) - {"idle"}:
        entries = sum(label.name == action for take in takes.takes for label in take.labels)
        assert entries >= 6, action
    gaits = np.concatenate([take.gait for take in takes.takes])
    shown = {takes.gaits[k]: np.mean(gaits == k) for k in np.unique(gaits)}
    assert not {"amble", "pace"} & set(shown)
    assert shown["gallop"] + shown.get("gallop right lead", 0.0) > 0.04
    rates = [np.diff(ground_track(take.motion, dog.anatomy).facings) * 60 for take in takes.takes]
    means = np.concatenate([np.convolve(rate, np.ones(60) / 60, "valid") for rate in rates])
    assert min((means > 0.3).mean(), (means < -0.3).mean()) > 0.05  # it circles both ways for a second and more
    before = {takes.gaits[take.gait[k - 1]] for take in takes.takes for k in np.flatnonzero(np.diff(take.action)) + 1}
    assert {"walk", "trot", "canter", "gallop", "stand"} <= before


def test_it_turns_both_ways_and_never_jumps(dog: Character, improvised: Takes) -> None:
    turns = []
    for motion in improvised.motions:
        turns.append(np.diff(ground_track(motion, dog.anatomy).facings) * 60)
        steps = np.linalg.norm(np.diff(motion.positions[:, 0].astype(np.float64), axis=0), axis=-1)
        assert steps.max() < 9 / 60
    every = np.concatenate(turns)
    assert (every > 0.3).mean() > 0.01
    assert (every < -0.3).mean() > 0.01


def test_a_seed_gives_the_same_frames_and_another_gives_others() -> None:
    animal = canter.load("example")
    first, again, other = (canter.improvise(animal, minutes=0.1, seed=seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(first.motions[0].rotations, again.motions[0].rotations)
    assert first.takes[0].labels == again.takes[0].labels
    assert not np.array_equal(first.motions[0].rotations, other.motions[0].rotations)


def test_shares_lengths_and_frame_rates_are_arguments(dog: Character) -> None:
    takes = canter.improvise(dog, minutes=1, frame_rate=30, repertoire=Repertoire({"locomotion": 1.0}), take_seconds=20)
    assert len(takes.takes) == 3
    assert takes.motions[0].frame_rate == 30
    assert set(takes.seconds) <= {"idle", "locomotion"}
    assert takes.seconds["locomotion"] > 45
    with pytest.raises(ValueError, match="idle or locomotion"):
        canter.improvise(dog, minutes=1, repertoire=Repertoire({"sit": 1.0}))


def test_it_drives_any_batch_controller() -> None:
    takes = canter.improvise(canter.load("example"), minutes=0.3, controller="clip")
    assert set(takes.seconds) <= {"idle", "locomotion"}
    with pytest.raises(ValueError, match="one animal at a time"):
        canter.improvise(canter.load("example"), minutes=5, controller="sung")


@pytest.mark.parametrize("minutes", [0, -1, float("nan"), float("inf"), 1e9])
def test_no_length_is_refused(minutes: float) -> None:
    with pytest.raises(ValueError, match="minutes"):
        canter.improvise(canter.load("example"), minutes=minutes)


def test_a_negative_seed_is_refused() -> None:
    with pytest.raises(ValueError, match="seed"):
        canter.improvise(canter.load("example"), minutes=1, seed=-1)


def test_a_file_and_another_size_improvise_as_well(tmp_path: Path, dog: Character) -> None:
    save_character(dog, tmp_path / "dog.canter")
    for animal in (canter.load(tmp_path / "dog.canter"), dog.scaled(0.4)):
        made = canter.improvise(animal, minutes=1.5, seed=2, frame_rate=30)
        assert set(made.actions) == {"idle", "sit", "lie", "upright", "jump"}
        assert made.seconds["sit"] > 2
        for motion in made.motions:
            feet = motion.position_world[:, animal.anatomy.feet, 1]
            assert feet.min() > -0.01 * animal.anatomy.hip_height
            assert motion.position_world[..., 1].max() < 3 * animal.anatomy.hip_height


def test_a_stand_is_known_by_any_name(tmp_path: Path, dog: Character) -> None:
    save_character(dog, tmp_path / "dog.canter")
    plain = canter.load(tmp_path / "dog.canter")
    stand = replace(plain.clip("stand"), motion=replace(plain.clip("stand").motion, name="Survey"))
    named = replace(plain, clips=(stand, *(clip for clip in plain.clips if clip.name != "stand")))
    assert canter.improvise(named, minutes=0.2).seconds == canter.improvise(plain, minutes=0.2).seconds


@pytest.mark.parametrize("count", [1, 2])
def test_what_is_told_whatever_the_facing(count: int) -> None:
    def told(speed: float, facing: float, yaw: float = 0.5, action: int = -1) -> int:
        command = BatchCommand(*(np.full(count, x) for x in (speed, 0.0, facing)), np.full(count, action), {})
        return int(told_labels(command, np.full(count, yaw))[0])

    assert told(0.0, math.nan) == told(0.0, 0.5) == told(0.0, math.inf) == told(0.0, 1.0, math.nan) == 0
    assert told(1.0, math.nan) == told(0.0, 1.0) == told(0.0, 0.5 + math.pi) == 1
    assert told(1.0, math.nan, action=2) == 4

"""The rows of the topic `cycles`: animals of strangers are found and measured, answers to commands are timed."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from canter.anatomy import understand
from canter.anatomy.join import by_skeleton
from canter.control import BatchCommand
from canter.control.registry import load
from canter.cycles.build.drivable import drivable
from canter.cycles.gaits.batch import BatchGaits
from canter.evaluation import Options
from canter.evaluation.cycles.figures import RATE, Ride, stride_seconds
from canter.evaluation.cycles.limbs import limb_rows, soles_off_ground, torn_hip_heights
from canter.evaluation.cycles.papers import run_to_jump
from canter.evaluation.cycles.response import delay_rows, response_rows
from canter.evaluation.cycles.strangers import own_faults, rows_of, stranger_rows, strangers
from canter.evaluation.report import Row
from canter.formats import read, write
from canter.synthetic import synthetic_person, synthetic_rig


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two takes of one animal, another animal beside them, and a person in a folder of its own."""
    place = tmp_path_factory.mktemp("recordings")
    (place / "animals").mkdir()
    (place / "people").mkdir()
    first = synthetic_rig(3).asset
    write(first, place / "animals" / "a.npz")
    shutil.copy(place / "animals" / "a.npz", place / "animals" / "b.npz")
    write(synthetic_rig(5).asset, place / "animals" / "c.npz")
    write(synthetic_person(1).asset, place / "people" / "d.npz")
    return place


def test_files_of_one_skeleton_are_one_animal(folder: Path) -> None:
    assets = [read(path) for path in sorted((folder / "animals").iterdir())]
    assert [[Path(a.source).name for a in group] for group in by_skeleton(assets)] == [["a.npz", "b.npz"], ["c.npz"]]


def test_strangers_are_found_wherever_they_lie(folder: Path) -> None:
    assert [title for title, _ in strangers(folder)] == ["animals/a.npz and 1 more", "animals/c.npz"]
    assert [title for title, _ in strangers(folder, quick=True)] == ["animals/a.npz and 1 more"]


def test_without_a_folder_the_rows_are_skipped() -> None:
    assert [row.status for row in stranger_rows(Options())] == ["skipped"]


def test_a_stranger_is_driven_and_measured() -> None:
    rows = {row.name.split(": ")[1].split(",")[0]: row for row in rows_of("it", load("example"))}
    assert set(rows) == {
        "builds and drives",
        "mean speed off the command",
        "heading off the command",
        "stance slip",
        "penetration",
        "soles off the ground",
        "feet off their legs",
    }
    assert {row.status for row in rows.values()} == {"met"}


@pytest.mark.parametrize("seed", [2, 6, 15])
def test_feet_that_hang_on_the_root_stay_at_their_legs(seed: int) -> None:
    """With ends of their own, without a joint between knee and foot, and with feet twice."""
    asset = synthetic_rig(seed, plain=seed != 15, detached_feet=True, more_clips=True, backward=False).asset
    rows = list(limb_rows("it", understand(asset)))
    assert [row.status for row in rows] == ["met", "met"]


def test_a_torn_foot_and_a_floating_sole_are_seen() -> None:
    character = understand(synthetic_rig(2, plain=True, detached_feet=True).asset)
    foot, motion = character.anatomy.legs[0].joints[-2], character.clips[0].motion
    positions = motion.positions.astype(np.float64)
    assert torn_hip_heights(character, positions, motion.rotations) < 1e-6
    positions[3, foot, 1] += 0.05 * character.anatomy.hip_height
    assert torn_hip_heights(character, positions, motion.rotations) == pytest.approx(0.05, abs=0.005)
    dog = load("dog")
    assert soles_off_ground(dog) < 0.01
    raised = replace(dog.skins[0], vertices=dog.skins[0].vertices + np.array([0.0, 0.02, 0.0]))
    assert soles_off_ground(replace(dog, skins=(raised,))) == pytest.approx(0.04, abs=0.005)


def test_one_that_cannot_be_built_is_missed() -> None:
    still = load("example")
    still = replace(still, clips=tuple(c for c in still.clips if c.footfalls.gait == "stand"))
    (row,) = rows_of("it", still)
    assert row.status == "missed"
    assert "no stride" in row.reason


def test_own_faults_are_those_of_the_source() -> None:
    """Of one whose clips were let into the ground: deep as they came, although the strides made of them are not."""
    character = load("example")
    sunk = []
    for clip in character.clips:
        positions = clip.motion.positions.copy()
        positions[:, character.skeleton.parents < 0, 1] -= 0.05
        sunk.append(replace(clip, motion=replace(clip.motion, positions=positions)))
    deep = replace(character, clips=tuple(sunk))
    percent = 100 / character.anatomy.hip_height
    assert own_faults(deep, drivable(deep)).depth > 0.03 * percent
    assert own_faults(character, drivable(character)).depth < 0.02 * percent


def test_animals_answer_on_the_next_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    turtle = load("turtle")
    speed, heading, arrived, _ = response_rows(turtle, quick=True)
    assert (speed.value, heading.value) == (1.0, 1.0)
    assert isinstance(arrived.value, float)
    assert 0.2 < arrived.value < 2.0
    step = BatchGaits.step

    def late(self: BatchGaits, command: BatchCommand) -> object:
        """A batch that hears every command three frames late."""
        heard = self.__dict__.setdefault("heard", [])
        heard.append(command)
        return step(self, heard[max(len(heard) - 4, 0)])

    monkeypatch.setattr(BatchGaits, "step", late)
    speed, heading, *_ = response_rows(turtle, quick=True)
    assert (speed.value, heading.value) == (4.0, 4.0)


def test_delays_of_the_papers_inform_only() -> None:
    rows: list[Row] = list(delay_rows("sung", load("turtle"), quick=True))
    assert {row.status for row in rows} == {""}
    assert all(isinstance(row.value, float) and 0 < row.value < 1.2 for row in rows)


def test_the_papers_table_has_its_dog() -> None:
    k, searched = run_to_jump(quick=True)
    assert k.status == ""
    assert isinstance(k.value, float)
    assert 0.5 < k.value < 1.0
    assert "Table 2: 22 s" in searched.name
    assert searched.status == "met"


def test_a_ride_knows_how_far_feet_stray() -> None:
    batch = BatchGaits(load("turtle"), 1)
    state = batch.reset()
    still = np.repeat(state.positions[None], 5, axis=0)
    still[2, :, batch.library.skeleton.parents < 0, 0] += 0.02
    turns = np.repeat(state.rotations[None], 5, axis=0)
    ones = np.ones((5, 1, 4), bool)
    flat = np.zeros((5, 1))
    made = Ride(batch.character, still, turns, ones, flat.astype(complex), flat, flat.astype(int))
    assert made.slip() == pytest.approx(0.02)
    assert stride_seconds(batch, batch.choice.slowest) > 1 / RATE

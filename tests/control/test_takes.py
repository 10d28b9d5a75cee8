"""Takes are written and read back bit by bit; damaged files are refused with a remedy."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import numpy as np
import pytest

import canter
from canter import FormatError, Goal
from canter.control import BatchCommand, make_batch
from canter.control.takes import Recorder, Takes, read_takes, write_takes
from canter.formats.labels import Label


@pytest.fixture(scope="module")
def takes() -> Takes:
    dog = canter.load("dog")
    batch = make_batch("gaits", dog, 2)
    recorder = Recorder(dog, batch.capabilities.actions, ["leg_phase"])
    for frame in range(40):
        command = BatchCommand.make(np.array([0.8, 0.0]), 0.2, action=np.array([-1, 1]))
        goal = Goal((1.0, 2.0), 0.5, "sit", seconds=frame / 60)
        command = BatchCommand(command.speed, command.heading, command.facing, command.action, {}, {1: goal})
        recorder.record(command, batch.step(command))
    labels = [[Label(0.0, 0.3, "walk"), Label(0.2, 0.6, "idle")], [Label(0.0, 0.6, "sit")]]
    return recorder.takes(60.0, labels, "ride", {"seed": 4})


def test_they_come_back_as_they_were(takes: Takes, tmp_path: Path) -> None:
    write_takes(takes, tmp_path / "dog.takes")
    back = read_takes(tmp_path / "dog.takes")
    assert (back.gaits, back.actions, back.provenance) == (takes.gaits, takes.actions, {"seed": 4})
    assert back.character.anatomy.hip_height == takes.character.anatomy.hip_height
    assert [leg.name for leg in back.character.anatomy.legs] == ["LF", "RF", "LH", "RH"]
    for one, other in zip(takes.takes, back.takes, strict=True):
        assert (one.name, one.labels) == (other.name, other.labels)
        np.testing.assert_array_equal(one.motion.positions, other.motion.positions)
        np.testing.assert_array_equal(one.contacts, other.contacts)
        np.testing.assert_array_equal(one.gait, other.gait)
        np.testing.assert_array_equal(one.goal_action, other.goal_action)
        np.testing.assert_array_equal(one.telemetry["leg_phase"], other.telemetry["leg_phase"])
        for name, values in one.commands.items():
            np.testing.assert_array_equal(values, other.commands[name])


def test_goals_are_kept(takes: Takes) -> None:
    one, other = takes.takes
    assert np.isnan(one.commands["goal_position"]).all()
    assert other.commands["goal_position"][3].tolist() == [1.0, 0.0, 2.0]
    assert other.commands["goal_seconds"][30] == pytest.approx(0.5)
    assert takes.actions[other.goal_action[0]] == "sit"


def test_labels_overlap_and_are_counted(takes: Takes) -> None:
    assert takes.seconds == pytest.approx({"walk": 0.3, "idle": 0.4, "sit": 0.6})
    shown = takes.takes[0].shows("walk") & takes.takes[0].shows("idle")
    assert shown.sum() == 6


@pytest.mark.parametrize("damage", ["gait", "shape", "labels", "cut", "missing"])
def test_damaged_takes_are_refused(takes: Takes, tmp_path: Path, damage: str) -> None:
    path = tmp_path / "dog.takes"
    write_takes(takes, path)
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    if damage == "gait":
        document = json.loads(members["character.json"])
        document["gaits"] = document["gaits"][:1]
        members["character.json"] = json.dumps(document).encode()
    elif damage == "shape":
        members["takes/000.contacts.npy"] = members["takes/000.gait.npy"]
    elif damage == "labels":
        members["takes/000.labels.csv"] = b"start,end,label\n0,oops,sit\n"
    elif damage == "missing":
        del members["takes/001.heading.npy"]
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    if damage == "cut":
        path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(FormatError):
        read_takes(path)

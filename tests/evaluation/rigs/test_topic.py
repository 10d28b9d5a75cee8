"""The topic `rigs`: passes without recordings, sees wrong detections, and holds on recordings where there are any."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from canter.anatomy import detect, understand
from canter.cli import main
from canter.evaluation import Report, evaluate
from canter.evaluation.rigs.topic import _against_names, _file_row, _implausible, agrees, files_in, reversed_asset
from canter.formats import write
from canter.motion import Asset
from canter.synthetic import example_animal, synthetic_rig

RIG = synthetic_rig(2, plain=True)
FOUND = detect(RIG.asset)


def test_without_recordings_it_passes_and_says_what_is_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the command of docs/commands.md: `canter evaluate rigs --quick`."""
    monkeypatch.delenv("CANTER_DATA", raising=False)
    reports: list[Report] = []
    steps: list[str] = []

    def listening(topic: str, quick: bool = False, **options: Any) -> Report:
        reports.append(evaluate(topic, quick, **{**options, "progress": steps.append}))
        return reports[-1]

    monkeypatch.setattr("canter.evaluation.evaluate", listening)
    with pytest.raises(SystemExit) as left:
        main(["evaluate", "rigs", "--quick"])
    assert not left.value.code
    (found,) = reports
    assert found.passed
    assert [row.status for row in found.rows].count("skipped") == 1
    assert sum(row.status == "met" for row in found.rows) >= 12
    assert sum("animal" in step for step in steps) == 60
    assert sum("folder" in step for step in steps) == 2


def test_agreement_needs_legs_order_and_facing() -> None:
    assert agrees(FOUND, RIG)
    names = RIG.asset.skeleton.names
    lf, rf, lh, rh = FOUND.legs
    assert not agrees(replace(FOUND, forward=-FOUND.forward), RIG)
    assert not agrees(replace(FOUND, up=-FOUND.up), RIG)
    assert not agrees(replace(FOUND, kind="biped"), RIG)
    exchanged = (replace(rf, name="LF"), replace(lf, name="RF"), lh, rh)
    assert not agrees(replace(FOUND, legs=exchanged), RIG)
    stump = replace(lf, joints=lf.joints[:2], foot=lf.joints[0])
    assert names[stump.foot] not in RIG.truth.feet["LF"]
    assert not agrees(replace(FOUND, legs=(stump, rf, lh, rh)), RIG)


def test_names_contradict_a_wrong_answer_only() -> None:
    asset = example_animal()
    found = detect(asset)
    assert _against_names(asset, found) == []
    lf, rf, lh, rh = found.legs
    wrong = replace(found, legs=(replace(lh, name="LF"), rf, replace(lf, name="LH"), rh))
    assert _against_names(asset, wrong) == ["LF, LH named otherwise"]
    assert "other" in _against_names(asset, replace(found, kind="other"))[0]


def test_speeds_that_no_legs_can_do_are_noticed() -> None:
    character = understand(example_animal())
    assert _implausible(character) == []
    walk = character.clips[0]
    racing = replace(walk, footfalls=replace(walk.footfalls, froude=50.0))
    assert "walk" in _implausible(replace(character, clips=(racing,)))[0]


def test_a_file_is_one_row(tmp_path: Path) -> None:
    write(example_animal(strides=3), tmp_path / "dog.glb")
    row = _file_row("folder", tmp_path / "dog.glb", [])
    assert (row.name, row.status) == ("folder/dog.glb", "met")
    assert "walk 0.72 m/s, trot 1.60 m/s, canter 2.90 m/s" in str(row.value)


def test_files_of_a_folder(tmp_path: Path) -> None:
    for name in ("a.bvh", "b.GLB", "t_pose.bvh", "notes.md", "dog_character.txt", "dog_motion.txt"):
        (tmp_path / name).touch()
    assert [p.name for p in files_in(tmp_path)] == ["a.bvh", "b.GLB", "dog_motion.txt"]
    assert len(files_in(tmp_path, quick=True, most=2)) == 2


def test_time_reversed_twice_is_itself() -> None:
    asset: Asset = RIG.asset
    once = reversed_asset(asset)
    np.testing.assert_array_equal(once.clips[0].positions[0], asset.clips[0].positions[-1])
    np.testing.assert_array_equal(reversed_asset(once).clips[0].positions, asset.clips[0].positions)


# Recordings --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def recorded() -> Report:
    if not os.environ.get("CANTER_DATA"):
        pytest.skip("CANTER_DATA is not set")
    return evaluate("rigs", quick=True)


@pytest.mark.data
@pytest.mark.parametrize("folder", ["dog", "dog/labelled", "fox", "zoo", "carl"])
def test_recorded_animals_are_understood(recorded: Report, folder: str) -> None:
    rows = [row for row in recorded.rows if row.name.rpartition("/")[0] == folder]
    assert rows
    assert [f"{row.name}: {row.reason}" for row in rows if row.status != "met"] == []


@pytest.mark.data
def test_contacts_of_the_captured_dog_are_those_labelled(recorded: Report) -> None:
    (row,) = [row for row in recorded.rows if "contacts that agree with the labels" in row.name]
    assert isinstance(row.value, float)
    assert row.value >= 92


@pytest.mark.data
def test_strides_of_the_captured_dog_lie_inside_their_bands(recorded: Report) -> None:
    rows = [row for row in recorded.rows if "median of" in row.name and row.status != "skipped"]
    assert len(rows) >= 8
    assert [f"{row.name}: {row.shown}, {row.goal}" for row in rows if row.status != "met"] == []


@pytest.mark.data
def test_recorded_people_have_two_legs(recorded: Report) -> None:
    rows = [row for row in recorded.rows if "people with two legs" in row.name]
    assert len(rows) == 3
    assert all(row.status == "met" for row in rows)

"""Changes to a built animal: what is renamed, dropped or turned is so in the next ride, and in the file."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from canter import Command, load
from canter.cycles.build.built import Built, Drivable
from canter.cycles.build.drivable import drivable
from canter.cycles.build.edit import Edit, as_action, as_gait, drop, edited, read_edit, rename, with_hip_height
from canter.cycles.build.file import read_drivable, save
from canter.cycles.build.rows import MADE
from canter.motion import forward


@pytest.fixture(scope="module")
def fox() -> Drivable:
    built = drivable(load("example"), model=load("dog")).character  # type: ignore[arg-type]
    assert isinstance(built, Drivable)
    return built


def gaits(character: Drivable) -> dict[str, tuple[float, float]]:
    return dict(character.controller("gaits").capabilities.gaits)


def ride(character: Drivable, seconds: float = 4.0, **command: Any) -> list[Any]:
    controller = character.controller("gaits")
    return [controller.step(Command(**command)) for _ in range(round(60 * seconds))]


def joint_speed(states: list[Any]) -> float:
    """The greatest speed of a joint in m/s."""
    poses = [state.pose for state in states]
    places = np.array([forward(pose.skeleton, pose.positions, pose.rotations)[0] for pose in poses])
    return float(60 * np.linalg.norm(np.diff(places, axis=0), axis=-1).max())


def test_a_renamed_gait_is_taken_at_the_same_speeds(fox: Drivable, tmp_path: Path) -> None:
    jogging = rename(fox, "trot", "fox jog")
    before, after = gaits(fox), gaits(jogging)
    assert "trot" not in after
    assert after["fox jog"] == pytest.approx(before["trot"])
    assert ride(jogging, speed=sum(after["fox jog"]) / 2)[-1].gait == "fox jog"
    save(Built(jogging), tmp_path / "fox.canter", {})
    read = gaits(read_drivable(tmp_path / "fox.canter"))  # type: ignore[arg-type]
    assert read["fox jog"] == pytest.approx(after["fox jog"])
    assert gaits(rename(jogging, "fox jog", "trot")) == before
    for wrong in ("", "x" * 100, "walk", "a\nb"):
        with pytest.raises(ValueError, match=r"name has|another"):
            rename(fox, "trot", wrong)


def test_a_dropped_gait_is_not_taken(fox: Drivable) -> None:
    less = drop(fox, "trot")
    assert "trot" not in gaits(less)
    assert {state.gait for state in ride(less, speed=sum(gaits(fox)["trot"]) / 2)} <= {"stand", "walk", "canter"}
    for name in [name for name in gaits(fox) if name != "walk"]:
        fox = drop(fox, name)
    with pytest.raises(ValueError, match="only gait"):
        drop(fox, "walk")
    with pytest.raises(ValueError, match="stands"):
        drop(fox, next(row.cycle.name for row in fox.rows if row.cycle.stands))


def test_a_gait_becomes_an_action_and_a_gait_again(fox: Drivable, tmp_path: Path) -> None:
    acting = as_action(fox, "gallop")
    save(Built(acting), tmp_path / "fox.canter", {})
    acting = read_drivable(tmp_path / "fox.canter")  # type: ignore[assignment]
    controller = acting.controller("gaits")
    assert "gallop" in controller.capabilities.actions
    assert "gallop" not in controller.capabilities.gaits
    states = ride(acting, action="gallop")
    assert "gallop" in {state.gait for state in states}
    assert states[-1].gait == "stand"
    gallops = ride(fox, speed=gaits(fox)["gallop"][1] * 0.9, seconds=6)[-90:]
    assert joint_speed(states) < 1.3 * joint_speed(gallops)  # no joint is thrown where it begins and ends
    again = as_gait(acting, "gallop")
    assert {row.cycle.name: row.cycle.gait for row in again.rows}["gallop"] == "gallop"
    before, after = gaits(fox)["gallop"], gaits(again)["gallop"]
    assert after == pytest.approx(before, rel=0.02)
    assert ride(again, speed=gaits(again)["gallop"][1] * 0.95, seconds=8)[-1].gait == "gallop"
    assert "gallop" not in again.controller("gaits").capabilities.actions
    with pytest.raises(ValueError, match="already"):
        as_gait(again, "gallop")
    with pytest.raises(ValueError, match="no gait is called"):
        as_action(fox, "flight")


def test_what_stays_in_place_is_no_gait(fox: Drivable) -> None:
    stands = [row.cycle.name for row in fox.rows if row.cycle.stands]
    with pytest.raises(ValueError, match="stands"):
        as_action(fox, stands[0])


def test_a_given_height_is_no_guess(fox: Drivable) -> None:
    large = with_hip_height(fox, 2.0)
    assert large.anatomy.hip_height == pytest.approx(2.0)
    assert large.transform.scale_known
    grown = 2.0 / fox.anatomy.hip_height
    before, after = ({row.cycle.name: row for row in one.rows} for one in (fox, large))
    for name, row in after.items():
        was, pace = before[name].cycle, math.sqrt(grown) if row.taken.how == MADE else 1.0
        assert row.cycle.seconds == pytest.approx(was.seconds * pace)  # a recording keeps its times
        assert row.cycle.speed == pytest.approx(was.speed * grown / pace)
        assert row.taken.clip.motion.seconds == pytest.approx(before[name].taken.clip.motion.seconds * pace)
        assert row.taken.clip is large.clip(name)
    assert {row.taken.how == MADE for row in large.rows} == {True, False}
    assert [row.cycle.speed for row in large.rows] == sorted(row.cycle.speed for row in large.rows)
    with pytest.raises(ValueError, match="from 0"):
        with_hip_height(fox, 1000.0)


def test_edits_as_tables(fox: Drivable) -> None:
    for edit in (
        Edit("rename", "trot", "jog"),
        Edit("drop", "trot"),
        Edit("action", "trot"),
        Edit("hip_height", metres=1),
    ):
        assert read_edit(edit.to_table()).to_table() == edit.to_table()
        assert isinstance(edited(fox, edit), Drivable)
    for wrong in ({}, {"do": "fly"}, {"do": "drop"}, {"do": "rename", "gait": 3}, {"do": "hip_height", "metres": "2"}):
        with pytest.raises(ValueError, match="`"):
            read_edit(wrong)

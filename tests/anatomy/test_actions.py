"""Actions of any character: kept in `.canter` files, refused where damaged, and offered from strangers' clips."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import canter
from canter import Character, Clip, FormatError
from canter.anatomy import actions_of
from canter.anatomy.character_file import save_character
from canter.animals.animal import Animal
from canter.motion import rotations as rot
from canter.motion.edits import transform


@lru_cache
def dog() -> Animal:
    found = canter.load("dog")
    assert isinstance(found, Animal)
    return found


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("kept") / "dog.canter"
    save_character(dog(), path)
    return path


def changed(file: Path, path: Path, change: Callable[[dict[str, Any]], object]) -> Path:
    """The file with another document."""
    with zipfile.ZipFile(file) as old, zipfile.ZipFile(path, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            if name == "character.json":
                document = json.load(io.BytesIO(content))
                change(document)
                content = json.dumps(document).encode()
            new.writestr(name, content)
    return path


def clip_row(document: dict[str, Any], name: str) -> dict[str, Any]:
    row: dict[str, Any] = next(row for row in document["clips"] if row["name"] == name)
    return row


# Kept --------------------------------------------------------------------------------------------


def test_actions_come_back_with_their_frames(file: Path) -> None:
    kept = canter.load(file)
    assert [action.name for action in kept.actions] == ["idle", "sit", "lie", "upright", "jump"]
    for action in kept.actions:
        own = dog().action(action.name)
        assert (action.enter, action.hold, action.leave) == (own.enter, own.hold, own.leave)
        np.testing.assert_array_equal(action.contacts, own.contacts)
        np.testing.assert_allclose(action.motion.positions, own.motion.positions, atol=1e-6)
    assert list(actions_of(kept)) == [action.name for action in kept.actions]
    with pytest.raises(KeyError, match="no action is called 'fly'; there are idle, sit"):
        kept.action("fly")


def test_a_kept_action_is_performed(file: Path) -> None:
    controller = canter.load(file).controller("gaits")
    assert controller.capabilities.actions == ("idle", "sit", "lie", "upright", "jump")
    states = [controller.step(canter.Command(action="sit")) for _ in range(240)]
    assert states[-1].gait == "sit"
    pelvis = dog().anatomy.spine[0]
    assert states[-1].pose.positions[pelvis, 1] < 0.75 * states[0].pose.positions[pelvis, 1]


def test_they_survive_a_build_in_another_size(tmp_path: Path) -> None:
    from canter.cycles.build.build_file import build_file

    path, _ = build_file(["dog"], target=tmp_path / "large.canter", size=1.7)
    assert list(actions_of(canter.load(path))) == ["idle", "sit", "lie", "upright", "jump"]
    sit, own = canter.load(path).action("sit"), dog().scaled(1.7).action("sit")
    assert sit.hold == own.hold
    assert sit.motion.seconds == pytest.approx(np.sqrt(1.7) * dog().action("sit").motion.seconds, rel=0.01)
    np.testing.assert_allclose(sit.motion.positions, own.motion.positions, atol=1e-5)


def test_a_file_without_actions_still_loads(file: Path, tmp_path: Path) -> None:
    def forget(document: dict[str, Any]) -> None:
        for row in document["clips"]:
            row.pop("action", None)

    old = canter.load(changed(file, tmp_path / "old.canter", forget))
    assert len(old.actions) == 0
    assert actions_of(old)["sit"].hold is None


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("enter", [0]),
        ("enter", [5, 2]),
        ("enter", None),
        ("leave", [0, 10**9]),
        ("leave", ["0", "1"]),
        ("leave", [-1, 3]),
        ("hold", [7, 7]),
        ("hold", {"first": 1}),
        ("hold", [True, False]),
    ],
)
def test_wrong_frames_are_refused(file: Path, tmp_path: Path, name: str, wrong: object) -> None:
    def spoil(document: dict[str, Any]) -> None:
        clip_row(document, "sit")["action"][name] = wrong

    with pytest.raises(FormatError, match=f"action: {name}"):
        canter.load(changed(file, tmp_path / "wrong.canter", spoil))


def test_an_action_that_is_no_object_is_refused(file: Path, tmp_path: Path) -> None:
    def spoil(document: dict[str, Any]) -> None:
        clip_row(document, "sit")["action"] = "sit"

    with pytest.raises(FormatError, match="no object"):
        canter.load(changed(file, tmp_path / "wrong.canter", spoil))


# Offered -----------------------------------------------------------------------------------------


def stranger(*clips: Clip) -> Character:
    """Somebody's character, of which nothing is told."""
    ours = dog()
    return Character(
        "stranger", ours.skeleton, ours.anatomy, (ours.clip("stand"), ours.clip("walk"), *clips), ours.transform
    )


def test_clips_that_begin_and_end_in_standing_are_offered() -> None:
    found = actions_of(stranger(dog().clip("jump"), dog().clip("sit")))
    assert list(found) == ["jump", "sit"]
    assert found["jump"].hold is None
    assert found["jump"].motion is dog().clip("jump").motion


def test_others_are_not() -> None:
    jump, lie = dog().clip("jump"), dog().clip("lie")
    falls = replace(
        lie, motion=lie.motion[:150], footfalls=replace(lie.footfalls, contacts=lie.footfalls.contacts[:150])
    )
    around = rot.yaw(np.linspace(0, 1.5, len(jump.motion)))
    turns = replace(jump, motion=transform(jump.motion, rotation=around))
    slow = replace(jump, motion=replace(jump.motion, frame_rate=2.0))
    for clip in (falls, turns, slow):
        assert list(actions_of(stranger(clip))) == []
    alone = replace(stranger(jump), clips=(dog().clip("walk"), jump))
    assert list(actions_of(alone)) == []
    assert list(actions_of(canter.load("example"))) == []

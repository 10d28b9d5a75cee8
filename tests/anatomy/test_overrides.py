"""Corrections by TOML: what canter writes it reads, what is wrong in them is named."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from canter.anatomy import LEGS, detect, load_character
from canter.anatomy.overrides import apply_overrides, overrides_beside, overrides_path, overrides_text
from canter.formats import FormatError, write
from canter.synthetic import synthetic_other, synthetic_rig

from .animals import example

FOUND = detect(example())
NAMES = example().skeleton.names


@pytest.mark.parametrize("seed", [0, 4, 9])
def test_what_is_written_is_read_back(seed: int) -> None:
    asset = synthetic_rig(seed).asset
    found = detect(asset)
    table = tomllib.loads(overrides_text(found, asset.skeleton))
    back = apply_overrides(found, asset, table)
    assert back.legs == found.legs
    assert (back.head, back.tail, back.kind) == (found.head, found.tail, "quadruped")
    np.testing.assert_allclose(back.up, found.up)
    np.testing.assert_allclose(back.forward, found.forward, atol=1e-5)
    assert back.hip_height == pytest.approx(found.hip_height, rel=1e-4)
    assert back.confidence == 1


def test_odd_names_survive() -> None:
    odd = ('say "hip"', "back\\slash", "tab\t", "line\n", "Bär", "骨", "🐎 hip", "\x00\x1f\x7f\x9f", "\U000e0001")
    skeleton = replace(example().skeleton, names=odd + NAMES[len(odd) :])
    table = tomllib.loads(overrides_text(replace(FOUND, tail=tuple(range(len(odd)))), skeleton))
    assert tuple(table["tail"]) == odd


def test_what_was_not_understood_is_left_to_be_filled_in() -> None:
    asset = synthetic_other(0).asset
    text = overrides_text(detect(asset), asset.skeleton)
    assert "# LF = []" in text
    assert tomllib.loads(text)["legs"] == {}
    assert "nan" not in text


@pytest.mark.parametrize("kind", ["biped", "other"])
def test_what_has_no_four_legs_is_read_back_as_well(kind: str) -> None:
    asset = synthetic_rig(1, kind=kind).asset
    found = detect(asset)
    back = apply_overrides(found, asset, tomllib.loads(overrides_text(found, asset.skeleton)))
    assert (back.kind, back.legs) == (kind, found.legs)


def test_nothing_said_changes_nothing() -> None:
    assert apply_overrides(FOUND, example(), {}) is FOUND


def test_legs_exchanged_by_hand() -> None:
    legs = {leg.name: [NAMES[j] for j in leg.joints] for leg in FOUND.legs}
    swapped = {"LF": legs["RF"], "RF": legs["LF"]}
    back = apply_overrides(FOUND, example(), {"legs": swapped})
    assert back.leg("LF").joints == FOUND.leg("RF").joints
    assert back.leg("LH") == FOUND.leg("LH")
    np.testing.assert_array_equal(back.mirror, FOUND.mirror)
    assert back.hip_height == pytest.approx(FOUND.hip_height, rel=0.1)


@pytest.mark.parametrize(
    ("axes", "was"),
    [
        ({"forward": [0, 0, -1]}, ("RH", "LH", "RF", "LF")),
        ({"up": [0, -1, 0]}, ("RF", "LF", "RH", "LH")),
        ({"up": [0, -1, 0], "forward": [0, 0, -1]}, ("LH", "RH", "LF", "RF")),
        ({"forward": [0.1, 0, 1]}, LEGS),
    ],
)
def test_other_axes_rename_the_legs(axes: dict[str, object], was: tuple[str, ...]) -> None:
    back = apply_overrides(FOUND, example(), {**axes, "hip_height": 0.5})
    assert [leg.name for leg in back.legs] == list(LEGS)
    assert [leg.joints for leg in back.legs] == [FOUND.leg(name).joints for name in was]
    np.testing.assert_array_equal(back.mirror, FOUND.mirror)
    assert (back.head is None) == (was[0][1] == "H")


def test_forward_is_made_square_to_up() -> None:
    back = apply_overrides(FOUND, example(), {"forward": [0, 3, -4]})
    np.testing.assert_allclose(back.forward, [0, 0, -1])


def test_head_and_tail() -> None:
    back = apply_overrides(FOUND, example(), {"head": "Tail3", "tail": ["Head"]})
    assert back.head == NAMES.index("Tail3")
    assert back.tail == (NAMES.index("Head"),)


@pytest.mark.parametrize(
    ("table", "where", "words"),
    [
        ({"wings": 2}, "wings", "no such entry"),
        ({"up": [0, 0, 0]}, "up", "no direction"),
        ({"up": [0, 1]}, "up", "no direction"),
        ({"up": "y"}, "up", "no list"),
        ({"up": [0, "a", 0]}, "up", "no number"),
        ({"forward": [0, 1, 0]}, "forward", "along up"),
        ({"hip_height": True}, "hip_height", "no number"),
        ({"hip_height": float("nan")}, "hip_height", "no number"),
        ({"head": "Kopf"}, "head", "Kopf"),
        ({"head": ["Head"]}, "head", "no joint"),
        ({"tail": "Tail0"}, "tail", "no list"),
        ({"legs": []}, "legs", "LF, RF, LH and RH"),
        ({"legs": {"L": ["Head"]}}, "legs", "LF, RF, LH and RH"),
        ({"legs": {"LF": []}}, "legs.LF", "empty"),
        ({"legs": {"LF": ["Huf"]}}, "legs.LF", "Huf"),
    ],
)
def test_mistakes_are_named(table: dict[str, object], where: str, words: str) -> None:
    asset = replace(example(), source="somewhere/dog.bvh")
    with pytest.raises(FormatError, match=words) as caught:
        apply_overrides(FOUND, asset, table)
    assert where in caught.value.where
    assert caught.value.path.endswith("dog.anatomy.toml")
    assert caught.value.remedy


def test_three_legs_are_not_enough() -> None:
    asset = synthetic_other(0).asset
    name = asset.skeleton.names[0]
    with pytest.raises(FormatError, match="RH is missing"):
        apply_overrides(detect(asset), asset, {"legs": {leg: [name] for leg in ("LF", "RF", "LH")}})


def test_the_file_beside_the_clip(tmp_path: Path) -> None:
    path = tmp_path / "dog.glb"
    write(example(), path)
    assert overrides_beside(path) == {}
    assert overrides_path(path) == tmp_path / "dog.anatomy.toml"
    overrides_path(path).write_text("forward = [0, 0, -1]\n")
    assert load_character(path).clip("walk").footfalls.gait == "backward"
    overrides_path(path).write_text("forward = [0, 0\n")
    with pytest.raises(FormatError, match=r"dog\.anatomy\.toml"):
        load_character(path)
    overrides_path(path).write_bytes(b"\xff\xfe")
    with pytest.raises(FormatError, match=r"dog\.anatomy\.toml"):
        load_character(path)
    overrides_path(path).write_text("#" * (1 << 20) + "#")
    with pytest.raises(FormatError, match="larger"):
        load_character(path)

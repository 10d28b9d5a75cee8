"""What holds for every format: dispatch by suffix, clear errors, npz and DeepMimic."""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from canter.formats import READERS, FormatError, read, write
from canter.motion import rotations as rot

from .samples import random_asset, worst_distance


def test_missing_folder_empty_and_unknown(tmp_path: Path) -> None:
    (tmp_path / "folder.bvh").mkdir()
    (tmp_path / "empty.glb").touch()
    (tmp_path / "notes.doc").write_text("x")
    for name, says in (
        ("absent.bvh", "No such file"),
        ("folder.bvh", "folder"),
        ("empty.glb", "empty"),
        ("notes.doc", "Readable are .bvh, .glb"),
        ("noending", "Readable are"),
    ):
        with pytest.raises(FormatError, match=says) as caught:
            read(tmp_path / name)
        assert name in str(caught.value)
    with pytest.raises(FormatError, match=r"Writable are \.bvh"):
        write(random_asset(0), tmp_path / "x.fbx")


def test_no_folder_to_write_to(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="folder that exists"):
        write(random_asset(0), tmp_path / "absent" / "clip.glb")


def test_suffixes_in_capitals_and_source(tmp_path: Path) -> None:
    write(random_asset(0), tmp_path / "CLIP.BVH")
    assert read(str(tmp_path / "CLIP.BVH")).source == str(tmp_path / "CLIP.BVH")


@pytest.mark.parametrize("suffix", sorted(READERS))
def test_nonsense_is_refused(tmp_path: Path, suffix: str) -> None:
    for data in (b"\0", b"nonsense", b"{}", b"[]", b"null", b"glTF", b"PK\x03\x04", b"\xff\xfe\xff", b"{" * 100_000):
        (tmp_path / f"x{suffix}").write_bytes(data)
        with pytest.raises(FormatError):
            read(tmp_path / f"x{suffix}")


@settings(max_examples=20)
@given(seed=st.integers(0, 10**6), joints=st.integers(1, 12), frames=st.integers(1, 6))
def test_npz_round_trip(tmp_path_factory: pytest.TempPathFactory, seed: int, joints: int, frames: int) -> None:
    asset = random_asset(seed, joints, frames, 29.97)
    file = tmp_path_factory.mktemp("npz") / "clip.npz"
    write(asset, file)
    again = read(file)
    assert again.skeleton.names == asset.skeleton.names
    assert again.clips[0].frame_rate == 29.97
    assert worst_distance(asset, again) < 1e-5


def npz(folder: Path, **changes: Any) -> Path:
    frames = {
        "names": np.array(["root", "tip"]),
        "parents": np.array([-1, 0]),
        "positions": np.tile([[0.0, 1, 0], [0, 2, 0]], (3, 1, 1)),
        "rotations": np.tile([2.0, 0, 0, 0], (3, 2, 1)),
        "fps": np.array(60),
    }
    kept = {key: value for key, value in (frames | changes).items() if value is not None}
    np.savez(folder / "clip.npz", **kept)
    return folder / "clip.npz"


def test_npz_synonyms(tmp_path: Path) -> None:
    asset = read(npz(tmp_path))
    assert asset.skeleton.names == ("root", "tip")
    assert asset.clips[0].frame_rate == 60
    np.testing.assert_allclose(asset.skeleton.offsets, [[0, 0, 0], [0, 1, 0]])
    np.testing.assert_allclose(asset.clips[0].rotations, np.tile(rot.IDENTITY, (3, 2, 1)))


@pytest.mark.parametrize(
    "changes",
    [
        {"parents": np.array([-1, 1])},
        {"parents": np.array([-1, -2])},
        {"parents": np.array([-1.0, 0.0])},
        {"parents": np.array([-1])},
        {"positions": None},
        {"positions": np.full((3, 2, 3), np.nan)},
        {"positions": np.zeros((3, 2, 3), complex)},
        {"positions": np.array([None] * 3)},
        {"positions": np.zeros((0, 2, 3)), "rotations": np.zeros((0, 2, 4))},
        {"rotations": np.zeros((2, 2, 4))},
        {"names": np.array(["root"])},
        {"names": np.array([{}, {}])},
        {"fps": np.array(0)},
        {"fps": np.array([1, 2])},
        {"fps": np.array(np.inf)},
    ],
)
def test_npz_that_does_not_fit(tmp_path: Path, changes: dict[str, Any]) -> None:
    with pytest.raises(FormatError) as caught:
        read(npz(tmp_path, **changes))
    assert caught.value.remedy


def test_npz_that_promises_too_much_is_not_inflated(tmp_path: Path) -> None:
    file = npz(tmp_path, positions=None)
    with zipfile.ZipFile(file, "a", zipfile.ZIP_DEFLATED) as archive:
        head = io.BytesIO()
        shape = (10**9, 2, 3)
        np.lib.format.write_array_header_1_0(head, {"descr": "<f8", "fortran_order": False, "shape": shape})
        archive.writestr("positions.npy", head.getvalue() + bytes(1000))
    with pytest.raises(FormatError, match="not read"):
        read(file)


def character(**joint: Any) -> dict[str, Any]:
    def item(name: str, kind: str, parent: int, x: float, **more: Any) -> dict[str, Any]:
        return {"Name": name, "Type": kind, "Parent": parent, "AttachX": x, "AttachY": 0, "AttachZ": 0} | more

    knee = item("knee", "revolute", 1, 2, AttachThetaZ=0.5) | joint
    joints = [item("root", "none", -1, 0), item("hip", "spherical", 0, 1), knee, item("toe", "fixed", 2, 3)]
    return {"Skeleton": {"Joints": joints}}


def deepmimic(folder: Path, frames: Any = None, **joint: Any) -> Path:
    turn = [np.cos(0.3), 0, 0, np.sin(0.3)]
    frame = [0.016667, 1, 2, 3, 1, 0, 0, 0, *turn, 0.25]
    (folder / "dog.json").write_text(json.dumps(character(**joint)))
    (folder / "walk.txt").write_text(json.dumps({"Loop": "wrap", "Frames": [frame] * 4 if frames is None else frames}))
    return folder / "walk.txt"


def test_deepmimic_finds_its_character(tmp_path: Path) -> None:
    asset = read(deepmimic(tmp_path))
    clip = asset.clips[0]
    assert asset.skeleton.names == ("root", "hip", "knee", "toe")
    assert asset.skeleton.end_sites.tolist() == [False, False, False, True]
    assert clip.frame_rate == 60
    assert asset.metres_per_unit == 1
    turns = 0.6, 0.6 + 0.5 + 0.25
    knee = np.array([2 + 2 * np.cos(turns[0]), 2 + 2 * np.sin(turns[0]), 3])
    toe = knee + 3 * np.array([np.cos(turns[1]), np.sin(turns[1]), 0])
    np.testing.assert_allclose(clip.position_world[0], [[1, 2, 3], [2, 2, 3], knee, toe], atol=1e-9)
    assert len(read(tmp_path / "dog.json").skeleton) == 4


def test_deepmimic_with_unequal_durations_is_resampled(tmp_path: Path) -> None:
    row = [1, 0, 0, 0, 1, 0, 0, 0, 0]
    frames = [[d, x, 0, 0, *row] for d, x in ((0.1, 0), (0.1, 1), (0.2, 2), (0.1, 4), (0.1, 5), (0, 6))]
    clip = read(deepmimic(tmp_path, frames)).clips[0]
    assert clip.frame_rate == 10
    np.testing.assert_allclose(clip.positions[:, 0, 0], np.arange(7), atol=1e-9)


def test_deepmimic_without_or_with_several_characters(tmp_path: Path) -> None:
    file = deepmimic(tmp_path)
    (tmp_path / "wolf.json").write_text(json.dumps(character()))
    with pytest.raises(FormatError, match=r"several characters.*dog\.json, wolf\.json"):
        read(file)
    assert read(file, character=tmp_path / "wolf.json").clips
    (tmp_path / "dog.json").unlink()
    (tmp_path / "wolf.json").unlink()
    with pytest.raises(FormatError, match="12 degrees of freedom"):
        read(file)


@pytest.mark.parametrize(
    "joint",
    [{"Type": "planar"}, {"Type": "none"}, {"Parent": 3}, {"Parent": "x"}, {"AttachX": "x"}, {"AttachX": 1e999}],
)
def test_deepmimic_characters_that_are_refused(tmp_path: Path, joint: dict[str, Any]) -> None:
    deepmimic(tmp_path, **joint)
    with pytest.raises(FormatError, match="joint 2"):
        read(tmp_path / "dog.json")


@pytest.mark.parametrize("frames", [[], [[]], [[0.1, 2], [1]], [["a"] * 13], [[None] * 13], [[-1.0] * 13] * 2, 7, [7]])
def test_deepmimic_frames_that_are_refused(tmp_path: Path, frames: Any) -> None:
    with pytest.raises(FormatError):
        read(deepmimic(tmp_path, frames))


def test_clips_of_another_skeleton_are_not_written(tmp_path: Path) -> None:
    asset = replace(random_asset(1, 3), clips=random_asset(1, 4).clips)
    with pytest.raises(FormatError, match="another skeleton"):
        write(asset, tmp_path / "x.glb")

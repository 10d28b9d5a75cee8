"""BVH as exporters write it, and back again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from canter.formats import FormatError, read, write
from canter.formats.files import snap_rate
from canter.motion import rotations as rot
from canter.motion.skeleton import Asset

from .samples import random_asset, worst_distance

PLAIN = """HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Leg
  {
    OFFSET 1 -2 0.5
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 -3 0
    }
  }
}
MOTION
Frames: 2
Frame Time: 0.0083333
1 2 3 10 20 30 40 50 60
4 5 6 70 80 90 15 25 35
"""


def load(folder: Path, text: str | bytes) -> Asset:
    file = folder / "clip.bvh"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read(file)


def test_reads_names_tree_places_and_turns(tmp_path: Path) -> None:
    asset = load(tmp_path, PLAIN)
    clip = asset.clips[0]
    assert asset.skeleton.names == ("Hips", "Leg", "Leg_end")
    assert asset.skeleton.parents.tolist() == [-1, 0, 1]
    assert asset.skeleton.end_sites.tolist() == [False, False, True]
    assert clip.frame_rate == 120
    assert clip.name == "clip"
    assert asset.metres_per_unit is None
    np.testing.assert_allclose(clip.positions[1], [[4, 5, 6], [1, -2, 0.5], [0, -3, 0]])
    np.testing.assert_allclose(clip.rotations[0, 1], rot.from_euler(np.radians([40.0, 50, 60]), "zxy"))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("\n", "\r\n"),
        ("\n", "\r"),
        ("  ", "\t"),
        ("HIERARCHY", "\ufeffHIERARCHY"),
        ("Hips\n{", "Hips {"),
        ("Leg\n  {", "Leg {"),
        ("Frames: 2", "FRAMES:2"),
        ("Frames: 2", "Frames :\t2 "),
        ("Frame Time: 0.0083333", "frame time :8.33333e-3"),
        ("4 5 6 70", "4.0e0 +5 .6E1 7e+1"),
        ("1 2 3 10", "1, 2, 3, 10"),
        ("1 2 3 10 ", "1 2 3 10\n"),
        ("4 5 6 70 80 90 15 25 35\n", "4 5 6 70 80 90 15 25 35"),
        ("15 25 35\n", "15 25 35\n\n  \n"),
        ("End Site", "End Site Tip"),
        ("OFFSET 0 0 0\n  CHANNELS", "OFFSET 0 0 0 CHANNELS"),
        ("HIERARCHY\nROOT", "HIERARCHY ROOT"),
        ("MOTION", "  Motion "),
    ],
)
def test_spellings_of_exporters(tmp_path: Path, old: str, new: str) -> None:
    assert old in PLAIN
    plain, other = load(tmp_path, PLAIN).clips[0], load(tmp_path, PLAIN.replace(old, new)).clips[0]
    assert other.frame_rate == 120
    np.testing.assert_allclose(other.position_world, plain.position_world)


def test_utf16_is_read(tmp_path: Path) -> None:
    assert load(tmp_path, PLAIN.encode("utf-16")).skeleton.names[0] == "Hips"


def test_any_channel_order_and_fewer_channels(tmp_path: Path) -> None:
    text = PLAIN.replace("CHANNELS 3 Zrotation Xrotation Yrotation", "CHANNELS 2 Yrotation Xrotation")
    text = text.replace("40 50 60", "40 50").replace("15 25 35", "15 25")
    text = text.replace("Xposition Yposition Zposition Zrotation", "Zrotation Zposition Xposition Yposition")
    clip = load(tmp_path, text).clips[0]
    np.testing.assert_allclose(clip.positions[0, 0], [3, 10, 2])
    np.testing.assert_allclose(clip.rotations[0, 0], rot.from_euler(np.radians([1.0, 20, 30]), "zxy"))
    np.testing.assert_allclose(clip.rotations[0, 1], rot.from_euler(np.radians([40.0, 50]), "yx"))


def test_position_channels_of_inner_joints_replace_the_offset(tmp_path: Path) -> None:
    text = PLAIN.replace("CHANNELS 3 Zrotation Xrotation Yrotation", "CHANNELS 2 Yposition Zrotation")
    clip = load(tmp_path, text.replace("40 50 60", "-7 50").replace("15 25 35", "-8 25")).clips[0]
    np.testing.assert_allclose(clip.positions[:, 1], [[1, -7, 0.5], [1, -8, 0.5]])


def test_positions_near_zero_are_added_to_the_offsets(tmp_path: Path) -> None:
    asset = random_asset(4, 6, 3)
    write(asset, tmp_path / "clip.bvh")
    lines = (tmp_path / "clip.bvh").read_text().replace("CHANNELS 3 ", "CHANNELS 6 Xposition Yposition Zposition ")
    head = lines.split("Frames")[0]
    channels = 6 * head.count("CHANNELS")
    again = load(tmp_path, f"{head}Frames: 1\nFrame Time: 0.1\n{'0 ' * channels}\n")
    inner = again.skeleton.parents >= 0
    np.testing.assert_allclose(again.clips[0].positions[0][inner], again.skeleton.offsets[inner])
    assert "near zero" in again.notes[0]


def test_empty_and_missing_end_sites(tmp_path: Path) -> None:
    assert len(load(tmp_path, PLAIN.replace("OFFSET 0 -3 0", "OFFSET 0 0 0")).skeleton) == 2
    start, end = PLAIN.index("    End Site"), PLAIN.index("  }\n}\nMOTION")
    assert load(tmp_path, PLAIN[:start] + PLAIN[end:]).skeleton.names == ("Hips", "Leg")


def test_several_roots_and_names_with_spaces(tmp_path: Path) -> None:
    second = "ROOT left hand prop\n{\nOFFSET 9 9 9\nCHANNELS 3 Xposition Yposition Zposition\n}\nMOTION"
    text = PLAIN.replace("MOTION", second).replace("50 60\n", "50 60 1 1 1\n").replace("25 35\n", "25 35 2 2 2\n")
    asset = load(tmp_path, text)
    assert asset.skeleton.names[-1] == "left hand prop"
    assert asset.skeleton.parents.tolist() == [-1, 0, 1, -1]
    np.testing.assert_allclose(asset.clips[0].positions[:, 3], [[1, 1, 1], [2, 2, 2]])


def test_only_a_hierarchy_is_a_skeleton(tmp_path: Path) -> None:
    asset = load(tmp_path, PLAIN.split("MOTION")[0])
    assert len(asset.skeleton) == 3
    assert not asset.clips
    assert asset.notes


def test_rows_beyond_the_promise_are_noted(tmp_path: Path) -> None:
    asset = load(tmp_path, PLAIN + "1 2 3 10 20 30 40 50 60\n")
    assert len(asset.clips[0]) == 2
    assert "1 rows" in asset.notes[0]


@pytest.mark.parametrize(
    ("old", "new", "where", "says"),
    [
        ("Frames: 2", "Frames: 1000000000000", "line 20", "1000000000000"),
        ("Frames: 2", "Frames: 3", "line 20", "3 frames are promised and 2"),
        (" 15 25 35\n", " 15 25", "line 20", "8 numbers"),
        ("4 5 6", "4 five 6", "line 20", "'five'"),
        ("4 5 6", "4 nan 6", "line 20", "'nan'"),
        ("4 5 6", "4 1e999 6", "line 20", "1e999"),
        ("Frame Time: 0.0083333", "Frame Time: 0", "line 18", "frame time"),
        ("Frame Time: 0.0083333\n", "", "line 18", "Frame Time"),
        ("Frames: 2\n", "", "line 17", "Frames"),
        ("CHANNELS 3", "CHANNELS 4", "line 9", "4 channels and names 3"),
        ("OFFSET 1 -2 0.5", "OFFSET 1 -2", "line 8", "OFFSET"),
        ("OFFSET 1 -2 0.5", "OFFSET 1 -2 1e999", "line 8", "finite"),
        ("  JOINT Leg\n  {", "  JOINT Leg\n", "line 8", "'{'"),
        ("ROOT Hips\n{", "ROOT Hips\n{\n}\n}", "line 5", "closes nothing"),
        ("}\nMOTION", "MOTION", "line 15", "ends inside joint 'Hips'"),
        ("JOINT Leg", "GELENK Leg", "line 6", "GELENK"),
        ("Xposition", "Wposition", "line 5", "6 channels and names 0"),
    ],
)
def test_broken_files_name_the_line(tmp_path: Path, old: str, new: str, where: str, says: str) -> None:
    assert old in PLAIN
    with pytest.raises(FormatError) as caught:
        load(tmp_path, PLAIN.replace(old, new, 1))
    assert says in str(caught.value)
    assert caught.value.where == where
    assert caught.value.remedy


def test_every_truncation_is_refused_or_whole(tmp_path: Path) -> None:
    for length in range(1, len(PLAIN)):
        try:
            asset = load(tmp_path, PLAIN[:length])
        except FormatError:
            continue
        assert not asset.clips or len(asset.clips[0]) == 2


@pytest.mark.parametrize(
    ("seconds", "rate"),
    [("0.0083333", 120), ("0.0083", 120), ("0.033333", 30), ("0.0333", 30), ("0.033", 30), ("0.016667", 60),
     ("0.0166", 60), ("0.0416667", 24), ("0.04", 25), ("0.05", 20), ("0.1", 10), ("0.0041667", 240), ("1", 1)],
)  # fmt: skip
def test_rounded_frame_times(tmp_path: Path, seconds: str, rate: float) -> None:
    assert load(tmp_path, PLAIN.replace("0.0083333", seconds)).clips[0].frame_rate == rate


def test_odd_frame_rates_stay() -> None:
    assert snap_rate(29.97) == 29.97
    assert snap_rate(23.976) == 23.976


@settings(max_examples=30)
@given(
    seed=st.integers(0, 10**6),
    joints=st.integers(1, 12),
    frames=st.integers(1, 6),
    rate=st.sampled_from([24, 29.97, 30, 60, 120]),
)
def test_round_trip(tmp_path_factory: pytest.TempPathFactory, seed: int, joints: int, frames: int, rate: float) -> None:
    asset = random_asset(seed, joints, frames, rate)
    file = tmp_path_factory.mktemp("bvh") / "clip.bvh"
    write(asset, file)
    again = read(file)
    assert sorted(again.skeleton.names) == sorted(asset.skeleton.names)
    assert again.clips[0].frame_rate == pytest.approx(rate, rel=1e-9)
    assert worst_distance(asset, again) < 1e-6
    first = file.read_bytes()
    write(again, file)
    assert len(read(file).skeleton) == len(asset.skeleton)
    assert len(file.read_bytes().splitlines()) == len(first.splitlines())


def test_end_sites_survive(tmp_path: Path) -> None:
    asset = load(tmp_path, PLAIN)
    write(asset, tmp_path / "again.bvh")
    again = read(tmp_path / "again.bvh")
    assert again.skeleton.names == asset.skeleton.names
    assert again.skeleton.end_sites.tolist() == [False, False, True]
    assert (tmp_path / "again.bvh").read_text().count("End Site") == 1


def test_tips_keep_their_names(tmp_path: Path) -> None:
    asset = load(tmp_path, PLAIN)
    renamed = replace(asset.skeleton, names=("Hips", "Leg", "hoof"))
    clip = replace(asset.clips[0], skeleton=renamed)
    write(replace(asset, skeleton=renamed, clips=(clip,)), tmp_path / "again.bvh")
    assert read(tmp_path / "again.bvh").skeleton.names == ("Hips", "Leg", "hoof")


def test_only_one_clip_fits(tmp_path: Path) -> None:
    asset = random_asset(1)
    with pytest.raises(FormatError, match="one clip"):
        write(replace(asset, clips=asset.clips * 2), tmp_path / "two.bvh")


def test_rest_pose_without_clips(tmp_path: Path) -> None:
    asset = random_asset(2)
    write(replace(asset, clips=()), tmp_path / "rest.bvh")
    assert len(read(tmp_path / "rest.bvh").clips[0]) == 1

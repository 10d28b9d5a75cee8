"""`canter synth` and `canter export`: rides by a script and clips for an engine, and words when something is wrong."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

import canter
from canter.cli import main
from canter.control.ride import read_script
from canter.cycles.export import Exported, clean_names, export
from canter.formats import read
from canter.motion import Asset
from canter.motion import rotations as rot
from canter.motion.metrics import loop_closure

SCRIPTS = sorted((Path(__file__).parents[2] / "examples" / "scripts").glob("*.toml"))
RIDE = """
character = "example"

[[at]]
time = 0.0
speed = 0.7

[[at]]
time = 2.0
speed = 1.6
heading_deg = 30

[[at]]
time = 4.0
speed = 99.0
"""


def run(*arguments: object) -> int:
    with pytest.raises(SystemExit) as left:
        main([str(a) for a in arguments])
    return int(left.value.code or 0)


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "ride.toml"
    path.write_text(RIDE, "utf-8")
    return path


# Rides -------------------------------------------------------------------------------------------


def test_a_ride_and_its_report(script: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("synth", "example", "--script", script, "-o", tmp_path / "ride.glb", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["controller"] == "gaits"
    assert found["seconds"] == 6.0
    slow, fast, fastest = found["sections"]
    assert slow["speed"] == pytest.approx(slow["commanded"], rel=0.1)
    assert fast["speed"] == pytest.approx(fast["commanded"], rel=0.1)
    assert fastest["speed"] < 5
    assert found["distance"] == pytest.approx(found["speed"] * 6)
    assert sum(found["gaits"].values()) == pytest.approx(6)
    assert set(found["gaits"]) >= {"walk", "trot"}
    assert found["slip_cm"]["largest"] < 3
    assert [event["event"] for event in found["events"]] == ["clamped"]
    assert found["events"][0]["time"] == pytest.approx(4.0)
    (clip,) = read(tmp_path / "ride.glb").clips
    assert clip.name == "ride"
    assert len(clip) == 360


def test_the_same_script_gives_the_same_file(script: Path, tmp_path: Path) -> None:
    for name in ("one.npz", "two.npz"):
        assert run("synth", "example", "--script", script, "-o", tmp_path / name) == 0
    one, two = (read(tmp_path / name).clips[0] for name in ("one.npz", "two.npz"))
    np.testing.assert_array_equal(one.rotations, two.rotations)
    np.testing.assert_array_equal(one.positions, two.positions)


def test_a_file_is_cut_to_strides_first(script: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from canter.formats import write
    from canter.synthetic import example_animal

    write(example_animal(strides=4), tmp_path / "dog.glb")
    assert run("synth", tmp_path / "dog.glb", "--script", script, "-o", tmp_path / "ride.bvh", "--report") == 0
    said = capsys.readouterr().out
    for word in ("told m/s", "slip in contact", "penetration", "skating", "gaits:", "clamped at 4.0 s"):
        assert word in said


def test_the_controller_can_be_named(script: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = tmp_path / "ride.npz"
    assert run("synth", "example", "--script", script, "-o", output, "--controller", "clip", "--json") == 0
    assert json.loads(capsys.readouterr().out)["controller"] == "clip"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ('action = "fly"', "action 'fly' is unknown"),
        ("style = { pace = 1 }", "style 'pace' is unknown"),
        ("style = { walk = 1 }", "walk is taken by speed"),
        ("speed = nan", "speed must be finite"),
        ("speed = ", "not valid TOML"),
        ("sped = 3", "`sped` is unknown"),
    ],
)
def test_a_wrong_script_is_refused(change: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "ride.toml"
    path.write_text(RIDE.replace("speed = 99.0", change), "utf-8")
    assert run("synth", "example", "--script", path, "-o", tmp_path / "ride.glb") == 1
    said = capsys.readouterr().err
    assert words in said
    assert "ride.toml" in said
    assert not (tmp_path / "ride.glb").exists()


def test_other_wrong_words_are_refused(script: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cases: list[tuple[tuple[object, ...], str]] = [
        (("example", "--script", tmp_path / "none.toml", "-o", tmp_path / "a.glb"), "no such script"),
        (("example", "--script", script, "-o", tmp_path / "a.png"), "a ride is written as"),
        (("example", "--script", script, "-o", tmp_path / "nowhere" / "a.glb"), "there is no folder"),
        (("example", "--script", script, "-o", tmp_path / "a.glb", "--controller", "none"), "no controller is called"),
    ]
    for arguments, words in cases:
        assert run("synth", *arguments) == 1
        assert words in capsys.readouterr().err


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_the_example_scripts_fit_their_animals(path: Path) -> None:
    script = read_script(path)
    script.check(canter.load(script.character).controller(script.controller).capabilities)


def test_there_are_example_scripts() -> None:
    assert {path.stem for path in SCRIPTS} >= {"sheepdog", "spiral"}


# Clips for an engine -----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def exported() -> Asset:
    return export(canter.load("example")).asset


@pytest.fixture(scope="module")
def dog() -> Exported:
    return export(canter.load("dog"), transitions="neighbours")


def test_there_are_loops_and_ways_between_them(exported: Asset) -> None:
    names = [clip.name for clip in exported.clips]
    assert names[:5] == ["stand", "walk", "trot", "canter", "canter_left_lead"]
    assert set(names[5:]) == {f"{a}_to_{b}" for a in names[:4] for b in names[:4] if a != b}


def test_loops_close_and_travel_at_their_speed(exported: Asset) -> None:
    for name, speed in (("walk", 0.72), ("trot", 1.6), ("canter", 2.9)):
        clip = exported.clip(name)
        gap = loop_closure(clip)
        assert gap.position < 0.1
        assert gap.angle < 0.1
        assert (clip.positions[-1, 0] - clip.positions[0, 0])[2] / clip.seconds == pytest.approx(speed, rel=0.01)


def test_loops_travel_straight(dog: Exported) -> None:
    for clip in (*dog.loops, *export(canter.load("horse"), transitions="none").loops):
        if clip.name.startswith(("turn", "stand")):
            continue
        gone = clip.positions[-1, 0] - clip.positions[0, 0]
        off = np.degrees(np.arctan2(gone[0], gone[2])) % 90
        assert min(off, 90 - off) < 0.01, clip.name


def test_ways_begin_and_end_where_loops_do(exported: Asset) -> None:
    for clip in exported.clips:
        if "_to_" not in clip.name:
            continue
        before, after = (exported.clip(name) for name in clip.name.split("_to_"))
        assert np.degrees(rot.difference(before.rotations[0], clip.rotations[0]).max()) < 0.1, clip.name
        assert np.degrees(rot.difference(after.rotations[0], clip.rotations[-1]).max()) < 0.1, clip.name
        np.testing.assert_allclose(clip.positions[0, 0], before.positions[0, 0], atol=1e-3)
        assert clip.positions[-1, 0, 1] == pytest.approx(after.positions[0, 0, 1], abs=1e-3)
        assert clip.seconds < 6, clip.name


def test_ways_are_sound(dog: Exported) -> None:
    anatomy = dog.character.anatomy
    for clip in dog.transitions:
        turns = np.degrees(rot.difference(clip.rotations[1:], clip.rotations[:-1]).max(axis=1)) * clip.frame_rate / 60
        assert turns.max() < 50, clip.name
        feet = clip.position_world[:, anatomy.feet]
        assert feet[..., 1].min() > -0.02 * anatomy.hip_height, clip.name


def test_styles_and_actions_are_there(dog: Exported) -> None:
    names = {clip.name for clip in dog.asset.clips}
    assert names >= {"walk_to_pace", "pace_to_trot", "trot_to_pace", "stand_to_side_right", "back_to_stand"}
    assert names >= {"sit_enter", "sit_hold", "sit_leave", "jump", "side_right"}
    assert "stand_to_gallop" not in names
    assert not [name for name in names if re.search("[^A-Za-z0-9_]", name)]


def test_actions_meet_the_stand_and_their_hold_loops(dog: Exported) -> None:
    clips = dog.asset
    stand = clips.clip("stand").rotations[0]
    for first, last in (("sit_enter", "sit_leave"), ("jump", "jump")):
        assert np.degrees(rot.difference(stand, clips.clip(first).rotations[0]).max()) < 0.1
        assert np.degrees(rot.difference(stand, clips.clip(last).rotations[-1]).max()) < 0.1
    hold = clips.clip("sit_hold")
    assert np.degrees(rot.difference(hold.rotations[0], hold.rotations[-1]).max()) < 0.5
    assert np.degrees(rot.difference(hold.rotations[0], clips.clip("sit_enter").rotations[-1]).max()) < 1e-3
    assert np.degrees(rot.difference(hold.rotations[-1], clips.clip("sit_leave").rotations[0]).max()) < 1e-3
    jump = clips.clip("jump").positions[:, 0]
    assert jump[-1, 2] - jump[0, 2] > 0.5


def test_in_place_takes_the_root_motion_out(exported: Asset, dog: Exported) -> None:
    still = export(canter.load("example"), in_place=True).asset
    assert [clip.name for clip in still.clips] == [clip.name for clip in exported.clips]
    acts = export(canter.load("dog"), in_place=True, transitions="none")
    assert [clip.name for clip in acts.actions] == [clip.name for clip in dog.actions]
    for clip in (*still.clips, acts.asset.clip("jump")):
        level = clip.positions[:, 0][:, [0, 2]]
        assert np.abs(level - level[0]).max() < 0.15, clip.name


def test_transitions_can_be_chosen(exported: Asset) -> None:
    animal = canter.load("example")
    assert export(animal, transitions="none").transitions == ()
    some = export(animal, transitions="walk_to_trot, trot_to_walk").transitions
    assert [clip.name for clip in some] == ["walk_to_trot", "trot_to_walk"]
    near = export(animal, transitions="neighbours").transitions
    assert "walk_to_canter" not in {clip.name for clip in near}
    assert len(near) == 6
    with pytest.raises(
        ValueError, match="no transition walk_to_fly; there are all, neighbours, none, or some of: stand_to"
    ):
        export(animal, transitions="walk_to_fly")


def test_names_are_clean_and_differ() -> None:
    assert clean_names(["slow walk", "slow-walk", "Läufe/1", "", "a"]) == [
        "slow_walk",
        "slow_walk_2",
        "L_ufe_1",
        "clip",
        "a",
    ]


def test_the_file_has_every_clip(exported: Asset, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("export", "example", tmp_path / "clips.glb") == 0
    assert "5 loops, 12 transitions, with root motion" in capsys.readouterr().out
    assert [clip.name for clip in read(tmp_path / "clips.glb").clips] == [clip.name for clip in exported.clips]
    assert (tmp_path / "clips.glb").stat().st_size < 3e6
    assert run("export", "example", tmp_path / "some.glb", "--transitions", "none", "--size", "2", "--in-place") == 0
    assert "5 loops, in place" in capsys.readouterr().out
    offsets = read(tmp_path / "some.glb").skeleton.offsets
    np.testing.assert_allclose(offsets, 2 * exported.skeleton.offsets, atol=1e-5)
    assert run("export", "example", tmp_path / "clips.bvh") == 1
    assert "several clips are written as" in capsys.readouterr().err


# Other sizes -------------------------------------------------------------------------------------


def test_a_ride_in_another_size(script: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tall = {}
    for size in (1.0, 0.25):
        assert run("synth", "example", "--script", script, "-o", tmp_path / "a.npz", "--size", size, "--json") == 0
        found = json.loads(capsys.readouterr().out)
        tall[size] = read(tmp_path / "a.npz").clips[0].position_world[..., 1].max()
        assert found["slip_cm"]["largest"] < 3 * size
    assert tall[0.25] == pytest.approx(0.25 * tall[1.0], rel=0.05)
    assert found["sections"][2]["speed"] < 2.5
    assert run("synth", "example", "--script", script, "-o", tmp_path / "a.npz", "--size", "0") == 1
    assert "size must be from 0.01 to 100" in capsys.readouterr().err


def test_a_build_in_another_size(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, size in (("one", "1"), ("four", "4")):
        assert run("build", "example", "--size", size, "-o", tmp_path / f"{name}.canter") == 0
    said = capsys.readouterr().out
    one, four = (canter.load(tmp_path / f"{name}.canter") for name in ("one", "four"))
    assert f"hips {four.anatomy.hip_height:.2f} m high" in said
    assert four.anatomy.hip_height == pytest.approx(4 * one.anatomy.hip_height)
    ours, theirs = (x.controller("gaits").capabilities.gaits for x in (one, four))
    for gait, (low, high) in ours.items():
        assert theirs[gait] == pytest.approx((2 * low, 2 * high), rel=0.01)

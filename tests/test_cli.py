"""The command line: every verb on the example animal, the documented JSON, exit codes, words when things go wrong."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import replace
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import canter
from canter.cli import main
from canter.cli.main import VERBS
from canter.formats import read, write
from canter.motion import Asset, transform
from canter.synthetic import example_animal, synthetic_rig

LEGS = ["LF", "RF", "LH", "RH"]
KEYS = {"file", "kind", "up", "forward", "hip_height", "legs", "head", "tail", "confidence", "clips"}
CLIP_KEYS = {
    "name",
    "seconds",
    "in_place",
    "gait",
    "speed",
    "speed_heights_per_s",
    "stride_s",
    "duty",
    "phases",
    "skating_cm",
}


def run(*arguments: object) -> int:
    with pytest.raises(SystemExit) as left:
        main([str(a) for a in arguments])
    return int(left.value.code or 0)


def objects(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@pytest.fixture(scope="session")
def dog(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example animal as a GLB."""
    path = tmp_path_factory.mktemp("dog") / "dog.glb"
    write(example_animal(strides=4), path)
    return path


@pytest.fixture
def thing(tmp_path: Path) -> Path:
    """Something without legs."""
    path = tmp_path / "chest.glb"
    write(synthetic_rig(3, kind="other", body="chest").asset, path)
    return path


# Inspect -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("columns", [80, 120])
def test_the_table_names_gaits_and_legs(
    columns: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    assert run("inspect", "example") == 0
    table = capsys.readouterr().out
    for word in ("quadruped", "up +Y", "forward +Z", "LeftForeToe", "walk", "trot", "0.72", "1.60", "skating"):
        assert word in table
    assert max(len(line) for line in table.splitlines()) <= columns


def test_the_json_keeps_its_schema(dog: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("inspect", dog, "--json") == 0
    (found,) = objects(capsys)
    assert set(found) >= KEYS
    assert found["file"] == str(dog)
    assert found["kind"] == "quadruped"
    assert np.allclose(found["up"], [0, 1, 0])
    assert np.allclose(found["forward"], [0, 0, 1], atol=0.01)
    assert 0.4 < found["hip_height"] < 0.55
    assert list(found["legs"]) == LEGS
    assert found["legs"]["LF"][-1] == "LeftForeToe"
    assert found["head"] == "Head"
    assert isinstance(found["tail"], list)
    for clip in found["clips"]:
        assert set(clip) >= CLIP_KEYS
        assert set(clip["duty"]) <= set(LEGS)
    walk = next(clip for clip in found["clips"] if clip["name"] == "walk")
    assert walk["gait"] == "walk"
    assert walk["speed"] == pytest.approx(0.72, rel=0.05)
    assert walk["stride_s"] == pytest.approx(0.9, rel=0.05)


def test_axes_are_those_of_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rig = synthetic_rig(5, plain=True, axes="z up, -y forward", units="centimetres", clip="straight", gait="walk")
    write(rig.asset, tmp_path / "turned.bvh")
    assert run("inspect", tmp_path / "turned.bvh", "--json") == 0
    (found,) = objects(capsys)
    assert np.allclose(found["up"], [0, 0, 1], atol=0.02)
    assert np.allclose(found["forward"], [0, -1, 0], atol=0.05)
    assert found["metres_per_unit"] == pytest.approx(0.01)


def test_people_have_two_legs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(synthetic_rig(0, kind="biped").asset, tmp_path / "person.glb")
    assert run("inspect", tmp_path / "person.glb", "--json") == 0
    (found,) = objects(capsys)
    assert found["kind"] == "biped"
    assert list(found["legs"]) == ["L", "R"]


def test_one_bad_file_does_not_stop_the_others(dog: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "broken.glb").write_bytes(b"glTF nonsense")
    assert run("inspect", tmp_path / "broken.glb", tmp_path / "missing.bvh", dog, "--json") == 1
    captured = capsys.readouterr()
    broken, missing, good = (json.loads(line) for line in captured.out.splitlines())
    assert set(broken) == set(missing) == {"file", "error"}
    assert good["kind"] == "quadruped"
    assert len(captured.err.splitlines()) == 2
    assert "Traceback" not in captured.err


def test_what_has_no_legs_is_said_to(thing: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("inspect", thing) == 1
    captured = capsys.readouterr()
    assert "other" in captured.out
    assert "not understood" in captured.err
    assert run("inspect", thing, "--json") == 1
    (found,) = objects(capsys)
    assert found["kind"] == "other"


def test_anatomy_is_written_corrected_and_heeded(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(example_animal(strides=4), tmp_path / "dog.glb")
    assert run("inspect", tmp_path / "dog.glb", "--write-anatomy") == 0
    toml = tmp_path / "dog.anatomy.toml"
    text = toml.read_text("utf-8")
    assert 'head = "Head"' in text
    assert run("inspect", tmp_path / "dog.glb", "--write-anatomy") == 1  # never over a correction
    assert "there already" in capsys.readouterr().err
    toml.write_text(text.replace('head = "Head"', 'head = "Neck1"'), "utf-8")
    assert run("inspect", tmp_path / "dog.glb", "--json") == 0
    assert objects(capsys)[0]["head"] == "Neck1"
    toml.write_text("head = [", "utf-8")
    assert run("inspect", tmp_path / "dog.glb") == 1
    assert run("inspect", "example", "--write-anatomy") == 1


def test_the_height_of_the_hips_can_be_given(dog: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("inspect", dog, "--json", "--hip-height", 0.7) == 0
    (found,) = objects(capsys)
    assert found["hip_height"] == pytest.approx(0.7)
    assert (found["scale_known"], "given" in found["scale_reason"]) == (True, True)
    assert run("build", dog, "--hip-height", 0.7, "-o", tmp_path / "dog.canter") == 0
    assert "hips 0.70 m high" in capsys.readouterr().out
    assert run("inspect", "horse", "--hip-height", 0.7) == 1
    assert "--size" in capsys.readouterr().err


def test_a_size_that_is_a_guess_is_shown_as_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    animal = example_animal()
    write(edited(animal, 30.0), tmp_path / "giant.glb")
    assert run("inspect", tmp_path / "giant.glb") == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "a guess that --hip-height corrects" in said
    assert run("inspect", tmp_path / "giant.glb", "--write-anatomy") == 0
    place = tmp_path / "giant.anatomy.toml"
    assert "# hip_height_metres = " in place.read_text("utf-8")
    place.write_text("hip_height_metres = 0.46", "utf-8")
    capsys.readouterr()
    assert run("inspect", tmp_path / "giant.glb", "--json") == 0
    (found,) = objects(capsys)
    assert (found["hip_height"], found["scale_known"]) == (pytest.approx(0.46), True)


def test_files_of_one_pack_have_one_unit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A pack of animals that is 2.6 times too large: one of them alone might be so large."""
    (tmp_path / "other").mkdir()
    for number, seed in enumerate((300, 301, 302, 303, 304)):
        rig = synthetic_rig(seed, plain=True, body="dog", clip="closed loop", gait="walk")
        write(edited(rig.asset, 2.6), tmp_path / f"{number}.glb")
    write(example_animal(), tmp_path / "other" / "example.glb")
    run("inspect", *sorted(tmp_path.glob("*.glb")), tmp_path / "other" / "example.glb", "--json")
    *pack, example = objects(capsys)
    assert len({found["metres_per_unit"] for found in pack}) == 1
    assert pack[0]["metres_per_unit"] == pytest.approx(1 / 2.6, rel=0.4)
    assert not pack[0]["scale_known"]
    assert "of this pack" in pack[0]["scale_reason"]
    assert example["metres_per_unit"] == 1.0, "what lies elsewhere is of another pack"


def edited(asset: Asset, scale: float) -> Asset:
    """The asset `scale` times as large, in a file that says nothing of it."""
    clips = tuple(transform(motion, scale=scale) for motion in asset.clips)
    return replace(asset, skeleton=clips[0].skeleton, clips=clips)


def test_inspect_wants_a_file() -> None:
    assert run("inspect") == 1


# Convert and clean -------------------------------------------------------------------------------


def test_convert_keeps_the_motion(dog: Path, tmp_path: Path) -> None:
    assert run("convert", f"{dog}:trot", tmp_path / "trot.bvh") == 0
    before, after = read(dog).clip("trot"), read(tmp_path / "trot.bvh").clips[0]
    order = [after.skeleton.names.index(name) for name in before.skeleton.names]
    assert np.allclose(after.position_world[:, order], before.position_world, atol=1e-4)


def test_convert_chooses_and_resamples(dog: Path, tmp_path: Path) -> None:
    assert run("convert", dog, tmp_path / "slow.glb", "--clip", "walk", "--frame-rate", 30) == 0
    (walk,) = read(tmp_path / "slow.glb").clips
    assert walk.name == "walk"
    assert walk.frame_rate == pytest.approx(30)


@pytest.mark.parametrize("frame_rate", [24, 60, 100])
@pytest.mark.parametrize("kind", ["closed loop", "open loop"])
def test_a_loop_is_one_at_another_frame_rate(frame_rate: int, kind: str, tmp_path: Path) -> None:
    rig = synthetic_rig(6, plain=True, body="dog", clip=kind, gait="walk", frame_rate="30")
    write(rig.asset, tmp_path / "loop.glb")
    assert run("convert", tmp_path / "loop.glb", tmp_path / "other.glb", "--frame-rate", frame_rate) == 0
    before, after = (canter.load(tmp_path / name).clips[0].footfalls for name in ("loop.glb", "other.glb"))
    assert before.loop
    assert (after.gait, after.loop) == (before.gait, True)
    assert after.stride_seconds == pytest.approx(before.stride_seconds, abs=0.6 / frame_rate)


def test_a_travelling_loop_is_one_at_another_frame_rate(tmp_path: Path) -> None:
    assert run("convert", "horse:gallop", tmp_path / "gallop.glb", "--frame-rate", 60) == 0
    footfalls = canter.load(tmp_path / "gallop.glb").clips[0].footfalls
    assert (footfalls.gait, footfalls.loop) == ("gallop", True)


def test_convert_to_canonical(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rig = synthetic_rig(5, plain=True, axes="z up, -y forward", units="centimetres", clip="straight", gait="walk")
    write(rig.asset, tmp_path / "turned.bvh")
    assert run("convert", tmp_path / "turned.bvh", tmp_path / "right.glb", "--canonical") == 0
    capsys.readouterr()
    assert run("inspect", tmp_path / "right.glb", "--json") == 0
    (found,) = objects(capsys)
    assert np.allclose(found["up"], [0, 1, 0], atol=0.02)
    assert np.allclose(found["forward"], [0, 0, 1], atol=0.05)
    assert found["metres_per_unit"] == 1


def test_a_bvh_keeps_one_clip(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("convert", "example", tmp_path / "all.bvh") == 1
    assert "--clip" in capsys.readouterr().err
    assert not (tmp_path / "all.bvh").exists()


def test_clean_prints_before_and_after(dog: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asset = read(dog)
    walk = asset.clip("walk")
    sunk = replace(walk, positions=walk.positions - 0.05 * np.eye(3)[1] * (walk.skeleton.parents < 0)[:, None])
    write(replace(asset, clips=(sunk,)), tmp_path / "sunk.glb")
    assert run("clean", tmp_path / "sunk.glb", tmp_path / "clean.glb") == 0
    assert "stance slip" in capsys.readouterr().out
    cleaned = read(tmp_path / "clean.glb").clips[0]
    assert len(cleaned) == len(walk)
    toes = [j for j, name in enumerate(cleaned.skeleton.names) if name.endswith("Toe")]
    assert np.abs(cleaned.position_world[:, toes, 1].min(axis=0)).max() < 0.015


def test_clean_needs_legs(thing: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("clean", thing, tmp_path / "clean.glb") == 1
    assert "no legs" in capsys.readouterr().err


# Pictures and play -------------------------------------------------------------------------------


def test_sheet(tmp_path: Path) -> None:
    assert run("sheet", "example:trot", "-o", tmp_path / "sheet.png") == 0
    assert Image.open(tmp_path / "sheet.png").width > 1000


def test_gif(tmp_path: Path) -> None:
    assert run("gif", "example:canter", "--output", tmp_path / "canter.gif", "--view", "side") == 0
    assert getattr(Image.open(tmp_path / "canter.gif"), "n_frames", 0) > 10


def test_play_into_a_picture_and_a_file(tmp_path: Path) -> None:
    assert run("play", "example:trot", "--heading-deg", 90, "--seconds", 3, "-o", tmp_path / "ride.png") == 0
    assert Image.open(tmp_path / "ride.png").width > 1000
    assert run("play", "example", "--clip", "trot", "--heading-deg", 90, "--seconds", 3, "-o", tmp_path / "r.glb") == 0
    (ride,) = read(tmp_path / "r.glb").clips
    way = ride.position_world[-1, 0] - ride.position_world[0, 0]
    assert way[0] > 3  # a heading of 90 degrees is to the left, which is +X
    assert len(ride) == 180


def test_play_a_script(dog: Path, tmp_path: Path) -> None:
    ride = 'character = "dog.glb"\nseconds = 2\noptions = { clip = "trot" }\n[[at]]\ntime = 0.0\nspeed = 1.6\n'
    (tmp_path / "ride.toml").write_text(ride + "heading_deg = 90\n", "utf-8")
    (tmp_path / "dog.glb").write_bytes(dog.read_bytes())
    assert run("play", tmp_path / "ride.toml", "-o", tmp_path / "ride.bvh") == 0
    (motion,) = read(tmp_path / "ride.bvh").clips
    assert len(motion) == 120
    assert motion.position_world[-1, 0, 0] > 2
    (tmp_path / "ride.toml").write_text("nonsense = 1", "utf-8")
    assert run("play", tmp_path / "ride.toml", "-o", tmp_path / "ride.bvh") == 1


def test_play_refuses_what_it_cannot(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("play", "example", "--seconds", -1, "-o", tmp_path / "ride.png") == 1
    assert run("play", "example:fly", "-o", tmp_path / "ride.png") == 1
    assert "no clip is called 'fly'; there are walk" in capsys.readouterr().err
    assert run("play", "example", "-o", tmp_path / "ride.doc") == 1
    assert ".doc" in capsys.readouterr().err


# Animals and skins -------------------------------------------------------------------------------


@pytest.mark.parametrize("columns", [80, 120])
def test_animals_lists_what_is_registered(
    columns: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from canter.control import registry

    absent = registry.Entry("yeti", "no.such:yeti", "an ape of the snows", "myths", ("no_such_module",))
    example = registry.find("animal", "example")
    monkeypatch.setitem(registry._shelves, "animal", {"horse": registry.find("animal", "horse"), "yeti": absent})
    registry.register("animal", example)
    monkeypatch.setenv("COLUMNS", str(columns))
    assert run("animals") == 0
    table = capsys.readouterr().out
    for words in ("1.17 m high", "a riding horse", "0.8 to 2.1", "stand 8.0 s", "no skin", "needs the extra 'myths'"):
        assert words in table
    assert max(len(line) for line in table.splitlines()) <= columns
    assert run("animals", "--json") == 0
    horse, yeti, made_up = objects(capsys)
    assert horse["gaits"][0]["name"] == "walk"
    assert horse["triangles"] > 5000
    assert yeti["missing"]
    assert made_up["gaits"][0]["speeds"] is None
    assert made_up["gaits"][0]["speed"] == pytest.approx(0.72, abs=0.01)


def test_build_makes_a_file_that_works_like_others(
    dog: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    built = tmp_path / "fox.canter"
    assert run("build", dog, "-o", built) == 0
    told = capsys.readouterr().out
    assert all(word in told for word in ("stand", "walk", "trot", "canter", "stride law"))
    assert run("inspect", built, "--json") == 0
    assert [clip["gait"] for clip in objects(capsys)[0]["clips"]] == ["stand", "walk", "trot", "canter"]
    assert run("convert", f"{built}:trot", tmp_path / "trot.bvh") == 0
    assert run("clean", built, tmp_path / "clean.glb") == 0
    assert run("play", f"{built}:walk", "-o", tmp_path / "ride.npz", "--seconds", "1") == 0
    assert run("sheet", built, "--clip", "canter", "-o", tmp_path / "sheet.png") == 0


def test_build_takes_files_and_folders(dog: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from canter import load

    monkeypatch.chdir(tmp_path)
    clips = tmp_path / "clips"
    clips.mkdir()
    for name in ("walk", "trot"):
        assert run("convert", f"{dog}:{name}", clips / f"{name}.bvh") == 0
    assert run("build", clips) == 0
    assert run("build", clips / "walk.bvh", clips / "trot.bvh", "-o", "two.canter") == 0
    for file in ("clips.canter", "two.canter"):
        assert {clip.footfalls.gait for clip in load(file).clips} == {"stand", "walk", "trot"}
    assert load("two.canter").name == "two"


def test_build_says_why_not(thing: Path, dog: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, words in (
        ((thing,), "no four legs"),
        ((dog, thing), "another skeleton than dog.glb"),
        ((tmp_path / "none.glb",), "none.glb"),
        ((dog, dog, "-o", tmp_path / "x.glb"), "several files make a .canter"),
        ((dog, "--gaits", "example"), "no table of gaits"),
        ((), "at least one file"),
    ):
        target = () if "-o" in arguments else ("-o", tmp_path / "x.canter")
        assert run("build", *arguments, *target) == 1
        assert words in capsys.readouterr().err
        assert not (tmp_path / "x.canter").exists()
    empty = tmp_path / "empty"
    empty.mkdir()
    assert run("build", empty) == 1
    assert "no clip in this folder" in capsys.readouterr().err


def test_improvise_writes_takes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from canter.control.takes import read_takes

    target = tmp_path / "dog.takes"
    shares = ("--shares", "idle=1", "locomotion=3")
    assert run("improvise", "example", "--minutes", 0.1, "--frame-rate", 30, "--seed", 2, *shares, "-o", target) == 0
    words = capsys.readouterr().out
    assert "label" in words
    assert "locomotion" in words
    takes = read_takes(target)
    assert takes.provenance["seed"] == 2
    assert sum(take.motion.seconds for take in takes.takes) == pytest.approx(6, abs=0.1)
    assert {take.motion.frame_rate for take in takes.takes} == {30}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("-o", "dog.glb"), "takes are written as .takes"),
        (("-o", "nowhere/dog.takes"), "no folder"),
        (("-o", "dog.takes", "--shares", "sit"), "write a label and its seconds"),
        (("-o", "dog.takes", "--shares", "sit=long"), "write a label and its seconds"),
        (("-o", "dog.takes", "--minutes", "0"), "minutes must be above 0"),
    ],
)
def test_improvise_says_what_is_wrong(
    arguments: tuple[str, ...], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("improvise", "example", *arguments) == 1
    assert words in capsys.readouterr().err


def test_skin_dresses_an_animal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dog = example_animal(strides=4)
    write(replace(dog, clips=(dog.clip("trot"),)), tmp_path / "dog.bvh")
    assert run("skin", tmp_path / "dog.bvh", "-o", tmp_path / "dressed.glb") == 0
    words = capsys.readouterr().out
    for word in ("quadruped", "triangles in", "fold over in the clips"):
        assert word in words
    dressed = read(tmp_path / "dressed.glb")
    (skin,) = dressed.skins
    assert len(skin.triangles) > 4000
    assert dressed.clips[0].skeleton.names == dog.skeleton.names
    assert run("skin", tmp_path / "dressed.glb", "-o", tmp_path / "again.glb") == 1
    assert "has a mesh already" in capsys.readouterr().err


def test_skin_refuses_before_it_works(thing: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for target, remedy in (("x.bvh", ".glb"), ("no/x.glb", "no folder"), ("x.glb", "canter inspect --write-anatomy")):
        assert run("skin", thing, "-o", tmp_path / target) == 1
        assert remedy in capsys.readouterr().err
    assert not list(tmp_path.glob("x.*"))


def test_skin_by_force_takes_anything(thing: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("skin", thing, "-o", tmp_path / "x.glb", "--force") == 0
    assert "every bone gets a rounded body" in capsys.readouterr().out
    assert read(tmp_path / "x.glb").skins


# Around ------------------------------------------------------------------------------------------


def test_info_names_what_is_required_and_what_is_missing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = ["numpy>=2.0", "no-such.package<3; python_version > '3'", 'pytest>=8.2; extra == "dev"']
    monkeypatch.setattr("importlib.metadata.requires", lambda name: lines)
    assert run("info") == 0
    said = capsys.readouterr().out
    assert re.search(r"^base +numpy \d[\d.]+, no-such.package \(missing\)$", said, re.MULTILINE)
    assert re.search(r"^dev +pytest \d", said, re.MULTILINE)
    assert re.search(r"^methods +clip, gaits", said, re.MULTILINE)


def test_info_never_fails(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def requires(name: str) -> list[str]:
        raise PackageNotFoundError(name)

    monkeypatch.setattr("importlib.metadata.requires", requires)
    monkeypatch.setitem(sys.modules, "canter.control.registry", None)
    assert run("info") == 0
    assert "cannot be listed" in capsys.readouterr().out


def test_help_and_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--help") == 0
    assert "inspect" in capsys.readouterr().out
    assert run() == 0
    assert run("--version") == 0
    assert "0." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["insepct", "example"], "canter: there is no verb 'insepct'; did you mean 'inspect'?"),
        (["Studio"], "canter: there is no verb 'Studio'; did you mean 'studio'?"),
        (["jump"], f"canter: there is no verb 'jump'; there are: {', '.join(VERBS)}"),
        (["evaluate", "anmals"], "no topic is called 'anmals'; did you mean 'animals'? There are: rigs, animals"),
        (["evaluate", "clouds"], "no topic is called 'clouds'; there are: rigs, animals"),
        (["play", "hrose", "-o", "ride.png"], "an animal of canter's; did you mean 'horse'? There are: horse, dog"),
        (["studio", "hrose", "--no-browser"], "an animal of canter's; did you mean 'horse'? There are: horse, dog"),
    ],
)
def test_a_misspelt_name_gets_a_suggestion(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(*arguments) == 1
    said = capsys.readouterr()
    assert words in said.err
    assert not said.out


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(verb, "--help") == 0
    words = capsys.readouterr().out
    assert verb == "info" or "Try: canter" in words


def test_errors_are_one_line_unless_debugging(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run("sheet", tmp_path / "no.glb", "-o", tmp_path / "no.png") == 1
    error = capsys.readouterr().err
    assert error.startswith("canter: ")
    assert len(error.splitlines()) == 1
    monkeypatch.setenv("CANTER_DEBUG", "1")
    with pytest.raises(FileNotFoundError, match=r"no\.glb"):
        main(["sheet", str(tmp_path / "no.glb"), "-o", str(tmp_path / "no.png")])


def test_evaluate_knows_its_topics(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("evaluate", "nothing") == 1
    assert "rigs" in capsys.readouterr().err


@pytest.mark.parametrize(("status", "code"), [("met", 0), ("missed", 1)])
def test_evaluate_prints_its_report(
    status: Any, code: int, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import canter.evaluation as evaluation

    report = evaluation.Report("rigs", (evaluation.Row("legs right", 98.5, "%", "≥ 98", status),))
    monkeypatch.setattr(evaluation, "evaluate", lambda *_, **__: report)
    assert run("evaluate", "rigs", "--markdown", tmp_path / "rigs.md") == code
    table = capsys.readouterr().out
    assert "legs right" in table
    assert "[green]" not in table
    assert "| legs right |" in (tmp_path / "rigs.md").read_text("utf-8")
    assert run("evaluate", "rigs", "--json") == code
    assert json.loads(capsys.readouterr().out)["topic"] == "rigs"


def test_a_colon_names_a_clip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from canter.control.sources import split_clip

    monkeypatch.chdir(tmp_path)
    assert split_clip("fox.glb:Walk") == ("fox.glb", "Walk")
    assert split_clip("fox.glb") == ("fox.glb", None)
    assert split_clip("C:\\fox.glb") == ("C:\\fox.glb", None)
    (tmp_path / "odd:name.bvh").write_text("")
    assert split_clip("odd:name.bvh") == ("odd:name.bvh", None)

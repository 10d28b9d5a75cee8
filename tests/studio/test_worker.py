"""What the child process makes of files, without a server around it."""

from __future__ import annotations

import base64
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from canter import Command, load
from canter.anatomy import detect
from canter.anatomy.overrides import METRES
from canter.control.sources import open_character
from canter.cycles.build.build_file import build_file
from canter.cycles.build.built import Drivable
from canter.cycles.build.edit import Edit, with_hip_height
from canter.cycles.build.file import read_drivable
from canter.formats import write
from canter.formats.labels import Label, read_labels, write_labels
from canter.motion import Asset
from canter.studio import worker
from canter.studio.corrections import Corrections
from canter.synthetic import example_animal, synthetic_rig

from .files import take_file, triangle

DOG = example_animal(strides=2)
NOTHING = Corrections().to_table()


def build(folder: Path, *names: str, **job: Any) -> dict[str, Any]:
    """The report on files that are kept in `folder` as the server keeps them."""
    files = []
    for number, name in enumerate(names):
        kept = folder / f"{number:02d}{Path(name).suffix}"
        kept.write_bytes((folder / name).read_bytes())
        files.append({"path": str(kept), "name": name})
    return worker.build({"files": files, "local": False, "corrections": NOTHING, "result": "built.canter", **job})


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("canter.body.skin_character", lambda character, progress: triangle(character.skeleton))


def apart(folder: Path) -> None:
    """A glTF whose data lies beside it, as most sites give them away."""
    write(Asset(DOG.skeleton, (DOG.clip("trot"),)), folder / "own dog.gltf")
    document = json.loads((folder / "own dog.gltf").read_text())
    (buffer,) = document["buffers"]
    (folder / "Own Data.bin").write_bytes(base64.b64decode(buffer["uri"].split(",")[1]))
    buffer["uri"] = "parts/Own%20Data.bin"
    (folder / "own dog.gltf").write_text(json.dumps(document))


def test_a_gltf_is_put_together_with_its_parts(tmp_path: Path) -> None:
    apart(tmp_path)
    with pytest.raises(ValueError, match=r"own dog\.gltf needs Own Data\.bin: send them together"):
        build(tmp_path, "own dog.gltf")
    with pytest.raises(ValueError, match=r"Own Data\.bin is only a part"):
        build(tmp_path, "Own Data.bin")
    for _ in range(2):  # built again, it is called as it is kept here
        report = build(tmp_path, "Own Data.bin", "own dog.gltf")
        assert report["name"] == "own dog"
        assert any("the body is an estimate" in words for words in report["warnings"])
        (tmp_path / "own dog.gltf").write_bytes((tmp_path / "01.gltf").read_bytes())


def test_studio_command_line_and_python_make_the_same_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "dog.glb"
    write(Asset(DOG.skeleton, (DOG.clip("walk"), DOG.clip("trot")), metres_per_unit=1.0), path)
    report = build(tmp_path, "dog.glb")
    build_file([str(path)], target=tmp_path / "own.canter")
    character = load(path)
    controllers = [one.controller("gaits") for one in (load("built.canter"), load(tmp_path / "own.canter"), character)]
    assert [gait["gait"] for gait in report["gaits"]] == ["stand", "walk", "trot"]
    for frame in range(60):
        poses = [c.step(Command(speed=frame / 40, heading=0.01 * frame)).pose.positions for c in controllers]
        np.testing.assert_allclose(poses[0], poses[1], atol=1e-9)
        np.testing.assert_allclose(poses[0], poses[2], atol=1e-4)


def test_a_rig_without_gaits_gets_some_and_a_warning(tmp_path: Path) -> None:
    still = replace(DOG.clip("walk")[:40:39], name="pose")
    write(Asset(DOG.skeleton, (still,), metres_per_unit=1.0), tmp_path / "still.glb")
    report = build(tmp_path, "still.glb")
    assert any("its gaits are made like those of the dog" in words for words in report["warnings"])
    assert {"walk", "trot", "gallop"} <= {gait["gait"] for gait in report["gaits"]}


def test_clips_are_called_as_their_owner_calls_them() -> None:
    def names(*clips: str) -> list[str]:
        asset = Asset(DOG.skeleton, tuple(replace(DOG.clips[0], name=name) for name in clips))
        called = worker._called(asset, {"path": "/tmp/00.fbx", "name": "my dog.fbx"})
        return [clip.name for clip in called.clips]

    assert names("00", "Armature|Run") == ["my dog", "Run"]
    assert names("a|Run", "b|Run") == ["a|Run", "b|Run"]


def test_a_system_that_refuses_limits_still_builds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """macOS lets nobody limit memory: the server's timeout remains, and the file is read all the same."""
    resource = pytest.importorskip("resource")

    def refuse(what: int, limits: tuple[int, int]) -> None:
        raise ValueError("current limit exceeds maximum limit")

    monkeypatch.setattr(resource, "setrlimit", refuse)
    monkeypatch.setattr("os.nice", lambda more: 0)
    write(Asset(DOG.skeleton, (DOG.clip("trot"),), metres_per_unit=1.0), tmp_path / "dog.glb")
    files = [{"path": str(tmp_path / "dog.glb"), "name": "dog.glb"}]
    job = {"files": files, "local": False, "corrections": NOTHING, "result": "built.canter"}
    (tmp_path / "job.json").write_text(json.dumps({**job, "seconds": 60.0, "bytes": 1 << 32}))
    assert worker.main() == 0
    assert "report" in json.loads(capsys.readouterr().out.splitlines()[-1])


@pytest.mark.parametrize("skinned", [False, True])
def test_progress_goes_ahead_through_all_stages(
    skinned: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    skins = (triangle(DOG.skeleton),) if skinned else ()
    write(Asset(DOG.skeleton, (DOG.clip("trot"),), skins, metres_per_unit=1.0), tmp_path / "dog.glb")
    build(tmp_path, "dog.glb")
    said = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    shares = [one["share"] for one in said]
    assert shares == sorted(shares)
    assert shares[0] == 0.0
    assert 0.8 < shares[-1] < 1.0
    stages = list(dict.fromkeys(one["stage"] for one in said))
    assert stages == [stage for stage in worker.STAGES if stage != "skinning" or not skinned]
    seconds = [one["processor_seconds"] for one in said]
    assert seconds == sorted(seconds)


def test_two_skeletons_are_refused(tmp_path: Path) -> None:
    write(Asset(DOG.skeleton, (DOG.clip("walk"),)), tmp_path / "dog.bvh")
    other = synthetic_rig(3).asset
    write(Asset(other.skeleton, other.clips[:1]), tmp_path / "other.bvh")
    with pytest.raises(ValueError, match=r"other\.bvh has another skeleton than dog\.bvh"):
        build(tmp_path, "dog.bvh", "other.bvh")


def test_two_legs_are_too_few(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(synthetic_rig(0, kind="biped").asset, tmp_path / "person.glb")
    with pytest.raises(ValueError, match=r"person: it seems to walk on two legs"):
        build(tmp_path, "person.glb")
    report = json.loads(capsys.readouterr().out.splitlines()[-1])["report"]
    assert len(report["joints"]) > 10  # by which somebody may say where its legs are


@pytest.mark.parametrize("quarters", [0, 1, 2, 3])
def test_a_turn_gives_the_legs_their_new_names(quarters: int) -> None:
    """Whoever takes an animal's side for its front has all four legs wrong; the turn puts them right."""
    found = detect(DOG)
    skeleton = DOG.skeleton
    toe = skeleton.names[found.legs[0].joints[-1]]
    table = Corrections({"LF": (toe,)}).followed_by(Corrections({}, 90.0 * quarters)).overrides(found, skeleton)
    forward = np.array(table.get("forward", found.forward))
    left = np.cross(found.up, forward)
    places = DOG.clips[0].position_world[0]
    toes = {name: places[skeleton.index(joints[-1])] for name, joints in table["legs"].items()}
    middle = np.mean(list(toes.values()), axis=0)
    for name, toe in toes.items():
        assert ((toe - middle) @ left > 0) == (name[0] == "L"), name
        assert ((toe - middle) @ forward > 0) == (name[1] == "F"), name


# Takes -------------------------------------------------------------------------------------------


def test_spans_of_a_take_are_corrected_as_by_labels_beside_it(tmp_path: Path) -> None:
    take_file(tmp_path / "bear.glb")

    def spans(*labels: Label, **corrections: Any) -> list[tuple[str, float]]:
        table = Corrections(labels={"bear": labels}, **corrections).to_table()
        (take,) = build(tmp_path, "bear.glb", corrections=table)["takes"]
        assert take["labels"] == [[label.start, label.end, label.name] for label in labels]
        return [(span["label"], span["start"]) for span in take["spans"]]

    (take,) = build(tmp_path, "bear.glb")["takes"]
    read = [(span["label"], span["start"]) for span in take["spans"]]
    assert [label for label, _ in read if label != "transition"] == ["stand", "walk", "stand"]
    assert (take["seconds"], take["labels"]) == (pytest.approx(10.5, abs=0.1), [])
    assert all(0 < len(steps) < 20 for steps in take["steps"])
    assert take["spans"][-1]["end"] == pytest.approx(take["seconds"], abs=0.05)

    said = spans(Label(3.0, 4.0, "bow"))
    assert ("bow", 3.0) in said
    assert ("walk", 4.0) in said
    assert read_labels(tmp_path / "00.glb") == (Label(3.0, 4.0, "bow"),)  # where the command line reads it
    known = open_character(str(tmp_path / "00.glb")).clips[0].footfalls.spans
    assert [span.label for span in known] == [label for label, _ in said]
    assert spans(Label(3.0, 4.0, "bow"), part=(1.0, 9.0)) != said
    assert read_labels(tmp_path / "00.glb") == (Label(4.0, 5.0, "bow"),)  # in seconds of the whole file
    assert spans() == read
    assert not (tmp_path / "00.labels.csv").exists()
    with pytest.raises(ValueError, match="no take is called 'cat'"):
        build(tmp_path, "bear.glb", corrections=Corrections(labels={"cat": ()}).to_table())


def test_labels_that_come_with_a_take_count_until_they_are_corrected(tmp_path: Path) -> None:
    take_file(tmp_path / "bear.glb")
    write_labels([Label(0.0, 1.0, "sniff")], tmp_path / "00.glb")
    (take,) = build(tmp_path, "bear.glb")["takes"]
    assert take["spans"][0]["label"] == "sniff"
    assert take["labels"] == [[0.0, 1.0, "sniff"]]
    (tmp_path / "00.labels.csv").write_text("start,end,label\n1,x,sniff\n")
    with pytest.raises(ValueError, match="no label") as broken:
        build(tmp_path, "bear.glb")
    files = [{"path": str(tmp_path / "00.glb"), "name": "bear.glb"}]
    words = worker._in_own_names(str(broken.value), files)
    assert "bear.labels.csv" in words
    assert str(tmp_path) not in words


def test_a_given_hip_height_is_the_same_on_the_page_on_the_command_line_and_in_a_file(tmp_path: Path) -> None:
    """Lengths and speeds grow with it, and times stay those of the recording."""
    path, target = tmp_path / "dog.glb", tmp_path / "own.canter"
    write(replace(DOG, skins=(triangle(DOG.skeleton),), metres_per_unit=1.0), path)

    def rows(found: Any) -> dict[str, tuple[float, float]]:
        return {row.cycle.name: (row.cycle.speed, row.cycle.seconds) for row in found}

    plain = build(tmp_path, "dog.glb")
    small = read_drivable("built.canter")
    assert isinstance(small, Drivable)
    on_page = rows(with_hip_height(small, 1.5).rows)
    table = Corrections(edits=(Edit("hip_height", metres=1.5),)).to_table()
    again = {g["name"]: (g["speed"], g["seconds"]) for g in build(tmp_path, "dog.glb", corrections=table)["gaits"]}
    by_option = rows(build_file([str(path)], target=target, hip_height=1.5)[1].rows)
    (tmp_path / "dog.anatomy.toml").write_text(f"{METRES} = 1.5\n")
    by_file = rows(build_file([str(path)], target=target)[1].rows)
    assert by_file == by_option
    assert list(by_option) == list(on_page) == list(again) == ["stand", "walk", "trot", "gallop"]  # was a canter
    for name, (speed, seconds) in by_option.items():
        assert on_page[name] == pytest.approx((speed, seconds), rel=1e-4)
        assert again[name] == pytest.approx((speed, seconds), abs=1e-3)
    grown = 1.5 / plain["hip_height"]
    for was, (speed, seconds) in zip(plain["gaits"], by_option.values(), strict=True):
        assert (was["speed"] * grown, was["seconds"]) == pytest.approx((speed, seconds), rel=1e-3)

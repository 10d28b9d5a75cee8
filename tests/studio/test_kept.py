"""Uploads that survive a restart: kept with their files, corrected, forgotten; a full shelf, and damaged entries."""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from canter.formats import write
from canter.formats.labels import Label, read_labels
from canter.studio.corrections import Corrections
from canter.studio.home import data_folder
from canter.studio.kept import DOCUMENT, WORK_PREFIX, Shelf
from canter.studio.limits import Full, Limits, Refused
from canter.studio.multipart import StoredFile
from canter.synthetic import example_animal

from .client import Client
from .files import take_file, triangle
from .running import Running, running

REPORT = {"name": "fox"}


@pytest.fixture(scope="module")
def glb(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path, dog = tmp_path_factory.mktemp("upload") / "dog.glb", example_animal(strides=2)
    write(replace(dog, skins=(triangle(dog.skeleton),)), path)
    return path.read_bytes()


@pytest.mark.parametrize(
    ("platform", "environ", "folder"),
    [
        ("linux", {}, "~/.local/share/canter"),
        ("linux", {"XDG_DATA_HOME": "/data"}, "/data/canter"),
        ("linux", {"XDG_DATA_HOME": "relative"}, "~/.local/share/canter"),
        ("darwin", {"XDG_DATA_HOME": "/data"}, "~/Library/Application Support/canter"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/canter"),
        ("linux", {"CANTER_HOME": "/own", "XDG_DATA_HOME": "/data"}, "/own"),
    ],
)
def test_the_folder_is_where_the_system_has_it(platform: str, environ: dict[str, str], folder: str) -> None:
    assert data_folder(environ, platform) == Path(folder).expanduser()


# With a server -----------------------------------------------------------------------------------


def send(house: Running, name: str, glb: bytes) -> dict[str, Any]:
    status, answer = house.upload((name, glb))
    assert status == 200, answer
    job = house.built(answer["job"])
    assert job["error"] is None
    return {"id": answer["job"], **job}


def animals(house: Running) -> dict[str, str]:
    return {animal["key"]: animal["summary"] for animal in json.loads(house.ask("/api/catalog")[1])["animals"]}


def test_a_restart_keeps_uploads_and_forget_removes_one(tmp_path: Path, glb: bytes) -> None:
    settings: dict[str, Any] = {"files": ("dog",), "home": tmp_path, "page": tmp_path / "nowhere"}
    with running(**settings) as house:
        fox, cat = send(house, "fox.glb", glb), send(house, "cat.glb", glb)
        folder = house.studio.shelf.find(fox["id"]).folder  # type: ignore[union-attr]
    assert (folder / "00.glb").read_bytes() == glb  # the source, so that a newer canter can build it anew
    assert not list(tmp_path.glob(f"uploads/{WORK_PREFIX}*"))
    for path in (tmp_path / "uploads", *tmp_path.glob("uploads/**/*")):
        assert path.stat().st_mode & 0o777 == (0o700 if path.is_dir() else 0o600), path

    with running(**settings) as house:
        assert animals(house)[fox["key"]] == "fox"
        again = json.loads(house.ask(f"/api/upload/{fox['id']}")[1])
        assert (again["key"], again["report"], again["done"]) == (fox["key"], fox["report"], True)

        async def look(page: Client) -> str:
            await page.send("command", speed=1.0)
            await page.until(lambda: page.actor.speed > 0.3)
            return str(page.scene["actors"][0]["name"])

        scene = {"actors": [{"animal": fox["key"], "controller": "gaits"}]}
        assert house.drive(look, scene) == "fox"  # a link to it works again

        status, answer = house.ask(f"/api/upload/{fox['id']}/correct", "POST", json.dumps({"turn_deg": 20}))
        assert status == 200
        turned = house.built(json.loads(answer)["job"])
        assert (turned["key"], turned["error"]) == (fox["key"], None)
        assert abs(abs(turned["report"]["facing_deg"] - fox["report"]["facing_deg"]) - 20) < 1

        assert house.ask(f"/api/upload/{cat['id']}", "DELETE")[0] == 200
        assert house.ask(f"/api/upload/{cat['id']}", "DELETE")[0] == 404
        assert cat["key"] not in animals(house)
        assert house.ask(f"/api/character/{cat['key']}.canter")[0] == 404

    with running(**settings) as house:
        assert set(animals(house)) & {fox["key"], cat["key"]} == {fox["key"]}
        again = json.loads(house.ask(f"/api/upload/{fox['id']}")[1])
        assert again["report"] == turned["report"]
    assert {path.name for path in (tmp_path / "uploads").iterdir()} == {fox["id"]}
    assert {path.name for path in folder.iterdir()} == {"00.glb", "built-2.canter", DOCUMENT}


def test_changes_of_gaits_and_size_are_kept(tmp_path: Path, glb: bytes) -> None:
    settings: dict[str, Any] = {"files": ("dog",), "home": tmp_path, "page": tmp_path / "nowhere"}

    def gaits(page: Client) -> set[str]:
        return set(page.scene["actors"][0]["capabilities"]["gaits"])

    def report(house: Running, name: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(house.ask(f"/api/upload/{name}")[1])["report"]
        return found

    with running(**settings) as house:
        fox = send(house, "fox.glb", glb)
        assert fox["report"]["size_guess"] is None  # a GLB is in metres

        async def play(page: Client) -> None:
            assert {"walk", "trot"} <= gaits(page)
            await page.send("edit", animal=fox["key"], do="rename", gait="trot", name="fox jog")
            await page.until(lambda: "fox jog" in gaits(page))
            assert page.scene["actors"][0]["glb"].endswith("revision=2")
            await page.send("edit", animal=fox["key"], do="action", gait="fox jog")
            await page.until(lambda: "fox jog" in page.scene["actors"][0]["capabilities"]["actions"])
            assert "fox jog" not in gaits(page)
            await page.send("edit", animal=fox["key"], do="gait", gait="fox jog")
            await page.until(lambda: "fox jog" in gaits(page))
            await page.send("edit", animal=fox["key"], do="hip_height", metres=1.5)
            await page.until(lambda: abs(page.scene["actors"][0]["hip_height"] - 1.5) < 1e-6)
            for gait in gaits(page) - {"fox jog"}:
                await page.send("edit", animal=fox["key"], do="drop", gait=gait)
            await page.until(lambda: gaits(page) == {"fox jog"})
            assert not page.errors()
            for wrong in ({"do": "drop", "gait": "fox jog"}, {"do": "drop", "gait": "x"}, {"do": "fly"}, {}):
                count = len(page.errors())
                await page.send("edit", animal=fox["key"], **wrong)
                await page.until(lambda count=count: len(page.errors()) > count)
            await page.send("edit", animal="dog", do="drop", gait="trot")
            await page.until(lambda: "only animals that were dropped" in page.errors()[-1])

        house.drive(play, {"actors": [{"animal": fox["key"], "controller": "gaits"}]})
        assert [gait["name"] for gait in report(house, fox["id"])["gaits"] if gait["speed"]] == ["fox jog"]

    with running(**settings) as house:
        told = report(house, fox["id"])
        assert [gait["name"] for gait in told["gaits"] if gait["speed"]] == ["fox jog"]
        assert told["hip_height"] == pytest.approx(1.5)
        status, answer = house.ask(f"/api/upload/{fox['id']}/correct", "POST", json.dumps({"turn_deg": 0}))
        again = house.built(json.loads(answer)["job"])["report"]
        assert (status, again["gaits"]) == (200, told["gaits"])  # what is built anew has the changes too


def test_labels_of_a_take_are_kept_beside_it(tmp_path: Path) -> None:
    settings: dict[str, Any] = {"files": ("dog",), "home": tmp_path / "home", "page": tmp_path / "nowhere"}
    take = take_file(tmp_path / "bear.glb").read_bytes()

    def labels(job: dict[str, Any]) -> list[str]:
        (found,) = job["report"]["takes"]
        return [span["label"] for span in found["spans"]]

    def correct(house: Running, table: Any) -> tuple[int, dict[str, Any]]:
        status, answer = house.ask(f"/api/upload/{answer_id}/correct", "POST", json.dumps(table))
        return status, json.loads(answer)

    with running(**settings) as house:
        assert "without its take" in house.upload(("cat.glb", take), ("bear.labels.csv", b""))[1]["error"]
        assert house.upload(("bear.glb", take), ("notes.csv", b""))[0] == 422
        status, answer = house.upload(("bear.labels.csv", b"start,end,label\n0,1,sniff\n"), ("bear.glb", take))
        answer_id = answer["job"]
        assert (status, labels(house.built(answer_id))[0]) == (200, "sniff")
        folder = house.studio.shelf.find(answer_id).folder  # type: ignore[union-attr]
        for wrong in WRONG_LABELS:
            status, answer = correct(house, {"labels": wrong})
            assert (status, "label" in answer["error"]) == (422, True), wrong
        _, answer = correct(house, {"labels": {"cat": []}})
        assert "no take is called 'cat'" in house.built(answer["job"])["error"]
        assert (folder / "01.labels.csv").is_file()  # what failed changes nothing
        _, answer = correct(house, {"labels": {"bear": [[2.5, 6.0, "trot"], [6.0, 6.5, "a bow, of sorts"]]}})
        corrected = house.built(answer["job"])
        assert {"trot", "a bow, of sorts"} < set(labels(corrected))
        assert "sniff" not in labels(corrected)
    assert read_labels(folder / "01.glb") == (Label(2.5, 6.0, "trot"), Label(6.0, 6.5, "a bow, of sorts"))
    assert (folder / "01.labels.csv").stat().st_mode & 0o777 == 0o600

    with running(**settings) as house:
        again = json.loads(house.ask(f"/api/upload/{answer_id}")[1])
        assert again["report"] == corrected["report"]
        _, answer = correct(house, {"labels": {"bear": []}})
        assert not {"trot", "sniff"} & set(labels(house.built(answer["job"])))
    assert not list(folder.glob("*.csv"))


WRONG_LABELS: tuple[Any, ...] = (
    [1],
    {"bear": 3},
    {"bear": [[0, 1]]},
    {"bear": [[0, 1, 2]]},
    {"bear": [["0", 1, "walk"]]},
    {"bear": [[1, 0, "walk"]]},
    {"bear": [[1, 1, "walk"]]},
    {"bear": [[-1, 1, "walk"]]},
    {"bear": [[0, 1e9, "walk"]]},
    {"bear": [[0, 1, " "]]},
    {"bear": [[0, 1, "walk\n2,3,trot"]]},
    {"bear": [[0, 1, "w" * 41]]},
    {"bear": [[0, 1, "\ud800"]]},
    {"\ud800": [[0, 1, ""]]},
    {"b" * 201: []},
    {"bear": ["abc"]},
    {"bear": [[0, 1, "walk"]] * 1001},
)


def test_a_full_library_refuses_and_a_damaged_animal_says_so(tmp_path: Path, glb: bytes) -> None:
    limits = Limits(stored_uploads=1)
    with running(files=("dog",), home=tmp_path, limits=limits, page=tmp_path / "nowhere") as house:
        fox = send(house, "fox.glb", glb)
        status, answer = house.upload(("cat.glb", glb))
        assert status == 507
        assert "forget" in answer["error"]
        assert fox["key"] in animals(house)

        path = house.studio.shelf.find(fox["id"]).path  # type: ignore[union-attr]
        path.write_bytes(path.read_bytes()[:1000])
        house.studio.library.remove(fox["key"])

        async def play() -> str:
            async with house.page() as page:
                await page.ready()
                await page.send("scene", actors=[{"animal": fox["key"], "controller": "gaits"}])
                await page.until(page.errors)
                return page.errors()[-1]

        said = asyncio.run(play())
        assert "fox is damaged" in said
        assert str(tmp_path) not in said


def test_too_long_a_build_offers_a_part_and_a_command(tmp_path: Path, glb: bytes) -> None:
    with running(files=("dog",), home=tmp_path, limits=Limits(build_seconds=0.2), page=tmp_path / "nowhere") as house:
        status, answer = house.upload(("long take.glb", glb))
        assert status == 200
        job = house.built(answer["job"])
        assert "canter studio 'long take.glb'" in job["error"]
        assert job["remedy"] == {"part": [0.0, 30.0], "command": "canter studio 'long take.glb'"}


def test_a_part_of_a_take_is_read() -> None:
    dog = example_animal(strides=2)
    clip = dog.clips[0]
    part = Corrections(part=(0.25, 0.5)).shortened(replace(dog, clips=(clip,))).clips[0]
    assert len(part) == round(0.5 * clip.frame_rate) - round(0.25 * clip.frame_rate) + 1
    assert (part.positions[0] == clip.positions[round(0.25 * clip.frame_rate)]).all()
    with pytest.raises(ValueError, match="begin the part earlier"):
        Corrections(part=(1e4, 2e4)).shortened(dog)


# The shelf alone ---------------------------------------------------------------------------------


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    found = Shelf(tmp_path, Limits(stored_uploads=3))
    yield found
    found.close()


def keep(shelf: Shelf, name: str, report: dict[str, Any] = REPORT) -> Path:
    folder = shelf.work_folder() / name
    folder.mkdir()
    (folder / "00.glb").write_bytes(b"source")
    (folder / "built.canter").write_bytes(b"first")
    (folder / "scratch.tmp").write_bytes(b"of a library")
    return shelf.add(folder, [StoredFile(folder / "00.glb", "fox.glb")], Corrections(), report, "built.canter").folder


NAMES = [f"{k:016x}" for k in range(4)]


def test_damaged_entries_are_skipped_and_named(shelf: Shelf, tmp_path: Path) -> None:
    whole, cut, other = (keep(shelf, name) for name in NAMES[:3])
    (cut / DOCUMENT).write_text((cut / DOCUMENT).read_text()[:40])
    table = json.loads((other / DOCUMENT).read_text())
    (tmp_path / "secret.canter").write_bytes(b"secret")
    for built in ("../../secret.canter", "built-9.canter", "/etc/passwd"):
        (other / DOCUMENT).write_text(json.dumps({**table, "built": built}))
        os.utime(other / DOCUMENT, ns=(0, time.time_ns()))
        kept, problems = shelf.entries()
        assert [entry.folder for entry in kept] == [whole]
        assert [str(cut) in problems[0], str(other) in problems[1]] == [True, True] or str(cut) in problems[1]
        with pytest.raises(Refused, match="damaged"):
            shelf.find(other.name)
    assert shelf.forget(other.name)  # also what is damaged can be got rid of
    with pytest.raises(Refused):
        shelf.find(cut.name)
    assert shelf.find("../uploads") is None


def test_a_folder_that_cannot_be_written_is_named_with_a_remedy(tmp_path: Path, glb: bytes) -> None:
    (tmp_path / "file").write_text("no folder")
    with running(files=("dog",), home=tmp_path / "file", page=tmp_path / "nowhere") as house:
        status, answer = house.upload(("fox.glb", glb))
    assert status == 507
    assert "CANTER_HOME" in answer["error"]


def test_a_full_shelf_never_evicts(shelf: Shelf) -> None:
    folders = [keep(shelf, name) for name in NAMES[:3]]
    with pytest.raises(Full, match="3 animals"):
        keep(shelf, NAMES[3])
    assert [entry.folder for entry in shelf.entries()[0]] == folders


def test_what_is_not_finished_is_no_entry_and_is_cleared_away(shelf: Shelf, tmp_path: Path) -> None:
    folder = keep(shelf, NAMES[0])
    left = tmp_path / "uploads" / f"{WORK_PREFIX}crashed"
    (left / NAMES[1]).mkdir(parents=True)
    assert [entry.folder for entry in Shelf(tmp_path, Limits()).entries()[0]] == [folder]
    young = Shelf(tmp_path, Limits())
    young.work_folder()
    assert left.exists()  # another server may be at work in it
    young.close()
    os.utime(left, (0, 0))
    later = Shelf(tmp_path, Limits())
    later.work_folder()
    assert not left.exists()
    later.close()


def test_a_crash_while_an_entry_changes_leaves_it_whole(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = keep(shelf, NAMES[0])
    before = shelf.find(NAMES[0])
    assert before is not None
    new = shelf.work_folder() / "new.canter"

    def crash(path: Path, table: object) -> None:
        raise OSError("the power went")

    with monkeypatch.context() as patched:
        patched.setattr("canter.studio.kept._write", crash)
        new.write_bytes(b"second")
        with pytest.raises(OSError, match="power"):
            shelf.change(before, new, Corrections(turn_deg=90.0), {"name": "wolf"})
    assert Shelf(folder.parents[1], Limits()).find(NAMES[0]) == before
    assert before.path.read_bytes() == b"first"
    new.write_bytes(b"second")
    after = shelf.change(before, new, Corrections(turn_deg=90.0), {"name": "wolf"})
    assert Shelf(folder.parents[1], Limits()).find(NAMES[0]) == after
    assert after.path.read_bytes() == b"second"
    assert sorted(path.name for path in folder.iterdir()) == ["00.glb", "built-2.canter", DOCUMENT]

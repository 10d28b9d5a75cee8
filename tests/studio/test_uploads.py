"""Files that become animals: built in a child process, driven, corrected; and those that do not."""

from __future__ import annotations

import errno
import io
import json
import os
import re
import struct
import time
import urllib.request
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from canter.control.ride import parse_script
from canter.formats import write
from canter.studio.multipart import Form
from canter.synthetic import example_animal

from .client import Client
from .files import triangle
from .running import Running


@pytest.fixture(scope="module")
def glb(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The example animal with a mesh, if only of one triangle."""
    path, dog = tmp_path_factory.mktemp("upload") / "dog.glb", example_animal(strides=2)
    write(replace(dog, skins=(triangle(dog.skeleton),)), path)
    return path.read_bytes()


def test_an_upload_is_built_driven_and_corrected(house: Running, glb: bytes) -> None:
    status, uploaded = house.upload(("../../etc/pass wd.glb", glb))
    assert status == 200, uploaded
    job = house.built(uploaded["job"])
    assert job["error"] is None
    report = job["report"]
    assert report["name"] == "pass wd"
    assert [leg["name"] for leg in report["legs"]] == ["LF", "RF", "LH", "RH"]
    assert 0.2 < report["hip_height"] < 1.0
    assert {"walk", "trot"} <= {gait["gait"] for gait in report["gaits"]}
    key = job["key"]
    assert key in house.ask("/api/catalog")[1].decode()
    status, body = house.ask(f"/api/character/{key}.glb")
    assert (status, body[:4]) == (200, b"glTF")
    status, kept = house.ask(f"/api/character/{key}.canter")
    assert (status, kept[:2]) == (200, b"PK")

    async def play(page: Client) -> str:
        await page.send("record", on=True)
        await page.send("command", speed=1.0, heading=0.0)
        await page.run(60)
        assert page.scene["actors"][0]["name"] == "pass wd"
        assert page.actor.place[2] > 0.3
        await page.send("record", on=False)
        await page.until(lambda: [t for t in page.texts if t["type"] == "recorded"])
        return str(page.hello["stage"])

    stage = house.drive(play, {"actors": [{"animal": key, "controller": "gaits"}]})
    script = house.ask(f"/api/stage/{stage}/ride.toml")[1].decode()
    assert script.startswith("# canter synth 'pass wd.canter' --script ride.toml")  # the file as it is downloaded
    assert parse_script(script).character == "pass wd.canter"

    legs = {leg["name"]: leg["joints"] for leg in report["legs"]}
    shorter = {**legs, "LF": legs["LF"][1:], "RF": legs["RF"][1:]}
    content = json.dumps({"legs": {name: shorter[name] for name in ("LF", "RF")}})
    status, answer = house.ask(f"/api/upload/{uploaded['job']}/correct", "POST", content)
    assert status == 200, answer
    corrected = house.built(json.loads(answer)["job"])
    assert corrected["error"] is None
    assert corrected["key"] == key  # so that links lead to the corrected animal
    anatomy = house.studio.library.character(corrected["key"]).anatomy
    names = house.studio.library.character(corrected["key"]).skeleton.names
    assert {leg.name: [names[j] for j in leg.joints] for leg in anatomy.legs} == shorter

    async def look(page: Client) -> str:
        return str(page.scene["actors"][0]["glb"])

    scene = {"actors": [{"animal": key, "controller": "gaits"}]}
    assert house.drive(look, scene).endswith("&revision=2")  # a page must not show the body that it has
    for wrong in ({"legs": {"LF": 3}}, {"legs": {"XX": "a"}}, {"wings": 2}, {"turn_deg": "much"}, [1]):
        assert house.ask(f"/api/upload/{uploaded['job']}/correct", "POST", json.dumps(wrong))[0] == 422


@cache
def zip_bomb() -> bytes:
    """A small zip whose entries are large."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        archive.writestr("character.json", b"[" * 50_000_000)
        archive.writestr("clips/000.positions.npy", b"\0" * 300_000_000)
    return content.getvalue()


def glb_bomb() -> bytes:
    """A GLB that promises more than it has."""
    document = json.dumps(
        {
            "asset": {"version": "2.0"},
            "buffers": [{"byteLength": 1 << 40}],
            "bufferViews": [{"buffer": 0, "byteLength": 1 << 40}],
            "accessors": [{"bufferView": 0, "componentType": 5126, "count": 1 << 36, "type": "VEC4"}],
            "nodes": [{"name": "a"}],
            "animations": [{"samplers": [{"input": 0, "output": 0}], "channels": []}],
            "scenes": [{"nodes": [0]}],
        }
    ).encode()
    document += b" " * (-len(document) % 4)
    head = struct.pack("<4sII", b"glTF", 2, 20 + len(document))
    return head + struct.pack("<II", len(document), 0x4E4F534A) + document


def outside() -> bytes:
    """A glTF whose buffer is a file of the server's."""
    buffers = [{"uri": "../../../../etc/passwd", "byteLength": 10}]
    return json.dumps({"asset": {"version": "2.0"}, "buffers": buffers}).encode()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("bomb.canter", zip_bomb),
        ("bomb.glb", glb_bomb),
        ("bomb2.glb", zip_bomb),
        ("noise.bvh", lambda: b"HIERARCHY\n" + b"ROOT a {" * 20_000),
        ("outside.gltf", outside),
        ("empty.npz", bytes),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_bad_files_are_refused_in_words(house: Running, name: str, content: Callable[[], bytes]) -> None:
    status, answer = house.upload((name, content()))
    assert status == 200
    job = house.built(answer["job"])
    assert job["error"]
    assert job["key"] is None
    assert str(house.studio.shelf.work_folder()) not in job["error"]
    assert "root:" not in job["error"]


def test_what_is_no_upload(house: Running, glb: bytes) -> None:
    assert house.upload(("evil.py", b"print()"))[0] == 422
    assert house.upload(("evil.glb/../x.sh", b"print()"))[0] == 422
    assert house.upload(*((f"{k}.glb", b"x") for k in range(41)))[0] == 413
    assert house.upload()[0] == 422
    assert house.ask("/api/upload", "POST", b"{}", {"Content-Type": "application/json"})[0] == 422
    broken = {"Content-Type": "multipart/form-data; boundary=x"}
    assert house.ask("/api/upload", "POST", b"--y\r\n" * 100, broken)[0] == 422
    assert house.ask("/api/upload/none")[0] == 404
    assert house.ask("/api/upload/none/correct", "POST", b"{}")[0] == 404


def _kept(house: Running) -> int:
    """Bytes of models in the work folder."""
    return sum(path.stat().st_size for path in house.studio.shelf.work_folder().rglob("*.glb") if path.exists())


def test_a_huge_upload_is_cut_off(house: Running) -> None:
    """500 MB of zeros without a length, as they come: refused while they do, and nothing of it stays."""
    memory = _resident()
    sent = 0

    def zeros() -> Iterator[bytes]:
        nonlocal sent
        yield b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.glb"\r\n\r\n'
        for _ in range(500):
            sent += 1
            yield bytes(1_000_000)

    status = 413
    try:
        status, _ = house.ask("/api/upload", "POST", zeros(), {"Content-Type": "multipart/form-data; boundary=x"})
    except (BrokenPipeError, ConnectionResetError):  # it may hang up before all is sent
        assert sent < 500
    assert status == 413
    assert _resident() - memory < 120e6
    end = time.monotonic() + 10  # it may hang up before it clears away
    while (left := _kept(house)) >= 70e6 and time.monotonic() < end:
        time.sleep(0.05)
    assert left < 70e6
    length = {"Content-Type": "multipart/form-data; boundary=x", "Content-Length": "500000000"}
    assert house.ask("/api/upload", "POST", b"--x", length)[0] == 413


def test_a_full_disk_leaves_nothing_behind(house: Running, glb: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    before = set(house.studio.shelf.work_folder().iterdir())

    def write_half(form: Form, data: bytes, start: int, end: int) -> None:
        (file,) = form.files
        file.path.write_bytes(data[start : (start + end) // 2])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patched:
        patched.setattr(Form, "_write_data", write_half)
        status, answer = house.upload(("a.glb", glb))
    assert status == 507
    assert "free some space" in answer["error"]
    assert set(house.studio.shelf.work_folder().iterdir()) == before
    status, answer = house.upload(("a.glb", glb))
    assert status == 200
    assert house.built(answer["job"])["error"] is None


def test_a_build_ends_when_nobody_asks(house: Running, glb: bytes) -> None:
    """The child of an upload that is not asked about is ended."""
    limits = house.studio.settings.limits
    status, answer = house.upload(("a.glb", glb))
    assert status == 200
    job = house.studio.uploads._jobs[answer["job"]]
    job.polled_at -= limits.poll_seconds + 1
    end = time.monotonic() + 20
    while not job.done:
        assert time.monotonic() < end
        time.sleep(0.02)
    assert job.error is not None
    assert "nobody" in job.error


def test_many_at_once_wait_or_are_sent_away(house: Running) -> None:
    answers = [house.upload(("a.glb", b"x")) for _ in range(8)]
    assert {status for status, _ in answers} == {200, 429}
    for status, answer in answers:
        if status == 200:
            assert house.built(answer["job"])["error"]
    assert house.upload(("a.glb", b"x"))[0] == 200


def test_no_name_becomes_a_path(house: Running, tmp_path: Path) -> None:
    """Whatever a file is called, it lies in its folder under a name of the server's own."""
    stray = f"stray-{os.getpid()}-{time.monotonic_ns()}.glb"
    home = house.studio.shelf.work_folder()
    for name in (
        f"../../{stray}",
        f"/etc/{stray}",
        f"..\\..\\{stray}",
        f"{tmp_path}/{stray}",
        f"\x00{stray}",
        f"é狐/{stray}",
    ):
        status, answer = house.upload((name, b"x"))
        assert status == 200, answer
        error = house.built(answer["job"])["error"]
        assert stray in error  # its owner's name is only shown
        assert str(home) not in error
    for folder in (Path("/etc"), tmp_path, Path.cwd(), Path.cwd().parent, home, home.parent, home.parent.parent):
        assert not (folder / stray).exists()
    assert all(re.fullmatch(r"[0-9a-f]{16}", path.name) for path in home.iterdir())
    names = {path.name for path in home.glob("*/*") if not path.is_dir()}
    assert all(re.fullmatch(r"\d\d\.[a-z]+|job\.json|built\.canter", name) for name in names), names


def test_a_download_has_its_owners_name_and_no_other_header(house: Running, glb: bytes) -> None:
    status, answer = house.upload(("a狐; x=1.glb", glb))
    assert status == 200
    key = house.built(answer["job"])["key"]
    with urllib.request.urlopen(f"http://127.0.0.1:{house.port}/api/character/{key}.canter") as answer:
        assert answer.headers["content-disposition"] == "attachment; filename*=utf-8''a%E7%8B%90%3B%20x%3D1.canter"


def _resident() -> int:
    text = Path("/proc/self/statm")
    return int(text.read_text().split()[1]) * 4096 if text.is_file() else 0

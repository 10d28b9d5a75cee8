"""Rides that were recorded: as files that canter reads back, and as scripts that replay to the same frames."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from canter.control.play import ride_script
from canter.control.ride import parse_script
from canter.formats import read
from canter.motion import forward

from .client import Client, Frame
from .running import Running


def test_a_recording_is_downloaded_and_replays(house: Running, tmp_path: Path) -> None:
    last_frames: list[Frame] = []

    async def play(page: Client) -> str:
        await page.send("command", speed=1.0, heading=0.4)
        await page.run(20)
        status, _ = house.ask(f"/api/stage/{page.hello['stage']}/ride.glb")
        assert status == 404  # nothing yet
        await page.send("record", on=True)
        await page.until(lambda: page.scene["recording"] and page.last.flags & 2)
        assert abs(page.actor.place[2]) < 0.05  # it begins at the start, so that its script replays
        await page.send("command", speed=1.0, heading=0.5, style={})
        await page.run(30)
        await page.send("go_to", x=1.0, z=3.0, speed=1.4)
        await page.run(40)
        await page.send("command", speed=2.0, heading=-0.3)
        await page.run(25)
        await page.send("pause", on=True)
        await page.until(lambda: page.last.flags & 1)
        last_frames.append(page.last)
        await page.send("record", on=False)
        recorded = await page.until(lambda: [t for t in page.texts if t["type"] == "recorded"])
        assert recorded[0]["seconds"] == pytest.approx(last_frames[0].number / 60)
        assert recorded[0]["actors"] == [0]
        return str(page.hello["stage"])

    stage = house.drive(play, {"actors": [{"animal": "dog", "size": 1.2}]})
    count = last_frames[0].number
    files = {}
    for kind in ("glb", "bvh", "toml"):
        status, files[kind] = house.ask(f"/api/stage/{stage}/ride.{kind}?actor=0")
        assert status == 200, files[kind]
        (tmp_path / f"ride.{kind}").write_bytes(files[kind])
    for kind in ("glb", "bvh"):
        (motion,) = read(tmp_path / f"ride.{kind}").clips
        assert len(motion) == count
    asset = read(tmp_path / "ride.glb")
    assert asset.skins
    ride = ride_script(parse_script(files["toml"].decode()))
    replayed = ride.clip().motion
    order = [asset.skeleton.index(name) for name in ride.character.skeleton.names]  # a file has its own order
    assert np.allclose(asset.clips[0].positions[-1, order], last_frames[0].actors[0].positions, atol=1e-5)
    assert len(replayed) == count
    assert np.array_equal(replayed.positions[-1].astype(np.float32), last_frames[0].actors[0].positions)
    ends = [forward(m.skeleton, m.positions[-1], m.rotations[-1])[0] for m in (replayed, asset.clips[0])]
    assert np.allclose(ends[0], ends[1][order], atol=1e-3)
    for wrong in ("ride.exe", "other.glb", "ride.glb?actor=3", "ride.glb?actor=-1", "ride.glb?actor=x"):
        assert house.ask(f"/api/stage/{stage}/{wrong}")[0] == 404


def test_a_moving_picture(house: Running) -> None:
    async def play(page: Client) -> str:
        await page.send("record", on=True)
        await page.send("command", speed=1.0)
        await page.run(24)
        await page.send("record", on=False)
        await page.until(lambda: [t for t in page.texts if t["type"] == "recorded"])
        return str(page.hello["stage"])

    status, content = house.ask(f"/api/stage/{house.drive(play)}/ride.gif")
    assert status == 200
    with Image.open(io.BytesIO(content)) as picture:
        assert picture.n_frames > 5  # type: ignore[attr-defined]
        assert len(content) < 20_000 * picture.n_frames + 20_000  # type: ignore[attr-defined]


def test_uneven_ground_beside_the_middle_has_no_script(house: Running) -> None:
    async def play(page: Client) -> str:
        await page.send("record", on=True)
        await page.run(5)
        await page.send("record", on=False)
        await page.until(lambda: [t for t in page.texts if t["type"] == "recorded"])
        return str(page.hello["stage"])

    scene = {"actors": [{"animal": "dog"}, {"animal": "dog"}], "terrain": {"terrain": "rolling"}}
    stage = house.drive(play, scene)
    assert house.ask(f"/api/stage/{stage}/ride.toml?actor=0")[0] == 200
    status, content = house.ask(f"/api/stage/{stage}/ride.toml?actor=1")
    assert status == 422
    assert b"alone" in content

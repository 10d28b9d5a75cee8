"""`canter studio` as it is started: the address, a port that is taken, files, a script, Ctrl-C, a page or none."""

from __future__ import annotations

import asyncio
import json
import runpy
import signal
import socket
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from canter.cli import main
from canter.control.ride import read_script
from canter.control.script import Cue, Script
from canter.formats import write
from canter.synthetic import example_animal

from .client import Client
from .files import triangle
from .running import Running, running

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


def test_the_command_starts_and_ends(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        command = [sys.executable, "-m", "canter", "studio", "--no-browser", "--port", str(port)]
        child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert child.stdout is not None
        assert "taken" in child.stdout.readline()
        line = child.stdout.readline()
        assert "http://127.0.0.1:" in line
        number = int(line.split("127.0.0.1:")[1].split("/")[0])
        assert number > port

        async def play() -> None:
            async with Client(f"ws://127.0.0.1:{number}/ws") as page:
                await page.ready()
                await page.send("command", speed=1.5)
                await page.until(lambda: page.actor.speed > 0.05)

        asyncio.run(play())
        child.send_signal(signal.SIGINT)
        assert child.wait(10) == 0


def test_without_a_page_it_says_how_to_build_it(house: Running, tmp_path: Path) -> None:
    status, content = house.ask("/")
    assert status == 200
    assert b"make page" in content
    page = house.studio.settings.page
    (page / "assets").mkdir()
    (page / "index.html").write_text("<h1>here</h1>")
    (page / "assets" / "a.js").write_text("1")
    try:
        assert house.ask("/")[1] == b"<h1>here</h1>"
        assert house.ask("/assets/a.js")[1] == b"1"
        assert house.ask("/assets/b.js")[0] == 404
    finally:
        (page / "index.html").unlink()


def test_files_and_a_script(tmp_path: Path) -> None:
    from canter.anatomy.character_file import save_character
    from canter.control.registry import load

    dog = load("dog")
    save_character(dog, tmp_path / "rex.canter")
    script = Script("rex.canter", "gaits", cues=(Cue(0.0, {"speed": 1.0, "heading": 0.6}),), seconds=1.0)
    with running(files=(str(tmp_path / "rex.canter"),), script=script, page=tmp_path / "nowhere") as house:
        assert house.ask("/assets/a.js")[0] == 404
        assert b"make page" in house.ask("/")[1]

        async def play() -> None:
            async with house.page() as page:
                await page.ready()
                assert page.scene["actors"][0]["name"] == "rex"
                await page.until(lambda: page.last.number > 45)
                assert page.actor.scalars[7] == 1.0
                assert page.actor.facing > 0.2
                await page.until(lambda: page.last.number > 70)
                assert page.actor.scalars[7] == 0.0  # the script is over

        asyncio.run(play())


def test_what_cannot_be_started(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "ride.toml").write_text('character = "dog"\nwings = 2\n')
    for arguments, words in (
        (["nowhere.glb"], "neither a file nor an animal"),
        (["--script", str(tmp_path / "none.toml")], "no such script"),
        (["--script", str(tmp_path / "ride.toml")], "wings"),
        (["--port", "99999"], "65535"),
        (["--host", "192.0.2.1"], "cannot be used"),
    ):
        with pytest.raises(SystemExit) as left:
            main(["studio", "--no-browser", *arguments])
        assert left.value.code == 1
        assert words in capsys.readouterr().err


def test_the_examples_can_be_played() -> None:
    for path in (Path(__file__).parents[2] / "examples" / "scripts").glob("*.toml"):
        assert json.dumps(read_script(path).character)


def test_the_benchmark_measures_it() -> None:
    found = {row.what: row for row in runpy.run_path(str(BENCHMARKS / "serving.py"))["studio"](seconds=1.5)}
    assert found["from a command to its pose"].value == 1
    assert len(found) == 4


def test_the_benchmark_times_an_upload_by_its_stages(tmp_path: Path) -> None:
    bench, example = runpy.run_path(str(BENCHMARKS / "uploading.py")), example_animal(strides=2)
    write(replace(example, skins=(triangle(example.skeleton),)), tmp_path / "clips.glb")
    stages = bench["measure"](tmp_path / "clips.glb")
    assert set(stages) == set(bench["STAGES"])
    assert all(seconds > 0 for stage, seconds in stages.items() if stage != "skinning")
    assert stages["skinning"] == 0

"""README and docs: every `canter` command in a shell block runs and leaves with 0, and every Python block runs."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from canter.cli import main
from canter.formats import write
from canter.motion import Asset
from canter.synthetic import example_animal

ROOT = Path(__file__).parents[1]
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md"), *ROOT.glob("*/README.md")])
TESTED_ELSEWHERE = {"motion.md", "control.md", "pictures.md"}
"""Pages whose Python is run by the tests of their own rooms."""
RUN_ELSEWHERE = {"canter evaluate rigs --quick": ROOT / "tests" / "evaluation" / "rigs" / "test_topic.py"}
"""Commands that the tests of their own rooms run, because they take long."""
PICTURES = [path for path in (ROOT / "docs" / "pictures").rglob("*") if path.is_file()]
SHELL = re.compile(r"[|<>&;$`*]")


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text("utf-8"), re.DOTALL | re.MULTILINE)


def commands(page: Path) -> Iterator[str]:
    for block in blocks(page, "sh"):
        for line in block.replace("\\\n", " ").splitlines():
            command = line.split(" # ")[0].strip().removeprefix("$ ")
            if command.startswith("canter "):
                yield command


@pytest.fixture(scope="session")
def animal() -> Asset:
    return example_animal(strides=2)


@pytest.fixture
def folder(tmp_path: Path, animal: Asset, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the files that the pages speak of, all of them the example animal."""
    monkeypatch.chdir(tmp_path)
    for name in ("your_animal.glb", "fox.glb", "dog.glb"):
        write(animal, tmp_path / name)
    write(Asset(animal.skeleton, (animal.clip("trot"),)), tmp_path / "dog.bvh")
    (tmp_path / "takes").mkdir()
    for name in ("walk", "trot"):
        write(Asset(animal.skeleton, (animal.clip(name),)), tmp_path / "takes" / f"{name}.npz")
    return tmp_path


def run(command: str) -> None:
    """In this process where that is the same, which is quicker; in a shell where the command needs one."""
    if SHELL.search(command):
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
        subprocess.run(command, shell=True, check=True, env={**os.environ, "PATH": path})
        return
    with pytest.raises(SystemExit) as left:
        main(shlex.split(command)[1:])
    assert not left.value.code, command


@pytest.mark.parametrize("page", [p for p in PAGES if list(commands(p))], ids=lambda p: p.stem)
def test_its_commands_run(page: Path, folder: Path) -> None:
    for ride in blocks(page, "toml"):
        if "[[at]]" in ride:
            (folder / "ride.toml").write_text(ride, "utf-8")
        elif "[[run]]" in ride:
            (folder / "sweep.toml").write_text(ride, "utf-8")
    for command in commands(page):
        if command in RUN_ELSEWHERE:
            assert command in RUN_ELSEWHERE[command].read_text("utf-8")
        else:
            run(command)


@pytest.mark.parametrize(
    "page", [p for p in PAGES if p.name not in TESTED_ELSEWHERE and blocks(p, "python")], ids=lambda p: p.stem
)
def test_its_code_runs(page: Path, folder: Path) -> None:
    exec(compile("\n".join(blocks(page, "python")), str(page), "exec"), {})


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CHANGELOG.md"], ids=lambda p: p.stem)
def test_its_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text("utf-8")):
        if not target.startswith(("http://", "https://")):
            assert (page.parent / target).exists(), f"{page.name} points at {target}"


def test_every_page_is_in_the_index() -> None:
    index = (ROOT / "docs" / "index.md").read_text("utf-8")
    for page in (ROOT / "docs").glob("*.md"):
        assert page.name == "index.md" or f"({page.name})" in index, f"{page.name} is not in the index"


def test_every_example_is_in_the_index() -> None:
    index = (ROOT / "docs" / "index.md").read_text("utf-8")
    for example in (ROOT / "examples").glob("*.py"):
        assert example.name in index


def test_pictures_are_small() -> None:
    sizes = {path: path.stat().st_size for path in PICTURES}
    assert len(sizes) > 50
    assert {path.name: size for path, size in sizes.items() if size > 400_000} == {}
    assert sum(sizes.values()) < 12_000_000


def test_every_picture_is_on_a_page() -> None:
    shown = {
        (page.parent / target).resolve()
        for page in PAGES
        for target in re.findall(r"!\[[^]]*\]\(([^)]+)\)", page.read_text("utf-8"))
        if not target.startswith("http")
    }
    assert sorted(path.name for path in set(PICTURES) - shown) == []


def test_the_schema_names_every_key() -> None:
    from canter.anatomy import understand
    from canter.anatomy.report import report

    page = (ROOT / "docs" / "inspect.md").read_text("utf-8")
    found = report(understand(example_animal(strides=4)))
    for key in [*found, *found["clips"][0]]:
        assert f"`{key}`" in page, f"docs/inspect.md does not explain {key}"

"""The numbered examples run, say what they show, and leave their files where they are told."""

from __future__ import annotations

import ast
import runpy
import sys
from pathlib import Path

import pytest

from canter.control import registry

EXAMPLES = sorted((Path(__file__).parents[1] / "examples").glob("*.py"))
LEAVES = {
    "01_first_minute": {"first_minute.png"},
    "02_report_and_correct": {"dog.glb", "dog.anatomy.toml"},
    "03_clean_a_clip": {"clean.glb", "clean.png"},
    "04_follow_a_path": {"slalom.png", "slalom.glb"},
    "05_drive_a_horse": {"horse.glb"},
    "06_build_and_drive": {"fox.canter", "fox.glb"},
    "07_a_crowd": {"crowd.png"},
    "08_your_own_controller": {"own_controller.png"},
}


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_it_runs(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", [str(path), str(tmp_path)])
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr(registry, "_shelves", {shelf: dict(names) for shelf, names in registry._shelves.items()})
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(path), run_name="__main__")
    assert {p.name for p in tmp_path.iterdir()} >= LEAVES.get(path.stem, set())


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_it_has_a_title_and_a_list_of_features(path: Path) -> None:
    docstring = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
    title, _, features = docstring.partition("\n\n")
    assert title.endswith(".")
    assert len([line for line in features.splitlines() if line.startswith("- ")]) >= 2


def test_they_are_numbered() -> None:
    assert [int(path.stem[:2]) for path in EXAMPLES] == list(range(1, len(EXAMPLES) + 1))

"""The order of the rooms, and what it costs to open the door: imports point upwards, and the base import is light."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "canter"
ROOMS = (
    "motion",
    "formats",
    "anatomy",
    "synthetic",
    "cleaning",
    "body",
    "animals",
    "pictures",
    "control",
    "footing",
    "cycles",
    "neural",
    "physics",
    "navigation",
    "evaluation",
    "studio",
    "cli",
)
"""From the top of the house down; a room imports only from itself and from rooms before it."""
LAZY_DOORS = {("anatomy/character.py", "control")}
"""Character.controller, which finds controllers by name."""


def files() -> list[Path]:
    return sorted(path for path in SOURCE.rglob("*.py") if path.parent != SOURCE)


def room_of(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def imported(path: Path) -> Iterator[tuple[int, str]]:
    """Line and dotted name of everything of canter's that a file imports, also inside functions and by importlib."""
    package = ["canter", *path.relative_to(SOURCE).parts[:-1]]
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package[: len(package) - node.level + 1]) if node.level else ""
            stem = ".".join(part for part in (base, node.module) if part)
            yield from ((node.lineno, f"{stem}.{alias.name}") for alias in node.names)
        elif isinstance(node, ast.Call) and _is_import_module(node):
            yield node.lineno, str(getattr(node.args[0], "value", ""))


def _is_import_module(call: ast.Call) -> bool:
    return bool(call.args) and getattr(call.func, "attr", getattr(call.func, "id", "")) == "import_module"


@pytest.mark.parametrize("path", files(), ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_point_upwards(path: Path) -> None:
    place, room = path.relative_to(SOURCE).as_posix(), room_of(path)
    assert room in ROOMS, f"{room} is no room of the house plan"
    for line, name in imported(path):
        parts = name.split(".")
        if parts[0] != "canter" or len(parts) < 2 or parts[1] not in ROOMS or (place, parts[1]) in LAZY_DOORS:
            continue
        assert ROOMS.index(parts[1]) <= ROOMS.index(room), f"{place}:{line} imports {name}, which is below it"


def test_the_parser_sees_lazy_and_relative_imports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{__name__}.SOURCE", tmp_path)
    (tmp_path / "motion").mkdir()
    text = "def f():\n    from canter import control\n    from ..cli import main\n    import_module('canter.studio')\n"
    (tmp_path / "motion" / "bad.py").write_text(text)
    names = {name for _, name in imported(tmp_path / "motion" / "bad.py")}
    assert names == {"canter.control", "canter.cli.main", "canter.studio"}


def test_every_public_name_is_there() -> None:
    import canter

    for name in canter.__all__:
        assert getattr(canter, name) is not None
        assert name in dir(canter)
    with pytest.raises(AttributeError, match="no 'wings'"):
        canter.wings  # noqa: B018


def run(code: str, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *options, "-c", code], check=True, capture_output=True, text=True)


def test_import_is_quick() -> None:
    times = []
    for _ in range(4):
        last = run("import canter", "-X", "importtime").stderr.strip().splitlines()[-1]
        times.append(int(re.split(r"\|", last)[1]) / 1e6)
    assert min(times) < 0.25


def test_import_is_light() -> None:
    loaded = set(run("import sys, canter; print(*sys.modules)").stdout.split())
    assert not loaded & {"scipy", "PIL", "numpy", "rich", "tyro", "pygltflib"}


def test_reading_a_character_needs_no_picture_and_no_page() -> None:
    loaded = set(run("import sys, canter; canter.load; canter.read; print(*sys.modules)").stdout.split())
    assert not loaded & {"scipy", "PIL", "rich", "tyro", "pygltflib", "ufbx"}


@pytest.mark.skipif(not hasattr(os, "wait4"), reason="processor time of a child is only told on Unix")
def test_help_is_quick() -> None:
    """In processor time, so that other tests at the same time do not count."""
    times = []
    for _ in range(4):
        child = subprocess.Popen([sys.executable, "-m", "canter", "--help"], stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        assert child.returncode == 0
        times.append(usage.ru_utime + usage.ru_stime)
    assert min(times) < 0.6

"""The order of the rooms, and what it costs to open the door: imports point upwards, and the base import is light."""

from __future__ import annotations

import ast
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
HEAVY = {"numpy", "scipy", "PIL", "rich", "mcubes", "fast_simplification", "matplotlib", "starlette", "uvicorn", "ufbx"}
HEAVY |= {"torch", "onnx", "onnxruntime", "mujoco"}
"""Packages that are imported only where they are used, so that canter starts quickly."""
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


def loaded(code: str) -> set[str]:
    """What `code` loads in a fresh interpreter: top-level packages beyond the standard library, and canter's rooms."""
    script = f"import sys\nbefore = set(sys.modules)\n{code}\nprint('modules:', *set(sys.modules) - before)"
    done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    modules = done.stdout.rpartition("modules:")[2].split()
    rooms = {".".join(name.split(".")[:2]) for name in modules if name.startswith("canter.")}
    return {name.partition(".")[0] for name in modules} - sys.stdlib_module_names | rooms


def test_importing_canter_loads_nothing_else() -> None:
    assert loaded("import canter") == {"canter"}


def test_help_loads_only_the_command_line() -> None:
    found = loaded("from canter.cli import main\ntry:\n    main(['--help'])\nexcept SystemExit:\n    pass")
    assert {name for name in found if name.startswith("canter.")} == {"canter.cli"}
    assert "tyro" in found
    assert not found & HEAVY


def test_reading_a_character_needs_no_picture_and_no_page(tmp_path: Path) -> None:
    from canter.formats import write
    from canter.synthetic import example_animal

    path = tmp_path / "dog.glb"
    write(example_animal(strides=4), path)
    read = loaded(f"import canter\nassert canter.read({str(path)!r}).clips")
    assert {"canter.formats", "numpy"} <= read
    assert not read & (HEAVY - {"numpy"})
    understood = loaded(f"import canter\nassert canter.load({str(path)!r}).clip('walk').footfalls.gait == 'walk'")
    assert {"canter.anatomy", "numpy"} <= understood
    assert not understood & (HEAVY - {"numpy", "scipy"})
    assert not understood & {"canter.pictures", "canter.studio", "canter.cli"}

"""The page about control: its code runs from top to bottom."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from canter.control import registry

PAGE = Path(__file__).parents[2] / "docs" / "control.md"


def test_its_code_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(registry, "_shelves", {shelf: dict(names) for shelf, names in registry._shelves.items()})
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    assert blocks
    exec(compile("\n".join(blocks), str(PAGE), "exec"), {})


def test_its_ride_is_a_ride() -> None:
    from canter.control.ride import parse_script

    blocks = re.findall(r"```toml\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    (ride,) = (block for block in blocks if "[[at]]" in block)
    assert len(parse_script(ride).cues) == 3

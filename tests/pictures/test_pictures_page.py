"""The page about pictures: its code runs from top to bottom."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "pictures.md"


def test_its_code_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    exec(compile("\n".join(blocks), str(PAGE), "exec"), {})
    assert {p.name for p in tmp_path.iterdir()} == {
        "trot.png",
        "trot.gif",
        "way.png",
        "strides.png",
        "slip.png",
        "speeds.png",
    }

"""The page about control: its code runs from top to bottom."""

from __future__ import annotations

import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "control.md"


def test_its_code_runs() -> None:
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    assert blocks
    exec(compile("\n".join(blocks), str(PAGE), "exec"), {})


def test_its_ride_is_a_ride() -> None:
    from canter.control.ride import parse_script

    (ride,) = re.findall(r"```toml\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    assert len(parse_script(ride).cues) == 3

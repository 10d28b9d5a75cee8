from __future__ import annotations

import sys
from pathlib import Path

import pytest

from canter.anatomy import Character

sys.path.insert(0, str(Path(__file__).parents[1] / "control"))


@pytest.fixture(scope="session")
def animal() -> Character:
    from little_animal import little_animal

    return little_animal()

from __future__ import annotations

import pytest
from little_animal import little_animal

from canter.anatomy import Character


@pytest.fixture(scope="session")
def animal() -> Character:
    return little_animal()

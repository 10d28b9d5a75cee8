from __future__ import annotations

import pytest
from hypothesis import settings

settings.register_profile("canter", deadline=None)  # a busy machine is no failure
settings.load_profile("canter")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The tests in the browser take longest: first, they all go to one worker, and end while the other has work."""
    items.sort(key=lambda item: item.get_closest_marker("browser") is None)

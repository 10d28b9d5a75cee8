from __future__ import annotations

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The browser's tests take longest and stay together, so they begin first."""
    items.sort(key=lambda item: item.get_closest_marker("browser") is None)

from __future__ import annotations

from collections.abc import Iterator

import pytest

from canter.studio.limits import Limits

from .running import Running, running


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """One studio for all tests of this folder; it must outlive every one of them. Dogs are made quicker than horses."""
    limits = Limits(idle_seconds=0.3, poll_seconds=3.0, keepalive_seconds=0.5)
    with running(files=("dog",), limits=limits, page=tmp_path_factory.mktemp("page")) as found:
        yield found
        assert found.ask("/api/catalog")[0] == 200

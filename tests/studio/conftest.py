from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from canter.studio.home import HOME_VARIABLE
from canter.studio.limits import Limits

from .running import Running, running

if TYPE_CHECKING:  # playwright may be missing: the files that need it skip themselves
    from playwright.sync_api import Browser

    from .browser_seat import Room


@pytest.fixture(scope="session", autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Where studios keep uploads in these tests, also those that are started as a command."""
    with pytest.MonkeyPatch.context() as patched:
        folder = tmp_path_factory.mktemp("home")
        patched.setenv(HOME_VARIABLE, str(folder))
        yield folder


@pytest.fixture(scope="session")
def house(home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """One studio for all tests of this folder; it must outlive every one of them. Dogs are made quicker than horses."""
    limits = Limits(idle_seconds=0.3, poll_seconds=3.0, keepalive_seconds=0.5)
    with running(files=("dog",), limits=limits, page=tmp_path_factory.mktemp("page")) as found:
        yield found
        assert found.ask("/api/catalog")[0] == 200


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """A browser for all tests of a file."""
    from .browser_seat import browser

    with browser() as found:
        yield found


@pytest.fixture
def room(chromium: Browser, studio: Running) -> Iterator[Room]:
    """The page of the file's own `studio`, in which nothing may go wrong."""
    from .browser_seat import Room

    found = Room(chromium, f"http://127.0.0.1:{studio.port}/")
    try:
        yield found
        found.check()
    finally:
        found.leave()

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from canter.body.articulation import Articulation

settings.register_profile("canter", deadline=None)  # a busy machine is no failure
settings.load_profile("canter")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The tests in the browser take longest: first, they all go to one worker, and end while the other has work."""
    items.sort(key=lambda item: item.get_closest_marker("browser") is None)


@pytest.fixture(scope="session")
def body_of() -> Callable[[str | int], Articulation]:
    """Bodies with weight, each made once: of an animal of ours by its name, of a made-up rig by its seed."""

    @cache
    def make(which: str | int) -> Articulation:
        import canter
        from canter.anatomy import understand
        from canter.body.articulation import articulate
        from canter.synthetic import synthetic_rig

        return articulate(canter.load(which) if isinstance(which, str) else understand(synthetic_rig(which).asset))

    return make

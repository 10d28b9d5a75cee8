"""The dog's skeleton against that of MANN's capture."""

from __future__ import annotations

from canter.animals.dog.skeleton import DOG
from canter.animals.generator.plan import both_sides


def test_it_has_27_bones() -> None:
    assert len(both_sides(DOG.joints)) == 27

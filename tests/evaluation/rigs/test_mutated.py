"""Real files that are changed: here made-up ones, whose legs stay where they are."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pytest

from canter.anatomy import Character, detect, understand
from canter.evaluation.rigs.mutated import CHANGES, is_right, mutated_rows
from canter.motion import Asset
from canter.synthetic import synthetic_rig


@lru_cache
def dog() -> tuple[Character, Asset]:
    asset = synthetic_rig(11, body="dog", gait="walk", clip="straight", plain=True).asset
    return understand(asset), asset


@pytest.mark.parametrize("name", [name for name in CHANGES if name != "one frame of it"])
def test_a_change_leaves_the_animal_what_it_is(name: str) -> None:
    changed = CHANGES[name](*dog(), np.random.default_rng(0))
    assert changed.asset.clips
    assert is_right(detect(changed.asset), changed)


def test_another_order_of_legs_is_wrong() -> None:
    changed = CHANGES["noise"](*dog(), np.random.default_rng(0))
    swapped = dict(zip(changed.feet, reversed(changed.feet.values()), strict=True))
    assert not is_right(detect(changed.asset), type(changed)(changed.asset, swapped))


def test_rows_count_what_is_right() -> None:
    rows = list(mutated_rows([dog()], lambda _: None))
    assert rows[0].value == pytest.approx(100, abs=5)
    assert sum("changed:" in row.name for row in rows) >= len(CHANGES)

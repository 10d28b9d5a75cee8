"""Rows of actions: free fall, slip, and postures of the dog; what is made wrong is missed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from canter.animals.animal import Animal, dog, horse
from canter.evaluation.animals.actions import action_rows


@pytest.fixture(scope="module")
def shepherd() -> Animal:
    return dog()


def test_every_action_of_the_dog_meets_its_goals(shepherd: Animal) -> None:
    found = list(action_rows(shepherd))
    assert {row.name.split(":")[0] for row in found} == {
        f"dog {name}" for name in ("idle", "sit", "lie", "upright", "jump")
    }
    assert [row.name for row in found if row.status != "met"] == []


def test_other_animals_are_not_compared_with_the_dog() -> None:
    names = [row.name for row in action_rows(horse())]
    assert names == [
        "horse leap: stance slip",
        "horse leap: penetration",
        "horse leap: vertical acceleration in flight",
    ]


def test_a_foot_that_slides_and_sinks_is_missed(shepherd: Animal) -> None:
    sit = shepherd.action("sit")
    positions = sit.motion.positions.copy()
    roots = np.flatnonzero(sit.motion.skeleton.parents < 0)
    positions[100:, roots] += np.array([0.05, -0.02, 0.0])
    slid = replace(sit, motion=replace(sit.motion, positions=positions))
    found = {row.name: row.status for row in action_rows(replace(shepherd, actions=(slid,)))}
    assert found["dog sit: stance slip"] == "missed"
    assert found["dog sit: penetration"] == "missed"

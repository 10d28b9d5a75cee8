"""First steps: who hangs in the air is told from who puts one foot after another."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import canter
from canter.control.registry import make_batch
from canter.evaluation.mann.first_steps import STAND, Start, first_steps, ride_starts, starts_of
from canter.evaluation.mann.measures import hind_legs

HIND = np.array([False, False, True, True])


def ride(contacts: list[list[int]], finite: bool = True) -> Any:
    return SimpleNamespace(contacts=np.array(contacts, bool), finite=finite)


def test_shares_are_by_rest_and_of_frames_without_a_foot_and_without_an_end() -> None:
    starts = [Start(STAND, 1.0, 0.0, 0.0), Start("lie", 1.0, 0.0, 0.0)]
    rides = [ride([[1, 1, 1, 1], [0, 1, 1, 0]]), ride([[0, 0, 0, 0], [0, 0, 1, 1], [1, 0, 0, 0], [1, 0, 0, 1]])]
    found = first_steps(starts, rides, HIND)
    assert found[STAND] == (0.0, 0.0)
    assert found["lie"] == (0.25, 0.5)


def test_animals_that_are_lost_count_for_nothing() -> None:
    starts = [Start(STAND, 1.0, 0.0, 0.0)] * 2
    assert first_steps(starts, [ride([[0, 0, 0, 0]]), ride([[1, 1, 1, 1]], finite=False)], HIND)[STAND] == (1.0, 0.0)
    assert np.isnan(first_steps(starts[:1], [ride([[1, 1, 1, 1]], finite=False)], HIND)[STAND]).all()


def test_the_dog_leaves_a_lie_and_a_stand_without_a_hop() -> None:
    dog = canter.load("dog")
    starts = [one for one in starts_of(["lie"], [0.8]) if one.turn == 0.0]
    batch = make_batch("gaits", dog, len(starts))
    rides = ride_starts(batch, starts)
    assert all(len(one.motion) == round(2 * batch.frame_rate) for one in rides)
    assert all(np.linalg.norm(one.place[-1] - one.place[0]) > 0.1 for one in rides)
    for air, one_end in first_steps(starts, rides, hind_legs(dog.anatomy)).values():
        assert air == pytest.approx(0.0, abs=0.02)
        assert one_end < 0.5

"""Segments of a body: masses, centres and inertias that a simulator can use, in its order."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import canter
from canter.body.articulation import Articulation, articulate

Bodies = Callable[[str | int], Articulation]


@pytest.mark.parametrize(("name", "low", "high"), [("dog", 20, 30), ("horse", 350, 550)])
def test_shipped_animals_weigh_what_such_animals_weigh(body_of: Bodies, name: str, low: float, high: float) -> None:
    assert low < body_of(name).mass < high


@pytest.mark.parametrize("which", ["dog", 3])
def test_each_segment_is_followed_by_all_that_hangs_on_it(body_of: Bodies, which: str | int) -> None:
    segments = body_of(which).segments
    for number in range(len(segments)):
        below = {number}
        for k in range(number + 1, len(segments)):
            if segments[k].parent in below:
                below.add(k)
        assert below == set(range(number, number + len(below)))


@pytest.mark.parametrize("which", ["dog", 1])
def test_inertias_are_those_of_real_bodies(body_of: Bodies, which: str | int) -> None:
    for segment in body_of(which).segments:
        assert segment.mass > 0
        a, b, c = np.linalg.eigvalsh(segment.inertia)
        assert a > 0
        assert a + b >= c * (1 - 1e-9), segment.name


def test_both_sides_weigh_the_same(body_of: Bodies) -> None:
    body = body_of("dog")
    for k, other in enumerate(body.partners):
        one, mirrored = body.segments[k], body.segments[other]
        np.testing.assert_allclose(one.mass, mirrored.mass, rtol=1e-6)
        np.testing.assert_allclose(one.centre * [-1, 1, 1], mirrored.centre, atol=1e-6)


def test_an_animal_twice_as_large_weighs_some_eight_times_as_much(body_of: Bodies) -> None:
    small, large = body_of("dog"), articulate(canter.load("dog").scaled(2.0))
    assert 8.0 < large.mass / small.mass < 9.2  # its coat, which weighs nothing, is no deeper

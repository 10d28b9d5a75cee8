"""A few of the reference rides, so that nothing changes how animals move by accident; `python -m tests.reference.rides`
compares all of them, and `--record` writes them anew where a change is meant."""

from __future__ import annotations

import pytest
from tests.reference.rides import difference, digest, recorded

TOLERANCE = 1e-6
"""Metres and radians: other builds of NumPy round otherwise."""


@pytest.mark.parametrize(
    "name", ["dog gaits", "horse leaps", "dog acts on hills", "stranger 3 gaits", "dog sung jumps", "batch of horses"]
)
def test_a_ride_is_as_recorded(name: str) -> None:
    assert difference(name, recorded()[name], digest(name)) < TOLERANCE

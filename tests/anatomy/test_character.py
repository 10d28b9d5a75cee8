"""The nouns of a character: legs and their chains."""

from __future__ import annotations

from canter.anatomy import Leg


def test_the_chain_of_a_leg_runs_from_hip_to_foot() -> None:
    assert Leg("LF", (3, 4, 7, 8, 9), hip=4, foot=8).chain == [4, 7, 8]
    assert Leg("LH", (3, 4, 7), hip=3, foot=7).chain == [3, 4, 7]

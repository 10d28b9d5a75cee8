"""Sequences whose items are made when they are first asked for."""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from functools import partial

import pytest

from canter.anatomy.lazy import ByName, LazySequence, map_lazily, names_of


@dataclass(frozen=True)
class Thing:
    name: str


@pytest.fixture
def made() -> list[str]:
    return []


@pytest.fixture
def things(made: list[str]) -> LazySequence[Thing]:
    def make(name: str) -> Thing:
        made.append(name)
        return Thing(name)

    return LazySequence({name: partial(make, name) for name in "abc"})


def test_only_what_is_asked_for_is_made_and_kept(things: LazySequence[Thing], made: list[str]) -> None:
    assert (len(things), things.names, bool(things)) == (3, ("a", "b", "c"), True)
    assert made == []
    assert things[1] is things[1] is things[-2]
    assert ByName(things)["c"].name == "c"
    assert made == ["b", "c"]
    assert [thing.name for thing in things] == ["a", "b", "c"]
    assert made == ["b", "c", "a"]


def test_it_is_read_as_a_tuple_is(things: LazySequence[Thing]) -> None:
    assert things[:2] == (Thing("a"), Thing("b"))
    assert things[::-1] == tuple(reversed(things))
    assert (*things, 1) == (things[0], things[1], things[2], 1)
    assert things + (Thing("d"),) == (*things, Thing("d"))  # noqa: RUF005
    assert (Thing("d"),) + things == (Thing("d"), *things)  # noqa: RUF005
    assert things[2] in things
    assert things.index(things[1]) == 1
    with pytest.raises(IndexError):
        things[3]


def test_a_copy_is_a_tuple(things: LazySequence[Thing]) -> None:
    assert pickle.loads(pickle.dumps(things)) == tuple(things)


def test_changes_wait_too(things: LazySequence[Thing], made: list[str]) -> None:
    grown = map_lazily(things, lambda thing: Thing(thing.name.upper()))
    assert made == []
    assert grown[2].name == "C"
    assert made == ["c"]
    assert map_lazily((Thing("x"),), lambda thing: thing) == (Thing("x"),)
    assert names_of(grown) == ("a", "b", "c")


def test_names_are_looked_up(things: LazySequence[Thing], made: list[str]) -> None:
    found = ByName(things)
    assert list(found) == ["a", "b", "c"]
    assert "a" in found
    assert "z" not in found
    assert made == []
    assert ByName((Thing("a"), Thing("a")))["a"] == Thing("a")

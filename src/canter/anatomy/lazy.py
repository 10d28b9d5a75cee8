"""Sequences whose items are made when they are first asked for: an animal loads at once, however many clips it has."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Generic, Protocol, TypeVar, overload


class Named(Protocol):
    """Anything with a name."""

    @property
    def name(self) -> str: ...


T = TypeVar("T", bound=Named)


class LazySequence(Sequence[T], Generic[T]):
    """A sequence that reads like a tuple; `makers` make its items, by name, when they are first asked for."""

    def __init__(self, makers: Mapping[str, Callable[[], T]]) -> None:
        self.names = tuple(makers)
        self._makers = tuple(makers.values())
        self._made: dict[int, T] = {}

    @overload
    def __getitem__(self, at: int) -> T: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[T, ...]: ...
    def __getitem__(self, at: int | slice) -> T | tuple[T, ...]:
        if isinstance(at, slice):
            return tuple(self[k] for k in range(*at.indices(len(self))))
        at = range(len(self))[at]
        if at not in self._made:
            self._made[at] = self._makers[at]()
        return self._made[at]

    def __len__(self) -> int:
        return len(self.names)

    def __add__(self, other: Sequence[T]) -> tuple[T, ...]:
        return (*self, *other)

    def __radd__(self, other: Sequence[T]) -> tuple[T, ...]:
        return (*other, *self)

    def __reduce__(self) -> tuple[type, tuple[tuple[T, ...]]]:
        """Copies and pickles are plain tuples, with everything made."""
        return tuple, (tuple(self),)

    def __repr__(self) -> str:
        return f"LazySequence({', '.join(self.names)})"


class ByName(Mapping[str, T], Generic[T]):
    """A sequence as a mapping by name; the first item of a name counts. Lazy items stay lazy."""

    def __init__(self, items: Sequence[T]) -> None:
        self._items = items
        self._places: dict[str, int] = {}
        for place, name in enumerate(names_of(items)):
            self._places.setdefault(name, place)

    def __getitem__(self, name: str) -> T:
        return self._items[self._places[name]]

    def __contains__(self, name: object) -> bool:
        return name in self._places

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


def names_of(items: Sequence[T]) -> tuple[str, ...]:
    """The names in a sequence, without making what is lazy."""
    return items.names if isinstance(items, LazySequence) else tuple(item.name for item in items)


def map_lazily(items: Sequence[T], change: Callable[[T], T]) -> Sequence[T]:
    """All items with `change` applied; lazy ones are changed when they are asked for. Names stay."""
    if not isinstance(items, LazySequence):
        return tuple(change(item) for item in items)

    def changed(place: int) -> T:
        return change(items[place])

    return LazySequence({name: partial(changed, place) for place, name in enumerate(items.names)})

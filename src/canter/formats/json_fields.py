"""Checked access to the values of an untrusted JSON object; errors name the value that is wrong."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from canter.formats.errors import FormatError
from canter.formats.files import is_finite
from canter.motion.arrays import Floats

MAX_TEXT_CHARACTERS = 4096


class Fields:
    """An object of a JSON document; `where` names it in errors, which `refuse` makes."""

    def __init__(self, table: Any, where: str, refuse: Callable[[str, str], FormatError]) -> None:
        self.where, self.refuse = where, refuse
        if not isinstance(table, dict):
            raise refuse(where, "this is no object")
        self.table: dict[str, Any] = table

    def wrong(self, name: str, should: str) -> FormatError:
        return self.refuse(f"{self.where}: {name}", f"this is not {should}")

    def part(self, name: str) -> Fields:
        return Fields(self.table.get(name), f"{self.where}: {name}", self.refuse)

    def parts(self, name: str, most: int) -> list[Fields]:
        found = self.table.get(name)
        if not isinstance(found, list) or len(found) > most:
            raise self.wrong(name, f"a list of at most {most}")
        return [Fields(one, f"{self.where}: {name}[{k}]", self.refuse) for k, one in enumerate(found)]

    def text(self, name: str, default: str | None = None) -> str:
        value = self.table.get(name, default)
        if not isinstance(value, str) or len(value) > MAX_TEXT_CHARACTERS:
            raise self.wrong(name, "a text")
        return value

    def flag(self, name: str) -> bool:
        value = self.table.get(name, False)
        if not isinstance(value, bool):
            raise self.wrong(name, "true or false")
        return value

    def number(self, name: str) -> float:
        """A finite number."""
        value = self.or_nan(name)
        if math.isnan(value):
            raise self.wrong(name, "a number")
        return value

    def or_nan(self, name: str) -> float:
        """A finite number; NaN where it is null or missing."""
        return float("nan") if self.table.get(name) is None else self._number(name, self.table[name])

    def count(self, name: str, low: int, high: int) -> int:
        """A whole number from `low` to `high`."""
        value = self.table.get(name)
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise self.wrong(name, f"a whole number from {low} to {high}")
        return value

    def texts(self, name: str, most: int) -> tuple[str, ...]:
        found = self.table.get(name, [])
        if not isinstance(found, list) or len(found) > most or not all(isinstance(x, str) for x in found):
            raise self.wrong(name, f"a list of at most {most} texts")
        return tuple(found)

    def indices(self, name: str, below: int, least: int = 0) -> tuple[int, ...]:
        """Whole numbers from `least` to `below`, exclusive."""
        found = self.table.get(name, [])
        good = isinstance(found, list) and len(found) <= 16 * max(below, 1)
        if not good or any(isinstance(x, bool) or not isinstance(x, int) or not least <= x < below for x in found):
            raise self.wrong(name, f"a list of whole numbers from {least} to below {below}")
        return tuple(found)

    def span(self, name: str, count: int) -> tuple[int, int]:
        """The first and the last of a stretch of so many frames."""
        found = self.indices(name, count)
        if len(found) != 2 or found[0] > found[1]:
            raise self.wrong(name, f"the first and the last of {count} frames")
        return found[0], found[1]

    def numbers(self, name: str, shape: tuple[int, ...]) -> Floats:
        """Finite numbers in nested lists of that shape."""
        try:
            found = np.array(self.table.get(name), np.float64)
        except (ValueError, TypeError, OverflowError, RecursionError):
            raise self.wrong(name, f"an array {shape} of numbers") from None
        if found.shape != shape or not is_finite(found):
            raise self.wrong(name, f"an array {shape} of numbers")
        return found

    def named_numbers(self, name: str) -> dict[str, float]:
        """Numbers by name; empty where there are none."""
        found = self.table.get(name, {})
        if not isinstance(found, dict) or len(found) > 100:
            raise self.wrong(name, "a few numbers by name")
        return {str(key): self._number(name, value) for key, value in found.items()}

    def _number(self, name: str, value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 1e30:
            raise self.wrong(name, "a number")
        return float(value)

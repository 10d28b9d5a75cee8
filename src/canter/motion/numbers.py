"""Formulas that serve a batch as arrays and one animal as plain numbers.

Python multiplies two numbers in some thirty nanoseconds; NumPy needs twenty times as long for arrays of one. A formula
that is written with operators and with the functions that suit its arguments, `fn = functions_of(x)`, serves both.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from canter.motion.arrays import Complexes, Floats, Ints


class Arrays:
    """NumPy's functions of arrays."""

    minimum, maximum, where = np.minimum, np.maximum, np.where
    exp, cos, sin, tan, arctan, arctan2, hypot = np.exp, np.cos, np.sin, np.tan, np.arctan, np.arctan2, np.hypot
    sqrt, arccos, floor, rint = np.sqrt, np.arccos, np.floor, np.rint
    isnan, interp = np.isnan, np.interp

    @staticmethod
    def unless(condition: Any, value: Any, other: Callable[[], Any]) -> Any:
        """`value` where the condition holds, else what `other` computes; for numbers only if it is needed."""
        return np.where(condition, value, other())

    @staticmethod
    def take(table: Any, index: Ints) -> Any:
        """Entries `(...)` of a table `(K,)`."""
        return table.take(index)

    @staticmethod
    def rank(borders: Floats, x: Floats) -> Ints:
        """How many of the `borders (K,)`, which rise, are below each `x`."""
        return borders.searchsorted(x)

    @staticmethod
    def as_complex(x: Floats) -> Complexes:
        return x.astype(complex)

    @staticmethod
    def complex_from(real: Floats, imaginary: Floats) -> Complexes:
        """Complex numbers from their parts; `real + 1j * imaginary` takes NumPy three times as long."""
        result = np.empty(real.shape, complex)
        result.real, result.imag = real, imaginary
        return result


class Numbers:
    """The same functions of plain numbers."""

    minimum, maximum = min, max
    exp, cos, sin, tan, arctan, arctan2, hypot = (
        math.exp,
        math.cos,
        math.sin,
        math.tan,
        math.atan,
        math.atan2,
        math.hypot,
    )
    sqrt, arccos, floor, rint, isnan = math.sqrt, math.acos, math.floor, round, math.isnan
    rank, as_complex, complex_from = bisect_left, complex, complex

    @staticmethod
    def where(condition: bool, a: Any, b: Any) -> Any:
        return a if condition else b

    @staticmethod
    def unless(condition: bool, value: Any, other: Callable[[], Any]) -> Any:
        return value if condition else other()

    @staticmethod
    def take(table: Any, index: int) -> Any:
        return table.item(index)

    @staticmethod
    def interp(x: float, at: Sequence[float], values: Sequence[float]) -> float:
        k = min(max(bisect_left(at, x), 1), len(at) - 1)
        start, low = at[k - 1], values[k - 1]
        share = min(max((x - start) / (at[k] - start), 0.0), 1.0)
        return low + share * (values[k] - low)


def functions_of(x: Any) -> Any:
    """The functions for formulas in which `x` is an array or a number."""
    return Arrays if isinstance(x, np.ndarray) else Numbers


def some(mask: Any) -> bool:
    """Whether anything is true, or not zero; of an array, a number, or the numbers of one animal's legs."""
    if isinstance(mask, np.ndarray):
        return bool(np.count_nonzero(mask))
    return any(mask) if type(mask) is tuple else bool(mask)


def number_or_array(x: Any) -> Any:
    """The number in an array of one `(1,)`; larger arrays `(N,)`, numbers and None as they are."""
    return x.item() if isinstance(x, np.ndarray) and len(x) == 1 else x


def column(x: Any) -> Any:
    """Arrays `(N,)` as `(N, 1)`, to go with arrays `(N, ...)`; a number, which goes with anything, as it is."""
    return x[:, None] if isinstance(x, np.ndarray) else x


def columns_of(x: Floats) -> Any:
    """The columns of an array `(N, C)` in double precision: arrays `(N,)`, or the numbers of its only row."""
    return x[0].tolist() if len(x) == 1 else x.T.astype(np.float64)


def array_of(x: Any) -> Any:
    """The inverse of `number_or_array`."""
    return x if isinstance(x, np.ndarray) else np.array([x])


def legs_apart(x: Any) -> Any:
    """Arrays `(..., 1, L)` of one animal as a list of its L legs: of numbers, or of lists of their components."""
    if x.ndim == 2:
        return x.tolist()[0]
    return x[..., 0, :].transpose(x.ndim - 2, *range(x.ndim - 2)).tolist()


def each_leg(formula: Callable[..., tuple[Any, ...]], *values: Any) -> tuple[Any, ...]:
    """The results of a formula of arrays `(..., N, L)`, or, leg by leg, of lists as `legs_apart` makes them."""
    return tuple(zip(*map(formula, *values), strict=True)) if isinstance(values[0], list | tuple) else formula(*values)


def legs_together(x: Any) -> Any:
    """The inverse of `legs_apart`: what `each_leg` gave for the legs of one animal as an array `(..., 1, L)`, and for
    arrays these."""
    if isinstance(x[0], np.ndarray):
        return x
    legs = np.array(x)
    return legs[None] if legs.ndim == 1 else legs.T[..., None, :]


def all_together(*values: Any) -> Any:
    """`legs_together` of several results at once, which have one number a leg."""
    return values if isinstance(values[0], np.ndarray) else np.array(values)[:, None]


def largest(x: Any) -> Any:
    """The largest over the legs `(N,)` of arrays `(N, L)`; a number for one animal's legs."""
    return np.maximum.reduce(x, axis=-1) if isinstance(x, np.ndarray) else max(x)

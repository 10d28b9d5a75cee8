"""Formulas of numbers or arrays: both kinds of functions have the same names and give the same values."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from canter.motion.numbers import (
    Arrays,
    Numbers,
    array_of,
    column,
    columns_of,
    each_leg,
    functions_of,
    largest,
    legs_apart,
    legs_together,
    number_or_array,
    some,
)

XS = np.array([-2.0, -0.5, 0.0, 0.4, 1.0, 7.0])
TABLE, VALUES = np.array([0.0, 1.0, 4.0]), np.array([2.0, 3.0, -1.0])
NAMES = [name for name in vars(Arrays) if not name.startswith("_")]


def test_both_have_the_same_functions() -> None:
    assert {name for name in vars(Numbers) if not name.startswith("_")} == set(NAMES)
    assert functions_of(XS) is Arrays
    assert functions_of(1.0) is functions_of(1j) is Numbers


@pytest.mark.parametrize("name", sorted(set(NAMES) - {"take"}))
def test_numbers_give_what_arrays_of_one_give(name: str) -> None:
    for x in np.clip(XS, -1, 1) if name == "arccos" else XS**2 if name == "sqrt" else XS:
        one, number = np.array([x]), float(x)
        cases = {
            "interp": ((one, TABLE, VALUES), (number, TABLE, VALUES)),
            "rank": ((TABLE, one), (TABLE, number)),
            "where": ((one > 0, one, 3.0), (number > 0, number, 3.0)),
            "unless": ((one > 0, 3.0, lambda one=one: 2 * one), (number > 0, 3.0, lambda number=number: 2 * number)),
        }
        two = ((one, 0.5 * one + 0.1), (number, 0.5 * number + 0.1))
        first = ((one,), (number,))
        pairs = ("minimum", "maximum", "arctan2", "hypot", "complex_from")
        arrays, numbers = cases.get(name, two if name in pairs else first)
        expected = getattr(Arrays, name)(*arrays)[0]
        assert getattr(Numbers, name)(*numbers) == pytest.approx(expected, rel=1e-14, abs=1e-14)


def test_entries_of_tables_are_plain_numbers() -> None:
    assert Numbers.take(TABLE, -1) == Arrays.take(TABLE, np.array([-1]))[0] == 4.0
    assert type(Numbers.take(TABLE, 1)) is float


def test_one_animal_is_a_number_and_several_are_arrays() -> None:
    assert number_or_array(np.array([3.0])) == 3.0
    assert number_or_array(XS) is XS
    assert number_or_array(None) is None
    assert array_of(2).tolist() == [2]
    assert array_of(XS) is XS


def test_some() -> None:
    assert some(True)
    assert some(XS)
    assert not some(np.zeros(3, bool))
    assert not some(0.0)
    assert some(math.nan)


def test_the_legs_of_one_animal_are_taken_apart_and_put_together() -> None:
    clocks, places = np.array([[0.1, 0.2, 0.3]]), np.arange(9.0).reshape(3, 1, 3)
    assert legs_apart(clocks) == [0.1, 0.2, 0.3]
    assert legs_apart(places)[1] == [1.0, 4.0, 7.0]
    assert legs_together(legs_apart(clocks)).tolist() == clocks.tolist()
    assert legs_together(legs_apart(places)).tolist() == places.tolist()
    assert legs_together(places) is places


def test_a_formula_of_legs_serves_arrays_and_lists() -> None:
    def formula(x: Any, y: Any) -> tuple[Any, Any]:
        return x + y, x * y

    x, y = np.array([[1.0, 2.0]]), np.array([[3.0, 5.0]])
    arrays, lists = each_leg(formula, x, y), each_leg(formula, legs_apart(x), legs_apart(y))
    for one, other in zip(arrays, lists, strict=True):
        assert legs_together(other).tolist() == one.tolist()
        assert largest(other) == largest(one)[0]


def test_a_column_goes_with_arrays_of_legs() -> None:
    assert column(XS).shape == (len(XS), 1)
    assert column(2.0) == 2.0


def test_columns_are_numbers_for_one_animal() -> None:
    rows = np.arange(6, dtype=np.float32).reshape(2, 3)
    assert columns_of(rows[:1]) == [0.0, 1.0, 2.0]
    np.testing.assert_array_equal(columns_of(rows), rows.T)
    assert columns_of(rows).dtype == np.float64

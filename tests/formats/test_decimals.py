"""The quick reader of numbers says what Python's own `float` says."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from canter.formats.decimals import parse_numbers

PLAIN = st.tuples(st.sampled_from(["", "-", "+"]), st.integers(0, 10**7), st.integers(0, 10**7)).map(
    lambda x: "{}{}.{:07}".format(*x)
)
WORDS = st.one_of(
    PLAIN,
    st.integers(-(10**12), 10**12).map(str),
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.floats(-1000, 1000).map("{:.6f}".format),
    st.sampled_from(["-.5", "5.", "0", "-0", "1e-05", "-2.87955e-006", "+3E+2"]),
)


@given(words=st.lists(WORDS, min_size=1, max_size=20), blank=st.sampled_from([" ", "\n", "\t ", " \n\n"]))
def test_numbers_are_those_of_python(words: list[str], blank: str) -> None:
    values = parse_numbers(blank.join(words).encode())
    assert values is not None
    np.testing.assert_allclose(values, [float(word) for word in words], rtol=4e-16, atol=0)


@pytest.mark.parametrize(
    "text",
    [
        "1 x 2",
        "1.2.3",
        "1 . 2",
        "--1",
        "1 - 2",
        "0x10",
        "1_0",
        "1e",
        "1e5e5",
        "e",
        "1\0 2",
        "é",
        "1.5e1_0",
        "1 2\xa03x",
    ],
)
def test_anything_else_is_none(text: str) -> None:
    assert parse_numbers(text.encode()) is None


def test_long_numbers_and_many_exponents_take_the_slow_way() -> None:
    text = "0.12345678901234567890123 " + "1e-3 " * 2000
    values = parse_numbers(text.encode())
    assert values is not None
    np.testing.assert_allclose(values, [0.12345678901234567890123] + [1e-3] * 2000)

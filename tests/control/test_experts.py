"""Experts of a controller: named in a script, and never all of them off."""

from __future__ import annotations

import pytest

from canter.control.experts import HasExperts, check_experts, format_experts, parse_experts, with_experts


class Blended:
    """Something with experts."""

    def __init__(self, count: int) -> None:
        self._on = (True,) * count

    @property
    def enabled_experts(self) -> tuple[bool, ...]:
        return self._on

    @enabled_experts.setter
    def enabled_experts(self, enabled: tuple[bool, ...]) -> None:
        self._on = check_experts(enabled, len(self._on))


def test_numbers_say_which_are_on() -> None:
    assert parse_experts("", 3) == (True, True, True)
    assert parse_experts("1,3", 3) == parse_experts(" 3 1 ", 3) == (True, False, True)
    for on in ((True, False, False, True), (False, True, True, True)):
        assert parse_experts(format_experts(on), 4) == on


@pytest.mark.parametrize("text", ["0", "4", "1,4", "-1", "one", "1.5", "²"])
def test_numbers_that_no_expert_has(text: str) -> None:
    with pytest.raises(ValueError, match="numbers from 1 to 3"):
        parse_experts(text, 3)


def test_one_is_always_on() -> None:
    with pytest.raises(ValueError, match="at least one"):
        check_experts([False, False], 2)
    with pytest.raises(ValueError, match="there are 2 experts, not 3"):
        check_experts([True] * 3, 2)


def test_only_several_can_be_switched() -> None:
    blended = Blended(2)
    assert isinstance(blended, HasExperts)
    assert with_experts(blended) is blended
    assert with_experts(Blended(1)) is None
    assert with_experts(object()) is None

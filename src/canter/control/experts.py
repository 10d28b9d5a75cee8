"""Experts of a controller that can be switched off: what the studio and scripts need to know of them.

A network that blends experts (MANN, section 8) shows what each of them does when it is missing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from canter.control.batch import Single


@runtime_checkable
class HasExperts(Protocol):
    """A controller with K experts, of which some may be off, but never all.

    Its constructor takes `experts`, a text such as "1,3,4" that names those that are on: so a script can say it.
    """

    @property
    def enabled_experts(self) -> tuple[bool, ...]: ...

    @enabled_experts.setter
    def enabled_experts(self, enabled: Sequence[bool]) -> None: ...


def with_experts(controller: object) -> HasExperts | None:
    """The controller, or the batch that it is one row of, if it has several experts to switch."""
    inner = controller.batch if isinstance(controller, Single) else controller
    return inner if isinstance(inner, HasExperts) and len(inner.enabled_experts) > 1 else None


def check_experts(enabled: Sequence[bool], count: int) -> tuple[bool, ...]:
    """Which of `count` experts are on; raises ValueError for another number of them, or if none is."""
    on = tuple(bool(one) for one in enabled)
    if len(on) != count:
        raise ValueError(f"there are {count} experts, not {len(on)}")
    if not any(on):
        raise ValueError("at least one expert must stay on")
    return on


def parse_experts(text: str, count: int) -> tuple[bool, ...]:
    """Which of `count` experts are on, from their numbers, such as "1,3,4"; all, if the text is empty."""
    if not text.strip():
        return (True,) * count
    words = text.replace(",", " ").split()
    numbers = {int(word) if word.isdecimal() else 0 for word in words}
    if not numbers <= set(range(1, count + 1)):
        raise ValueError(f"experts are named by numbers from 1 to {count}, such as '1,{count}', not {text!r}")
    return check_experts([number + 1 in numbers for number in range(count)], count)


def format_experts(enabled: Sequence[bool]) -> str:
    """The numbers of the experts that are on, as `parse_experts` reads them."""
    return ",".join(str(number) for number, on in enumerate(enabled, start=1) if on)

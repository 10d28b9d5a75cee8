"""The rate limiter of a connection."""

from __future__ import annotations

import pytest

from canter.studio import viewers
from canter.studio.limits import Limits
from canter.studio.viewers import RateLimiter


def test_who_sends_just_too_much_is_warned_once_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(viewers.time, "monotonic", lambda: now[0])
    limits = Limits()
    limiter = RateLimiter(limits)
    while limiter.verdict() == "accept":  # the burst that is allowed
        pass
    verdicts = []
    for _ in range(round(3 * 1.3 * limits.messages_per_second)):
        now[0] += 1 / (1.3 * limits.messages_per_second)
        verdicts.append(limiter.verdict())
    assert verdicts.count("accept") > 2.9 * limits.messages_per_second
    assert verdicts.count("drop") > 10
    assert 1 <= verdicts.count("warn") <= 3


def test_who_does_not_stop_is_disconnected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(viewers.time, "monotonic", lambda: 100.0)
    limits = Limits()
    limiter = RateLimiter(limits)
    verdicts = [limiter.verdict() for _ in range(round(limits.messages_per_second) + limits.dropped_messages + 1)]
    assert verdicts[-1] == "disconnect"
    assert verdicts.count("warn") == 1

"""A steady beat: so many a second without drift, and how far apart they really came."""

from __future__ import annotations

import time
from collections import deque

BEHIND = 0.25
"""Seconds behind at which lost time is given up instead of being caught up with."""
KEPT = 1200


class Beat:
    """Waits for the next beat; the n-th comes n periods after the first, however long work takes in between."""

    def __init__(self, rate: float) -> None:
        self._period = 1 / rate
        self.gaps: deque[float] = deque(maxlen=KEPT)
        """Seconds between the last beats."""
        self.restart()

    def restart(self) -> None:
        """Begins anew, after a rest."""
        self._start, self._count = time.perf_counter(), 0
        self._last: float | None = None

    def wait(self) -> None:
        """Sleeps until the next beat."""
        self._count += 1
        due = self._start + self._count * self._period
        left = due - time.perf_counter()
        if left > 0:
            time.sleep(left)
        elif left < -BEHIND:
            self._start, self._count = time.perf_counter(), 0
        now = time.perf_counter()
        if self._last is not None:
            self.gaps.append(now - self._last)
        self._last = now

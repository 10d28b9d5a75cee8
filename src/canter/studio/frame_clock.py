"""A clock that a loop waits on once a frame, without drift."""

from __future__ import annotations

import time

MAX_LAG_SECONDS = 0.25
"""A loop that is later than this does not catch up: the clock restarts."""


class FrameClock:
    """Frame n is due n periods after the start, however long the work between two frames takes."""

    def __init__(self, rate: float) -> None:
        self._period = 1 / rate
        self.restart()

    def restart(self) -> None:
        """Starts counting from now, after a pause."""
        self._start, self._count = time.perf_counter(), 0

    def wait(self) -> None:
        """Sleeps until the next frame is due."""
        self._count += 1
        remaining = self._start + self._count * self._period - time.perf_counter()
        if remaining > 0:
            time.sleep(remaining)
        elif remaining < -MAX_LAG_SECONDS:
            self.restart()

"""One connected viewer: the newest frame, a queue of texts, and a rate limit for the messages that it sends.

A new frame replaces one that is not sent yet. A viewer that reads slowly therefore misses frames, and one that does not
read at all only blocks its own task.
"""

from __future__ import annotations

import asyncio
import json
import math
import time
from collections import deque
from collections.abc import Mapping
from typing import Any, Literal

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from canter.studio.limits import Limits

Verdict = Literal["accept", "warn", "drop", "disconnect"]
WARNING_SECONDS = 1.0
"""Seconds between two warnings that messages are dropped."""


class RateLimiter:
    """A token bucket: so many messages a second, in bursts of half a second's worth."""

    def __init__(self, limits: Limits) -> None:
        self._rate, self._capacity = limits.messages_per_second, limits.messages_per_second / 2
        self._tokens, self._filled_at = self._capacity, time.monotonic()
        self._dropped, self._max_dropped = 0, limits.dropped_messages
        self._warned_at = -math.inf

    def verdict(self) -> Verdict:
        """What to do with a message that has just arrived; "warn" is to drop it and to say so, once a second."""
        now = time.monotonic()
        self._tokens = min(self._capacity, self._tokens + (now - self._filled_at) * self._rate)
        self._filled_at = now
        if self._tokens >= 1:
            self._tokens -= 1
            self._dropped = max(0, self._dropped - 1)
            return "accept"
        self._dropped += 1
        if self._dropped > self._max_dropped:
            return "disconnect"
        if now - self._warned_at < WARNING_SECONDS:
            return "drop"
        self._warned_at = now
        return "warn"


class Viewer:
    """One connection. Called on the event loop only."""

    def __init__(self, number: int, socket: WebSocket, limits: Limits) -> None:
        self.number, self._socket, self._limits = number, socket, limits
        self.rate_limiter = RateLimiter(limits)
        self._texts: deque[str] = deque()
        self._frame: bytes | None = None
        self._pending = asyncio.Event()
        self._overflowed = False

    def send(self, message: Mapping[str, Any]) -> None:
        """Queues a JSON message."""
        self.queue_text(json.dumps(message, allow_nan=False))

    def queue_text(self, content: str, drop_frame: bool = False) -> None:
        """Queues a text; with `drop_frame` a frame that is not sent yet belongs to an older scene and is dropped."""
        if len(self._texts) >= self._limits.queued_texts:
            self._overflowed = True
        else:
            self._texts.append(content)
        if drop_frame:
            self._frame = None
        self._pending.set()

    def queue_frame(self, frame: bytes) -> None:
        """Queues a frame, in place of one that is not sent yet."""
        self._frame = frame
        self._pending.set()

    async def send_all(self) -> None:
        """Sends what is queued, texts first, until the connection ends."""
        try:
            while not self._overflowed:
                await self._wait()
                self._pending.clear()
                while self._texts:
                    await self._socket.send_text(self._texts.popleft())
                frame, self._frame = self._frame, None
                if frame is not None:
                    await self._socket.send_bytes(frame)
            await self.close(1008, "too slow")
        except (WebSocketDisconnect, RuntimeError):
            return

    async def _wait(self) -> None:
        """Waits for something to send; after `keepalive_seconds` without, queues an `alive` message."""
        try:
            async with asyncio.timeout(self._limits.keepalive_seconds):
                await self._pending.wait()
        except TimeoutError:
            self.send({"type": "alive"})

    async def close(self, code: int, reason: str) -> None:
        if self._socket.application_state is WebSocketState.CONNECTED:
            try:
                await self._socket.close(code, reason)
            except (WebSocketDisconnect, RuntimeError):
                return

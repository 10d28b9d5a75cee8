"""Somebody at a page: a slot for the newest frame, a short row of texts, and a bucket that messages run through.

The newest frame wins. A viewer that reads slowly misses frames; one that does not read at all waits in its own task.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import deque
from collections.abc import Mapping
from typing import Any, Literal

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from canter.studio.limits import Limits

Verdict = Literal["heard", "warn", "dropped", "closed"]


class Bucket:
    """So many messages a second, in bursts of half a second; what is more is dropped."""

    def __init__(self, limits: Limits) -> None:
        self._rate, self._most = limits.messages_a_second, limits.messages_a_second / 2
        self._left, self._then = self._most, time.monotonic()
        self._dropped, self._patience = 0, limits.dropped_messages

    def verdict(self) -> Verdict:
        """What becomes of a message that comes now."""
        now = time.monotonic()
        self._left = min(self._most, self._left + (now - self._then) * self._rate)
        self._then = now
        if self._left >= 1:
            self._left -= 1
            self._dropped = max(0, self._dropped - 1)
            return "heard"
        self._dropped += 1
        if self._dropped > self._patience:
            return "closed"
        return "warn" if self._dropped == 1 else "dropped"


class Viewer:
    """One connection. Everything here happens on the event loop."""

    def __init__(self, number: int, socket: WebSocket, limits: Limits) -> None:
        self.number, self._socket, self._limits = number, socket, limits
        self.bucket = Bucket(limits)
        self._texts: deque[str] = deque()
        self._frame: bytes | None = None
        self._news = asyncio.Event()
        self.lost = False

    def say(self, message: Mapping[str, Any]) -> None:
        self.put_text(json.dumps(message, allow_nan=False))

    def put_text(self, content: str, anew: bool = False) -> None:
        """A text to be sent; with `anew` a frame that waits is of no use any more."""
        if len(self._texts) >= self._limits.texts_waiting:
            self.lost = True
        else:
            self._texts.append(content)
        if anew:
            self._frame = None
        self._news.set()

    def put_frame(self, frame: bytes) -> None:
        """Takes the place of a frame that is not sent yet."""
        self._frame = frame
        self._news.set()

    async def send_all(self) -> None:
        """Sends what there is, texts first, until the connection ends."""
        try:
            while not self.lost:
                await self._something()
                self._news.clear()
                while self._texts:
                    await self._socket.send_text(self._texts.popleft())
                frame, self._frame = self._frame, None
                if frame is not None:
                    await self._socket.send_bytes(frame)
            await self.close(1008, "too slow")
        except (WebSocketDisconnect, RuntimeError):
            return

    async def _something(self) -> None:
        """Waits for news; while there are none, the page is told that the connection stands."""
        try:
            async with asyncio.timeout(self._limits.quiet_seconds):
                await self._news.wait()
        except TimeoutError:
            self.say({"type": "alive"})

    async def close(self, code: int, reason: str) -> None:
        if self._socket.application_state is WebSocketState.CONNECTED:
            try:
                await self._socket.close(code, reason)
            except (WebSocketDisconnect, RuntimeError):
                return

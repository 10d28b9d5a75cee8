"""Messages of a stage on their way to the event loop: all texts, but only the newest frame."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Text:
    """A JSON message for one viewer or, with None, for all; `new_scene` makes older frames invalid."""

    content: str
    viewer: int | None = None
    new_scene: bool = False


class Outbox:
    """Messages to viewers: all texts, but only the newest frame. `notify` is called when it is no longer empty."""

    def __init__(self, notify: Callable[[], None]) -> None:
        self._lock, self._notify = threading.Lock(), notify
        self._texts: list[Text] = []
        self._frame: bytes | None = None
        self._empty = True

    def put_text(self, text: Text) -> None:
        with self._lock:
            self._texts.append(text)
            if text.new_scene:
                self._frame = None
            was_empty, self._empty = self._empty, False
        if was_empty:
            self._notify()

    def put_frame(self, frame: bytes) -> None:
        with self._lock:
            self._frame = frame
            was_empty, self._empty = self._empty, False
        if was_empty:
            self._notify()

    def take_all(self) -> tuple[list[Text], bytes | None]:
        with self._lock:
            texts, frame = self._texts, self._frame
            self._texts, self._frame, self._empty = [], None, True
            return texts, frame

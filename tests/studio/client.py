"""A small client of the studio's wire: what a page does, without a page."""

from __future__ import annotations

import asyncio
import json
import struct
import time
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Any

import numpy as np
from websockets.asyncio.client import ClientConnection, connect

PROP = np.dtype([("name", "<u4"), ("shape", "<u4"), ("size", "<f4", 3), ("position", "<f4", 3), ("rotation", "<f4", 4)])


@dataclass(frozen=True)
class ActorFrame:
    """One actor of a frame."""

    number: int
    gait: int
    contacts: int
    scalars: np.ndarray
    trajectory: np.ndarray
    footholds: np.ndarray
    phases: np.ndarray
    experts: np.ndarray
    forces: np.ndarray
    positions: np.ndarray
    rotations: np.ndarray
    props: np.ndarray

    @property
    def place(self) -> np.ndarray:
        return self.scalars[:3]

    @property
    def facing(self) -> float:
        return float(self.scalars[3])

    @property
    def speed(self) -> float:
        return float(np.hypot(self.scalars[4], self.scalars[6]))


@dataclass(frozen=True)
class Frame:
    """A decoded frame."""

    number: int
    seconds: float
    flags: int
    actors: tuple[ActorFrame, ...]
    raw: bytes


def decode(data: bytes) -> Frame:
    """As docs/studio_wire.md lays it out."""
    magic, version, number, count, seconds, flags, zero = struct.unpack_from("<4Id2I", data)
    assert (magic, version, zero) == (0x544E4143, 2, 0)
    at, actors = 32, []
    for _ in range(count):
        who, joints, legs, experts, gait, contacts, forces, props = struct.unpack_from("<8I", data, at)
        at += 32
        parts = []
        for shape in ((16,), (12, 4), (legs, 3), (legs,), (experts,), (forces, 3), (joints, 3), (joints, 4)):
            size = int(np.prod(shape))
            parts.append(np.frombuffer(data, "<f4", size, at).reshape(shape))
            at += 4 * size
        actors.append(ActorFrame(who, gait, contacts, *parts, np.frombuffer(data, PROP, props, at)))
        at += PROP.itemsize * props
    assert at == len(data)
    return Frame(number, seconds, flags, tuple(actors), data)


class Client:
    """One viewer: `async with Client(url) as page`."""

    def __init__(self, url: str, **options: Any) -> None:
        self._url, self._options = url, options
        self.frames: list[Frame] = []
        self.texts: list[dict[str, Any]] = []
        self.scene: dict[str, Any] = {}
        self.names: list[str] = []
        self.hello: dict[str, Any] = {}

    async def __aenter__(self) -> Client:
        self.socket: ClientConnection = await connect(self._url, max_size=None, compression=None, **self._options)
        self._task = asyncio.create_task(self._read())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._task.cancel()
        await self.socket.close()

    async def _read(self) -> None:
        async for content in self.socket:
            if isinstance(content, bytes):
                self.frames.append(decode(content))
                continue
            message = json.loads(content)
            self.texts.append(message)
            if message["type"] == "scene":
                self.scene = message
            elif message["type"] == "names":
                self.names = message["names"]
            elif message["type"] == "hello":
                self.hello = message

    async def send(self, kind: str, **values: Any) -> None:
        await self.socket.send(json.dumps({"type": kind, **values}))

    async def until(self, true: Callable[[], Any], seconds: float = 20.0, what: str = "") -> Any:
        """Waits until something holds."""
        end = time.perf_counter() + seconds
        while not (found := true()):
            assert time.perf_counter() < end, what or f"still not true; last texts: {self.texts[-4:]}"
            await asyncio.sleep(0.005)
        return found

    async def ready(self) -> Client:
        """A scene stands, and frames of it come."""
        await self.until(lambda: self.scene and self.frames)
        return self

    async def set_scene(self, **values: Any) -> None:
        """Sets the stage anew and waits until it stands."""
        before = len(self.texts)
        await self.send("scene", **values)
        await self.until(lambda: [t for t in self.texts[before:] if t["type"] in ("scene", "error")])
        count = len(self.scene["actors"])
        await self.until(lambda: self.frames and len(self.last.actors) == count and self.last.number < 400)

    async def run(self, frames: int) -> Frame:
        """Waits for so many more frames of the stage."""
        goal = self.last.number + frames
        await self.until(lambda: self.last.number >= goal, 20 + frames / 20)
        return self.last

    @property
    def last(self) -> Frame:
        return self.frames[-1]

    @property
    def actor(self) -> ActorFrame:
        return self.last.actors[0]

    def errors(self) -> list[str]:
        return [message["text"] for message in self.texts if message["type"] == "error"]

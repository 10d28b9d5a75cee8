"""Clients that do what they should not: the server stays up, others go on riding, memory stays bounded."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import struct
import threading
import time
from contextlib import suppress
from typing import Any

import numpy as np
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from .client import Client
from .running import Running
from .test_uploads import _resident

HANDSHAKE = (
    "GET /ws{stage} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


def raw(house: Running, content: bytes, buffer: int | None = None) -> socket.socket:
    """A plain connection to which something was written."""
    plain = socket.socket()
    if buffer is not None:
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    plain.settimeout(20)
    plain.connect(("127.0.0.1", house.port))
    plain.sendall(content)
    return plain


def test_garbage(house: Running) -> None:
    random = np.random.default_rng(0)
    for _ in range(10):
        plain = raw(house, random.bytes(2000))
        plain.close()
    for frame in (
        b"\xff" * 64,
        b"\x81\xfe\xff\xff" + bytes(70_000),
        b"\x82\x7f" + b"\xff" * 8,
        b"\x81\x85abcd\xff\xfe\xfd",
    ):
        plain = raw(house, HANDSHAKE.format(stage="").encode())
        assert b"101" in plain.recv(200)
        plain.sendall(frame)
        plain.close()

    async def play(page: Client) -> None:
        await page.socket.send(b"\x00\x01\x02")
        await page.until(lambda: page.errors())
        await page.run(5)

    house.drive(play)


def test_a_huge_message_ends_the_connection(house: Running) -> None:
    async def play() -> int | None:
        async with house.page() as page:
            await page.send("command", style={"x" * 100_000: 1})
            await asyncio.wait_for(page.socket.wait_closed(), 10)
            return page.socket.close_code

    assert asyncio.run(play()) == 1009


def test_too_many_messages(house: Running) -> None:
    async def play(page: Client) -> None:
        start = time.monotonic()
        for _ in range(600):
            await page.send("command", speed=0.5)
        await page.until(lambda: page.errors())
        await page.run(20)
        assert len(page.errors()) <= 1 + time.monotonic() - start  # one warning a second
        with suppress(ConnectionClosed):
            for _ in range(5000):
                await page.send("command", speed=0.5)
        await asyncio.wait_for(page.socket.wait_closed(), 20)
        assert page.socket.close_code == 1008

    house.drive(play)


def test_a_thousand_connections(house: Running) -> None:
    memory = _resident()
    for k in range(1000):
        content = HANDSHAKE.format(stage="").encode() if k % 2 else b"GET / HT"
        plain = raw(house, content)
        if k % 4 == 0:  # some are reset, not closed
            plain.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        plain.close()

    async def play(page: Client) -> None:
        await page.run(10)

    hub, end = house.studio.hub, time.monotonic() + 30
    time.sleep(0.5)
    while house.studio.server.server_state.connections or hub.viewers:
        assert time.monotonic() < end
        time.sleep(0.05)
    assert len(hub.rooms) <= hub.limits.stages
    house.drive(play)
    assert _resident() - memory < 100e6


def test_who_says_nothing_is_let_go(house: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("canter.studio.serve.REQUEST_TIMEOUT_SECONDS", 0.2)
    silent = [raw(house, content) for content in (b"", b"GET / HTTP/1.1\r\nHost: ") for _ in range(10)]
    for plain in silent:
        with suppress(ConnectionResetError):
            assert plain.recv(10) == b""
        plain.close()

    async def play(page: Client) -> None:  # who has asked for a socket stays
        await asyncio.sleep(0.5)
        await page.run(5)

    house.drive(play)


def test_others_notice_nothing(house: Running) -> None:
    """One rides while another opens connections, shouts, and sends large and broken files."""
    enough = threading.Event()

    def attack() -> None:
        house.upload(("large.glb", bytes(20_000_000)))
        house.upload(("broken.bvh", b"ROOT a {" * 20_000))
        for k in range(100):
            raw(house, HANDSHAKE.format(stage="").encode() if k % 2 else b"\xff" * 500).close()
        shouting = raw(house, HANDSHAKE.format(stage="").encode())
        with suppress(OSError):
            shouting.sendall(b"\x81\xfe\xff\xff" + bytes(70_000))
        shouting.close()

    def attack_on() -> None:
        while not enough.is_set():
            attack()

    async def play(page: Client) -> None:
        await page.send("command", speed=1.0)
        await page.run(30)
        await asyncio.to_thread(attack)  # what the first one takes, stages and buffers, is reused by the next ones
        memory, attacking = _resident(), asyncio.create_task(asyncio.to_thread(attack_on))
        try:
            await page.run(90)  # frames come while the attack lasts
            assert not attacking.done()
        finally:
            enough.set()
            await attacking
        assert page.actor.speed == pytest.approx(1.0, abs=0.2)
        assert not page.errors()
        assert _resident() - memory < 120e6

    house.drive(play)


@pytest.mark.parametrize("size", ["1e9", "nan", "inf", "-1", "0", "x", "9" * 400])
def test_sizes_that_nothing_has(house: Running, size: str) -> None:
    status, content = house.ask(f"/api/character/dog.glb?size={size}")
    assert status == 404
    assert json.loads(content)["error"]


def test_who_stops_reading_slows_nobody(house: Running) -> None:
    async def play(page: Client) -> None:
        stage = f"?stage={page.hello['stage']}"
        deaf = [raw(house, HANDSHAKE.format(stage=stage).encode(), 4096) for _ in range(3)]
        start = len(page.frames)
        await page.run(240)
        hub = house.studio.hub
        room = hub.rooms[page.hello["stage"]]
        assert len(room.viewers) == 4
        assert all(len(viewer._texts) < 20 for viewer in room.viewers.values())
        # Who reads again gets old frames only as far as its buffers held them, and then new ones.
        numbers = await asyncio.to_thread(_read_until, deaf[0], page.last.number)
        missed = np.diff(numbers).max()
        assert missed > 30
        assert np.diff([frame.number for frame in page.frames[start:]]).max() < missed / 2  # the others miss few
        for one in deaf:
            one.close()

    house.drive(play)


def _read_until(plain: socket.socket, number: int) -> list[int]:
    """The numbers of the frames that come, up to the first that is not older than `number`."""
    content = b""
    plain.settimeout(20)
    while max(_numbers(content), default=-1) < number:
        content += plain.recv(1 << 16)
    return _numbers(content)


def _numbers(content: bytes) -> list[int]:
    """The numbers of the frames in a stream of bytes."""
    mark, at, found = struct.pack("<2I", 0x544E4143, 2), 0, []
    while (at := content.find(mark, at)) >= 0 and at + 12 <= len(content):
        found.append(struct.unpack_from("<I", content, at + 8)[0])
        at += 12
    return found


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Host": "evil.example"},
        {"Host": "127.0.0.1.evil.example:80"},
        {"Host": "localhost@evil.example"},
        {"Host": ""},
    ],
)
def test_pages_of_other_sites_are_refused(house: Running, headers: dict[str, str]) -> None:
    status, content = house.ask("/api/catalog", headers=headers)
    assert status in (400, 403)
    assert status == 400 or json.loads(content)["error"]
    assert house.ask("/api/upload", "POST", b"", headers)[0] in (400, 403)
    lines = {"Host": f"127.0.0.1:{house.port}", **headers}
    head = "GET /ws HTTP/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    plain = raw(house, (head + HANDSHAKE.split("Host: 127.0.0.1\r\n")[1]).encode())
    assert plain.recv(100).split()[1] in (b"400", b"403")
    plain.close()


def test_its_own_page_is_let_in(house: Running) -> None:
    for host in (f"127.0.0.1:{house.port}", f"localhost:{house.port}", "localhost:9999", "[::1]:80", "LOCALHOST"):
        assert house.ask("/api/catalog", headers={"Host": host, "Origin": f"http://{host}"})[0] == 200

    async def play() -> None:
        async with connect(house.socket, origin=f"http://127.0.0.1:{house.port}") as page:  # type: ignore[arg-type]
            assert json.loads(await page.recv())["type"] == "hello"
        with pytest.raises(InvalidStatus):
            async with connect(house.socket, origin="http://evil.example"):  # type: ignore[arg-type]
                pass

    asyncio.run(play())


def test_paths_lead_nowhere(house: Running) -> None:
    secret = os.path.relpath(__file__, house.studio.settings.page)
    for path in (
        f"/{secret}",
        "/assets/../../../../etc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "//etc/passwd",
        "/api/..",
    ):
        status, content = house.ask(path)
        assert status in (404, 400, 405), path
        assert b"root:" not in content


def test_sockets_are_only_where_they_should_be(house: Running) -> None:
    for path in ("/", "/api/catalog", "/assets/a.js"):
        plain = raw(house, HANDSHAKE.replace("/ws{stage}", path).encode())
        assert plain.recv(100).split()[1] == b"403"
        plain.close()


def test_too_many_viewers(house: Running) -> None:
    async def play(page: Client) -> None:
        most = house.studio.hub.limits.viewers
        others: list[Any] = [
            await connect(f"{house.socket}?stage={page.hello['stage']}", compression=None) for _ in range(most - 1)
        ]
        async with house.page(stage=page.hello["stage"]) as late:
            await late.until(lambda: late.errors())
            assert str(most) in late.errors()[0]
        await page.run(60)
        for other in others:
            other.transport.abort()

    house.drive(play)

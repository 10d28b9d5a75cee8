"""Which `Host` and `Origin` headers are let in, for servers on this machine alone, on one address, and on all."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from canter.studio.guard import Guard


def status(server: str, host: str | None, origin: str | None = None, kind: str = "http") -> int:
    """The status that a request gets; 200 if it reaches the application."""
    sent: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        return {"type": f"{kind}.disconnect"}

    named = (("host", host), ("origin", origin))
    headers = [(name.encode(), value.encode()) for name, value in named if value is not None]
    scope = {"type": kind, "method": "GET", "path": "/", "headers": headers}
    scope["extensions"] = {"websocket.http.response": {}}
    asyncio.run(Guard(app, server)(scope, receive, send))
    return int(sent[0]["status"])


@pytest.mark.parametrize("kind", ["http", "websocket"])
@pytest.mark.parametrize(
    ("server", "host", "expected"),
    [
        ("127.0.0.1", "localhost:8765", 200),
        ("127.0.0.1", "LocalHost", 200),
        ("127.0.0.1", "[::1]:8765", 200),
        ("127.0.0.1", "[::1]", 200),
        ("127.0.0.1", "192.168.1.5", 400),
        ("127.0.0.1", "[::2]", 400),
        ("127.0.0.1", "evil.example:8765", 400),
        ("127.0.0.1", "127.0.0.1.evil.example", 400),
        ("127.0.0.1", "localhost@evil.example", 400),
        ("127.0.0.1", "localhost:8765:1", 400),
        ("127.0.0.1", "", 400),
        ("127.0.0.1", None, 400),
        ("fd00::7", "[fd00::7]:8765", 200),
        ("fd00::7", "[fd00::8]:8765", 400),
        ("studio.lan", "Studio.lan:8765", 200),
        ("studio.lan", "www.studio.lan", 400),
        ("0.0.0.0", "192.168.1.5:8765", 200),
        ("0.0.0.0", "[fd00::7]:8765", 200),
        ("0.0.0.0", "localhost", 200),
        ("0.0.0.0", "evil.example", 400),
        ("0.0.0.0", "evil@192.168.1.5", 400),
        ("0.0.0.0", "192.168.1.5.evil.example", 400),
        ("0.0.0.0", "999.1.1.1", 400),
        ("0.0.0.0", None, 400),
    ],
)
def test_hosts(server: str, host: str | None, expected: int, kind: str) -> None:
    assert status(server, host, kind=kind) == expected


@pytest.mark.parametrize("kind", ["http", "websocket"])
@pytest.mark.parametrize("server", ["127.0.0.1", "0.0.0.0"])
def test_origins(server: str, kind: str) -> None:
    for host in ("127.0.0.1:8765", "[::1]:8765"):
        assert status(server, host, f"http://{host}", kind) == 200
        for origin in ("http://evil.example", "null", "http://127.0.0.1:1", f"http://{host}.evil.example"):
            assert status(server, host, origin, kind) == 403

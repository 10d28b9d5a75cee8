"""The door: who may ask. Pages of other sites that a browser also shows must neither read nor drive the studio.

`Host` must name this machine, else another site's name could be made to point here (DNS rebinding); `Origin`, where a
browser sends one, must be the same host.
"""

from __future__ import annotations

import ipaddress
import json

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
EVERYWHERE = ("0.0.0.0", "::", "")
POLICY = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; connect-src 'self' ws: wss: data: blob:; worker-src 'self' blob:; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
)
HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "content-security-policy": POLICY,
}


class Guard:
    """Refuses requests and sockets from elsewhere before anything else sees them."""

    def __init__(self, app: ASGIApp, host: str) -> None:
        self._app = app
        name = f"[{host}]" if ":" in host else host
        self._hosts = {*LOOPBACK, name.lower()}
        self._everywhere = host in EVERYWHERE

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        refused = self._refused(Headers(scope=scope))
        if refused is None:
            await self._app(scope, receive, _with_headers(send) if scope["type"] == "http" else send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008, "reason": refused})
        else:
            body = json.dumps({"error": refused}).encode()
            headers = [(b"content-type", b"application/json"), (b"connection", b"close")]
            await send({"type": "http.response.start", "status": 403, "headers": headers})
            await send({"type": "http.response.body", "body": body})

    def _refused(self, headers: Headers) -> str | None:
        host = headers.get("host", "").lower()
        if not self._is_ours(_without_port(host)):
            return "this address is not the studio's; open it as http://localhost:PORT"
        origins = headers.getlist("origin")
        if origins and origins[0].lower().split("://", 1)[-1] != host:
            return "a page of another site may not use the studio"
        return None

    def _is_ours(self, name: str) -> bool:
        return name in self._hosts or (self._everywhere and _is_address(name))


def _without_port(host: str) -> str:
    head, _, port = host.rpartition(":")
    return head if head and port.isdigit() and (not head.startswith("[") or head.endswith("]")) else host


def _is_address(name: str) -> bool:
    """Whether a name is a plain address, which nobody can make point elsewhere."""
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


def _with_headers(send: Send) -> Send:
    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return sent

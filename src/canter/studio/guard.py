"""Which requests are answered: pages of other sites that a browser also shows must neither read nor drive the studio.

`Host` must name this machine, else another site's name could be made to point here (DNS rebinding); `Origin`, where a
browser sends one, must be the same host.
"""

from __future__ import annotations

import ipaddress
import re

from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
ALL_INTERFACES = ("0.0.0.0", "::", "")
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
    """Refuses requests and sockets of other sites before the application sees them, and adds HEADERS to answers.

    Starlette's TrustedHostMiddleware checks `Host`. Two things it cannot do are done here: it does not look at
    `Origin`, and it has no pattern for "any address but no name", which a server on all interfaces needs because it
    does not know by which of its addresses (or of a router's before it) it is reached.
    """

    def __init__(self, app: ASGIApp, host: str) -> None:
        self._app = app
        self._all_interfaces = host in ALL_INTERFACES
        hosts = (*LOOPBACK, f"[{host}]" if ":" in host else host)
        self._named = TrustedHostMiddleware(self._check_origin, hosts, www_redirect=False)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
        elif self._all_interfaces and _is_address(Headers(scope=scope).get("host", "")):
            await self._check_origin(scope, receive, send)
        else:
            await self._named(scope, receive, send)

    async def _check_origin(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        origin = headers.get("origin")
        if origin is not None and origin.lower().split("://", 1)[-1] != headers["host"].lower():
            refusal = JSONResponse(
                {"error": "a page of another site may not use the studio"}, 403, {"connection": "close"}
            )
            await refusal(scope, receive, send)
        else:
            await self._app(scope, receive, _with_headers(send) if scope["type"] == "http" else send)


def _is_address(host: str) -> bool:
    """Whether a Host header is a plain IP address, with or without a port: nobody can make that point elsewhere."""
    parts = re.fullmatch(r"(?:\[([\da-fA-F:.]+)\]|([\d.]+))(?::\d+)?", host)
    if parts is None:
        return False
    try:
        ipaddress.ip_address(parts[1] or parts[2])
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

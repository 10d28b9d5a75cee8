"""Starting the studio: a free port, a server on it, a browser that shows it, and a clean end.

The door opens before the heavy parts are there; the first animal is made in a thread meanwhile.
"""

from __future__ import annotations

import asyncio
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from canter.control.registry import entries
from canter.control.script import Script
from canter.studio.app import PAGE, make_app
from canter.studio.hub import FIRST, Hub
from canter.studio.library import Library
from canter.studio.limits import Limits
from canter.studio.messages import Casting, SceneWish
from canter.studio.uploads import Job, Uploads

PORT = 8765
PORTS = 50
"""How many ports are tried from the first."""
SWITCH = 0.001
"""Seconds after which threads take turns: a stage must not wait long for one that makes an animal."""
PATIENCE = 10.0
"""Seconds in which a connection has to ask for something."""
LOOPBACK = ("localhost", "127.0.0.1", "::1")
BUFFER = 16 * 1024
"""Bytes that wait on the way to one viewer. Little, so that who reads slowly gets new frames and not old ones."""


@dataclass(frozen=True)
class Settings:
    """What a studio is started with."""

    files: tuple[str, ...] = ()
    script: Script | None = None
    host: str = "127.0.0.1"
    port: int = PORT
    limits: Limits = field(default_factory=Limits)
    page: Path = PAGE


class Socket(WebSocketsSansIOProtocol):
    """A WebSocket that keeps little on its way, and lets go of a peer that no longer answers."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.transport.set_write_buffer_limits(high=BUFFER)
        own = self.transport.get_extra_info("socket")
        if own is not None:
            own.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, BUFFER)
            own.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self.transport.abort()


class Door(H11Protocol):
    """Lets go of who knocks and says nothing: silent connections count among those that there may be."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.loop.call_later(PATIENCE, self._tired)

    def _tired(self) -> None:
        if self.cycle is None and self.transport.get_protocol() is self:
            self.transport.abort()


class Studio:
    """A server that is ready to run; `address` is where it will be."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.socket = _bind(settings.host, settings.port)
        self.port = int(self.socket.getsockname()[1])
        self.library = Library()
        self._castings = _castings(settings)
        first = _first(settings, self._castings)
        self.hub = Hub(self.library, settings.limits, first, settings.script)
        self.uploads: Uploads
        self.server = uvicorn.Server(self._config())

    @property
    def address(self) -> str:
        host = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}.get(self.settings.host, self.settings.host)
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}/"

    def run(self) -> None:
        """Serves until it is told to stop."""
        before = sys.getswitchinterval()
        sys.setswitchinterval(SWITCH)
        try:
            self.server.run(sockets=[self.socket])
        finally:
            sys.setswitchinterval(before)
            self.socket.close()

    def stop(self) -> None:
        self.server.should_exit = True

    def _config(self) -> uvicorn.Config:
        limits = self.settings.limits
        return uvicorn.Config(
            self._app,
            factory=True,
            log_level="warning",
            access_log=False,
            lifespan="on",
            http=Door,
            ws=Socket,
            ws_max_size=limits.message_bytes,
            ws_per_message_deflate=False,
            ws_ping_interval=20.0,
            ws_ping_timeout=20.0,
            limit_concurrency=4 * limits.viewers + 64,
            timeout_graceful_shutdown=2,
            server_header=False,
        )

    def _app(self) -> ASGIApp:
        """Called where the event loop is about to run."""
        self.uploads = Uploads(self.library, self.settings.limits)
        app = make_app(self.hub, self.uploads, self.settings.host, self.settings.page, self._begin)
        return app

    def _begin(self) -> None:
        """On the event loop, when it runs: the first scene is made, or the files that were named are built."""
        if self.hub.first is not None:
            self.hub.warm_up()
            return
        missing = [place for place, casting in enumerate(self._castings) if casting is None]
        jobs = [self.uploads.local([Path(self.settings.files[place])]) for place in missing]
        for place, job in zip(missing, jobs, strict=True):
            self.uploads.start(job, partial(self._built, place))
        self._tell_progress(jobs)

    def _tell_progress(self, jobs: list[Job]) -> None:
        """Says every second what is being built, to whoever is there by then."""
        left = [job for job in jobs if not job.done]
        if left:
            self.hub.tell_all({"type": "doing", "text": f"{left[0].files[0].name}: {left[0].doing}"})
            asyncio.get_running_loop().call_later(1.0, self._tell_progress, left)

    def _built(self, place: int, job: Job) -> None:
        """A file of the command line is ready, or is not."""
        name = self.settings.files[place]
        if job.key is None:
            short, words = Path(name).name, str(job.error)
            words = words if words.startswith(short) else f"{short}: {words}"
            print(f"canter: {words}", file=sys.stderr)
            self.hub.tell_all({"type": "error", "text": words})
            self._castings[place] = FIRST.actors[0]
        else:
            self._castings[place] = Casting(job.key)
        first = _first(self.settings, self._castings)
        if first is not None:
            self.hub.begin_with(first)


def serve(settings: Settings, browser: bool = True, say: Callable[[str], None] = print) -> None:
    """Runs a studio until Ctrl-C; `say` is told where it is."""
    studio = Studio(settings)
    if studio.port != settings.port and settings.port:
        say(f"port {settings.port} is taken; this is the next one that is free")
    say(f"canter studio: {studio.address} (Ctrl-C ends it)")
    if settings.host not in LOOPBACK:
        say(f"--host {settings.host}: whoever can reach this machine can use it; there is no password")
    if not (settings.page / "index.html").is_file():
        say("the page is not built yet: `make page` builds it")
    if browser:
        threading.Timer(0.3, webbrowser.open, (studio.address,)).start()
    try:
        studio.run()
    except KeyboardInterrupt:
        say("ended")


def _castings(settings: Settings) -> list[Casting | None]:
    """Who was named on the command line; None where files have to be built first."""
    shipped = {entry.name for entry in entries("animal")}
    return [Casting(n) if n in shipped and not Path(n).exists() else None for n in settings.files]


def _first(settings: Settings, castings: list[Casting | None]) -> SceneWish | None:
    """The scene of new stages, once everybody is there."""
    ready = tuple(casting for casting in castings if casting is not None)
    if len(ready) < len(castings):
        return None
    script = settings.script
    if script is None:
        return SceneWish(ready or FIRST.actors, FIRST.world)
    return SceneWish(tuple(Casting(casting.animal, script.controller, script.size) for casting in ready), script.world)


def _bind(host: str, port: int) -> socket.socket:
    """A listening socket on the port, or on the next that is free."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for number in range(port, port + PORTS) if port else (0,):
        listening = socket.socket(family, socket.SOCK_STREAM)
        try:
            if sys.platform != "win32":
                listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind((host, number))
            listening.listen(2048)
        except OSError as error:
            listening.close()
            if number == port + PORTS - 1 or not port or error.errno not in _TAKEN:
                raise OSError(f"{host}:{number} cannot be used: {error.strerror}; name another with --port") from None
        else:
            return listening
    raise OSError(f"no port from {port} on is free")


_TAKEN = {98, 48, 13, 10048, 10013}
"""Errors of systems that say that a port is in use, or not for us."""

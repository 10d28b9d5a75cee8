"""Starting the studio: a free port, a server on it, a browser that shows it, and a clean end.

The server answers before the first animal is built, which happens in a thread.
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

from canter.control.registry import DEFAULT_CONTROLLER, is_animal
from canter.control.script import Script
from canter.studio.app import PAGE, make_app
from canter.studio.home import data_folder
from canter.studio.hub import DEFAULT_SCENE, Hub
from canter.studio.kept import Shelf
from canter.studio.library import Library
from canter.studio.limits import Limits
from canter.studio.messages import ActorSpec, SceneRequest
from canter.studio.uploads import Job, Uploads

PORT = 8765
MAX_PORTS_TRIED = 50
"""So many ports are tried, from the requested one on."""
SWITCH_INTERVAL_SECONDS = 0.001
"""Interpreter's switch interval: a stage must not wait long for a thread that builds an animal."""
REQUEST_TIMEOUT_SECONDS = 10.0
"""A connection that has not sent a whole request in this time is closed."""
LOOPBACK = ("localhost", "127.0.0.1", "::1")
SEND_BUFFER_BYTES = 16 * 1024
"""Send buffer of one viewer: small, so that one who reads slowly gets new frames and not old ones."""


@dataclass(frozen=True)
class Settings:
    """Settings of a studio. `files` are animals by name or path; their actors play `script`."""

    files: tuple[str, ...] = ()
    script: Script | None = None
    host: str = "127.0.0.1"
    port: int = PORT
    limits: Limits = field(default_factory=Limits)
    page: Path = PAGE
    home: Path = field(default_factory=data_folder)
    """Where uploads are kept."""


class WebSocketProtocol(WebSocketsSansIOProtocol):
    """A WebSocket with a small send buffer that drops the connection of a peer that no longer answers pings."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.transport.set_write_buffer_limits(high=SEND_BUFFER_BYTES)
        own = self.transport.get_extra_info("socket")
        if own is not None:
            own.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
            own.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self.transport.abort()


class HttpProtocol(H11Protocol):
    """Closes connections that send no request, because they count towards the limit of connections."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.loop.call_later(REQUEST_TIMEOUT_SECONDS, self._close_if_silent)

    def _close_if_silent(self) -> None:
        if self.cycle is None and self.transport.get_protocol() is self:
            self.transport.abort()


class Studio:
    """A server whose socket is bound; `run` serves at `address`."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.socket = _bind(settings.host, settings.port)
        self.port = int(self.socket.getsockname()[1])
        self.shelf = Shelf(settings.home, settings.limits)
        self.library = Library(self.shelf)
        self._specs = _specs(settings)
        first_scene = _first_scene(settings, self._specs)
        self.hub = Hub(self.library, settings.limits, first_scene, settings.script)
        self.uploads: Uploads
        self.server = uvicorn.Server(self._config())

    @property
    def address(self) -> str:
        host = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}.get(self.settings.host, self.settings.host)
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}/"

    def run(self) -> None:
        """Serves until `stop` is called or the process is interrupted."""
        before = sys.getswitchinterval()
        sys.setswitchinterval(SWITCH_INTERVAL_SECONDS)
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
            http=HttpProtocol,
            ws=WebSocketProtocol,
            ws_max_size=limits.message_bytes,
            ws_per_message_deflate=False,
            ws_ping_interval=20.0,
            ws_ping_timeout=20.0,
            limit_concurrency=4 * limits.viewers + 64,
            timeout_graceful_shutdown=2,
            server_header=False,
        )

    def _app(self) -> ASGIApp:
        """Called by uvicorn just before the event loop runs."""
        self.uploads = Uploads(self.library, self.shelf, self.settings.limits)
        return make_app(self.hub, self.uploads, self.settings.host, self.settings.page, self._on_start)

    def _on_start(self) -> None:
        """On the event loop: builds the first scene, or the files of the command line that it needs."""
        if self.hub.first_scene is not None:
            self.hub.warm_up()
            return
        missing = [index for index, spec in enumerate(self._specs) if spec is None]
        jobs = [self.uploads.local([Path(self.settings.files[index])]) for index in missing]
        for index, job in zip(missing, jobs, strict=True):
            self.uploads.start(job, partial(self._built, index))
        self._broadcast_progress(jobs)

    def _broadcast_progress(self, jobs: list[Job]) -> None:
        """Reports every second what is being built, to the viewers of that moment."""
        unfinished = [job for job in jobs if not job.done]
        if unfinished:
            self.hub.broadcast({"type": "doing", "text": f"{unfinished[0].files[0].name}: {unfinished[0].doing}"})
            asyncio.get_running_loop().call_later(1.0, self._broadcast_progress, unfinished)

    def _built(self, index: int, job: Job) -> None:
        """The build of a file of the command line has succeeded or failed."""
        name = self.settings.files[index]
        if job.key is None:
            short, reason = Path(name).name, str(job.error)
            reason = reason if reason.startswith(short) else f"{short}: {reason}"
            print(f"canter: {reason}", file=sys.stderr)
            self.hub.broadcast({"type": "error", "text": reason})
            self._specs[index] = DEFAULT_SCENE.actors[0]
        else:
            self._specs[index] = ActorSpec(job.key)
        first_scene = _first_scene(self.settings, self._specs)
        if first_scene is not None:
            self.hub.set_first_scene(first_scene)


def serve(settings: Settings, browser: bool = True, report: Callable[[str], None] = print) -> None:
    """Runs a studio until Ctrl-C; `report` gets its address and warnings."""
    studio = Studio(settings)
    if studio.port != settings.port and settings.port:
        report(f"port {settings.port} is taken; this is the next one that is free")
    report(f"canter studio: {studio.address} (Ctrl-C ends it)")
    if settings.host not in LOOPBACK:
        report(f"--host {settings.host}: whoever can reach this machine can use it; there is no password")
    if not (settings.page / "index.html").is_file():
        report("the page is not built yet: `make page` builds it")
    for problem in studio.shelf.entries()[1]:
        report(problem)
    if browser:
        threading.Timer(0.3, webbrowser.open, (studio.address,)).start()
    try:
        studio.run()
    except KeyboardInterrupt:
        report("ended")


def _specs(settings: Settings) -> list[ActorSpec | None]:
    """The actors of the command line; None where a file has to be built first."""
    return [ActorSpec(name) if is_animal(name) else None for name in settings.files]


def _first_scene(settings: Settings, specs: list[ActorSpec | None]) -> SceneRequest | None:
    """The scene of new stages; None until all files are built."""
    ready = tuple(spec for spec in specs if spec is not None)
    if len(ready) < len(specs):
        return None
    script = settings.script
    if script is None:
        return SceneRequest(ready or DEFAULT_SCENE.actors, DEFAULT_SCENE.world)
    controller = script.controller or DEFAULT_CONTROLLER
    return SceneRequest(tuple(ActorSpec(spec.animal, controller, script.size) for spec in ready), script.world)


def _bind(host: str, port: int) -> socket.socket:
    """A listening socket on the port, or on the next free one."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for number in range(port, port + MAX_PORTS_TRIED) if port else (0,):
        listening = socket.socket(family, socket.SOCK_STREAM)
        try:
            if sys.platform != "win32":
                listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind((host, number))
            listening.listen(2048)
        except OSError as error:
            listening.close()
            if number == port + MAX_PORTS_TRIED - 1 or not port or error.errno not in _PORT_TAKEN_ERRNOS:
                raise OSError(f"{host}:{number} cannot be used: {error.strerror}; name another with --port") from None
        else:
            return listening
    raise OSError(f"no port from {port} on is free")


_PORT_TAKEN_ERRNOS = {98, 48, 13, 10048, 10013}
"""errno of Linux, macOS and Windows for a port that is in use or not permitted."""

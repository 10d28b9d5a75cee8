"""The routes of the studio, as docs/studio_wire.md lists them. Slow work is done in threads."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from canter.studio.guard import Guard
from canter.studio.hub import Hub, Room
from canter.studio.limits import Full, Limits, Missing, Refused
from canter.studio.messages import EditAnimal, SceneRequest, parse
from canter.studio.recording import KINDS, export_ride
from canter.studio.uploads import Uploads
from canter.studio.viewers import Viewer

log = logging.getLogger(__name__)
PAGE = Path(__file__).with_name("page")
NOT_BUILT = """<!doctype html><meta charset="utf-8"><title>canter studio</title>
<body style="font: 16px sans-serif; max-width: 36em; margin: 4em auto">
<h1>The page is not built yet</h1>
<p>The server runs, but this copy of canter has no page. Build it once with <code>make page</code>, then reload.</p>
"""


def make_app(
    hub: Hub, uploads: Uploads, host: str = "127.0.0.1", page: Path = PAGE, on_start: Callable[[], None] = lambda: None
) -> ASGIApp:
    """The whole application behind its guard; `on_start` is called when the event loop runs."""
    routes = Routes(hub, uploads, page)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        expiring = asyncio.create_task(routes.expire_stages())
        on_start()
        yield
        expiring.cancel()
        await uploads.end()
        hub.end()

    app = Starlette(
        routes=[
            Route("/api/catalog", routes.catalog),
            Route("/api/character/{name}", routes.character),
            Route("/api/upload", uploads.receive, methods=["POST"]),
            Route("/api/upload/{job}", uploads.status),
            Route("/api/upload/{job}", uploads.forget, methods=["DELETE"]),
            Route("/api/upload/{job}/correct", uploads.correct, methods=["POST"]),
            Route("/api/stage/{stage}/{name}", routes.ride),
            Route("/api/{rest:path}", routes.not_found),
            WebSocketRoute("/ws", routes.socket),
            Route("/", routes.index),
            Mount("/", Page(directory=page, check_dir=False)),
        ],
        exception_handlers={Refused: _refused},
        lifespan=lifespan,
    )
    return Guard(app, host)


class Page(StaticFiles):
    """The files of the built page, which may be missing; sockets are only at /ws."""

    async def check_config(self) -> None:
        return

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        else:
            await super().__call__(scope, receive, send)


async def _refused(request: Request, error: Exception) -> Response:
    status = 404 if isinstance(error, Missing) else 507 if isinstance(error, Full) else 422
    return JSONResponse({"error": str(error)}, status)


class Routes:
    """The handlers of the routes, except for uploads."""

    def __init__(self, hub: Hub, uploads: Uploads, page: Path) -> None:
        self._hub, self._uploads, self._page = hub, uploads, page
        self._limits: Limits = hub.limits
        self._exporting = asyncio.Semaphore(1)

    async def expire_stages(self) -> None:
        while True:
            await asyncio.sleep(5)
            self._hub.delete_expired()

    async def index(self, request: Request) -> Response:
        path = self._page / "index.html"
        return FileResponse(path) if path.is_file() else HTMLResponse(NOT_BUILT)

    async def not_found(self, request: Request) -> Response:
        return JSONResponse({"error": "there is no such thing here"}, 404)

    async def catalog(self, request: Request) -> Response:
        return JSONResponse(await run_in_threadpool(self._hub.library.catalog))

    async def character(self, request: Request) -> Response:
        """The body of an animal as GLB, or an uploaded animal as a `.canter` file."""
        key, dot, kind = request.path_params["name"].rpartition(".")
        if not dot or kind not in ("glb", "canter"):
            return await self.not_found(request)
        if kind == "canter":
            return await self._uploads.built(key)
        try:
            size = float(request.query_params.get("size", "1"))
            body = await run_in_threadpool(self._hub.library.body, key, size)
        except ValueError as error:
            return JSONResponse({"error": str(error)}, 404)
        return Response(body, media_type="model/gltf-binary", headers={"cache-control": "no-cache"})

    async def ride(self, request: Request) -> Response:
        """The recorded ride of an actor, as a download."""
        room = self._hub.rooms.get(request.path_params["stage"])
        stem, _, kind = request.path_params["name"].partition(".")
        if room is None or stem != "ride" or kind not in KINDS:
            return await self.not_found(request)
        recorded = room.stage.recorded
        number = request.query_params.get("actor", "0")
        track = recorded.tracks.get(int(number)) if recorded and number.isdecimal() and len(number) < 4 else None
        if track is None:
            return JSONResponse({"error": "nothing of this actor has been recorded yet"}, 404)
        async with self._exporting:
            content = await run_in_threadpool(export_ride, track, kind, self._limits)
        named = {"content-disposition": f'attachment; filename="ride.{kind}"'}
        return Response(content, media_type=KINDS[kind], headers=named)

    async def socket(self, socket: WebSocket) -> None:
        """One viewer, from joining to leaving."""
        await socket.accept()
        viewer = Viewer(self._hub.next_viewer(), socket, self._limits)
        try:
            room = self._hub.open(socket.query_params.get("stage"))
        except Refused as error:
            with suppress(WebSocketDisconnect, RuntimeError):
                await socket.send_json({"type": "error", "text": str(error)})
                await socket.close(1013)
            return
        self._hub.join(room, viewer)
        sending = asyncio.create_task(viewer.send_all())
        try:
            await self._receive_all(socket, viewer, room)
        except (WebSocketDisconnect, RuntimeError):
            pass
        finally:
            self._hub.leave(room, viewer)
            sending.cancel()

    async def _receive_all(self, socket: WebSocket, viewer: Viewer, room: Room) -> None:
        """Handles a viewer's messages until it disconnects or exceeds the rate limit by far."""
        while True:
            event: dict[str, Any] = dict(await socket.receive())
            if event["type"] == "websocket.disconnect":
                return
            verdict = viewer.rate_limiter.verdict()
            if verdict == "disconnect":
                await viewer.close(1008, "too many messages")
                return
            if verdict == "warn":
                rate = self._limits.messages_per_second
                viewer.send({"type": "error", "text": f"more than {rate:g} messages a second; the rest is dropped"})
            if verdict == "accept":
                self._handle(event, viewer, room)

    def _handle(self, event: dict[str, Any], viewer: Viewer, room: Room) -> None:
        try:
            content = event.get("text")
            if content is None:
                raise Refused("messages to the studio are JSON texts, not bytes")
            message = parse(content, self._limits)
            if isinstance(message, SceneRequest):
                self._hub.request_scene(room, message, viewer.number)
            elif isinstance(message, EditAnimal):
                self._hub.request_edit(room, message, viewer.number)
            else:
                room.stage.receive(message, viewer.number)
        except Refused as error:
            viewer.send({"type": "error", "text": str(error)})
        except Exception as error:  # a mistake of ours must not cost the viewer its connection
            log.exception("message of viewer %d", viewer.number)
            viewer.send({"type": "error", "text": f"that failed: {str(error)[:200]}"})

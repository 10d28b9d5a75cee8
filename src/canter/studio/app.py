"""The routes of the studio, as docs/studio_wire.md lists them. Whatever takes a while happens in threads."""

from __future__ import annotations

import asyncio
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
from canter.studio.limits import Limits, Refused
from canter.studio.messages import SceneWish, parse
from canter.studio.recording import KINDS, written
from canter.studio.uploads import Uploads
from canter.studio.viewers import Viewer

PAGE = Path(__file__).with_name("page")
NOT_BUILT = """<!doctype html><meta charset="utf-8"><title>canter studio</title>
<body style="font: 16px sans-serif; max-width: 36em; margin: 4em auto">
<h1>The page is not built yet</h1>
<p>The server runs, but this copy of canter has no page. Build it once with <code>make page</code>, then reload.</p>
"""


def make_app(
    hub: Hub, uploads: Uploads, host: str = "127.0.0.1", page: Path = PAGE, begin: Callable[[], None] = lambda: None
) -> ASGIApp:
    """The whole application behind its guard; `begin` is called when the event loop runs."""
    routes = Routes(hub, uploads, page)

    @asynccontextmanager
    async def life(app: Starlette) -> AsyncIterator[None]:
        tending = asyncio.create_task(routes.tend())
        begin()
        yield
        tending.cancel()
        await uploads.end()
        hub.end()

    app = Starlette(
        routes=[
            Route("/api/catalog", routes.catalog),
            Route("/api/character/{name}", routes.character),
            Route("/api/upload", uploads.receive, methods=["POST"]),
            Route("/api/upload/{job}", uploads.tell),
            Route("/api/upload/{job}/correct", uploads.correct, methods=["POST"]),
            Route("/api/stage/{stage}/{name}", routes.ride),
            Route("/api/{rest:path}", routes.nothing),
            WebSocketRoute("/ws", routes.socket),
            Route("/", routes.index),
            Mount("/", Page(directory=page, check_dir=False)),
        ],
        exception_handlers={Refused: _refused},
        lifespan=life,
    )
    return Guard(app, host)


class Page(StaticFiles):
    """The built page's files, which may not be there yet."""

    async def check_config(self) -> None:
        return

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        else:
            await super().__call__(scope, receive, send)


async def _refused(request: Request, error: Exception) -> Response:
    return JSONResponse({"error": str(error)}, 422)


class Routes:
    """What is asked for, and who answers."""

    def __init__(self, hub: Hub, uploads: Uploads, page: Path) -> None:
        self._hub, self._uploads, self._page = hub, uploads, page
        self._limits: Limits = hub.limits
        self._writing = asyncio.Semaphore(1)

    async def tend(self) -> None:
        """Forgets what nobody needs any more."""
        while True:
            await asyncio.sleep(5)
            self._hub.forget_old()

    async def index(self, request: Request) -> Response:
        path = self._page / "index.html"
        return FileResponse(path) if path.is_file() else HTMLResponse(NOT_BUILT)

    async def nothing(self, request: Request) -> Response:
        return JSONResponse({"error": "there is no such thing here"}, 404)

    async def catalog(self, request: Request) -> Response:
        return JSONResponse(self._hub.library.catalog())

    async def character(self, request: Request) -> Response:
        """The body of an animal; its name is only looked up among those that there are."""
        key, dot, kind = request.path_params["name"].rpartition(".")
        if not dot or kind not in ("glb", "canter"):
            return await self.nothing(request)
        if kind == "canter":
            return self._uploads.built(key)
        try:
            size = float(request.query_params.get("size", "1"))
            body = await run_in_threadpool(self._hub.library.body, key, size)
        except ValueError as error:
            return JSONResponse({"error": str(error)}, 404)
        return Response(body, media_type="model/gltf-binary", headers={"cache-control": "no-cache"})

    async def ride(self, request: Request) -> Response:
        """What was recorded, as a download."""
        room = self._hub.rooms.get(request.path_params["stage"])
        stem, _, kind = request.path_params["name"].partition(".")
        if room is None or stem != "ride" or kind not in KINDS:
            return await self.nothing(request)
        recorded = room.stage.recorded
        number = request.query_params.get("actor", "0")
        track = recorded.tracks.get(int(number)) if recorded and number.isdecimal() and len(number) < 4 else None
        if track is None:
            return JSONResponse({"error": "nothing of this actor has been recorded yet"}, 404)
        async with self._writing:
            content = await run_in_threadpool(written, track, kind, self._limits)
        named = {"content-disposition": f'attachment; filename="ride.{kind}"'}
        return Response(content, media_type=KINDS[kind], headers=named)

    async def socket(self, socket: WebSocket) -> None:
        """One viewer from coming to going."""
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
            await self._listen(socket, viewer, room)
        except (WebSocketDisconnect, RuntimeError):
            pass
        finally:
            self._hub.part(room, viewer)
            sending.cancel()

    async def _listen(self, socket: WebSocket, viewer: Viewer, room: Room) -> None:
        """Hears a viewer until it leaves or is sent away."""
        while True:
            event: dict[str, Any] = dict(await socket.receive())
            if event["type"] == "websocket.disconnect":
                return
            verdict = viewer.bucket.verdict()
            if verdict == "closed":
                await viewer.close(1008, "too many messages")
                return
            if verdict == "warn":
                most = self._limits.messages_a_second
                viewer.say({"type": "error", "text": f"more than {most:g} messages a second; the rest is dropped"})
            if verdict == "heard":
                self._hear(event, viewer, room)

    def _hear(self, event: dict[str, Any], viewer: Viewer, room: Room) -> None:
        try:
            content = event.get("text")
            if content is None:
                raise Refused("messages to the studio are JSON texts, not bytes")
            message = parse(content, self._limits)
            if isinstance(message, SceneWish):
                self._hub.want(room, message, viewer.number)
            else:
                room.stage.hear(message, viewer.number)
        except Refused as error:
            viewer.say({"type": "error", "text": str(error)})

"""A studio that runs in a thread on a free port, and real sockets to it."""

from __future__ import annotations

import asyncio
import http.client
import json
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from canter.studio.serve import Settings, Studio

from .client import Client


@dataclass(frozen=True)
class Running:
    """A studio, and ways to talk to it."""

    studio: Studio

    @property
    def port(self) -> int:
        return self.studio.port

    @property
    def socket(self) -> str:
        return f"ws://127.0.0.1:{self.port}/ws"

    def page(self, **options: Any) -> Client:
        """A viewer on a stage of its own, or on `stage`."""
        stage = options.pop("stage", None)
        return Client(self.socket + (f"?stage={stage}" if stage else ""), **options)

    def drive(self, play: Callable[[Client], Awaitable[Any]], scene: dict[str, Any] | None = None) -> Any:
        """Plays with one viewer on a new stage that stands."""

        async def run() -> Any:
            async with self.page() as page:
                await page.ready()
                if scene is not None:
                    await page.set_scene(**scene)
                return await asyncio.wait_for(play(page), 60)

        return asyncio.run(run())

    def ask(
        self, path: str, method: str = "GET", body: Any = None, headers: dict[str, str] | None = None
    ) -> tuple[int, bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def upload(self, *files: tuple[str, bytes]) -> tuple[int, dict[str, Any]]:
        """Sends files as a browser's form does."""
        edge = "edge-of-the-form"
        parts = b"".join(
            b'--%b\r\nContent-Disposition: form-data; name="file"; filename="%b"\r\n'
            b"Content-Type: application/octet-stream\r\n\r\n%b\r\n" % (edge.encode(), name.encode(), content)
            for name, content in files
        )
        body = parts + f"--{edge}--\r\n".encode()
        status, answer = self.ask(
            "/api/upload", "POST", body, {"Content-Type": f"multipart/form-data; boundary={edge}"}
        )
        return status, json.loads(answer)

    def built(self, job: str, seconds: float = 60.0) -> dict[str, Any]:
        """The job when it is done."""
        end = time.monotonic() + seconds
        while True:
            status, answer = self.ask(f"/api/upload/{job}")
            assert status == 200, answer
            job_state: dict[str, Any] = json.loads(answer)
            if job_state["done"]:
                return job_state
            assert time.monotonic() < end, job_state
            time.sleep(0.05)


@contextmanager
def running(**settings: Any) -> Iterator[Running]:
    """A studio from start to end."""
    studio = Studio(Settings(**{"port": 0, **settings}))
    thread = threading.Thread(target=studio.run, daemon=True)
    thread.start()
    end = time.monotonic() + 20
    while not studio.server.started:
        assert time.monotonic() < end
        assert thread.is_alive()
        time.sleep(0.01)
    try:
        yield Running(studio)
    finally:
        studio.stop()
        thread.join(10)
        assert not thread.is_alive()

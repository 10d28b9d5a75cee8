"""Uploads: files are received, built into an animal by a child process, and loaded as a `.canter` file.

One is built at a time. The child has limits of memory and time and is killed when nobody polls its state any more; its
result is read with the same checks as any file from outside.
"""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import shutil
import signal
import sys
import tempfile
import time
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, JSONResponse, Response

from canter.cycles.build.file import read_drivable
from canter.studio.corrections import Corrections, read_corrections
from canter.studio.library import UPLOAD_PREFIX, Library
from canter.studio.limits import Limits, Refused
from canter.studio.multipart import Form, StoredFile, TooLarge, form_boundary

MAX_LINE_BYTES = 4 << 20
INHERITED_VARIABLES = ("PATH", "PYTHONPATH", "LANG", "SYSTEMROOT", "LD_LIBRARY_PATH")
"""Environment variables that the child process inherits."""
RESULT = "built.canter"


@dataclass(eq=False)
class Job:
    """One build and its progress."""

    name: str
    folder: Path
    files: list[StoredFile]
    corrections: Corrections = field(default_factory=Corrections)
    is_upload: bool = True
    """False for a file of the command line: it is built whether or not anybody polls its state."""
    share: float = 0.0
    doing: str = "waiting for its turn"
    done: bool = False
    error: str | None = None
    key: str | None = None
    report: dict[str, Any] | None = None
    polled_at: float = field(default_factory=time.monotonic)
    task: asyncio.Task[None] | None = None

    def status(self) -> dict[str, Any]:
        names = ("share", "doing", "done", "error", "key", "report")
        return {name: getattr(self, name) for name in names}


class Uploads:
    """The jobs, each in a folder of its own within a temporary folder of the server."""

    def __init__(self, library: Library, limits: Limits) -> None:
        self._library, self._limits = library, limits
        self._home = tempfile.TemporaryDirectory(prefix="canter-studio-", ignore_cleanup_errors=True)
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._building = asyncio.Semaphore(1)
        self._receiving = 0

    @property
    def folder(self) -> Path:
        return Path(self._home.name)

    # Routes --------------------------------------------------------------------------------------

    async def receive(self, request: Request) -> Response:
        """Receives files and queues their build."""
        if self._unfinished() >= self._limits.queued_builds:
            return JSONResponse({"error": "others are being built; try again in a minute"}, 429)
        folder = self._new_folder()
        self._receiving += 1
        try:
            boundary = form_boundary(request.headers.get("content-type", ""))
            form = Form(boundary, folder, self._limits)
            if int(request.headers.get("content-length", "0") or 0) > self._limits.upload_bytes:
                raise TooLarge(f"the files are larger than {self._limits.upload_bytes / 1e6:g} MB together")
            async with asyncio.timeout(self._limits.build_seconds):
                files = await form.read(request.stream())
        except (Refused, ValueError, TimeoutError, ClientDisconnect) as error:
            shutil.rmtree(folder, ignore_errors=True)
            await _drain(request)
            status = 413 if isinstance(error, TooLarge) else 422
            return JSONResponse({"error": str(error) or "the upload took too long"}, status, {"connection": "close"})
        finally:
            self._receiving -= 1
        return JSONResponse({"job": self.start(Job(folder.name, folder, files)).name})

    async def status(self, request: Request) -> Response:
        """The state of a job."""
        job = self._jobs.get(request.path_params["job"])
        if job is None:
            return JSONResponse({"error": "there is no such upload any more"}, 404)
        job.polled_at = time.monotonic()
        return JSONResponse(job.status())

    async def correct(self, request: Request) -> Response:
        """Builds a job's files again, with further corrections."""
        job = self._jobs.get(request.path_params["job"])
        if job is None:
            return JSONResponse({"error": "there is no such upload any more"}, 404)
        if self._unfinished() >= self._limits.queued_builds:
            return JSONResponse({"error": "others are being built; try again in a minute"}, 429)
        content = b""
        async with asyncio.timeout(self._limits.poll_seconds):
            async for chunk in request.stream():
                content += chunk
                if len(content) > self._limits.message_bytes:
                    return JSONResponse({"error": "these corrections are too long"}, 413, {"connection": "close"})
        corrections = job.corrections.followed_by(read_corrections(content))
        folder = self._new_folder()
        files = [StoredFile(folder / file.path.name, file.name) for file in job.files]
        for old, new in zip(job.files, files, strict=True):
            await run_in_threadpool(shutil.copyfile, old.path, new.path)
        return JSONResponse({"job": self.start(Job(folder.name, folder, files, corrections)).name})

    def built(self, key: str) -> Response:
        """The `.canter` file of an animal that was built here."""
        job = next((job for job in self._jobs.values() if job.key == key), None)
        if job is None or job.report is None:
            return JSONResponse({"error": "there is no such animal any more"}, 404)
        return FileResponse(job.folder / RESULT, media_type="application/zip", filename=f"{job.report['name']}.canter")

    # Jobs ----------------------------------------------------------------------------------------

    def local(self, paths: list[Path]) -> Job:
        """A job of files of the command line; they are read in place."""
        folder = self._new_folder()
        return Job(folder.name, folder, [StoredFile(path.resolve(), path.name) for path in paths], is_upload=False)

    def start(self, job: Job, then: Callable[[Job], None] = lambda job: None) -> Job:
        """Queues a job; `then` is called when it has succeeded or failed."""
        self._jobs[job.name] = job
        self._delete_oldest()

        async def run() -> None:
            try:
                async with self._building:
                    await self._build(job)
            except Refused as error:
                job.error = str(error)
            except Exception as error:
                job.error = f"building failed: {str(error)[:200]}"
            finally:
                job.done, job.share = True, 1.0
                then(job)

        job.task = asyncio.get_running_loop().create_task(run())
        return job

    async def end(self) -> None:
        """Cancels all builds and deletes the folder."""
        tasks = [job.task for job in self._jobs.values() if job.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._home.cleanup()

    def _unfinished(self) -> int:
        return self._receiving + sum(not job.done for job in self._jobs.values())

    def _new_folder(self) -> Path:
        folder = self.folder / secrets.token_hex(8)
        folder.mkdir(mode=0o700)
        return folder

    def _delete_oldest(self) -> None:
        finished = [job for job in self._jobs.values() if job.done and job.is_upload]
        for job in finished[: max(0, len(self._jobs) - self._limits.stored_uploads)]:
            del self._jobs[job.name]
            if job.key is not None:
                self._library.remove(job.key)
            shutil.rmtree(job.folder, ignore_errors=True)

    async def _build(self, job: Job) -> None:
        """Runs the child process and loads its result."""
        order = {
            "files": [{"path": str(file.path), "name": file.name} for file in job.files],
            "local": not job.is_upload,
            "corrections": job.corrections.to_table(),
            "result": RESULT,
            "seconds": self._limits.build_seconds,
            "bytes": self._limits.build_bytes,
        }
        (job.folder / "job.json").write_text(json.dumps(order), "utf-8")
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", "canter.studio.worker"),
            cwd=job.folder,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env=_environment(job.folder),
            limit=MAX_LINE_BYTES,
            start_new_session=True,
        )
        try:
            async with asyncio.timeout(self._limits.build_seconds):
                await self._listen(job, process)
        except TimeoutError:
            raise Refused(f"building took longer than {self._limits.build_seconds:g} s and was ended") from None
        finally:
            await _kill(process)
        if job.error is None and job.report is not None:
            job.doing, job.share = "loading", 0.97
            character = await run_in_threadpool(read_drivable, job.folder / RESULT)
            key = f"{UPLOAD_PREFIX}{job.name}"
            self._library.add(key, character)
            job.key, job.doing = key, "ready"
        elif job.error is None:
            job.error = "the files could not be read: the reader gave up, perhaps for want of memory"

    async def _listen(self, job: Job, process: asyncio.subprocess.Process) -> None:
        """Reads the child's lines until it ends; raises Refused if nobody polls the job any more."""
        assert process.stdout is not None
        coming = asyncio.ensure_future(process.stdout.readline())
        try:
            while True:
                ready, _ = await asyncio.wait({coming}, timeout=0.5)
                if job.is_upload and time.monotonic() - job.polled_at > self._limits.poll_seconds:
                    raise Refused("nobody asked about this upload any more")
                if not ready:
                    continue
                line = coming.result()
                if not line:
                    return
                _read_line(job, line)
                coming = asyncio.ensure_future(process.stdout.readline())
        finally:
            coming.cancel()


def _read_line(job: Job, line: bytes) -> None:
    """Updates a job by one line of its child: progress, an error, or the report."""
    try:
        message = json.loads(line)
    except ValueError:  # printed by a library
        return
    if not isinstance(message, dict):
        return
    if "share" in message:
        job.share, job.doing = min(max(float(message["share"]), 0.0), 1.0), str(message["doing"])[:200]
    if "report" in message:
        job.report = dict(message["report"])
    if "error" in message:
        job.error = str(message["error"])[:1000]


async def _kill(process: asyncio.subprocess.Process) -> None:
    """Kills the child process and its descendants."""
    with suppress(ProcessLookupError, PermissionError):
        if process.returncode is None:
            os.killpg(process.pid, signal.SIGKILL) if hasattr(os, "killpg") else process.kill()
    await process.wait()


def _environment(folder: Path) -> dict[str, str]:
    inherited = {name: os.environ[name] for name in INHERITED_VARIABLES if name in os.environ}
    single = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    return {**inherited, **single, "TMPDIR": str(folder), "TEMP": str(folder), "TMP": str(folder)}


async def _drain(request: Request) -> None:
    """Discards the rest of a request for up to a second: a browser that is still sending would miss the answer."""
    with suppress(TimeoutError, RuntimeError, ClientDisconnect):
        async with asyncio.timeout(1.0):
            async for _ in request.stream():
                pass

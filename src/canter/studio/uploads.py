"""From files that somebody drops on the page to an animal: received, built in a child process, loaded as a `.canter`.

One is built at a time. The child has limits of memory and time and is ended when nobody asks about it any more; what
it writes is read as any file from a stranger would be.
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

from canter.anatomy.character_file import read_character
from canter.studio.corrections import Corrections, read_corrections
from canter.studio.library import UPLOADED, Library
from canter.studio.limits import Limits, Refused
from canter.studio.multipart import Form, Kept, TooLarge, boundary_of

LONGEST_LINE = 4 << 20
PASSED_ON = ("PATH", "PYTHONPATH", "LANG", "SYSTEMROOT", "LD_LIBRARY_PATH")
"""What of the environment a child sees."""
RESULT = "built.canter"


@dataclass(eq=False)
class Job:
    """One build and how far it is."""

    name: str
    folder: Path
    files: list[Kept]
    corrections: Corrections = field(default_factory=Corrections)
    watched: bool = True
    """Whether it is given up when nobody asks about it."""
    share: float = 0.0
    doing: str = "waiting for its turn"
    done: bool = False
    error: str | None = None
    key: str | None = None
    report: dict[str, Any] | None = None
    asked: float = field(default_factory=time.monotonic)
    task: asyncio.Task[None] | None = None

    def tell(self) -> dict[str, Any]:
        names = ("share", "doing", "done", "error", "key", "report")
        return {name: getattr(self, name) for name in names}


class Uploads:
    """The jobs, and the folder of the server's own in which they lie."""

    def __init__(self, library: Library, limits: Limits) -> None:
        self._library, self._limits = library, limits
        self._home = tempfile.TemporaryDirectory(prefix="canter-studio-", ignore_cleanup_errors=True)
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._one = asyncio.Semaphore(1)
        self._receiving = 0

    @property
    def folder(self) -> Path:
        return Path(self._home.name)

    # Routes --------------------------------------------------------------------------------------

    async def receive(self, request: Request) -> Response:
        """Takes files in and has them built."""
        if self._waiting() >= self._limits.builds_waiting:
            return JSONResponse({"error": "others are being built; try again in a minute"}, 429)
        folder = self._new_folder()
        self._receiving += 1
        try:
            boundary = boundary_of(request.headers.get("content-type", ""))
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

    async def tell(self, request: Request) -> Response:
        """How far a job is."""
        job = self._jobs.get(request.path_params["job"])
        if job is None:
            return JSONResponse({"error": "there is no such upload any more"}, 404)
        job.asked = time.monotonic()
        return JSONResponse(job.tell())

    async def correct(self, request: Request) -> Response:
        """Builds a job's files anew, with corrections besides those that it had."""
        job = self._jobs.get(request.path_params["job"])
        if job is None:
            return JSONResponse({"error": "there is no such upload any more"}, 404)
        if self._waiting() >= self._limits.builds_waiting:
            return JSONResponse({"error": "others are being built; try again in a minute"}, 429)
        content = b""
        async with asyncio.timeout(self._limits.unasked_seconds):
            async for chunk in request.stream():
                content += chunk
                if len(content) > self._limits.message_bytes:
                    return JSONResponse({"error": "these corrections are too long"}, 413, {"connection": "close"})
        corrections = job.corrections.and_then(read_corrections(content))
        folder = self._new_folder()
        files = [Kept(folder / kept.path.name, kept.name) for kept in job.files]
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
        """A job of files that the person who started the server named; they are read where they lie."""
        folder = self._new_folder()
        return Job(folder.name, folder, [Kept(path.resolve(), path.name) for path in paths], watched=False)

    def start(self, job: Job, then: Callable[[Job], None] = lambda job: None) -> Job:
        """Queues a job; `then` is called when it has ended, either way."""
        self._jobs[job.name] = job
        self._forget_oldest()

        async def run() -> None:
            try:
                async with self._one:
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
        """Ends every build and takes the folder away."""
        tasks = [job.task for job in self._jobs.values() if job.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._home.cleanup()

    def _waiting(self) -> int:
        return self._receiving + sum(not job.done for job in self._jobs.values())

    def _new_folder(self) -> Path:
        folder = self.folder / secrets.token_hex(8)
        folder.mkdir(mode=0o700)
        return folder

    def _forget_oldest(self) -> None:
        ready = [job for job in self._jobs.values() if job.done and job.watched]
        for job in ready[: max(0, len(self._jobs) - self._limits.uploads_kept)]:
            del self._jobs[job.name]
            if job.key is not None:
                self._library.remove(job.key)
            shutil.rmtree(job.folder, ignore_errors=True)

    async def _build(self, job: Job) -> None:
        """Runs the child and loads what it made."""
        order = {
            "files": [{"path": str(kept.path), "name": kept.name} for kept in job.files],
            "local": not job.watched,
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
            limit=LONGEST_LINE,
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
            character = await run_in_threadpool(read_character, job.folder / RESULT)
            key = f"{UPLOADED}{job.name}"
            self._library.add(key, character)
            job.key, job.doing = key, "ready"
        elif job.error is None:
            job.error = "the files could not be read: the reader gave up, perhaps for want of memory"

    async def _listen(self, job: Job, process: asyncio.subprocess.Process) -> None:
        """Takes the child's lines to the job until there are no more, or nobody wants to know."""
        assert process.stdout is not None
        coming = asyncio.ensure_future(process.stdout.readline())
        try:
            while True:
                ready, _ = await asyncio.wait({coming}, timeout=0.5)
                if job.watched and time.monotonic() - job.asked > self._limits.unasked_seconds:
                    raise Refused("nobody asked about this upload any more")
                if not ready:
                    continue
                line = coming.result()
                if not line:
                    return
                _heard(job, line)
                coming = asyncio.ensure_future(process.stdout.readline())
        finally:
            coming.cancel()


def _heard(job: Job, line: bytes) -> None:
    """One line of the child's: progress, an error, or the report."""
    try:
        told = json.loads(line)
    except ValueError:  # something that a library printed
        return
    if not isinstance(told, dict):
        return
    if "share" in told:
        job.share, job.doing = min(max(float(told["share"]), 0.0), 1.0), str(told["doing"])[:200]
    if "report" in told:
        job.report = dict(told["report"])
    if "error" in told:
        job.error = str(told["error"])[:1000]


async def _kill(process: asyncio.subprocess.Process) -> None:
    """Ends the child and whatever it has started."""
    with suppress(ProcessLookupError, PermissionError):
        if process.returncode is None:
            os.killpg(process.pid, signal.SIGKILL) if hasattr(os, "killpg") else process.kill()
    await process.wait()


def _environment(folder: Path) -> dict[str, str]:
    kept = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    single = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    return {**kept, **single, "TMPDIR": str(folder), "TEMP": str(folder), "TMP": str(folder)}


async def _drain(request: Request) -> None:
    """Throws away what is still coming for a moment, so that a browser gets to read the answer."""
    with suppress(TimeoutError, RuntimeError, ClientDisconnect):
        async with asyncio.timeout(1.0):
            async for _ in request.stream():
                pass

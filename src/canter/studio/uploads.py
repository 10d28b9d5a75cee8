"""Uploads: files are received, built into an animal by a child process, loaded as a `.canter` file, and kept.

One is built at a time. The child has limits of memory and time and is killed when nobody polls its state any more; its
result is read with the same checks as any file from outside.
"""

from __future__ import annotations

import asyncio
import errno
import json
import os
import secrets
import shlex
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
from canter.formats.labels import labels_path
from canter.studio.corrections import Corrections, read_corrections
from canter.studio.home import HOME_VARIABLE
from canter.studio.kept import UPLOAD_PREFIX, Kept, Shelf
from canter.studio.library import Library
from canter.studio.limits import Full, Limits, Missing, Refused
from canter.studio.multipart import Form, StoredFile, TooLarge, form_boundary

MAX_LINE_BYTES = 4 << 20
INHERITED_VARIABLES = ("PATH", "PYTHONPATH", "LANG", "SYSTEMROOT", "LD_LIBRARY_PATH")
"""Environment variables that the child process inherits."""
RESULT = "built.canter"
PART_SECONDS = 30.0
"""So much of each clip is offered to be built instead of files that take too long."""


@dataclass(eq=False)
class Job:
    """One build and its progress."""

    name: str
    folder: Path
    files: list[StoredFile]
    corrections: Corrections = field(default_factory=Corrections)
    is_upload: bool = True
    """False for a file of the command line: it is built without a limit of time, whether or not anybody polls."""
    entry: Kept | None = None
    """The upload that is built anew, which keeps its key."""
    share: float = 0.0
    doing: str = "waiting for its turn"
    done: bool = False
    error: str | None = None
    remedy: dict[str, Any] | None = None
    """If the files need too much time or memory: the part of them and the command that would do."""
    key: str | None = None
    report: dict[str, Any] | None = None
    polled_at: float = field(default_factory=time.monotonic)
    task: asyncio.Task[None] | None = None

    def status(self) -> dict[str, Any]:
        names = ("share", "doing", "done", "error", "remedy", "key", "report")
        return {name: getattr(self, name) for name in names}

    def refuse_size(self, reason: str) -> None:
        """Fails because of the size of the files, and names what would work."""
        models = [file.name for file in self.files]
        command = f"canter studio {' '.join(shlex.quote(name) for name in models)}"
        self.error = (
            f"{reason}. Build a shorter part of it, or the whole without a limit on the command line: {command}"
        )
        self.remedy = {"part": [0.0, PART_SECONDS], "command": command}


class Uploads:
    """The jobs, each in a working folder of its own until its animal is kept on the shelf."""

    def __init__(self, library: Library, shelf: Shelf, limits: Limits) -> None:
        self._library, self._shelf, self._limits = library, shelf, limits
        self._local = tempfile.TemporaryDirectory(prefix="canter-studio-", ignore_cleanup_errors=True)
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._building = asyncio.Semaphore(1)
        self._receiving = 0

    # Routes --------------------------------------------------------------------------------------

    async def receive(self, request: Request) -> Response:
        """Receives files and queues their build."""
        if self._unfinished() >= self._limits.queued_builds:
            return JSONResponse({"error": "others are being built; try again in a minute"}, 429)
        folder: Path | None = None
        self._receiving += 1
        try:
            boundary = form_boundary(request.headers.get("content-type", ""))
            await run_in_threadpool(self._shelf.check_room)
            folder = await run_in_threadpool(self._new_folder)
            form = Form(boundary, folder, self._limits)
            if int(request.headers.get("content-length", "0") or 0) > self._limits.upload_bytes:
                raise TooLarge(f"the files are larger than {self._limits.upload_bytes / 1e6:g} MB together")
            async with asyncio.timeout(self._limits.build_seconds):
                files = await form.read(request.stream())
        except (Refused, ValueError, OSError, ClientDisconnect) as error:
            await _drain(request)
            return JSONResponse({"error": _reason(error)}, _status(error), {"connection": "close"})
        else:
            return JSONResponse({"job": self.start(Job(folder.name, folder, files)).name})
        finally:
            self._receiving -= 1
            if folder is not None and folder.name not in self._jobs:
                shutil.rmtree(folder, ignore_errors=True)

    async def status(self, request: Request) -> Response:
        """The state of a job, or of an upload that was kept."""
        job = await self._job(request)
        job.polled_at = time.monotonic()
        return JSONResponse(job.status())

    async def correct(self, request: Request) -> Response:
        """Builds a job's files, or those of a kept upload, again with further corrections."""
        job = await self._job(request)
        if job.entry is not None:  # it may have been built again since
            job = _done(await self._kept(job.entry.name))
        if self._unfinished() >= self._limits.queued_builds:
            return JSONResponse({"error": "others are being built; try again in a minute"}, 429)
        content = b""
        async with asyncio.timeout(self._limits.poll_seconds):
            async for chunk in request.stream():
                content += chunk
                if len(content) > self._limits.message_bytes:
                    return JSONResponse({"error": "these corrections are too long"}, 413, {"connection": "close"})
        corrections = job.corrections.followed_by(read_corrections(content))
        folder = await run_in_threadpool(self._new_folder)
        files = [StoredFile(folder / file.path.name, file.name) for file in job.files]
        for old, new in zip(job.files, files, strict=True):
            await run_in_threadpool(_copy, old.path, new.path)
        return JSONResponse({"job": self.start(Job(folder.name, folder, files, corrections, entry=job.entry)).name})

    async def forget(self, request: Request) -> Response:
        """Deletes a kept upload with its files."""
        name = request.path_params["job"]
        if not await run_in_threadpool(self._shelf.forget, name):
            return JSONResponse({"error": "there is no such upload any more"}, 404)
        self._library.remove(f"{UPLOAD_PREFIX}{name}")
        for job in [job for job in self._jobs.values() if job.entry is not None and job.entry.name == name]:
            self._delete(job)
        return JSONResponse({"forgotten": name})

    async def built(self, key: str) -> Response:
        """The `.canter` file of an animal that was built here."""
        kept = await run_in_threadpool(self._shelf.find, key.removeprefix(UPLOAD_PREFIX))
        local = next((job for job in self._jobs.values() if job.key == key and not job.is_upload), None)
        if kept is not None:
            path, name = kept.path, kept.report["name"]
        elif local is not None and local.report is not None:
            path, name = local.folder / RESULT, local.report["name"]
        else:
            return JSONResponse({"error": "there is no such animal any more"}, 404)
        return FileResponse(path, media_type="application/zip", filename=f"{name}.canter")

    # Jobs ----------------------------------------------------------------------------------------

    async def _job(self, request: Request) -> Job:
        """The job that a request names; a kept upload is a job that is done, and as it is now. Raises Missing if there
        is none."""
        name = request.path_params["job"]
        job = self._jobs.get(name)
        if job is None:
            return _done(await self._kept(name))
        return job if job.key is None or job.entry is None else _done(await self._kept(job.entry.name))

    async def _kept(self, name: str) -> Kept:
        kept = await run_in_threadpool(self._shelf.find, name)
        if kept is None:
            raise Missing("there is no such upload any more")
        return kept

    def local(self, paths: list[Path]) -> Job:
        """A job of files of the command line; they are read in place, and the animal is not kept."""
        folder = Path(self._local.name) / secrets.token_hex(8)
        folder.mkdir(mode=0o700)
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
        """Cancels all builds and deletes what is not finished."""
        tasks = [job.task for job in self._jobs.values() if job.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._local.cleanup()
        self._shelf.close()

    def _unfinished(self) -> int:
        return self._receiving + sum(not job.done for job in self._jobs.values())

    def _new_folder(self) -> Path:
        folder = self._shelf.work_folder() / secrets.token_hex(8)
        folder.mkdir(mode=0o700)
        return folder

    def _delete_oldest(self) -> None:
        """Forgets the oldest jobs; those that succeeded are on the shelf."""
        finished = [job for job in self._jobs.values() if job.done and job.is_upload]
        for job in finished[: max(0, len(finished) - self._limits.finished_jobs)]:
            self._delete(job)

    def _delete(self, job: Job) -> None:
        self._jobs.pop(job.name, None)
        if job.key is None:
            shutil.rmtree(job.folder, ignore_errors=True)

    async def _build(self, job: Job) -> None:
        """Runs the child process, and loads and keeps its result."""
        seconds = self._limits.build_seconds if job.is_upload else None
        order = {
            "files": [{"path": str(file.path), "name": file.name} for file in job.files],
            "local": not job.is_upload,
            "corrections": job.corrections.to_table(),
            "result": RESULT,
            "seconds": seconds,
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
            async with asyncio.timeout(seconds):
                await self._listen(job, process)
        except TimeoutError:
            return job.refuse_size(f"building took longer than {seconds:g} s and was ended")
        finally:
            await _kill(process)
        if job.error is None and job.report is None:
            job.refuse_size("the files could not be read: the reader gave up, perhaps for want of memory")
        if job.error is None:
            job.doing, job.share = "loading", 0.97
            await run_in_threadpool(self._keep, job)

    def _keep(self, job: Job) -> None:
        """Loads the result of a job, and keeps it if it is of an upload."""
        assert job.report is not None
        character = read_drivable(job.folder / RESULT)
        if not job.is_upload:
            key = f"{UPLOAD_PREFIX}{job.name}"
        elif job.entry is None:
            job.entry = self._shelf.add(job.folder, job.files, job.corrections, job.report, RESULT)
            job.folder, job.files, key = job.entry.folder, list(job.entry.files), job.entry.key
        else:
            job.entry = self._shelf.change(job.entry, job.folder / RESULT, job.corrections, job.report)
            self._shelf.take_labels(job.entry, job.folder)
            shutil.rmtree(job.folder, ignore_errors=True)
            job.folder, job.files, key = job.entry.folder, list(job.entry.files), job.entry.key
        self._library.put(key, character, stays=not job.is_upload)
        job.key, job.doing = key, "ready"

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


def _copy(source: Path, target: Path) -> None:
    """Copies a file, and the labels beside it."""
    shutil.copyfile(source, target)
    if labels_path(source).is_file():
        shutil.copyfile(labels_path(source), labels_path(target))


def _done(kept: Kept) -> Job:
    """The finished job of an upload that is kept."""
    job = Job(kept.name, kept.folder, list(kept.files), kept.corrections, entry=kept, share=1.0, doing="ready")
    job.done, job.key, job.report = True, kept.key, dict(kept.report)
    return job


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
        if message.get("too_large"):
            job.refuse_size(job.error)


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


def _reason(error: Exception) -> str:
    """Why an upload was not received, in words that name no path of the server."""
    if isinstance(error, TimeoutError):
        return "the upload took too long"
    if isinstance(error, OSError):
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        remedy = (
            "free some space and send the files again" if full else f"{HOME_VARIABLE} names another folder for them"
        )
        return f"the files could not be stored: {error.strerror or 'the disk failed'}; {remedy}"
    return str(error) or "the upload was interrupted"


def _status(error: Exception) -> int:
    """The HTTP status of an upload that was not received."""
    if isinstance(error, TooLarge):
        return 413
    return 507 if isinstance(error, OSError | Full) and not isinstance(error, TimeoutError) else 422


async def _drain(request: Request) -> None:
    """Discards the rest of a request for up to a second: a browser that is still sending would miss the answer."""
    with suppress(TimeoutError, RuntimeError, ClientDisconnect):
        async with asyncio.timeout(1.0):
            async for _ in request.stream():
                pass

"""Uploads that outlive the server: each a folder with the files as they were sent, the animal built of them, and
`upload.json`, which names both. Labels of takes lie beside the files, where the command line reads them.

An entry appears by renaming a finished folder, and changes by replacing its document: a crash leaves it as it was or as
it was to be. What is damaged is skipped and named. Only the user may read any of it.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from canter.formats.labels import labels_path
from canter.studio.corrections import Corrections, read_corrections
from canter.studio.limits import Full, Limits, Refused
from canter.studio.multipart import MODEL_SUFFIXES, PART_SUFFIXES, StoredFile

UPLOAD_PREFIX = "upload-"
"""The keys of uploaded animals begin with this."""
DOCUMENT = "upload.json"
FORMAT = 1
MAX_DOCUMENT_BYTES = 4 << 20
MAX_UNFINISHED_SECONDS = 86400.0
"""Working folders of servers that ended without cleaning up are deleted when they are older than this."""
WORK_PREFIX = "unfinished-"
_NAME = re.compile(r"[0-9a-f]{16}")
_SOURCE = re.compile(r"\d\d(" + "|".join(re.escape(suffix) for suffix in (*MODEL_SUFFIXES, *PART_SUFFIXES)) + ")")
_BUILT = re.compile(r"built-\d+\.canter")


@dataclass(frozen=True)
class Kept:
    """One entry: its files by the names that their owner gave them, what was corrected, and the report on the animal.

    `built` is the name of its `.canter` file, `version` that of the canter that built it, `kept_at` seconds since 1970.
    """

    folder: Path
    files: tuple[StoredFile, ...]
    corrections: Corrections
    report: Mapping[str, Any]
    built: str
    version: str
    kept_at: float

    @property
    def name(self) -> str:
        return self.folder.name

    @property
    def key(self) -> str:
        return f"{UPLOAD_PREFIX}{self.name}"

    @property
    def path(self) -> Path:
        return self.folder / self.built


class Shelf:
    """The entries in a folder of the user's; safe to use from several threads, and by several servers at once."""

    def __init__(self, home: Path, limits: Limits) -> None:
        self._uploads, self._limits = home / "uploads", limits
        self._lock = threading.RLock()
        self._read: dict[str, tuple[int, Kept]] = {}
        self._work: tempfile.TemporaryDirectory[str] | None = None

    # Reading -------------------------------------------------------------------------------------

    def entries(self) -> tuple[list[Kept], list[str]]:
        """All entries, the oldest first, and what is wrong with those that are damaged."""
        kept, problems = [], []
        for name in self._names():
            try:
                kept.append(self._entry(name))
            except (OSError, ValueError, TypeError, KeyError) as error:
                problems.append(f"the upload in {self._uploads / name} is damaged and skipped: {_words(error)}")
        return sorted(kept, key=lambda entry: entry.kept_at), problems

    def find(self, name: str) -> Kept | None:
        """The entry of that name, None if there is none; raises Refused if it is damaged."""
        if name not in self._names():
            return None
        try:
            return self._entry(name)
        except (OSError, ValueError, TypeError, KeyError) as error:
            raise Refused(f"this upload is damaged ({_words(error)}); drop its files on the page again") from None

    def _names(self) -> list[str]:
        try:
            found = [path for path in self._uploads.iterdir() if _NAME.fullmatch(path.name)]
        except OSError:
            return []
        return [path.name for path in found if path.is_dir() and not path.is_symlink()]

    def _entry(self, name: str) -> Kept:
        """The entry of a folder; a document that has not changed since is not read again."""
        folder = self._uploads / name
        status = (folder / DOCUMENT).stat()
        with self._lock:
            if (known := self._read.get(name)) and known[0] == status.st_mtime_ns:
                return known[1]
        if status.st_size > MAX_DOCUMENT_BYTES:
            raise ValueError(f"{DOCUMENT} is too large")
        entry = _from_table(folder, json.loads((folder / DOCUMENT).read_bytes()))
        with self._lock:
            self._read[name] = status.st_mtime_ns, entry
        return entry

    # Changing ------------------------------------------------------------------------------------

    def check_room(self) -> None:
        """Raises Refused if the library is full: nothing is ever deleted to make room."""
        names, used, limits = self._names(), 0, self._limits
        for name in names:
            with suppress(FileNotFoundError):  # forgotten meanwhile
                used += sum(path.stat().st_size for path in (self._uploads / name).iterdir())
        if len(names) >= limits.stored_uploads or used >= limits.stored_bytes:
            room = f"{len(names)} animals, {used / 1e9:.2g} GB"
            raise Full(f"your library is full ({room}): forget an animal in the tab Your animal, then try again")

    def work_folder(self) -> Path:
        """A folder on the same disk for what is not finished; it is deleted by `close`."""
        with self._lock:
            if self._work is None:
                self._make_home()
                self._work = tempfile.TemporaryDirectory(
                    prefix=WORK_PREFIX, dir=self._uploads, ignore_cleanup_errors=True
                )
            return Path(self._work.name)

    def _make_home(self) -> None:
        self._uploads.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._uploads.chmod(0o700)
        for path in self._uploads.glob(f"{WORK_PREFIX}*"):
            with suppress(OSError):
                if time.time() - path.stat().st_mtime > MAX_UNFINISHED_SECONDS:
                    shutil.rmtree(path, ignore_errors=True)

    def add(
        self, folder: Path, files: Sequence[StoredFile], corrections: Corrections, report: Mapping[str, Any], built: str
    ) -> Kept:
        """Keeps a finished folder with these files and the result `built`, under the folder's name."""
        from canter import __version__

        self.check_room()
        home = self._uploads / folder.name
        kept = [StoredFile(home / file.path.name, file.name) for file in files]
        names = {file.path.name for file in files} | {labels_path(file.path).name for file in files} | {built}
        for path in folder.iterdir():
            if path.name not in names:
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        os.replace(folder / built, folder / "built-1.canter")
        entry = Kept(home, tuple(kept), corrections, report, "built-1.canter", __version__, time.time())
        for path in folder.iterdir():
            _sync(path)
        _write(folder / DOCUMENT, _to_table(entry))
        os.rename(folder, home)
        return entry

    def change(self, entry: Kept, built: Path, corrections: Corrections, report: Mapping[str, Any]) -> Kept:
        """The entry with another result, which is moved into it, and all that is known of it."""
        from canter import __version__

        number = 1 + int(entry.built.removeprefix("built-").removesuffix(".canter"))
        changed = replace(
            entry, built=f"built-{number}.canter", corrections=corrections, report=report, version=__version__
        )
        _sync(built)
        os.replace(built, changed.path)
        _write(entry.folder / DOCUMENT, _to_table(changed))
        entry.path.unlink(missing_ok=True)
        return changed

    def take_labels(self, entry: Kept, folder: Path) -> None:
        """Moves the labels that lie in `folder` beside the entry's files, in place of its own."""
        for path in (labels_path(file.path) for file in entry.files):
            new = folder / path.name
            if new.is_file():
                _sync(new)
                os.replace(new, path)
            else:
                path.unlink(missing_ok=True)

    def forget(self, name: str) -> bool:
        """Deletes an entry with its files, also a damaged one; whether there was one."""
        if name not in self._names():
            return False
        gone = self.work_folder() / f"forgotten-{name}"
        os.rename(self._uploads / name, gone)
        shutil.rmtree(gone, ignore_errors=True)
        return True

    def close(self) -> None:
        """Deletes what is not finished."""
        with self._lock:
            if self._work is not None:
                self._work.cleanup()
                self._work = None


def _to_table(entry: Kept) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "files": [{"stored": file.path.name, "name": file.name} for file in entry.files],
        "corrections": entry.corrections.to_table(),
        "report": dict(entry.report),
        "built": entry.built,
        "canter": entry.version,
        "kept_at": entry.kept_at,
    }


def _from_table(folder: Path, table: Any) -> Kept:
    """The entry of a document, whose names can only be those of files in its folder."""
    if table["format"] != FORMAT:
        raise ValueError(f"{DOCUMENT} has format {table['format']!r}, and this canter reads {FORMAT}")
    files = tuple(StoredFile(folder / str(file["stored"]), str(file["name"])) for file in table["files"])
    built, report = str(table["built"]), table["report"]
    if not _BUILT.fullmatch(built) or not all(_SOURCE.fullmatch(file.path.name) for file in files):
        raise ValueError(f"{DOCUMENT} names files that are none of an upload")
    if not isinstance(report, dict) or not isinstance(report["name"], str):
        raise ValueError(f"{DOCUMENT} has no report")
    for path in (folder / built, *(file.path for file in files)):
        if path.is_symlink() or not path.is_file():
            raise ValueError(f"{path.name} is missing")
    corrections = read_corrections(json.dumps(table["corrections"]))
    return Kept(folder, files, corrections, report, built, str(table["canter"]), float(table["kept_at"]))


def _write(path: Path, table: Mapping[str, Any]) -> None:
    """Writes a document under a temporary name and renames it, so that it is never seen half written."""
    other = path.with_suffix(".new")
    other.write_text(json.dumps(table, allow_nan=False), "utf-8")
    _sync(other)
    os.replace(other, path)


def _sync(path: Path) -> None:
    """Makes a file the user's alone, and waits until it is on the disk."""
    path.chmod(0o600)
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def _words(error: Exception) -> str:
    if isinstance(error, KeyError):
        return f"{DOCUMENT} lacks {error}"
    return str(error.strerror if isinstance(error, OSError) else error) or type(error).__name__

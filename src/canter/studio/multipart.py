"""Parses an uploaded form as it arrives and stores its files under names of the server's own.

A form that exceeds a limit is refused at that byte; no file name from outside ever becomes a path.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header

from canter.formats.labels import labels_path
from canter.studio.limits import Limits, Refused

MODEL_SUFFIXES = (".glb", ".gltf", ".bvh", ".fbx", ".npz", ".json", ".txt", ".canter")
"""Files with a skeleton; JSON and txt are DeepMimic's motions, which need their character beside them."""
PART_SUFFIXES = (".bin", ".png", ".jpg", ".jpeg")
"""Buffers and images that a glTF may refer to."""
LABELS_SUFFIX = ".labels.csv"
"""What a take shows from when to when, in a file beside it."""
REMEDIES = {".zip": "unpack it and drop the folder", ".blend": "export it from Blender as .glb"}
MAX_FORM_PARTS = 200
MAX_HEADER_BYTES = 8000
MAX_NAME_LENGTH = 80


class TooLarge(Refused):
    """More than a limit allows; answered with status 413."""


@dataclass(frozen=True)
class StoredFile:
    """A file of a job: its path on the server, and the name that its owner gave it."""

    path: Path
    name: str


def display_name(raw: str) -> str:
    """The last part of a file's name, shortened and without unprintable characters."""
    last = raw.replace("\\", "/").rsplit("/", 1)[-1]
    plain = "".join(c for c in last if c.isprintable())
    stem, dot, suffix = plain.rpartition(".")
    return f"{(stem or 'animal')[:MAX_NAME_LENGTH]}{dot}{suffix[:10]}"


class Form:
    """The files of one multipart form, written into `folder` as they arrive."""

    def __init__(self, boundary: bytes, folder: Path, limits: Limits) -> None:
        self.files: list[StoredFile] = []
        self._folder, self._limits = folder, limits
        self._part_count, self._bytes_read = 0, 0
        self._name, self._value = b"", b""
        self._headers: dict[bytes, bytes] = {}
        self._file: BinaryIO | None = None
        self._parser = MultipartParser(
            boundary,
            {
                "on_part_begin": self._start_part,
                "on_header_field": self._header_name,
                "on_header_value": self._header_value,
                "on_header_end": self._end_header,
                "on_headers_finished": self._open_file,
                "on_part_data": self._write_data,
                "on_part_end": self.close,
            },
        )

    async def read(self, chunks: AsyncIterator[bytes]) -> list[StoredFile]:
        """Reads the whole form and returns its files; raises Refused if it is broken, empty or too large."""
        try:
            async for chunk in chunks:
                self._bytes_read += len(chunk)
                if self._bytes_read > self._limits.upload_bytes:
                    raise TooLarge(f"the files are larger than {self._limits.upload_bytes / 1e6:g} MB together")
                self._parser.write(chunk)
            self._parser.finalize()
        except FormParserError as error:
            raise Refused(f"the upload is broken: {error}") from None
        finally:
            self.close()
        if not self.files:
            raise Refused(f"there is no file in it; send one of {', '.join(MODEL_SUFFIXES)}")
        return self._with_labels_beside()

    def _with_labels_beside(self) -> list[StoredFile]:
        """The files without labels, which are stored beside the takes that they are of."""
        takes = [file for file in self.files if file.path.suffix != ".csv"]
        for labels in self.files:
            if labels.path.suffix == ".csv":
                own = [take for take in takes if labels_path(take.name).name.lower() == labels.name.lower()]
                if not own:
                    raise Refused(f"{labels.name} comes without its take: send both together")
                labels.path.rename(labels_path(own[0].path))
        return takes

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def _start_part(self) -> None:
        self._part_count += 1
        if self._part_count > MAX_FORM_PARTS:
            raise TooLarge("the form has too many parts")
        self._headers, self._name, self._value = {}, b"", b""

    def _header_name(self, data: bytes, start: int, end: int) -> None:
        self._name = (self._name + data[start:end])[:MAX_HEADER_BYTES]

    def _header_value(self, data: bytes, start: int, end: int) -> None:
        self._value = (self._value + data[start:end])[:MAX_HEADER_BYTES]

    def _end_header(self) -> None:
        self._headers[self._name.lower()] = self._value
        self._name, self._value = b"", b""

    def _open_file(self) -> None:
        _, options = parse_options_header(self._headers.get(b"content-disposition", b""))
        raw = options.get(b"filename")
        if options.get(b"name") != b"file" or not raw:
            return
        name = display_name(raw.decode("utf-8", "replace"))
        suffix = f".{name.rpartition('.')[2].lower()}"
        if suffix not in MODEL_SUFFIXES + PART_SUFFIXES and not name.lower().endswith(LABELS_SUFFIX):
            remedy = REMEDIES.get(suffix, f"send one of {', '.join(MODEL_SUFFIXES)}")
            raise Refused(f"{name}: this kind of file cannot be used; {remedy}")
        if len(self.files) >= self._limits.upload_files:
            raise TooLarge(f"more than {self._limits.upload_files} files")
        path = self._folder / f"{len(self.files):02d}{suffix}"
        self.files.append(StoredFile(path, name))
        self._file = path.open("xb")

    def _write_data(self, data: bytes, start: int, end: int) -> None:
        if self._file is not None:
            self._file.write(data[start:end])


def form_boundary(content_type: str) -> bytes:
    """The boundary of a multipart form; raises Refused for another content type."""
    kind, options = parse_options_header(content_type)
    boundary = options.get(b"boundary", b"")
    if kind != b"multipart/form-data" or not 0 < len(boundary) <= 200:
        raise Refused("send files as multipart/form-data")
    return boundary

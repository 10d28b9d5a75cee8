"""Files out of a form as it comes in: counted while they are read, kept under names of the server's own.

A form that is too large is cut off there and then; no file name from outside ever becomes a path.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header

from canter.studio.limits import Limits, Refused

MODELS = (".glb", ".gltf", ".bvh", ".fbx", ".npz", ".json", ".txt", ".canter")
"""What can be uploaded; JSON and txt are DeepMimic's motions, which need their character beside them."""
PARTS = (".bin", ".png", ".jpg", ".jpeg")
"""What a glTF may have beside it."""
REMEDIES = {".zip": "unpack it and drop the folder", ".blend": "export it from Blender as .glb"}
MOST_PARTS = 200
LONGEST_HEADER = 8000
LONGEST_NAME = 80


class TooLarge(Refused):
    """More than is allowed; the answer is 413."""


@dataclass(frozen=True)
class Kept:
    """A file of a job: where it lies, and what its owner calls it."""

    path: Path
    name: str


def shown_name(raw: str) -> str:
    """The last part of a file's name, fit to be shown."""
    last = raw.replace("\\", "/").rsplit("/", 1)[-1]
    plain = "".join(c for c in last if c.isprintable())
    stem, dot, suffix = plain.rpartition(".")
    return f"{(stem or 'animal')[:LONGEST_NAME]}{dot}{suffix[:10]}"


class Form:
    """The files of one multipart form, written into `folder` as they come."""

    def __init__(self, boundary: bytes, folder: Path, limits: Limits) -> None:
        self.files: list[Kept] = []
        self._folder, self._limits = folder, limits
        self._parts, self._read = 0, 0
        self._name, self._value = b"", b""
        self._headers: dict[bytes, bytes] = {}
        self._file: BinaryIO | None = None
        self._parser = MultipartParser(
            boundary,
            {
                "on_part_begin": self._begin,
                "on_header_field": self._field,
                "on_header_value": self._worth,
                "on_header_end": self._header,
                "on_headers_finished": self._open,
                "on_part_data": self._data,
                "on_part_end": self.close,
            },
        )

    async def read(self, chunks: AsyncIterator[bytes]) -> list[Kept]:
        """All files of the form, or Refused."""
        try:
            async for chunk in chunks:
                self._read += len(chunk)
                if self._read > self._limits.upload_bytes:
                    raise TooLarge(f"the files are larger than {self._limits.upload_bytes / 1e6:g} MB together")
                self._parser.write(chunk)
            self._parser.finalize()
        except FormParserError as error:
            raise Refused(f"the upload is broken: {error}") from None
        finally:
            self.close()
        if not self.files:
            raise Refused(f"there is no file in it; send one of {', '.join(MODELS)}")
        return self.files

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def _begin(self) -> None:
        self._parts += 1
        if self._parts > MOST_PARTS:
            raise TooLarge("the form has too many parts")
        self._headers, self._name, self._value = {}, b"", b""

    def _field(self, data: bytes, start: int, end: int) -> None:
        self._name = (self._name + data[start:end])[:LONGEST_HEADER]

    def _worth(self, data: bytes, start: int, end: int) -> None:
        self._value = (self._value + data[start:end])[:LONGEST_HEADER]

    def _header(self) -> None:
        self._headers[self._name.lower()] = self._value
        self._name, self._value = b"", b""

    def _open(self) -> None:
        _, options = parse_options_header(self._headers.get(b"content-disposition", b""))
        raw = options.get(b"filename")
        if options.get(b"name") != b"file" or not raw:
            return
        name = shown_name(raw.decode("utf-8", "replace"))
        suffix = f".{name.rpartition('.')[2].lower()}"
        if suffix not in MODELS + PARTS:
            remedy = REMEDIES.get(suffix, f"send one of {', '.join(MODELS)}")
            raise Refused(f"{name}: this kind of file cannot be used; {remedy}")
        if len(self.files) >= self._limits.upload_files:
            raise TooLarge(f"more than {self._limits.upload_files} files")
        path = self._folder / f"{len(self.files):02d}{suffix}"
        self.files.append(Kept(path, name))
        self._file = path.open("xb")

    def _data(self, data: bytes, start: int, end: int) -> None:
        if self._file is not None:
            self._file.write(data[start:end])


def boundary_of(content_type: str) -> bytes:
    """What parts the form; Refused if it is no form."""
    kind, options = parse_options_header(content_type)
    boundary = options.get(b"boundary", b"")
    if kind != b"multipart/form-data" or not 0 < len(boundary) <= 200:
        raise Refused("send files as multipart/form-data")
    return boundary

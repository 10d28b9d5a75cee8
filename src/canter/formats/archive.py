"""Zip archives of JSON and arrays, read safely: sizes are checked before anything is inflated, nothing is unpickled."""

from __future__ import annotations

import io
import json
import math
import struct
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from canter.formats.errors import FormatError

MAX_MEMBERS = 4096
MAX_MEMBER_BYTES = 1 << 28
MAX_TOTAL_BYTES = 1 << 29
MAX_RATIO = 4
"""By how much an archive may grow beyond that: its members are mostly numbers, which hardly shrink."""
REMEDY = "Build it again with canter build"
MEMBER_DATE = (1980, 1, 1, 0, 0, 0)
"""The date of every member, so that the same content gives the same bytes."""

DAMAGE = (zipfile.BadZipFile, zlib.error, struct.error, OSError, EOFError, ValueError, RuntimeError, MemoryError)
"""What zipfile raises where an archive is damaged; NotImplementedError is a RuntimeError."""
MAX_NUMBER_BYTES, MAX_HEADER_BYTES = 8, 4096
"""Of one number and of an array's header."""


class Archive:
    """A zip archive in memory; members are inflated only when they are asked for, within limits."""

    def __init__(self, data: bytes, path: Path) -> None:
        self.path, self._left = path, max(MAX_TOTAL_BYTES, MAX_RATIO * len(data))
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
            members = self._zip.infolist()
        except DAMAGE as error:
            raise self.error("", f"this is no zip archive ({error})") from None
        if len(members) > MAX_MEMBERS:
            raise self.error("", f"{len(members)} members are more than {MAX_MEMBERS}")
        self._members = {member.filename: member for member in members}

    def __contains__(self, name: str) -> bool:
        return name in self._members

    def error(self, where: str, problem: str, remedy: str = REMEDY) -> FormatError:
        return FormatError(self.path, where, problem, remedy)

    def bytes(self, name: str, most: int = MAX_MEMBER_BYTES) -> bytes:
        """A member, inflated after its declared size was checked."""
        member = self._members.get(name)
        if member is None:
            raise self.error(name, "this part is missing")
        self._left -= member.file_size
        if member.file_size > most or self._left < 0:
            raise self.error(name, f"{member.file_size} bytes are more than canter inflates")
        try:
            return self._zip.read(member)
        except DAMAGE as error:
            raise self.error(name, f"this part is damaged ({error})") from None

    def json(self, name: str, most: int) -> Any:
        try:
            return json.loads(self.bytes(name, most))
        except (ValueError, RecursionError) as error:
            if isinstance(error, FormatError):
                raise
            raise self.error(name, f"this is no JSON ({error})") from None

    def array(self, name: str, shape: tuple[int, ...], kinds: str) -> np.ndarray:
        """An array of that shape and of one of these kinds of numbers, as NumPy calls them."""
        most = min(MAX_MEMBER_BYTES, MAX_NUMBER_BYTES * math.prod(shape) + MAX_HEADER_BYTES)
        file = io.BytesIO(self.bytes(name, most))
        try:
            version = np.lib.format.read_magic(file)
            header = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
            found, _, dtype = header(file)
            if dtype.hasobject or dtype.kind not in kinds or found != shape:
                raise self.error(name, f"an array {found} of {dtype} should be {shape}")
            file.seek(0)
            return np.asarray(np.lib.format.read_array(file, allow_pickle=False))
        except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError, OverflowError, EOFError) as error:
            if isinstance(error, FormatError):
                raise
            raise self.error(name, f"the array is damaged ({error})") from None


def pack(members: Mapping[str, bytes | np.ndarray]) -> bytes:
    """An archive of bytes and arrays by name."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            info = zipfile.ZipInfo(name, MEMBER_DATE)
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, content if isinstance(content, bytes) else _npy(content))
    return buffer.getvalue()


def _npy(array: np.ndarray) -> bytes:
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, np.ascontiguousarray(array), allow_pickle=False)
    return buffer.getvalue()

"""The outside of a glTF file: GLB chunks, JSON, and buffers in the file, in data URIs or beside it.

The JSON is checked by hand instead of by pygltflib's dataclasses: a reader of strangers' files must answer
every wrong type or index with a FormatError, and the few fields that matter here are quicker checked than mapped.
"""

from __future__ import annotations

import base64
import binascii
import json
import struct
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from canter.formats.errors import FormatError
from canter.formats.files import MAX_MAGNITUDE, load_bytes

Json = dict[str, Any]

HOLDER = "canter_holder"  # in the extras of a node that canter wrote only to hold several roots together

# Extensions that change only how a surface looks; all others, if required, change what we read.
HARMLESS = ("KHR_materials_", "KHR_texture_", "EXT_texture_", "KHR_lights_", "KHR_mesh_quantization", "KHR_xmp")


class Document:
    """A glTF file's JSON with checked access; `where` in errors is such as "nodes[3]"."""

    def __init__(self, data: bytes, path: Path) -> None:
        self.path = path
        self._chunk: bytes | None = None
        self._buffers: dict[int, bytes] = {}
        self._checked: dict[str, list[Json]] = {}
        self.root = self._json(self._unwrap(data) if data[:4] == b"glTF" else data)
        version = self.mapping(self.root, "asset", "asset").get("version")
        if not str(version).startswith("2"):
            raise self.error("asset", f"this is glTF version {version!r}, not 2", "Export it again as glTF 2.0")
        for name in self.array(self.root, "extensionsRequired", ""):
            if not str(name).startswith(HARMLESS):
                remedy = "Export it again without compression and without this extension"
                raise self.error("extensionsRequired", f"canter cannot read {name}", remedy)

    def error(self, where: str, problem: str, remedy: str = "Export the file again") -> FormatError:
        return FormatError(self.path, where, problem, remedy)

    def _unwrap(self, data: bytes) -> bytes:
        """The JSON chunk of a GLB; keeps the binary one."""
        at, chunks = 12, []
        while at + 8 <= len(data):
            length, kind = struct.unpack_from("<II", data, at)
            if at + 8 + length > len(data):
                raise self.error(f"byte {at}", "a chunk goes beyond the end", "The file is cut short: copy it again")
            chunks.append((kind, data[at + 8 : at + 8 + length]))
            at += 8 + length
        if not chunks or chunks[0][0] != 0x4E4F534A:
            raise self.error("byte 12", "there is no JSON chunk", "The file is damaged: export the GLB again")
        self._chunk = next((chunk for kind, chunk in chunks[1:] if kind == 0x004E4942), None)
        return chunks[0][1]

    def _json(self, data: bytes) -> Json:
        try:
            root = json.loads(data.decode("utf-8-sig", errors="replace"))
        except (ValueError, RecursionError) as error:
            raise self.error("", f"the JSON is broken ({error})", "The file is damaged: export it again") from None
        if not isinstance(root, dict):
            raise self.error("", "this is not glTF", "Export it again as glTF 2.0")
        return root

    def mapping(self, of: Json, key: str, where: str) -> Json:
        """A JSON object, empty if absent."""
        value = of.get(key)
        if value is not None and not isinstance(value, dict):
            raise self.error(where, f"{key} should be an object")
        return value or {}

    def array(self, of: Json, key: str, where: str) -> list[Any]:
        """A JSON list, empty if absent."""
        value = of.get(key)
        if value is not None and not isinstance(value, list):
            raise self.error(where, f"{key} should be a list")
        return value or []

    def objects(self, key: str, of: Json | None = None, where: str = "") -> list[Json]:
        """A list of JSON objects, such as all nodes of the file."""
        if of is None and key in self._checked:
            return self._checked[key]
        items = self.array(self.root if of is None else of, key, where)
        for i, item in enumerate(items):
            if not isinstance(item, dict):
                raise self.error(f"{where}{key}[{i}]", "this should be an object")
        if of is None:
            self._checked[key] = items
        return items

    def integer(self, of: Json, key: str, where: str, default: int | None = None, below: int = 1 << 40) -> int:
        """A whole number from 0 up to `below`, or the default."""
        value = of.get(key, default)
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < below:
            raise self.error(where, f"{key} is {_short(value)}, which cannot be")
        return value

    def indices(self, of: Json, key: str, where: str, below: int) -> list[int]:
        """A list of indices below `below`."""
        items = self.array(of, key, where)
        return [self.integer({key: item}, key, where, below=below) for item in items]

    def numbers(self, of: Json, key: str, where: str, default: list[float]) -> list[float]:
        """A list of as many finite numbers as the default has."""
        value = of.get(key, default)
        right = isinstance(value, list) and len(value) == len(default)
        if not right or not all(_is_finite(x) for x in value):
            raise self.error(where, f"{key} should be {len(default)} finite numbers")
        return [float(x) for x in value]

    def text(self, of: Json, key: str, default: str) -> str:
        value = of.get(key)
        return value if isinstance(value, str) and value else default

    def buffer(self, index: int) -> bytes:
        """The bytes of a buffer, loaded once."""
        buffers = self.objects("buffers")
        if index not in self._buffers:
            where = f"buffers[{index}]"
            if index >= len(buffers):
                raise self.error(where, "there is no such buffer")
            uri = buffers[index].get("uri")
            if uri is None and index == 0 and self._chunk is not None:
                self._buffers[index] = self._chunk
            else:
                self._buffers[index] = self.resource(uri, where)
        return self._buffers[index]

    def resource(self, uri: object, where: str) -> bytes:
        """Bytes behind a `uri`: a data URI, or a file that lies in this file's own folder or below it."""
        if not isinstance(uri, str) or not uri:
            raise self.error(where, "its data is missing", "Export it as one .glb file")
        if uri[:5].lower() == "data:":
            return self._data_uri(uri, where)
        return load_bytes(self._beside(uri, where))

    def _data_uri(self, uri: str, where: str) -> bytes:
        head, comma, body = uri.partition(",")
        if not comma or not head.lower().endswith(";base64"):
            raise self.error(where, "its data URI is not base64")
        try:
            return base64.b64decode(body + "=" * (-len(body) % 4), validate=True)
        except (binascii.Error, ValueError):
            raise self.error(where, "its base64 data is broken") from None

    def _beside(self, uri: str, where: str) -> Path:
        name = unquote(uri)
        parts = name.replace("\\", "/").split("/")
        if ":" in name or name[:1] in "/\\" or ".." in parts or "\0" in name:
            remedy = "Put the file beside the glTF and name it without a path"
            raise self.error(where, f"the uri {_short(uri)} leads out of the file's folder", remedy)
        folder = self.path.parent.resolve()
        try:
            target = (folder / name).resolve()
        except (OSError, RuntimeError, ValueError):
            raise self.error(where, f"the uri {_short(uri)} leads nowhere", "Put the file beside the glTF") from None
        if not target.is_relative_to(folder):
            raise self.error(where, f"the uri {_short(uri)} leads out of the file's folder", "Copy the file there")
        return target


def _is_finite(x: object) -> bool:
    return isinstance(x, int | float) and not isinstance(x, bool) and abs(x) < MAX_MAGNITUDE


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."

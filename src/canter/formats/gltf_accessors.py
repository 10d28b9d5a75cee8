"""glTF accessors as arrays: strides, normalised integers and sparse ones, with every bound checked before use."""

from __future__ import annotations

import numpy as np

from canter.formats.files import check_finite
from canter.formats.gltf_file import Document, Json
from canter.motion.arrays import Floats, Ints

KINDS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}
TYPES = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
MAX_VALUES = 100_000_000
MAX_EMPTY = 1_000_000  # values of an accessor that has no data behind it


def floats(document: Document, index: int, kind: str) -> Floats:
    """Accessor `index` as float64 `(count, components)`, normalised integers turned into 0 to 1 or -1 to 1."""
    where, accessor = _accessor(document, index, kind)
    raw = _values(document, accessor, where)
    with np.errstate(invalid="ignore"):  # NaN is found below
        values = raw.astype(np.float64)
    if raw.dtype.kind in "iu" and accessor.get("normalized") is True:
        values = np.maximum(values / np.iinfo(raw.dtype).max, -1)
    check_finite(document.path, where, values)
    return values


def integers(document: Document, index: int, kind: str) -> Ints:
    """Accessor `index` as int64 `(count, components)`."""
    where, accessor = _accessor(document, index, kind)
    raw = _values(document, accessor, where)
    check_finite(document.path, where, raw)
    if raw.dtype.kind == "f" and np.any(np.abs(raw) > 2**31):
        raise document.error(where, "an index is out of range")
    return raw.astype(np.int64)


def _accessor(document: Document, index: int, kind: str) -> tuple[str, Json]:
    where, accessors = f"accessors[{index}]", document.objects("accessors")
    if not 0 <= index < len(accessors):
        raise document.error(where, "there is no such accessor")
    found = accessors[index].get("type")
    if found != kind:
        raise document.error(where, f"its type is {found!r} where {kind} is needed")
    return where, accessors[index]


def _values(document: Document, accessor: Json, where: str) -> np.ndarray:
    count = document.integer(accessor, "count", where)
    width, dtype = KINDS[str(accessor["type"])], _dtype(document, accessor, where)
    if count * width > MAX_VALUES or ("bufferView" not in accessor and count * width > MAX_EMPTY):
        raise document.error(where, f"it promises {count} elements, which is too many")
    if "bufferView" in accessor:
        values = _view(document, accessor, where, count, width, dtype)
    else:
        values = np.zeros((count, width), dtype)
    sparse = document.mapping(accessor, "sparse", where)
    return _with_sparse(document, sparse, where, values) if sparse else values


def _dtype(document: Document, of: Json, where: str) -> np.dtype:
    component = document.integer(of, "componentType", where)
    if component not in TYPES:
        raise document.error(where, f"its componentType {component} is not known")
    return np.dtype(TYPES[component])


def _view(document: Document, of: Json, where: str, count: int, width: int, dtype: np.dtype) -> np.ndarray:
    """`count` rows of a buffer view, without copying."""
    views = document.objects("bufferViews")
    index = document.integer(of, "bufferView", where)
    place = f"bufferViews[{index}]"
    if index >= len(views):
        raise document.error(where, f"there is no {place}")
    view = views[index]
    data = document.buffer(document.integer(view, "buffer", place))
    start = document.integer(view, "byteOffset", place, 0)
    length = document.integer(view, "byteLength", place)
    row = width * dtype.itemsize
    stride = document.integer(view, "byteStride", place, row) or row
    offset = document.integer(of, "byteOffset", where, 0)
    if start + length > len(data) or (count and offset + stride * (count - 1) + row > length):
        raise document.error(where, "it reaches beyond its data", "The file is cut short: export or copy it again")
    return np.ndarray((count, width), dtype, data, start + offset if count else 0, (stride, dtype.itemsize))


def view_bytes(document: Document, of: Json, where: str) -> bytes:
    """The whole buffer view that `of` names, such as an image."""
    views = document.objects("bufferViews")
    index = document.integer(of, "bufferView", where, below=len(views))
    length = document.integer(views[index], "byteLength", f"bufferViews[{index}]")
    return _view(document, {"bufferView": index}, where, length, 1, np.dtype("<u1")).tobytes()


def _with_sparse(document: Document, sparse: Json, where: str, values: np.ndarray) -> np.ndarray:
    count = document.integer(sparse, "count", where)
    if count > len(values):
        raise document.error(where, "its sparse part is longer than the whole")
    at, new = document.mapping(sparse, "indices", where), document.mapping(sparse, "values", where)
    which = _view(document, at, where, count, 1, _dtype(document, at, where))[:, 0]
    if which.dtype.kind == "f" or np.any(which >= len(values)) or np.any(which < 0):
        raise document.error(where, "a sparse index is out of range")
    result = values.copy()
    result[which] = _view(document, new, where, count, values.shape[1], values.dtype)
    return result

"""Motion files: `read(path)` returns an Asset, `write(asset, path)` writes one, in the file's own axes and units.

One module a format, chosen by the suffix and imported when it is needed. A file that is not what it should be
raises `FormatError`, which names the place and the remedy.
"""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from pathlib import Path

from canter.formats.errors import FormatError
from canter.formats.files import check_finite, load_bytes
from canter.motion.skeleton import Asset

READERS = {
    ".bvh": "bvh",
    ".glb": "gltf",
    ".gltf": "gltf",
    ".npz": "npz",
    ".fbx": "fbx",
    ".json": "deepmimic",
    ".txt": "deepmimic",
    ".canter": "canter_file",
}
WRITERS = {".bvh": "bvh_write", ".glb": "gltf_write", ".gltf": "gltf_write", ".npz": "npz"}

__all__ = ["READERS", "WRITERS", "FormatError", "read", "write"]


def read(path: str | Path, *, character: str | Path | None = None) -> Asset:
    """What the file holds. `character` names the character file of a DeepMimic motion; else it is looked for."""
    path = Path(path)
    module = READERS.get(path.suffix.lower())
    if module is None:
        known = f"Readable are {_listed(READERS)}"
        raise FormatError(path, "", f"the suffix {path.suffix!r} is not known", known)
    data = load_bytes(path, _listed(READERS))
    options = {"character": character} if module == "deepmimic" else {}
    asset: Asset = import_module(f"canter.formats.{module}").parse(data, path, **options)
    return replace(asset, source=str(path))


def write(asset: Asset, path: str | Path) -> None:
    """Write `asset` to `path`, in the format that the suffix names; a failed write leaves an older file alone."""
    path = Path(path)
    module = WRITERS.get(path.suffix.lower())
    if module is None:
        known = f"Writable are {_listed(WRITERS)}"
        raise FormatError(path, "", f"the suffix {path.suffix!r} is not known", known)
    check_finite(path, "the skeleton", asset.skeleton.offsets, asset.skeleton.rotations)
    for clip in asset.clips:
        check_finite(path, f"clip {clip.name!r}", clip.positions, clip.rotations)
    import_module(f"canter.formats.{module}").write(asset, path)


def _listed(suffixes: dict[str, str]) -> str:
    return ", ".join(suffixes)

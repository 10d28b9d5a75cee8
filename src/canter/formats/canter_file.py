"""`NAME.canter`: one animal, ready to be driven, as a zip of `character.json`, arrays of clips and, if any, skin.

Here are skeleton, clips and skins; what canter understands of the animal is read and written by `canter.anatomy`.
Members that this version does not know are left alone, and a newer format says so.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from canter.formats.archive import Archive, pack
from canter.formats.errors import FormatError
from canter.formats.files import MAX_FILE_BYTES, MAX_FRAME_RATE, MAX_JOINTS, check_finite, check_size, write_atomic
from canter.formats.json_fields import Fields
from canter.motion import rotations as rot
from canter.motion.skeleton import Asset, Motion, Skeleton, Skin

FORMAT = 2
"""2 has cycles (see `canter.cycles.build.file`); 1 is read too."""
DOCUMENT = "character.json"
MAX_DOCUMENT_BYTES = 1 << 25
MAX_CLIPS, MAX_SKINS, MAX_FRAMES = 1000, 64, 1_000_000
MAX_TEXTURE_BYTES = 1 << 27
OPTIONAL = {"normals": 3, "uv": 2, "colors": 4}
"""Arrays that a skin may lack, with their components a vertex."""


def parse(data: bytes, path: Path) -> Asset:
    """Skeleton, clips and skins of a file."""
    return unpack(data, path)[0]


def unpack(data: bytes, path: Path) -> tuple[Asset, Fields, Archive]:
    """The asset, the rest of the document, and the archive that holds more arrays."""
    archive = Archive(data, path)
    fields = Fields(archive.json(DOCUMENT, MAX_DOCUMENT_BYTES), DOCUMENT, archive.error)
    if (found := fields.count("format", 1, 1 << 30)) > FORMAT:
        problem = f"format {found} is newer than this canter reads ({FORMAT})"
        raise archive.error(DOCUMENT, problem, "Install a newer one: pip install --upgrade canter")
    skeleton = _skeleton(fields.part("skeleton"))
    clips = tuple(_clip(f, archive, skeleton, k) for k, f in enumerate(fields.parts("clips", MAX_CLIPS)))
    skins = tuple(_skin(f, archive, skeleton, k) for k, f in enumerate(fields.parts("skins", MAX_SKINS)))
    return Asset(skeleton, clips, skins, str(path), 1.0), fields, archive


def write_file(asset: Asset, document: Mapping[str, Any], arrays: Mapping[str, bytes | np.ndarray], path: Path) -> None:
    """The asset in metres, +Y up, +Z forward, with what else belongs into the document and its `clips`, by position."""
    check_finite(path, "the skeleton", asset.skeleton.offsets, asset.skeleton.rotations)
    members: dict[str, bytes | np.ndarray] = dict(arrays)
    notes = document.get("clips", [{}] * len(asset.clips))
    rows = []
    for k, (clip, note) in enumerate(zip(asset.clips, notes, strict=True)):
        check_finite(path, f"clip {clip.name!r}", clip.positions, clip.rotations)
        rows.append({"name": clip.name, "frame_rate": float(clip.frame_rate), "frames": len(clip), **note})
        members[_member("clips", k, "positions")] = clip.positions.astype(np.float32)
        members[_member("clips", k, "rotations")] = rot.positive(clip.rotations).astype(np.float32)
    skins = [_kept_skin(skin, k, members) for k, skin in enumerate(asset.skins)]
    skeleton = asset.skeleton
    whole = {
        "format": FORMAT,
        **document,
        "skeleton": {
            "names": list(skeleton.names),
            "parents": skeleton.parents.tolist(),
            "offsets": skeleton.offsets.tolist(),
            "rotations": skeleton.rotations.tolist(),
            "end_sites": np.flatnonzero(skeleton.end_sites).tolist(),
        },
        "clips": rows,
        "skins": skins,
    }
    text = json.dumps(whole, indent=1, allow_nan=False, ensure_ascii=False)
    data = pack({DOCUMENT: text.encode("utf-8", "replace"), **members})
    if len(data) > MAX_FILE_BYTES:
        raise FormatError(path, "", f"its {len(data)} bytes would be more than canter reads", "Write several files")
    write_atomic(path, data)


def _member(room: str, number: int, name: str) -> str:
    return f"{room}/{number:03d}.{name}.npy"


# Skeleton and clips ------------------------------------------------------------------------------


def _skeleton(fields: Fields) -> Skeleton:
    names = fields.texts("names", MAX_JOINTS)
    joints = len(names)
    parents = np.array(fields.indices("parents", max(joints, 1), -1), np.int32)
    if not joints or parents.shape != (joints,) or not (parents < np.arange(joints)).all():
        raise fields.wrong("parents", "a parent before each of its joints")
    offsets, turns = fields.numbers("offsets", (joints, 3)), fields.numbers("rotations", (joints, 4))
    ends = np.zeros(joints, bool)
    ends[list(fields.indices("end_sites", joints))] = True
    return Skeleton(names, parents, offsets, rot.unit(turns), ends)


def _clip(fields: Fields, archive: Archive, skeleton: Skeleton, number: int) -> Motion:
    frames, rate = fields.count("frames", 1, MAX_FRAMES), fields.number("frame_rate")
    if not 0 < rate <= MAX_FRAME_RATE:
        raise fields.wrong("frame_rate", "above zero and sensible")
    check_size(archive.path, frames, len(skeleton))
    places, turns = (_member("clips", number, name) for name in ("positions", "rotations"))
    positions = archive.array(places, (frames, len(skeleton), 3), "f").astype(np.float32)
    rotations = archive.array(turns, (frames, len(skeleton), 4), "f").astype(np.float32)
    check_finite(archive.path, places, positions)
    check_finite(archive.path, turns, rotations)
    length = np.linalg.norm(rotations, axis=-1)
    if not (np.abs(length - 1) < 1e-3).all():
        raise archive.error(turns, "a rotation is not of unit length")
    return Motion(skeleton, rate, positions, rotations, fields.text("name"))


# Skins -------------------------------------------------------------------------------------------


def _kept_skin(skin: Skin, number: int, members: dict[str, bytes | np.ndarray]) -> dict[str, Any]:
    """The skin's row in the document; its arrays and texture are put into `members`."""
    floats = {"vertices": skin.vertices, "weights": skin.weights, "inverse_bind": skin.inverse_bind}
    floats |= {name: x for name in OPTIONAL if (x := getattr(skin, name)) is not None}
    for name, array in floats.items():
        members[_member("skins", number, name)] = array.astype(np.float32)
    members[_member("skins", number, "triangles")] = skin.triangles.astype(np.int32)
    members[_member("skins", number, "joints")] = skin.joints.astype(np.int32)
    if skin.texture is not None:
        members[f"skins/{number:03d}.texture"] = skin.texture
    row = {"name": skin.name, "base_color": [float(x) for x in skin.base_color], "vertices": len(skin.vertices)}
    return {**row, "triangles": len(skin.triangles)}


def _skin(fields: Fields, archive: Archive, skeleton: Skeleton, number: int) -> Skin:
    vertices, triangles = (fields.count(name, 0, 50_000_000) for name in ("vertices", "triangles"))

    def floats(name: str, *shape: int) -> np.ndarray:
        array = archive.array(_member("skins", number, name), shape, "f").astype(np.float32)
        check_finite(archive.path, _member("skins", number, name), array)
        return array

    def whole(name: str, below: int, *shape: int) -> np.ndarray:
        array = archive.array(_member("skins", number, name), shape, "iu")
        if array.size and not (array.min() >= 0 and array.max() < below):
            raise archive.error(_member("skins", number, name), f"an index is not below {below}")
        return array.astype(np.int32)

    extra = {
        name: floats(name, vertices, count)
        for name, count in OPTIONAL.items()
        if _member("skins", number, name) in archive
    }
    texture = f"skins/{number:03d}.texture"
    red, green, blue, alpha = fields.numbers("base_color", (4,)).tolist()
    return Skin(
        floats("vertices", vertices, 3),
        whole("triangles", vertices, triangles, 3),
        whole("joints", len(skeleton), vertices, 4),
        floats("weights", vertices, 4),
        floats("inverse_bind", len(skeleton), 4, 4),
        **extra,
        base_color=(red, green, blue, alpha),
        texture=archive.bytes(texture, MAX_TEXTURE_BYTES) if texture in archive else None,
        name=fields.text("name"),
    )

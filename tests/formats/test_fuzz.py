"""Damaged and made-up files: each is read cleanly or refused with a FormatError, within a second.

`CANTER_FUZZ` sets how many (500 unless told), half of them damaged files that canter wrote, half made up by
hypothesis; with `CANTER_DATA` as many real recordings are damaged too. All draws are seeded.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from canter.formats import FormatError, read, write
from canter.motion.skeleton import Asset

from .samples import random_asset

COUNT = int(os.environ.get("CANTER_FUZZ", "500"))
DATA = os.environ.get("CANTER_DATA", "")
MAX_BYTES = 300_000_000  # that are read of one recording
SUFFIXES = (".bvh", ".glb", ".gltf", ".npz", ".txt")
ODD_TEXT = [
    b"nan",
    b"1e999",
    b"-1",
    b"99999999999999999999",
    b"{",
    b"}",
    b"",
    b"\0",
    b"null",
    b"0",
    b"1e30",
    b"[]",
    b"\n",
]
ODD_JSON: list[Any] = [None, -1, 0, 1, 1e30, 10**12, 2**63, "x", [], {}, True, 0.5, [0], "..", {"a": 1}, 1e308]


def survives(file: Path) -> None:
    """Read `file`; what counts is processor time, children's too, since machines are busy."""
    for chance in (1, 2):
        start = spent()
        try:
            check(read(file))
        except FormatError as error:
            assert error.remedy  # noqa: PT017
        if (seconds := spent() - start) < 1:
            return
        assert chance == 1, f"{file.name} took {seconds:.1f} s twice"


def spent() -> float:
    """Seconds of processor time of this process and of those that it has waited for."""
    return sum(os.times()[:4])


def check(asset: Asset) -> None:
    """What was read can be used."""
    for clip in asset.clips:
        assert len(clip) > 0
        assert np.isfinite(clip.positions).all()
        np.testing.assert_allclose(np.linalg.norm(clip.rotations, axis=-1), 1, atol=1e-3)
    for skin in asset.skins:
        assert skin.joints.max(initial=0) < len(asset.skeleton)
        assert skin.triangles.max(initial=-1) < len(skin.vertices)


def written(folder: Path, suffix: str) -> Path:
    """A small valid file of each format."""
    asset = random_asset(7, 5, 4, skinned=True)
    if suffix != ".txt":
        write(asset if suffix.startswith(".g") else replace(asset, skins=()), folder / f"clip{suffix}")
        return folder / f"clip{suffix}"
    joints = [{"Name": f"j{i}", "Type": "spherical" if i else "none", "Parent": i - 1, "AttachX": 1} for i in range(4)]
    (folder / "animal.json").write_text(json.dumps({"Skeleton": {"Joints": joints}}))
    frames = np.random.default_rng(1).random((5, 20)).round(3).tolist()
    (folder / "clip.txt").write_text(json.dumps({"Loop": "none", "Frames": frames}))
    return folder / "clip.txt"


def flip(data: bytes, rng: np.random.Generator) -> bytes:
    result = bytearray(data)
    for at in rng.integers(0, len(data), rng.integers(1, 9)):
        result[at] ^= 1 << int(rng.integers(8))
    return bytes(result)


def cut(data: bytes, rng: np.random.Generator) -> bytes:
    return data[: int(rng.integers(1, len(data)))]


def splice(data: bytes, rng: np.random.Generator) -> bytes:
    """Put something odd in, or a piece of the file where it does not belong."""
    at, start = (int(x) for x in rng.integers(0, len(data), 2))
    odd = ODD_TEXT[int(rng.integers(len(ODD_TEXT)))] if rng.random() < 0.6 else data[start : start + 40]
    return data[:at] + odd + data[at + int(rng.integers(0, 12)) :]


def smash(data: bytes, rng: np.random.Generator) -> bytes:
    """Overwrite four bytes with a number that readers trip over."""
    at = int(rng.integers(0, max(len(data) - 4, 1)))
    odd = [b"\xff\xff\xff\xff", b"\0\0\0\0", b"\xff\xff\xff\x7f", b"\0\0\x80\x7f", b"\0\0\xc0\x7f", b"\x01\0\0\0"]
    return data[:at] + odd[int(rng.integers(len(odd)))] + data[at + 4 :]


def rewrite_json(data: bytes, rng: np.random.Generator) -> bytes:
    """Change one value anywhere in a JSON file."""
    try:
        root = json.loads(data)
    except ValueError:
        return flip(data, rng)
    node: Any = root
    while True:
        keys = list(node) if isinstance(node, dict) else list(range(len(node)))
        if not keys:
            return data
        key = keys[int(rng.integers(len(keys)))]
        if not isinstance(node[key], dict | list) or not node[key] or rng.random() < 0.15:
            break
        node = node[key]
    if rng.random() < 0.2:
        del node[key]
    else:
        node[key] = ODD_JSON[int(rng.integers(len(ODD_JSON)))]
    return json.dumps(root).encode()


DAMAGES: tuple[Callable[[bytes, np.random.Generator], bytes], ...] = (flip, cut, splice, smash)


def damaged(data: bytes, suffix: str, seed: int) -> bytes:
    rng = np.random.default_rng(seed)
    if suffix in (".gltf", ".txt", ".json") and rng.random() < 0.6:
        return rewrite_json(data, rng) or b"x"
    return DAMAGES[int(rng.integers(len(DAMAGES)))](data, rng) or b"x"


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_damaged_files(tmp_path: Path, suffix: str) -> None:
    file = written(tmp_path, suffix)
    data = file.read_bytes()
    check(read(file))
    for seed in range(max(COUNT // 2 // len(SUFFIXES), 1)):
        file.write_bytes(damaged(data, suffix, seed))
        survives(file)


def test_rewritten_gltf(tmp_path: Path) -> None:
    file = written(tmp_path, ".gltf")
    data = file.read_bytes()
    for seed in range(max(COUNT // 10, 1)):
        file.write_bytes(rewrite_json(data, np.random.default_rng(seed)))
        survives(file)


NUMBERS = st.one_of(st.integers(-3, 9).map(str), st.floats().map(str), st.sampled_from(["1e999", "99999999999", "1,5"]))
STATEMENTS = st.one_of(
    st.sampled_from(
        ["{", "}", "HIERARCHY", "ROOT a", "JOINT b", "JOINT", "End Site", "MOTION", "Frames: 2", "Frames:"]
    ),
    st.sampled_from(
        ["Frame Time: 0.1", "Frame Time:", "CHANNELS 3 Xrotation Yrotation Zrotation", "CHANNELS 1 Xposition"]
    ),
    st.lists(NUMBERS, min_size=1, max_size=4).map(" ".join),
    st.lists(NUMBERS, min_size=3, max_size=3).map(lambda x: "OFFSET " + " ".join(x)),
)
FUZZ = settings(max_examples=max(COUNT // 5, 1), derandomize=True, suppress_health_check=list(HealthCheck))


@FUZZ
@given(lines=st.lists(STATEMENTS, max_size=14), whole=st.booleans())
def test_made_up_bvh(tmp_path_factory: pytest.TempPathFactory, lines: list[str], whole: bool) -> None:
    start = ["HIERARCHY", "ROOT a", "{", "OFFSET 0 0 0"] if whole else []
    file = tmp_path_factory.getbasetemp() / "made_up.bvh"
    file.write_text("\n".join(start + lines) or "\n")
    survives(file)


INDEX = st.integers(-1, 4)
ANY = st.recursive(
    st.none() | st.booleans() | INDEX | st.floats() | st.text(max_size=3),
    lambda x: st.lists(x, max_size=3) | st.dictionaries(st.text(max_size=2), x, max_size=2),
    max_leaves=4,
)


def mapping(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """A JSON object that is mostly right."""
    return st.fixed_dictionaries(
        {}, optional={key: st.one_of(value, value, value, ANY) for key, value in fields.items()}
    )


def listed(items: st.SearchStrategy[Any]) -> st.SearchStrategy[list[Any]]:
    return st.lists(items, max_size=4)


TRIPLE, QUAD = st.lists(st.floats(-2, 2), min_size=3, max_size=3), st.lists(st.floats(-1, 1), min_size=4, max_size=4)
CHANNEL = mapping(sampler=INDEX, target=mapping(node=INDEX, path=st.sampled_from(["rotation", "translation", "scale"])))
SAMPLER = mapping(input=INDEX, output=INDEX, interpolation=st.sampled_from(["LINEAR", "STEP", "CUBICSPLINE"]))
NODE = mapping(children=listed(INDEX), mesh=INDEX, skin=INDEX, scale=TRIPLE, translation=TRIPLE, rotation=QUAD)
ATTRIBUTES = mapping(POSITION=INDEX, JOINTS_0=INDEX, WEIGHTS_0=INDEX)
ACCESSOR = mapping(
    bufferView=INDEX,
    componentType=st.integers(5119, 5127),
    count=st.integers(-1, 9),
    type=st.sampled_from(["SCALAR", "VEC3", "VEC4", "MAT4"]),
    byteOffset=st.integers(-4, 99),
    normalized=st.booleans(),
)
VIEW = mapping(
    buffer=st.just(0), byteOffset=st.integers(0, 99), byteLength=st.integers(0, 300), byteStride=st.integers(0, 16)
)
GLTF = mapping(
    nodes=listed(NODE),
    skins=listed(mapping(joints=listed(INDEX), inverseBindMatrices=INDEX)),
    meshes=listed(mapping(primitives=listed(mapping(attributes=ATTRIBUTES, mode=st.integers(0, 7))))),
    accessors=listed(ACCESSOR),
    bufferViews=listed(VIEW),
    buffers=st.just([{"byteLength": 297, "uri": "data:;base64," + "AACAPwAAAAA" * 36}]),
    animations=listed(mapping(channels=listed(CHANNEL), samplers=listed(SAMPLER), name=st.text(max_size=3))),
)


@FUZZ
@given(root=GLTF)
def test_made_up_gltf(tmp_path_factory: pytest.TempPathFactory, root: dict[str, Any]) -> None:
    file = tmp_path_factory.getbasetemp() / "made_up.gltf"
    file.write_text(json.dumps({"asset": {"version": "2.0"}} | root))
    survives(file)


def is_motion(file: Path) -> bool:
    try:
        return bool(read(file).clips)
    except FormatError:
        return False


def real_files() -> list[Path]:
    """The smallest motion of each folder and suffix, so that thousands of reads stay quick."""
    found: dict[tuple[Path, str], Path] = {}
    files = [file for file in Path(DATA).rglob("*") if file.suffix in SUFFIXES] if DATA else []
    for file in sorted(files, key=lambda file: (file.stat().st_size, file)):
        key = file.parent, file.suffix
        if key not in found and is_motion(file):
            found[key] = file
    return sorted(found.values())


REAL = real_files()


@pytest.mark.data
@pytest.mark.skipif(not DATA, reason="CANTER_DATA is not set")
@pytest.mark.parametrize("source", REAL, ids=lambda file: file.name)
def test_damaged_recordings(tmp_path: Path, source: Path) -> None:
    data = source.read_bytes()
    for other in source.parent.iterdir():  # what the file leans on
        if other.suffix in (".bin", ".json", ".txt") and other != source:
            (tmp_path / other.name).write_bytes(other.read_bytes())
    for seed in range(max(min(COUNT // len(REAL), MAX_BYTES // len(data)), 1)):
        (tmp_path / source.name).write_bytes(damaged(data, source.suffix, seed))
        survives(tmp_path / source.name)

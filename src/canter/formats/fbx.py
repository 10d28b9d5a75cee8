"""Reading FBX through `ufbx`, in a process of its own: bones, their ancestors and whatever moves become joints.

Takes are sampled at the file's frame rate, in the file's own axes and units; `metres_per_unit` says what the unit is.
"""

from __future__ import annotations

import io
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from canter.formats.errors import FormatError
from canter.formats.files import MAX_FRAME_RATE, check_finite, check_size
from canter.formats.scene_nodes import (
    Nodes,
    accumulate,
    inverse_rest,
    make_motion,
    make_skeleton,
    rest_scale,
    scaled_bind,
    tree_order,
    uniform_scale,
    with_ancestors,
)
from canter.motion import rotations as rot
from canter.motion.arrays import Floats
from canter.motion.skeleton import Asset, Motion, Skeleton, Skin

TIMEOUT_SECONDS = 60
REFUSED_EXIT_CODE = 3  # the child's exit code when it could say what is wrong
REMEDY = "Open it in Blender and export it as glTF binary (File, Export, glTF 2.0), then read the .glb"


def parse(data: bytes, path: Path) -> Asset:
    """Skeleton, takes and skins of an FBX file."""
    arrays = _in_child(data, path)
    notes: list[str] = []
    nodes = _nodes(arrays, path)
    scale = rest_scale(path, nodes, notes)
    skeleton = make_skeleton(nodes, scale)
    rate = float(arrays["rate"])
    if not 0 < rate <= MAX_FRAME_RATE:
        raise FormatError(path, "the settings", f"a frame rate of {rate} cannot be", REMEDY)
    takes = enumerate(arrays["clips"].tolist())
    clips = [_clip(arrays[f"clip{i}"], nodes, skeleton, rate, name, path, notes) for i, name in takes]
    surfaces = enumerate(arrays["skins"].tolist())
    skins = [_skin(arrays, f"skin{i}_", nodes, skeleton, scale, name, path) for i, name in surfaces]
    unit = float(arrays["unit"])
    metres = unit if 0 < unit < 1e6 else None
    return Asset(skeleton, tuple(clips), tuple(skins), metres_per_unit=metres, notes=tuple(dict.fromkeys(notes)))


def _in_child(data: bytes, path: Path) -> dict[str, Any]:
    """What `fbx_child` makes of the file; a crash there is a broken file here."""
    if not data.startswith(b"Kaydara FBX Binary") and b"FBX" not in data[:4096]:
        raise FormatError(path, "byte 0", "this is not FBX", "Is the suffix right? Export it again as FBX or GLB")
    if find_spec("ufbx") is None:
        raise FormatError(path, "", "FBX needs the package ufbx", f"Run 'pip install canter[fbx]'. Or: {REMEDY}")
    command = [sys.executable, "-m", "canter.formats.fbx_child"]
    try:
        done = subprocess.run(command, input=data, capture_output=True, timeout=TIMEOUT_SECONDS)
    except subprocess.TimeoutExpired:
        raise FormatError(path, "", f"reading it takes more than {TIMEOUT_SECONDS} s", REMEDY) from None
    if done.returncode == REFUSED_EXIT_CODE:
        reason = done.stderr.decode(errors="replace").strip().splitlines() or ["no reason given"]
        raise FormatError(path, "", f"the FBX is damaged or of an unknown kind ({reason[-1][:200]})", REMEDY)
    if done.returncode != 0:
        raise FormatError(path, "", "the FBX reader broke on it", REMEDY)
    with np.load(io.BytesIO(done.stdout), allow_pickle=False) as archive:
        return {key: archive[key] for key in archive.files}


def _nodes(arrays: dict[str, Any], path: Path) -> Nodes:
    parents: list[int] = arrays["parents"].tolist()
    names = [name or f"node_{i}" for i, name in enumerate(arrays["names"].tolist())]
    order = tree_order(parents)
    skinned = {int(b) for key in arrays if key.endswith("_bones") for b in arrays[key]}
    moved = {int(n) for key in arrays if key.startswith("moved") for n in arrays[key]}
    wanted = set(np.flatnonzero(arrays["bones"]).tolist()) | skinned | moved
    wanted = with_ancestors(wanted, parents, order)
    wanted.discard(0)  # the scene itself
    if not wanted:
        raise FormatError(path, "", "there is no skeleton and no animation", "Export the armature too")
    rest = arrays["rest"]
    check_finite(path, "the rest pose", rest)
    check_size(path, 1, len(wanted))
    transforms = [(row[:3], rot.unit(row[3:7]), row[7:], False) for row in rest]
    return Nodes.make(names, parents, order, transforms, wanted, skinned)


def _clip(
    values: Floats, nodes: Nodes, skeleton: Skeleton, rate: float, name: str, path: Path, notes: list[str]
) -> Motion:
    check_finite(path, f"take {name!r}", values)
    check_size(path, len(values), len(skeleton))
    rows = values[:, nodes.kept]
    own = np.stack(
        [uniform_scale(path, nodes, node, rows[:, nodes.joint[node], 7:], notes) for node in nodes.kept], axis=1
    )
    total = accumulate(nodes, own)
    return make_motion(path, skeleton, rate, rows[..., :3], rot.unit(rows[..., 3:7]), total, name)


def _skin(
    arrays: dict[str, Any], key: str, nodes: Nodes, skeleton: Skeleton, scale: Floats, name: str, path: Path
) -> Skin:
    """One surface; corners that agree in everything are joined into one vertex."""
    bones = np.array([nodes.joint[node] for node in arrays[f"{key}bones"]])
    bind, weights = arrays[f"{key}bind"], np.maximum(arrays[f"{key}weights"], 0)
    parts = [arrays[f"{key}vertices"], *(arrays[k] for k in (f"{key}normals", f"{key}uv") if k in arrays)]
    check_finite(path, f"mesh {name!r}", bind, weights, *parts)
    _, first, which = np.unique(
        np.concatenate([*parts, weights], axis=1), axis=0, return_index=True, return_inverse=True
    )
    best = np.argsort(-weights[first], axis=1, kind="stable")[:, :4]
    share = np.take_along_axis(weights[first], best, 1)
    best, share = (np.pad(x, ((0, 0), (0, 4 - x.shape[1]))) for x in (best, share))
    total = share.sum(axis=1, keepdims=True)
    share = np.where(total > 0, share / np.where(total > 0, total, 1), [1.0, 0, 0, 0])
    inverse_bind = inverse_rest(skeleton)
    inverse_bind[bones] = scaled_bind(bind, scale[bones, None])
    color = arrays.get(f"{key}color", np.array([0.8, 0.8, 0.8, 1.0])).clip(0, 1).tolist()
    texture = arrays.get(f"{key}texture")
    return Skin(
        arrays[f"{key}vertices"][first],
        which.reshape(-1, 3),
        bones[best],
        share,
        inverse_bind,
        normals=arrays[f"{key}normals"][first] if f"{key}normals" in arrays else None,
        uv=arrays[f"{key}uv"][first] * [1, -1] + [0, 1] if f"{key}uv" in arrays else None,
        base_color=(color[0], color[1], color[2], color[3]),
        texture=texture.tobytes() if texture is not None else None,
        name=name,
    )

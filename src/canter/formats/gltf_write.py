"""Writing glTF: `.glb` in one file, `.gltf` with its data inside as base64.

Joints are nodes, clips are animations with keys on every frame, skins keep their bind matrices, colours and
texture. The JSON is built as plain dictionaries: it is short, and a library would repack every buffer view.
"""

from __future__ import annotations

import base64
import json
import struct
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from canter.formats.errors import FormatError
from canter.formats.files import write_atomic
from canter.formats.gltf_file import HOLDER, Json
from canter.formats.scene_nodes import inverse_rest
from canter.motion import rotations as rot
from canter.motion.arrays import Bools, Floats, Ints
from canter.motion.skeleton import Asset, Motion, Skeleton, Skin

BYTE, SHORT, INT, FLOAT = 5121, 5123, 5125, 5126
TYPES = {BYTE: "<u1", SHORT: "<u2", INT: "<u4", FLOAT: "<f4"}
KINDS = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4", 16: "MAT4"}
VERTICES, INDICES = 34962, 34963


def write(asset: Asset, path: Path) -> None:
    """Skeleton, clips and skins of an asset as one file."""
    if any(len(clip.skeleton) != len(asset.skeleton) for clip in asset.clips):
        raise FormatError(path, "", "a clip has another skeleton than the asset", "Write one file for each skeleton")
    builder = Builder()
    builder.skeleton(asset.skeleton)
    builder.clips([clip for clip in asset.clips if len(clip)], asset.skeleton)
    builder.skins(asset.skins)
    if not asset.skins:  # a skin without a surface lets Blender see bones instead of empties
        builder.skin(inverse_rest(asset.skeleton))
    write_atomic(path, builder.glb() if path.suffix.lower() == ".glb" else builder.gltf())


class Builder:
    """A glTF document that grows; each array gets its own buffer view, aligned to four bytes."""

    def __init__(self) -> None:
        self.root: Json = {"asset": {"version": "2.0", "generator": "canter"}, "scene": 0, "scenes": [{"nodes": []}]}
        self.data = bytearray()

    def add(self, key: str, item: Json) -> int:
        """Append to one of the document's lists; gives the index."""
        items = self.root.setdefault(key, [])
        items.append(item)
        return len(items) - 1

    def view(self, data: bytes, target: int | None = None) -> int:
        self.data += b"\0" * (-len(self.data) % 4)
        item: Json = {"buffer": 0, "byteOffset": len(self.data), "byteLength": len(data)}
        if target:
            item["target"] = target
        self.data += data
        return self.add("bufferViews", item)

    def accessor(self, values: Floats | Ints, component: int, target: int | None = None, bounds: bool = False) -> int:
        """An array `(n,)` or `(n, components)` as an accessor, with min and max where readers need them."""
        array = np.ascontiguousarray(values, TYPES[component])
        width = array.shape[1] if array.ndim > 1 else 1
        view = self.view(array.tobytes(), target)
        item: Json = {"bufferView": view, "componentType": component, "count": len(array), "type": KINDS[width]}
        if bounds:
            table = array.reshape(len(array), width)
            item |= {"min": table.min(axis=0).tolist(), "max": table.max(axis=0).tolist()}
        return self.add("accessors", item)

    def skeleton(self, skeleton: Skeleton) -> None:
        """Joint i becomes node i. Skins need a common root, so several roots get a node to hold them."""
        for joint, name in enumerate(skeleton.names):
            w, x, y, z = rot.positive(rot.unit(skeleton.rotations[joint])).tolist()
            node: Json = {"name": name, "translation": skeleton.offsets[joint].tolist(), "rotation": [x, y, z, w]}
            if skeleton.children[joint]:
                node["children"] = list(skeleton.children[joint])
            self.add("nodes", node)
        roots = np.flatnonzero(skeleton.parents < 0).tolist()
        if len(roots) > 1:
            roots = [self.add("nodes", {"name": "roots", "children": roots, "extras": {HOLDER: True}})]
        self.root["scenes"][0]["nodes"] += roots

    def clips(self, clips: list[Motion], skeleton: Skeleton) -> None:
        """Animations with the same channels, since Blender keeps the last pose where a channel is missing."""
        moves = [_Moves.of(clip, skeleton) for clip in clips]
        away = np.any([move.away for move in moves], axis=0) if moves else np.zeros((2, len(skeleton)), bool)
        for clip, move in zip(clips, moves, strict=True):
            self._clip(clip, away, move.varies)

    def _clip(self, clip: Motion, away: Bools, varies: Bools) -> None:
        """Every frame of what varies and of the first root, one key for the rest of what is away from rest."""
        times = (np.arange(len(clip)) / clip.frame_rate).astype(np.float32)
        inputs: dict[int, int] = {}  # accessors of key times by their number
        animation: Json = {"name": clip.name, "channels": [], "samplers": []}
        animation["extras"] = {"frame_rate": clip.frame_rate}
        turns = rot.continuous(rot.unit(clip.rotations))[..., [1, 2, 3, 0]]
        for joint in range(len(clip.skeleton)):
            for i, (path, values) in enumerate((("rotation", turns), ("translation", clip.positions))):
                if away[i, joint] or joint == 0:
                    keys = len(clip) if varies[i, joint] or joint == 0 else 1
                    if keys not in inputs:
                        inputs[keys] = self.accessor(times[:keys], FLOAT, bounds=True)
                    self._channel(animation, joint, path, inputs[keys], self.accessor(values[:keys, joint], FLOAT))
        self.add("animations", animation)

    def _channel(self, animation: Json, node: int, path: str, times: int, values: int) -> None:
        animation["channels"].append({"sampler": len(animation["samplers"]), "target": {"node": node, "path": path}})
        animation["samplers"].append({"input": times, "output": values})

    def skins(self, skins: tuple[Skin, ...]) -> None:
        """Neighbouring surfaces of one name and one bind pose share a mesh."""
        known: list[tuple[Floats, int]] = []
        last: tuple[str, int] | None = None
        for skin in skins:
            if not len(skin.vertices) or not len(skin.triangles):
                continue
            index = next((i for bind, i in known if np.array_equal(bind, skin.inverse_bind)), None)
            if index is None:
                index = self.skin(skin.inverse_bind)
                known.append((skin.inverse_bind, index))
            if last != (skin.name, index):
                mesh = self.add("meshes", {"name": skin.name, "primitives": []})
                node = self.add("nodes", {"name": skin.name or "surface", "mesh": mesh, "skin": index})
                self.root["scenes"][0]["nodes"].append(node)
                last = (skin.name, index)
            self.root["meshes"][-1]["primitives"].append(self._primitive(skin))

    def skin(self, inverse_bind: Floats) -> int:
        columns = inverse_bind.transpose(0, 2, 1).reshape(-1, 16).copy()
        columns[:, [3, 7, 11, 15]] = [0, 0, 0, 1]
        return self.add(
            "skins", {"inverseBindMatrices": self.accessor(columns, FLOAT), "joints": list(range(len(inverse_bind)))}
        )

    def _primitive(self, skin: Skin) -> Json:
        joints, weights = tidy_weights(skin.joints, skin.weights)
        small = BYTE if len(skin.inverse_bind) <= 256 else SHORT
        attributes = {
            "POSITION": self.accessor(skin.vertices, FLOAT, VERTICES, bounds=True),
            "JOINTS_0": self.accessor(joints, small, VERTICES),
            "WEIGHTS_0": self.accessor(weights, FLOAT, VERTICES),
        }
        if skin.normals is not None:
            normals = rot.normalize(skin.normals)
            normals[~(np.abs(normals) > 0).any(axis=1)] = [0, 1, 0]
            attributes["NORMAL"] = self.accessor(normals, FLOAT, VERTICES)
        if skin.uv is not None:
            attributes["TEXCOORD_0"] = self.accessor(skin.uv, FLOAT, VERTICES)
        if skin.colors is not None:
            attributes["COLOR_0"] = self.accessor(np.clip(skin.colors, 0, 1), FLOAT, VERTICES)
        indices = self.accessor(skin.triangles.reshape(-1), SHORT if len(skin.vertices) < 65535 else INT, INDICES)
        return {"attributes": attributes, "indices": indices, "material": self._material(skin)}

    def _material(self, skin: Skin) -> int:
        color = np.clip(skin.base_color, 0, 1).tolist()
        surface: Json = {"baseColorFactor": color, "metallicFactor": 0.0, "roughnessFactor": 0.9}
        if skin.texture and skin.uv is not None:
            kind = "image/png" if skin.texture[:4] == b"\x89PNG" else "image/jpeg"
            image = self.add("images", {"bufferView": self.view(skin.texture), "mimeType": kind})
            surface["baseColorTexture"] = {"index": self.add("textures", {"source": image})}
        item: Json = {"pbrMetallicRoughness": surface}
        if color[3] < 1:
            item["alphaMode"] = "BLEND"
        return self.add("materials", item)

    def _json(self, buffer: Json) -> bytes:
        root = self.root | ({"buffers": [buffer]} if self.data else {})
        return json.dumps(root, separators=(",", ":"), allow_nan=False).encode()

    def glb(self) -> bytes:
        self.data += b"\0" * (-len(self.data) % 4)
        text = self._json({"byteLength": len(self.data)})
        text += b" " * (-len(text) % 4)
        chunks = struct.pack("<II", len(text), 0x4E4F534A) + text
        if self.data:
            chunks += struct.pack("<II", len(self.data), 0x004E4942) + self.data
        return b"glTF" + struct.pack("<II", 2, 12 + len(chunks)) + chunks

    def gltf(self) -> bytes:
        uri = "data:application/octet-stream;base64," + base64.b64encode(self.data).decode()
        return self._json({"byteLength": len(self.data), "uri": uri})


@dataclass(frozen=True, eq=False)
class _Moves:
    """Which joints are away from their rest, and which vary over time: `(2, J)`, turns and places."""

    away: Bools
    varies: Bools

    @staticmethod
    def of(clip: Motion, skeleton: Skeleton) -> _Moves:
        turns, places = rot.unit(clip.rotations), clip.positions
        size = max(float(np.ptp(skeleton.offsets, axis=0).max(initial=0)), 1e-9)
        away, varies = (
            np.stack([rot.difference(turns, q).max(axis=0) > 1e-6, np.abs(places - p).max(axis=(0, 2)) > 1e-6 * size])
            for q, p in ((rot.unit(skeleton.rotations), skeleton.offsets), (turns[:1], places[:1]))
        )
        return _Moves(away | varies, varies)


def tidy_weights(joints: Ints, weights: Floats) -> tuple[Ints, Floats]:
    """Weights that sum to 1 with each joint named once a vertex and 0 where it does nothing, as the format wants."""
    joints, weights = joints.astype(np.int64), np.maximum(weights.astype(np.float64), 0)
    for i in range(1, joints.shape[1]):
        for k in range(i):
            same = (joints[:, i] == joints[:, k]) & (weights[:, i] > 0)
            weights[same, k] += weights[same, i]
            weights[same, i] = 0
    total = weights.sum(axis=1, keepdims=True)
    weights = np.where(total > 0, weights / np.where(total > 0, total, 1), [1.0, 0.0, 0.0, 0.0]).astype(np.float32)
    return np.where(weights > 0, joints, 0), weights

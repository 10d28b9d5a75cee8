"""Small skeletons, clips, surfaces and glTF files for the tests of formats."""

from __future__ import annotations

import base64
import json
import struct
from typing import Any

import numpy as np

from canter.motion import rotations as rot
from canter.motion.arrays import Floats, Ints
from canter.motion.skeleton import Asset, Motion, Skeleton, Skin


def random_asset(seed: int, joints: int = 6, frames: int = 5, rate: float = 30.0, skinned: bool = False) -> Asset:
    """A random tree that moves at random, with shifting inner joints, and perhaps a surface."""
    rng = np.random.default_rng(seed)
    parents = [-1, *(int(rng.integers(-1 if rng.random() < 0.1 else 0, i)) for i in range(1, joints))]
    offsets = rng.normal(size=(joints, 3)) * 10.0 ** rng.integers(-1, 3)
    skeleton = Skeleton.make(
        [f"joint {i}" for i in range(joints)], parents, offsets, rot.unit(rng.normal(size=(joints, 4)))
    )
    shifting = rng.random(joints) < 0.3
    positions = offsets + rng.normal(size=(frames, joints, 3)) * shifting[:, None]
    rotations = rot.unit(rng.normal(size=(frames, joints, 4)))
    clip = Motion(skeleton, rate, positions, rotations, "clip")
    return Asset(skeleton, (clip,), (random_skin(rng, joints),) if skinned else ())


def random_skin(rng: np.random.Generator, joints: int, vertices: int = 12) -> Skin:
    weights = rng.random((vertices, 4))
    bind = np.tile(np.eye(4), (joints, 1, 1))
    bind[:, :3] = rng.normal(size=(joints, 3, 4))
    return Skin(
        rng.normal(size=(vertices, 3)),
        rng.integers(0, vertices, (8, 3)),
        np.stack([rng.permutation(max(joints, 4))[:4] % joints for _ in range(vertices)]),
        weights / weights.sum(axis=1, keepdims=True),
        bind,
        normals=rot.normalize(rng.normal(size=(vertices, 3))),
        uv=rng.random((vertices, 2)),
        colors=rng.random((vertices, 4)),
        base_color=(0.1, 0.2, 0.3, 1.0),
        texture=PNG,
        name="surface",
    )


PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
)


def size_of(asset: Asset) -> float:
    """How large the body is: the diagonal of its first frame."""
    place = asset.clips[0].position_world[0]
    return float(np.linalg.norm(np.ptp(place, axis=0))) or 1.0


def worst_distance(one: Asset, other: Asset) -> float:
    """The largest distance between joints of the same name, in body sizes, or in distances from the origin where these
    are larger: float32 keeps no more of a small body that is far away."""
    order = [other.skeleton.names.index(name) for name in one.skeleton.names]
    pairs = zip(one.clips, other.clips, strict=True)
    size = max(size_of(one), *(float(np.abs(clip.position_world).max()) for clip in one.clips))
    return max(float(np.abs(a.position_world - b.position_world[:, order]).max()) for a, b in pairs) / size


def skinned_vertices(skin: Skin, motion: Motion, frame: int) -> Floats:
    """Linear blend skinning, spelled out."""
    position, rotation = motion.position_world[frame], motion.rotation_world[frame]
    world = np.tile(np.eye(4), (len(position), 1, 1))
    world[:, :3, :3], world[:, :3, 3] = rot.to_matrix(rotation), position
    homogeneous = np.concatenate([skin.vertices, np.ones((len(skin.vertices), 1))], axis=1)
    placed = np.einsum("vkij,vj->vki", (world @ skin.inverse_bind)[skin.joints], homogeneous)
    return np.einsum("vk,vki->vi", skin.weights, placed)[:, :3]


class Gltf:
    """A glTF document built by hand, so that every oddity can be put into it."""

    def __init__(self) -> None:
        self.root: dict[str, Any] = {"asset": {"version": "2.0"}, "nodes": [], "accessors": [], "bufferViews": []}
        self.data = b""

    def accessor(self, values: Floats | Ints | list[Any], kind: str, component: int = 5126, **more: Any) -> int:
        types = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
        array = np.asarray(values, types[component])
        self.root["bufferViews"].append({"buffer": 0, "byteOffset": len(self.data), "byteLength": array.nbytes})
        self.data += array.tobytes()
        view = len(self.root["bufferViews"]) - 1
        self.root["accessors"].append(
            {"bufferView": view, "componentType": component, "count": len(array), "type": kind} | more
        )
        return len(self.root["accessors"]) - 1

    def node(self, name: str | None = None, **more: Any) -> int:
        self.root["nodes"].append(({"name": name} if name else {}) | more)
        return len(self.root["nodes"]) - 1

    def animation(self, *channels: tuple[int, str, Any, Any, str], name: str = "clip") -> None:
        """Channels are (node, path, times, values, interpolation)."""
        item: dict[str, Any] = {"name": name, "channels": [], "samplers": []}
        for i, (node, path, times, values, how) in enumerate(channels):
            kind = "VEC4" if path == "rotation" else "VEC3"
            sampler = {"input": self.accessor(times, "SCALAR"), "output": self.accessor(values, kind)}
            item["samplers"].append(sampler | {"interpolation": how})
            item["channels"].append({"sampler": i, "target": {"node": node, "path": path}})
        self.root.setdefault("animations", []).append(item)

    def mesh(self, **primitive: Any) -> int:
        self.root.setdefault("meshes", []).append({"primitives": [primitive]})
        return len(self.root["meshes"]) - 1

    def glb(self) -> bytes:
        root = self.root | {"buffers": [{"byteLength": len(self.data)}]}
        text = json.dumps(root).encode()
        text += b" " * (-len(text) % 4)
        data = self.data + b"\0" * (-len(self.data) % 4)
        chunks = struct.pack("<II", len(text), 0x4E4F534A) + text + struct.pack("<II", len(data), 0x004E4942) + data
        return b"glTF" + struct.pack("<II", 2, 12 + len(chunks)) + chunks

    def text(self, uri: str | None = None) -> bytes:
        uri = uri or "data:application/octet-stream;base64," + base64.b64encode(self.data).decode()
        return json.dumps(self.root | {"buffers": [{"byteLength": len(self.data), "uri": uri}]}).encode()

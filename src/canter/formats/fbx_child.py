"""The part of FBX reading that runs in a process of its own: `ufbx` turns a file into plain arrays.

`ufbx` is native code that meets strangers' files, so a crash must not take the caller along. The file comes in on
standard input, an npz goes out on standard output; with `REFUSED_EXIT_CODE`, `ufbx` refused the file, for the reason on
standard error.
"""

from __future__ import annotations

import contextlib
import ctypes
import io
import os
import sys
from typing import Any

import numpy as np
import ufbx

from canter.formats.fbx import REFUSED_EXIT_CODE
from canter.formats.files import MAX_JOINTS
from canter.motion.arrays import Floats

MAX_EVALUATIONS = 5_000_000  # a transform takes some 2 µs
MAX_CORNERS = 5_000_000
MAX_MEMORY_BYTES = 4 << 30

_hold = ctypes.pythonapi.Py_IncRef
_hold.argtypes, _hold.restype = [ctypes.py_object], None


def items(elements: Any) -> list[Any]:
    """The elements of a ufbx list. Version 0.0.5 hands them out without counting the reference: count it here."""
    result = []
    for i in range(len(elements)):
        element = elements[i]
        _hold(element)
        result.append(element)
    return result


def load(data: bytes) -> dict[str, Any]:
    """Everything that canter uses of an FBX file, as arrays by name."""
    scene = ufbx.load_memory(
        data,
        file_format=ufbx.FileFormat.FBX,
        inherit_mode_handling=ufbx.InheritModeHandling.COMPENSATE,
        geometry_transform_handling=ufbx.GeometryTransformHandling.MODIFY_GEOMETRY,
        clean_skin_weights=True,
    )
    nodes = items(scene.nodes)
    if len(nodes) > MAX_JOINTS:
        raise ValueError(f"{len(nodes)} nodes are more than {MAX_JOINTS}")
    rest = [transform(node.local_transform) for node in nodes]
    arrays: dict[str, Any] = {
        "names": np.array([node.name for node in nodes]),
        "parents": np.array([node.parent.typed_id if node.parent else -1 for node in nodes]),
        "bones": np.array([node.bone is not None for node in nodes]),
        "rest": np.array(rest),
        "unit": np.array(scene.settings.unit_meters),
        "rate": np.array(scene.settings.frames_per_second),
    }
    return arrays | clips(scene, nodes, np.array(rest)) | surfaces(scene)


def transform(value: Any) -> list[float]:
    """Translation, quaternion (w, x, y, z) and scale in a row of ten."""
    q = value.rotation
    return [*value.translation, q.w, q.x, q.y, q.z, *value.scale]


def clips(scene: Any, nodes: list[Any], rest: Floats) -> dict[str, Any]:
    """For each take the transforms `(T, N, 10)` on the file's frames, and which nodes it moves."""
    rate, names = scene.settings.frames_per_second, []
    arrays: dict[str, Any] = {}
    for i, stack in enumerate(items(scene.anim_stacks)):
        baked = ufbx.bake_anim(scene, stack.anim, resample_rate=rate, maximum_sample_rate=rate)
        moved = [node.typed_id for node in items(baked.nodes)]
        begin, end = stack.time_begin, stack.time_end
        if not end > begin:
            begin, end = baked.key_time_min, baked.key_time_max
        frames = int(min(max((end - begin) * rate + 0.03, 0), 1e9)) + 1
        if frames * len(nodes) > MAX_EVALUATIONS:
            raise ValueError(
                f"the take {stack.name!r} lasts {end - begin:.0f} s, which is too long for {len(nodes)} nodes"
            )
        values = np.tile(rest, (frames, 1, 1))
        for node in moved:
            for k in range(frames):
                values[k, node] = transform(ufbx.evaluate_transform(stack.anim, nodes[node], begin + k / rate))
        names.append(stack.name)
        arrays |= {f"clip{i}": values, f"moved{i}": np.array(moved, int)}
    return arrays | {"clips": np.array(names, str)}


def surfaces(scene: Any) -> dict[str, Any]:
    """For each skinned mesh and material the corners of its triangles, with weights and bind matrices."""
    arrays: dict[str, Any] = {}
    names: list[str] = []
    for mesh in items(scene.meshes):
        skins = items(mesh.skin_deformers)
        if not skins or not mesh.num_faces or mesh.num_indices > MAX_CORNERS:
            continue
        bones, bind, weights = influences(skins[0], mesh.num_vertices)
        if not len(bones):
            continue
        owners = items(mesh.instances)
        materials = items(mesh.materials)
        corners, material = triangles(mesh)
        for m in np.unique(material):
            part = {"vertices": pick(mesh.vertex_position, corners[material == m], 3), "bones": bones, "bind": bind}
            part["weights"] = weights[np.array(list(mesh.vertex_indices), int)[corners[material == m]]]
            for key, source, width in (("normals", mesh.vertex_normal, 3), ("uv", mesh.vertex_uv, 2)):
                if source.exists:
                    part[key] = pick(source, corners[material == m], width)
            if m < len(materials):
                part |= look(materials[m])
            arrays |= {f"skin{len(names)}_{key}": value for key, value in part.items()}
            names.append(mesh.name or (owners[0].name if owners else ""))
    return arrays | {"skins": np.array(names, str)}


def influences(skin: Any, vertices: int) -> tuple[Any, Any, Floats]:
    """Bones (node numbers), their bind matrices `(B, 4, 4)`, and weights `(V, B)` of a skin."""
    clusters = [cluster for cluster in items(skin.clusters) if cluster.bone_node is not None]
    weights = np.zeros((vertices, len(clusters)))
    bind = np.tile(np.eye(4), (len(clusters), 1, 1))
    for i, cluster in enumerate(clusters):
        which = np.array(list(cluster.vertices), int)
        weights[which, i] = np.array(list(cluster.weights), float)
        m = cluster.geometry_to_bone
        bind[i, :3] = np.array([m.c0, m.c1, m.c2, m.c3]).T
    return np.array([cluster.bone_node.typed_id for cluster in clusters], int), bind, weights


def triangles(mesh: Any) -> tuple[Any, Any]:
    """Corners of the faces cut into fans, three a triangle, and the material of each corner."""
    materials = list(mesh.face_material) or [0] * mesh.num_faces
    corners, owner = [], []
    for face, material in zip(mesh.faces, materials, strict=True):
        for k in range(1, face.num_indices - 1):
            corners += [face.index_begin, face.index_begin + k, face.index_begin + k + 1]
            owner += [material] * 3
    return np.array(corners, int), np.array(owner, int)


def pick(source: Any, corners: Any, width: int) -> Floats:
    """A vertex attribute at the given corners."""
    values = np.array(list(source.values), float).reshape(-1, width)
    result: Floats = values[np.array(list(source.indices), int)[corners]]
    return result


def look(material: Any) -> dict[str, Any]:
    """Base colour, and the texture if the file holds it."""
    base = material.pbr.base_color
    result: dict[str, Any] = {"color": np.array(base.value_vec4)}
    if base.texture is not None and base.texture.content:
        result["texture"] = np.frombuffer(bytes(base.texture.content), np.uint8)
    return result


def main() -> None:
    """Write the answer, then exit without cleaning up, which could crash in native code."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY_BYTES, MAX_MEMORY_BYTES))
    code = 0
    try:
        buffer = io.BytesIO()
        np.savez(buffer, **load(sys.stdin.buffer.read()))
        sys.stdout.buffer.write(buffer.getvalue())
    except (ufbx.UfbxError, ValueError, IndexError, MemoryError) as error:
        print(str(error) or type(error).__name__, file=sys.stderr)
        code = REFUSED_EXIT_CODE
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    main()

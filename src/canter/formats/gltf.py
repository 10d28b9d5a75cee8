"""Reading glTF and GLB: the nodes that move or carry a skin become joints, and uniform scale is baked into them.

The skeleton is every node that is a skin's joint or an animation's target, with the bare nodes below it, such as
the tips of toes, and all its ancestors, so that static armature nodes keep turning what hangs on them.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from canter.formats.files import check_size
from canter.formats.gltf_file import Document, Json
from canter.motion import rotations as rot
from canter.motion.arrays import Floats
from canter.motion.kinematics import forward
from canter.motion.skeleton import Asset, Skeleton

SCALE_REMEDY = "Apply the scale in Blender (select the object, Ctrl+A, Scale) or bake the animation, and export again"
PATHS = ("translation", "rotation", "scale")
HOLDER = "canter_holder"  # extras of a node that we wrote only to hold several roots together


@dataclass(frozen=True, eq=False)
class Nodes:
    """All nodes of a file: tree, local rest transforms, and `joint`, the place of each in the skeleton or -1."""

    names: list[str]
    parents: list[int]
    order: list[int]
    translations: Floats
    rotations: Floats
    scales: Floats
    sheared: list[bool]
    joint: list[int]
    skin_joints: set[int]

    @property
    def kept(self) -> list[int]:
        """The nodes that are joints, in the skeleton's order."""
        return [node for node in self.order if self.joint[node] >= 0]


def parse(data: bytes, path: Path) -> Asset:
    """Skeleton, clips and skins of a glTF or GLB file."""
    from canter.formats.gltf_clips import read_clips
    from canter.formats.gltf_skins import read_skins

    document = Document(data, path)
    nodes = _nodes(document)
    notes: list[str] = []
    scale = rest_scale(document, nodes, notes)
    skeleton = _skeleton(nodes, scale)
    clips = read_clips(document, nodes, skeleton, scale, notes)
    skins = read_skins(document, nodes, skeleton, scale, notes)
    return Asset(skeleton, tuple(clips), tuple(skins), metres_per_unit=1.0, notes=tuple(dict.fromkeys(notes)))


def _nodes(document: Document) -> Nodes:
    items = document.objects("nodes")
    parents = _parents(document, items)
    order = _order(document, items, parents)
    skin_joints = _skin_joints(document, len(items))
    wanted = skin_joints | _targets(document, len(items))
    bare = {i for i, node in enumerate(items) if not {"mesh", "camera", "extensions"} & node.keys()}
    if not wanted:
        wanted = set(bare)
    for node in order:
        if node in bare and parents[node] in wanted:
            wanted.add(node)
    for node in reversed(order):
        if node in wanted and parents[node] >= 0:
            wanted.add(parents[node])
    wanted -= {i for i in wanted if HOLDER in document.mapping(items[i], "extras", f"nodes[{i}]")}
    if not wanted:
        raise document.error("nodes", "there is no skeleton and no animation", "Export the armature too")
    check_size(document.path, 1, len(wanted))
    place = {node: i for i, node in enumerate(node for node in order if node in wanted)}
    names = [document.text(node, "name", f"node_{i}") for i, node in enumerate(items)]
    transforms = [_transform(document, node, f"nodes[{i}]") for i, node in enumerate(items)]
    t, q, s = (np.array([x[k] for x in transforms], float) for k in range(3))
    joint = [place.get(i, -1) for i in range(len(items))]
    return Nodes(names, parents, order, t, q, s, [x[3] for x in transforms], joint, skin_joints)


def _parents(document: Document, items: list[Json]) -> list[int]:
    parents = [-1] * len(items)
    for i, node in enumerate(items):
        for child in document.indices(node, "children", f"nodes[{i}]", len(items)):
            if parents[child] >= 0:
                raise document.error(f"nodes[{child}]", "this node has two parents")
            parents[child] = i
    return parents


def _order(document: Document, items: list[Json], parents: list[int]) -> list[int]:
    """All nodes, parents before children, each branch in one piece."""
    stack = [i for i in range(len(items)) if parents[i] < 0][::-1]
    order: list[int] = []
    while stack:
        node = stack.pop()
        order.append(node)
        stack.extend(reversed(document.array(items[node], "children", f"nodes[{node}]")))
    if len(order) < len(items):
        lost = next(i for i in range(len(items)) if i not in set(order))
        raise document.error(f"nodes[{lost}]", "this node is its own ancestor")
    return order


def _skin_joints(document: Document, count: int) -> set[int]:
    skins = document.objects("skins")
    return {j for i, skin in enumerate(skins) for j in document.indices(skin, "joints", f"skins[{i}]", count)}


def _targets(document: Document, count: int) -> set[int]:
    """Nodes that an animation moves, turns or scales."""
    result = set()
    for i, animation in enumerate(document.objects("animations")):
        for channel in document.objects("channels", animation, f"animations[{i}]."):
            target = document.mapping(channel, "target", f"animations[{i}]")
            if "node" in target and target.get("path") in PATHS:
                result.add(document.integer(target, "node", f"animations[{i}]", below=count))
    return result


def _transform(document: Document, node: Json, where: str) -> tuple[Floats, Floats, Floats, bool]:
    """Translation, unit quaternion (w, x, y, z), scale, and whether the node is sheared."""
    if "matrix" in node:
        flat = document.numbers(node, "matrix", where, [0.0] * 16)
        return decompose(np.array(flat).reshape(4, 4).T)
    x, y, z, w = document.numbers(node, "rotation", where, [0.0, 0.0, 0.0, 1.0])
    translation = document.numbers(node, "translation", where, [0.0, 0.0, 0.0])
    scale = document.numbers(node, "scale", where, [1.0, 1.0, 1.0])
    return np.array(translation), rot.unit(np.array([w, x, y, z])), np.array(scale), False


def decompose(matrix: Floats) -> tuple[Floats, Floats, Floats, bool]:
    """A 4 x 4 matrix as translation, rotation and scale; a mirror shows as a negative scale."""
    axes = matrix[:3, :3]
    scale = np.linalg.norm(axes, axis=0)
    turned = axes / np.where(scale > 0, scale, 1)
    sheared = bool(np.all(scale > 0) and np.abs(turned.T @ turned - np.eye(3)).max() > 0.01)
    if np.linalg.det(turned) < 0:
        scale, turned = -scale, -turned
    return matrix[:3, 3].copy(), rot.from_matrix(turned), scale, sheared


def rest_scale(document: Document, nodes: Nodes, notes: list[str]) -> Floats:
    """The accumulated scale of each joint `(J,)` at rest, itself included."""
    kept = nodes.kept
    own = np.array([uniform_scale(document, nodes, node, nodes.scales[node][None], notes)[0] for node in kept])
    total: Floats = accumulate(nodes, own[None])[0]
    return total


def accumulate(nodes: Nodes, own: Floats) -> Floats:
    """Scales `(T, J)` of joints multiplied down the tree."""
    total = own.copy()
    for node in nodes.kept:
        parent = joint_parent(nodes, node)
        if parent >= 0:
            total[:, nodes.joint[node]] *= total[:, parent]
    return total


def joint_parent(nodes: Nodes, node: int) -> int:
    """The parent joint of a node that is a joint, or -1."""
    parent = nodes.parents[node]
    return nodes.joint[parent] if parent >= 0 else -1


def uniform_scale(document: Document, nodes: Nodes, node: int, scales: Floats, notes: list[str]) -> Floats:
    """Scales `(T, 3)` of a node as one number each `(T,)`; refuses what cannot be baked, unless nothing hangs on it."""
    largest, mean = np.abs(scales).max(axis=1), scales.mean(axis=1)
    uneven = np.ptp(scales, axis=1) > 0.01 * largest
    bad = bool(np.any(uneven) or np.any(mean < 0) or nodes.sheared[node])
    if not bad:
        result: Floats = np.where(np.abs(mean - 1) < 1e-5, 1.0, mean)
        return result
    carries = any(nodes.joint[i] >= 0 and nodes.parents[i] == node for i in range(len(nodes.names)))
    name = nodes.names[node]
    if carries or node in nodes.skin_joints:
        kind = "sheared" if nodes.sheared[node] else "mirrored" if np.any(mean < 0) else "stretched unevenly"
        raise document.error(f"node {name!r}", f"this joint is {kind} by its scale", SCALE_REMEDY)
    notes.append(f"the uneven scale of node {name!r} was left out; nothing hangs on it")
    return np.ones(len(scales))


def _skeleton(nodes: Nodes, scale: Floats) -> Skeleton:
    kept = nodes.kept
    parents = [joint_parent(nodes, node) for node in kept]
    offsets = nodes.translations[kept] * np.array([scale[p] if p >= 0 else 1.0 for p in parents])[:, None]
    return Skeleton.make([nodes.names[node] for node in kept], parents, offsets, nodes.rotations[kept])


def matrices(position: Floats, rotation: Floats) -> Floats:
    """4 x 4 matrices `(..., 4, 4)` of positions and rotations."""
    result = np.zeros((*position.shape[:-1], 4, 4))
    result[..., :3, :3], result[..., :3, 3], result[..., 3, 3] = rot.to_matrix(rotation), position, 1
    return result


def inverse_rest(skeleton: Skeleton) -> Floats:
    """The inverse of each joint's world matrix at rest `(J, 4, 4)`."""
    position, rotation = forward(skeleton, skeleton.offsets, skeleton.rotations)
    back = rot.conjugate(rotation)
    return matrices(-rot.rotate(back, position), back)

"""Reading glTF and GLB: the nodes that move or carry a skin become joints, animations become clips.

The skeleton is every node that is a skin's joint or an animation's target, with the bare nodes below it, such as
the tips of toes, and all its ancestors, so that static armature nodes keep turning what hangs on them.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from canter.formats.files import check_size
from canter.formats.gltf_clips import PATHS, read_clips
from canter.formats.gltf_file import HOLDER, Document, Json
from canter.formats.gltf_skins import read_skins
from canter.formats.scene_nodes import Nodes, make_skeleton, rest_scale, tree_order, with_ancestors
from canter.motion import rotations as rot
from canter.motion.arrays import Floats
from canter.motion.skeleton import Asset


def parse(data: bytes, path: Path) -> Asset:
    """Skeleton, clips and skins of a glTF or GLB file."""
    document = Document(data, path)
    nodes = _nodes(document)
    notes: list[str] = []
    scale = rest_scale(path, nodes, notes)
    skeleton = make_skeleton(nodes, scale)
    clips = read_clips(document, nodes, skeleton, scale, notes)
    skins = read_skins(document, nodes, skeleton, scale, notes)
    return Asset(skeleton, tuple(clips), tuple(skins), metres_per_unit=1.0, notes=tuple(dict.fromkeys(notes)))


def _nodes(document: Document) -> Nodes:
    items = document.objects("nodes")
    parents = _parents(document, items)
    order = tree_order(parents)
    if len(order) < len(items):
        lost = (set(range(len(items))) - set(order)).pop()
        raise document.error(f"nodes[{lost}]", "this node is its own ancestor")
    skin_joints = _skin_joints(document, len(items))
    wanted = _wanted(document, items, parents, order, skin_joints)
    names = [document.text(node, "name", f"node_{i}") for i, node in enumerate(items)]
    transforms = [_transform(document, node, f"nodes[{i}]") for i, node in enumerate(items)]
    return Nodes.make(names, parents, order, transforms, wanted, skin_joints)


def _parents(document: Document, items: list[Json]) -> list[int]:
    parents = [-1] * len(items)
    for i, node in enumerate(items):
        for child in document.indices(node, "children", f"nodes[{i}]", len(items)):
            if parents[child] >= 0:
                raise document.error(f"nodes[{child}]", "this node has two parents")
            parents[child] = i
    return parents


def _wanted(
    document: Document, items: list[Json], parents: list[int], order: list[int], skin_joints: set[int]
) -> set[int]:
    """The nodes that become joints."""
    wanted = skin_joints | _targets(document, len(items))
    bare = {i for i, node in enumerate(items) if not {"mesh", "camera", "extensions"} & node.keys()}
    if not wanted:
        wanted = set(bare)
    if not skin_joints:  # nothing says which still nodes are bones, so take them all
        wanted = with_ancestors(wanted, parents, order)
    for node in order:
        if node in bare and parents[node] in wanted:
            wanted.add(node)
    wanted = with_ancestors(wanted, parents, order)
    wanted -= {i for i in wanted if _is_holder(items[i])}
    if not wanted:
        raise document.error("nodes", "there is no skeleton and no animation", "Export the armature too")
    check_size(document.path, 1, len(wanted))
    return wanted


def _is_holder(node: Json) -> bool:
    extras = node.get("extras")
    return isinstance(extras, dict) and HOLDER in extras


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

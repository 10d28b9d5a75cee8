"""Surfaces of a glTF file, one Skin a primitive: skinned ones as they are, others bound to the joint they hang on."""

from __future__ import annotations

import numpy as np

from canter.formats import gltf_accessors as accessors
from canter.formats.gltf_file import Document, Json
from canter.formats.scene_nodes import Nodes, inverse_rest, matrices, scaled_bind
from canter.motion.arrays import Floats, Ints
from canter.motion.skeleton import Skeleton, Skin

TRIANGLES, STRIP, FAN = 4, 5, 6
Look = tuple[tuple[float, float, float, float], bytes | None]  # base colour and the bytes of its texture
Bones = tuple[Ints, Floats]  # the skeleton's joints that a skin names, and its inverse bind matrices


def read_skins(document: Document, nodes: Nodes, skeleton: Skeleton, scale: Floats, notes: list[str]) -> list[Skin]:
    """All triangle surfaces that follow a joint."""
    reader = _Reader(document, nodes, skeleton, scale, notes)
    items = document.objects("nodes")
    return [skin for node, item in enumerate(items) if "mesh" in item for skin in reader.surfaces(node, item)]


class _Reader:
    """What all surfaces of one file share."""

    def __init__(self, document: Document, nodes: Nodes, skeleton: Skeleton, scale: Floats, notes: list[str]) -> None:
        self.document, self.nodes, self.scale, self.notes = document, nodes, scale, notes
        self.rest_inverse = inverse_rest(skeleton)

    def surfaces(self, node: int, item: Json) -> list[Skin]:
        document, where = self.document, f"nodes[{node}]"
        meshes = document.objects("meshes")
        index = document.integer(item, "mesh", where, below=len(meshes))
        skinned = "skin" in item
        bones = self._bones(document.integer(item, "skin", where)) if skinned else self._rigid(node)
        if bones is None:
            self.notes.append(f"the mesh of node {self.nodes.names[node]!r} follows no joint and was left out")
            return []
        name = document.text(meshes[index], "name", self.nodes.names[node])
        parts = document.objects("primitives", meshes[index], f"meshes[{index}].")
        skins = []
        for i, part in enumerate(parts):
            place = f"meshes[{index}].primitives[{i}]"
            if document.integer(part, "mode", place, TRIANGLES) not in (TRIANGLES, STRIP, FAN):
                self.notes.append(f"{place} is points or lines and was left out")
                continue
            skins.append(self._skin(part, place, bones, skinned, name))
        return skins

    def _bones(self, index: int) -> Bones:
        document, where = self.document, f"skins[{index}]"
        skins = document.objects("skins")
        if index >= len(skins):
            raise document.error(where, "there is no such skin")
        named = document.indices(skins[index], "joints", where, len(self.nodes.names))
        joints = np.array([self.nodes.joint[node] for node in named], int)
        inverse: Floats = np.tile(np.eye(4), (len(joints), 1, 1))
        if "inverseBindMatrices" in skins[index]:
            at = document.integer(skins[index], "inverseBindMatrices", where)
            flat = accessors.floats(document, at, "MAT4")
            if len(flat) < len(joints):
                raise document.error(where, f"{len(flat)} inverse bind matrices do not fit {len(joints)} joints")
            inverse = flat[: len(joints)].reshape(-1, 4, 4).transpose(0, 2, 1)
        if not len(joints):
            raise document.error(where, "it has no joints")
        return joints, scaled_bind(inverse, self.scale[joints, None])

    def _rigid(self, node: int) -> Bones | None:
        """A mesh without a skin follows the nearest joint above it."""
        nodes, top, below = self.nodes, node, np.eye(4)
        while nodes.joint[top] < 0:
            below = self._local(top) @ below
            top = nodes.parents[top]
            if top < 0:
                return None
        joint = nodes.joint[top]
        above = nodes.joint_above(top)
        scale = nodes.scales[top] * (self.scale[above] if above >= 0 else 1.0)
        return np.array([joint]), scaled_bind(below[None], scale[None])

    def _local(self, node: int) -> Floats:
        matrix = matrices(self.nodes.translations[node], self.nodes.rotations[node])
        matrix[:3, :3] *= self.nodes.scales[node]
        return matrix

    def _skin(self, part: Json, where: str, bones: Bones, skinned: bool, name: str) -> Skin:
        document = self.document
        attributes = document.mapping(part, "attributes", where)
        vertices = accessors.floats(document, document.integer(attributes, "POSITION", where), "VEC3")
        joints, weights = self._weights(attributes, where, bones, len(vertices), skinned)
        inverse_bind = self.rest_inverse.copy()
        inverse_bind[bones[0]] = bones[1]
        color, texture = self._look(part, where)
        return Skin(
            vertices,
            self._triangles(part, where, len(vertices)),
            joints,
            weights,
            inverse_bind,
            self._attribute(attributes, "NORMAL", ("VEC3",), where, len(vertices)),
            self._attribute(attributes, "TEXCOORD_0", ("VEC2",), where, len(vertices)),
            self._colors(attributes, where, len(vertices)),
            color,
            texture,
            name,
        )

    def _attribute(self, attributes: Json, key: str, kinds: tuple[str, ...], where: str, count: int) -> Floats | None:
        if key not in attributes:
            return None
        index = self.document.integer(attributes, key, where, below=len(self.document.objects("accessors")))
        found = self.document.objects("accessors")[index].get("type")
        values = accessors.floats(self.document, index, found if found in kinds else kinds[0])
        if len(values) != count:
            raise self.document.error(where, f"{key} has {len(values)} entries for {count} vertices")
        return values

    def _colors(self, attributes: Json, where: str, count: int) -> Floats | None:
        colors = self._attribute(attributes, "COLOR_0", ("VEC4", "VEC3"), where, count)
        if colors is None or colors.shape[1] == 4:
            return colors
        return np.concatenate([colors, np.ones((count, 1))], axis=1)

    def _weights(self, attributes: Json, where: str, bones: Bones, count: int, skinned: bool) -> tuple[Ints, Floats]:
        """The four strongest joints of each vertex, weights summing to 1."""
        sets = [i for i in range(8) if f"JOINTS_{i}" in attributes] if skinned else []
        if not sets:
            return np.full((count, 4), bones[0][0]), np.tile([1.0, 0, 0, 0], (count, 1))
        joints = [
            accessors.integers(self.document, self._index(attributes, f"JOINTS_{i}", where), "VEC4") for i in sets
        ]
        weights = [self._attribute(attributes, f"WEIGHTS_{i}", ("VEC4",), where, count) for i in sets]
        if any(len(j) != count for j in joints) or any(w is None for w in weights):
            raise self.document.error(where, "its joints and weights do not fit its vertices")
        which, share = np.concatenate(joints, axis=1), np.concatenate([w for w in weights if w is not None], axis=1)
        share = np.maximum(share, 0)
        which = np.where(share > 0, which, 0)
        if np.any(which < 0) or np.any(which >= len(bones[0])):
            raise self.document.error(where, "a vertex follows a joint that its skin does not have")
        best = np.argsort(-share, axis=1, kind="stable")[:, :4]
        which, share = np.take_along_axis(which, best, 1), np.take_along_axis(share, best, 1)
        total = share.sum(axis=1, keepdims=True)
        share = np.where(total > 0, share / np.where(total > 0, total, 1), [1.0, 0, 0, 0])
        return bones[0][which], share

    def _index(self, attributes: Json, key: str, where: str) -> int:
        return self.document.integer(attributes, key, where)

    def _triangles(self, part: Json, where: str, count: int) -> Ints:
        if "indices" in part:
            flat = accessors.integers(self.document, self._index(part, "indices", where), "SCALAR")[:, 0]
        else:
            flat = np.arange(count)
        if np.any(flat < 0) or np.any(flat >= count):
            raise self.document.error(where, "a triangle names a vertex that is not there")
        return triangles(flat, int(part.get("mode", TRIANGLES)))

    def _look(self, part: Json, where: str) -> Look:
        document, white = self.document, (1.0, 1.0, 1.0, 1.0)
        if "material" not in part:
            return white, None
        materials = document.objects("materials")
        index = document.integer(part, "material", where, below=len(materials))
        place = f"materials[{index}]"
        surface = document.mapping(materials[index], "pbrMetallicRoughness", place)
        r, g, b, a = document.numbers(surface, "baseColorFactor", place, list(white))
        texture = document.mapping(surface, "baseColorTexture", place)
        return (r, g, b, a), self._image(texture, place) if texture else None

    def _image(self, texture: Json, where: str) -> bytes | None:
        """The bytes of a PNG or JPEG; a missing texture is only noted, as the motion can be read without it."""
        document = self.document
        textures, images = document.objects("textures"), document.objects("images")
        index = document.integer(texture, "index", where, below=len(textures))
        if "source" not in textures[index]:
            self.notes.append(f"the texture of {where} is neither PNG nor JPEG and was left out")
            return None
        image = images[document.integer(textures[index], "source", where, below=len(images))]
        if "bufferView" in image:
            return accessors.view_bytes(document, image, where)
        try:
            return document.resource(image.get("uri"), where)
        except ValueError as error:
            self.notes.append(f"a texture was left out: {error}")
            return None


def triangles(flat: Ints, mode: int) -> Ints:
    """Vertex indices as triangles `(F, 3)`; strips turn every second one round, as glTF has it."""
    if mode == TRIANGLES:
        return flat[: len(flat) // 3 * 3].reshape(-1, 3)
    i = np.arange(max(len(flat) - 2, 0))
    if mode == FAN:
        result: Ints = np.stack([flat[i + 1], flat[i + 2], np.full(len(i), flat[0]) if len(i) else flat[i]], axis=1)
        return result
    odd = i % 2
    result = np.stack([flat[i], flat[i + 1 + odd], flat[i + 2 - odd]], axis=1)
    return result

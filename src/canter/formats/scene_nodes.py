"""A scene's nodes on their way to a skeleton, shared by glTF and FBX: which of them are joints, and their scale.

Skeletons have no scale, so uniform scale is baked: what hangs on a scaled node moves in or out with it, exactly.
Uneven or mirroring scale cannot be baked and is refused, unless nothing hangs on it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from canter.formats.errors import FormatError
from canter.formats.files import check_finite
from canter.motion import rotations as rot
from canter.motion.arrays import Floats
from canter.motion.kinematics import forward
from canter.motion.skeleton import Motion, Skeleton

SCALE_REMEDY = "Apply the scale in Blender (select the object, Ctrl+A, Scale) or bake the animation, and export again"


@dataclass(frozen=True, eq=False)
class Nodes:
    """All nodes of a file: the tree, local rest transforms, and the place of each in the skeleton, or -1.

    `order` lists parents before children. `carries` marks joints whose scale matters: a joint hangs on them,
    or they are a skin's joint.
    """

    names: list[str]
    parents: list[int]
    order: list[int]
    translations: Floats
    rotations: Floats
    scales: Floats
    sheared: list[bool]
    joint: list[int]
    carries: list[bool]

    @staticmethod
    def make(
        names: list[str],
        parents: list[int],
        order: list[int],
        transforms: list[tuple[Floats, Floats, Floats, bool]],
        wanted: set[int],
        skin_joints: set[int],
    ) -> Nodes:
        """`transforms` are translation, rotation, scale and whether sheared; the `wanted` nodes become joints."""
        place = {node: i for i, node in enumerate(node for node in order if node in wanted)}
        above = {parents[node] for node in wanted} | skin_joints
        t, q, s = (np.array([x[k] for x in transforms], float) for k in range(3))
        joint = [place.get(i, -1) for i in range(len(names))]
        carries = [i in above for i in range(len(names))]
        return Nodes(names, parents, order, t, q, s, [x[3] for x in transforms], joint, carries)

    @property
    def kept(self) -> list[int]:
        """The nodes that are joints, in the skeleton's order."""
        return [node for node in self.order if self.joint[node] >= 0]

    def joint_above(self, node: int) -> int:
        """The joint that a node hangs on, or -1."""
        parent = self.parents[node]
        return self.joint[parent] if parent >= 0 else -1


def tree_order(parents: list[int]) -> list[int]:
    """All nodes, parents before children, each branch in one piece; nodes of a circle are left out."""
    children: list[list[int]] = [[] for _ in parents]
    for node, parent in enumerate(parents):
        if parent >= 0:
            children[parent].append(node)
    stack = [node for node, parent in enumerate(parents) if parent < 0][::-1]
    order: list[int] = []
    while stack:
        order.append(stack.pop())
        stack.extend(reversed(children[order[-1]]))
    return order


def with_ancestors(wanted: set[int], parents: list[int], order: list[int]) -> set[int]:
    """`wanted` and everything above it."""
    result = set(wanted)
    for node in reversed(order):
        if node in result and parents[node] >= 0:
            result.add(parents[node])
    return result


def uniform_scale(path: Path, nodes: Nodes, node: int, scales: Floats, notes: list[str]) -> Floats:
    """Scales `(T, 3)` of a node as one number each `(T,)`; refuses what cannot be baked."""
    mean = scales.mean(axis=1)
    uneven = np.ptp(scales, axis=1) > 0.01 * np.abs(scales).max(axis=1)
    if not (np.any(uneven) or np.any(mean < 0) or nodes.sheared[node]):
        result: Floats = np.where(np.abs(mean - 1) < 1e-5, 1.0, mean)
        return result
    name = nodes.names[node]
    if nodes.carries[node]:
        kind = "sheared" if nodes.sheared[node] else "mirrored" if np.any(mean < 0) else "stretched unevenly"
        raise FormatError(path, f"node {name!r}", f"this joint is {kind} by its scale", SCALE_REMEDY)
    notes.append(f"the uneven scale of node {name!r} was left out; nothing hangs on it")
    return np.ones(len(scales))


def accumulate(nodes: Nodes, own: Floats) -> Floats:
    """Scales `(T, J)` of joints multiplied down the tree."""
    total = own.copy()
    for node in nodes.kept:
        above = nodes.joint_above(node)
        if above >= 0:
            total[:, nodes.joint[node]] *= total[:, above]
    return total


def rest_scale(path: Path, nodes: Nodes, notes: list[str]) -> Floats:
    """The accumulated scale of each joint `(J,)` at rest, itself included."""
    own = [uniform_scale(path, nodes, node, nodes.scales[node][None], notes)[0] for node in nodes.kept]
    total: Floats = accumulate(nodes, np.array(own)[None])[0]
    return total


def make_skeleton(nodes: Nodes, scale: Floats) -> Skeleton:
    """The joints at rest, with the scale baked in."""
    kept = nodes.kept
    parents = [nodes.joint_above(node) for node in kept]
    offsets = nodes.translations[kept] * _above(scale[None], parents)[0][:, None]
    return Skeleton.make([nodes.names[node] for node in kept], parents, offsets, nodes.rotations[kept])


def make_motion(
    path: Path, skeleton: Skeleton, rate: float, translations: Floats, rotations: Floats, scale: Floats, name: str
) -> Motion:
    """A clip from unscaled local `translations (T, J, 3)` and the accumulated `scale (T, J)`."""
    positions = translations * _above(scale, skeleton.parents.tolist())[..., None]
    check_finite(path, f"animation {name!r}", positions, rotations)
    return Motion(skeleton, rate, positions, rotations, name)


def _above(scale: Floats, parents: list[int]) -> Floats:
    """For each joint the accumulated scale `(T, J)` of its parent, 1 for roots."""
    padded = np.concatenate([scale, np.ones((len(scale), 1))], axis=1)
    result: Floats = padded[:, parents]  # -1 takes the one at the end
    return result


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


def scaled_bind(inverse: Floats, scale: Floats) -> Floats:
    """Bind matrices for joints whose scale `(J, 1)` or `(J, 3)` was baked away: Scale(s) times each."""
    result = inverse.copy()
    result[:, :3] *= scale[:, :, None]
    return result

"""Legs put in place in closed form: the knee opens or folds until the leg is long enough, and the hip aims it.

The bending plane and everything between the joints stay as they are, so a foot that already is in its place changes
nothing. There is no iteration: it costs the same for one leg or a thousand.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from canter.footing.leg_tree import LegTree, bones
from canter.motion import rotations as rot
from canter.motion.arrays import Floats

MAX_EXTENSION = 0.998
"""The share of a straight leg that is never exceeded."""
MIN_SIDE_REACH = 0.2
"""The share of a straight leg that a foot may always be away from under its hip, level."""
HORIZONTAL: Floats = np.array([1.0, 0.0, 1.0])

_PRODUCTS = np.zeros((4, 4, 9))
for _place, _terms in {
    0: ((0, 0, 1), (1, 1, 1), (2, 2, -1), (3, 3, -1)),
    1: ((1, 2, 2), (0, 3, -2)),
    2: ((1, 3, 2), (0, 2, 2)),
    3: ((1, 2, 2), (0, 3, 2)),
    4: ((0, 0, 1), (1, 1, -1), (2, 2, 1), (3, 3, -1)),
    5: ((2, 3, 2), (0, 1, -2)),
    6: ((1, 3, 2), (0, 2, -2)),
    7: ((2, 3, 2), (0, 1, 2)),
    8: ((0, 0, 1), (1, 1, -1), (2, 2, -1), (3, 3, 1)),
}.items():
    for _i, _j, _value in _terms:
        _PRODUCTS[_i, _j, _place] = _value
_MATRIX: Floats = _PRODUCTS.reshape(16, 9)
"""From the products of a quaternion's components to its rotation matrix."""
_CROSS: Floats = np.cross(np.repeat(np.eye(3), 3, axis=0), np.tile(np.eye(3), (3, 1)))


def cross(a: Floats, b: Floats) -> Floats:
    """The cross product over the last axis, in two NumPy calls."""
    pairs = (a[..., :, None] * b[..., None, :]).reshape(*a.shape[:-1], 9)
    result: Floats = pairs @ _CROSS
    return result


def matrices(q: Floats) -> Floats:
    """Rotation matrices `(..., 3, 3)` of unit quaternions `(..., 4)`, in two NumPy calls."""
    result: Floats = ((q[..., :, None] * q[..., None, :]).reshape(*q.shape[:-1], 16) @ _MATRIX).reshape(
        *q.shape[:-1], 3, 3
    )
    return result


def frames(tree: LegTree, positions: Floats, rotations: Floats) -> Floats:
    """World transforms `(N, K, 4, 4)` of the tree's joints, in local poses `(N, J, 3)` and `(N, J, 4)`."""
    local = np.zeros((len(positions), len(tree.joints), 4, 4))
    local[..., :3, :3] = matrices(rotations.take(tree.joints, axis=1))
    local[..., :3, 3] = positions.take(tree.joints, axis=1)
    local[..., 3, 3] = 1.0
    level = local[:, : tree.starts[1]]
    levels = [level]
    for k, parents in enumerate(tree.parents, 1):
        level = np.matmul(level.take(parents, axis=1), local[:, tree.starts[k] : tree.starts[k + 1]])
        levels.append(level)
    return np.concatenate(levels, axis=1)


@dataclass(frozen=True, eq=False)
class Legs:
    """Legs in a pose, and where their ankles are wanted, all `(N, L, ...)`.

    `want` leads from the hip to the place wanted of the ankle; `upper` and `lower` are the two equivalent bones,
    `straight` their lengths together, and `extension` the share of that which the leg has in the pose.
    """

    want: Floats
    upper: Floats
    lower: Floats
    straight: Floats
    extension: Floats

    @cached_property
    def _aside_squared(self) -> Floats:
        """The square of the level distance between hip and wanted ankle `(N, L)`."""
        level = self.want * HORIZONTAL
        result: Floats = np.vecdot(level, level)
        return result

    def lack(self, extension: Floats) -> Floats:
        """Metres by which each hip is too high for its leg to reach with the shares `extension (..., 1, L)` of its
        length."""
        room = np.sqrt(np.maximum((extension * self.straight) ** 2 - self._aside_squared, 0.0))
        result: Floats = -self.want[..., 1] - room
        return result

    def withdrawal(self, extension: Floats) -> Floats:
        """How far feet must be drawn in under their hips, level `(N, L, 3)`, to be within the share `extension`."""
        longest = extension * self.straight
        room = np.maximum(longest * longest - self.want[..., 1] ** 2, (MIN_SIDE_REACH * self.straight) ** 2)
        nearer = np.sqrt(np.minimum(room / np.maximum(self._aside_squared, 1e-18), 1.0)) - 1
        result: Floats = self.want * HORIZONTAL * nearer[..., None]
        return result


def legs_to(tree: LegTree, world: Floats, feet: Floats) -> Legs:
    """The legs of poses with world transforms `world` (see `frames`), feet wanted at `feet (N, L, 3)`."""
    legs, places = tree.inner, world[..., :3, 3]
    upper, lower = bones(places, legs)
    straight = np.sqrt(np.vecdot(upper, upper)) + np.sqrt(np.vecdot(lower, lower))
    whole = upper + lower
    want = feet - places.take(legs.foot, axis=1) + places.take(legs.ankle, axis=1) - places.take(legs.hip, axis=1)
    return Legs(want, upper, lower, straight, np.sqrt(np.vecdot(whole, whole)) / straight)


def reach(tree: LegTree, rotations: Floats, world: Floats, legs: Legs, want: Floats) -> Floats:
    """Changes local `rotations (N, J, 4)` so that the ankles are `want (N, L, 3)` away from their hips.

    Returns the share of its length that each leg would need for that `(N, L)`; above `MAX_EXTENSION` it falls short.
    """
    upper, lower = legs.upper, legs.lower
    a2, b2, inner = np.vecdot(upper, upper), np.vecdot(lower, lower), np.vecdot(upper, lower)
    size = np.sqrt(np.vecdot(want, want))
    d2 = np.minimum(size, np.maximum(MAX_EXTENSION + 5e-4, legs.extension) * legs.straight) ** 2
    axis = cross(upper, lower)
    length = np.maximum(np.sqrt(np.vecdot(axis, axis)), 1e-9)
    opened = np.minimum(np.maximum((d2 - a2 - b2) / (2 * np.sqrt(a2 * b2)), -1.0), 1.0)
    half = (np.arccos(opened) - np.arctan2(length, inner)) / 2
    cosine, sine = np.cos(half), np.sin(half)
    aside = (lower * inner[..., None] - upper * b2[..., None]) * (2 * sine * cosine / length)[..., None]
    reached = upper + lower * (2 * cosine * cosine - 1)[..., None] + aside
    aim = cross(reached, want)
    w = np.sqrt(np.vecdot(reached, reached)) * size + np.vecdot(reached, want)
    norm = np.maximum(np.sqrt(w * w + np.vecdot(aim, aim)), 1e-12)
    bend = axis * (sine / length)[..., None]
    _rotate(tree, rotations, world, (w / norm, aim / norm[..., None]), (cosine, bend))
    needed: Floats = size / legs.straight
    return needed


def _rotate(
    tree: LegTree, rotations: Floats, world: Floats, aim: tuple[Floats, Floats], bend: tuple[Floats, Floats]
) -> None:
    """Rotates hips by `aim` and knees by `bend`, world quaternions as w `(N, L)` and vector `(N, L, 3)`; hocks rotate
    back what knees rotate, and the ankles of hooves everything that was rotated above them."""
    alone = tree.legs.unpaired
    (w, x), (v, y) = aim, bend
    u, z = 1 - alone + alone * v, alone[:, None] * y
    whole = w * u - np.vecdot(x, z)
    turned = w[..., None] * z + u[..., None] * x + cross(x, z)
    axes = np.concatenate([x, y, -y[:, tree.pairs], -turned[:, tree.hooves]], axis=1)
    turn = np.empty((*axes.shape[:2], 4))
    turn[..., 0] = np.concatenate([w, v, v[:, tree.pairs], whole[:, tree.hooves]], axis=1)
    turn[..., 1:] = np.matmul(axes[..., None, :], world.take(tree.mover_parents, axis=1)[..., :3, :3])[..., 0, :]
    rotations[:, tree.movers] = rot.multiply(turn, rotations.take(tree.movers, axis=1))

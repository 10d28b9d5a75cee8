"""Legs put in place in closed form: a knee that opens or folds until the leg is long enough, and a hip that aims it.

The bending plane and everything between the joints stay as they are, so a foot that already is in its place changes
nothing. There is no iteration: it costs the same for one leg or a thousand.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from canter.cycles.engine.library import Library, bones
from canter.motion import rotations as rot
from canter.motion.arrays import Floats

REACH = 0.998
"""The share of a straight leg that is never exceeded."""
LEVEL: Floats = np.array([1.0, 0.0, 1.0])

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
_CROSS: Floats = np.cross(np.repeat(np.eye(3), 3, axis=0), np.tile(np.eye(3), (3, 1)))


def cross(a: Floats, b: Floats) -> Floats:
    """NumPy's, in two calls."""
    pairs = (a[..., :, None] * b[..., None, :]).reshape(*a.shape[:-1], 9)
    result: Floats = pairs @ _CROSS
    return result


def matrices(q: Floats) -> Floats:
    """Rotation matrices `(..., 3, 3)` of unit quaternions `(..., 4)`."""
    result: Floats = ((q[..., :, None] * q[..., None, :]).reshape(*q.shape[:-1], 16) @ _MATRIX).reshape(
        *q.shape[:-1], 3, 3
    )
    return result


def frames(library: Library, positions: Floats, rotations: Floats) -> Floats:
    """What turns and moves points of a joint into the world `(N, K, 4, 4)`, of the joints of the library's tree."""
    tree = library.tree
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
class Ways:
    """From hips to the places wanted of ankles `(N, L, 3)`, the two bones that reach for them, how long these are
    together when straight `(N, L)`, and the share of that which the leg has in the pose as it is."""

    way: Floats
    upper: Floats
    lower: Floats
    straight: Floats
    natural: Floats

    @cached_property
    def _aside(self) -> Floats:
        """The square of how far from under its hip an ankle is wanted `(N, L)`."""
        level = self.way * LEVEL
        result: Floats = np.vecdot(level, level)
        return result

    def lack(self, most: Floats) -> Floats:
        """By how many metres each hip is too high for its leg to reach with the shares `most (..., 1, L)` of its
        length."""
        result: Floats = -self.way[..., 1] - np.sqrt(np.maximum((most * self.straight) ** 2 - self._aside, 0.0))
        return result

    def back(self, most: Floats) -> Floats:
        """How far feet must be drawn under their hips, level `(N, L, 3)`, to be within the share `most` of the leg."""
        most = most * self.straight
        room = np.maximum(most * most - self.way[..., 1] ** 2, (0.2 * self.straight) ** 2)
        nearer = np.sqrt(np.minimum(room / np.maximum(self._aside, 1e-18), 1.0)) - 1
        result: Floats = self.way * LEVEL * nearer[..., None]
        return result


def ways(library: Library, world: Floats, feet: Floats) -> Ways:
    """What legs have to do so that the feet get to `feet (N, L, 3)`, in a pose with such `frames`."""
    legs, places = library.tree.legs, world[..., :3, 3]
    upper, lower = bones(places, legs)
    straight = np.sqrt(np.vecdot(upper, upper)) + np.sqrt(np.vecdot(lower, lower))
    whole = upper + lower
    way = feet - places.take(legs.foot, axis=1) + places.take(legs.ankle, axis=1) - places.take(legs.hip, axis=1)
    return Ways(way, upper, lower, straight, np.sqrt(np.vecdot(whole, whole)) / straight)


def reach(library: Library, rotations: Floats, world: Floats, ways: Ways, want: Floats) -> Floats:
    """Changes local `rotations (N, J, 4)` so that the ankles are `want (N, L, 3)` away from their hips; which share of
    its length each leg would need for that `(N, L)`, above `REACH` being too much."""
    upper, lower = ways.upper, ways.lower
    a2, b2, inner = np.vecdot(upper, upper), np.vecdot(lower, lower), np.vecdot(upper, lower)
    size = np.sqrt(np.vecdot(want, want))
    d2 = np.minimum(size, np.maximum(REACH + 5e-4, ways.natural) * ways.straight) ** 2
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
    _turn(library, rotations, world, (w / norm, aim / norm[..., None]), (cosine, bend))
    stretch: Floats = size / ways.straight
    return stretch


def _turn(
    library: Library, rotations: Floats, world: Floats, aim: tuple[Floats, Floats], bend: tuple[Floats, Floats]
) -> None:
    """Hips turn by `aim` and knees by `bend`, in the world, as w `(N, L)` and axis `(N, L, 3)`; hocks turn back what
    knees turn, and the ankles of hooves all that was turned above them."""
    tree, alone = library.tree, library.legs.alone
    (w, x), (v, y) = aim, bend
    u, z = 1 - alone + alone * v, alone[:, None] * y
    whole = w * u - np.vecdot(x, z)
    turned = w[..., None] * z + u[..., None] * x + cross(x, z)
    axes = np.concatenate([x, y, -y[:, tree.pairs], -turned[:, tree.hooves]], axis=1)
    turn = np.empty((*axes.shape[:2], 4))
    turn[..., 0] = np.concatenate([w, v, v[:, tree.pairs], whole[:, tree.hooves]], axis=1)
    turn[..., 1:] = np.matmul(axes[..., None, :], world.take(tree.over, axis=1)[..., :3, :3])[..., 0, :]
    rotations[:, tree.movers] = rot.multiply(turn, rotations.take(tree.movers, axis=1))

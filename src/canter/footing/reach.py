"""Legs put in place in closed form: the knee opens or folds until the leg is long enough, and the hip aims it.

The bending plane and everything between the joints stay as they are, so a foot that already is in its place changes
nothing. There is no iteration: it costs the same for one leg or a thousand.

Vectors of legs have their components first, `(3, N, L)`: NumPy then runs through whole arrays at once, and products
with numbers `(N, L)` need no new axes.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from canter.footing.leg_tree import LegTree
from canter.motion import rotations as rot
from canter.motion.arrays import Floats
from canter.motion.numbers import column

MAX_EXTENSION = 0.998
"""The share of a straight leg that is never exceeded."""
STRAIGHT_SINE = 1e-6
"""The sine of the angle between its bones below which a leg is straight."""
MIN_SIDE_REACH = 0.2
"""The share of a straight leg that a foot may always be away from under its hip, level."""

_PRODUCTS = np.zeros((4, 4, 16))
for _place, _terms in {
    0: ((0, 0, 1), (1, 1, 1), (2, 2, -1), (3, 3, -1)),
    1: ((1, 2, 2), (0, 3, -2)),
    2: ((1, 3, 2), (0, 2, 2)),
    4: ((1, 2, 2), (0, 3, 2)),
    5: ((0, 0, 1), (1, 1, -1), (2, 2, 1), (3, 3, -1)),
    6: ((2, 3, 2), (0, 1, -2)),
    8: ((1, 3, 2), (0, 2, -2)),
    9: ((2, 3, 2), (0, 1, 2)),
    10: ((0, 0, 1), (1, 1, -1), (2, 2, -1), (3, 3, 1)),
}.items():
    for _i, _j, _value in _terms:
        _PRODUCTS[_i, _j, _place] = _value
_MATRIX: Floats = np.ascontiguousarray(_PRODUCTS.reshape(16, 16).T)
"""From the products of a quaternion's components to its rotation in a 4x4 matrix, row by row."""
_NEXT, _AFTER = np.array([1, 2, 0]), np.array([2, 0, 1])


def cross(a: Floats, b: Floats) -> Floats:
    """The cross product of vectors `(3, ...)`."""
    result: Floats = a.take(_NEXT, axis=0) * b.take(_AFTER, axis=0)
    result -= a.take(_AFTER, axis=0) * b.take(_NEXT, axis=0)
    return result


def dot(a: Floats, b: Floats) -> Floats:
    """The dot product of vectors `(3, ...)`."""
    x, y, z = a * b
    result: Floats = x + y
    result += z
    return result


def frames(tree: LegTree, positions: Floats, rotations: Floats) -> Floats:
    """World transforms `(N, K + D, 4, 4)` of the tree's joints and of where its loose joints belong, in local poses
    `(N, J, 3)` and `(N, J, 4)`.

    In memory joints come first, so that those of a level lie together.
    """
    count, size, loose = len(positions), len(tree.joints), len(tree.loose)
    parts = np.ascontiguousarray(rotations.take(tree.joints, axis=1).transpose(2, 1, 0)).reshape(4, -1)
    products = (parts[:, None] * parts).reshape(16, -1)
    local = np.ascontiguousarray((_MATRIX @ products).T).reshape(size, count, 4, 4)
    local[..., :3, 3] = positions.take(tree.joints, axis=1).swapaxes(0, 1)
    local[..., 3, 3] = 1.0
    world = np.empty((size + loose, count, 4, 4))
    starts = tree.starts
    level = world[: starts[1]]
    level[:] = local[: starts[1]]
    for parents, (start, end) in zip(tree.parent_indices, pairwise(starts[1:]), strict=True):
        above = level[parents] if isinstance(parents, slice) else level.take(parents, axis=0)
        level = world[start:end]
        np.matmul(above, local[start:end], out=level)
    if loose:
        np.matmul(world.take(tree.loose_carriers, axis=0), tree.loose_shifts, out=world[size:])
    return world.swapaxes(0, 1)


@dataclass(eq=False)
class Legs:
    """Legs in a pose, and where their ankles are wanted: vectors `(3, N, L)`, numbers `(N, L)`.

    `want` leads from the hip to the place wanted of the ankle. `upper` and `lower` are the two equivalent bones,
    `lengths (2, N, L)` theirs, `inner` their dot product, `straight` their lengths together, and `extension` the share
    of that which the leg has in the pose. `aside_squared` is the square of the level distance of `want`.
    """

    want: Floats
    upper: Floats
    lower: Floats
    lengths: Floats
    inner: Floats
    straight: Floats
    extension: Floats
    aside_squared: Floats

    def moved(self, level: Floats, drop: Any) -> Floats:
        """`want` if feet are moved by `level (2, N, L)` to the left and ahead, and hips go down by `drop (N,)`, or by
        a number."""
        want = self.want.copy()
        way, height = want[::2], want[1]
        way += level
        height += column(drop)
        return want

    def lack(self, extension: Floats) -> Floats:
        """Metres by which each hip is too high for its leg to reach with the shares `extension (..., 1, L)` of its
        length."""
        longest = extension * self.straight
        room = np.sqrt(np.maximum(longest * longest - self.aside_squared, 0.0))
        result: Floats = -self.want[1] - room
        return result

    def withdrawal(self, extension: Floats) -> Floats:
        """By which share of their level way from the hip feet must be drawn in, as numbers below zero `(N, L)`, to be
        within the share `extension (N, L)` of the length of their legs."""
        longest, least, height = extension * self.straight, MIN_SIDE_REACH * self.straight, self.want[1]
        room = np.maximum(longest * longest - height * height, least * least)
        result: Floats = np.sqrt(np.minimum(room / np.maximum(self.aside_squared, 1e-18), 1.0)) - 1.0
        return result


def legs_to(tree: LegTree, world: Floats, feet: Floats) -> Legs:
    """The legs of poses with world transforms `world` (see `frames`), feet wanted at `feet (3, N, L)`."""
    count, size = world.shape[:2]
    places = np.ascontiguousarray(world[..., :3, 3].transpose(2, 0, 1)).reshape(-1, size)
    spans = np.matmul(places, tree.spans).reshape(3, 3, count, -1)
    bones, inner = spans[:2], dot(spans[0], spans[1])
    squares = np.add.reduce(bones * bones, axis=1)
    lengths = np.sqrt(squares)
    straight = lengths[0] + lengths[1]
    extension = np.sqrt(squares[0] + squares[1] + 2.0 * inner) / straight
    want = feet + spans[2]
    level = want[::2] * want[::2]
    return Legs(want, spans[0], spans[1], lengths, inner, straight, extension, level[0] + level[1])


def reach(tree: LegTree, rotations: Floats, world: Floats, legs: Legs, want: Floats) -> Floats:
    """Changes local `rotations (N, J, 4)` so that the ankles are `want (3, N, L)` away from their hips.

    Returns the share of its length that each leg would need for that `(N, L)`; above `MAX_EXTENSION` it falls short.
    """
    upper, lower, inner, (a, b) = legs.upper, legs.lower, legs.inner, legs.lengths
    size = np.sqrt(dot(want, want))
    distance = np.minimum(size, np.maximum(MAX_EXTENSION + 5e-4, legs.extension) * legs.straight)
    axis = cross(upper, lower)
    length = np.sqrt(dot(axis, axis))
    straight = length <= STRAIGHT_SINE * a * b
    length = np.maximum(length, 1e-9)
    cosine = (distance * distance - a * a - b * b) / (2.0 * a * b)
    opens = np.arccos(np.minimum(np.maximum(cosine, -1.0), 1.0)) - np.arctan2(length, inner)
    share = np.sin(opens) / length
    reached = (1.0 - b * b * share) * upper + (np.cos(opens) + inner * share) * lower
    if np.count_nonzero(straight):
        hinge = _hinges(tree, world, lower)
        folded = upper + np.cos(opens) * lower + np.sin(opens) * cross(hinge, lower)
        axis, reached = np.where(straight, hinge * length, axis), np.where(straight, folded, reached)
    sizes = np.sqrt(dot(reached, reached)) * size
    w = sizes + dot(reached, want)
    norm = np.maximum(np.sqrt(2.0 * sizes * w), 1e-12)  # of the quaternion that turns `reached` into `want`
    half = 0.5 * opens
    turns = np.empty((4, len(size), 3, size.shape[1]))
    turns[0, :, 0], turns[1:, :, 0] = w / norm, cross(reached, want) / norm
    turns[0, :, 1], turns[1:, :, 1] = np.cos(half), axis * (np.sin(half) / length)
    _rotate(tree, rotations, world, turns)
    needed: Floats = size / legs.straight
    return needed


def _hinges(tree: LegTree, world: Floats, lower: Floats) -> Floats:
    """Unit axes `(3, N, L)` about which legs fold, square to their lower bones `(3, N, L)`: for straight legs, whose
    own axes say nothing."""
    turns = world[:, tree.inner.hip, :3, :3]
    axes = np.matmul(turns, tree.hinges[..., None])[..., 0].transpose(2, 0, 1)
    axes = axes - lower * (dot(axes, lower) / np.maximum(dot(lower, lower), 1e-12))
    result: Floats = axes / np.maximum(np.sqrt(dot(axes, axes)), 1e-12)
    return result


def put_loose(tree: LegTree, positions: Floats, rotations: Floats) -> None:
    """Changes local `positions (N, J, 3)` so that loose joints are where their legs carry them."""
    if not len(tree.loose):
        return
    world, size = frames(tree, positions, rotations), len(tree.joints)
    places = world[:, size:, :3, 3]
    parents = world[:, np.maximum(tree.loose_parents, 0)]
    local = np.matmul(parents[..., :3, :3].swapaxes(-1, -2), (places - parents[..., :3, 3])[..., None])[..., 0]
    positions[:, tree.loose.joints] = np.where((tree.loose_parents < 0)[:, None], places, local)


def _rotate(tree: LegTree, rotations: Floats, world: Floats, turns: Floats) -> None:
    """Rotates hips and knees by `turns (4, N, 3, L)`, world quaternions of aim and bend; hocks rotate back what knees
    rotate, and the ankles of hooves everything that was rotated above them, for which the last of `turns` is free."""
    if len(tree.hooves):
        bends = turns[:, :, 1] * tree.legs.unpaired
        bends[0] += tree.legs.paired  # a hock has rotated it back
        turns[:, :, 2] = rot.multiply_parts(turns[:, :, 0], bends)
    count = len(rotations)
    world_turns = turns.reshape(4, count, -1).take(tree.mover_turns, axis=2)
    above = world.swapaxes(0, 1).take(tree.mover_parents, axis=0)
    parents = np.ascontiguousarray(above[..., :3, :3].transpose(2, 3, 1, 0))
    world_turns[1:] = np.add.reduce((world_turns[1:] * tree.mover_signs)[:, None] * parents)  # seen from the parents
    before = np.ascontiguousarray(rotations.take(tree.movers, axis=1).transpose(2, 0, 1))
    rotations[:, tree.movers] = rot.multiply_parts(world_turns, before).transpose(1, 2, 0)

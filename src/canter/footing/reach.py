"""Legs put in place in closed form: the knee opens or folds until the leg is long enough, and the hip aims it.

The bending plane and everything between the joints stay as they are, so a foot that already is in its place changes
nothing. There is no iteration: it costs the same for one leg or a thousand.

Formulas are those of a leg: its vectors are three components, each an array `(N, L)` of all legs of a batch, or, for
one animal, a number (see `motion.numbers.each_leg`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from canter.footing.leg_tree import LegTree
from canter.motion import rotations as rot
from canter.motion.arrays import Floats
from canter.motion.numbers import functions_of, some

MAX_EXTENSION = 0.998
"""The share of a straight leg that poses aim for at most."""
EXTENSION_SLACK = 5e-4
"""By how much more a leg may be extended when it is put in place."""
MIN_BONE = 1e-9
"""Metres that a bone is taken to be long at least."""
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
_MATRIX: Floats = _PRODUCTS.reshape(16, 16)
"""From the products of a quaternion's components to its rotation in a 4x4 matrix, row by row."""
Vector = Any
"""Three components: arrays `(N, L)`, or numbers."""


def cross(a: Vector, b: Vector) -> Vector:
    """The cross product."""
    (ax, ay, az), (bx, by, bz) = a, b
    return ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx


def dot(a: Vector, b: Vector) -> Any:
    """The dot product."""
    (ax, ay, az), (bx, by, bz) = a, b
    return ax * bx + ay * by + az * bz


def combined(p: Any, a: Vector, q: Any, b: Vector) -> Vector:
    """p a + q b."""
    (ax, ay, az), (bx, by, bz) = a, b
    return p * ax + q * bx, p * ay + q * by, p * az + q * bz


def frames(tree: LegTree, positions: Floats, rotations: Floats) -> Floats:
    """World transforms `(N, K + D, 4, 4)` of the tree's joints and of where its loose joints belong, in local poses
    `(N, J, 3)` and `(N, J, 4)`.

    In memory joints come first, so that those of a level lie together.
    """
    count, size, loose = len(positions), len(tree.joints), len(tree.loose)
    parts = np.ascontiguousarray(rotations.take(tree.joints, axis=1).transpose(2, 1, 0)).reshape(4, -1)
    products = (parts[:, None] * parts).reshape(16, -1)
    local = (products.T @ _MATRIX).reshape(size, count, 4, 4)
    local[..., :3, 3] = positions.take(tree.joints, axis=1).swapaxes(0, 1)
    local[..., 3, 3] = 1.0
    world = np.empty((size + loose, count, 4, 4))
    if count == 1:  # fewer calls, though more products
        world[:size] = local
        for start, ancestors in tree.doublings:
            world[start:size] = world.take(ancestors, axis=0) @ world[start:size]
    else:
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
    """All legs of a batch, or one leg, in a pose, and where the ankle is wanted; see `Vector`.

    `want` leads from the hip to the place wanted of the ankle. `upper` and `lower` are the two equivalent bones,
    `lengths` theirs, `inner` their dot product, `straight` their lengths together, and `extension` the share of that
    which the leg has in the pose, `longest` the one that it may have at most, which is that of the pose if this is
    more. `aside_squared` is the square of the level distance of `want`.
    """

    want: Vector
    upper: Vector
    lower: Vector
    lengths: tuple[Any, Any]
    inner: Any
    straight: Any
    extension: Any
    longest: Any
    aside_squared: Any

    def lack(self, extension: Any) -> Any:
        """Metres by which the hip is too high for the leg to reach with the share `extension` of its length."""
        fn, longest = functions_of(self.inner), extension * self.straight
        return -self.want[1] - fn.sqrt(fn.maximum(longest * longest - self.aside_squared, 0.0))

    def reaches(self, extension: Any) -> Any:
        """Whether the leg can be as short or as long as that share of its length."""
        return (extension <= self.longest) & (extension * self.straight >= abs(self.lengths[0] - self.lengths[1]))

    def withdrawal(self, extension: Any) -> Any:
        """By which share of its level way from the hip the foot must be drawn in, as a number below zero, to be within
        the share `extension` of the length of the leg."""
        fn, height = functions_of(self.inner), self.want[1]
        longest, least = extension * self.straight, MIN_SIDE_REACH * self.straight
        room = fn.maximum(longest * longest - height * height, least * least)
        return fn.sqrt(fn.minimum(room / fn.maximum(self.aside_squared, 1e-18), 1.0)) - 1.0


def spans_of(tree: LegTree, world: Floats) -> Floats:
    """The spans of legs `(3, 3, N, L)` in poses with world transforms `world` (see `frames`): upper and lower bone, and
    what to add to the place of a foot for the way from hip to ankle."""
    count, size = world.shape[:2]
    places = np.ascontiguousarray(world[..., :3, 3].transpose(2, 0, 1)).reshape(-1, size)
    spans: Floats = np.matmul(places, tree.spans).reshape(3, 3, count, -1)
    return spans


def with_foot_at(spans: Any, foot: Vector) -> Legs:
    """Legs with such `spans` whose feet are wanted at `foot`."""
    upper, lower, (x, y, z) = spans
    want = (foot[0] + x, foot[1] + y, foot[2] + z)
    fn, inner = functions_of(want[0]), dot(upper, lower)
    squares = fn.maximum(dot(upper, upper), MIN_BONE**2), fn.maximum(dot(lower, lower), MIN_BONE**2)
    lengths = fn.sqrt(squares[0]), fn.sqrt(squares[1])
    straight = lengths[0] + lengths[1]
    extension = fn.sqrt(fn.maximum(squares[0] + squares[1] + 2.0 * inner, 0.0)) / straight
    longest, aside = fn.maximum(MAX_EXTENSION + EXTENSION_SLACK, extension), want[0] * want[0] + want[2] * want[2]
    return Legs(want, upper, lower, lengths, inner, straight, extension, longest, aside)


def legs_to(tree: LegTree, world: Floats, feet: Floats) -> Legs:
    """The legs of poses with world transforms `world` (see `frames`), feet wanted at `feet (3, N, L)`."""
    return with_foot_at(spans_of(tree, world), feet)


def reach(tree: LegTree, rotations: Floats, world: Floats, legs: Legs, want: Vector) -> Floats:
    """Changes local `rotations (N, J, 4)` so that the ankles are `want` away from their hips.

    Returns the share of its length that each leg would need for that `(N, L)`; above `Legs.longest` it falls short.
    """
    needed: Floats
    needed, aim, bend = aim_and_bend(legs, want, partial(hinges, tree, world))
    rotate(tree, rotations, world, aim, bend)
    return needed


def aim_and_bend(leg: Legs, want: Vector, hinge: Callable[[], Vector]) -> tuple[Any, Vector, Vector]:
    """The share of its length that a leg needs for its ankle to be `want` away from its hip, and the world quaternions
    that aim the leg and open its knee. `hinge` is the axis about which it folds, if it is straight (see `hinges`)."""
    fn, upper, lower, inner, (a, b) = functions_of(leg.inner), leg.upper, leg.lower, leg.inner, leg.lengths
    size = fn.sqrt(dot(want, want))
    distance = fn.minimum(size, leg.longest * leg.straight)
    axis = cross(upper, lower)
    length = fn.sqrt(dot(axis, axis))
    straight = length <= STRAIGHT_SINE * a * b
    length = fn.maximum(length, 1e-9)
    cosine = (distance * distance - a * a - b * b) / (2.0 * a * b)
    opens = fn.arccos(fn.minimum(fn.maximum(cosine, -1.0), 1.0)) - fn.arctan2(length, inner)
    cosine, sine = fn.cos(opens), fn.sin(opens)
    share = sine / length
    reached = combined(1.0 - b * b * share, upper, cosine + inner * share, lower)
    if some(straight):
        own = hinge()
        folded = combined(1.0, combined(1.0, upper, cosine, lower), sine, cross(own, lower))
        axis = [fn.where(straight, x * length, y) for x, y in zip(own, axis, strict=True)]
        reached = [fn.where(straight, x, y) for x, y in zip(folded, reached, strict=True)]
    sizes = fn.sqrt(dot(reached, reached)) * size
    w = sizes + dot(reached, want)
    shrink = 1.0 / fn.sqrt(fn.maximum(2.0 * sizes * w, 1e-24))  # of the quaternion that turns `reached` into `want`
    half = 0.5 * opens
    (x, y, z), (u, v, t), fold = cross(reached, want), axis, fn.sin(half) / length
    aim = (w * shrink, x * shrink, y * shrink, z * shrink)
    return size / leg.straight, aim, (fn.cos(half), u * fold, v * fold, t * fold)


def hinges(tree: LegTree, world: Floats) -> Floats:
    """Unit axes `(3, N, L)` about which legs fold, square to their lower bones: for straight legs, whose own axes say
    nothing."""
    lower, turns = spans_of(tree, world)[1], world[:, tree.inner.hip, :3, :3]
    axes = np.matmul(turns, tree.hinges[..., None])[..., 0].transpose(2, 0, 1)
    axes = axes - lower * (dot(axes, lower) / np.maximum(dot(lower, lower), 1e-12))
    result: Floats = axes / np.maximum(np.sqrt(dot(axes, axes)), 1e-12)
    return result


def put_loose(tree: LegTree, positions: Floats, rotations: Floats, before: Floats | None = None) -> None:
    """Changes local `positions (N, J, 3)` so that loose joints are where their legs carry them; and `rotations (N, J,
    4)` of those that belong to no leg, so that they turn with their carriers, whose world transforms were `before`
    (see `frames`). Feet of legs keep theirs, as hooves do."""
    if not len(tree.loose):
        return
    world, size = frames(tree, positions, rotations), len(tree.joints)
    places = world[:, size:, :3, 3]
    parents = world[:, np.maximum(tree.loose_parents, 0)]
    if before is not None and len(others := tree.companions):
        carriers = tree.loose_carriers[others]
        turns = np.matmul(world[:, carriers, :3, :3], before[:, carriers, :3, :3].swapaxes(-1, -2))
        over = np.where((tree.loose_parents[others] < 0)[:, None, None], np.eye(3), parents[:, others, :3, :3])
        turns = rot.from_matrix(np.matmul(over.swapaxes(-1, -2), np.matmul(turns, over)))
        joints = tree.loose.joints[others]
        rotations[:, joints] = rot.multiply(turns, rotations[:, joints])
    local = np.matmul(parents[..., :3, :3].swapaxes(-1, -2), (places - parents[..., :3, 3])[..., None])[..., 0]
    positions[:, tree.loose.joints] = np.where((tree.loose_parents < 0)[:, None], places, local)


def rotate(tree: LegTree, rotations: Floats, world: Floats, aim: Any, bend: Any) -> None:
    """Rotates hips and knees by world quaternions `aim` and `bend`, four arrays `(N, L)` each, or a list of those of
    one animal's legs; hocks rotate back what knees rotate, and the ankles of hooves everything that was rotated above
    them."""
    count = len(rotations)
    turns = np.empty((4, count, 3, len(tree.legs.hip)))
    if isinstance(aim[0], np.ndarray):
        turns[:, :, 0], turns[:, :, 1] = aim, bend
    else:
        turns[:, 0, :2] = np.array((aim, bend)).transpose(2, 0, 1)
    if tree.has_both:
        turns[:, :, 2] = rot.multiply_parts(turns[:, :, 0], turns[:, :, 1])
    world_turns = turns.reshape(4, count, -1).take(tree.mover_turns, axis=2)
    above = world.swapaxes(0, 1).take(tree.mover_parents, axis=0)
    parents = np.ascontiguousarray(above[..., :3, :3].transpose(2, 3, 1, 0))
    world_turns[1:] = np.add.reduce((world_turns[1:] * tree.mover_signs)[:, None] * parents)  # seen from the parents
    before = np.ascontiguousarray(rotations.take(tree.movers, axis=1).transpose(2, 0, 1))
    rotations[:, tree.movers] = rot.multiply_parts(world_turns, before).transpose(1, 2, 0)

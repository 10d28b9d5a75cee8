"""From solids to one closed surface: smooth union on a grid, marching cubes, simplification, projection onto the field.

Smooth minimum by the quadratic polynomial (Quilez 2013, "Smooth minimum"). A symmetric body is computed on its left
half with grid points exactly on the midline and then mirrored, so that both halves agree to the last bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from canter.body.edge_flips import without_needles
from canter.body.mesh import Mesh, mirrored, simplified
from canter.body.solids import Solid
from canter.motion.arrays import Bools, Floats

OUTSIDE = 1e3
"""The distance in metres where there is no solid."""
MAX_CELLS = 8e6
"""A grid that would have more cells gets larger ones."""
RELAXATION_PASSES = 2
"""How often vertices are spread along the surface and projected back onto it after simplification."""

ATTEMPTS = ((1.0, 7.0), (1.0, 4.0), (0.93, 7.0), (0.93, 4.0), (0.87, 7.0), (0.8, 7.0))
"""Factors on the cell and aggressiveness of simplification; the first pair that keeps the surface closed is used."""


def smooth_min(a: Floats, b: Floats, radius: float) -> Floats:
    """The minimum of two distances, rounded where they differ by less than `radius`."""
    if radius <= 0:
        return np.minimum(a, b)
    rest = np.maximum(radius - np.abs(a - b), 0.0)
    result: Floats = np.minimum(a, b) - rest * rest / (4 * radius)
    return result


@dataclass
class Union:
    """The signed distance to what has been joined so far; the two sides are never blended with each other."""

    left: Floats
    right: Floats

    @staticmethod
    def of_nothing(shape: tuple[int, ...]) -> Union:
        return Union(np.full(shape, OUTSIDE), np.full(shape, OUTSIDE))

    def join(self, own: Floats, radius: float, side: int) -> None:
        """Adds a group at distance `own` on one side, or in the middle (0), blended with `radius`."""
        if side >= 0:
            self.left = smooth_min(self.left, own, radius)
        if side <= 0:
            self.right = smooth_min(self.right, own, radius)

    @property
    def whole(self) -> Floats:
        return np.minimum(self.left, self.right)


def field_at(points: Floats, solids: Sequence[Solid], groups: dict[str, float], floor: float | None) -> Floats:
    """The signed distance to the whole body at `points (..., 3)`; `groups` are the groups' blend radii in metres."""
    union = Union.of_nothing(points.shape[:-1])
    for group, radius in groups.items():
        members = [solid for solid in solids if solid.group == group]
        own = np.full(points.shape[:-1], OUTSIDE)
        for solid in members:
            own = smooth_min(own, solid.distance(points), solid.blend)
        union.join(own, radius, side_of(members))
    return union.whole if floor is None else np.maximum(union.whole, floor - points[..., 1])


def side_of(members: Sequence[Solid]) -> int:
    """The side that all members are on, or 0."""
    sides = {solid.side for solid in members}
    return sides.pop() if len(sides) == 1 else 0


def field_on_grid(
    low: Floats, shape: tuple[int, int, int], cell: float, solids: Sequence[Solid], groups: dict[str, float]
) -> Floats:
    """`field_at` on a grid, each solid evaluated only in a box around it; `OUTSIDE` elsewhere."""
    union = Union.of_nothing(shape)
    for group, radius in groups.items():
        members = [solid for solid in solids if solid.group == group]
        own = np.full(shape, OUTSIDE)
        for solid in members:
            margin = 2 * max(solid.blend, radius) + 3 * cell
            first = np.maximum(np.floor((solid.box[0] - margin - low) / cell).astype(int), 0)
            last = np.minimum(np.ceil((solid.box[1] + margin - low) / cell).astype(int) + 1, shape)
            if (last <= first).any():
                continue
            axes = [low[i] + cell * np.arange(first[i], last[i]) for i in range(3)]
            points = np.stack(np.meshgrid(*axes, indexing="ij"), -1)
            box = tuple(slice(a, b) for a, b in zip(first, last, strict=True))
            own[box] = smooth_min(own[box], solid.distance(points), solid.blend)
        union.join(own, radius, side_of(members))
    return union.whole


def make_surface(
    solids: Sequence[Solid],
    groups: dict[str, float],
    cell: float,
    triangles: int,
    floor: float | None = None,
    symmetric: bool = True,
) -> Mesh:
    """A closed surface around `solids` with about `triangles` triangles, counterclockwise seen from outside."""
    goal = triangles // 2 if symmetric else triangles
    for attempt, (share, aggressiveness) in enumerate(ATTEMPTS):
        if attempt == 0 or share != ATTEMPTS[attempt - 1][0]:
            fine = march(solids, groups, share * cell, floor, symmetric)
        mesh = simplified(fine, goal, aggressiveness)
        if (mirrored(mesh) if symmetric else mesh).is_closed:
            break
    mesh = relaxed(without_needles(mesh), solids, groups, floor, cell, symmetric)
    mesh = relaxed(without_needles(mesh), solids, groups, floor, cell, symmetric)
    mesh = without_needles(mesh)
    return mirrored(mesh) if symmetric else mesh


def march(solids: Sequence[Solid], groups: dict[str, float], cell: float, floor: float | None, symmetric: bool) -> Mesh:
    """Marching cubes around all solids, or around their left half with its open border exactly on x = 0."""
    import mcubes

    boxes = np.stack([solid.box for solid in solids])
    margin = 3 * cell + max(groups.values())
    low, high = boxes[:, 0].min(axis=0) - margin, boxes[:, 1].max(axis=0) + margin
    if symmetric:
        low[0] = 0.0
    cell = max(cell, float(np.prod(high - low) / MAX_CELLS) ** (1 / 3))
    count = np.ceil((high - low) / cell).astype(int) + 1
    shape = (int(count[0]), int(count[1]), int(count[2]))
    values = field_on_grid(low, shape, cell, solids, groups)
    if floor is not None:
        height = low[1] + cell * np.arange(shape[1])
        values = np.maximum(values, (floor - height)[None, :, None])
    values = np.where(np.abs(values) < 1e-6 * cell, 1e-6 * cell, values)
    vertices, faces = mcubes.marching_cubes(values, 0.0)
    return Mesh(low + cell * np.asarray(vertices), np.asarray(faces, np.int64)).outward()


def relaxed(
    mesh: Mesh, solids: Sequence[Solid], groups: dict[str, float], floor: float | None, cell: float, symmetric: bool
) -> Mesh:
    """The mesh with vertices spread evenly along the surface, then projected back onto the zero of the field."""
    vertices = mesh.vertices
    middle: Bools = mesh.border if symmetric else np.zeros(len(vertices), bool)
    spread = mesh.averaging(middle)
    for _ in range(RELAXATION_PASSES):
        normals = Mesh(vertices, mesh.triangles).normals
        move = 0.5 * (spread @ vertices - vertices)
        move -= (move * normals).sum(axis=1, keepdims=True) * normals
        move[middle, 0] = 0.0
        vertices = onto_field(vertices + move, normals, solids, groups, floor, cell, middle)
    return Mesh(vertices, mesh.triangles)


def onto_field(
    vertices: Floats,
    normals: Floats,
    solids: Sequence[Solid],
    groups: dict[str, float],
    floor: float | None,
    cell: float,
    middle: Bools,
) -> Floats:
    """One limited Newton step of each vertex along its normal towards the zero of the field."""
    step = 0.25 * cell
    value = field_at(vertices, solids, groups, floor)
    slope = (field_at(vertices + step * normals, solids, groups, floor) - value) / step
    move = np.clip(-value / np.maximum(slope, 0.5), -0.5 * cell, 0.5 * cell)[:, None] * normals
    move[middle, 0] = 0.0
    result: Floats = vertices + move
    return result

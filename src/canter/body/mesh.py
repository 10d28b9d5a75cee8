"""A triangle mesh: normals, volume, mirroring, simplification, averaging over neighbours."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from canter.motion.arrays import Bools, Floats, Ints


@dataclass(frozen=True, eq=False)
class Mesh:
    """`vertices (V, 3)` and `triangles (F, 3)`."""

    vertices: Floats
    triangles: Ints

    @property
    def normals(self) -> Floats:
        """Smooth unit normals `(V, 3)`, weighted by area."""
        return vertex_normals(self.vertices, self.triangles)

    @cached_property
    def faces(self) -> Floats:
        """Face normals `(F, 3)`, their length twice the triangle's area."""
        return face_normals(self.vertices, self.triangles)

    @cached_property
    def edges(self) -> Ints:
        """Every edge of every triangle `(3 F, 2)`, the lower vertex first."""
        corners = self.triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)
        return np.sort(corners, axis=1)

    @cached_property
    def border(self) -> Bools:
        """Which vertices `(V,)` are on an open border: on an edge of only one triangle."""
        edges, count = np.unique(self.edges, axis=0, return_counts=True)
        on = np.zeros(len(self.vertices), bool)
        on[edges[count == 1].ravel()] = True
        return on

    @property
    def is_closed(self) -> bool:
        """Whether every edge belongs to two triangles that run along it in opposite directions."""
        directed = self.triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)
        forth = np.unique(directed, axis=0)
        back = np.unique(directed[:, ::-1], axis=0)
        return len(forth) == len(directed) and np.array_equal(forth, back)

    @property
    def volume(self) -> float:
        """The enclosed volume; negative if the surface is inside out."""
        return enclosed_volume(self.vertices, self.triangles)

    def outward(self) -> Mesh:
        """The mesh with its triangles counterclockwise seen from outside."""
        return self if self.volume >= 0 else Mesh(self.vertices, self.triangles[:, ::-1])

    def averaging(self, within: Bools | None = None) -> Any:
        """A sparse matrix `(V, V)` that replaces each vertex by the mean of its neighbours.

        Vertices `within (V,)` are averaged only with each other, as on a border.
        """
        from scipy.sparse import csr_matrix, diags

        count = len(self.vertices)
        edges = np.unique(self.edges, axis=0)
        rows, columns = np.concatenate([edges, edges[:, ::-1]]).T
        if within is not None:
            keep = ~within[rows] | within[columns]
            rows, columns = rows[keep], columns[keep]
        matrix = csr_matrix((np.ones(len(rows)), (rows, columns)), shape=(count, count))
        degree = np.asarray(matrix.sum(axis=1)).ravel()
        return diags(1.0 / np.maximum(degree, 1.0)) @ matrix


def vertex_normals(vertices: Floats, triangles: Ints) -> Floats:
    """Smooth unit normals `(V, 3)`, weighted by area."""
    faces = face_normals(vertices, triangles)
    flat = triangles.ravel()
    total = np.stack([np.bincount(flat, np.repeat(faces[:, i], 3), len(vertices)) for i in range(3)], -1)
    result: Floats = total / np.maximum(np.linalg.norm(total, axis=1, keepdims=True), 1e-12)
    return result


def face_normals(vertices: Floats, triangles: Ints) -> Floats:
    """Face normals `(F, 3)`, their length twice the triangle's area."""
    a, b, c = (vertices[triangles[:, i]].T for i in range(3))
    (ux, uy, uz), (vx, vy, vz) = b - a, c - a
    return np.stack([uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx], -1)


def enclosed_volume(vertices: Floats, triangles: Ints) -> float:
    """The signed volume of a closed surface."""
    a, b, c = (vertices[triangles[:, i]] for i in range(3))
    return float(np.sum(a * np.cross(b, c)) / 6.0)


def simplified(mesh: Mesh, triangles: int, aggressiveness: float = 7.0) -> Mesh:
    """The mesh with about `triangles` triangles, by quadric error (Garland and Heckbert 1997); borders stay planar."""
    import fast_simplification

    if len(mesh.triangles) <= triangles:
        return mesh
    points, faces = fast_simplification.simplify(
        mesh.vertices.astype(np.float32), mesh.triangles.astype(np.int32), target_count=triangles, agg=aggressiveness
    )[:2]
    return Mesh(np.asarray(points, np.float64), np.asarray(faces, np.int64))


def mirrored(half: Mesh) -> Mesh:
    """The left half joined to its mirror image at its open border, which is moved exactly onto x = 0."""
    vertices = half.vertices.copy()
    middle = half.border
    vertices[middle, 0] = 0.0
    other = np.arange(len(vertices))
    own = np.flatnonzero(~middle)
    other[own] = len(vertices) + np.arange(len(own))
    copies = vertices[own] * np.array([-1.0, 1.0, 1.0])
    faces = np.concatenate([half.triangles, other[half.triangles][:, ::-1]])
    return Mesh(np.concatenate([vertices, copies]), faces)


def partners(mesh: Mesh) -> Ints:
    """The index `(V,)` of the vertex nearest to each vertex's mirror image."""
    from scipy.spatial import cKDTree

    tree = cKDTree(mesh.vertices)
    return np.asarray(tree.query(mesh.vertices * np.array([-1.0, 1.0, 1.0]))[1], np.int64)


def ball(rounds: int = 1) -> Mesh:
    """A sphere of radius 1 around the origin: an octahedron whose triangles are split in four `rounds` times."""
    points = np.concatenate([np.eye(3), -np.eye(3)])
    faces = np.array([[0, 1, 2], [1, 3, 2], [3, 4, 2], [4, 0, 2], [1, 0, 5], [3, 1, 5], [4, 3, 5], [0, 4, 5]])
    for _ in range(rounds):
        a, b, c = (points[faces[:, i]] for i in range(3))
        corners = np.stack([a, b, c, a + b, b + c, c + a], axis=1)
        split = corners[:, [[0, 3, 5], [3, 1, 4], [5, 4, 2], [3, 4, 5]]].reshape(-1, 3)
        split /= np.linalg.norm(split, axis=1, keepdims=True)
        points, index = np.unique(np.round(split, 9), axis=0, return_inverse=True)
        faces = index.reshape(-1, 3)
    return Mesh(points, faces)

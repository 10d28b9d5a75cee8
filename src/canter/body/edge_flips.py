"""Edge flips that remove needle triangles: the longest edge of a needle is flipped across its two triangles.

Needles turn over at the slightest bend of the skin; quadric simplification leaves a few.
"""

from __future__ import annotations

import numpy as np

from canter.body.mesh import Mesh, face_normals
from canter.motion.arrays import Floats, Ints

NEEDLE_QUALITY = 0.35
"""Triangles of a lower quality are needles; 1 is equilateral, 0 has no area."""
MIN_NORMAL_COSINE = 0.5
"""The smallest cosine between the normals of two triangles whose edge may be flipped: sharper ridges keep theirs."""
MAX_ROUNDS = 4

Corners = tuple[int, int, int]
"""The vertices of a triangle."""


def qualities(vertices: Floats, triangles: Ints) -> Floats:
    """The area relative to the squared sides `(F,)`: 1 for an equilateral triangle, 0 for a degenerate one."""
    a, b, c = (vertices[triangles[:, i]] for i in range(3))
    area = np.linalg.norm(np.cross(b - a, c - a), axis=1)
    sides = ((b - a) ** 2 + (c - b) ** 2 + (a - c) ** 2).sum(axis=1)
    result: Floats = 2 * np.sqrt(3) * area / np.maximum(sides, 1e-18)
    return result


def without_needles(mesh: Mesh) -> Mesh:
    """`mesh` with edges of needles flipped where that raises the lower quality of the two triangles."""
    for _ in range(MAX_ROUNDS):
        flipped = _flip_once(mesh)
        if flipped is None:
            break
        mesh = flipped
    return mesh


def _flip_once(mesh: Mesh) -> Mesh | None:
    """One pass over all needles, each triangle flipped at most once; None if nothing was flipped."""
    quality = qualities(mesh.vertices, mesh.triangles)
    triangles: list[Corners] = [(a, b, c) for a, b, c in mesh.triangles.tolist()]
    across = {edge: f for f, (a, b, c) in enumerate(triangles) for edge in ((a, b), (b, c), (c, a))}
    touched: set[int] = set()
    for face in np.argsort(quality, kind="stable").tolist():
        if quality[face] > NEEDLE_QUALITY:
            break
        if face in touched:
            continue
        a, b, c = _longest_first(mesh.vertices, triangles[face])
        other = across.get((b, a))
        if other is None or other in touched:
            continue
        d = next(v for v in triangles[other] if v not in (a, b))
        if c == d or (c, d) in across or (d, c) in across:
            continue
        if _better(mesh.vertices, (a, b, c), (b, a, d), (d, b, c), (a, d, c)):
            triangles[face], triangles[other] = (d, b, c), (a, d, c)
            across[(c, d)] = across[(d, c)] = face
            touched |= {face, other}
    return Mesh(mesh.vertices, np.array(triangles, mesh.triangles.dtype)) if touched else None


def _longest_first(vertices: Floats, corners: Corners) -> Corners:
    """The corners in the same order, the first two at the ends of the longest side."""
    places = vertices[list(corners)]
    sides = ((places - np.roll(places, -1, axis=0)) ** 2).sum(axis=1)
    start = int(np.argmax(sides))
    a, b, c = (corners[(start + k) % 3] for k in range(3))
    return a, b, c


def _better(vertices: Floats, *corners: Corners) -> bool:
    """Whether the last two triangles have a higher least quality than the first two, and face the same way."""
    triangles = np.array(corners)
    first, second, third, fourth = qualities(vertices, triangles)
    if min(third, fourth) <= min(first, second):
        return False
    flat, *turned = face_normals(vertices, triangles[1:])
    return all(
        float(flat @ normal) > MIN_NORMAL_COSINE * max(float(np.linalg.norm(flat) * np.linalg.norm(normal)), 1e-36)
        for normal in turned
    )

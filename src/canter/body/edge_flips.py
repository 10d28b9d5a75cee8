"""Edge flips that remove needle triangles: the longest edge of a needle is flipped across its two triangles.

Needles turn over at the slightest bend of the skin; quadric simplification leaves a few.
"""

from __future__ import annotations

import numpy as np

from canter.body.mesh import Mesh
from canter.motion.arrays import Floats, Ints

NEEDLE_QUALITY = 0.35
"""Triangles of a lower quality are needles; 1 is equilateral, 0 has no area."""
MIN_NORMAL_COSINE = 0.5
"""The smallest cosine between the normals of two triangles whose edge may be flipped: sharper ridges keep theirs."""
MAX_ROUNDS = 4


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
    vertices, triangles = mesh.vertices, mesh.triangles.copy()
    across = {(int(a), int(b)): f for f, t in enumerate(triangles) for a, b in zip(t, np.roll(t, -1), strict=True)}
    touched: set[int] = set()
    for face in np.argsort(qualities(vertices, triangles), kind="stable"):
        first = triangles[face]
        if _quality(vertices, first) > NEEDLE_QUALITY:
            break
        sides = [float(np.sum((vertices[first[i]] - vertices[first[i - 2]]) ** 2)) for i in range(3)]
        start = int(np.argmax(sides))
        a, b, c = (int(first[(start + k) % 3]) for k in range(3))
        other = across.get((b, a))
        if other is None or touched & {int(face), other}:
            continue
        d = next(int(v) for v in triangles[other] if int(v) not in (a, b))
        if c == d or (c, d) in across or (d, c) in across:
            continue
        if _better(vertices, (a, b, c), (b, a, d), (d, b, c), (a, d, c)):
            triangles[face], triangles[other] = (d, b, c), (a, d, c)
            across[(c, d)] = across[(d, c)] = int(face)
            touched |= {int(face), other}
    return Mesh(vertices, triangles) if touched else None


def _better(vertices: Floats, *corners: tuple[int, int, int]) -> bool:
    """Whether the last two triangles have a higher least quality than the first two, and face the same way."""
    old = min(_quality(vertices, np.array(t)) for t in corners[:2])
    new = min(_quality(vertices, np.array(t)) for t in corners[2:])
    if new <= old:
        return False
    flat, *turned = (_normal(vertices, np.array(t)) for t in (corners[1], *corners[2:]))
    return all(float(flat @ normal) > MIN_NORMAL_COSINE for normal in turned)


def _quality(vertices: Floats, triangle: Ints) -> float:
    return float(qualities(vertices, triangle[None])[0])


def _normal(vertices: Floats, triangle: Ints) -> Floats:
    a, b, c = vertices[triangle]
    normal = np.cross(b - a, c - a)
    unit: Floats = normal / max(float(np.linalg.norm(normal)), 1e-18)
    return unit

"""Vertex colours: each vertex takes the colour of the part that it lies on, then the paint over it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from canter.body.parts import Body, Paint
from canter.body.solids import Solid, ellipsoid_distance, linear_color, place_paint
from canter.motion import Pose, Skeleton, forward
from canter.motion.arrays import Floats

SHARP = 0.006
"""Hip heights over which the colours of two parts mix."""


def vertex_colors(vertices: Floats, solids: Sequence[Solid], skeleton: Skeleton, body: Body, pose: Pose) -> Floats:
    """Linear colours `(V, 4)`, opaque."""
    distance = np.stack([solid.distance(vertices) for solid in solids], -1)
    distance -= distance.min(axis=1, keepdims=True)
    share = np.exp(-distance / (SHARP * body.unit))
    share /= share.sum(axis=1, keepdims=True)
    colors = share @ np.stack([solid.color for solid in solids])
    world, _ = forward(skeleton, pose.positions, pose.rotations)
    for paint in body.paints:
        own = np.array([solid.group == paint.group or not paint.group for solid in solids], float)
        colors = _painted(colors, vertices, share @ own, paint, *place_paint(skeleton, world, body.unit, paint))
    opaque = np.ones((len(vertices), 1))
    return np.concatenate([np.clip(colors, 0.0, 1.0), opaque], axis=1)


def _painted(colors: Floats, vertices: Floats, own: Floats, paint: Paint, centre: Floats, radii: Floats) -> Floats:
    """`colors` with one patch over them."""
    pitch = float(np.radians(paint.pitch))
    depth = -ellipsoid_distance(vertices - centre, radii, pitch) / float(radii.min())
    cover = (own * np.clip(depth / max(paint.fade, 1e-6), 0.0, 1.0))[:, None]
    result: Floats = colors + cover * (linear_color(paint.color) - colors)
    return result

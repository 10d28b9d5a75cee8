"""Vertex colours: each vertex takes the colour of the nearest part, then the paint over it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from canter.body.parts import Body, Paint
from canter.body.solids import Solid, ellipsoid_distance, linear_color, place_paint
from canter.motion import Pose, Skeleton, forward
from canter.motion.arrays import Floats

COLOR_BLEND_HIP_HEIGHTS = 0.006
"""The distance over which the colours of two parts blend."""


def vertex_colors(vertices: Floats, solids: Sequence[Solid], skeleton: Skeleton, body: Body, pose: Pose) -> Floats:
    """Linear RGBA colours `(V, 4)` with alpha 1."""
    distance = np.stack([solid.distance(vertices) for solid in solids], -1)
    distance -= distance.min(axis=1, keepdims=True)
    share = np.exp(-distance / (COLOR_BLEND_HIP_HEIGHTS * body.unit))
    share /= share.sum(axis=1, keepdims=True)
    colors = share @ np.stack([solid.color for solid in solids])
    world, _ = forward(skeleton, pose.positions, pose.rotations)
    for paint in body.paints:
        own = np.array([solid.group == paint.group or not paint.group for solid in solids], float)
        colors = _painted(colors, vertices, share @ own, paint, *place_paint(skeleton, world, body.unit, paint))
    opaque = np.ones((len(vertices), 1))
    return np.concatenate([np.clip(colors, 0.0, 1.0), opaque], axis=1)


def _painted(colors: Floats, vertices: Floats, own: Floats, paint: Paint, centre: Floats, radii: Floats) -> Floats:
    """`colors (V, 3)` with one patch of paint; `own (V,)` is the share of each vertex that may be painted."""
    pitch = float(np.radians(paint.pitch))
    depth = -ellipsoid_distance(vertices - centre, radii, pitch) / float(radii.min())
    cover = (own * np.clip(depth / max(paint.fade, 1e-6), 0.0, 1.0))[:, None]
    result: Floats = colors + cover * (linear_color(paint.color) - colors)
    return result

"""Paths over the ground in the colours of the gaits."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PIL import ImageDraw

from canter.motion.arrays import Floats
from canter.pictures.palette import INK, PAPER, SERIES, gait_color, mix
from canter.pictures.shapes import Canvas, font, write

POINT_SPACING_PIXELS = 4.0
"""Distance of the points through which a path is drawn."""


def draw_path(canvas: Canvas, path: Floats, gaits: Sequence[str], width: float = 5) -> None:
    """A path `(T, 2)` in pixels, in the colours of the `gaits`, one per point, or in a pale blue without them."""
    if not gaits:
        canvas.line(_thinned(path), mix(SERIES[0], PAPER, 0.45), 3)
    for i, (gait, first, last) in enumerate(gait_runs(gaits)):
        canvas.line(_thinned(path[first : last + 1]), gait_color(gait, i), width)


def _thinned(path: Floats) -> Floats:
    """The path with fewer points: lines through points that are very close have rough edges."""
    along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(path, axis=0), axis=1))])
    kept = np.flatnonzero(np.diff(np.floor(along / POINT_SPACING_PIXELS), prepend=-1.0))
    result: Floats = path[np.unique([0, *kept.tolist(), len(path) - 1])]
    return result


def gait_runs(gaits: Sequence[str]) -> list[tuple[str, int, int]]:
    """Each run of one gait as (name, first frame, last frame); runs share their end frames, so that lines meet."""
    changes = [i for i in range(1, len(gaits)) if gaits[i] != gaits[i - 1]]
    starts = [0, *changes] if len(gaits) else []
    return [(gaits[i], i, min(j, len(gaits) - 1)) for i, j in zip(starts, [*changes, len(gaits)], strict=False)]


def draw_gait_legend(draw: ImageDraw.ImageDraw, right: float, y: float, gaits: Sequence[str]) -> None:
    """Names of gaits beside their colours, in one row that ends at `right`."""
    x = right
    for i, gait in reversed(list(enumerate(gaits))):
        x -= font(15).getlength(gait)
        write(draw, (x, y), gait, 15, INK, "lm")
        draw.rounded_rectangle([x - 20, y - 5, x - 8, y + 5], 3, fill=gait_color(gait, i))
        x -= 40

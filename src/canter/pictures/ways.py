"""Ways over the ground in the colours of the gaits that were gone on them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PIL import ImageDraw

from canter.motion.arrays import Floats
from canter.pictures.palette import INK, PAPER, SERIES, gait_color, mix
from canter.pictures.shapes import Canvas, font, write

APART = 4.0
"""Pixels between the points of a line along the ground."""


def draw_way(canvas: Canvas, way: Floats, gaits: Sequence[str], width: float = 5) -> None:
    """A way `(T, 2)` in pixels, in the colours of the gaits if there are any, else faint."""
    if not gaits:
        canvas.line(_thinned(way), mix(SERIES[0], PAPER, 0.45), 3)
    for i, (gait, first, last) in enumerate(gait_runs(gaits)):
        canvas.line(_thinned(way[first : last + 1]), gait_color(gait, i), width)


def _thinned(way: Floats) -> Floats:
    """The way without points that are nearer than some pixels to the last: a line through them has a rough edge."""
    along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(way, axis=0), axis=1))])
    kept = np.flatnonzero(np.diff(np.floor(along / APART), prepend=-1.0))
    result: Floats = way[np.unique([0, *kept.tolist(), len(way) - 1])]
    return result


def gait_runs(gaits: Sequence[str]) -> list[tuple[str, int, int]]:
    """Each gait with its first frame and that of the next, in order: runs share their ends, so that lines meet."""
    changes = [i for i in range(1, len(gaits)) if gaits[i] != gaits[i - 1]]
    starts = [0, *changes] if len(gaits) else []
    return [(gaits[i], i, min(j, len(gaits) - 1)) for i, j in zip(starts, [*changes, len(gaits)], strict=False)]


def gait_key(draw: ImageDraw.ImageDraw, right: float, y: float, gaits: Sequence[str]) -> None:
    """Names of gaits beside their colours, up to `right`."""
    x = right
    for i, gait in reversed(list(enumerate(gaits))):
        x -= font(15).getlength(gait)
        write(draw, (x, y), gait, 15, INK, "lm")
        draw.rounded_rectangle([x - 20, y - 5, x - 8, y + 5], 3, fill=gait_color(gait, i))
        x -= 40

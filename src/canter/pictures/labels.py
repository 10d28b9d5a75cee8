"""Labels beside points, placed where they cover least of the picture."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PIL import ImageDraw

from canter.motion.arrays import Floats
from canter.pictures.palette import INK, PAPER
from canter.pictures.shapes import font, write

FONT_PIXELS = 15
DIRECTIONS = np.array([[1, 0.6], [-1, -0.6], [1, -0.6], [-1, 0.6], [0, 1.4], [0, -1.4]])
"""Where a label may stand relative to its point, the best first; x to the right, y down."""
OVERLAP_COST, OUTSIDE_COST = 100, 10_000
"""Costs of covering another label and of leaving the picture; covering one of the points `taken` costs 1."""


def write_beside(
    draw: ImageDraw.ImageDraw,
    labels: Sequence[tuple[Floats, str]],
    taken: Floats,
    box: tuple[float, float, float, float],
    halo: bool = False,
) -> None:
    """Writes `labels`, pairs of a point in pixels and its words, inside `box` (left, top, right, bottom).

    `taken (N, 2)` are points of the picture that should not be covered; `halo` puts paper behind the letters.
    """
    written: list[tuple[Floats, Floats]] = []
    low, high = np.reshape(box, (2, 2))
    for point, words in labels:
        if not np.isfinite(point).all():
            continue
        half = np.array([font(FONT_PIXELS).getlength(words) / 2, 8.0])
        places = point + DIRECTIONS * (half + np.array([9.0, 6.0]))
        bad = [
            np.sum((np.abs(taken - place) < half + 3).all(axis=1))
            + OVERLAP_COST * sum(bool((np.abs(there - place) < half + other).all()) for there, other in written)
            + OUTSIDE_COST * bool((place - half < low).any() or (place + half > high).any())
            for place in places
        ]
        place = places[int(np.argmin(bad))]
        written.append((place, half))
        if halo:
            draw.text(place.tolist(), words, PAPER, font(FONT_PIXELS), "mm", stroke_width=3, stroke_fill=PAPER)
        write(draw, (float(place[0]), float(place[1])), words, FONT_PIXELS, INK, "mm")

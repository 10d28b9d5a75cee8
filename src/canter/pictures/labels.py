"""Words beside points, where they cover least of what is there."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PIL import ImageDraw

from canter.motion.arrays import Floats
from canter.pictures.palette import INK, PAPER
from canter.pictures.shapes import font, write

SIZE = 15
SIDES = np.array([[1, 0.6], [-1, -0.6], [1, -0.6], [-1, 0.6], [0, 1.4], [0, -1.4]])
"""Where the words of a point may be, the best first: right and down from it are above zero."""
OWN, OUT = 100, 10_000
"""How bad it is to cover other words or to run out of the picture, in points that are covered."""


def write_beside(
    draw: ImageDraw.ImageDraw,
    labels: Sequence[tuple[Floats, str]],
    taken: Floats,
    box: tuple[float, float, float, float],
    halo: bool = False,
) -> None:
    """Writes words beside their points, in pixels; `taken (N, 2)` are points that should stay to be seen."""
    written: list[tuple[Floats, Floats]] = []
    low, high = np.reshape(box, (2, 2))
    for point, words in labels:
        if not np.isfinite(point).all():
            continue
        half = np.array([font(SIZE).getlength(words) / 2, 8.0])
        places = point + SIDES * (half + np.array([9.0, 6.0]))
        bad = [
            np.sum((np.abs(taken - place) < half + 3).all(axis=1))
            + OWN * sum(bool((np.abs(there - place) < half + other).all()) for there, other in written)
            + OUT * bool((place - half < low).any() or (place + half > high).any())
            for place in places
        ]
        place = places[int(np.argmin(bad))]
        written.append((place, half))
        if halo:
            draw.text(place.tolist(), words, PAPER, font(SIZE), "mm", stroke_width=3, stroke_fill=PAPER)
        write(draw, (float(place[0]), float(place[1])), words, SIZE, INK, "mm")

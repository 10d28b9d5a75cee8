"""Pictures with few colours: one palette for all of them, in which the colours that mean something are exact."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PIL import Image

from canter.pictures.palette import PAPER, Color

SAMPLES = 8
"""From so many of the pictures at most the palette is taken."""


def indexed(pictures: Sequence[Image.Image], colors: int, kept: Sequence[Color]) -> list[Image.Image]:
    """The pictures, all of one size, in at most `colors` colours that they share; those `kept` stay as they are."""
    few = pictures[:: max(1, len(pictures) // SAMPLES)]
    sample = Image.new("RGB", (few[0].width, few[0].height * len(few)), PAPER)
    for i, picture in enumerate(few):
        sample.paste(picture, (0, i * picture.height))
    palette = sample.quantize(colors=max(colors - len(kept), 2), method=Image.Quantize.MEDIANCUT)
    _keep(palette, kept)
    return [picture.quantize(palette=palette, dither=Image.Dither.NONE) for picture in pictures]


def _keep(palette: Image.Image, kept: Sequence[Color]) -> None:
    """Adds the colours that mean something to the palette, and takes out those that would be mistaken for them.

    Pillow looks colours up in boxes of 4 by their lowest corner, so what is nearer to that corner would win.
    """
    colors = np.array(palette.getpalette() or [], int).reshape(-1, 3)
    for color in np.array(kept, int).reshape(-1, 3):
        corner = color // 4 * 4
        colors[np.sum((colors - corner) ** 2, axis=1) <= np.sum((color - corner) ** 2)] = color
    palette.putpalette([*colors.ravel().tolist(), *np.array(kept, int).ravel().tolist()])

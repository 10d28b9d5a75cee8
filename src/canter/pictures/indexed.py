"""Pictures reduced to one shared palette, in which the colours that carry meaning are exact."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PIL import Image

from canter.pictures.palette import PAPER, Color

MAX_SAMPLED_PICTURES = 8
"""How many pictures of a sequence the palette is computed from."""


def indexed(pictures: Sequence[Image.Image], colors: int, kept: Sequence[Color]) -> list[Image.Image]:
    """The pictures, all of one size, in a shared palette of at most `colors` entries; those of `kept` are exact."""
    few = pictures[:: max(1, len(pictures) // MAX_SAMPLED_PICTURES)]
    sample = Image.new("RGB", (few[0].width, few[0].height * len(few)), PAPER)
    for i, picture in enumerate(few):
        sample.paste(picture, (0, i * picture.height))
    palette = sample.quantize(colors=max(colors - len(kept), 2), method=Image.Quantize.MEDIANCUT)
    _keep(palette, kept)
    return [picture.quantize(palette=palette, dither=Image.Dither.NONE) for picture in pictures]


def _keep(palette: Image.Image, kept: Sequence[Color]) -> None:
    """Adds the exact colours to the palette, and replaces entries that Pillow would choose in their place.

    Pillow looks up colours in cells of 4 levels by their lowest corner, so the entry nearest to that corner wins.
    """
    colors = np.array(palette.getpalette() or [], int).reshape(-1, 3)
    for color in np.array(kept, int).reshape(-1, 3):
        corner = color // 4 * 4
        colors[np.sum((colors - corner) ** 2, axis=1) <= np.sum((color - corner) ** 2)] = color
    palette.putpalette([*colors.ravel().tolist(), *np.array(kept, int).ravel().tolist()])

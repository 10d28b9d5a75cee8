"""Drawing in the plane: a supersampled canvas for smooth edges, rounded limbs, soft shadows, dots and text."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from canter.motion.arrays import Floats
from canter.pictures.palette import INK, PAPER, Color, mix

SUPERSAMPLING = 2
"""How many times larger a canvas is drawn than shown, on both axes."""


class Canvas:
    """Takes coordinates in shown pixels, draws them larger, and gives a smooth picture back."""

    def __init__(self, width: int, height: int, color: Color = PAPER) -> None:
        self.width, self.height = width, height
        self.image = Image.new("RGB", (width * SUPERSAMPLING, height * SUPERSAMPLING), color)
        self.draw = ImageDraw.Draw(self.image)

    def finish(self) -> Image.Image:
        return self.image.reduce(SUPERSAMPLING)

    def polygon(self, points: Floats, fill: Color) -> None:
        self.draw.polygon((points * SUPERSAMPLING).ravel().tolist(), fill=fill)

    def line(self, points: Sequence[tuple[float, float]] | Floats, fill: Color, width: float = 1) -> None:
        flat = (np.asarray(points, float) * SUPERSAMPLING).ravel().tolist()
        self.draw.line(flat, fill=fill, width=max(1, round(width * SUPERSAMPLING)), joint="curve")

    def dot(self, x: float, y: float, radius: float, fill: Color) -> None:
        box = [SUPERSAMPLING * v for v in (x - radius, y - radius, x + radius, y + radius)]
        self.draw.ellipse(box, fill=fill)

    def limb(self, a: Floats, b: Floats, ra: float, rb: float, color: Color) -> None:
        """A tapered, rounded bone with a soft outline and a lighter stripe where light falls."""
        self.polygon(capsule(a, b, ra + 0.6, rb + 0.6), mix(color, INK, 0.45))
        self.polygon(capsule(a, b, ra, rb), mix(color, INK, 0.12))
        lift = np.array([-0.12, -0.22])
        self.polygon(capsule(a + ra * lift, b + rb * lift, 0.72 * ra, 0.72 * rb), color)
        lift = np.array([-0.2, -0.42])
        self.polygon(capsule(a + ra * lift, b + rb * lift, 0.34 * ra, 0.34 * rb), mix(color, PAPER, 0.22))

    def shadow(self, points: Floats, color: Color, strength: float = 0.5, blur: float = 6.0) -> None:
        """A blurred blob that fills the polygon `points`."""
        reach = 3 * blur + 2
        low = np.maximum(np.floor(points.min(axis=0) - reach), 0).astype(int)
        high = np.minimum(np.ceil(points.max(axis=0) + reach), [self.width, self.height]).astype(int)
        if (high <= low).any():
            return
        size = (int(high[0] - low[0]), int(high[1] - low[1]))
        mask = Image.new("L", size, 0)
        ImageDraw.Draw(mask).polygon((points - low).ravel().tolist(), fill=round(255 * strength))
        mask = mask.filter(ImageFilter.GaussianBlur(blur))
        mask = mask.resize((size[0] * SUPERSAMPLING, size[1] * SUPERSAMPLING), Image.Resampling.BILINEAR)
        corner = (int(low[0]) * SUPERSAMPLING, int(low[1]) * SUPERSAMPLING)
        self.image.paste(color, (*corner, corner[0] + mask.width, corner[1] + mask.height), mask)


_ARC = np.linspace(-np.pi / 2, np.pi / 2, 9)


def capsule(a: Floats, b: Floats, ra: float, rb: float) -> Floats:
    """The outline `(n, 2)` around two circles and what lies between them."""
    gap = b - a
    length = float(np.hypot(gap[0], gap[1]))
    if length <= abs(ra - rb) + 1e-9:
        center, radius = (a, ra) if ra >= rb else (b, rb)
        around = np.linspace(0, 2 * np.pi, 17)[:-1]
        return np.asarray(center + radius * np.stack([np.cos(around), np.sin(around)], -1))
    angle = np.arctan2(gap[1], gap[0])
    lean = np.arcsin(np.clip((ra - rb) / length, -1, 1))
    front = angle + _ARC * (1 - 2 * lean / np.pi)
    back = angle + np.pi + _ARC * (1 + 2 * lean / np.pi)
    return np.concatenate(
        [b + rb * np.stack([np.cos(front), np.sin(front)], -1), a + ra * np.stack([np.cos(back), np.sin(back)], -1)]
    )


@cache
def font(size: int) -> Any:
    """Pillow's own typeface, so that pictures look the same everywhere."""
    return ImageFont.load_default(size=size)


def write(
    draw: ImageDraw.ImageDraw, place: tuple[float, float], text: str, size: int, color: Color = INK, anchor: str = "la"
) -> float:
    """Text at `place`; gives its width. Anchors as in Pillow: l m r, then a m s."""
    text = _one_line(text)
    draw.text(place, text, fill=color, font=font(size), anchor=anchor)
    return float(draw.textlength(text, font=font(size)))


def fit(draw: ImageDraw.ImageDraw, text: str, size: int, width: float) -> str:
    """The text, cut with an ellipsis where it is wider than `width`."""
    text = _one_line(text)
    if draw.textlength(text, font=font(size)) <= width:
        return text
    while text and draw.textlength(text + "…", font=font(size)) > width:
        text = text[:-1]
    return text.rstrip() + "…"


def _one_line(text: str) -> str:
    """Names come from files: whatever is no plain character becomes a blank."""
    return "".join(c if c.isprintable() else " " for c in text[:500])

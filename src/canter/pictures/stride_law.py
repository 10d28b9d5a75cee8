"""Froude number against stride length of an animal's gaits, with the law Fr = a (L / h)^b through them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageDraw

from canter.motion.arrays import Floats
from canter.pictures.palette import FAINT, INK, MUTED, gait_color, mix
from canter.pictures.plot import Axis, Series, joined, line_chart
from canter.pictures.shapes import font, write


@dataclass(frozen=True, eq=False)
class StrideLaw:
    """An animal's gaits with their stride lengths in hip heights `(N,)` and Froude numbers `(N,)`, and a and b."""

    animal: str
    gaits: Sequence[str]
    strides: Floats
    froude: Floats
    a: float
    b: float

    def at(self, strides: Floats) -> Floats:
        """Froude numbers by the law."""
        result: Floats = self.a * strides**self.b
        return result


def stride_law_picture(laws: Sequence[StrideLaw], *, size: tuple[int, int] = (500, 520)) -> Image.Image:
    """A chart for each animal, all over the same axes; the laws of the others are faint."""
    strides = np.concatenate([law.strides for law in laws])
    froude = np.concatenate([law.froude for law in laws])
    x = Axis("stride length L / h, in hip heights", (0.85 * strides.min(), 1.25 * strides.max()), log=True)
    y = Axis("Froude number Fr = v v / (g h)", (0.6 * froude.min(), 1.7 * froude.max()), log=True)
    return joined([_panel(law, [other for other in laws if other is not law], x, y, size) for law in laws])


def _panel(law: StrideLaw, others: Sequence[StrideLaw], x: Axis, y: Axis, size: tuple[int, int]) -> Image.Image:
    assert x.range is not None
    assert y.range is not None
    along = np.geomspace(*x.range, 400)
    lines = [Series(other.animal, along, _inside(other.at(along), y), "dashed", FAINT) for other in others]
    lines.append(Series("the law", along, _inside(law.at(along), y), color=mix(MUTED, INK, 0.3)))
    colors = [gait_color(gait, i) for i, gait in enumerate(law.gaits)]
    dots = Series("", law.strides, law.froude, "dots", labels=law.gaits, colors=colors)
    picture = line_chart([*lines, dots], title=law.animal, x=x, y=y, size=size)
    draw = ImageDraw.Draw(picture)
    at = 28 + draw.textlength(law.animal, font=font(24)) + 16
    at += write(draw, (at, 32), f"Fr = {law.a:.3f} (L / h)", 18, MUTED)
    write(draw, (at + 2, 27), f"{law.b:.2f}", 14, MUTED)
    return picture


def _inside(values: Floats, axis: Axis) -> Floats:
    """NaN where values leave the chart."""
    low, high = axis.range or (-np.inf, np.inf)
    return np.where((values >= low) & (values <= high), values, np.nan)

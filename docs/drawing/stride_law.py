"""Froude number against stride length of an animal's gaits, with the law Fr = a (L / h)^b through them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image

from canter.motion.arrays import Floats
from canter.pictures.chart_style import (
    POINTS_PER_PIXEL,
    TITLE_POINTS,
    add_label,
    chart_style,
    new_figure,
    rgb,
    to_image,
)
from canter.pictures.charts import add_legend
from canter.pictures.palette import FAINT, INK, MUTED, PAPER, gait_color, mix

if TYPE_CHECKING:
    from matplotlib.axes import Axes


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
    """A panel of `size` pixels for each animal, all over the same axes; the laws of the others are faint."""
    strides = np.concatenate([law.strides for law in laws])
    froude = np.concatenate([law.froude for law in laws])
    with chart_style():
        figure = new_figure((len(laws) * size[0], size[1]))
        panels = figure.subplots(1, len(laws), sharex=True, sharey=True, squeeze=False)[0]
        panels[0].set(xscale="log", yscale="log")
        panels[0].set_xlim(0.85 * strides.min(), 1.25 * strides.max())
        panels[0].set_ylim(0.6 * froude.min(), 1.7 * froude.max())
        for panel, law in zip(panels, laws, strict=True):
            _draw_law(panel, law, [other for other in laws if other is not law])
        return to_image(figure)


def _draw_law(panel: Axes, law: StrideLaw, others: Sequence[StrideLaw]) -> None:
    """One animal: its law, those of the others, and its gaits by name."""
    from matplotlib.ticker import LogLocator, NullLocator

    for axis, steps in ((panel.xaxis, (1, 2, 3, 4, 5)), (panel.yaxis, (1, 2, 5))):
        axis.set_major_locator(LogLocator(subs=steps))
        axis.set_major_formatter("{x:g}")
        axis.set_minor_locator(NullLocator())
    along = np.geomspace(*panel.get_xlim(), 50)
    for other in others:
        panel.plot(along, other.at(along), "--", color=rgb(FAINT), label=other.animal)
    panel.plot(along, law.at(along), color=rgb(mix(MUTED, INK, 0.3)), label="the law")
    colors = [rgb(gait_color(gait, i)) for i, gait in enumerate(law.gaits)]
    panel.scatter(law.strides, law.froude, s=72, c=colors, edgecolors=rgb(PAPER), zorder=3)
    for gait, stride, froude in zip(law.gaits, law.strides, law.froude, strict=True):
        side = -1 if froude > 1.1 * law.at(stride) else 1  # away from the line, which rises to the right
        add_label(panel, gait, (stride, froude), (7 * side, -4 * side))
    panel.set_xlabel("stride length L / h, in hip heights")
    panel.set_title("Froude number Fr = v v / (g h)")
    panel.tick_params(labelleft=True)
    add_legend(panel)
    name = add_label(panel, law.animal, (0, 1), (0, 36), xycoords="axes fraction", fontsize=TITLE_POINTS, va="bottom")
    formula = f"Fr = {law.a:.3f} (L / h)$^{{{law.b:.2f}}}$"
    size = 18 * POINTS_PER_PIXEL
    add_label(panel, formula, (1, 0), (10, 3), xycoords=name, fontsize=size, color=rgb(MUTED), va="bottom")

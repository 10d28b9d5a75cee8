"""The gait graph of an animal: which gait it takes at which speed, and where it changes over (after Sung 2013)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from PIL import Image

from canter.pictures.chart_style import (
    POINTS_PER_PIXEL,
    TITLE_POINTS,
    add_label,
    add_panel,
    chart_style,
    new_figure,
    rgb,
    to_image,
)
from canter.pictures.palette import FAINT, INK, MUTED, PAPER, Color, gait_color, mix

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDTH, MARGIN, LEFT, RIGHT, TOP, BOTTOM = 1000, 28, 130, 36, 96, 72
LANE, STYLE_LANE, STYLES_HEAD = 78, 34, 46
"""Pixels of height of a gait's lane, of a style's, and of the heading over the styles."""
BAR, STYLE_BAR = 30, 20
SPEED_TICKS = (0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5, 7, 10, 15, 20)


@dataclass(frozen=True)
class GaitRange:
    """A gait with the speeds in m/s between which it is taken, and the `usual` one, that of its clip."""

    name: str
    low: float
    high: float
    usual: float

    @property
    def color(self) -> Color:
        return gait_color(self.name)


def gait_graph_picture(
    gaits: Sequence[GaitRange], styles: Sequence[GaitRange] = (), *, hysteresis: float = 0.0, title: str = ""
) -> Image.Image:
    """Gaits by speed as stairs, the slowest at the bottom; styles, which are taken only when asked for, below them.

    Neighbours meet where one's `high` is the next one's `low`; a gait is kept for a share `hysteresis` beyond that.
    """
    gaits = sorted(gaits, key=lambda gait: gait.usual)
    stairs = TOP + LANE * len(gaits)
    bottom = stairs + (STYLES_HEAD + STYLE_LANE * len(styles) if styles else 0)
    rows = [stairs - LANE * (k + 0.5) for k in range(len(gaits))]
    style_rows = [stairs + STYLES_HEAD + STYLE_LANE * (k + 0.5) for k in range(len(styles))]
    words = "A dot is the clip of a gait. Neighbours meet at the harmonic mean of their clips' speeds"
    kept = f"; a gait is kept for {hysteresis:.0%} beyond." if hysteresis else "."
    with chart_style():
        figure = new_figure((WIDTH, bottom + BOTTOM), layout=None)
        axes = add_panel(figure, (LEFT, TOP, WIDTH - RIGHT, bottom))
        axes.set_ylim(bottom, TOP)  # heights are pixels of the picture
        _set_speeds(axes, [speed for gait in (*gaits, *styles) for speed in (gait.low, gait.high)])
        _set_names(axes, [*gaits, *styles], [*rows, *style_rows])
        for (slow, fast), (low, high) in zip(pairwise(gaits), pairwise(rows), strict=True):
            _draw_border(axes, slow, fast, (low, high), hysteresis)
        for gait, row in zip(gaits, rows, strict=True):
            _draw_bar(axes, gait, row, BAR, gait.color)
        for style, row in zip(styles, style_rows, strict=True):
            _draw_bar(axes, style, row, STYLE_BAR, mix(style.color, PAPER, 0.25))
        left = (MARGIN - LEFT) / (WIDTH - RIGHT - LEFT)
        whole: dict[str, Any] = {"transform": axes.get_yaxis_transform(), "clip_on": False}
        if styles:
            axes.plot([left, 1], [stairs + 8] * 2, color=rgb(FAINT), linewidth=0.8, **whole)
            heading = "styles, taken only when they are asked for"
            axes.text(left, stairs + 30, heading, color=rgb(MUTED), backgroundcolor=rgb(PAPER), **whole)
        axes.text(left, 48, title, fontsize=TITLE_POINTS, **whole)
        axes.text(left, 74, words + kept, color=rgb(MUTED), **whole)
        return to_image(figure)


def _set_speeds(axes: Axes, speeds: Sequence[float]) -> None:
    """The axis of speeds: logarithmic, from a little below the slowest to a little above the fastest."""
    low, high = 0.9 * min(speeds), 1.04 * max(speeds)
    ticks = [speed for speed in SPEED_TICKS if low <= speed <= high]
    axes.set_xscale("log")
    axes.set_xlim(low, high)
    axes.set_xticks(ticks, [f"{speed:g}" for speed in ticks])
    axes.set_xticks([], minor=True)
    axes.tick_params("x", length=0, pad=6)
    axes.set_xlabel("speed, m/s")
    axes.grid(False, axis="y")
    axes.grid(True, axis="x")


def _set_names(axes: Axes, gaits: Sequence[GaitRange], rows: Sequence[float]) -> None:
    """The names of the gaits beside their rows, in their colours."""
    axes.set_yticks(rows, [gait.name for gait in gaits])
    axes.tick_params("y", pad=(LEFT - MARGIN) * POINTS_PER_PIXEL)
    for text, gait in zip(axes.get_yticklabels(), gaits, strict=True):
        text.set(color=rgb(mix(gait.color, INK, 0.3)), fontsize=19 * POINTS_PER_PIXEL, horizontalalignment="left")


def _draw_bar(axes: Axes, gait: GaitRange, row: float, height: float, color: Color) -> None:
    """The range as a bar, and the clip as a dot on it, with its speed where the bar has room."""
    axes.barh(row, gait.high - gait.low, height, gait.low, color=rgb(color))
    axes.scatter(gait.usual, row, s=(0.46 * height * POINTS_PER_PIXEL) ** 2, color=rgb(PAPER), zorder=3)
    above, below = gait.high / gait.usual, gait.usual / gait.low
    if max(above, below) > 1.15:
        side = 9 if above > 1.2 or above > below else -9
        add_label(axes, f"{gait.usual:.3g}", (gait.usual, row), (side, 0), color=rgb(PAPER))


def _draw_border(axes: Axes, slow: GaitRange, fast: GaitRange, rows: tuple[float, float], hysteresis: float) -> None:
    """Where two gaits meet: how far each is kept, and the speeds at which the animal changes up and down."""
    border = slow.high
    up, down = border * (1 + hysteresis), border * (1 - hysteresis)
    top, bottom = rows[1] + BAR / 2, rows[0] - BAR / 2
    axes.barh(rows[0], up - border, BAR, border, color=rgb(mix(slow.color, PAPER, 0.6)))
    axes.barh(rows[1], border - down, BAR, down, color=rgb(mix(fast.color, PAPER, 0.6)))
    axes.plot([border, border], [bottom, top], color=rgb(MUTED), linewidth=0.8, linestyle=(0, (4, 4)))
    for speed, start, end, gait in ((up, bottom, top, fast), (down, top, bottom, slow)):
        arrow = {"arrowstyle": "-|>", "color": rgb(mix(gait.color, INK, 0.15)), "shrinkA": 1, "shrinkB": 2, "lw": 1.5}
        axes.annotate("", (speed, end), (speed, start), arrowprops=arrow)
    middle = (top + bottom) / 2
    add_label(axes, f"up at {up:.2f}", (up, middle), (8, 0))
    add_label(axes, f"down at {down:.2f}", (down, middle), (-8, 0))

"""A transition leg by leg: the weights of the gaits, the clock of every leg, and which legs wait and which hurry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from PIL import Image

from canter.anatomy.contacts import runs
from canter.motion.arrays import Bools, Floats
from canter.pictures.chart_style import (
    POINTS_PER_PIXEL,
    TITLE_POINTS,
    add_panel,
    chart_style,
    new_figure,
    rgb,
    to_image,
)
from canter.pictures.palette import FAINT, INK, MUTED, PANEL, PAPER, Color, gait_color, leg_color, mix

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDTH, MARGIN, LEFT, RIGHT, TOP, BOTTOM = 1000, 28, 150, 36, 104, 70
INSIDE = WIDTH - LEFT - RIGHT
MARGIN_SHARE = (MARGIN - LEFT) / INSIDE
"""Where the margin is, in widths of a panel from its left."""
WEIGHTS, CLOCK, SPACE, BAR, LANE, EARLY, GAP = 56, 46, 4, 12, 76, 130, 34
"""Heights in pixels: of the panels, of a leg's clock, its bar, the space between, its lane, and the gap of panels."""
HURRIES, WAITS = (236, 205, 40), (140, 156, 190)
NOTICED, FULL = 0.02, 0.4
"""Deviations from the pace of the gait, as a share of it: from the first a leg is marked, at the second in full."""


@dataclass(frozen=True, eq=False)
class Warp:
    """A transition that is commanded at time 0: `time (T,)` in seconds, `weights (T,)` by gait.

    Of every leg `(T, L)`: its `clocks`, 0 to 1 while it stands and 1 to 2 while it swings; its `pace`, 1 being that of
    the gait; and how many strides it is `early` for the new gait.
    """

    time: Floats
    weights: Mapping[str, Floats]
    legs: Sequence[str]
    clocks: Floats
    pace: Floats
    early: Floats

    @property
    def contacts(self) -> Bools:
        return self.clocks < 1


def warp_picture(warp: Warp, *, title: str = "", command: str = "", poses: Image.Image | None = None) -> Image.Image:
    """The weights above, a lane of clock and footfalls for each leg, and how early the legs are; one time for all.

    `command` is what was commanded at time 0, in words; `poses` a strip of the animal, `INSIDE` pixels wide.
    """
    top = TOP + (poses.height - 8 if poses is not None else 0)
    lanes = top + WEIGHTS + GAP
    early = lanes + LANE * len(warp.legs) + GAP
    bottom = early + EARLY
    with chart_style():
        from matplotlib.lines import Line2D

        figure = new_figure((WIDTH, bottom + BOTTOM), layout=None)
        tops = [top, *(lanes + LANE * i for i in range(len(warp.legs))), early]
        heights = [WEIGHTS, *[CLOCK + SPACE + BAR] * len(warp.legs), EARLY]
        weights, *clocks, offs = (
            add_panel(figure, (LEFT, y, LEFT + INSIDE, y + height), xlim=warp.time[[0, -1]])
            for y, height in zip(tops, heights, strict=True)
        )
        _draw_weights(weights, warp)
        for i, axes in enumerate(clocks):
            _draw_lane(axes, warp, i)
        _draw_early(offs, warp)
        _add_heading(clocks[0], "the clock of each leg, and when its foot is down")
        _add_key(clocks[0])
        _add_heading(offs, "strides that a leg is early (above) or late for the new gait")
        start = (LEFT + INSIDE * -warp.time[0] / np.ptp(warp.time)) / WIDTH
        height = bottom + BOTTOM
        ends = [1 - bottom / height, 1 - (top - 6) / height]
        dashed = (0, (5, 4))
        figure.add_artist(Line2D([start, start], ends, color=rgb(INK), linewidth=0.8, linestyle=dashed))
        figure.text(start, 1 - (top - 12) / height, command, ha="center")
        figure.text(MARGIN / WIDTH, 1 - 48 / height, title, fontsize=TITLE_POINTS)
        picture = to_image(figure)
    if poses is not None:
        picture.paste(poses, (LEFT, TOP - 34))
    return picture


def _draw_weights(axes: Axes, warp: Warp) -> None:
    """The weights of the gaits on top of each other, which fill the panel."""
    colors = [rgb(mix(gait_color(gait, i), PAPER, 0.25)) for i, gait in enumerate(warp.weights)]
    axes.stackplot(warp.time, *warp.weights.values(), colors=colors)
    axes.set(ylim=(0, 1), xticks=[], yticks=[])
    axes.spines.bottom.set_visible(False)
    inside: dict[str, Any] = {
        "transform": axes.transAxes,
        "va": "center",
        "color": rgb(PAPER),
        "fontsize": 17 * POINTS_PER_PIXEL,
    }
    axes.text(0.02, 0.5, next(iter(warp.weights)), **inside)
    axes.text(0.98, 0.5, list(warp.weights)[-1], ha="right", **inside)
    axes.text(MARGIN_SHARE, 0.5, "weights", transform=axes.transAxes, va="center", color=rgb(MUTED))


def _draw_lane(axes: Axes, warp: Warp, leg: int) -> None:
    """The clock of a leg over the marks of where it hurries or waits, and its footfalls under it."""
    name, color = warp.legs[leg], leg_color(warp.legs[leg], leg)
    step = float(warp.time[1] - warp.time[0])
    span = (warp.time[0] - step / 2, warp.time[-1] + step / 2)
    marks = np.array([_mark(float(pace)) for pace in warp.pace[:, leg]], np.uint8)
    axes.imshow(marks[None], extent=(*span, 0, 2), aspect="auto", interpolation="nearest")
    axes.axhline(1, color=rgb(FAINT), linewidth=0.8)
    again = np.flatnonzero(np.diff(warp.clocks[:, leg]) < 0) + 1
    for run in np.split(np.arange(len(warp.time)), again):
        axes.plot(warp.time[run], warp.clocks[run, leg], color=rgb(color))
    unit = 2 / CLOCK
    bar = (-(SPACE + BAR) * unit, BAR * unit)
    axes.broken_barh([(span[0], span[1] - span[0])], bar, color=rgb(PANEL), linewidth=0)
    downs = [(warp.time[first] - step / 2, (last - first) * step) for first, last in runs(warp.contacts[:, leg])]
    axes.broken_barh(downs, bar, color=rgb(color), linewidth=0)
    axes.set(xlim=warp.time[[0, -1]], ylim=(bar[0], 2), xticks=[])
    axes.set_yticks([0.5, 1.5], ["stands", "swings"], color=rgb(MUTED), fontsize=14 * POINTS_PER_PIXEL)
    axes.tick_params("y", pad=8)
    axes.grid(False)
    axes.spines.bottom.set_visible(False)
    at_margin: dict[str, Any] = {
        "transform": axes.get_yaxis_transform(),
        "va": "center",
        "fontsize": 20 * POINTS_PER_PIXEL,
    }
    axes.text(MARGIN_SHARE, 1, name, color=rgb(color), **at_margin)


def _mark(pace: float) -> Color:
    """The colour behind a leg that goes at such a pace."""
    off = abs(pace - 1)
    return mix(PANEL, HURRIES if pace > 1 else WAITS, min(off / FULL, 1.0) if off > NOTICED else 0.0)


def _draw_early(axes: Axes, warp: Warp) -> None:
    axes.axhline(0, color=rgb(FAINT), linewidth=1)
    for i, leg in enumerate(warp.legs):
        axes.plot(warp.time, warp.early[:, i], color=rgb(leg_color(leg, i)))
    reach = 0.05 + float(np.abs(warp.early).max())
    axes.set(ylim=(-reach, reach), xlabel="seconds since the command")
    axes.locator_params("y", nbins=4, steps=[1, 2, 5, 10])
    axes.tick_params("y", pad=8)
    axes.grid(False)


def _add_heading(axes: Axes, words: str) -> None:
    axes.set_title(words, x=MARGIN_SHARE, pad=5)


def _add_key(axes: Axes) -> None:
    """What the marks behind the clocks mean."""
    from matplotlib.patches import Patch

    patches = [Patch(color=rgb(color), label=words) for words, color in (("waits", WAITS), ("hurries", HURRIES))]
    place: dict[str, Any] = {
        "loc": "lower right",
        "bbox_to_anchor": (1.0, 1.0),
        "borderpad": 0.0,
        "borderaxespad": 0.35,
    }
    axes.legend(handles=patches, ncols=2, handlelength=0.8, handleheight=0.8, **place)

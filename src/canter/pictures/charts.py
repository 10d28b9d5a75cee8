"""Charts for pages and reports: lines, dots, bands and bars, drawn by matplotlib (the extra `plots`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
from PIL import Image

from canter.motion.arrays import ArrayLike
from canter.pictures.chart_style import add_title, chart_style, new_figure, rgb, to_image
from canter.pictures.palette import INK, MUTED, PAPER, SERIES, Color, mix

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BAND_OPACITY = 0.18
GROUP_WIDTH = 0.7
"""Share of its place that a group of bars fills."""


@dataclass(frozen=True, eq=False)
class Series:
    """One set of points `x (N,)`, `y (N,)`; NaN breaks a line. `low` and `high (N,)` draw a band around it."""

    name: str
    x: ArrayLike
    y: ArrayLike
    look: Literal["line", "dashed", "dots"] = "line"
    color: Color | None = None
    low: ArrayLike | None = None
    high: ArrayLike | None = None


@dataclass(frozen=True)
class Axis:
    """An axis of a chart: its label, its range (None: that of the data) and whether it is logarithmic."""

    label: str = ""
    range: tuple[float, float] | None = None
    log: bool = False


def line_chart(
    series: Sequence[Series],
    *,
    title: str = "",
    x: Axis | str = "",
    y: Axis | str = "",
    size: tuple[int, int] = (900, 520),
    marks: Sequence[tuple[float, float, str]] = (),
    equal: bool = False,
) -> Image.Image:
    """Lines, dots and bands over shared axes, `size` in pixels.

    `marks` are (from, to, words) along x, shaded behind the data; `equal` gives both axes one scale, as on a map.
    """
    with chart_style():
        figure = new_figure(size)
        axes = figure.add_subplot()
        axes.margins(x=0.02)
        for start, end, words in marks:
            color = mix(PAPER, SERIES[len(axes.patches) % len(SERIES)], 0.09)
            axes.axvspan(start, end, color=rgb(color), linewidth=0, zorder=0)
            above = axes.get_xaxis_transform()
            axes.text((start + end) / 2, 0.98, words, color=rgb(MUTED), ha="center", va="top", transform=above)
        for i, one in enumerate(series):
            draw_series(axes, one, one.color or SERIES[i % len(SERIES)])
        set_axes(axes, _axis(x), _axis(y))
        if equal:
            axes.set_aspect("equal", adjustable="datalim")
        if any(one.name for one in series):
            add_legend(axes)
        if title:
            add_title(figure, title)
        return to_image(figure)


def bar_chart(
    names: Sequence[str],
    values: Mapping[str, ArrayLike],
    *,
    title: str = "",
    y: Axis | str = "",
    size: tuple[int, int] = (900, 520),
    errors: Mapping[str, ArrayLike] | None = None,
) -> Image.Image:
    """Groups of bars: one group for each name, in it one bar for each series; `errors` draws ± whiskers."""
    with chart_style():
        figure = new_figure(size)
        axes = figure.add_subplot()
        width = GROUP_WIDTH / max(len(values), 1)
        whiskers = {"ecolor": rgb(INK), "capsize": 3, "elinewidth": 1}
        for k, (name, heights) in enumerate(values.items()):
            left = np.arange(len(names)) + (k - (len(values) - 1) / 2) * width
            color, error = rgb(SERIES[k % len(SERIES)]), (errors or {}).get(name)
            axes.bar(left, np.asarray(heights), 0.94 * width, yerr=error, color=color, label=name, error_kw=whiskers)
        axes.set_xticks(range(len(names)), names)
        axes.tick_params("x", length=0)
        set_axes(axes, Axis(), _axis(y))
        if len(values) > 1:
            add_legend(axes)
        if title:
            add_title(figure, title)
        return to_image(figure)


def draw_series(axes: Axes, series: Series, color: Color) -> None:
    """Adds the points and the band of a series to a chart."""
    x, y, label = np.asarray(series.x, float), np.asarray(series.y, float), series.name or "_"
    if series.look == "dots":
        axes.scatter(x, y, s=30, color=rgb(color), edgecolors=rgb(PAPER), linewidths=0.6, label=label, zorder=3)
        return
    if series.low is not None and series.high is not None:
        low, high = np.asarray(series.low, float), np.asarray(series.high, float)
        axes.fill_between(x, low, high, color=rgb(color), alpha=BAND_OPACITY, linewidth=0)
    axes.plot(x, y, "--" if series.look == "dashed" else "-", color=rgb(color), label=label)


def set_axes(axes: Axes, x: Axis, y: Axis) -> None:
    """Labels, ranges and scales. The label of y stands above the chart, where it can be read without turning."""
    axes.set_xlabel(x.label)
    axes.set_title(y.label)
    for name, one in (("x", x), ("y", y)):
        if one.log:
            axes.set(**{f"{name}scale": "log"})
        if one.range is not None:
            axes.set(**{f"{name}lim": one.range})
    if not y.log:
        axes.locator_params("y", steps=[1, 2, 5, 10])


def add_legend(axes: Axes) -> None:
    """The names of all series in one row above the chart, at its right."""
    axes.legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=len(axes.get_legend_handles_labels()[0]))


def _axis(axis: Axis | str) -> Axis:
    return Axis(axis) if isinstance(axis, str) else axis

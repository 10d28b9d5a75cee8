"""Plain charts in Pillow: lines, dots, bands and bars with honest axes. For the pages of the documentation."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from PIL import Image, ImageDraw

from canter.motion.arrays import ArrayLike, Floats
from canter.pictures.labels import write_beside
from canter.pictures.palette import FAINT, GRID, INK, MUTED, PAPER, SERIES, Color, mix
from canter.pictures.scales import label, nice_ticks
from canter.pictures.shapes import SMOOTH, Canvas, font, write

Look = Literal["line", "dashed", "dots"]
Marks = Sequence[tuple[float, float, str]]


@dataclass(frozen=True, eq=False)
class Series:
    """One set of points `x (N,)`, `y (N,)`; NaN breaks a line. `low` and `high (N,)` draw a band around it.

    Dots may each have a word of `labels` beside them and a colour of `colors`.
    """

    name: str
    x: ArrayLike
    y: ArrayLike
    look: Look = "line"
    color: Color | None = None
    low: ArrayLike | None = None
    high: ArrayLike | None = None
    labels: Sequence[str] = ()
    colors: Sequence[Color] = ()


@dataclass(frozen=True)
class Axis:
    """A direction of a chart: its words, its range (None: what the data need) and whether it counts in powers."""

    label: str = ""
    range: tuple[float, float] | None = None
    log: bool = False

    def forward(self, values: Floats) -> Floats:
        """Values as they are spaced on the axis."""
        if not self.log:
            return values
        return np.log10(np.where(values > 0, values, np.nan))


@dataclass(frozen=True)
class Area:
    """The inside of a chart in pixels, with the data's range on it (already spaced by the axes)."""

    box: tuple[float, float, float, float]
    x: tuple[float, float]
    y: tuple[float, float]
    axes: tuple[Axis, Axis] = field(default=(Axis(), Axis()))

    def pixels(self, x: ArrayLike, y: ArrayLike) -> Floats:
        left, top, right, bottom = self.box
        a, b = (axis.forward(np.asarray(v, np.float64)) for axis, v in zip(self.axes, (x, y), strict=True))
        across = left + (a - self.x[0]) / (self.x[1] - self.x[0]) * (right - left)
        down = bottom - (b - self.y[0]) / (self.y[1] - self.y[0]) * (bottom - top)
        return np.stack(np.broadcast_arrays(across, down), -1)


def line_chart(
    series: Sequence[Series],
    *,
    title: str = "",
    x: Axis | str = "",
    y: Axis | str = "",
    size: tuple[int, int] = (900, 520),
    marks: Marks = (),
    equal: bool = False,
) -> Image.Image:
    """Lines, dots and bands over shared axes; `marks` are (from, to, words) along x, shaded behind the data.

    `equal` makes a unit as long on both axes, as a map needs it.
    """
    axes = tuple(Axis(a) if isinstance(a, str) else a for a in (x, y))
    colors = [s.color or SERIES[i % len(SERIES)] for i, s in enumerate(series)]
    columns = [[s.x for s in series], [v for s in series for v in (s.y, s.low, s.high) if v is not None]]
    ranges = [_range(axis, data, most) for axis, data, most in zip(axes, columns, (9, 7), strict=True)]
    y_ticks = ticks_of(axes[1], ranges[1], 7)
    named = [(s.name, c) for s, c in zip(series, colors, strict=True) if s.name]
    box = _box(size, title, y_ticks, axes[1], bool(named), axes[0])
    if equal:
        ranges = _equal(ranges, box)
        y_ticks = ticks_of(axes[1], ranges[1], 7)
    area = Area(box, ranges[0], ranges[1], (axes[0], axes[1]))
    canvas = Canvas(*size)
    _marks(canvas, area, marks)
    _grid(canvas, area, y_ticks)
    for one, color in zip(series, colors, strict=True):
        _draw_series(canvas, area, one, color)
    picture = canvas.finish()
    draw = ImageDraw.Draw(picture)
    _frame(draw, area, title, y_ticks, ticks_of(axes[0], ranges[0], 9))
    _legend(draw, area, named)
    _labels(draw, area, series)
    for start, end, words in marks:
        middle = area.pixels([start, end], [10 ** ranges[1][1] if axes[1].log else ranges[1][1]] * 2).mean(axis=0)
        write(draw, (float(middle[0]), area.box[1] + 6), words, 13, MUTED, "ma")
    return picture


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
    axis = Axis(y) if isinstance(y, str) else y
    table = np.array([np.asarray(v, np.float64) for v in values.values()]).reshape(len(values), len(names))
    spread = np.array([np.broadcast_to((errors or {}).get(k, 0.0), len(names)) for k in values], np.float64)
    spread = spread.reshape(table.shape)
    whole = _range(axis, [[0.0], table + spread, table - spread])
    ticks = ticks_of(axis, whole, 7)
    area = Area(
        _box(size, title, ticks, axis, len(values) > 1, Axis()), (0.0, float(max(len(names), 1))), whole, (Axis(), axis)
    )
    canvas = Canvas(*size)
    _grid(canvas, area, ticks)
    width = 0.7 / max(len(values), 1)
    for k, (row, error) in enumerate(zip(table, spread, strict=True)):
        for i, (value, reach) in enumerate(zip(row, error, strict=True)):
            if math.isfinite(value):
                _bar(canvas, area, i + 0.15 + k * width, width, float(value), float(reach), SERIES[k % len(SERIES)])
    picture = canvas.finish()
    draw = ImageDraw.Draw(picture)
    _frame(draw, area, title, ticks, [])
    for i, name in enumerate(names):
        middle = area.pixels([i + 0.5], [whole[0]])[0]
        write(draw, (float(middle[0]), area.box[3] + 10), name, 15, INK, "ma")
    _legend(draw, area, [(k, SERIES[i % len(SERIES)]) for i, k in enumerate(values)] if len(values) > 1 else [])
    return picture


def inside(size: tuple[int, int], x: Axis, y: Axis) -> tuple[float, float]:
    """From where to where a line chart of that size, without a title, has its data, in pixels across; y has a range."""
    ticks = ticks_of(y, _range(y, []), 7)
    left, _, right, _ = _box(size, "", ticks, y, True, x)
    return left, right


def joined(pictures: Sequence[Image.Image], *, down: bool = False) -> Image.Image:
    """Pictures side by side, or one below the other, on one page."""
    sizes = np.array([picture.size for picture in pictures])
    along = 1 if down else 0
    places = np.concatenate([[0], np.cumsum(sizes[:, along])])
    page = Image.new(
        "RGB", (int(sizes[:, 0].max()), int(places[-1])) if down else (int(places[-1]), int(sizes[:, 1].max())), PAPER
    )
    for picture, place in zip(pictures, places.tolist(), strict=False):
        page.paste(picture, (0, place) if down else (place, 0))
    return page


def _equal(ranges: list[tuple[float, float]], box: tuple[float, float, float, float]) -> list[tuple[float, float]]:
    """The ranges with the one that is drawn larger widened around its middle."""
    room = np.array([box[2] - box[0], box[3] - box[1]])
    unit = max((high - low) / length for (low, high), length in zip(ranges, room, strict=True))
    middles = [(low + high) / 2 for low, high in ranges]
    return [(m - unit * n / 2, m + unit * n / 2) for m, n in zip(middles, room.tolist(), strict=True)]


def _bar(canvas: Canvas, area: Area, left: float, width: float, value: float, reach: float, color: Color) -> None:
    (x0, y0), (x1, y1) = area.pixels([left + 0.02, left + width - 0.02], [0.0, value])
    canvas.polygon(np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]]), color)
    if reach > 0:
        ends = area.pixels([left + width / 2] * 2, [value - reach, value + reach])
        canvas.line(ends, INK, 1.2)
        for x, y in ends:
            canvas.line([(x - 4, y), (x + 4, y)], INK, 1.2)


def _range(axis: Axis, columns: Sequence[ArrayLike], most: int = 7) -> tuple[float, float]:
    """The axis' own range or that of the data, widened a little and never empty; spaced as the axis is."""
    if axis.range is not None:
        low, high = (float(v) for v in axis.forward(np.asarray(axis.range, np.float64)))
    else:
        flat = [axis.forward(np.asarray(column, np.float64)).ravel() for column in columns]
        values = np.concatenate(flat) if flat else np.zeros(0)
        values = values[np.isfinite(values)]
        low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 1.0)
        ticks = nice_ticks(low, high, most)
        step = ticks[1] - ticks[0] if len(ticks) > 1 and not axis.log else 0.0
        if step:
            low, high = math.floor(low / step + 1e-6) * step, math.ceil(high / step - 1e-6) * step
    if not (math.isfinite(low) and math.isfinite(high)) or high - low < 1e-12 * max(abs(low), abs(high), 1.0):
        low, high = (low - 0.5, low + 0.5) if math.isfinite(low) else (0.0, 1.0)
    return low, high


def ticks_of(axis: Axis, whole: tuple[float, float], most: int) -> list[tuple[float, str]]:
    """Where the axis has numbers, in data values, and the numbers."""
    if not axis.log:
        ticks = nice_ticks(*whole, most)
        step = ticks[1] - ticks[0] if len(ticks) > 1 else abs(ticks[0]) or 1.0
        return [(tick, label(tick, step)) for tick in ticks]
    powers = range(math.floor(whole[0]), math.ceil(whole[1]) + 1)
    for multiples in (range(1, 10), (1, 2, 5), (1,)):
        values = [m * 10.0**p for p in powers for m in multiples]
        inside = [v for v in values if whole[0] - 1e-9 <= math.log10(v) <= whole[1] + 1e-9]
        if len(inside) <= most:
            break
    return [(v, f"{v:g}") for v in inside]


def _box(
    size: tuple[int, int], title: str, ticks: list[tuple[float, str]], y: Axis, legend: bool, x: Axis
) -> tuple[float, float, float, float]:
    """The chart's inside: as much as words and numbers around it leave."""
    widest = max((font(15).getlength(text) for _, text in ticks), default=0.0)
    top = 28 + (44 if title else 0) + (26 if y.label or legend else 0)
    return 28 + widest + 12, top, size[0] - 36, size[1] - (72 if x.label else 48)


def _marks(canvas: Canvas, area: Area, marks: Marks) -> None:
    bottom = 10 ** area.y[0] if area.axes[1].log else area.y[0]
    for i, (start, end, _) in enumerate(marks):
        (x0, _), (x1, _) = area.pixels([start, end], [bottom, bottom])
        x0, x1 = (float(np.clip(v, area.box[0], area.box[2])) for v in (x0, x1))
        box = np.array([[x0, area.box[1]], [x1, area.box[1]], [x1, area.box[3]], [x0, area.box[3]]])
        canvas.polygon(box, mix(PAPER, SERIES[i % len(SERIES)], 0.09))


def _grid(canvas: Canvas, area: Area, ticks: list[tuple[float, str]]) -> None:
    for value, _ in ticks:
        y = float(area.pixels([1.0], [value])[0, 1])
        canvas.line([(area.box[0], y), (area.box[2], y)], GRID, 1)


def _draw_series(canvas: Canvas, area: Area, series: Series, color: Color) -> None:
    points = area.pixels(series.x, series.y)
    if series.look == "dots":
        for i in np.flatnonzero(np.isfinite(points).all(axis=1)).tolist():
            canvas.dot(points[i, 0], points[i, 1], 4.2 if not series.labels else 6.4, PAPER)
            canvas.dot(
                points[i, 0],
                points[i, 1],
                3.4 if not series.labels else 5.4,
                series.colors[i] if series.colors else color,
            )
        return
    finite = np.asarray(np.isfinite(points).all(axis=1))
    runs = np.split(np.arange(len(points)), np.flatnonzero(np.diff(finite.astype(int))) + 1)
    runs = [run for run in runs if len(run) and finite[run[0]]]
    if series.low is not None and series.high is not None:
        low, high = area.pixels(series.x, series.low), area.pixels(series.x, series.high)
        bands = [np.concatenate([low[run], high[run][::-1]]) for run in runs if len(run) > 1]
        _shade(canvas, [band for band in bands if np.isfinite(band).all()], color)
    for run in runs:
        if len(run) == 1:
            canvas.dot(float(points[run[0], 0]), float(points[run[0], 1]), 1.6, color)
        else:
            for piece in dashes(points[run]) if series.look == "dashed" else [points[run]]:
                canvas.line(piece, color, 2.2)


def _labels(draw: ImageDraw.ImageDraw, area: Area, series: Sequence[Series]) -> None:
    """Words beside their dots, on the side where they cover least of what is drawn."""
    drawn = [area.pixels(one.x, one.y) for one in series]
    dots = [points for points, one in zip(drawn, series, strict=True) if one.look == "dots"]
    labels = [
        (point, words)
        for points, one in zip(drawn, series, strict=True)
        for point, words in zip(points, one.labels, strict=False)
    ]
    write_beside(draw, labels, np.concatenate([np.zeros((0, 2)), *drawn, *dots * 20]), area.box)


def _shade(canvas: Canvas, bands: Sequence[Floats], color: Color) -> None:
    mask = Image.new("L", canvas.image.size, 0)
    for band in bands:
        ImageDraw.Draw(mask).polygon((band * SMOOTH).ravel().tolist(), fill=46)
    canvas.image.paste(color, (0, 0, *canvas.image.size), mask)


def dashes(points: Floats, on: float = 9.0, off: float = 6.0) -> list[Floats]:
    """A line cut into dashes of `on` pixels."""
    if len(points) < 2:
        return []
    along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
    starts = np.arange(0, along[-1], on + off)
    pieces = []
    for start in starts:
        at = np.unique(
            np.concatenate([[start], along[(along > start) & (along < start + on)], [min(start + on, along[-1])]])
        )
        pieces.append(np.stack([np.interp(at, along, points[:, i]) for i in (0, 1)], -1))
    return [piece for piece in pieces if len(piece) > 1]


def _frame(
    draw: ImageDraw.ImageDraw,
    area: Area,
    title: str,
    y_ticks: list[tuple[float, str]],
    x_ticks: list[tuple[float, str]],
) -> None:
    """Title, axes, numbers and words."""
    left, top, right, bottom = area.box
    if title:
        write(draw, (28, 26), title, 24, INK)
    if area.axes[1].label:
        write(draw, (28, top - 28), area.axes[1].label, 15, MUTED)
    draw.line([(left, bottom), (right, bottom)], fill=FAINT)
    for value, text in y_ticks:
        write(draw, (left - 10, float(area.pixels([1.0], [value])[0, 1])), text, 15, INK, "rm")
    low = 10 ** area.y[0] if area.axes[1].log else area.y[0]
    for value, text in x_ticks:
        x = float(area.pixels([value], [low])[0, 0])
        draw.line([(x, bottom), (x, bottom + 5)], fill=MUTED)
        write(draw, (x, bottom + 10), text, 15, INK, "ma")
    if area.axes[0].label:
        write(draw, ((left + right) / 2, bottom + 40), area.axes[0].label, 15, MUTED, "ma")


def _legend(draw: ImageDraw.ImageDraw, area: Area, items: list[tuple[str, Color]]) -> None:
    """Names beside swatches, right-aligned over the chart."""
    x, y = area.box[2], area.box[1] - 20
    for name, color in reversed(items):
        x -= font(15).getlength(name)
        write(draw, (x, y), name, 15, INK, "lm")
        draw.rounded_rectangle([x - 20, y - 5, x - 8, y + 5], 3, fill=color)
        x -= 40

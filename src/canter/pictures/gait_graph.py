"""The gait graph of an animal: which gait it takes at which speed, and where it changes over (after Sung 2013)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from PIL import Image, ImageDraw

from canter.pictures.palette import FAINT, GRID, INK, MUTED, PAPER, Color, gait_color, mix
from canter.pictures.plot import Area, Axis, dashes
from canter.pictures.shapes import Canvas, write

WIDTH, LEFT, RIGHT, TOP = 1000, 150, 36, 104
LANE, BAR, STYLE_BAR = 78, 30, 20
STYLES_GAP = 46
SPEEDS = (0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5, 7, 10, 15, 20)
"""Where the axis may have numbers."""


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
    bottom = stairs + (STYLES_GAP + 34 * len(styles) if styles else 0)
    speeds = [speed for gait in (*gaits, *styles) for speed in (gait.low, gait.high)]
    axis = Axis("speed, m/s", log=True)
    whole = (float(np.log10(0.9 * min(speeds))), float(np.log10(1.04 * max(speeds))))
    area = Area((LEFT, TOP, WIDTH - RIGHT, bottom), whole, (0.0, 1.0), (axis, Axis()))
    rows = [stairs - LANE * (k + 0.5) for k in range(len(gaits))]
    canvas = Canvas(WIDTH, bottom + 78)
    ticks = [(speed, f"{speed:g}") for speed in SPEEDS if whole[0] <= np.log10(speed) <= whole[1]]
    for value, _ in ticks:
        x = _across(area, value)
        canvas.line([(x, TOP - 8), (x, bottom)], GRID)
    for (slow, y), (fast, above) in pairwise(zip(gaits, rows, strict=True)):
        _border(canvas, area, slow, fast, (y, above), hysteresis)
    for gait, y in zip(gaits, rows, strict=True):
        _bar(canvas, area, gait, y, BAR, gait.color)
    for k, style in enumerate(styles):
        _bar(canvas, area, style, stairs + STYLES_GAP + 34 * (k + 0.5), STYLE_BAR, mix(style.color, PAPER, 0.25))
    picture = canvas.finish()
    draw = ImageDraw.Draw(picture)
    write(draw, (28, 26), title, 24)
    words = "A dot is the clip of a gait. Neighbours meet at the harmonic mean of their clips' speeds"
    kept = f"; a gait is kept for {hysteresis:.0%} beyond." if hysteresis else "."
    write(draw, (28, 60), words + kept, 15, MUTED)
    for gait, y in zip(gaits, rows, strict=True):
        write(draw, (28, y), gait.name, 20, mix(gait.color, INK, 0.3), "lm")
        _speeds(draw, area, gait, y, 15)
    if styles:
        draw.line([(28, stairs + 12), (WIDTH - RIGHT, stairs + 12)], fill=FAINT)
        draw.rectangle([28, stairs + 13, 320, stairs + 40], fill=PAPER)
        write(draw, (28, stairs + 20), "styles, taken only when they are asked for", 15, MUTED)
    for k, style in enumerate(styles):
        y = stairs + STYLES_GAP + 34 * (k + 0.5)
        write(draw, (28, y), style.name, 17, mix(style.color, INK, 0.2), "lm")
        _speeds(draw, area, style, y, 14)
    for slow, y in zip(gaits[:-1], rows, strict=False):
        _turns(draw, area, slow.high, y - LANE / 2, hysteresis)
    draw.line([(LEFT, bottom), (WIDTH - RIGHT, bottom)], fill=FAINT)
    for value, text in ticks:
        write(draw, (_across(area, value), bottom + 10), text, 15, INK, "ma")
    write(draw, ((LEFT + WIDTH - RIGHT) / 2, bottom + 38), axis.label, 15, MUTED, "ma")
    return picture


def _across(area: Area, speed: float) -> float:
    return float(area.pixels([speed], [0.0])[0, 0])


def _bar(canvas: Canvas, area: Area, gait: GaitRange, y: float, height: float, color: Color) -> None:
    """The range as a bar and the clip as a dot on it."""
    left, right, at = (_across(area, speed) for speed in (gait.low, gait.high, gait.usual))
    box = [left * 2, (y - height / 2) * 2, right * 2, (y + height / 2) * 2]
    canvas.draw.rounded_rectangle(box, 8, fill=color)
    canvas.dot(at, y, 0.23 * height, PAPER)


def _speeds(draw: ImageDraw.ImageDraw, area: Area, gait: GaitRange, y: float, size: int) -> None:
    """The usual speed beside its dot, where the bar has room for it."""
    left, right, at = (_across(area, speed) for speed in (gait.low, gait.high, gait.usual))
    if right - at > 60:
        write(draw, (at + 13, y), f"{gait.usual:.3g}", size, PAPER, "lm")
    elif at - left > 60:
        write(draw, (at - 13, y), f"{gait.usual:.3g}", size, PAPER, "rm")


def _border(
    canvas: Canvas, area: Area, slow: GaitRange, fast: GaitRange, rows: tuple[float, float], hysteresis: float
) -> None:
    """Where two gaits meet: how far each is kept, the way up at the far side of that and the way down at the near."""
    y, above = rows
    x, up, down = (_across(area, slow.high * share) for share in (1.0, 1 + hysteresis, 1 - hysteresis))
    low, high = y - BAR / 2, above + BAR / 2
    for end, row, color in ((up, y, slow.color), (down, above, fast.color)):
        box = np.array([[x, row - BAR / 2], [end, row - BAR / 2], [end, row + BAR / 2], [x, row + BAR / 2]])
        canvas.polygon(box, mix(color, PAPER, 0.6))
    for piece in dashes(np.array([[x, low], [x, high]]), 4, 4):
        canvas.line(piece, MUTED, 1)
    _arrow(canvas, up, low - 2, high + 4, mix(fast.color, INK, 0.15))
    _arrow(canvas, down, high + 2, low - 4, mix(slow.color, INK, 0.15))


def _arrow(canvas: Canvas, x: float, start: float, end: float, color: Color) -> None:
    """Up or down from `start` to `end`."""
    back = 8 if end < start else -8
    canvas.line([(x, start), (x, end + back / 2)], color, 2)
    canvas.polygon(np.array([[x, end], [x - 5, end + back], [x + 5, end + back]]), color)


def _turns(draw: ImageDraw.ImageDraw, area: Area, border: float, y: float, hysteresis: float) -> None:
    """The speeds at which an animal changes over: down on the left, up on the right, the border in words between."""
    up, down = border * (1 + hysteresis), border * (1 - hysteresis)
    write(draw, (_across(area, up) + 11, y), f"up at {up:.2f}", 15, INK, "lm")
    write(draw, (_across(area, down) - 11, y), f"down at {down:.2f}", 15, INK, "rm")

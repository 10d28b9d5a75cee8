"""A transition leg by leg: the weights of the gaits, the clock of every leg, and who waits and who hurries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageDraw

from canter.anatomy.contacts import runs
from canter.motion.arrays import Bools, Floats
from canter.pictures.palette import FAINT, INK, MUTED, PANEL, PAPER, Color, gait_color, leg_color, mix
from canter.pictures.plot import Area, dashes
from canter.pictures.scales import label, nice_ticks
from canter.pictures.shapes import Canvas, write

WIDTH, LEFT, RIGHT, TOP = 1000, 150, 36, 104
INSIDE = WIDTH - LEFT - RIGHT
WEIGHTS, CLOCK, BAR, LANE, EARLY, GAP = 56, 46, 12, 76, 130, 34
"""Heights of the panels, of a leg's clock, its bar and its lane, and what is between panels."""
HURRIES, WAITS = (236, 205, 40), (140, 156, 190)
NOTICED, FULL = 0.02, 0.4
"""Shares of its pace by which a leg must be off to be marked, and by which it is marked in full."""


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


def warp_picture(warp: Warp, *, title: str = "", told: str = "", poses: Image.Image | None = None) -> Image.Image:
    """The weights above, a lane of clock and footfalls for each leg, and how early the legs are; one time for all.

    `told` is what was commanded at time 0, in words; `poses` a strip of the animal, `INSIDE` pixels wide.
    """
    top = TOP + (poses.height - 8 if poses is not None else 0)
    lanes = top + WEIGHTS + GAP
    early = lanes + LANE * len(warp.legs) + GAP
    bottom = early + EARLY
    canvas = Canvas(WIDTH, bottom + 78)
    right = WIDTH - RIGHT
    span = (float(warp.time[0]), float(warp.time[-1]))
    weights = Area((LEFT, top, right, top + WEIGHTS), span, (0.0, 1.0))
    clocks = [Area((LEFT, y, right, y + CLOCK), span, (0.0, 2.0)) for y in _tops(lanes, warp)]
    reach = 0.05 + float(np.abs(warp.early).max())
    offs = Area((LEFT, early, right, bottom), span, (-reach, reach))
    _draw_weights(canvas, weights, warp)
    for i, area in enumerate(clocks):
        _draw_lane(canvas, area, warp, i)
    canvas.line(offs.pixels(span, [0, 0]), FAINT, 1.4)
    for i, leg in enumerate(warp.legs):
        canvas.line(offs.pixels(warp.time, warp.early[:, i]), leg_color(leg, i), 2.4)
    start = float(weights.pixels([0], [0])[0, 0])
    for piece in dashes(np.array([[start, top - 6], [start, bottom]]), 5, 4):
        canvas.line(piece, INK, 1)
    picture = canvas.finish()
    draw = ImageDraw.Draw(picture)
    write(draw, (28, 26), title, 24)
    if poses is not None:
        picture.paste(poses, (LEFT, TOP - 34))
    write(draw, (start, top - 12), told, 15, INK, "ms")
    _words(draw, warp, weights, clocks, offs)
    return picture


def _tops(top: int, warp: Warp) -> list[int]:
    return [top + LANE * i for i in range(len(warp.legs))]


def _draw_weights(canvas: Canvas, area: Area, warp: Warp) -> None:
    """The weights of the gaits on top of each other, which fill the panel."""
    base = np.zeros_like(warp.time)
    for i, (gait, weight) in enumerate(warp.weights.items()):
        edge = np.concatenate([area.pixels(warp.time, base), area.pixels(warp.time, base + weight)[::-1]])
        canvas.polygon(edge, mix(gait_color(gait, i), PAPER, 0.25))
        base = base + weight


def _draw_lane(canvas: Canvas, area: Area, warp: Warp, leg: int) -> None:
    """The clock of a leg over the marks of where it hurries or waits, and its footfalls under it."""
    left, top, right, bottom = area.box
    color = leg_color(warp.legs[leg], leg)
    canvas.polygon(_rectangle(left, top, right, bottom), PANEL)
    step = float(warp.time[1] - warp.time[0])
    for t, pace in zip(warp.time, warp.pace[:, leg], strict=True):
        if abs(pace - 1) > NOTICED:
            (x0, _), (x1, _) = area.pixels([t - step / 2, t + step / 2], [0, 0])
            canvas.polygon(_rectangle(x0, top, x1, bottom), _mark(float(pace)))
    canvas.line(area.pixels([warp.time[0], warp.time[-1]], [1, 1]), FAINT, 1)
    again = np.flatnonzero(np.diff(warp.clocks[:, leg]) < 0) + 1
    for run in np.split(np.arange(len(warp.time)), again):
        if len(run) > 1:
            canvas.line(area.pixels(warp.time[run], warp.clocks[run, leg]), color, 2.2)
    canvas.polygon(_rectangle(left, bottom + 4, right, bottom + 4 + BAR), PANEL)
    for first, last in runs(warp.contacts[:, leg]):
        (x0, _), (x1, _) = area.pixels(warp.time[[first, last - 1]] + [-step / 2, step / 2], [0, 0])
        canvas.polygon(_rectangle(max(x0, left), bottom + 4, min(x1, right), bottom + 4 + BAR), color)


def _mark(pace: float) -> Color:
    """The colour behind a leg that goes at such a pace."""
    return mix(PANEL, HURRIES if pace > 1 else WAITS, min(abs(pace - 1) / FULL, 1.0))


def _rectangle(left: float, top: float, right: float, bottom: float) -> Floats:
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]])


def _words(draw: ImageDraw.ImageDraw, warp: Warp, weights: Area, clocks: Sequence[Area], offs: Area) -> None:
    """What the panels are, whose the lanes are, and the seconds below."""
    left, top, right, bottom = weights.box
    middle = (top + bottom) / 2
    write(draw, (28, middle), "weights", 15, MUTED, "lm")
    first, last = next(iter(warp.weights)), list(warp.weights)[-1]
    write(draw, (left + 14, middle), first, 17, PAPER, "lm")
    write(draw, (right - 14, middle), last, 17, PAPER, "rm")
    for i, area in enumerate(clocks):
        leg = warp.legs[i]
        write(draw, (28, area.box[1] + CLOCK / 2), leg, 20, leg_color(leg, i), "lm")
        for value, name in ((1.5, "swings"), (0.5, "stands")):
            at = float(area.pixels([0], [value])[0, 1])
            write(draw, (left - 12, at), name, 14, MUTED, "rm")
    write(draw, (28, clocks[0].box[1] - 22), "the clock of each leg, and when its foot is down", 15, MUTED)
    _key(draw, right, clocks[0].box[1] - 14)
    write(draw, (28, offs.box[1] - 22), "strides that a leg is early (above) or late for the new gait", 15, MUTED)
    ticks = nice_ticks(*offs.y, 6)
    for value in (tick for tick in ticks if abs(tick) < 0.9 * offs.y[1]):
        y = float(offs.pixels([0], [value])[0, 1])
        write(draw, (left - 12, y), label(value, ticks[1] - ticks[0]), 15, INK, "rm")
    y = offs.box[3]
    draw.line([(left, y), (right, y)], fill=FAINT)
    seconds = nice_ticks(*offs.x, 9)
    for value in seconds:
        x = float(offs.pixels([value], [0])[0, 0])
        draw.line([(x, y), (x, y + 5)], fill=MUTED)
        write(draw, (x, y + 10), label(value, seconds[1] - seconds[0]), 15, INK, "ma")
    write(draw, ((left + right) / 2, y + 38), "seconds since the command", 15, MUTED, "ma")


def _key(draw: ImageDraw.ImageDraw, right: float, y: float) -> None:
    """What the marks behind the clocks mean."""
    x = right
    for words, color in (("hurries", HURRIES), ("waits", WAITS)):
        x -= draw.textlength(words, font_size=15)
        write(draw, (x, y), words, 15, INK, "lm")
        draw.rounded_rectangle([x - 20, y - 6, x - 8, y + 6], 3, fill=color)
        x -= 40

"""The footfall diagram: a bar for each leg, filled while its foot is on the ground (Hildebrand 1989)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PIL import ImageDraw

from canter.anatomy import Clip, Leg
from canter.anatomy.contacts import runs
from canter.motion.arrays import Bools
from canter.pictures.palette import FAINT, GRID, INK, MUTED, PANEL, PAPER, gait_color, leg_color, mix
from canter.pictures.scales import nice_ticks
from canter.pictures.shapes import fit, write
from canter.pictures.stride import Span, contacts_at


@dataclass(frozen=True)
class Box:
    """The area of a diagram on the page, in pixels."""

    left: int
    right: int
    top: int

    @property
    def width(self) -> int:
        return self.right - self.left


def contact_columns(clip: Clip, span: Span, width: int) -> Bools:
    """Which feet are down in each of `width` columns of pixels over the span: `(width, L)`."""
    return contacts_at(clip, span.start + (np.arange(width) + 0.5) / width * span.frames, span.loop)


def draw_footfalls(
    draw: ImageDraw.ImageDraw,
    box: Box,
    legs: tuple[Leg, ...],
    clip: Clip,
    span: Span,
    stride: Span,
    labels: int,
    *,
    bar: int = 24,
    columns: int = 0,
) -> int:
    """Draws the bars of `span` and its time axis; returns the y below. In a longer span the `stride` is marked."""
    columns_down = contact_columns(clip, span, box.width)
    lane, y = bar + max(4, bar // 3), box.top
    bottom = y + lane * len(legs)
    overview = stride.stride and stride.frames < 0.95 * span.frames
    if overview:
        _mark(draw, box, bottom, span, stride)
    for i, leg in enumerate(legs):
        write(draw, (labels, y + bar / 2), leg.name, 17 if bar > 16 else 13, leg_color(leg.name, i), "lm")
        draw.rectangle([box.left, y, box.right - 1, y + bar - 1], fill=PANEL)
        down = columns_down[:, i] if i < columns_down.shape[1] else np.zeros(box.width, bool)
        for start, end in runs(down):
            draw.rectangle([box.left + start, y, box.left + end - 1, y + bar - 1], fill=leg_color(leg.name, i))
        y += lane
    for k in range(columns if legs else 0):
        x = box.left + round((k + 0.5) * box.width / columns)
        draw.line([(x, box.top - 14), (x, box.top - 6)], fill=MUTED)
    if not legs:
        write(draw, (box.left, y), "no legs are known", 16, MUTED)
        y += 26
    return _axis(draw, box, y, clip, span)


def draw_spans(draw: ImageDraw.ImageDraw, box: Box, clip: Clip, bar: int = 22) -> int:
    """Draws what a take shows when, a block for each span with its label where it fits; returns the y below."""
    seconds = max(len(clip.motion) - 1, 1) / clip.motion.frame_rate
    names = list(dict.fromkeys(span.label for span in clip.footfalls.spans))
    for span in clip.footfalls.spans:
        first, last = (box.left + round(min(t / seconds, 1.0) * (box.width - 1)) for t in (span.start, span.end))
        color = gait_color(span.label, names.index(span.label))
        draw.rectangle([first, box.top, max(last - 2, first), box.top + bar - 1], fill=mix(color, PAPER, 0.35))
        text = fit(draw, span.label, 14, last - first - 8)
        if len(text) > 2:
            write(draw, ((first + last) / 2, box.top + bar / 2), text, 14, INK, "mm")
    return box.top + bar


def _mark(draw: ImageDraw.ImageDraw, box: Box, bottom: int, span: Span, stride: Span) -> None:
    """Marks the part of the clip that the poses above are from."""
    at = [box.left + (x - span.start) / span.frames * box.width for x in (stride.start, stride.start + stride.frames)]
    draw.rectangle([round(at[0]), box.top - 7, min(round(at[1]), box.right - 1), bottom + 1], fill=GRID)
    middle = min(max((at[0] + at[1]) / 2, box.left + 40), box.right - 40)
    write(draw, (middle, box.top - 10), "shown above", 13, MUTED, "ms")


def _axis(draw: ImageDraw.ImageDraw, box: Box, y: int, clip: Clip, span: Span) -> int:
    """Time under the bars: in percent of a stride and seconds, or in seconds alone."""
    y += 2
    seconds = span.frames / clip.motion.frame_rate
    draw.line([(box.left, y), (box.right - 1, y)], fill=FAINT)
    ticks = (
        np.linspace(0, 1, 5) if span.stride else np.asarray(nice_ticks(0, max(seconds, 1e-9), 10)) / max(seconds, 1e-9)
    )
    for tick in ticks[ticks <= 1 + 1e-9]:
        x = box.left + round(tick * (box.width - 1))
        draw.line([(x, y), (x, y + 6)], fill=MUTED)
        anchor = "la" if tick == 0 else "ra" if tick > 0.995 else "ma"
        text = f"{tick:.0%}" if span.stride else f"{tick * seconds:g} s"
        width = write(draw, (x, y + 10), text, 15, INK, anchor)
        if span.stride and tick > 0:
            shift = {"ma": width / 2 + 8, "ra": -width - 8}[anchor]
            write(draw, (x + shift, y + 10), f"{tick * seconds:.2f} s", 15, MUTED, "la" if shift > 0 else "ra")
    return y + 30

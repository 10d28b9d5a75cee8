"""The header of a contact sheet: names, gait, speed and stride, and a table of duty factor and phase per leg."""

from __future__ import annotations

import math

from PIL import ImageDraw

from canter.anatomy import Character, Clip
from canter.pictures.palette import FAINT, INK, MUTED, leg_color
from canter.pictures.scales import with_unit
from canter.pictures.shapes import fit, write
from canter.pictures.stride import Span

COLUMN_PIXELS = 66


def draw_header(draw: ImageDraw.ImageDraw, character: Character, clip: Clip, span: Span, left: int, right: int) -> int:
    """Title, facts and the table of legs; returns the y below them."""
    table = right - _table(draw, character, clip, right, 52)
    y = 44
    room = table - left - 40
    name = fit(draw, character.name, 38, room * 0.6)
    width = write(draw, (left, y), name, 38)
    if clip.name and clip.name != character.name:
        write(draw, (left + width + 18, y), fit(draw, clip.name, 38, room - width - 18), 38, MUTED)
    write(draw, (left, y + 58), fit(draw, gait_line(clip), 22, room), 22)
    write(draw, (left, y + 92), fit(draw, speed_line(character, clip), 19, room), 19)
    write(draw, (left, y + 122), fit(draw, source_line(clip, span), 15, room), 15, MUTED)
    draw.line([(left, y + 156), (right, y + 156)], fill=FAINT)
    return y + 156


def gait_line(clip: Clip) -> str:
    """The gait, and the second most likely one where there is doubt."""
    falls = clip.footfalls
    gait = falls.gait or "unknown gait"
    sequence = getattr(falls, "sequence", "")
    gait = f"{sequence} {gait}" if sequence and sequence not in gait else gait
    return f"{gait}, or {falls.runner_up}" if falls.runner_up else gait


def speed_line(character: Character, clip: Clip) -> str:
    """Speed and stride, as far as they are known."""
    falls, height = clip.footfalls, character.anatomy.hip_height
    stride = " ".join(x for x in (with_unit(falls.stride_seconds, "s"), with_unit(falls.stride_length, "m")) if x)
    parts = [
        with_unit(falls.speed, "m/s"),
        with_unit(falls.speed / height if height > 0 else math.nan, "hip heights/s"),
        "in place" if falls.in_place else "",
        f"stride {stride.replace(' s ', ' s, ')}" if stride else "",
        f"Froude {falls.froude:.2f}" if math.isfinite(falls.froude) else "",
        f"skating {falls.skating_cm:.1f} cm" if math.isfinite(falls.skating_cm) else "",
    ]
    return "   ·   ".join(part for part in parts if part)


def source_line(clip: Clip, span: Span) -> str:
    """Which frames the poses are from, and the doubts about the clip."""
    motion = clip.motion
    kind = "loop" if clip.footfalls.loop else "take"
    whole = f"{kind} of {len(motion)} frames, {motion.seconds:.2f} s at {motion.frame_rate:g} frames a second"
    shown = (
        f"; one stride, frames {math.ceil(span.start)} to {math.ceil(span.start + span.frames)}" if span.stride else ""
    )
    doubts = "; ".join(clip.footfalls.doubts)
    return whole + shown + (f". Doubts: {doubts}" if doubts else "")


def _table(draw: ImageDraw.ImageDraw, character: Character, clip: Clip, right: int, y: int) -> int:
    """Duty and phase of each leg, right-aligned; returns the width used."""
    legs, falls = character.anatomy.legs, clip.footfalls
    if not legs or not (falls.duty or falls.phases):
        return 0
    left = right - COLUMN_PIXELS * len(legs)
    rows = (("duty", falls.duty), ("phase", falls.phases))
    for i, leg in enumerate(legs):
        write(draw, (left + (i + 1) * COLUMN_PIXELS, y), leg.name, 19, leg_color(leg.name, i), "ra")
    for k, (title, values) in enumerate(rows):
        write(draw, (left - 4, y + 34 + 30 * k), title, 16, MUTED, "ra")
        for i, leg in enumerate(legs):
            value = values.get(leg.name, math.nan)
            text = f"{value:.2f}" if math.isfinite(value) else "–"
            write(draw, (left + (i + 1) * COLUMN_PIXELS, y + 32 + 30 * k), text, 18, INK, "ra")
    return COLUMN_PIXELS * len(legs) + 60

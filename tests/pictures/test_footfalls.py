"""The diagrams of what feet do and of what a take shows."""

from __future__ import annotations

from dataclasses import replace

from PIL import Image, ImageDraw

from canter.anatomy.character import TakeSpan
from canter.pictures.footfalls import Box, draw_spans
from canter.pictures.palette import PAPER, gait_color, mix
from canter.synthetic import example_character


def test_spans_are_blocks_in_their_order() -> None:
    walk = example_character().clip("walk")
    seconds = (len(walk.motion) - 1) / walk.motion.frame_rate
    spans = (TakeSpan(0.0, seconds / 4, "stand"), TakeSpan(seconds / 4, seconds, "walk"))
    clip = replace(walk, footfalls=replace(walk.footfalls, spans=spans))
    page = Image.new("RGB", (440, 60), PAPER)
    assert draw_spans(ImageDraw.Draw(page), Box(20, 420, 10), clip, bar=22) == 32
    stand, walks = (mix(gait_color(name), PAPER, 0.35) for name in ("stand", "walk"))
    assert page.getpixel((25, 12)) == page.getpixel((110, 12)) == stand
    assert page.getpixel((130, 12)) == page.getpixel((410, 12)) == walks
    assert page.getpixel((430, 12)) == page.getpixel((25, 40)) == PAPER

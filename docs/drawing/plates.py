"""Small pictures of a clip for a page: a sheet and a GIF that loops, light enough to be kept with the code."""

from __future__ import annotations

from pathlib import Path

from canter.anatomy import Character, Clip
from canter.pictures.gif import animate
from canter.pictures.indexed import indexed
from canter.pictures.palette import FAINT, INK, MUTED, PANEL, PAPER, leg_color
from canter.pictures.sheet import contact_sheet

SHEET = (1280, 6, 128)
"""A sheet's width, its moments and its colours."""
GIF_SIZE = (288, 192)
DELAYS = (5, 6, 7)
"""Hundredths of a second that a frame may stay, in which GIFs count."""
MOST_FRAMES = 48
COLORS = (64, 40, 24)
"""Colours of a GIF: fewer are tried until it is light enough, then fewer frames."""
STRIDE_BYTES, TAKE_BYTES = 150_000, 220_000
"""The heaviest that a GIF of one stride and of anything longer should be."""


def draw_sheet(character: Character, clip: Clip, path: Path) -> None:
    """The clip's moments from the side and at a slant over its footfalls."""
    width, moments, colors = SHEET
    page = contact_sheet(character, clip, width=width, moments=moments, bones=False)
    legs = (leg_color(leg.name, i) for i, leg in enumerate(character.anatomy.legs))
    indexed([page], colors, (PAPER, INK, MUTED, FAINT, PANEL, *legs))[0].save(path, "PNG", optimize=True)


def draw_gif(character: Character, clip: Clip, path: Path) -> None:
    """The clip at a slant, without words, as rich as is light enough."""
    stride = clip.footfalls.stride_seconds > 0
    heaviest, frames = STRIDE_BYTES if stride else TAKE_BYTES, MOST_FRAMES
    for colors in (*COLORS, COLORS[-1]) if stride else COLORS[-1:] * 2:
        fps = frames_a_second(clip, frames)
        animate(character, clip, path, size=GIF_SIZE, fps=fps, words=False, colors=colors)
        weight = path.stat().st_size / heaviest
        if weight <= 1:
            return
        if colors == COLORS[-1]:
            frames = int(0.95 * fps * clip.motion.seconds / weight)


def frames_a_second(clip: Clip, most: int) -> float:
    """A rate at which a GIF of the clip takes as long as the clip, with at most so many frames."""
    hundredths = max(100 * clip.motion.seconds, 1.0)
    off = {d: abs(max(round(hundredths / d), 1) * d - hundredths) / hundredths for d in DELAYS}
    delay = min(DELAYS, key=lambda d: (off[d] > 0.02, d))
    return 100 * min(max(round(hundredths / delay), 1), most) / hundredths

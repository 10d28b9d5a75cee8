"""Small pictures of a clip for a page: a sheet and a GIF that loops, light enough to be kept with the code."""

from __future__ import annotations

from pathlib import Path

from canter.anatomy import Character, Clip
from canter.pictures.gif import animate
from canter.pictures.indexed import indexed
from canter.pictures.palette import FAINT, INK, MUTED, PANEL, PAPER, leg_color
from canter.pictures.sheet import contact_sheet

SHEET_PIXELS, SHEET_MOMENTS, SHEET_COLORS = 1280, 6, 128
"""Width of a sheet, poses on it, and colours of its palette."""
GIF_SIZE = (288, 192)
FRAME_DELAYS_CS = (5, 6, 7)
"""Allowed delays of a GIF frame, in hundredths of a second, the unit of GIF files."""
MAX_FRAMES = 48
GIF_COLORS = (64, 40, 24)
"""Palette sizes of a GIF: the next is tried until the file is small enough, then fewer frames."""
STRIDE_BYTES, TAKE_BYTES = 150_000, 220_000
"""Largest files: of a GIF of one stride, and of anything longer."""


def draw_sheet(character: Character, clip: Clip, path: Path) -> None:
    """The clip's moments from the side and at a slant over its footfalls."""
    page = contact_sheet(character, clip, width=SHEET_PIXELS, moments=SHEET_MOMENTS, bones=False)
    legs = (leg_color(leg.name, i) for i, leg in enumerate(character.anatomy.legs))
    indexed([page], SHEET_COLORS, (PAPER, INK, MUTED, FAINT, PANEL, *legs))[0].save(path, "PNG", optimize=True)


def draw_gif(character: Character, clip: Clip, path: Path) -> None:
    """The clip at a slant, without words, with as many colours and frames as the size of the file allows."""
    stride = clip.footfalls.stride_seconds > 0
    heaviest, frames = STRIDE_BYTES if stride else TAKE_BYTES, MAX_FRAMES
    for colors in (*GIF_COLORS, GIF_COLORS[-1]) if stride else GIF_COLORS[-1:] * 2:
        fps = frames_a_second(clip, frames)
        animate(character, clip, path, size=GIF_SIZE, fps=fps, words=False, colors=colors)
        weight = path.stat().st_size / heaviest
        if weight <= 1:
            return
        if colors == GIF_COLORS[-1]:
            frames = int(0.95 * fps * clip.motion.seconds / weight)


def frames_a_second(clip: Clip, most: int) -> float:
    """A rate at which a GIF of the clip takes as long as the clip, with at most so many frames."""
    hundredths = max(100 * clip.motion.seconds, 1.0)
    off = {d: abs(max(round(hundredths / d), 1) * d - hundredths) / hundredths for d in FRAME_DELAYS_CS}
    delay = min(FRAME_DELAYS_CS, key=lambda d: (off[d] > 0.02, d))
    return 100 * min(max(round(hundredths / delay), 1), most) / hundredths

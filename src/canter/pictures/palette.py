"""The colours of all of canter's pictures. Left is blue and right is orange, fore deep and hind light.

From the palette of Okabe and Ito, which people with any colour vision can tell apart.
"""

from __future__ import annotations

Color = tuple[int, int, int]

PAPER: Color = (255, 255, 255)
PANEL: Color = (247, 248, 250)
INK: Color = (34, 39, 46)
MUTED: Color = (110, 118, 129)
FAINT: Color = (214, 219, 226)
GRID: Color = (232, 235, 240)
SHADOW: Color = (150, 158, 170)
BODY: Color = (126, 136, 150)
HEAD: Color = (98, 108, 122)
SKIN: Color = (176, 164, 148)

LEGS: dict[str, Color] = {
    "LF": (0, 104, 168),
    "RF": (204, 82, 0),
    "LH": (86, 180, 233),
    "RH": (240, 170, 40),
    "L": (0, 114, 178),
    "R": (213, 94, 0),
}
SERIES: tuple[Color, ...] = (
    (0, 114, 178),
    (213, 94, 0),
    (0, 158, 115),
    (204, 121, 167),
    (230, 159, 0),
    (86, 180, 233),
    (90, 98, 110),
)
"""Colours of the lines of a chart, in order."""

GAITS: dict[str, Color] = {
    "stand": (150, 158, 170),
    "walk": (0, 158, 115),
    "trot": (204, 121, 167),
    "canter": (128, 72, 156),
    "gallop": (170, 30, 68),
    "amble": (132, 142, 52),
    "pace": (166, 128, 82),
    "rack": (120, 104, 96),
    "bound": (196, 60, 116),
    "pronk": (214, 110, 140),
    "turn": (52, 140, 150),
    "backward": (104, 172, 148),
    "side": (84, 122, 112),
    "sit": (118, 130, 160),
    "lie": (88, 96, 130),
    "jump": (216, 204, 76),
    "transition": (206, 210, 216),
    "other": (188, 180, 168),
}
"""Colours of gaits and of what else a take shows: from green to red as they get faster, and unlike any leg's; those of
styles are dull."""


def gait_color(name: str, place: int = 0) -> Color:
    """The colour of a gait by its name, or by its place in the list if the name is a new one."""
    return GAITS.get(name, SERIES[place % len(SERIES)])


def leg_color(name: str, place: int = 0) -> Color:
    """The colour of a leg by its name, or by its place in the list if the name is a new one."""
    return LEGS.get(name, SERIES[place % len(SERIES)])


def mix(a: Color, b: Color, t: float) -> Color:
    """From `a` at 0 to `b` at 1."""
    return tuple(round((1 - t) * x + t * y) for x, y in zip(a, b, strict=True))  # type: ignore[return-value]

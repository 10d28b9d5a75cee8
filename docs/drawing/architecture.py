"""Draws the rooms of canter and the way of the data through them, for the page on the architecture.

`make figures` runs `python docs/drawing/architecture.py docs`, which writes pictures/architecture.png.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image

from canter.pictures.chart_style import POINTS_PER_PIXEL, TITLE_POINTS, chart_style, new_figure, rgb, to_image
from canter.pictures.indexed import indexed
from canter.pictures.palette import FAINT, INK, MUTED, PANEL, PAPER, SERIES, Color, mix

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SIZE = (1000, 692)
NODES = (("file", 64), ("Asset", 220), ("Character", 495), ("State", 756), ("page, file, table", 888))
"""What the data is on its way, and where that stands across the picture."""
Room = tuple[str, str]
"""The name of a room, and what it holds."""
SHOWING: tuple[Room, ...] = (
    ("pictures", "sheets, charts"),
    ("evaluation", "tables"),
    ("studio", "the browser"),
    ("cli", "canter ..."),
)
COLUMNS: tuple[tuple[int, str, tuple[Room, ...]], ...] = (
    (126, "reads and writes", (("formats", "glTF, BVH, FBX"),)),
    (310, "understands", (("anatomy", "legs, gaits"), ("cleaning", "feet, loops"))),
    (495, "or no file", (("animals", "horse, dog, turtle"), ("body", "skins, masses"), ("synthetic", "made-up rigs"))),
    (
        680,
        "drives",
        (
            ("control", "the contract"),
            ("footing", "feet that hold"),
            ("cycles", "gaits, sung, huang"),
            ("neural", "networks"),
            ("physics", "with weight"),
            ("navigation", "mazes, paths"),
        ),
    ),
    (865, "shows and measures", SHOWING),
)
"""Rooms by what they do: the middle of their column, words over it, and the rooms."""
BASE = ("motion", "skeletons, poses, rotations, kinematics, metrics: the mathematics that every room uses")
NODE_ROW, WORDS_ROW, FIRST_ROOM, STEP, BASE_ROW = 118, 188, 232, 66, 652
ROOM_WIDTH, ROOM_HEIGHT = 164, 54
ARROWS = ((98, 180), (262, 432), (558, 716), (794, 820))
"""From where to where each arrow between nodes goes."""


def architecture_picture() -> Image.Image:
    """The way of the data at the top, the rooms that carry it on below, and what they stand on."""
    with chart_style():
        figure = new_figure(SIZE, layout=None)
        axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
        axes.set(xlim=(0, SIZE[0]), ylim=(SIZE[1], 0))  # pixels of the picture
        axes.set_axis_off()
        axes.text(44, 44, "From a file to a driven animal", fontsize=TITLE_POINTS, color=rgb(INK))
        for start, end in ARROWS:
            axes.annotate(
                "", (end, NODE_ROW), (start, NODE_ROW), arrowprops={"arrowstyle": "-|>", "color": rgb(INK), "lw": 1.6}
            )
        for name, x in NODES:
            axes.text(x, NODE_ROW, name, ha="center", va="center", fontsize=17 * POINTS_PER_PIXEL, color=rgb(INK))
        axes.text(637, NODE_ROW - 22, "Controller", ha="center", fontsize=15 * POINTS_PER_PIXEL, color=rgb(MUTED))
        for number, (x, words, rooms) in enumerate(COLUMNS):
            color = SERIES[number]
            axes.plot(
                [x, x], [NODE_ROW + 24, WORDS_ROW - 20], color=rgb(mix(color, PAPER, 0.3)), lw=1.4, ls=(0, (2, 3))
            )
            axes.text(
                x, WORDS_ROW + 4, words, ha="center", fontsize=15 * POINTS_PER_PIXEL, color=rgb(mix(color, INK, 0.3))
            )
            for row, (name, about) in enumerate(rooms):
                _draw_room(axes, (x, FIRST_ROOM + STEP * row), name, about, color)
        _draw_base(axes)
        return to_image(figure)


def _draw_room(axes: Axes, middle: tuple[float, float], name: str, about: str, color: Color) -> None:
    """A box with the name of a room and what it holds."""
    x, y = middle
    corner = (x - ROOM_WIDTH / 2, y - ROOM_HEIGHT / 2)
    _draw_box(axes, corner, (ROOM_WIDTH, ROOM_HEIGHT), mix(PAPER, color, 0.13), mix(color, PAPER, 0.35))
    axes.text(x, y - 7, name, ha="center", va="center", fontsize=17 * POINTS_PER_PIXEL, color=rgb(INK))
    axes.text(x, y + 14, about, ha="center", va="center", fontsize=13 * POINTS_PER_PIXEL, color=rgb(MUTED))


def _draw_base(axes: Axes) -> None:
    """The room that all others stand on."""
    left, right = COLUMNS[0][0] - ROOM_WIDTH / 2, COLUMNS[-1][0] + ROOM_WIDTH / 2
    _draw_box(axes, (left, BASE_ROW - 24), (right - left, 48), PANEL, FAINT)
    axes.text(left + 20, BASE_ROW, BASE[0], va="center", fontsize=17 * POINTS_PER_PIXEL, color=rgb(INK))
    axes.text(left + 104, BASE_ROW, BASE[1], va="center", fontsize=14 * POINTS_PER_PIXEL, color=rgb(MUTED))


def _draw_box(axes: Axes, corner: tuple[float, float], size: tuple[float, float], fill: Color, edge: Color) -> None:
    from matplotlib.patches import FancyBboxPatch

    style = "round,pad=0,rounding_size=7"
    axes.add_patch(
        FancyBboxPatch(corner, *size, boxstyle=style, facecolor=rgb(fill), edgecolor=rgb(edge), linewidth=1.1)
    )


def rooms() -> list[str]:
    """The rooms that the picture shows."""
    return [BASE[0], *(name for _, _, column in COLUMNS for name, _ in column)]


def save(folder: Path) -> Path:
    """Writes the picture with few colours, which makes it small."""
    path = folder / "pictures" / "architecture.png"
    indexed([architecture_picture()], 256, (PAPER, INK, MUTED, PANEL, *SERIES))[0].save(path, optimize=True)
    return path


if __name__ == "__main__":
    print(save(Path(sys.argv[1] if len(sys.argv) > 1 else "docs")))

"""The look of canter's charts: matplotlib with Pillow's typeface, the palette and plain axes. Drawn by Agg, no pyplot.

matplotlib is the extra `plots`, and is imported when the first chart is drawn.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from PIL import Image

from canter.pictures.palette import FAINT, GRID, INK, MUTED, PAPER, SERIES, Color
from canter.pictures.shapes import font

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

DPI = 100
POINTS_PER_PIXEL = 72 / DPI
PADDING_PIXELS = 16
TITLE_POINTS, TEXT_POINTS = 24 * POINTS_PER_PIXEL, 15 * POINTS_PER_PIXEL


@contextmanager
def chart_style() -> Iterator[None]:
    """Figures that are made and drawn inside look like canter's; an ImportError says what to install."""
    try:
        import matplotlib
    except ModuleNotFoundError as error:
        raise ImportError(
            f"charts need the extra 'plots' ({error}); install it with: pip install 'canter[plots]'"
        ) from error
    with matplotlib.rc_context(_style()):
        yield


def new_figure(size: tuple[int, int], layout: Literal["constrained"] | None = "constrained") -> Figure:
    """An empty figure, `size` pixels wide and high."""
    from matplotlib.figure import Figure

    return Figure((size[0] / DPI, size[1] / DPI), dpi=DPI, layout=layout)


def add_panel(figure: Figure, box: tuple[float, float, float, float], **options: Any) -> Axes:
    """Axes whose inside is `box`: left, top, right and bottom in pixels from the left top corner."""
    width, height = figure.get_size_inches() * DPI
    left, top, right, bottom = box
    panel: Axes = figure.add_axes(
        (left / width, 1 - bottom / height, (right - left) / width, (bottom - top) / height), **options
    )
    return panel


def add_title(figure: Figure, title: str) -> None:
    """A title at the left top corner."""
    figure.suptitle(title, x=PADDING_PIXELS / DPI / figure.get_figwidth(), ha="left")


def add_label(axes: Axes, words: str, point: tuple[float, float], shift: tuple[float, float], **options: Any) -> Any:
    """Words beside a point of the data, `shift` points to the right and up of it; to the left they end there."""
    align = {"ha": "left" if shift[0] >= 0 else "right", "va": "center_baseline"}
    return axes.annotate(words, point, shift, textcoords="offset points", annotation_clip=False, **(align | options))


def to_image(figure: Figure) -> Image.Image:
    """The figure as a picture."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    canvas: Any = FigureCanvasAgg(figure)
    canvas.draw()
    return Image.frombytes("RGBA", canvas.get_width_height(), bytes(canvas.buffer_rgba())).convert("RGB")


def rgb(color: Color) -> tuple[float, float, float]:
    """A colour of the palette, from 0 to 1 as matplotlib counts."""
    return color[0] / 255, color[1] / 255, color[2] / 255


@cache
def _style() -> Any:
    from cycler import cycler

    return {
        "font.family": [_pillows_typeface(), "DejaVu Sans"],
        "font.size": TEXT_POINTS,
        "mathtext.default": "regular",
        "text.color": rgb(INK),
        "figure.facecolor": rgb(PAPER),
        "figure.titlesize": TITLE_POINTS,
        "figure.constrained_layout.w_pad": PADDING_PIXELS / DPI,
        "figure.constrained_layout.h_pad": PADDING_PIXELS / DPI,
        "axes.titlesize": TEXT_POINTS,
        "axes.titlecolor": rgb(MUTED),
        "axes.titlelocation": "left",
        "axes.titlepad": 8.0,
        "axes.labelcolor": rgb(MUTED),
        "axes.labelpad": 8.0,
        "axes.edgecolor": rgb(FAINT),
        "axes.spines.left": False,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.prop_cycle": cycler(color=[rgb(color) for color in SERIES]),
        "axes.unicode_minus": False,
        "axes.grid": True,
        "axes.grid.axis": "y",
        "axes.axisbelow": True,
        "grid.color": rgb(GRID),
        "grid.linewidth": 1 * POINTS_PER_PIXEL,
        "xtick.color": rgb(MUTED),
        "xtick.labelcolor": rgb(INK),
        "ytick.labelcolor": rgb(INK),
        "ytick.major.size": 0.0,
        "ytick.minor.size": 0.0,
        "lines.linewidth": 2.2 * POINTS_PER_PIXEL,
        "lines.solid_capstyle": "round",
        "legend.frameon": False,
        "legend.handlelength": 1.4,
        "legend.columnspacing": 1.6,
        "legend.borderaxespad": 0.2,
    }


@cache
def _pillows_typeface() -> str:
    """The family name of Pillow's typeface, made known to matplotlib, which reads typefaces only from files."""
    import matplotlib
    from matplotlib.font_manager import fontManager

    family: str = font(15).getname()[0]
    path = Path(matplotlib.get_cachedir()) / f"canter-{family}.ttf"
    content: bytes = font(15).font_bytes
    if not path.exists() or path.read_bytes() != content:
        path.write_bytes(content)
    fontManager.addfont(path)
    return family

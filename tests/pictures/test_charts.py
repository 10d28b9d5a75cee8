"""Charts: data where they belong, no trouble with holes in them, and a remedy where matplotlib is missing."""

from __future__ import annotations

import math
import subprocess
import sys

import numpy as np
import pytest
from PIL import Image

from canter.motion.arrays import Bools
from canter.pictures import Axis, Series, bar_chart, line_chart
from canter.pictures.palette import SERIES, Color
from canter.pictures.scales import nice_ticks


def where(picture: Image.Image, color: Color) -> Bools:
    """The pixels `(H, W)` that have exactly that colour."""
    return np.asarray((np.asarray(picture) == color).all(axis=-1))


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [(0, 1, [0, 0.2, 0.4, 0.6, 0.8, 1.0]), (-3, 7, [-2, 0, 2, 4, 6]), (0, 0, [0]), (math.nan, 1, [0.0])],
)
def test_ticks_are_round(low: float, high: float, ticks: list[float]) -> None:
    assert np.allclose(nice_ticks(low, high, 6), ticks)


def test_lines_dots_bands_and_marks() -> None:
    x = np.linspace(0, 5, 30)
    series = [
        Series("fit", x, x**2, low=x**2 - 1, high=x**2 + 1),
        Series("clips", x, x**2 + 3, "dots"),
        Series("law", x, 5 * x, "dashed"),
    ]
    picture = line_chart(series, title="A law", x="speed, m/s", y="stride, m", marks=[(0, 2, "walk")], size=(640, 400))
    assert picture.size == (640, 400)
    pixels = np.asarray(picture).reshape(-1, 3)
    for color in SERIES[:3]:
        assert (pixels == color).all(axis=1).sum() > 20


def test_a_line_lies_where_its_numbers_are() -> None:
    """The same straight line on both kinds of axes, seen by its columns and rows."""
    plain = line_chart([Series("", [0, 10], [0, 5])], x=Axis("", (0, 10)), y=Axis("", (0, 5)))
    powers = line_chart(
        [Series("", [1, 1000], [1, 1000])], x=Axis("", (1, 1000), log=True), y=Axis("", (1, 1000), log=True)
    )
    for picture in (plain, powers):
        rows, columns = np.nonzero(where(picture, SERIES[0]))
        assert np.corrcoef(columns, rows)[0, 1] < -0.9999
        assert np.ptp(columns) > 0.85 * picture.width
        assert np.ptp(rows) > 0.75 * picture.height


def test_a_map_has_one_scale() -> None:
    around = np.linspace(0, 2 * np.pi, 200)
    ring = where(line_chart([Series("", np.cos(around), np.sin(around))], size=(500, 260), equal=True), SERIES[0])
    rows, columns = np.nonzero(ring)
    assert abs(np.ptp(columns) - np.ptp(rows)) < 5


@pytest.mark.parametrize("y", [[math.nan] * 4, [1, math.nan, 2, 3], [2, 2, 2, 2], [0, -1, math.inf, 1e9]])
@pytest.mark.parametrize("log", [False, True])
def test_holes_and_level_lines_are_no_trouble(y: list[float], log: bool) -> None:
    assert line_chart([Series("a", range(4), y)], y=Axis("y", log=log), size=(300, 200)).size == (300, 200)
    assert line_chart([], size=(300, 200)).size == (300, 200)


def test_bars() -> None:
    values = {"ours": [1.0, 2.0, math.nan], "theirs": [-1.0, 3.0, 2.0]}
    picture = bar_chart(["walk", "trot", "turn"], values, title="Skating", y="cm", errors={"ours": [0.1, 0.2, 0.3]})
    pixels = np.asarray(picture)
    ours, theirs = ((pixels == color).all(axis=-1).sum() for color in SERIES[:2])
    assert theirs > 1.5 * ours > 0


def test_matplotlib_is_imported_by_the_first_chart_and_pyplot_never() -> None:
    code = """
import sys
import canter.pictures
print("matplotlib" in sys.modules)
canter.pictures.line_chart([])
print("matplotlib" in sys.modules, "matplotlib.pyplot" in sys.modules)
"""
    said = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert said.split() == ["False", "True", "False"]


def test_without_matplotlib_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    for draw in (lambda: line_chart([]), lambda: bar_chart([], {})):
        with pytest.raises(ImportError, match=r"pip install 'canter\[plots\]'"):
            draw()


def test_a_chart_leaves_the_settings_of_matplotlib_alone() -> None:
    import matplotlib

    before = dict(matplotlib.rcParams)
    line_chart([Series("a", [0, 1], [0, 1])])
    assert dict(matplotlib.rcParams) == before

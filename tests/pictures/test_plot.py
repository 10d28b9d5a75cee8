"""Charts: round numbers on the axes, data where they belong, and no trouble with holes in them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from canter.pictures import Axis, Series, bar_chart, line_chart
from canter.pictures.palette import SERIES
from canter.pictures.plot import Area
from canter.pictures.scales import label, nice_ticks


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [(0, 1, [0, 0.2, 0.4, 0.6, 0.8, 1.0]), (-3, 7, [-2, 0, 2, 4, 6]), (0, 0, [0]), (math.nan, 1, [0.0])],
)
def test_ticks_are_round(low: float, high: float, ticks: list[float]) -> None:
    assert np.allclose(nice_ticks(low, high, 6), ticks)


def test_labels_have_the_decimals_they_need() -> None:
    assert [label(v, 0.2) for v in (0.0, 0.2, 1.0)] == ["0", "0.2", "1.0"]
    assert label(300, 100) == "300"


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
    area = Area((100, 50, 500, 250), (0.0, 10.0), (0.0, 5.0))
    assert np.allclose(area.pixels([0, 5, 10], [0, 2.5, 5]), [[100, 250], [300, 150], [500, 50]])
    powers = Area((0, 0, 300, 300), (0.0, 3.0), (0.0, 3.0), (Axis(log=True), Axis(log=True)))
    assert np.allclose(powers.pixels([1, 10, 1000], [1, 1, 10]), [[0, 300], [100, 300], [300, 200]])


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

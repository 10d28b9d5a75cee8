"""The picture of the page on navigation shows walls, goals and ways where they are."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image

from canter.motion.arrays import Bools
from canter.navigation import PathNavigator, RayNavigator, RaySensor, read_maze
from canter.pictures.palette import INK, Color
from mazes import GOAL, PICTURE, SEEN, WAY, ride, rides_picture

from .carts import Cart

MAZE = read_maze("+--+--+\n|   G |\n+  +--+\n|S    |\n+--+--+", 2.0)


def where(picture: Image.Image, color: Color) -> Bools:
    """The pixels `(H, W)` that have exactly that colour."""
    return np.asarray((np.asarray(picture.convert("RGB")) == color).all(axis=-1))


def test_rides_are_drawn_from_above() -> None:
    cart = Cart()
    with_map = PathNavigator(cart, MAZE.world(), MAZE.goal_places)
    with_rays = RayNavigator(cart, RaySensor(MAZE.world(), MAZE.goal_places), 1)
    picture = rides_picture(MAZE, [ride(cart, with_map), ride(cart, with_rays)])
    maze = slice(0, int(0.85 * picture.height))  # above the legend
    left, right = (np.asarray(picture)[maze, half] for half in (slice(0, 500), slice(500, 1000)))
    for half in (left, right):
        image = Image.fromarray(half)
        walls, goal, way = (np.argwhere(where(image, color)) for color in (INK, GOAL, WAY))
        assert len(walls) > 1000
        middle = (walls.min(axis=0) + walls.max(axis=0)) / 2
        assert goal.mean(axis=0)[0] < middle[0] - 50, "the goal is in the upper row"
        assert goal.mean(axis=0)[1] > middle[1] + 50, "and to the right, where -X is"
        assert len(way) > 100
    assert where(Image.fromarray(right), SEEN).sum() > 10_000
    assert where(Image.fromarray(left), SEEN).sum() == 0


def test_the_picture_on_the_page_is_there() -> None:
    docs = Path(__file__).parents[2] / "docs"
    assert (docs / PICTURE).is_file()
    assert f"({PICTURE.as_posix()})" in (docs / "navigation.md").read_text("utf-8")

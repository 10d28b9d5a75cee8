"""The pictures that explain the cycles show what they are given, where it belongs."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from canter.anatomy import Character
from canter.motion.arrays import Bools, Floats
from canter.pictures.palette import GAITS, GRID, LEGS, Color
from figures import figures, save
from gait_graph import GaitRange, gait_graph_picture
from ground_profile import profile_picture
from ride_page import Ride, ride_picture
from stride_law import StrideLaw, stride_law_picture
from time_warp import HURRIES, WAITS, Warp, warp_picture

DOCS = Path(__file__).parents[2] / "docs"
CYCLES = DOCS / "pictures" / "cycles"
QUICK = ("gait_graph_horse", "gait_graph_dog", "stride_law", "walk_to_trot", "trot_to_canter")
"""Figures that take about two seconds each. The others are rides of up to a minute, or pictures of the examples."""


def where(picture: Image.Image, color: Color) -> Bools:
    """The pixels `(H, W)` that have exactly that colour."""
    return np.asarray((np.asarray(picture.convert("RGB")) == color).all(axis=-1))


def middle(picture: Image.Image, color: Color) -> Floats:
    """The mean x and y of a colour."""
    y, x = np.nonzero(where(picture, color))
    assert len(x) > 20
    return np.array([x.mean(), y.mean()])


# The gait graph ----------------------------------------------------------------------------------


WALK, TROT, PACE = GaitRange("walk", 0.5, 1.2, 0.9), GaitRange("trot", 1.2, 2.6, 2.2), GaitRange("pace", 0.9, 1.9, 1.3)


def test_gaits_are_stairs_and_styles_are_below() -> None:
    picture = gait_graph_picture([TROT, WALK], [PACE], hysteresis=0.06, title="dog")
    walk, trot = (middle(picture, GAITS[name]) for name in ("walk", "trot"))
    assert trot[0] > walk[0] + 100
    assert trot[1] < walk[1] - 50
    plain = gait_graph_picture([TROT, WALK])
    assert plain.height < picture.height


def test_a_gait_ends_at_its_border() -> None:
    bars = (
        where(gait_graph_picture([WALK, TROT]), GAITS["walk"]),
        where(gait_graph_picture([WALK, TROT]), GAITS["trot"]),
    )
    walk, trot = (np.flatnonzero(bar.any(axis=0)) for bar in bars)
    assert abs(walk[-1] - trot[0]) < 4


# The stride law ----------------------------------------------------------------------------------


def test_the_law_goes_through_what_it_was_made_of() -> None:
    strides = np.array([1.5, 2.0, 3.0])
    law = StrideLaw("dog", ["walk", "trot", "gallop"], strides, 0.05 * strides**3, 0.05, 3.0)
    assert np.allclose(law.at(strides), law.froude)
    picture = stride_law_picture([law, law], size=(400, 300))
    assert picture.size == (800, 300)
    walk, gallop = (
        middle(picture.crop((0, 0, 400, 300)), GAITS["walk"]),
        middle(picture.crop((0, 0, 400, 300)), GAITS["gallop"]),
    )
    assert gallop[0] > walk[0]
    assert gallop[1] < walk[1]


# A transition ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def transition() -> Warp:
    """Two legs; after the command the left one hurries and the right one waits for half a second."""
    time = np.arange(-60, 60) / 60
    clocks = np.stack([2 * time % 2, (2 * time + 1) % 2], axis=-1)
    pace = np.ones((len(time), 2))
    pace[(time >= 0) & (time < 0.5)] = (1.4, 0.6)
    early = np.stack([-0.2 * (time < 0.3), 0.2 * (time < 0.3)], axis=-1)
    share = np.clip(time, 0, 1)
    return Warp(time, {"walk": 1 - share, "trot": share}, ["LF", "RF"], clocks, pace, early)


def test_legs_that_hurry_and_wait_are_marked_in_their_lanes(transition: Warp) -> None:
    picture = warp_picture(transition, title="walk to trot", command="commanded")
    lanes = {name: middle(picture, LEGS[name])[1] for name in transition.legs}
    start = np.flatnonzero(where(picture, HURRIES)[:, :800].any(axis=0))
    assert 540 < start[0] < 575  # the middle of the time axis is the command
    marks = where(picture, HURRIES)[190:, :800], where(picture, WAITS)[190:, :800]
    hurries, waits = (float(np.nonzero(mark)[0].mean()) + 190 for mark in marks)
    assert hurries < waits
    assert lanes["LF"] < lanes["RF"]


def test_a_bar_is_filled_while_the_foot_is_down(transition: Warp) -> None:
    picture = warp_picture(transition)
    filled = where(picture, LEGS["LF"])[:, 150:964].mean(axis=1)
    assert np.sum(np.abs(filled - transition.contacts[:, 0].mean()) < 0.03) >= 8


# Rides -------------------------------------------------------------------------------------------


def test_the_speeds_of_a_ride_have_the_colours_of_its_gaits(animal: Character) -> None:
    clip = animal.clip("walk")
    frames = len(clip.motion)
    gaits = ["walk"] * (frames // 2) + ["trot"] * (frames - frames // 2)
    speeds = np.full(frames, 1.0)
    ride = Ride(gaits, speeds, 0.9 * speeds, clip.motion.frame_rate, [0])
    page = ride_picture(animal, clip, ride, title="a ride")
    assert page.width == 1000
    assert where(page, GAITS["walk"])[-260:].sum() > 20


def test_a_profile_is_as_high_as_the_ground(animal: Character) -> None:
    def slope(place: Floats) -> Floats:
        return np.asarray(0.3 * place[..., 1])

    picture = profile_picture(animal, animal.clip("walk"), slope, poses=1, width=400)
    heights = where(picture, GRID).sum(axis=0)
    assert heights[360] - heights[40] == pytest.approx(0.3 * 320, abs=6)


# The page ----------------------------------------------------------------------------------------


def test_the_page_shows_every_figure_and_no_other() -> None:
    page = (DOCS / "cycles.md").read_text("utf-8")
    assert set(re.findall(r"\(pictures/cycles/(\w+)\.png\)", page)) == set(figures())
    assert {path.stem for path in CYCLES.iterdir()} == set(figures())


@pytest.mark.parametrize("name", QUICK)
def test_a_figure_on_the_page_is_what_is_drawn_now(name: str, tmp_path: Path) -> None:
    """Typefaces and smooth edges may differ a little between versions of matplotlib."""
    save(figures()[name](), tmp_path / "now.png")
    assert (tmp_path / "now.png").stat().st_size < 100_000
    kept, now = (
        np.asarray(Image.open(path).convert("RGB"), float) for path in (CYCLES / f"{name}.png", tmp_path / "now.png")
    )
    assert kept.shape == now.shape
    assert np.abs(kept - now).mean() < 1

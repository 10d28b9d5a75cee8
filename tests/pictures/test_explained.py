"""The pictures that explain the cycles show what they are given, where it belongs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw

from canter.anatomy import Character
from canter.cli.figures import figures
from canter.motion.arrays import Bools, Floats
from canter.pictures import strobe
from canter.pictures.gait_graph import GaitRange, gait_graph_picture
from canter.pictures.labels import write_beside
from canter.pictures.palette import GAITS, GRID, LEGS, PAPER, Color
from canter.pictures.profile import profile_picture
from canter.pictures.ride import Ride, ride_picture
from canter.pictures.sheet import pose_strip
from canter.pictures.stride_law import StrideLaw, stride_law_picture
from canter.pictures.strobe import crowd_picture
from canter.pictures.warp import HURRIES, WAITS, Warp, warp_picture
from canter.pictures.ways import gait_runs

DOCS = Path(__file__).parents[2] / "docs"


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


# Words and lines ---------------------------------------------------------------------------------


def test_words_keep_off_each_other_and_off_the_edge() -> None:
    page = Image.new("RGB", (200, 100), PAPER)
    point = np.array([100.0, 50.0])
    crossed = np.stack([np.linspace(100, 200, 100), np.full(100, 50.0)], axis=-1)
    write_beside(ImageDraw.Draw(page), [(point, "walk")], crossed, (0, 0, 200, 100))
    ink = np.asarray(page.convert("L")) < 128
    assert ink.any()
    assert not ink[48:53, 100:].any()
    edge = Image.new("RGB", (200, 100), PAPER)
    write_beside(ImageDraw.Draw(edge), [(np.array([198.0, 98.0]), "gallop")], np.zeros((0, 2)), (0, 0, 200, 100))
    assert not (np.asarray(edge.convert("L"))[:, -4:] < 128).any()


def test_runs_of_gaits_meet() -> None:
    assert gait_runs(["walk", "walk", "trot", "walk"]) == [("walk", 0, 2), ("trot", 2, 3), ("walk", 3, 3)]
    assert gait_runs([]) == []


# Rides -------------------------------------------------------------------------------------------


def test_a_ride_has_the_colours_of_its_gaits(animal: Character) -> None:
    clip = animal.clip("walk")
    frames = len(clip.motion)
    gaits = ["walk"] * (frames // 2) + ["trot"] * (frames - frames // 2)
    for view in (28.0, 60.0):
        picture = strobe(
            animal, clip, size=(500, 300), poses=1, gaits=gaits, marks={frames // 2: "commanded"}, elevation=view
        )
        assert where(picture, GAITS["trot"]).sum() > 20
    speeds = np.full(frames, 1.0)
    ride = Ride(gaits, speeds, 0.9 * speeds, clip.motion.frame_rate, [0])
    page = ride_picture(animal, clip, ride, title="a ride")
    assert page.width == 1000
    assert where(page, GAITS["walk"])[-260:].sum() > 20


def test_a_strip_has_a_pose_in_every_column(animal: Character) -> None:
    clip = animal.clip("walk")
    strip = pose_strip(animal, clip, np.linspace(0, len(clip.motion) - 1, 5), 500)
    dark = (np.asarray(strip.convert("L")) < 160).any(axis=0)
    assert all(dark[100 * i : 100 * (i + 1)].any() for i in range(5))


def test_a_crowd_has_ways(animal: Character) -> None:
    motion = animal.clip("walk").motion
    ways = np.cumsum(np.full((len(motion), 30, 3), [0.02, 0.0, 0.03]), axis=1)
    picture = crowd_picture(animal, motion, ways, [["walk"] * 30] * len(motion), size=(400, 300))
    assert where(picture, GAITS["walk"]).sum() > 20


def test_a_profile_is_as_high_as_the_ground(animal: Character) -> None:
    def slope(place: Floats) -> Floats:
        return np.asarray(0.3 * place[..., 1])

    picture = profile_picture(animal, animal.clip("walk"), slope, poses=1, width=400)
    heights = where(picture, GRID).sum(axis=0)
    assert heights[360] - heights[40] == pytest.approx(0.3 * 320, abs=6)


# The page ----------------------------------------------------------------------------------------


def test_every_picture_of_the_page_is_made_and_light() -> None:
    kept = {path.stem: path.stat().st_size for path in (DOCS / "pictures" / "cycles").glob("*.png")}
    assert set(kept) == set(figures())
    assert max(kept.values()) < 250_000
    page = (DOCS / "cycles.md").read_text("utf-8")
    for name in kept:
        assert f"(pictures/cycles/{name}.png)" in page

"""Rides and crowds in one picture: ways in the colours of their gaits, and words that keep off them."""

from __future__ import annotations

import numpy as np
from PIL import Image, ImageDraw

from canter.anatomy import Character
from canter.motion.arrays import Bools
from canter.pictures import strobe
from canter.pictures.labels import write_beside
from canter.pictures.palette import GAITS, PAPER, Color
from canter.pictures.paths import gait_runs
from canter.pictures.sheet import pose_strip
from canter.pictures.strobe import crowd_picture


def where(picture: Image.Image, color: Color) -> Bools:
    """The pixels `(H, W)` that have exactly that colour."""
    return np.asarray((np.asarray(picture) == color).all(axis=-1))


def test_a_ride_has_the_colours_of_its_gaits(animal: Character) -> None:
    clip = animal.clip("walk")
    frames = len(clip.motion)
    gaits = ["walk"] * (frames // 2) + ["trot"] * (frames - frames // 2)
    marks = {frames // 2: "commanded"}
    for elevation in (28.0, 60.0):
        picture = strobe(animal, clip, size=(500, 300), poses=1, gaits=gaits, marks=marks, elevation=elevation)
        assert where(picture, GAITS["trot"]).sum() > 20


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

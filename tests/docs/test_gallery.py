"""The gallery's pictures are light and keep time, and its page names what the feet do."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from canter.anatomy import Character
from canter.pictures.palette import LEGS
from gallery import clear, facts, names
from plates import STRIDE_BYTES, TAKE_BYTES, draw_gif, draw_sheet, frames_a_second

GALLERY = Path(__file__).parents[2] / "docs" / "pictures" / "gallery"


def test_a_plate_is_light_and_keeps_time(animal: Character, tmp_path: Path) -> None:
    walk = animal.clip("walk")
    draw_gif(animal, walk, tmp_path / "walk.gif")
    draw_sheet(animal, walk, tmp_path / "walk.png")
    assert (tmp_path / "walk.gif").stat().st_size < STRIDE_BYTES
    assert (tmp_path / "walk.png").stat().st_size < STRIDE_BYTES
    with Image.open(tmp_path / "walk.gif") as gif:
        assert gif.n_frames * gif.info["duration"] == pytest.approx(1000 * walk.motion.seconds, abs=40)
    with Image.open(tmp_path / "walk.png") as sheet:
        assert sheet.mode == "P"
        page = np.asarray(sheet.convert("RGB"))
    for leg in animal.anatomy.legs:
        assert (page == LEGS[leg.name]).all(axis=-1).any()


def test_a_long_clip_gets_few_frames(animal: Character) -> None:
    walk = animal.clip("walk")
    slow = dataclasses.replace(walk, motion=dataclasses.replace(walk.motion, frame_rate=walk.motion.frame_rate / 20))
    assert round(frames_a_second(slow, 24) * slow.motion.seconds) == 24


def test_facts_and_names(animal: Character, tmp_path: Path) -> None:
    gait = {"name": "walk", "speed": 1.0, "speeds": [0.5, 1.2], "sideways": 0.0, "turn_deg": 0.0}
    words = facts(animal.clip("walk"), gait)
    assert words.startswith("Walk, ")
    for part in ("m/s (from 0.5 to 1.2)", "strides a second", " fore and ", " hind."):
        assert part in words
    assert "40°/s" in facts(animal.clip("walk"), gait | {"turn_deg": 40.0})
    assert "strides" not in facts(animal.clip("stand"))
    slow = dataclasses.replace(animal.clip("walk").motion, name="slow walk")
    spaced = dataclasses.replace(animal.clip("walk"), motion=slow)
    assert all(" " not in name for name in names(animal, spaced))
    for name in ("old.gif", "new.png"):
        (tmp_path / name).touch()
    clear(tmp_path, {"new.png"})
    assert [path.name for path in tmp_path.iterdir()] == ["new.png"]


def test_the_gallery_is_light() -> None:
    sheets, gifs = ([path.stat().st_size for path in GALLERY.glob(f"*.{kind}")] for kind in ("png", "gif"))
    assert len(sheets) == len(gifs) > 20
    assert max(sheets) < STRIDE_BYTES
    assert max(gifs) < TAKE_BYTES
    assert sum(sheets) + sum(gifs) < 8_000_000

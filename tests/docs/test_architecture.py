"""The page on the architecture names every folder of the package, in the order of the imports, and no other."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
from PIL import Image

from architecture import architecture_picture, rooms, save
from test_imports import ROOMS, SOURCE

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "architecture.md").read_text("utf-8")
BUILT = {"__pycache__", "page", "models"}
"""Folders that are made, not written: the studio's page is built out of web/, networks are trained."""


def folders(parent: Path) -> list[str]:
    return sorted(path.name for path in parent.iterdir() if path.is_dir() and path.name not in BUILT)


def sections() -> dict[str, str]:
    """The text under each room's heading."""
    parts = re.split(r"^## `(\w+)/`$", PAGE.split("## Beside the package")[0], flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def test_every_room_is_there_in_order_and_no_other() -> None:
    assert list(sections()) == [room for room in ROOMS if room in folders(SOURCE)]
    assert set(folders(SOURCE)) <= set(ROOMS)


def test_every_room_has_a_sentence_and_says_when_to_look() -> None:
    for room, text in sections().items():
        first, rest = text.strip().split("\n\n", 1)
        assert re.fullmatch(r"[A-Z`].{20,}\.", first.replace("\n", " ")), room
        symptoms = rest.split("Look here when\n\n")[1]
        assert len(re.findall(r"^- ", symptoms, re.MULTILINE)) >= 2, room


def test_every_subfolder_is_named_with_what_it_is_and_no_other() -> None:
    named = dict(re.findall(r"^\| `(\w+/\w+)/` \| (.+) \|$", PAGE, re.MULTILINE))
    there = [f"{room}/{name}" for room in folders(SOURCE) for name in folders(SOURCE / room)]
    assert sorted(named) == there
    assert all(len(words) > 10 for words in named.values())
    for room, text in sections().items():
        assert all(name.startswith(f"{room}/") for name in re.findall(r"^\| `(\w+/\w+)/`", text, re.MULTILINE))


def test_every_file_that_is_named_exists() -> None:
    files = re.findall(r"`(\w+(?:/\w+)+\.py)`", PAGE)
    assert len(files) > 30
    for name in files:
        assert (SOURCE / name).is_file() or (SOURCE.parents[1] / name).is_file(), name


def test_the_picture_shows_every_room() -> None:
    assert sorted(rooms()) == folders(SOURCE)


def test_the_picture_on_the_page_is_what_is_drawn_now(tmp_path: Path) -> None:
    (tmp_path / "pictures").mkdir()
    kept, now = (
        np.asarray(Image.open(path).convert("RGB"), float)
        for path in (DOCS / "pictures" / "architecture.png", save(tmp_path))
    )
    assert kept.shape == now.shape == (*architecture_picture().size[::-1], 3)
    assert np.abs(kept - now).mean() < 1


def test_contributors_find_the_page() -> None:
    assert "(docs/architecture.md)" in (DOCS.parent / "CONTRIBUTING.md").read_text("utf-8")
    assert "(architecture.md)" in (DOCS / "index.md").read_text("utf-8")

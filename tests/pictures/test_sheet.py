"""Contact sheets: whole, true to the contacts, and possible for every animal and clip."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest
from PIL import Image

from canter.anatomy import Anatomy, Character, Clip, Footfalls
from canter.motion import Motion
from canter.pictures import contact_sheet, strobe
from canter.pictures.footfalls import contact_columns
from canter.pictures.palette import LEGS
from canter.pictures.stride import Span, contacts_at, touchdowns, typical_stride


def ink(picture: Image.Image) -> float:
    """The share of pixels that are not paper."""
    return float((np.asarray(picture) < 250).any(axis=-1).mean())


def small_sheet(character: Character, clip: str | Clip | None = None) -> Image.Image:
    return contact_sheet(character, clip, width=960)


def with_clip(animal: Character, motion: Motion, **falls) -> Character:
    given = {"contacts": np.ones((len(motion), 4), bool), "gait": "walk", "speed": 1.0, "in_place": False} | falls
    return dataclasses.replace(animal, clips=(Clip(motion, Footfalls(**given)),))


def test_the_bars_are_the_contacts_pixel_by_pixel(animal: Character) -> None:
    clip = animal.clip("walk")
    page = np.asarray(contact_sheet(animal, "walk"))
    left, right = 56 + 64, 1920 - 56
    down = contact_columns(clip, typical_stride(animal.anatomy, clip), right - left)
    for i, leg in enumerate(animal.anatomy.legs):
        bars = (page[:, left:right] == LEGS[leg.name]).all(axis=-1)
        rows = [row for row in bars if row.sum() == down[:, i].sum()]
        assert any(np.array_equal(row, down[:, i]) for row in rows)


def test_the_sheet_has_the_asked_width_and_something_on_it(animal: Character) -> None:
    for width in (1200, 1920):
        page = contact_sheet(animal, "walk", width=width)
        assert page.width == width
        assert 300 < page.height < 1600
        assert ink(page) > 0.04


@pytest.mark.parametrize("name", ["stand", "back", "circle", None])
def test_every_clip_can_be_drawn(animal: Character, name: str | None) -> None:
    assert ink(small_sheet(animal, name)) > 0.02


def test_a_tiny_loop_is_interpolated(animal: Character) -> None:
    from little_animal import little_animal

    tiny = little_animal(frames=9)
    assert len(tiny.clip("walk").motion) == 9
    assert ink(small_sheet(tiny, "walk")) > 0.04


def test_a_long_take_shows_its_typical_stride(animal: Character) -> None:
    from little_animal import little_animal

    long = little_animal(strides=12)
    walk = long.clip("walk")
    contacts = walk.footfalls.contacts.copy()
    contacts[100:140] = True
    falls = dataclasses.replace(walk.footfalls, loop=False, contacts=contacts)
    clip = Clip(walk.motion, falls)
    span = typical_stride(long.anatomy, clip)
    assert span.stride
    assert span.frames == 24
    page, loop = small_sheet(long, clip), small_sheet(animal, "walk")
    assert page.height > loop.height + 60


def test_a_loop_starts_with_the_touchdown_of_the_left_hind(animal: Character) -> None:
    clip = animal.clip("walk")
    span = typical_stride(animal.anatomy, clip)
    columns = contact_columns(clip, span, 480)[:, 2]
    assert columns[0]
    assert not columns[-1]
    assert span.frames == 24


def test_odd_characters_are_just_drawn(animal: Character) -> None:
    motion = animal.clip("walk").motion
    none = np.zeros((len(motion), 0), bool)
    other = Anatomy(
        "other", np.array([0, 1.0, 0]), np.array([0, 0, 1.0]), math.nan, (), np.arange(len(motion.skeleton))
    )
    strange = dataclasses.replace(with_clip(animal, motion, contacts=none, speed=math.nan), anatomy=other)
    assert ink(small_sheet(strange)) > 0.02
    two = dataclasses.replace(animal.anatomy, kind="biped", legs=animal.anatomy.legs[2:], arms=animal.anatomy.legs[:2])
    person = dataclasses.replace(with_clip(animal, motion, contacts=np.ones((len(motion), 2), bool)), anatomy=two)
    assert ink(small_sheet(person)) > 0.02
    still = with_clip(animal, motion[:1], stride_seconds=0.8)
    assert ink(small_sheet(still)) > 0.02


def test_unknown_figures_do_not_break_the_sheet(animal: Character) -> None:
    motion = animal.clip("walk").motion
    falls = {"gait": "", "duty": {"LF": math.nan}, "speed": math.nan, "stride_seconds": math.inf}
    assert ink(small_sheet(with_clip(animal, motion, **falls))) > 0.02
    few = with_clip(animal, motion, contacts=np.zeros((3, 4), bool), stride_seconds=1e-9, loop=True)
    assert ink(small_sheet(few)) > 0.02
    named = dataclasses.replace(animal, name="a\nb\x00" + "c" * 900)
    assert ink(small_sheet(named)) > 0.02


def test_motion_that_is_not_finite_is_refused(animal: Character) -> None:
    motion = animal.clip("walk").motion
    positions = motion.positions.copy()
    positions[3, 6] = math.nan
    with pytest.raises(ValueError, match="'walk' has positions or rotations that are not finite"):
        contact_sheet(with_clip(animal, dataclasses.replace(motion, positions=positions)))


def test_a_character_without_clips_is_told_so(animal: Character) -> None:
    with pytest.raises(ValueError, match="no clip to draw"):
        contact_sheet(dataclasses.replace(animal, clips=()))
    with pytest.raises(KeyError, match="no clip is called 'fly'"):
        contact_sheet(animal, "fly")


def test_touchdowns_and_contacts_in_between() -> None:
    down = np.array([True, False, True, True, False, True])
    assert list(touchdowns(down, loop=False)) == [2, 5]
    assert list(touchdowns(~down, loop=True)) == [1, 4]
    assert list(touchdowns(np.array([True, False]), loop=True)) == [0]
    span = Span(2.0, 4.0, True, False)
    assert np.allclose(span.moments(2), [3, 5])


def test_contacts_of_a_loop_go_round(animal: Character) -> None:
    clip = animal.clip("walk")
    moments = np.arange(24.0)
    assert np.array_equal(contacts_at(clip, moments, True), contacts_at(clip, moments + 24, True))


def test_a_ride_is_one_picture(animal: Character) -> None:
    picture = strobe(animal, "walk", size=(640, 360))
    assert picture.size == (640, 360)
    assert ink(picture) > 0.02
    assert ink(strobe(animal, "stand", size=(320, 200), poses=3)) > 0.02

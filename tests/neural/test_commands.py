"""What takes were told, and what captured ones are taken to have been told."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from canter import Character
from canter.control.improvise import improvise
from canter.control.takes import Take, Takes
from canter.neural import commands
from canter.neural.commands import set_off_frames, told_in


def captured(take: Take) -> Take:
    """The same take without a word of what was told."""
    nothing = {name: np.full_like(values, np.nan) for name, values in take.commands.items()}
    return replace(take, commands=nothing)


def test_commands_are_what_was_told_and_nobody_at_rest_is_told_a_speed(dog: Character) -> None:
    take = improvise(dog, 0.5, 3, take_seconds=30).takes[0]
    goes = np.arange(len(take.motion)) % 2 == 0
    told = told_in(take, dog.anatomy, goes, 0.5)
    np.testing.assert_allclose(told.speed[goes], take.commands["speed"][goes])
    np.testing.assert_allclose(told.heading, take.commands["heading"])
    np.testing.assert_allclose(told.facing[goes], take.commands["facing"][goes])
    assert (told.speed[~goes] == 0).all()
    assert np.isnan(told.facing[~goes]).all()


@pytest.fixture(scope="module")
def takes(dog: Character) -> Takes:
    return improvise(dog, 4.0, 5, take_seconds=60)


def gaps(takes: Takes, lead: float) -> tuple[float, float]:
    """The mean differences of speeds and headings between what improvising animals were told and what their motion says
    that they were, had they done it so many seconds later."""
    anatomy, found = takes.character.anatomy, []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(commands, "LEAD_SECONDS", lead)
        for take in takes.takes:
            goes = take.commands["speed"] > 0
            real, own = (told_in(x, anatomy, goes, 0.5) for x in (take, captured(take)))
            assert np.isfinite(own.speed).all()
            assert np.isfinite(own.heading).all()
            ahead = goes & np.isnan(real.facing)
            off = np.abs(np.angle(np.exp(1j * (own.heading - real.heading))))
            found.append((np.abs(own.speed - real.speed)[ahead], off[ahead]))
    return tuple(float(np.concatenate(x).mean()) for x in zip(*found, strict=True))  # type: ignore[return-value]


def test_a_capture_is_told_what_it_does_a_moment_later(takes: Takes) -> None:
    """Of animals whose commands are known, the ones that their motion answers are more like them than what they do at
    the time, or much later."""
    speed, heading = gaps(takes, commands.LEAD_SECONDS)
    for wrong in (-1.2, 2.0):
        other = gaps(takes, wrong)
        assert speed < 0.8 * other[0]
        assert heading < 0.8 * other[1]


def test_who_rests_is_told_at_once_what_it_does_when_it_has_set_off() -> None:
    goes = np.array([0, 0, 1, 1, 1, 1, 1, 0, 1, 1], bool)
    moves = np.array([0, 0, 0, 0, 0, 1, 1, 0, 0, 0], bool)
    assert set_off_frames(goes, moves, 9).tolist() == [0, 1, 5, 5, 5, 5, 6, 7, 9, 9]
    assert set_off_frames(goes, moves, 2).tolist() == [0, 1, 4, 4, 4, 5, 6, 7, 9, 9]

"""What takes were told, and what captured ones are taken to have been told."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from canter import Character
from canter.control.improvise import improvise
from canter.control.takes import Take
from canter.neural.commands import answering_frames, told_in


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
    assert (told.speed[~goes] == 0).all()
    assert np.isnan(told.facing[~goes]).all()


def test_a_capture_is_told_what_it_does_a_moment_later(dog: Character) -> None:
    """Of an animal whose commands are known, the ones that its motion answers are like them, most of the time."""
    take = improvise(dog, 1.0, 5, take_seconds=60).takes[0]
    goes = take.commands["speed"] > 0
    real, found = (told_in(x, dog.anatomy, goes, 0.5) for x in (take, captured(take)))
    assert np.isfinite(found.speed).all()
    ahead = goes & np.isnan(real.facing)
    assert np.median(np.abs(found.speed - real.speed)[ahead]) < 0.15
    off = np.angle(np.exp(1j * (found.heading - real.heading)))[ahead]
    assert np.median(np.abs(off)) < 0.1


def test_who_rests_is_told_at_once_what_it_does_when_it_has_set_off() -> None:
    goes = np.array([0, 0, 1, 1, 1, 1, 1, 0, 1, 1], bool)
    moves = np.array([0, 0, 0, 0, 0, 1, 1, 0, 0, 0], bool)
    assert answering_frames(goes, moves, 1).tolist() == [1, 2, 6, 6, 6, 6, 7, 8, 9, 9]

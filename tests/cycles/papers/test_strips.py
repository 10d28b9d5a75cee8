"""Transitions into a clip that does not repeat: which frames are found, where they may lie, and when there are none."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from canter.anatomy.actions import actions_of
from canter.control.registry import load
from canter.cycles.engine.library import Library
from canter.cycles.papers.bridges import frames_of
from canter.cycles.papers.paper import steady_library
from canter.cycles.papers.search import BEST, Junction, brute_force, lags, search
from canter.cycles.papers.strips import FRAME_RATE, Strip, clip_strip, cycle_strip


@cache
def gallop() -> Library:
    return steady_library(load("dog"), (), ("gallop",))


def run() -> Strip:
    return cycle_strip(gallop(), 0, frames_of(gallop().cycles[0]))


def jump() -> Strip:
    """The dog's jump until it takes off."""
    action = actions_of(load("dog"))["jump"]
    return clip_strip(load("dog"), action.name, action.motion[: action.enter[1] + 1])


def repeated(times: int, shift: int) -> Strip:
    """The gallop's own frames as a clip: cut `shift` frames after its first, as long as so many strides."""
    cycle = run()
    at = np.arange(times * cycle.frames + 1) + shift
    places = cycle.places[at % cycle.frames]
    feet = places[:, gallop().character.anatomy.feet].transpose(1, 0, 2)
    travel = np.full(len(at), cycle.travel[0])
    return Strip("strides", len(at) - 1, cyclic=False, places=places, feet=feet, travel=travel)


def joined(target: Strip, frames: int) -> Junction:
    """From the gallop into a target, over so many frames."""
    return Junction(gallop().character.anatomy, run(), target, 2 * frames / (run().frames + target.frames))


def test_a_clip_of_the_cycles_own_frames_is_entered_where_they_are_the_same() -> None:
    source = run()
    found = search(joined(repeated(2, shift=source.frames - 9), source.frames))
    assert found.frames.tolist() == [9] * 4
    assert found.good
    assert found.spread == 0


def test_frames_of_a_clip_are_not_counted_around_its_ends() -> None:
    frames = np.array([[1, 29, 2, 28]])
    assert replace(repeated(1, 0), cyclic=True, frames=30).nearest(frames).tolist() == [[1, -1, 2, -2]]
    assert repeated(1, 0).nearest(frames).tolist() == [[1, 29, 2, 28]]


def test_the_transition_is_over_when_the_clip_ends() -> None:
    """The frames that look most alike are the last; too late, for the transition would need some that are none."""
    clip, frames = repeated(1, shift=4), run().frames - 12
    junction = joined(clip, frames)
    candidates = junction.candidates()
    assert np.argmin(np.linalg.norm(clip.places - run().places[0], axis=-1).sum(axis=-1)) == clip.frames - 4
    assert candidates.max() == clip.frames - frames == 12
    assert (search(junction).frames + frames <= clip.frames).all()


def test_a_clip_that_has_room_for_few_frames_gives_few_combinations() -> None:
    for spare in (0, 1):
        clip = jump()
        junction = joined(clip, clip.frames - spare)
        found, best = search(junction), brute_force(junction)
        assert junction.candidates().shape == (4, 1 + spare)
        assert found.frames.tolist() == best.frames.tolist()
        assert best.tried == (1 + spare) ** 4


def test_a_clip_that_is_too_short_is_refused() -> None:
    clip = jump()
    for finds in (search, brute_force):
        with pytest.raises(ValueError, match=f"{clip.frames} frames, too few for a transition of {clip.frames + 1}"):
            finds(joined(clip, clip.frames + 1))


def test_the_search_finds_what_brute_force_finds_in_a_jump() -> None:
    junction = joined(jump(), 36)
    found, best = search(junction), brute_force(junction)
    assert found.frames.tolist() == best.frames.tolist()
    assert (found.spread, found.good) == (best.spread, best.good) == (best.spread, True)
    assert best.tried == BEST**4


def test_a_clip_may_gather_speed() -> None:
    """Blended with itself it is itself: feet that stand do not slide although the jump gathers speed."""
    action, clip = actions_of(load("dog"))["jump"], jump()
    assert np.ptp(clip.travel.real) * FRAME_RATE > 1.5
    alone, legs = Junction(load("dog").anatomy, clip, clip), np.arange(4)
    height, slide = alone.blend(legs, 0 * legs, 0 * legs)
    stands = action.contacts[: clip.frames + 1].T
    stood = stands[:, 1:] & stands[:, :-1]
    assert height.shape == slide.shape == (4, clip.frames + 1)
    assert slide[:, 1:][stood].max() * FRAME_RATE < 0.1
    assert slide[:, 1:][~stands[:, 1:]].max() * FRAME_RATE > 1.0


def test_a_clip_goes_on_beyond_its_ends() -> None:
    clip, legs = repeated(1, 0), np.arange(4)
    ground, height = clip.feet_at(legs, np.tile([-1.0, 0.0, 1.0], (4, 1)))
    assert np.diff(ground, 2) == pytest.approx(np.zeros((4, 1)))
    assert np.diff(height, 2) == pytest.approx(np.zeros((4, 1)))


def test_the_body_goes_with_the_latest_leg() -> None:
    frames = np.array([3, 5, 9, 4])
    assert lags(frames).tolist() == [6, 4, 0, 5]
    junction = joined(jump(), 30)
    assert frames + 30 * junction.increments(frames) == pytest.approx(np.full(4, 39.0))

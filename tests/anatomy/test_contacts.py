"""Feet on the ground: hysteresis, tidying, and both kinds of clip against feet that go by formula."""

from __future__ import annotations

import numpy as np
import pytest

from canter.anatomy.contacts import (
    MAX_TREMOR,
    FineContacts,
    debounced,
    hysteresis,
    in_place_contacts,
    once_a_stride,
    runs,
    travelling_contacts,
    tremor,
)
from canter.motion.arrays import Bools

from .animals import TROT, WALK, stepping

HIP = 0.5


def flags(text: str) -> Bools:
    """One foot as a column of `x` (true) and `.`."""
    return np.array([[c == "x"] for c in text])


def text(contacts: Bools) -> str:
    return "".join("x" if down else "." for down in contacts[:, 0])


@pytest.mark.parametrize(
    ("on", "off", "open_", "around"),
    [
        ("..x.....", ".....x..", "..xxx...", "..xxx..."),
        ("......x.", "..x.....", "......xx", "xx....xx"),  # held over the seam of a loop
        ("..x.x...", "...x....", "..x.xxxx", "xxx.xxxx"),
        ("..x.....", "..x....x", "..xxxxx.", "..xxxxx."),  # on goes before off
        ("........", "x.......", "........", "........"),
    ],
)
def test_hysteresis(on: str, off: str, open_: str, around: str) -> None:
    assert text(hysteresis(flags(on), flags(off))) == open_
    assert text(hysteresis(flags(on), flags(off), periodic=True)) == around


def test_hysteresis_agrees_with_its_meaning_frame_by_frame() -> None:
    rng = np.random.default_rng(0)
    on, off = rng.random((200, 3)) < 0.2, rng.random((200, 3)) < 0.3
    found = hysteresis(on, off)
    down = np.zeros(3, bool)
    for i in range(200):
        down = on[i] | (down & ~off[i])
        np.testing.assert_array_equal(found[i], down)


def test_runs_may_cross_the_seam_of_a_loop() -> None:
    row = flags("xx..xx.x")[:, 0]
    assert runs(row) == [(0, 2), (4, 6), (7, 8)]
    assert runs(row, periodic=True) == [(4, 6), (7, 10)]
    assert runs(np.ones(4, bool)) == [(0, 4)]
    assert runs(np.zeros(4, bool)) == []


def test_short_gaps_are_closed_and_short_contacts_dropped() -> None:
    found = debounced(flags("xxxx.xxxx......x......"), rate=10.0, min_gap=0.15, min_contact=0.25)
    assert text(found) == "xxxxxxxxx............."


def test_each_foot_comes_down_once_a_stride() -> None:
    contacts = flags("xxxx.xxxx......x......")
    share = np.where(contacts, 0.0, 0.3)
    assert text(once_a_stride(contacts, share, 1)) == "xxxxxxxxx............."


@pytest.mark.parametrize("rate", [24.0, 30.0, 60.0, 120.0])
@pytest.mark.parametrize(("phases", "duty", "speed"), [(WALK, 0.65, 0.7), (TROT, 0.45, 2.0)])
def test_travelling_feet(rate: float, phases: tuple[float, ...], duty: float, speed: float) -> None:
    feet, trunk, truth = stepping(phases, duty, speed, 0.8, rate)
    found = travelling_contacts(feet, trunk, rate, HIP).at_frames(len(feet), rate)
    assert np.mean(found == truth) > 0.9


@pytest.mark.parametrize("rate", [25.0, 50.0, 60.0, 120.0, 240.0])
def test_the_short_stances_of_a_quick_loop_are_seen_at_any_rate(rate: float) -> None:
    seconds = round(0.36 * rate) / rate
    feet, trunk, _ = stepping((0.25, 0.38, 0.0, 0.12), 0.16, 8.0, seconds, rate, 3)
    steps = travelling_contacts(feet, trunk, rate, HIP, round(seconds * rate))
    assert [len(runs(steps.contacts[:, k])) for k in range(4)] == [3, 3, 3, 3]


@pytest.mark.parametrize("duty", [0.25, 0.3, 0.36])
def test_quick_swings_are_not_taken_for_trembling(duty: float) -> None:
    """Feet of a canter and a gallop that are in the air for most of the time: nothing is smoothed, so no stance is cut
    short; and feet that really tremble are told by as much as they do."""
    feet, trunk, truth = stepping((0.48, 0.24, 0.0, 0.19), duty, 3.2, 0.5, 60.0, 12)
    assert tremor(feet, 60.0) < 0.1 * MAX_TREMOR * HIP
    found = travelling_contacts(feet, trunk, 60.0, HIP).at_frames(len(feet), 60.0)
    assert found.mean() > truth.mean() - 0.02
    noise = np.random.default_rng(0).normal(0, 0.004, feet.shape)
    assert tremor(feet + noise, 60.0) == pytest.approx(1.2 * 0.004 * 60, rel=0.25)


def test_travelling_does_not_depend_on_the_unit() -> None:
    feet, trunk, _ = stepping()
    one, ten = travelling_contacts(feet, trunk, 60.0, HIP), travelling_contacts(10 * feet, 10 * trunk, 60.0, 10 * HIP)
    np.testing.assert_array_equal(one.contacts, ten.contacts)


@pytest.mark.parametrize("rate", [10.0, 24.0, 60.0])
@pytest.mark.parametrize("backward", [False, True])
def test_feet_on_the_spot_tell_the_speed(rate: float, backward: bool) -> None:
    speed = -0.9 if backward else 0.9
    feet, trunk, truth = stepping(speed=speed, rate=rate)
    feet[..., 2] -= trunk[:, None, 1]
    period = round(rate)
    found = in_place_contacts(feet[:period], np.full(4, HIP), rate, HIP, period)
    np.testing.assert_allclose(found.velocity, [0, speed], rtol=0.06, atol=1e-9)
    assert found.spread < 0.1
    contacts = found.steps.at_frames(period, rate)
    assert np.mean(contacts == truth[:period]) > 0.85


def test_an_open_clip_on_the_spot() -> None:
    feet, trunk, truth = stepping(speed=0.9)
    feet[..., 2] -= trunk[:, None, 1]
    found = in_place_contacts(feet, np.full(4, HIP), 60.0, HIP, None)
    assert found.velocity[1] == pytest.approx(0.9, rel=0.05)
    assert np.mean(found.steps.at_frames(len(feet), 60.0) == truth) > 0.9


def test_fine_contacts_are_read_at_frames() -> None:
    steps = FineContacts(flags("xx..xx.."), 4.0)
    assert text(steps.at_frames(3, 1.0)) == "xx."
    assert text(FineContacts(flags("xx.."), 4.0, period=1.0).at_frames(6, 2.0)) == "x.x.x."
    assert text(steps.at_frames(4, 2.0, start=1)) == "xx.x"


@pytest.mark.parametrize("frames", [1, 2, 3, 4])
def test_clips_of_a_few_frames(frames: int) -> None:
    feet, trunk, _ = stepping(rate=30.0)
    found = travelling_contacts(feet[:frames], trunk[:frames], 30.0, HIP)
    assert found.at_frames(frames, 30.0).shape == (frames, 4)


def test_a_clip_with_hardly_any_frames_a_second_is_not_refined_without_end() -> None:
    feet, trunk, _ = stepping()
    assert len(travelling_contacts(feet, trunk, 1e-6, HIP).contacts) <= 24 * len(feet)

"""From an action row to motion: smooth tracks, noise that repeats with the hold, and errors for unknown joints."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from canter.animals.dog.actions import JUMP, SIT
from canter.animals.generator.action_rows import ActionRow, HoldNoise, LegMoves, Step
from canter.animals.generator.actions import Clock, generate_action, smooth_track

from ..loaded import animal, places

STILL = (LegMoves(), LegMoves(), LegMoves(), LegMoves())


def test_a_track_is_still_at_its_ends_monotone_and_smooth() -> None:
    time = np.linspace(0, 2, 481)
    curve = smooth_track("0:0 .5:0 1.5:10 2:10", time, 0.1)
    assert curve[time <= 0.4] == pytest.approx(0)
    assert curve[time >= 1.6] == pytest.approx(10)
    assert np.all(np.diff(curve) >= -1e-9)
    assert np.abs(np.diff(curve, 3)).max() * 240**3 < 3000


def test_a_track_of_one_key_is_constant_and_of_none_zero() -> None:
    clock = Clock(ActionRow("still", 1.0, STILL), 60.0)
    np.testing.assert_array_equal(clock.read("0:7"), 7)
    np.testing.assert_array_equal(clock.read(""), 0)


def test_a_delayed_track_is_the_track_later() -> None:
    clock = Clock(ActionRow("still", 2.0, STILL), 60.0)
    np.testing.assert_allclose(clock.read("0:0 1:5", lag=0.1)[6:], clock.read("0:0 1:5")[:-6], atol=1e-9)


def test_noise_repeats_with_the_hold_and_is_gone_at_both_ends() -> None:
    row = ActionRow("held", 6.0, STILL, hold=(1.0, 4.0), hold_noise=(HoldNoise("look", 5.0),))
    look = Clock(row, 60.0).channel("look")
    assert look[0] == look[-1] == 0
    assert look[60] == pytest.approx(look[240])
    assert look[61] - look[60] == pytest.approx(look[241] - look[240], abs=1e-3)
    assert 2 < look[60:240].std() < 8


def test_an_action_without_tracks_is_standing() -> None:
    standing = animal("dog").standing
    made = generate_action(standing, ActionRow("still", 0.5, STILL))
    assert made.contacts.all()
    np.testing.assert_allclose(places(made), np.tile(standing.places, (31, 1, 1)), atol=2e-3)


def test_a_step_takes_its_foot_to_the_new_foothold() -> None:
    standing, height = animal("dog").standing, animal("dog").standing.height
    legs = (LegMoves(steps=(Step(0.2, 0.5, 0.1, 0.05, height=0.1),)), *STILL[1:])
    made = generate_action(standing, ActionRow("step", 1.0, legs))
    toe = places(made)[:, standing.anatomy.legs[0].joints[-1]]
    np.testing.assert_allclose((toe[-1] - toe[0])[[0, 2]], [0.05 * height, 0.1 * height], atol=1e-6)
    assert toe[-1, 1] < 0.02 * height, "the paw may roll a little onto its tip"
    assert toe[:, 1].max() == pytest.approx(0.1 * height, rel=0.15)
    assert np.flatnonzero(~made.contacts[:, 0]).tolist() == list(range(13, 30))


def test_holds_are_given_in_frames() -> None:
    made = generate_action(animal("dog").standing, SIT, 30.0)
    assert SIT.hold is not None
    assert made.hold == tuple(round(30 * at) for at in SIT.hold)
    assert made.enter == (0, made.hold[0])
    assert made.leave == (made.hold[1], len(made.motion) - 1)


def test_an_action_is_the_same_at_other_frame_rates() -> None:
    dog = animal("dog")
    slow = generate_action(dog.standing, replace(JUMP, hold_noise=()), 30.0)
    assert slow.motion.frame_rate == 30
    assert np.abs(places(slow) - places(dog.action("jump"))[::2]).max() < 0.02


def test_a_joint_that_is_not_there_is_refused_with_those_that_are() -> None:
    legs = (replace(JUMP.legs[0], bends={"fetlock": "0:0"}), *JUMP.legs[1:])
    with pytest.raises(ValueError, match="LF has no fetlock to bend; there are elbow, carpus"):
        generate_action(animal("dog").standing, replace(JUMP, legs=legs))

"""What stages share: rows of states, events, joint speed limits, and where feet come down."""

from __future__ import annotations

from copy import copy

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from canter.control.steering import Root
from canter.cycles.engine.joint_limits import ALWAYS_ALLOWED, MAX_SPEED_RATIO, filtered, max_joint_steps
from canter.cycles.engine.placement import Placement, foothold_offset
from canter.cycles.engine.sampling import Normalise, Sampling
from canter.footing.ground import to_complex
from canter.motion import rotations as rot
from canter.motion.kinematics import forward
from canter.motion.rows import merge_rows

from .made_up import RIG, TROT, WALK, frame, library, strides, timing


def test_rows_are_merged_into_new_arrays() -> None:
    mine, theirs = timing(3, WALK), timing(3, TROT)
    before = mine.clocks
    theirs.clocks = np.full((3, 4), 1.5)
    merge_rows(mine, theirs, np.array([False, True, False]))
    assert mine.target.tolist() == [WALK, TROT, WALK]
    assert mine.clocks[:, 0].tolist() == [0.5, 1.5, 0.5]
    assert mine.clocks is not before
    assert before[1, 0] == 0.5


def test_events_of_a_frame_add_up() -> None:
    made = frame(timing(3))
    made.happen("landed", np.array([True, False, False]))
    made.happen("landed", np.array([False, False, True]))
    made.happen("hit", np.zeros(3, bool))
    assert made.events["landed"].tolist() == [True, False, True]
    assert "hit" not in made.events


# Joint limits ------------------------------------------------------------------------------------


def test_joints_may_turn_as_fast_as_in_their_clips_and_a_little_more() -> None:
    steps = max_joint_steps(np.array([0.1, 5.0]), 50.0)
    assert steps == pytest.approx([ALWAYS_ALLOWED / 50, MAX_SPEED_RATIO * 5 / 50])


@settings(max_examples=30)
@given(st.integers(0, 2**32 - 1), st.floats(0.01, 1.0))
def test_a_joint_goes_its_way_in_steps(seed: int, step: float) -> None:
    random = np.random.default_rng(seed)
    before, wanted = rot.unit(random.normal(size=(2, 3, 4)))
    after = filtered(before, wanted, np.full(3, step))
    way, gone, rest = rot.difference(before, wanted), rot.difference(before, after), rot.difference(after, wanted)
    assert gone == pytest.approx(np.minimum(way, step), abs=1e-6)
    assert gone + rest == pytest.approx(way, abs=1e-6)


def test_a_joint_that_is_slow_enough_is_not_touched() -> None:
    wanted = rot.exp(np.array([[0.1, 0.0, 0.0]]))
    assert filtered(np.array([rot.IDENTITY]), wanted, np.array([0.2])) is wanted


# Placement ---------------------------------------------------------------------------------------


@settings(max_examples=30)
@given(st.floats(-1.0, 3.0), st.floats(-0.5, 0.5))
def test_mid_stance_is_where_a_foot_is_natural(ahead: float, aside: float) -> None:
    """Whatever the velocity: the foot lands half a stance's travel before its natural middle."""
    time, root = timing(1, WALK), Root(1)
    time.stride, time.duty, time.clocks = np.array([1.0]), np.full((1, 4), 0.65), np.full((1, 4), 2.0)
    root.velocity = np.array([ahead + 1j * aside])
    made = frame(time, root)
    made.sweep = strides().sweeps[[WALK]]
    middle = np.array([[0.6 + 0.2j, 0.6 - 0.2j, -0.6 + 0.2j, -0.6 - 0.2j]])
    landing = middle - made.sweep / 2
    landing = landing + foothold_offset(made, landing, np.ones((1, 4)))
    assert np.abs(landing - root.velocity * 0.65 / 2 - middle).max() < 1e-12
    time.clocks = np.full((1, 4), 0.5)
    assert np.abs(foothold_offset(made, middle, np.zeros((1, 4)))).max() < 1e-12


def test_a_foot_that_stands_stays_in_the_world_as_the_animal_goes_on() -> None:
    """The stage as a whole, at the walk's own speed and heading left."""
    from canter.footing import FootLock

    time, root = timing(1, WALK), Root(1)
    time.stride, time.duty = np.array([1.0]), np.full((1, 4), 0.65)
    root.yaw, root.velocity = np.array([0.7]), np.array([0.8 + 0j])
    lock = FootLock(library().tree, library().limits, 1.0, 1)
    sampling, placement, stood = Sampling(library(), strides()), Placement(lock), []
    for k in range(30):
        root.place = np.array([0.8 * k / 60 * np.exp(0.7j)])
        time.clocks = np.full((1, 4), 1.9) if k == 0 else np.full((1, 4), (k - 1) / 60 / 0.65)
        time.phases = strides().phases(time.clocks)
        made = frame(copy(time), root)
        sampling.step(made)
        Normalise().step(made)
        placement.step(made)
        feet = forward(RIG.skeleton, made.positions, made.rotations)[0][0, RIG.anatomy.feet]
        stood.append(to_complex(feet))
    assert np.abs(np.diff(stood[1:], axis=0)).max() < 1e-9
    assert made.contacts.all()
    assert made.rotations[0, 0] == pytest.approx(rot.yaw(0.7))

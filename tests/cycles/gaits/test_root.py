"""Root motion and steering: quickly there, within what legs can do, and by the shorter way round."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from canter.control.batch import BatchCommand
from canter.cycles.engine.frame import Frame
from canter.cycles.engine.gait_graph import make_choice
from canter.cycles.engine.state import Root
from canter.cycles.gaits.root import MAX_ACCELERATION_G, RootMotion
from canter.cycles.gaits.steering import MAX_LATERAL_G, TURN_GAIN, Steering
from canter.motion.constants import GRAVITY

from ..engine.made_up import STAND, TROT, WALK, frame, library, strides, timing

NAMES = ("stand", "walk", "trot", "back", "side", "side 2", "turn", "turn 2")
CHOICE = make_choice(library().cycles, NAMES, {})
STEERING = Steering(library().cycles, CHOICE, strides().girth)
DT = 1 / 60


def steered(speed: float, heading: float, facing: float = np.nan, *, yaw: float = 0.0, now: float = 0.8) -> Frame:
    root = Root(1)
    root.yaw, root.velocity = np.array([yaw]), np.array([now + 0j])
    made = frame(timing(1, WALK), root)
    made.command = BatchCommand.make([speed], heading, facing)
    STEERING.step(made)
    return made


@settings(max_examples=25, deadline=None)
@given(st.floats(-2, 4), st.floats(-1, 1), st.floats(-1.0, 1.0))
def test_velocity_and_yaw_rate_follow_what_is_wanted(ahead: float, aside: float, yaw_rate: float) -> None:
    motion = RootMotion(Root(1), 1.0)
    wish, most, before = np.array([ahead + 1j * aside]), MAX_ACCELERATION_G * GRAVITY, 0.0
    for k in range(240):
        motion.advance(wish, np.array([yaw_rate]), np.array([0.6]), DT)
        assert np.abs(motion.root.acceleration[0]) <= most + 1e-9
        if k == 0:
            before = abs(motion.root.velocity[0])
    assert motion.root.velocity[0] == pytest.approx(wish[0], abs=1e-3)
    assert motion.root.yaw_rate[0] == pytest.approx(yaw_rate)
    assert before > 0 or abs(wish[0]) == 0, "the first frame already moves"


def test_a_straight_way_is_the_sum_of_its_velocities() -> None:
    motion, gone = RootMotion(Root(1), 1.0), 0.0
    for _ in range(60):
        before = motion.root.velocity[0].real
        motion.advance(np.array([2.0 + 0j]), np.zeros(1), np.array([0.6]), DT)
        gone += DT * (before + motion.root.velocity[0].real) / 2
    assert motion.root.place[0] == pytest.approx(gone)


@settings(max_examples=40, deadline=None)
@given(st.floats(-10, 10), st.floats(-10, 10))
def test_it_turns_by_the_shorter_way(heading: float, yaw: float) -> None:
    made = steered(0.8, heading, yaw=yaw)
    off = np.angle(np.exp(1j * (heading - yaw)))
    most = min(STEERING.max_yaw_rate, MAX_LATERAL_G * GRAVITY / 0.8)
    if abs(abs(off) - np.pi) > 1e-6:
        assert made.yaw_rate[0] == pytest.approx(np.clip(TURN_GAIN * off, -most, most), abs=1e-9)


def test_who_faces_elsewhere_goes_that_way_without_turning() -> None:
    made = steered(0.3, np.pi / 2, 0.0, now=0.3)
    assert made.wish[0] == pytest.approx(0.3j, abs=1e-9)
    assert made.yaw_rate[0] == 0
    assert NAMES[made.gait[0]] == "side"
    fast = steered(5.0, np.pi / 2, 0.0, now=0.3)
    assert abs(fast.wish[0]) == pytest.approx(STEERING.side_speed)


def test_zero_stops_where_it_looks() -> None:
    made = steered(0.0, 2.0, yaw=0.3, now=0.0)
    assert made.wish[0] == 0
    assert made.yaw_rate[0] == 0
    assert made.gait[0] == STAND


def test_fast_animals_turn_slowly() -> None:
    slow, fast = STEERING.yaw_rate_limit(np.array([0.1, 10.0]))
    assert fast == pytest.approx(MAX_LATERAL_G * GRAVITY / 10)
    assert slow == STEERING.max_yaw_rate


def test_a_gait_is_chosen_for_the_speed_that_it_can_have_soon() -> None:
    border = CHOICE.ranges[WALK][1]
    assert steered(border + 0.3, 0.0, now=border - 0.3).gait[0] == TROT
    assert steered(border - 0.3, 0.0, now=border - 0.3).gait[0] == WALK

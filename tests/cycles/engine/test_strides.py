"""Strides by speed: a cycle at its own speed is itself; clocks and phases are each other's inverse; the laws."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from canter.cycles.engine.gait_graph import gait_graph
from canter.cycles.engine.laws import CONTACT_POWER, FROUDE_POWER, fit_stride_law
from canter.cycles.engine.strides import DUTY_RANGE, clocks_at, clocks_since, mean_phase, since_touchdown, wrap
from canter.motion.constants import GRAVITY

from .made_up import STAND, TROT, WALK, library, strides

SHARES = st.floats(0.0, 0.999)
DUTIES = st.floats(0.1, 0.95)


def one_hot(gait: int) -> np.ndarray:
    return np.eye(len(library().cycles))[[gait]]


@pytest.mark.parametrize("gait", [WALK, TROT])
def test_a_cycle_at_its_own_speed_has_its_own_stride_and_duty(gait: int) -> None:
    own = library().cycles[gait]
    stride, duty = strides().measure(one_hot(gait), np.array([own.speed]))
    assert stride == pytest.approx(own.seconds)
    assert duty[0] == pytest.approx(own.duty)


def test_faster_strides_are_shorter_in_time_and_longer_in_space() -> None:
    speeds = np.array([1.0, 1.8, 2.6])
    stride, duty = strides().measure(np.repeat(one_hot(TROT), 3, axis=0), speeds)
    assert np.all(np.diff(stride) < 0)
    assert np.all(np.diff(stride * speeds) > 0)
    assert np.all(np.diff(duty[:, 0]) < 0)
    slow = strides().measure(one_hot(WALK), np.array([0.01]))
    assert DUTY_RANGE[0] <= slow[1].min() <= slow[1].max() <= DUTY_RANGE[1]


def test_who_stands_would_step_like_its_slowest_gait() -> None:
    stand, walk = (strides().measure(one_hot(gait), np.array([0.8])) for gait in (STAND, WALK))
    assert stand[0] == pytest.approx(walk[0])
    assert stand[1] == pytest.approx(walk[1])


@given(SHARES, DUTIES)
def test_clocks_and_shares_of_a_stride_are_inverse(since: float, duty: float) -> None:
    clock = clocks_since(np.array(since), np.array(duty))
    assert since_touchdown(clock, np.array(duty)) == pytest.approx(since, abs=1e-12)
    assert (clock < 1) == (since < duty)
    assert 0 <= clock < 2


@given(SHARES)
def test_clocks_and_phases_are_inverse(clock: float) -> None:
    clocks = np.full((1, 4), 2 * clock)
    phases = strides().phases(clocks)
    for gait in (WALK, TROT):
        back = clocks_at(phases[0, gait], strides().touchdowns[gait], strides().duties[gait])
        assert np.abs(np.exp(1j * np.pi * back) - np.exp(1j * np.pi * clocks[0])).max() < 1e-9


def test_phases_wrap_and_have_a_circular_mean() -> None:
    assert wrap(np.array([0.6, -0.6, 2.25, 0.0])) == pytest.approx([-0.4, 0.4, 0.25, 0.0])
    assert mean_phase(np.array([0.9, 0.1])) == pytest.approx(0.0, abs=1e-12)
    assert mean_phase(np.array([0.2, 0.3, 0.4])) == pytest.approx(0.3)


# Laws --------------------------------------------------------------------------------------------


@given(st.floats(0.02, 0.5), st.floats(2.1, 5.9), st.floats(0.2, 1.5))
def test_a_law_is_found_in_strides_that_follow_it(a: float, b: float, height: float) -> None:
    lengths = height * np.array([1.5, 2.0, 3.5])
    speeds = np.sqrt(a * (lengths / height) ** b * GRAVITY * height)
    assert fit_stride_law(speeds, lengths, height) == pytest.approx((a, b))


def test_strides_that_say_nothing_of_the_law_get_the_usual_power() -> None:
    assert fit_stride_law([1.0], [1.0], 0.5)[1] == FROUDE_POWER
    assert fit_stride_law([1.0, 2.0], [1.0, 1.05], 0.5)[1] == FROUDE_POWER
    assert fit_stride_law([1.0, 1.1], [1.0, 3.0], 0.5)[1] == FROUDE_POWER


def test_frequencies_and_contacts_go_with_powers_of_the_speed() -> None:
    laws = strides().laws
    slow, fast = laws.frequencies(np.array([0.8, 1.2]))[:, WALK]
    assert fast / slow == pytest.approx(1.5**laws.power)
    assert slow == pytest.approx(1.0)
    contact = laws.contact(np.array([0.8, 1.2]), np.array([0.8, 0.8]))
    assert contact == pytest.approx([1.0, 1.5 ** (laws.power + CONTACT_POWER)])


def test_gaits_meet_at_the_harmonic_mean() -> None:
    (low, border), (again, high) = gait_graph([1.0, 3.0])
    assert border == again == pytest.approx(1.5)
    assert (low, high) == pytest.approx((0.5, 4.5))
    assert gait_graph([2.0]) == [(1.0, 3.0)]

"""The ground under feet and trunks, and feet of which nobody says when they stand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from canter.control.world import Slope, World
from canter.footing.contacts import ContactEstimator, SwingClocks
from canter.footing.ground import ground_of, height_at, move_roots, to_complex
from canter.footing.trunk import TrunkFollower, TrunkState
from canter.motion import rotations as rot

LEGS = ("LF", "RF", "LH", "RH")
FEET = np.array([[0.5 + 0.2j, 0.5 - 0.2j, -0.5 + 0.2j, -0.5 - 0.2j]])
NEW, OLD = np.ones(1, bool), np.zeros(1, bool)


def test_level_ground_is_no_ground() -> None:
    assert ground_of(None) is None
    assert ground_of(World()) is None
    assert ground_of(World(tilt=(0.1, 0.0))) is not None
    assert ground_of(World.slope(0.1)) is not None


def test_places_are_complex_ahead_and_left() -> None:
    assert to_complex(np.array([0.2, 9.0, 3.0])) == 3.0 + 0.2j
    assert height_at(World.slope(np.pi / 4), np.array([2.0 + 5.0j])) == pytest.approx(2.0)


@settings(max_examples=20)
@given(st.integers(0, 2**32 - 1))
def test_roots_are_moved_there_and_back(seed: int) -> None:
    random = np.random.default_rng(seed)
    positions, rotations = random.normal(size=(3, 2, 3)), rot.unit(random.normal(size=(3, 2, 4)))
    before, place, yaw = (
        (positions.copy(), rotations.copy()),
        random.normal(size=3) + 1j * random.normal(size=3),
        random.normal(size=3),
    )
    roots = np.array([0, 1])
    move_roots(positions, rotations, roots, place, yaw)
    expected = rot.rotate(rot.yaw(yaw)[:, None], before[0]) + np.stack([place.imag, 0 * yaw, place.real], -1)[:, None]
    assert np.abs(positions - expected).max() < 1e-12
    move_roots(positions, rotations, roots, -place * np.exp(-1j * yaw), -yaw)
    assert np.abs(positions - before[0]).max() < 1e-12
    assert np.abs(rotations - before[1]).max() < 1e-12


def follower(angle: float, legs: tuple[str, ...] = LEGS) -> TrunkFollower:
    return TrunkFollower(TrunkState(1), np.array([0]), World(Slope(angle, 0.0)), legs)


def test_a_trunk_is_as_high_and_as_steep_as_the_ground() -> None:
    trunk, positions, rotations = follower(0.2), np.array([[[0.0, 1.0, 0.0]]]), np.array([[[1.0, 0.0, 0.0, 0.0]]])
    trunk.step(positions, rotations, FEET, np.array([3.0 + 0j]), np.zeros(1), np.ones(1))
    assert trunk.state.height == pytest.approx(3 * np.tan(0.2))
    assert trunk.state.slope == pytest.approx(0.2)
    nose = rot.rotate(rotations[0, 0], np.array([0.0, 0.0, 1.0]))
    assert nose == pytest.approx([0.0, np.sin(0.2), np.cos(0.2)])
    assert positions[0, 0] == pytest.approx([0.0, np.cos(0.2) + 3 * np.tan(0.2), -np.sin(0.2)])


def test_downhill_and_backward_are_the_other_way_round() -> None:
    for angle, yaw, sign in ((-0.2, 0.0, -1), (0.2, np.pi, -1), (-0.2, np.pi, 1)):
        trunk = follower(angle)
        trunk.step(np.ones((1, 1, 3)), np.ones((1, 1, 4)) / 2, FEET, np.zeros(1, complex), np.array([yaw]), np.ones(1))
        assert trunk.state.slope == pytest.approx(sign * 0.2)


def test_a_trunk_lags_on_a_slope_unless_it_is_carried_along() -> None:
    lag = {}
    for carried in (0.0, 0.02):
        trunk = follower(0.2)
        for k in range(100):
            pose = np.zeros((1, 1, 3)), np.array([[[1.0, 0.0, 0.0, 0.0]]])
            share = np.array([1.0 if k == 0 else 0.1])
            trunk.step(*pose, FEET, np.array([0.02 * k + 0j]), np.zeros(1), share, np.array([carried if k else 0.0]))
        lag[carried] = float(99 * 0.02 * np.tan(0.2) - trunk.state.height[0])
    assert lag[0.0] == pytest.approx(0.02 * np.tan(0.2) * 0.9 / 0.1, rel=1e-3)
    assert abs(lag[0.02]) < 1e-9


def test_two_legs_have_no_slope_between_them() -> None:
    trunk = follower(0.2, ("L", "R"))
    trunk.step(np.zeros((1, 1, 3)), np.ones((1, 1, 4)) / 2, FEET[:, :2], np.zeros(1, complex), np.zeros(1), np.ones(1))
    assert trunk.state.slope == pytest.approx(0.0)
    assert trunk.state.height == pytest.approx(0.5 * np.tan(0.2))


def test_contacts_have_hysteresis() -> None:
    """One foot of an animal with hips at 1 m: 0.035 m up and slow touches, 0.06 m up leaves."""
    estimator = ContactEstimator(np.zeros(1), 1.0, 1, 60.0)

    def at(height: float, fresh: bool = False, ahead: float = 0.0) -> bool:
        place = np.array([[ahead + 0j]])
        return bool(estimator.step(place, np.array([[height]]), np.zeros(1, complex), NEW if fresh else OLD)[0, 0])

    assert not at(0.05, fresh=True)
    assert at(0.03)
    assert at(0.05)
    assert not at(0.065)
    assert not at(0.05)
    assert at(0.03)
    assert not at(0.03, ahead=0.1)  # 6 m/s


def test_contacts_count_from_the_lowest_that_was_seen() -> None:
    estimator = ContactEstimator(np.full(1, 0.1), 1.0, 1, 60.0)
    place, trunk = np.zeros((1, 1), complex), np.zeros(1, complex)
    assert estimator.step(place, np.array([[0.1]]), trunk, NEW)[0, 0]
    assert estimator.step(place, np.array([[0.0]]), trunk, OLD)[0, 0]
    assert not estimator.step(place, np.array([[0.1]]), trunk, OLD)[0, 0]
    assert estimator.step(place, np.array([[0.1]]), trunk, NEW)[0, 0], "a fresh animal is measured anew"


def test_a_swing_is_taken_to_last_as_long_as_the_last_one() -> None:
    clocks = SwingClocks(1, 1, 1.0, 10.0, first=0.5)
    swing, stance = np.zeros((1, 1), bool), np.ones((1, 1), bool)

    def run(contact: np.ndarray, count: int) -> list[float]:
        return [float(clocks.step(contact, OLD)[0, 0]) for _ in range(count)]

    assert clocks.step(stance, NEW) == pytest.approx(0.5)
    assert run(swing, 4) == pytest.approx([1.2, 1.4, 1.6, 1.8])
    assert run(stance, 3) == pytest.approx([0.5] * 3)
    assert run(swing, 6) == pytest.approx([1.25, 1.5, 1.75, 2.0, 2.0, 2.0])
    run(stance, 1)
    assert run(swing, 1) == pytest.approx([1 + 1 / 6])


def test_a_swing_of_which_nobody_saw_the_begin_is_not_measured() -> None:
    clocks = SwingClocks(1, 1, 1.0, 10.0, first=0.5)
    swing, stance = np.zeros((1, 1), bool), np.ones((1, 1), bool)
    assert clocks.step(swing, NEW) == pytest.approx(2.0)
    clocks.step(stance, OLD)
    assert clocks.step(swing, OLD) == pytest.approx(1.2)

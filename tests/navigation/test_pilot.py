"""Commands close to walls: turns that a controller can do, and speeds from which it can stop."""

from __future__ import annotations

import math

import numpy as np
import pytest

from canter.control import Capabilities
from canter.motion.arrays import Floats
from canter.navigation.pilot import Pilot, walking_speeds

from .carts import Cart, state_at

YAWS = np.radians(np.arange(-90.0, 91.0, 7.5))
FREE = np.full(len(YAWS), 10.0)


def ahead(*distances: float) -> Floats:
    """Free all around, but with a wall so many metres ahead."""
    result = FREE.copy()
    result[np.abs(YAWS) < 0.2] = distances
    return result


def test_the_slowest_gait_is_a_walk() -> None:
    gaits = {"trot": (1.2, 2.6), "walk": (0.5, 1.2), "back": (-1.0, 0.0)}
    assert walking_speeds(Capabilities((0.0, 7.0), gaits=gaits)) == (0.5, 1.2)
    assert walking_speeds(Capabilities((0.0, 3.0))) == pytest.approx((0.3, 1.0))


def test_straight_on_it_goes_at_its_speed() -> None:
    command = Pilot(Cart(), 1.1).command(state_at(0, 0, 0, 1.1), np.array([0.0, 0.5]), 5.0, YAWS, FREE)
    assert (command.speed, command.heading, command.facing) == (pytest.approx(1.1), 0.0, None)


def test_a_slow_turner_goes_slower_in_the_same_bend() -> None:
    aim = 0.5 * np.array([math.sin(0.6), math.cos(0.6)])
    speeds = []
    for rate in (2.0, 0.5):
        command = Pilot(Cart(rate), 1.1).command(state_at(0, 0, 0), aim, 5.0, YAWS, FREE)
        assert command.heading == pytest.approx(0.6)
        speeds.append(command.speed)
        assert command.speed <= rate * 0.5 / (2 * math.sin(0.6)), "its turning circle is no wider than the bend"
    assert speeds[1] < 0.5 * speeds[0]


def test_it_slows_down_before_a_wall_and_stands_at_it() -> None:
    pilot, aim = Pilot(Cart(), 1.1), np.array([0.0, 0.5])
    speeds = [pilot.command(state_at(0, 0, 0), aim, 5.0, YAWS, ahead(d)).speed for d in (5, 1.2, 0.8, 0.3)]
    assert speeds[0] == pytest.approx(1.1)
    assert speeds == sorted(speeds, reverse=True)
    assert speeds[-1] == 0


def test_an_animal_that_can_turns_on_the_spot() -> None:
    pilot = Pilot(Cart(faces=True))
    behind = np.array([0.5, -0.5])
    command = pilot.command(state_at(0, 0, 0), behind, 5.0, YAWS, FREE)
    assert (command.speed, command.facing) == (0.0, pytest.approx(math.radians(135)))
    almost = pilot.command(state_at(0, 0, math.radians(110)), behind, 5.0, math.radians(110) + YAWS, FREE)
    assert almost.speed == 0, "it goes on turning until it is almost there"
    there = pilot.command(state_at(0, 0, math.radians(130)), behind, 5.0, math.radians(130) + YAWS, FREE)
    assert there.speed > 0
    assert there.facing is None


def test_an_animal_that_cannot_creeps_round_in_a_small_circle() -> None:
    cart = Cart(turn_rate=0.3, faces=False, slowest=0.5)
    pilot = Pilot(cart)
    cart.reset()
    state, way = cart._state(), []
    for _ in range(1500):
        state = cart.step(pilot.command(state, np.array([0.0, -5.0]), 5.0, state.facing + YAWS, FREE))
        way.append(state.place[[0, 2]])
        if abs(state.facing) > math.radians(150):
            break
    assert abs(state.facing) > math.radians(150)
    assert np.abs(way).max() < 2.5 * pilot.clearance, "half a turn at the slowest gait would need a circle of 3.3 m"


def test_about_face_it_turns_to_the_side_with_more_room() -> None:
    for side in (1.0, -1.0):
        pilot = Pilot(Cart(faces=False))
        yaws = np.radians(np.arange(0.0, 360.0, 10.0))
        distances = np.where(side * np.sin(yaws) > 0.9, 2.0, 0.6)
        aim = np.array([-0.05 * side, -1.0])
        command = pilot.command(state_at(0, 0, 0), aim, 5.0, yaws, distances)
        assert math.copysign(1.0, math.sin(command.heading)) == side


def test_a_pilot_that_shall_not_move_is_refused() -> None:
    with pytest.raises(ValueError, match="speed above zero"):
        Pilot(Cart(), 0.0)

"""Steering: springs against an integrator, bounds, and predictions that come true at any frame rate."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import canter
from canter import Command
from canter.control import BatchCommand, make_batch
from canter.control.steering import Root, SteeringLimits, Wish, advance, predict, spring

LIMITS = SteeringLimits(6.0, 1.5, 1.0, 7.8, 4.4, 1.6, 6.5, np.array([0.0, 6.0]), np.array([4.0, 12.0]))


def wish(speed: float, heading: float = 0.0, facing: float = math.nan) -> Wish:
    return Wish(np.array([speed]), np.array([heading]), np.array([facing]))


@pytest.mark.parametrize(("offset", "rate"), [(0.1, 0.0), (-0.05, 0.4), (30.0, -2.0), (-40.0, 1.0)])
def test_a_spring_is_the_solution_of_its_equation(offset: float, rate: float) -> None:
    frequency, bound, dt = 7.0, 1.5, 0.11

    def equation(_: float, y: list[float]) -> list[float]:
        e = np.clip(offset - y[0], -2 * bound / frequency, 2 * bound / frequency)
        return [y[1], frequency**2 * e - 2 * frequency * y[1], y[0]]

    exact = solve_ivp(equation, (0, dt), [0.0, rate, 0.0], rtol=1e-10, atol=1e-12).y[:, -1]
    value, speed, mean = spring(np.zeros(1), np.array([rate]), np.array([offset]), frequency, bound, dt)
    assert (value[0], speed[0], mean[0]) == pytest.approx((exact[0], exact[1], exact[2] / dt), abs=1e-6)


def test_many_small_steps_are_one_large_step() -> None:
    value, rate = np.array([1.0 + 2.0j]), np.array([0.3j])
    for _ in range(8):
        value, rate, _ = spring(value, rate, 1.2 + 1.9j - value, 5.0, 100.0, 0.02)
    whole = spring(np.array([1.0 + 2.0j]), np.array([0.3j]), np.array([0.2 - 0.1j]), 5.0, 100.0, 0.16)
    assert value == pytest.approx(whole[0])
    assert rate == pytest.approx(whole[1])


def test_neither_acceleration_nor_yaw_rate_exceeds_its_bound() -> None:
    root = Root(1)
    for frame in range(400):
        root = advance(root, wish(6.0 * (frame % 200 > 60), 2.8), LIMITS, 1 / 60)
        assert abs(root.acceleration[0]) <= LIMITS.max_acceleration + 1e-9
        most = LIMITS.yaw_rate_limit(np.abs(root.velocity))[0]
        assert abs(root.yaw_rate[0]) <= most + 0.25, "it follows the bound, which falls with speed"


def test_speed_heading_and_facing_are_reached() -> None:
    root = Root(1)
    for _ in range(360):
        root = advance(root, wish(3.0, 1.2), LIMITS, 1 / 60)
    assert root.velocity[0] == pytest.approx(3.0, abs=1e-3)
    assert root.yaw[0] == pytest.approx(1.2, abs=1e-4)
    for _ in range(360):
        root = advance(root, wish(0.8, 1.2, facing=0.2), LIMITS, 1 / 60)
    assert root.yaw[0] == pytest.approx(0.2, abs=1e-4)
    assert root.velocity[0] * np.exp(1j * root.yaw[0]) == pytest.approx(0.8 * np.exp(1.2j), abs=1e-3)


def test_sideways_speed_is_bounded() -> None:
    root = Root(1)
    for _ in range(360):
        root = advance(root, wish(5.0, math.pi / 2, facing=0.0), LIMITS, 1 / 60)
    assert abs(root.velocity[0]) == pytest.approx(LIMITS.side_speed, rel=1e-3)


def test_a_stop_ends_a_turn_without_turning_back() -> None:
    root = Root(1)
    for _ in range(20):
        root = advance(root, wish(2.0, 2.0), LIMITS, 1 / 60)
    yaws = []
    for _ in range(120):
        root = advance(root, wish(0.0, 2.0), LIMITS, 1 / 60)
        yaws.append(float(root.yaw[0]))
    assert (np.diff(yaws) > -1e-12).all()
    assert abs(root.yaw_rate[0]) < 1e-4


@pytest.mark.parametrize(("speed", "heading"), [(5.0, 0.0), (1.0, 2.5), (4.0, -1.0)])
def test_a_prediction_comes_true(speed: float, heading: float) -> None:
    root = Root(1)
    for _ in range(100):
        root = advance(root, wish(2.5), LIMITS, 1 / 60)
    places, yaws, velocities = predict(root, wish(speed, heading), LIMITS, np.array([0.25, 0.5, 1.0]))
    for _ in range(60):
        root = advance(root, wish(speed, heading), LIMITS, 1 / 60)
    assert abs(places[0, -1] - root.place[0]) < 0.02
    assert yaws[0, -1] == pytest.approx(root.yaw[0], abs=0.02)
    assert velocities[0, -1] == pytest.approx(root.velocity[0] * np.exp(1j * root.yaw[0]), abs=0.1)


@pytest.mark.parametrize(("name", "controller"), [("horse", "gaits"), ("dog", "gaits"), ("dog", "clip")])
def test_what_is_drawn_is_what_happens(name: str, controller: str) -> None:
    """After a change of command, the place predicted half a second ahead is reached within 5 % of hip height."""
    driven = canter.load(name).controller(controller)
    low, high = next(iter(driven.capabilities.gaits.values()))
    height = driven.character.anatomy.hip_height
    for share, heading in ((0.8, 0.0), (0.5, 0.9), (0.3, -1.5)):
        driven.reset()
        for _ in range(240):
            driven.step(Command(speed=low + 0.4 * (high - low)))
        states = [driven.step(Command(speed=low + share * (high - low), heading=heading)) for _ in range(75)]
        for k in range(0, 45, 9):
            trajectory = states[k].trajectory
            ahead = int(np.argmin(np.abs(trajectory.times - 0.5)))
            assert np.linalg.norm(trajectory.positions[ahead] - states[k + 30].place) < 0.05 * height


@pytest.mark.parametrize("name", ["horse", "dog"])
def test_the_way_does_not_depend_on_the_frame_rate(name: str) -> None:
    character, ends = canter.load(name), []
    chance = np.random.default_rng(1)
    times = np.concatenate([[0.0], np.sort(chance.choice(np.arange(20, 340), 6, replace=False)) / 30])
    for rate in (30.0, 60.0, 120.0):
        batch = make_batch("gaits", character, 4, frame_rate=rate)
        told = np.random.default_rng(2)
        speeds = np.maximum(told.uniform(-0.1, 1, (7, 4)), 0) * batch.capabilities.speed_range[1]
        headings = np.cumsum(told.normal(0, 0.8, (7, 4)), axis=0)
        for frame in range(round(12 * rate)):
            k = int(np.searchsorted(times, frame / rate + 1e-9, side="right")) - 1
            state = batch.step(BatchCommand.make(speeds[k], headings[k]))
        ends.append(state.place)
    apart = [np.linalg.norm(end - ends[1], axis=1).max() for end in ends]
    assert max(apart) < 0.02 * character.anatomy.hip_height


@pytest.mark.parametrize("facing", [math.nan, 2.0])
def test_plain_numbers_are_steered_like_arrays(facing: float) -> None:
    arrays, numbers = Root(1), Root(1).numbers()
    for frame in range(200):
        told = wish(6.0 * (frame > 60), 2.8 - 0.02 * frame, facing)
        arrays = advance(arrays, told, LIMITS, 1 / 60)
        numbers = advance(numbers, told.numbers(), LIMITS, 1 / 60)
    assert type(numbers.yaw) is float
    back = Root(1)
    back.take(numbers)
    for name in ("place", "yaw", "velocity", "acceleration", "yaw_rate"):
        np.testing.assert_allclose(getattr(back, name), getattr(arrays, name), rtol=1e-11)

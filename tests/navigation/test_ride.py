"""Rides through mazes: what the referee counts, and when a ride ends."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

from canter.control import Command, State
from canter.motion.arrays import Floats
from canter.navigation import PathNavigator, navigate, read_maze

from .carts import Cart, dog

MAZE = read_maze("+--+--+--+\n|S   G  G|\n+--+--+--+", 2.0)


class Blind:
    """Goes straight along a yaw, whatever is there."""

    def __init__(self, heading: float, speed: float = 1.0) -> None:
        self.heading, self.speed = heading, speed
        self.collected: Floats = np.zeros((0, 2))
        self.path: Floats = np.zeros((0, 2))
        self.target: Floats | None = None
        self.done = False

    def __call__(self, state: State) -> Command:
        return Command(self.speed, self.heading, facing=self.heading)


def test_a_ride_ends_when_all_is_collected() -> None:
    cart = Cart()
    result = navigate(cart, MAZE, PathNavigator(cart, MAZE.world(), MAZE.goal_places), 60)
    assert (result.collected, result.goals, result.complete) == ((0, 1), 2, True)
    assert result.seconds < 15
    assert result.metres == pytest.approx(4 - dog().anatomy.hip_height, abs=0.3)
    assert result.way.shape == (round(result.seconds * cart.frame_rate), 2)
    assert (result.wall_depth, result.inside_seconds, result.falls) == (0, 0, 0)


def test_the_referee_sees_a_trunk_in_a_wall() -> None:
    cart = Cart()
    result = navigate(cart, MAZE, Blind(0.0), 3)
    assert not result.complete
    assert result.seconds == pytest.approx(3)
    assert result.wall_depth >= 0.1
    assert 0.3 < result.inside_seconds < 1.2, "half a metre of trunk goes through at a metre a second"
    along = navigate(cart, MAZE, Blind(-math.pi / 2, 0.5), 4)
    assert along.wall_depth == 0
    assert along.collected == (0,)


def test_walls_may_be_thicker_than_usual() -> None:
    cart = Cart()
    thick = MAZE.world(thickness=1.9)
    assert navigate(cart, MAZE, Blind(-math.pi / 2, 0.5), 1).wall_depth == 0
    assert navigate(cart, MAZE, Blind(-math.pi / 2, 0.5), 1, world=thick).wall_depth > 0


def test_goals_count_within_the_reach() -> None:
    cart = Cart()
    assert navigate(cart, MAZE, Blind(-math.pi / 2, 0.5), 2, reach=0.1).collected == ()
    assert navigate(cart, MAZE, Blind(-math.pi / 2, 0.5), 2, reach=2.0).collected == (0,)


def test_falls_are_counted_once_each() -> None:
    class Clumsy(Cart):
        frame = 0

        def step(self, command: Command) -> State:
            self.frame += 1
            lies = 10 < self.frame < 20 or self.frame > 30
            return dataclasses.replace(super().step(command), events=("fallen",) if lies else ())

    assert navigate(Clumsy(), MAZE, Blind(-math.pi / 2, 0.1), 2).falls == 2


def test_a_ride_needs_time() -> None:
    with pytest.raises(ValueError, match="seconds above zero"):
        navigate(Cart(), MAZE, Blind(0.0), math.nan)

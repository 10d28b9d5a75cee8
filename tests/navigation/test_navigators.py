"""Navigators in closed loop: with a cart that turns quickly, slowly or not on the spot, and with the dog."""

from __future__ import annotations

import math

import numpy as np
import pytest

from canter.control.world import Wall, World
from canter.navigation import (
    Maze,
    Navigator,
    PathNavigator,
    RayNavigator,
    RaySensor,
    navigate,
    random_maze,
    read_maze,
)
from canter.navigation.lines import room_along

from .carts import Cart, dog

CELL = 2.0
CARTS = {
    "quick": Cart(turn_rate=2.0),
    "slow": Cart(turn_rate=0.7),
    "cannot turn on the spot": Cart(turn_rate=1.0, faces=False, slowest=0.5),
}


def navigator_of(kind: str, controller: object, maze: Maze) -> Navigator:
    if kind == "path":
        return PathNavigator(controller, maze.world(), maze.goal_places)  # type: ignore[arg-type]
    return RayNavigator(controller, RaySensor(maze.world(), maze.goal_places), len(maze.goals))  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", ["path", "ray"])
@pytest.mark.parametrize("cart", list(CARTS))
def test_all_goals_are_collected_and_no_wall_is_touched(kind: str, cart: str) -> None:
    maze = random_maze(3, 4, CELL, 5).scattered(2, 5)
    controller = CARTS[cart]
    navigator = navigator_of(kind, controller, maze)
    result = navigate(controller, maze, navigator, 200)
    assert result.complete
    assert result.wall_depth == 0
    assert navigator.done
    assert {maze.cell_at(place) for place in navigator.collected} == set(maze.goals)


@pytest.mark.parametrize(("kind", "seed"), [("path", 1), ("path", 3), ("ray", 1), ("ray", 3)])
def test_the_dog_collects_all_goals_of_a_maze(kind: str, seed: int) -> None:
    maze = random_maze(2, 3, CELL, seed).scattered(2, seed)
    controller = dog().controller("gaits", world=maze.world())
    navigator = navigator_of(kind, controller, maze)
    result = navigate(controller, maze, navigator, 60)
    assert result.complete
    assert (result.wall_depth, result.inside_seconds, result.falls) == (0, 0, 0)
    assert result.metres > 2


def test_what_is_planned_can_be_looked_at() -> None:
    maze = random_maze(3, 3, CELL, 1).scattered(2, 1)
    cart = Cart()
    navigator = PathNavigator(cart, maze.world(), maze.goal_places)
    assert isinstance(navigator, Navigator)
    assert (len(navigator.path), navigator.target, navigator.done) == (0, None, False)
    navigator(cart.reset())
    assert navigator.target is not None
    np.testing.assert_allclose(navigator.path[[0, -1]], [(0, 0), navigator.target], atol=1e-6)
    assert room_along(maze.walls(), navigator.path[:-1], navigator.path[1:]).min() > 0.3


def test_a_navigator_that_is_off_its_path_plans_anew() -> None:
    maze = read_maze("+--+--+--+\n|        |\n+  +  +  +\n|S      G|\n+--+--+--+", CELL)
    cart = Cart()
    navigator = PathNavigator(cart, maze.world(), maze.goal_places)
    navigator(cart.reset())
    before = navigator.path
    cart.place = np.array([0.0, 2.0])  # put into the next cell
    for _ in range(3):
        navigator(cart._state())
    assert not np.array_equal(navigator.path, before)
    np.testing.assert_allclose(navigator.path[0], (0, 2))


def test_goals_that_no_path_leads_to_are_left_out() -> None:
    maze = read_maze("+--+--+--+\n|G  S |G |\n+--+--+--+", CELL)
    for kind in ("path", "ray"):
        cart = Cart()
        navigator = navigator_of(kind, cart, maze)
        result = navigate(cart, maze, navigator, 60)
        assert result.collected == (0,)
        assert navigator.done, kind
        assert result.seconds < 30


def test_without_goals_there_is_nothing_to_do() -> None:
    cart = Cart()
    navigator = PathNavigator(cart, World(), [])
    command = navigator(cart.reset())
    assert navigator.done
    assert command.speed == 0


def test_an_animal_explores_until_it_has_seen_everything() -> None:
    maze = random_maze(3, 3, CELL, 2)
    cart = Cart()
    navigator = RayNavigator(cart, RaySensor(maze.world()))
    state = cart.reset()
    for _ in range(round(100 * cart.frame_rate)):
        state = cart.step(navigator(state))
        if navigator.done:
            break
    assert navigator.done
    seen = navigator.seen.origin + navigator.seen.spacing * np.argwhere(navigator.seen.free)
    for cell in maze.cells():
        assert np.linalg.norm(seen - maze.place(cell), axis=1).min() < navigator.seen.spacing, cell


def test_a_wall_in_the_open_is_walked_around() -> None:
    world = World(walls=(Wall((-2, 3), (2, 3)),))
    for kind in ("path", "ray"):
        cart = Cart()
        goals = np.array([(0.0, 6.0)])
        navigator: Navigator = PathNavigator(cart, world, goals)
        if kind == "ray":
            navigator = RayNavigator(cart, RaySensor(world, goals), 1)
        state, way = cart.reset(), []
        for _ in range(round(60 * cart.frame_rate)):
            state = cart.step(navigator(state))
            way.append(state.place[[0, 2]])
            if navigator.done:
                break
        assert len(navigator.collected) == 1, kind
        assert room_along(world.walls, np.array(way[:-1]), np.array(way[1:])).min() > 0.3


def test_it_goes_as_fast_as_it_is_told_where_there_is_room() -> None:
    border, inner = "+" + "--+" * 6, "+" + "--+" * 5 + "  +"
    maze = read_maze("\n".join([border, f"|{'S':17}|", inner, f"|{'G':17}|", border]), 3.0)
    for speed in (0.8, 2.2):
        cart = Cart()
        navigator = PathNavigator(cart, maze.world(), maze.goal_places, speed=speed)
        result = navigate(cart, maze, navigator, 100)
        assert result.complete
        assert result.wall_depth == 0
        steps = np.linalg.norm(np.diff(result.way, axis=0), axis=1) * cart.frame_rate
        assert steps.max() == pytest.approx(speed, rel=0.05)
        bend = np.abs(result.way[1:, 1] + 1.5) < 0.3
        assert steps[bend].max() < 1.8, "slower where it turns into the other corridor"


def test_goals_are_collected_within_the_reach() -> None:
    cart = Cart()
    with pytest.raises(ValueError, match="reach above zero"):
        PathNavigator(cart, World(), [(0, 1)], reach=0.0)
    for reach in (0.3, 1.0):
        navigator = PathNavigator(cart, World(), [(0, 4)], reach=reach)
        state = cart.reset()
        while not navigator.done:
            state = cart.step(navigator(state))
        assert math.dist(state.place[[0, 2]], (0, 4)) == pytest.approx(reach, abs=0.1)

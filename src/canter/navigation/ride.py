"""A ride through a maze, and what came of it: goals, time, way, and whether the trunk was ever inside a wall."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from canter.anatomy import Character
from canter.control.contract import Controller
from canter.control.state import State
from canter.control.world import World
from canter.motion import forward_of
from canter.motion.arrays import Floats
from canter.navigation.lines import WallLines
from canter.navigation.maze import Maze
from canter.navigation.navigators import Navigator
from canter.navigation.trunk import trunk_joints, trunk_of, wall_depths

BLOCK_FRAMES = 256
"""Frames whose trunks are computed at once, which is quicker than one by one."""


@dataclass(frozen=True, eq=False)
class NavigationResult:
    """What came of a ride.

    `collected` are the numbers of the maze's goals in the order in which the animal came within reach of them, out of
    `goals`; `seconds` and `metres` the length of the ride; `wall_depth` how deep in metres the trunk was inside a wall
    at most, and `inside_seconds` for how long it was inside; `falls` how often the animal fell; `way (T, 2)` where it
    was.
    """

    collected: tuple[int, ...]
    goals: int
    seconds: float
    metres: float
    wall_depth: float
    inside_seconds: float
    falls: int
    way: Floats

    @property
    def complete(self) -> bool:
        """Whether all goals were collected."""
        return len(self.collected) == self.goals


class Referee:
    """Watches a ride frame by frame, whoever drives: knows the maze, and looks only at the states."""

    def __init__(self, character: Character, maze: Maze, lines: WallLines, frame_rate: float, reach: float) -> None:
        self._character, self._lines, self._frame_rate, self._reach = character, lines, frame_rate, reach
        self._places = maze.goal_places
        self._joints = trunk_joints(character.anatomy)
        self._block: list[State] = []
        self._way: list[Floats] = []
        self._deepest, self._inside, self._falls, self._lies = 0.0, 0, 0, False
        self.collected: list[int] = []
        """The numbers of the goals collected so far, in order."""

    @property
    def complete(self) -> bool:
        return len(self.collected) == len(self._places)

    def watch(self, state: State) -> None:
        """Takes a frame into account."""
        place = state.place[[0, 2]].astype(np.float64)
        self._way.append(place)
        for goal in np.flatnonzero(np.linalg.norm(self._places - place, axis=1) <= self._reach):
            if int(goal) not in self.collected:
                self.collected.append(int(goal))
        lies = "fallen" in state.events
        self._falls += lies and not self._lies
        self._lies = lies
        self._block.append(state)
        if len(self._block) >= BLOCK_FRAMES:
            self._measure()

    def _measure(self) -> None:
        """How deep the trunks of the frames since the last time are inside walls."""
        states, self._block = self._block, []
        if not states:
            return
        positions = np.stack([state.pose.positions for state in states]).astype(np.float64)
        rotations = np.stack([state.pose.rotations for state in states]).astype(np.float64)
        corners = forward_of(self._character.skeleton, positions, rotations, self._joints)[0]
        depths = wall_depths(self._lines, *trunk_of(corners))
        self._deepest = max(self._deepest, float(depths.max()))
        self._inside += int(np.count_nonzero(depths > 0))

    def result(self) -> NavigationResult:
        """What came of it so far."""
        self._measure()
        way = np.array(self._way, np.float64).reshape(-1, 2)
        return NavigationResult(
            collected=tuple(self.collected),
            goals=len(self._places),
            seconds=len(way) / self._frame_rate,
            metres=float(np.linalg.norm(np.diff(way, axis=0), axis=1).sum()),
            wall_depth=self._deepest,
            inside_seconds=self._inside / self._frame_rate,
            falls=self._falls,
            way=way,
        )


def navigate(
    controller: Controller,
    maze: Maze,
    navigator: Navigator,
    seconds: float,
    *,
    seed: int = 0,
    reach: float | None = None,
    world: World | None = None,
) -> NavigationResult:
    """Lets a navigator drive through a maze until it is done, all goals are collected or the `seconds` are over.

    Goals count as collected within `reach` metres (default: the hip height). The walls are those of `world` (default:
    `maze.world()`).
    """
    if not (seconds > 0 and math.isfinite(seconds)):
        raise ValueError(f"a ride needs seconds above zero, not {seconds}")
    character = controller.character
    lines = WallLines.of((world or maze.world()).walls)
    reach = character.anatomy.hip_height if reach is None else reach
    referee = Referee(character, maze, lines, controller.frame_rate, reach)
    state = controller.reset(seed)
    for _ in range(round(seconds * controller.frame_rate)):
        state = controller.step(navigator(state))
        referee.watch(state)
        if referee.complete:
            navigator(state)  # so that it knows too
        if navigator.done or referee.complete:
            break
    return referee.result()

"""Drivers that find their way between walls and collect goals, with any controller: one has a map, the other only rays.

Both plan a smooth path, follow it by pure pursuit and are looked at from outside alike: `collected`, `done`, and
`path` and `target`, which is what they mean to do next.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Protocol, runtime_checkable

import numpy as np

from canter.control.command import Command
from canter.control.contract import Controller
from canter.control.state import State
from canter.control.world import World
from canter.motion.arrays import ArrayLike, Floats
from canter.navigation.lines import WallLines
from canter.navigation.paths import CORNER_SPARE, path_to
from canter.navigation.pilot import TURN_SHARE, Pilot
from canter.navigation.pursuit import Pursuit
from canter.navigation.rays import Sighting, ranges
from canter.navigation.seen import SeenMap
from canter.navigation.space import Space, Ways, wall_space, ways_from

SPACING = 1 / 3
"""Distance of the points of a grid, as a share of the clearance."""
CORNER_RADIUS = 1.5
"""Radius of rounded corners, as a share of the comfortable distance from walls."""
FAN = np.radians(np.arange(-90.0, 91.0, 7.5))
"""Yaws from the facing in which the navigator with a map looks how far it is to walls, in radians."""
OFF_PATH = 0.7
"""A navigator is off its path if it is further away than this share of its clearance."""
GOAL_SHARE = 0.6
"""A path ends at most this share of the reach away from its goal."""
DECISION_SECONDS = 0.05
"""How often a navigator decides; its command holds in between."""
LOOK_DECISIONS, PLAN_DECISIONS, SOON_DECISIONS = 2, 20, 4
"""Decisions after which a navigator without a map notes what it sees, and plans anew: usually, and at the end of what
it has seen."""
TURN_COST = 0.5
"""What a turn by a radian costs when the next place to explore is chosen, in hip heights of path."""
SAME_TARGET = 0.7
"""Factor by which it is cheaper to go on to the place that is being gone to than to another."""


@runtime_checkable
class Navigator(Protocol):
    """A Driver that collects goals."""

    @property
    def collected(self) -> Floats:
        """Places `(K, 2)` of the goals collected so far, in order."""

    @property
    def done(self) -> bool:
        """Whether all goals are collected, or no others can be found."""

    @property
    def path(self) -> Floats:
        """The planned path `(N, 2)`; empty where there is none."""

    @property
    def target(self) -> Floats | None:
        """Where the path leads `(2,)`."""

    def __call__(self, state: State) -> Command: ...


class _Walker:
    """What both navigators share: goals that are known and collected, a path that is being followed, and a pilot."""

    def __init__(self, controller: Controller, reach: float | None, speed: float | None) -> None:
        self._pilot = Pilot(controller, speed)
        self.reach = self._pilot.hip_height if reach is None else float(reach)
        """Metres from the animal's place within which a goal is collected."""
        if not self.reach > 0:
            raise ValueError(f"goals must be collected within a reach above zero, not {self.reach}")
        self._pending: list[Floats] = []
        self._collected: list[Floats] = []
        self._pursuit: Pursuit | None = None
        self.target: Floats | None = None
        self.done = False
        self._every = max(round(DECISION_SECONDS * controller.frame_rate), 1)
        self._frame = 0
        self._command = Command()

    @property
    def collected(self) -> Floats:
        return np.array(self._collected, np.float64).reshape(-1, 2)

    @property
    def path(self) -> Floats:
        return self._pursuit.path.points if self._pursuit is not None else np.zeros((0, 2))

    def __call__(self, state: State) -> Command:
        place = state.place[[0, 2]].astype(np.float64)
        met = [math.dist(goal, place) <= self.reach for goal in self._pending]
        if any(met):
            self._collected += [goal for goal, near in zip(self._pending, met, strict=True) if near]
            self._pending = [goal for goal, near in zip(self._pending, met, strict=True) if not near]
            self._forget_path()
        if any(met) or self._frame % self._every == 0:
            self._command = self._decide(state, place)
        self._frame += 1
        return self._command

    def _decide(self, state: State, place: Floats) -> Command:
        """What to do from now until the next decision, at `place (2,)`."""
        raise NotImplementedError

    def _go(self, points: Floats, target: Floats) -> None:
        """Follow a new path `(N, 2)` from now on, to `target (2,)`."""
        pilot = self._pilot
        self._pursuit = Pursuit(points, pilot.lookahead, TURN_SHARE * pilot.turn_rate, pilot.slowest)
        self.target = target

    def _nearest_goal(self, ways: Ways) -> tuple[int, Floats] | None:
        """The known goal with the shortest way, and the point of the grid beside it; None if no way leads to any."""
        nodes = [ways.node_near(goal, GOAL_SHARE * self.reach) for goal in self._pending]
        found = [(node, goal) for node, goal in zip(nodes, self._pending, strict=True) if node is not None]
        return min(found, key=lambda one: float(ways.costs[one[0]]), default=None)

    def _path(self, ways: Ways, node: int, place: Floats, goal: Floats | None = None) -> Floats:
        """The smooth path `(N, 2)` from here to a point of the grid, and on to a goal."""
        pilot = self._pilot
        return path_to(ways, node, place, goal, pilot.clearance, pilot.comfort, CORNER_RADIUS * pilot.comfort)

    def _forget_path(self) -> None:
        self._pursuit, self.target = None, None

    def _along(self, pursuit: Pursuit, state: State, lines: WallLines, yaws: Floats, distances: Floats) -> Command:
        """The command that follows the path; `yaws (R,)` and `distances (R,)` are how far it is to walls."""
        pilot, place = self._pilot, state.place[[0, 2]].astype(np.float64)
        near = lines.near(place[None], pilot.lookahead + 2 * pilot.clearance)
        aim = pursuit.aim(place, near, pilot.clearance)
        return pilot.command(state, aim, pursuit.speed_limit(pilot.braking_seconds), yaws, distances)


class PathNavigator(_Walker):
    """A Driver with a map: it plans through the walls of `world` from goal to goal, always to the nearest one next.

    `goals (G, 2)` are collected within `reach` metres (default: the hip height), at `speed` m/s (default: a walk).
    Goals that no path leads to are left out; it is done when no others are left. It is made for one ride.
    """

    def __init__(
        self,
        controller: Controller,
        world: World,
        goals: ArrayLike,
        *,
        reach: float | None = None,
        speed: float | None = None,
    ) -> None:
        super().__init__(controller, reach, speed)
        self._lines = WallLines.of(world.walls)
        self._pending = list(np.asarray(goals, np.float64).reshape(-1, 2))
        self._space: Space | None = None
        pilot = self._pilot
        self._sight = 2 * pilot.braking_seconds * pilot.speed + 2 * pilot.comfort

    def _decide(self, state: State, place: Floats) -> Command:
        pilot = self._pilot
        off = self._pursuit.advance(place) if self._pursuit is not None else math.inf
        if off > OFF_PATH * pilot.clearance:
            self._plan(place)
        self.done = self._pursuit is None
        if self._pursuit is None:
            return pilot.stand(state)
        yaws = state.facing + FAN
        distances = ranges(self._lines.near(place[None], self._sight), place, yaws, self._sight)
        return self._along(self._pursuit, state, self._lines, yaws, distances)

    def _plan(self, place: Floats) -> None:
        """A path to the nearest goal from here; none if there is no goal that a path leads to."""
        pilot = self._pilot
        self._forget_path()
        if not self._pending:
            return
        if self._space is None:
            spacing = SPACING * pilot.clearance
            self._space = wall_space(self._lines, [place, *self._pending], spacing, 1.5 * pilot.comfort)
        ways = ways_from(self._space, place, CORNER_SPARE * pilot.clearance, pilot.comfort)
        nearest = None if ways is None else self._nearest_goal(ways)
        if ways is not None and nearest is not None:
            self._go(self._path(ways, nearest[0], place, nearest[1]), nearest[1])


class RayNavigator(_Walker):
    """A Driver without a map: it knows what `sensor` has shown it, and explores until it has found what it looks for.

    It goes to the nearest goal that it has seen, and otherwise to the nearest border of what it has seen, on a map that
    it builds itself. `goals` is how many there are to find; without it, it is done when everything has been seen.
    `reach` and `speed` are as in `PathNavigator`. It is made for one ride.
    """

    def __init__(
        self,
        controller: Controller,
        sensor: Callable[[State], Sighting],
        goals: int | None = None,
        *,
        reach: float | None = None,
        speed: float | None = None,
    ) -> None:
        super().__init__(controller, reach, speed)
        self._sensor, self._goals = sensor, goals
        self.seen = SeenMap(SPACING * self._pilot.clearance)
        """What has been seen so far."""
        self._lines = self.seen.wall_lines()
        self._decisions, self._planned = 0, 0

    def _decide(self, state: State, place: Floats) -> Command:
        sighting = self._sensor(state)
        fresh = self._remember_goals(place, sighting)
        if self._decisions % LOOK_DECISIONS == 0:
            self.seen.add(place, sighting)
        self.done = self.done or (self._goals is not None and len(self._collected) >= self._goals)
        if self._pursuit is not None:
            self._pursuit.advance(place)
        if not self.done and (fresh or self._pursuit is None or self._decisions >= self._next_plan(self._pursuit)):
            self._planned = self._decisions
            self._plan(place, state.facing)
        self._decisions += 1
        if self.done or self._pursuit is None:
            return self._pilot.stand(state)
        return self._along(self._pursuit, state, self._lines, sighting.yaws, sighting.distances)

    def _next_plan(self, pursuit: Pursuit) -> int:
        """The decision in which to plan anew: earlier when the path ends at the border of what was seen."""
        ends = pursuit.remaining < self._pilot.lookahead and not any(goal is self.target for goal in self._pending)
        return self._planned + (SOON_DECISIONS if ends else PLAN_DECISIONS)

    def _remember_goals(self, place: Floats, sighting: Sighting) -> bool:
        """Notes goals that were not known yet; says whether there were any."""
        count = len(self._pending)
        for yaw, distance in zip(sighting.goal_yaws, sighting.goal_distances, strict=True):
            goal = place + distance * np.array([math.sin(yaw), math.cos(yaw)])
            if all(math.dist(goal, other) > 0.1 * self.reach for other in (*self._pending, *self._collected)):
                self._pending.append(goal)
        return len(self._pending) > count

    def _plan(self, place: Floats, facing: float) -> None:
        """A path to the nearest goal that was seen, or to where there is more to see; done if there is neither."""
        pilot = self._pilot
        space = self.seen.space()
        self._lines = space.lines
        ways = ways_from(space, place, CORNER_SPARE * pilot.clearance, pilot.comfort)
        if ways is None:
            return
        nearest = self._nearest_goal(ways)
        if nearest is not None:
            self._go(self._path(ways, nearest[0], place, nearest[1]), nearest[1])
            return
        border = self.seen.frontier(ways)
        if not len(border):
            self._forget_path()
            self.done = True
            return
        places = space.points(ways.numbers[border])
        best = int(np.argmin(self._exploring_costs(ways.costs[border], places, place, facing)))
        self._go(self._path(ways, int(border[best]), place), places[best])

    def _exploring_costs(self, costs: Floats, places: Floats, place: Floats, facing: float) -> Floats:
        """What it costs to go to each of `places (N, 2)`: the way there, and the turn that it begins with."""
        away = places - place
        turn = np.abs(np.remainder(np.arctan2(away[:, 0], away[:, 1]) - facing + math.pi, math.tau) - math.pi)
        result = costs + TURN_COST * self._pilot.hip_height * turn
        if self.target is not None:
            same = np.linalg.norm(places - self.target, axis=1) < self._pilot.comfort
            result = np.where(same, SAME_TARGET * result, result)
        return result

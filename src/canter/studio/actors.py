"""An animal on a stage: its controller, the command that it holds, and what each frame is measured by.

Controllers begin at the origin; an actor that stands beside another one is moved there, and so is the ground under it.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from canter.control.command import Command
from canter.control.contract import Controller
from canter.control.follow import Follower
from canter.control.script import Script
from canter.control.state import State
from canter.control.trajectory import wrap
from canter.control.world import Flat, Terrain, World
from canter.motion import forward
from canter.motion.arrays import Floats
from canter.motion.metrics import foot_skating
from canter.studio.frames import Told, pack_actor
from canter.studio.limits import RATE, Refused
from canter.studio.messages import Casting, Go

APART = 1.6
"""Hip heights of the largest between actors that stand side by side."""
LEAST_APART = 0.6
MOVING = 0.1
"""Metres a second above which an animal has a direction of travel."""

_fine = time.get_clock_info("thread_time").resolution < 1e-4
cost_clock = time.thread_time if _fine else time.perf_counter
"""What a step costs in this thread, in which other work does not count where the system can tell."""


@dataclass(frozen=True)
class Shifted:
    """A terrain seen from another place: where an actor stands is its origin."""

    terrain: Terrain
    by: tuple[float, float]
    lift: float = 0.0

    def height(self, place: Floats) -> Floats:
        height: Floats = self.terrain.height(place + np.asarray(self.by, place.dtype)) + place.dtype.type(self.lift)
        return height

    def gradient(self, place: Floats) -> Floats:
        return self.terrain.gradient(place + np.asarray(self.by, place.dtype))


def shifted(world: World, x: float) -> World:
    """The world around an actor that stands `x` metres to the left of the middle."""
    if x == 0 or (isinstance(world.terrain, Flat) and world.tilt == (0.0, 0.0)):
        return world
    return replace(world, terrain=Shifted(world.terrain, (x, 0.0), x * math.tan(world.tilt[1])))


class Held(Script):
    """A script without an end that says what is held now, so that a Follower heeds changes while it is on its way."""

    def __init__(self, now: Callable[[], Command], besides: Mapping[str, Any]) -> None:
        super().__init__("held")
        object.__setattr__(self, "_now", now)
        object.__setattr__(self, "_besides", besides)

    def moments(self, frame_rate: float) -> Any:
        while True:
            yield self._now(), self._besides  # type: ignore[attr-defined]


class Actor:
    """Steps a controller with what is held; only the thread of its stage calls it."""

    def __init__(
        self,
        number: int,
        casting: Casting,
        controller: Controller,
        world: World,
        x: float = 0.0,
        script: Script | None = None,
    ) -> None:
        self.number, self.casting, self.controller, self.world = number, casting, controller, world
        self.offset = np.array([x, 0.0, 0.0])
        self.driver: int | None = None
        skeleton = controller.character.skeleton
        self._roots = np.flatnonzero(skeleton.parents < 0)
        self._script = script
        self._due = 0.0
        self._guide: Callable[[State], Command] | None = None
        self.held = self.command = Command()
        self.told = Told()
        self.fresh: tuple[str, ...] = ()
        self.state: State
        """There from the first reset on, which is the stage's to do: its thread may still step this controller."""

    @property
    def words(self) -> str:
        return f"the {self.controller.character.name} by {self.casting.controller}"

    @property
    def seed(self) -> int:
        return self._script.seed if self._script is not None else 0

    @property
    def options(self) -> Mapping[str, str | float | bool]:
        """What its controller was made with, besides a world."""
        return self._script.options if self._script is not None else {}

    # Driving -------------------------------------------------------------------------------------

    def reset(self) -> None:
        """Back to where a ride begins; a script that it plays begins anew."""
        self.held = Command()
        self.state = self.controller.reset(seed=self.seed)
        self.told, self.fresh = Told(), self.state.events
        self.command = self.held
        self._due, self._guide = 0.0, None
        self._feet = self._standing = self._above(self._feet_now())
        if self._script is not None:
            self._guide = _played(self._script, self.controller)

    def drive(self, changes: Mapping[str, Any]) -> None:
        """Holds what changes; a heading, or a speed of zero, ends the way to a place."""
        if self._guide is not None and ("heading" in changes or changes.get("speed") == 0):
            self._guide = None
            self.held = replace(self.command, heading=self.state.facing, disturbances=())
        self.held = replace(self.held, **changes)

    def go(self, points: tuple[tuple[float, ...], ...], speed: float) -> None:
        """Follows places that count from its own origin."""
        self.held = replace(self.held, speed=speed, facing=None, action=None)
        besides = {"path": points} if len(points) > 1 else {"go_to": points[0]}
        self._guide = Follower(Held(lambda: self.held, besides), self.controller)

    def local(self, go: Go) -> tuple[tuple[float, ...], ...]:
        """The places of a message in this actor's own coordinates."""
        x = float(self.offset[0])
        return tuple((place[0] - x, place[1]) for place in go.points)

    # Frames --------------------------------------------------------------------------------------

    def advance(self, kept: Callable[[Command, State], None] | None) -> None:
        """One frame of the stage, which may be none or several of a controller that has another rate."""
        self._due += self.controller.frame_rate / RATE
        while self._due > 1 - 1e-9:
            self._due -= 1
            before = self.state.events
            self._step()
            self.fresh += tuple(event for event in self.state.events if event not in before)
            if kept is not None:
                kept(self.command, self.state)

    def _step(self) -> None:
        command, arrived = self._next()
        start = cost_clock()
        state = self.controller.step(command)
        cost = 1000 * (cost_clock() - start)
        if not (np.isfinite(state.pose.positions).all() and np.isfinite(state.pose.rotations).all()):
            raise ArithmeticError("its pose is no longer a number")
        self.fresh += ("arrived",) if arrived else ()
        self.command, self.state = command, state
        self.told = self._measure(command, state, cost)

    def _next(self) -> tuple[Command, bool]:
        """What is commanded now, and whether a place has just been reached."""
        if self._guide is None:
            return self.held, False
        try:
            command = self._guide(self.state)
        except StopIteration:
            self._guide = None
            self.held = Command(heading=self.state.facing)
            return self.held, False
        if isinstance(self._guide, Follower) and self._guide.arrived:
            self._guide = None
            self.held = replace(self.held, speed=0.0, heading=self.state.facing)
            return self.held, True
        return command, False

    def _measure(self, command: Command, state: State, cost: float) -> Told:
        feet = self._above(self._feet_now())
        skating = foot_skating(np.stack([self._feet, feet]), self.controller.frame_rate, ground=self._standing[:, 1])
        self._feet = feet
        speed = state.speed
        velocity = state.velocity_world
        travel = math.atan2(velocity[0], velocity[2]) if speed > MOVING else state.facing
        return Told(
            command.speed,
            command.heading,
            cost,
            float(skating.mean()) if len(skating) else 0.0,
            speed - command.speed,
            wrap(travel - command.heading),
        )

    def _feet_now(self) -> Floats:
        pose, character = self.state.pose, self.controller.character
        feet: Floats = forward(character.skeleton, pose.positions, pose.rotations)[0][character.anatomy.feet]
        return feet

    def _above(self, feet: Floats) -> Floats:
        """Feet with their height over the ground below them."""
        above = feet.astype(np.float64)
        above[:, 1] -= self.world.height(above[:, [0, 2]])
        return above

    def happened(self) -> tuple[str, ...]:
        """Events since this was asked last; one that is told frame after frame counts once."""
        fresh, self.fresh = self.fresh, ()
        return fresh

    def pack(self, names: Callable[[str], int]) -> bytes:
        """This actor in a frame's message."""
        return pack_actor(self.number, self.state, names(self.state.gait), self.told, self.offset, self._roots)

    # Words ---------------------------------------------------------------------------------------

    def describe(self) -> dict[str, Any]:
        """The ACTOR of a scene message."""
        character, can = self.controller.character, self.controller.capabilities
        anatomy, casting = character.anatomy, self.casting
        return {
            "id": self.number,
            "animal": casting.animal,
            "name": character.name,
            "controller": casting.controller,
            "size": casting.size,
            "glb": f"/api/character/{casting.animal}.glb?size={casting.size:.9g}",
            "joints": list(character.skeleton.names),
            "parents": character.skeleton.parents.tolist(),
            "legs": [leg.name for leg in anatomy.legs],
            "feet": list(anatomy.feet),
            "hip_height": float(anatomy.hip_height),
            "driver": self.driver,
            "capabilities": {
                "speed_range": [float(x) for x in can.speed_range],
                "actions": list(can.actions),
                "gaits": {name: [float(x) for x in span] for name, span in can.gaits.items()},
                "turn_rate": float(can.turn_rate),
                "styles": [asdict(style) for style in can.styles],
                "honours": sorted(can.honours),
            },
        }


def places(heights: list[float]) -> list[float]:
    """Where actors with hips of these heights stand, in metres to the left: the first in the middle, others right."""
    apart = max(LEAST_APART, APART * max(heights, default=0.0))
    return [-apart * k for k in range(len(heights))]


def _played(script: Script, controller: Controller) -> Callable[[State], Command]:
    """A Driver that plays a script to its end, and then raises StopIteration."""
    try:
        follower = Follower(script, controller)
    except ValueError as error:
        raise Refused(str(error)) from None
    left = iter(range(script.frames(controller.frame_rate)))

    def guide(state: State) -> Command:
        next(left)
        return follower(state)

    return guide

"""An actor of a stage: a character with its controller, the command that viewers set, and metrics of every frame.

Controllers start at the origin. An actor that stands beside another one is moved there, and so is the ground under it.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from canter.control.command import Command, Disturbance, Ground, Push, Throw
from canter.control.contract import Controller
from canter.control.experts import format_experts, with_experts
from canter.control.follow import Follower
from canter.control.play import ScriptPlayer
from canter.control.script import Script
from canter.control.state import State
from canter.control.trajectory import wrap
from canter.control.world import Flat, Terrain, World
from canter.motion import forward
from canter.motion import rotations as rot
from canter.motion.arrays import Floats
from canter.motion.metrics import foot_skating
from canter.studio.frames import FrameMetrics, pack_actor
from canter.studio.limits import FRAME_RATE, Refused
from canter.studio.messages import ActorSpec, GoTo

SPACING_HIP_HEIGHTS = 1.6
"""Distance of actors that stand side by side, in hip heights of the tallest."""
MIN_SPACING = 0.6
"""The same, at least, in metres."""
MIN_TRAVEL_SPEED = 0.1
"""m/s; the direction of travel of a slower animal is taken to be its facing."""
MAX_WAITING = 8
"""Pushes and throws between two frames of an actor; more are refused."""
MAX_SPEED_CHANGE = 10.0
"""m/s by which a push or a thrown box may change the speed of an animal."""

_has_fine_thread_clock = time.get_clock_info("thread_time").resolution < 1e-4
cost_clock = time.thread_time if _has_fine_thread_clock else time.perf_counter
"""Seconds, of this thread's CPU time where the system measures it finely enough."""


@dataclass(frozen=True)
class Shifted:
    """A terrain in the coordinates of an actor: `offset (x, z)` is its origin, and `lift` is added to its heights."""

    terrain: Terrain
    offset: tuple[float, float]
    lift: float = 0.0

    def height(self, place: Floats) -> Floats:
        height: Floats = self.terrain.height(place + np.asarray(self.offset, place.dtype)) + place.dtype.type(self.lift)
        return height

    def gradient(self, place: Floats) -> Floats:
        return self.terrain.gradient(place + np.asarray(self.offset, place.dtype))


def shifted(world: World, x: float) -> World:
    """The world in the coordinates of an actor that starts `x` metres to the left of the origin."""
    if x == 0 or (isinstance(world.terrain, Flat) and world.tilt == (0.0, 0.0)):
        return world
    return replace(world, terrain=Shifted(world.terrain, (x, 0.0), x * math.tan(world.tilt[1])))


def ground_of(world: World) -> Ground:
    """The ground at the origin of a world, all of it said."""
    x, y, z = world.normal(np.zeros(2)).tolist()
    return Ground(world.friction, (math.atan2(-z, y), math.atan2(-x, y)), 0.0)


@dataclass(frozen=True)
class Look:
    """Which revision of an animal a page draws, the lowest and highest corner of the box that it fills, and its mass in
    kilograms, which only animals have that can be pushed."""

    revision: int = 0
    bounds: tuple[tuple[float, float, float], tuple[float, float, float]] = (-0.5, 0.0, -0.5), (0.5, 1.0, 0.5)
    mass: float | None = None


class LiveScript(Script):
    """An endless script of the command that viewers have set, so that a Follower obeys changes while it is on its way.

    `target` is the `go_to` or `path` of a script's moment.
    """

    def __init__(self, now: Callable[[], Command], target: Mapping[str, Any]) -> None:
        super().__init__("live")
        object.__setattr__(self, "_now", now)
        object.__setattr__(self, "_target", target)

    def moments(self, frame_rate: float) -> Any:
        while True:
            yield self._now(), self._target  # type: ignore[attr-defined]


class Actor:
    """Steps a controller with the command of its viewers, or of an autopilot. Only the thread of its stage calls it.

    `viewer_command` is what viewers have set, `command` what the last step was given. The autopilot is a Follower on
    its way to a place, or a script that is played. `look` is how the page draws it.
    """

    def __init__(
        self,
        number: int,
        spec: ActorSpec,
        controller: Controller,
        world: World,
        x: float = 0.0,
        script: Script | None = None,
        look: Look | None = None,
    ) -> None:
        self.number, self.spec, self.controller, self.world = number, spec, controller, world
        self.look = look or Look()
        self.driver: int | None = None
        self.ground = ground_of(world)
        self._beside = np.array([x, 0.0, 0.0])
        self._waiting: tuple[Disturbance, ...] = ()
        skeleton = controller.character.skeleton
        self._roots = np.flatnonzero(skeleton.parents < 0)
        self._script = script
        self._steps_due = 0.0
        self._autopilot: Callable[[State], Command] | None = None
        self.viewer_command = self.command = Command()
        self.metrics = FrameMetrics()
        self.new_events: tuple[str, ...] = ()
        self.state: State
        """Set by `reset`, which the stage's thread calls first: it may still be stepping a reused controller."""

    @property
    def label(self) -> str:
        return f"the {self.controller.character.name} by {self.spec.controller}"

    @property
    def offset(self) -> Floats:
        """Where the origin of the controller is on the stage `(3,)`; ground that is turned has moved it along."""
        turn = self._ground_turn
        return self._beside if turn is None else rot.rotate(turn, self._beside)

    @property
    def _ground_turn(self) -> Floats | None:
        """How the ground is turned `(4,)`, if the controller reports it as a prop."""
        found = (prop.rotation for prop in self.state.props if prop.name == "ground" and prop.shape == "plane")
        return next(found, None)

    @property
    def seed(self) -> int:
        return self._script.seed if self._script is not None else 0

    @property
    def options(self) -> Mapping[str, str | float | bool]:
        """Options of the controller, besides its world."""
        options = self._script.options if self._script is not None else {}
        return options if all(self.experts) else {**options, "experts": format_experts(self.experts)}

    @property
    def experts(self) -> tuple[bool, ...]:
        """Which experts of the controller are on; empty if it has none to switch."""
        found = with_experts(self.controller)
        return () if found is None else found.enabled_experts

    def switch_experts(self, enabled: Sequence[bool]) -> None:
        """Switches experts on and off, from the next frame on."""
        found = with_experts(self.controller)
        if found is None:
            raise Refused(f"{self.label} has no experts to switch")
        try:
            found.enabled_experts = enabled
        except ValueError as error:
            raise Refused(f"{self.label}: {error}") from None

    # Driving -------------------------------------------------------------------------------------

    def reset(self) -> None:
        """Back to the start, on the ground as viewers have set it; a script that is played starts again."""
        self.viewer_command = Command()
        self._waiting = () if self.ground == ground_of(self.world) else (self.ground,)
        self.state = self.controller.reset(seed=self.seed)
        self.metrics, self.new_events = FrameMetrics(), self.state.events
        self.command = self.viewer_command
        self._steps_due, self._autopilot = 0.0, None
        self._feet = self._feet_at_start = self._above_ground(self._foot_positions())
        if self._script is not None:
            try:
                self._autopilot = ScriptPlayer(self._script, self.controller)
            except ValueError as error:
                raise Refused(str(error)) from None

    def drive(self, changes: Mapping[str, Any]) -> None:
        """Changes fields of the viewer command; a heading, or a speed of zero, turns the autopilot off."""
        if self._autopilot is not None and ("heading" in changes or changes.get("speed") == 0):
            self._autopilot = None
            self.viewer_command = replace(self.command, heading=self.state.facing, disturbances=())
        self.viewer_command = replace(self.viewer_command, **changes)

    def go(self, points: tuple[tuple[float, ...], ...], speed: float) -> None:
        """Goes to a point, or along several, in the actor's own coordinates."""
        self.viewer_command = replace(self.viewer_command, speed=speed, facing=None, action=None)
        target = {"path": points} if len(points) > 1 else {"go_to": points[0]}
        self._autopilot = Follower(LiveScript(lambda: self.viewer_command, target), self.controller)

    def local(self, message: GoTo) -> tuple[tuple[float, ...], ...]:
        """The points of a message in this actor's own coordinates."""
        x, _, z = self.offset.tolist()
        return tuple((point[0] - x, point[1] - z) for point in message.points)

    # What happens to it --------------------------------------------------------------------------

    @property
    def waiting(self) -> int:
        """How much happens in the next step."""
        return len(self._waiting)

    def heeds(self, disturbance: Disturbance) -> bool:
        return type(disturbance).__name__.lower() in self.controller.capabilities.honours

    def objection(self, disturbance: Push | Throw) -> str:
        """Why something cannot happen to this actor; empty if it can."""
        if not self.heeds(disturbance):
            return f"{self.label} has no weight that would feel it"
        if isinstance(disturbance, Throw):
            momentum = disturbance.mass * math.hypot(*disturbance.velocity)
        elif disturbance.joint is None or disturbance.joint in self.controller.character.skeleton.names:
            momentum = math.hypot(*disturbance.impulse)
        else:
            return f"{self.label} has no joint {disturbance.joint[:60]!r}"
        if self.look.mass is not None and momentum > MAX_SPEED_CHANGE * self.look.mass:
            return f"that would change the speed of {self.label} by more than {MAX_SPEED_CHANGE:g} m/s"
        return ""

    def local_disturbance(self, disturbance: Push | Throw) -> Push | Throw:
        """What happens, in this actor's own coordinates."""
        if isinstance(disturbance, Push):
            return disturbance
        return replace(disturbance, position=tuple((disturbance.position - self.offset).tolist()))

    def disturb(self, disturbance: Push | Throw) -> None:
        """Has something happen in the next step, once."""
        if self.waiting >= MAX_WAITING:
            raise Refused(f"{MAX_WAITING} pushes and throws wait for the next frame, which is as many as there may be")
        self._waiting += (disturbance,)

    def change_ground(self, ground: Ground) -> None:
        """Changes the ground from the next step on; what is None stays."""
        said = {name: value for name, value in asdict(ground).items() if value is not None}
        self.ground = replace(self.ground, **said)
        self._waiting = (*(one for one in self._waiting if not isinstance(one, Ground)), self.ground)

    # Frames --------------------------------------------------------------------------------------

    def advance(self, record: Callable[[Command, State], None] | None) -> None:
        """One frame of the stage: none or several steps if the controller has another frame rate."""
        self._steps_due += self.controller.frame_rate / FRAME_RATE
        while self._steps_due > 1 - 1e-9:
            self._steps_due -= 1
            before = self.state.events
            self._step()
            self.new_events += tuple(event for event in self.state.events if event not in before)
            if record is not None:
                record(self.command, self.state)

    def _step(self) -> None:
        command, arrived = self._next()
        if self._waiting:
            command = replace(command, disturbances=(*command.disturbances, *self._waiting))
            self._waiting = ()
        start = cost_clock()
        state = self.controller.step(command)
        cost = 1000 * (cost_clock() - start)
        if not (np.isfinite(state.pose.positions).all() and np.isfinite(state.pose.rotations).all()):
            raise ArithmeticError("its pose is no longer a number")
        self.new_events += ("arrived",) if arrived else ()
        self.command, self.state = command, state
        self.metrics = self._measure(command, state, cost)

    def _next(self) -> tuple[Command, bool]:
        """The command of the next step, and whether the goal of the autopilot has just been reached."""
        if self._autopilot is None:
            return self.viewer_command, False
        try:
            command = self._autopilot(self.state)
        except StopIteration:
            self._autopilot = None
            self.viewer_command = Command(heading=self.state.facing)
            return self.viewer_command, False
        if isinstance(self._autopilot, Follower) and self._autopilot.arrived:
            self._autopilot = None
            self.viewer_command = replace(self.viewer_command, speed=0.0, heading=self.state.facing)
            return self.viewer_command, True
        return command, False

    def _measure(self, command: Command, state: State, cost: float) -> FrameMetrics:
        """`cost` in milliseconds."""
        feet = self._above_ground(self._foot_positions())
        ground = self._feet_at_start[:, 1]
        skating = foot_skating(np.stack([self._feet, feet]), self.controller.frame_rate, ground=ground)
        self._feet = feet
        speed = state.speed
        velocity = state.velocity_world
        travel = math.atan2(velocity[0], velocity[2]) if speed > MIN_TRAVEL_SPEED else state.facing
        return FrameMetrics(
            command.speed,
            command.heading,
            cost,
            float(skating.mean()) if len(skating) else 0.0,
            speed - command.speed,
            wrap(travel - command.heading),
        )

    def _foot_positions(self) -> Floats:
        pose, character = self.state.pose, self.controller.character
        feet: Floats = forward(character.skeleton, pose.positions, pose.rotations)[0][character.anatomy.feet]
        return feet

    def _above_ground(self, feet: Floats) -> Floats:
        """Foot positions `(L, 3)` with y measured from the ground below, or in the axes of ground that is turned."""
        above = feet.astype(np.float64)
        turn = self._ground_turn
        if turn is not None:
            return rot.rotate(rot.conjugate(turn), above)
        above[:, 1] -= self.world.height(above[:, [0, 2]])
        return above

    def take_events(self) -> tuple[str, ...]:
        """Events since the last call; one that lasts for several frames counts once."""
        events, self.new_events = self.new_events, ()
        return events

    def pack(self, names: Callable[[str], int]) -> bytes:
        """This actor's part of a frame message; `names` gives the index of a name."""
        return pack_actor(self.number, self.state, names, self.metrics, self.offset, self._roots)

    # Description ---------------------------------------------------------------------------------

    def describe(self) -> dict[str, Any]:
        """The `ACTOR` of a scene message (docs/studio_wire.md)."""
        character, can = self.controller.character, self.controller.capabilities
        anatomy, spec = character.anatomy, self.spec
        return {
            "id": self.number,
            "animal": spec.animal,
            "name": character.name,
            "controller": spec.controller,
            "size": spec.size,
            "glb": f"/api/character/{spec.animal}.glb?size={spec.size:.9g}&revision={self.look.revision}",
            "joints": list(character.skeleton.names),
            "parents": character.skeleton.parents.tolist(),
            "legs": [leg.name for leg in anatomy.legs],
            "feet": list(anatomy.feet),
            "hip_height": float(anatomy.hip_height),
            "bounds": self.look.bounds,
            "mass": self.look.mass,
            "ground": asdict(self.ground) if "ground" in can.honours else None,
            "driver": self.driver,
            "experts": list(self.experts),
            "capabilities": {
                "speed_range": [float(x) for x in can.speed_range],
                "actions": list(can.actions),
                "gaits": {name: [float(x) for x in span] for name, span in can.gaits.items()},
                "kinds": dict(can.kinds),
                "labels": dict(can.labels),
                "turn_rate": float(can.turn_rate),
                "styles": [asdict(style) for style in can.styles],
                "honours": sorted(can.honours),
            },
        }


def side_by_side(hip_heights: list[float]) -> list[float]:
    """The x of actors with these hip heights: the first at the origin, the others to its right (-x)."""
    spacing = max(MIN_SPACING, SPACING_HIP_HEIGHTS * max(hip_heights, default=0.0))
    return [-spacing * k for k in range(len(hip_heights))]

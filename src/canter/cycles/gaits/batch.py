"""The preset `gaits`: drives any animal from one cycle per gait, and takes the best of Sung's and Huang's.

It changes speed and heading on the next frame and goes from any gait to any other from any phase, also while turning.
Jumps are taken out of any gait into any gait; other actions (sit, lie) are entered from standing and left to it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from copy import copy
from dataclasses import fields, replace
from typing import Any

import numpy as np

from canter.anatomy import Character, actions_of
from canter.control.batch import NO_ACTION, BatchCommand, BatchState
from canter.control.contract import Capabilities, Style
from canter.control.steering import Root
from canter.control.world import World
from canter.cycles.build.gait_cycles import gait_cycles, gait_labels, speed_ranges
from canter.cycles.engine.frame import Frame
from canter.cycles.engine.gait_graph import make_choice
from canter.cycles.engine.laws import make_laws
from canter.cycles.engine.library import make_library
from canter.cycles.engine.placement import Placement
from canter.cycles.engine.report import Reporter, steered_from
from canter.cycles.engine.sampling import Normalise, Sampling
from canter.cycles.engine.strides import StrideTable, since_touchdown
from canter.cycles.engine.timing import Timing
from canter.cycles.gaits.actions import Actions
from canter.cycles.gaits.inertialise import Inertialiser
from canter.cycles.gaits.leads import Leads
from canter.cycles.gaits.posture import Posture
from canter.cycles.gaits.requests import Requests
from canter.cycles.gaits.root import RootMotion, steering_limits
from canter.cycles.gaits.steering import Steering
from canter.cycles.gaits.transition import Transition
from canter.cycles.jumps.jumping import Jumping
from canter.footing.ground import ground_of, to_complex
from canter.footing.lock import FootLock
from canter.motion.arrays import ArrayLike, Bools, Floats, Ints
from canter.motion.numbers import number_or_array, some
from canter.motion.planar import unit_complex
from canter.motion.rows import merge_rows

MIN_FRAME_RATE = 10.0


class BatchGaits:
    """N animals of one kind under the preset `gaits`: a `BatchController`.

    `frame_rate` is that of its steps; the feet follow the terrain of the `world`. The styles are gaits that the
    animal has but does not take by itself: above one half it goes in them. The actions of a batch are made with it, so
    that no frame is late; one animal is ready sooner, and makes an action when it is first asked for. With
    `one_lead` it goes in the lead that it prefers in turns too. A gait that a style asks for is kept at speeds beyond
    its own by a share of `overdone`.
    """

    def __init__(
        self,
        character: Character,
        count: int = 1,
        *,
        world: World | None = None,
        frame_rate: float = 60.0,
        one_lead: bool = False,
        overdone: float = 0.0,
    ) -> None:
        if not (math.isfinite(frame_rate) and frame_rate >= MIN_FRAME_RATE):
            raise ValueError(f"frame_rate must be at least {MIN_FRAME_RATE:g}, not {frame_rate}")
        if count < 1:
            raise ValueError(f"a batch has at least one animal, not {count}")
        self._character, self._count, self._frame_rate = character, count, float(frame_rate)
        cycles, self.names = gait_cycles(character)
        library = self.library = make_library(character, cycles)
        self.strides = StrideTable(library, make_laws(library))
        self.choice = make_choice(cycles, self.names, speed_ranges(character))
        self.ground = ground_of(world)
        height, legs = character.anatomy.hip_height, len(library.tree.legs.foot)
        self.root, self.timing = Root(count), Timing(count, len(cycles), legs)
        self.lock = FootLock(library.tree, library.limits, height, count, self.ground)
        self.limits = steering_limits(self.choice, self.strides, height)
        self.steering = Steering(self.choice, self.limits, overdone)
        self.leads = Leads(self.choice, self.strides, self.limits, count)
        self._root_motion = RootMotion(self.root, self.limits)
        self._transition = Transition(self.strides, self.timing, library.limits, height)
        self._sampling, self._normalise = Sampling(library, self.strides), Normalise()
        self._posture = Posture(library, count, frame_rate, self.ground)
        self._inertialiser = Inertialiser(len(library.skeleton), library.tree.roots, count, frame_rate)
        self._placement = Placement(self.lock)
        known = actions_of(character)
        self.actions = Actions(
            library, known, count, frame_rate, self.choice.stand, self._transition, self.lock, self._inertialiser
        )
        self.jumps = Jumping(library, count, frame_rate, self._transition, self.lock)
        self._requests = Requests(character, known, self.choice, self.actions, self.jumps)
        self._stages: tuple[Callable[[Frame], None], ...] = (
            self.jumps.steer,
            self.steering.step,
            *(() if one_lead else (self.leads.step,)),
            self._requests.hold_still,
            self.jumps.keep_gait,
            self._root_motion.step,
            self.jumps.fly,
            self._requests.move,
            self.jumps.take_over,
            self._transition.step,
            self.jumps.time,
            self.actions.time,
            self._sampling.step,
            self.jumps.blend,
            self._normalise.step,
            self.actions.pose,
            self._posture.step,
            self._inertialiser.step,
            self._placement.step,
            self.jumps.limit_joints,
            self._requests.end,
            self._inertialiser.remember,
        )
        overlays = (self.jumps, self.actions, self._requests)
        self._locomotion = tuple(stage for stage in self._stages if getattr(stage, "__self__", None) not in overlays)
        """The same for frames in which nobody jumps or acts."""
        self._pose = self._locomotion[self._locomotion.index(self._sampling.step) : -1]
        """Those that make a pose out of root and timing."""
        called = {self.names[k] for k in self.choice.ranges}
        self._capabilities = Capabilities(
            speed_range=(0.0, self.choice.fastest),
            actions=tuple(known),
            gaits={self.names[k]: self.choice.ranges[k] for k in (*self.choice.ahead, *self.choice.others)},
            honours=frozenset({"speed", "heading", "facing", "action", "style"}),
            turn_rate=self.limits.max_yaw_rate,
            back_speed=self.limits.back_speed,
            side_speed=self.limits.side_speed,
            styles=tuple(Style(self.names[k]) for k in self.choice.others),
            kinds={self.names[k]: self.choice.kinds[k] for k in self.choice.ranges},
            labels={name: label for name, label in gait_labels(character).items() if name in called},
        )
        self._lead_sides = np.where(self.leads.sides != 0, self.leads.sides, np.nan)
        self._reporter = Reporter(character, (*self.names, *known), count, frame_rate, self.ground)
        if count > 1:
            self._requests.prepare()
        self.reset()

    @property
    def frame_rate(self) -> float:
        return self._frame_rate

    @property
    def character(self) -> Character:
        return self._character

    @property
    def capabilities(self) -> Capabilities:
        return self._capabilities

    @property
    def count(self) -> int:
        return self._count

    def reset(self, seed: int = 0, who: Bools | None = None) -> BatchState:
        """At the origin, facing +Z, standing. There is no chance in it: seeds do not differ."""
        kept = None if who is None or who.all() else [copy(state) for state in self._states()]
        everybody = np.ones(self._count, bool)
        for state in self._states():
            merge_rows(state, type(state)(*(getattr(state, size) for size in _sizes(state))), everybody)
        rows = np.arange(self._count)
        self._transition.settle(rows, np.full(self._count, self.choice.stand))
        self.timing.target = np.full(self._count, self.choice.stand)
        self._transition.set_clocks(rows, self.timing.clocks)
        self._transition.measure(self.root)
        frame = self._frame(BatchCommand.still(self._count), 0.0)
        self._sampling.step(frame)
        self.lock.state.footholds = to_complex(frame.feet)
        for stage in self._pose:
            stage(frame)
        if kept is not None and who is not None:
            for state, before in zip(self._states(), kept, strict=True):
                merge_rows(state, before, ~who)
            mask = who[:, None, None]
            frame.positions = np.where(mask, frame.positions, self._last.positions)
            frame.rotations = np.where(mask, frame.rotations, self._last.rotations)
            frame.contacts, frame.ahead, frame.ground = self.lock.state.contacts, unit_complex(self.root.yaw), None
            frame.shown = None if self._shown is None else np.where(who, NO_ACTION, self._shown)
        self._inertialiser.remember(frame)
        self._reporter.reset(frame, who)
        return self._state(frame)

    def _states(self) -> tuple[Any, ...]:
        """What the stages remember."""
        return (
            self.root,
            self.timing,
            self.leads.state,
            self.lock.state,
            self._posture.state,
            self._inertialiser.state,
            self.actions.state,
            self.jumps.state,
            self._requests.state,
        )

    def step(self, command: BatchCommand) -> BatchState:
        if len(command) != self._count:
            raise ValueError(f"{len(command)} commands for {self._count} animals")
        command, events = self._admit(command)
        frame = self._frame(command, 1 / self._frame_rate)
        frame.events.update(events)
        self._requests.begin(frame)
        for stage in self._stages if self._requests.busy else self._locomotion:
            stage(frame)
        return self._state(frame)

    def asking(self, speed: ArrayLike, heading: ArrayLike, facing: ArrayLike, gait: Ints) -> BatchCommand:
        """A command that also asks for gaits by the number of their cycles `(N,)`, -1 for none."""
        style = {self.names[k]: (gait == k).astype(np.float64) for k in np.unique(gait) if k in self.choice.ranges}
        return BatchCommand.make(speed, heading, facing, **style)

    def _frame(self, command: BatchCommand, dt: float) -> Frame:
        return Frame(
            command, dt, self.lock.strain, self.lock.state.contacts, self.root, self.timing, self.root.snapshot()
        )

    def _admit(self, command: BatchCommand) -> tuple[BatchCommand, dict[str, Bools]]:
        """Commands as the animals can carry them out, and who was clamped."""
        speed, fastest = command.speed, self.limits.max_speed
        told, facing = number_or_array(speed), number_or_array(command.facing)
        if not (some((told < 0.0) | (told > fastest)) or some(facing == facing)):  # a facing that is not NaN
            return command, {}
        clamped: Bools = (speed < 0.0) | (speed > fastest)
        faces = command.facing == command.facing
        if np.count_nonzero(faces):
            most = self.limits.fastest_towards(command.heading - np.where(faces, command.facing, 0.0))
            clamped = clamped | (faces & (speed > most + 1e-9) & (command.action == NO_ACTION))
        if not np.count_nonzero(clamped):
            return command, {}
        return replace(command, speed=np.minimum(np.maximum(speed, 0.0), fastest)), {"clamped": clamped}

    def _state(self, frame: Frame) -> BatchState:
        root, timing, contacts = self.root, self.timing, frame.contacts
        velocity, gait = root.velocity, self.choice.gait_of[timing.weights.argmax(axis=1)]
        if self._requests.busy:
            acting = self.actions.state
            velocity = np.where(acting.which >= 0, acting.velocity, velocity)
        if frame.shown is not None:
            gait = np.where(frame.shown >= 0, len(self.names) + frame.shown, gait)
        self._shown = frame.shown
        clocks, duty, footholds = timing.clocks, timing.duty, self.lock.state.footholds
        target = timing.target
        telemetry: dict[str, Callable[[], Floats]] = {
            "leg_phase": lambda: np.where(self._idle(target) & contacts, np.nan, since_touchdown(clocks, duty)),
            "lead": lambda: self._lead_sides[target],
            "foothold": lambda: self._reporter.on_ground(footholds, contacts),
        }
        predict = steered_from(root.snapshot(), frame.command, self.limits)
        self._last = self._reporter.state(frame, gait, velocity, predict, telemetry)
        return self._last

    def _idle(self, gait: Ints) -> Bools:
        """Who goes in no gait but stands `(N, 1)`."""
        result: Bools = (gait == self.choice.stand)[:, None]
        return result


def _sizes(state: Any) -> list[str]:
    """The fields that a state is made with."""
    return [item.name for item in fields(state) if item.init]

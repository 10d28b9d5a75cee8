"""What the presets `sung` and `huang` share: one animal, its gaits and jumps, and that it stands until told to go.

Neither paper has a stand: how the slowest gait begins and ends in one is ours, by the stages of the preset `gaits`. The
paper's own stages take over where the legs keep the gait's pattern.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np

from canter.anatomy import Character
from canter.control.batch import NO_ACTION, BatchCommand, BatchState
from canter.control.contract import Capabilities
from canter.control.steering import Root, Wish
from canter.control.trajectory import wrap
from canter.control.world import World
from canter.cycles.build.gait_cycles import gait_cycles
from canter.cycles.engine.cycle import Cycle
from canter.cycles.engine.frame import Frame
from canter.cycles.engine.gait_graph import RESTS, Range, make_choice, make_graph
from canter.cycles.engine.joint_limits import filtered, max_joint_steps
from canter.cycles.engine.laws import Laws, make_laws
from canter.cycles.engine.library import Library, fastest_joints, free_joints, make_library
from canter.cycles.engine.placement import Placement
from canter.cycles.engine.report import Reporter, arc_from
from canter.cycles.engine.sampling import Normalise, Sampling
from canter.cycles.engine.strides import StrideTable
from canter.cycles.engine.timing import Timing
from canter.cycles.gaits.root import RootMotion, steering_limits
from canter.cycles.gaits.transition import Transition
from canter.cycles.jumps.jump import Jump
from canter.cycles.jumps.jumping import Ease, Jumping
from canter.cycles.papers.jump import (
    MAX_PATTERN_ERROR,
    PATIENCE_STRIDES,
    jumps_of,
    pattern_error,
    phase_of,
)
from canter.footing.ground import ground_of, to_complex
from canter.footing.lock import FootLock
from canter.footing.reach import frames, put_loose
from canter.motion.arrays import Bools, Floats, Ints

SLOWEST = 0
"""The number of the slowest cycle, which is the one that an animal stops in."""
HALT_POSTURE_STRIDES, SETTLED_WEIGHT = 0.2, 0.98
"""Strides in which the posture follows a stop, and the weight from which a gait has taken over."""


def steady_library(character: Character, common: Sequence[str], gaits: Sequence[str] | None) -> Library:
    """The cycles that go straight ahead, the slowest first: those named, or the `common` ones if there are two."""
    cycles, names = gait_cycles(character)
    ahead = [c for c in cycles if c.goes_straight and not c.is_mirror_image]
    if gaits is not None:
        if missing := sorted(set(gaits) - {c.name for c in ahead}):
            raise ValueError(f"{character.name!r} does not go ahead in {', '.join(missing)}; it has {', '.join(names)}")
        ahead = [c for c in ahead if c.name in gaits]
    else:
        usual = [c for c in ahead if c.gait in common and c.name == c.gait]
        ahead = usual if len(usual) > 1 else ahead
    return make_library(character, sorted(ahead, key=lambda cycle: cycle.speed))


def with_stand(library: Library) -> Library:
    """The library with the cycle in which the animal stands as its last."""
    stand = next(cycle for cycle in gait_cycles(library.character)[0] if cycle.stands)
    return make_library(library.character, (*library.cycles, stand))


def complex_velocity(cycle: Cycle) -> complex:
    """The velocity of a cycle's track: ahead + 1j * left."""
    return complex(cycle.velocity[1], cycle.velocity[0])


class PaperStages(Protocol):
    """The paper's own part: root motion, transition and posture of one animal, and how it joins in."""

    @property
    def steady(self) -> bool:
        """Whether it goes in its slowest gait and may be stopped in this frame."""

    def heading(self) -> float:
        """The yaw that a command's heading is compared with."""

    def yaw_rate(self, off: Floats) -> Floats:
        """The wanted yaw rate if the heading is so many radians off."""

    def approach(self, jump: Jump, gait: Ints) -> Ints:
        """The gait to go in before a jump, which may be another than the speed's."""

    def ready(self, jump: Jump) -> bool:
        """Whether a jump may begin in this frame."""

    def jump_style(self, jump: Jump) -> tuple[Ease, Callable[[Ints], Ints]]:
        """How a jump is blended, and the cycle to end in, from the one that it began in."""

    def resume(self, gait: int, phase: float) -> None:
        """Goes on in a gait, from a phase of it, after a jump or a stand."""

    def move(self, frame: Frame, speed: float, yaw_rate: Floats) -> None:
        """Root motion toward a speed and a yaw rate."""

    def advance(self, frame: Frame) -> None:
        """Transition: writes the timing."""

    def pose(self, frame: Frame) -> None:
        """Posture, before the feet are placed."""


class Paper:
    """A `BatchController` of one animal under the stages of a paper.

    The papers filter joints after the legs have been put in place; here no joint goes faster than the joint speed limit
    of the cycles that are being blended.
    """

    def __init__(
        self,
        library: Library,
        count: int,
        laws: Laws,
        ranges: Sequence[Range],
        max_yaw_rate: float,
        world: World | None,
        frame_rate: float,
    ) -> None:
        if count != 1:
            raise ValueError(f"the papers' presets drive one animal at a time, not {count}; `gaits` drives any number")
        self.count = count
        character, self.library = library.character, with_stand(library)
        self._character, self.frame_rate, self._world = character, float(frame_rate), world or World()
        self._graph, self._ground = make_graph(ranges), ground_of(world)
        names = [cycle.name for cycle in self.library.cycles]
        height, self._stand = character.anatomy.hip_height, len(library.cycles)
        self.laws, self.ranges = laws, ranges
        plain = replace(make_laws(self.library), power=laws.power)
        self.strides, self._own_strides = StrideTable(self.library, laws), StrideTable(self.library, plain)
        self.root, self.timing = Root(1), Timing(1, len(self.library.cycles), len(library.tree.legs.foot))
        self.lock = FootLock(self.library.tree, self.library.limits, height, 1, self._ground)
        limits = self.library.limits
        choice = make_choice(self.library.cycles, names, dict(zip(names, ranges, strict=False)))
        self._limits = steering_limits(choice, self._own_strides, height)
        self._limits = replace(self._limits, max_yaw_rate=min(max_yaw_rate, self._limits.max_yaw_rate))
        self._root_motion = RootMotion(self.root, self._limits)
        self._halt = Transition(self._own_strides, self.timing, limits, height, HALT_POSTURE_STRIDES)
        self._jump_transition = Transition(self._own_strides, self.timing, limits, height)
        self._sampling = Sampling(self.library, self.strides)
        self._placement, self._normalise = Placement(self.lock), Normalise()
        self.jumps = jumps_of(character)
        self._jumpings: dict[str, Jumping] = {}
        self._slowest, self._free = ranges[0][0], free_joints(library)
        self._fastest = np.stack([fastest_joints(cycle) for cycle in library.cycles])
        self._max_yaw_rate = max_yaw_rate
        self.capabilities = Capabilities(
            speed_range=(0.0, ranges[-1][1]),
            gaits=dict(zip(names[:-1], ranges, strict=True)),
            actions=tuple(self.jumps),
            honours=frozenset({"speed", "heading", "action"} if self.jumps else {"speed", "heading"}),
            turn_rate=max_yaw_rate,
        )
        shown = (*(cycle.name for cycle in self.library.cycles), *self.jumps)
        self._reporter = Reporter(character, shown, 1, frame_rate, self._ground)
        self.stages = self.make_stages()
        self.reset()

    def make_stages(self) -> PaperStages:
        """The paper's own part."""
        raise NotImplementedError

    @property
    def character(self) -> Character:
        return self._character

    def reset(self, seed: int = 0, who: Bools | None = None) -> BatchState:
        """At the origin, facing +Z, standing. There is no chance in it: seeds do not differ."""
        self.root.__post_init__()
        self.timing.__post_init__()
        self._performed, self._jumping, self._jump = NO_ACTION, None, ""
        self._halting, self._halted_for = True, 0.0
        rows = np.zeros(1, np.int64)
        self._halt.settle(rows, rows + self._stand)
        self.timing.target = rows + self._stand
        self._halt.set_clocks(rows, self.timing.clocks)
        self._halt.measure(self.root)
        frame = self._frame(BatchCommand.still(1), 0.0)
        self._sampling.step(frame)
        self.lock.reset(to_complex(frame.feet))
        self._pose(frame)
        self._rotations = frame.rotations
        self._reporter.reset(frame, None)
        return self._state(frame)

    _performed: int
    _jumping: Jumping | None

    def step(self, command: BatchCommand) -> BatchState:
        low, high = self.capabilities.speed_range
        speed = np.clip(command.speed, low, high)
        frame = self._frame(replace(command, speed=speed), 1 / self.frame_rate)
        frame.happen("clamped", (speed != command.speed) | ((speed > 0) & (speed < self._slowest)))
        asked = int(command.action[0])
        if asked != self._performed:
            self._performed = NO_ACTION
        waits = asked if asked >= 0 and self._performed < 0 and self._jumping is None else NO_ACTION
        goes = speed[0] > 0 or waits >= 0
        if not (goes or self._halting or self._jumping) and self.stages.steady:
            self._halting = True
            self.timing.step_scale = np.ones(1)
            self._halt.measure(self.root)
        if self._halting:
            return self._stop_or_start(frame, bool(goes))
        waiting = list(self.jumps.values())[waits] if waits >= 0 else None
        if waiting is not None and self.stages.ready(waiting):
            self._performed, self._jump, waiting = waits, waiting.name, None
            self._jumping = self._jumping_of(self._jump)
            self.timing.step_scale = np.ones(1)
            self._jumping.begin(self._jump, np.zeros(1, np.int64), frame)
            frame.happen("started", np.ones(1, bool))
        if self._jumping is not None:
            return self._fly(self._jumping, frame)
        return self._go(frame, waiting)

    # Modes ---------------------------------------------------------------------------------------

    def _go(self, frame: Frame, waiting: Jump | None) -> BatchState:
        """One frame by the paper's stages."""
        command, stages = frame.command, self.stages
        off = np.array([wrap(float(command.heading[0]) - stages.heading())])
        gait = self._graph.gait_for(command.speed, self.timing.target)
        frame.gait = gait if waiting is None else stages.approach(waiting, gait)
        stages.move(frame, float(command.speed[0]), stages.yaw_rate(off))
        self.timing.time = self.timing.time + frame.dt
        stages.advance(frame)
        self._pose(frame, stages)
        self._limit_joints(frame, self._fastest[self.timing.weights[0, : self._stand] > 0].max(axis=0))
        return self._state(frame)

    def _stop_or_start(self, frame: Frame, goes: bool) -> BatchState:
        """One frame of stopping, standing or starting, toward a stand or into the slowest gait."""
        usual = self.library.cycles[SLOWEST].speed
        speed = float(np.clip(frame.command.speed[0], self._slowest, usual)) if goes else 0.0
        frame.wish = Wish(np.array([speed]), frame.command.heading, np.full(1, np.nan))
        now = abs(complex(self.root.velocity[0]))
        frame.gait = np.array([self._stand if not goes and now < RESTS * self._slowest else SLOWEST])
        self._halted_for = self._halted_for + frame.dt if goes else 0.0
        self._root_motion.step(frame)
        self._halt.step(frame)
        self._pose(frame)
        fastest = self._fastest.max(axis=0)  # legs hold on to the ground, and are filtered only where they snap
        fastest[self._free] = self._fastest[SLOWEST][self._free]
        self._limit_joints(frame, fastest)
        gait = np.argmax(self.timing.weights, axis=1)
        if self._has_started():
            self._halting = False
            self.stages.resume(SLOWEST, phase_of(self._own_strides, self.timing))
        return self._state(frame, gait)

    def _has_started(self) -> bool:
        """Whether the gait has taken over from a stand and the legs keep its pattern."""
        timing = self.timing
        weight = min(timing.weights[0, SLOWEST], timing.posture_weights[0, SLOWEST])
        steady = self._halted_for > 0 and weight > SETTLED_WEIGHT
        patient = self._halted_for > 2 * PATIENCE_STRIDES * float(timing.stride[0])
        return bool(steady and (pattern_error(self._own_strides, timing) < MAX_PATTERN_ERROR or patient))

    def _fly(self, jumping: Jumping, frame: Frame) -> BatchState:
        """One frame of a jump; another speed is heeded after it, when a gait for it can be taken."""
        landed = jumping.state.landed
        frame.command = replace(frame.command, speed=jumping.state.carry)
        frame.gait = self.timing.target
        jumping.steer(frame)
        frame.wish = Wish(frame.command.speed, frame.command.heading, frame.command.facing, frame.max_yaw_rate)
        jumping.keep_gait(frame)
        self._root_motion.step(frame)
        jumping.fly(frame)
        jumping.take_over(frame)
        self._jump_transition.step(frame)
        jumping.time(frame)
        self._pose(frame, None, jumping)
        jumping.limit_joints(frame)
        assert jumping.table is not None
        self._limit_joints(frame, np.maximum(self._fastest.max(axis=0), jumping.table.jumps[0].fastest))
        frame.happen("landed", jumping.state.landed & ~landed)
        gait = np.argmax(self.timing.weights, axis=1)
        if jumping.share[0] > 0.5 or not landed[0]:
            gait = np.array([len(self.library.cycles) + list(self.jumps).index(self._jump)])
        state = jumping.state
        patient = state.at[0] > state.settled[0] + PATIENCE_STRIDES * state.stride[0]
        aligned = pattern_error(self._own_strides, self.timing) < MAX_PATTERN_ERROR
        if jumping.is_over(jumping.rows)[0] and (aligned or patient):
            jumping.end(jumping.rows)
            self.stages.resume(int(self.timing.target[0]), phase_of(self._own_strides, self.timing))
            self._jumping = None
            frame.happen("finished", np.ones(1, bool))
        return self._state(frame, gait)

    def _jumping_of(self, name: str) -> Jumping:
        """The stages of a jump; made when it is first asked for."""
        if name not in self._jumpings:
            ease, into = self.stages.jump_style(self.jumps[name])
            made = Jumping(self.library, 1, self.frame_rate, self._jump_transition, self.lock, ease, into)
            made.add(name, [self.jumps[name]])
            self._jumpings[name] = made
        return self._jumpings[name]

    # Poses ---------------------------------------------------------------------------------------

    def _pose(self, frame: Frame, stages: PaperStages | None = None, jumping: Jumping | None = None) -> None:
        """Sampling, the paper's posture or a jump, and the feet."""
        self._sampling.step(frame)
        if jumping is not None:
            jumping.blend(frame)
        self._normalise.step(frame)
        if stages is not None:
            stages.pose(frame)
        self._placement.step(frame)

    def _limit_joints(self, frame: Frame, fastest: Floats) -> None:
        """Lets no joint go faster than its limit, and lifts an animal whose filtered legs would go into the ground."""
        rotations = filtered(self._rotations, frame.rotations, max_joint_steps(fastest, self.frame_rate))
        if rotations is not frame.rotations:
            tree = self.lock.tree
            feet = frames(tree, frame.positions, rotations)[..., :3, 3][:, tree.inner.foot]
            ground = self._world.height(feet[..., [0, 2]])
            frame.positions[:, tree.roots, 1] += np.maximum(ground - feet[..., 1], 0.0).max(axis=1)[:, None]
            put_loose(tree, frame.positions, rotations)
        self._rotations = frame.rotations = rotations

    def _frame(self, command: BatchCommand, dt: float) -> Frame:
        return Frame(
            command, dt, self.lock.strain, self.lock.state.contacts, self.root, self.timing, self.root.snapshot()
        )

    def _state(self, frame: Frame, gait: Ints | None = None) -> BatchState:
        gait = np.argmax(self.timing.weights, axis=1) if gait is None else gait
        predict = arc_from(self.root.snapshot(), self.root.velocity, frame.command.heading, self._max_yaw_rate)
        return self._reporter.state(frame, gait, self.root.velocity, predict)

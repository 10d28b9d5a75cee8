"""The batch form of the contract: N animals of one kind, commanded and stepped together as arrays.

A method is written once, for a batch; `Single` makes a `Controller` of a batch of one. Rows are independent: a row of a
batch moves exactly as the same animal would alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, Generic, Protocol, TypeVar, runtime_checkable

import numpy as np

from canter.anatomy import Character
from canter.control.command import Command, Disturbance, Goal
from canter.control.contract import Capabilities
from canter.control.state import LazyTrajectory, Prop, RowValues, State, Trajectory
from canter.control.trajectory import Samples
from canter.motion import Pose
from canter.motion.arrays import Bools, Floats, Ints

NO_ACTION = -1
"""The number of locomotion among the actions of a batch."""


@dataclass(frozen=True, eq=False)
class BatchCommand:
    """One frame's commands to N animals.

    `speed (N,)` and `heading (N,)`; `facing (N,)`, NaN where it is along the heading; `action (N,)`, a number in
    `Capabilities.actions` or `NO_ACTION`; `style` by name, each `(N,)`; `goals` and `disturbances` of the few animals
    that have any, by row.
    """

    speed: Floats
    heading: Floats
    facing: Floats
    action: Ints
    style: Mapping[str, Floats] = field(default_factory=dict)
    goals: Mapping[int, Goal] = field(default_factory=dict)
    disturbances: Mapping[int, tuple[Disturbance, ...]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.speed)

    @staticmethod
    def still(count: int) -> BatchCommand:
        """Everybody stands."""
        return BatchCommand(
            np.zeros(count), np.zeros(count), np.full(count, np.nan), np.full(count, NO_ACTION, np.int64)
        )

    @staticmethod
    def make(
        speed: Any, heading: Any = 0.0, facing: Any = np.nan, action: Any = NO_ACTION, **style: Any
    ) -> BatchCommand:
        """Commands from numbers or arrays `(N,)`, each for all animals or for every one; `style` by name."""
        values = [np.asarray(x, np.float64) for x in (speed, heading, facing)]
        number = np.asarray(action, np.int64)
        shape = np.broadcast_shapes(*(x.shape for x in values), number.shape, (1,))
        if len(shape) != 1:
            raise ValueError(f"commands of a batch are numbers or arrays (N,), not of shape {shape}")
        speeds, headings, facings = (np.broadcast_to(x, shape).copy() for x in values)
        if not (np.isfinite(speeds).all() and np.isfinite(headings).all()):
            raise ValueError("speed and heading of a batch must be finite")
        more = {name: np.broadcast_to(np.asarray(x, np.float64), shape) for name, x in style.items()}
        return BatchCommand(speeds, headings, facings, np.broadcast_to(number, shape).copy(), more)

    @staticmethod
    def of(commands: Sequence[Command], actions: Sequence[str]) -> BatchCommand:
        """The commands of single animals as one; `actions` are those of the controller, others become `NO_ACTION`."""
        numbers = [actions.index(c.action) if c.action in actions else NO_ACTION for c in commands]
        names = {name for command in commands for name in command.style}
        return BatchCommand(
            np.array([command.speed for command in commands]),
            np.array([command.heading for command in commands]),
            np.array([np.nan if command.facing is None else command.facing for command in commands]),
            np.array(numbers),
            {name: np.array([command.style.get(name, 0.0) for command in commands]) for name in names},
            {k: command.goal for k, command in enumerate(commands) if command.goal is not None},
            {k: tuple(command.disturbances) for k, command in enumerate(commands) if command.disturbances},
        )


@dataclass(frozen=True, eq=False)
class BatchState:
    """N animals in one frame, in double precision. Nobody writes to it afterwards, its maker included.

    Local `positions (N, J, 3)` and `rotations (N, J, 4)`, roots in the world; `contacts (N, L)`; `gait (N,)`, numbers
    of `gait_names`; `velocity_world (N, 3)`, `facing (N,)` and `place (N, 3)` of the ground track; `events` as masks
    `(N,)` by name; `telemetry` as arrays `(N, ...)` by name. `samples` becomes the trajectory when it is asked for.
    """

    positions: Floats
    rotations: Floats
    contacts: Bools
    gait: Ints
    gait_names: tuple[str, ...]
    velocity_world: Floats
    facing: Floats
    place: Floats
    samples: Samples
    events: Mapping[str, Bools] = field(default_factory=dict)
    telemetry: Mapping[str, Floats] = field(default_factory=dict)
    props: Mapping[int, tuple[Prop, ...]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.facing)

    @cached_property
    def trajectory(self) -> Trajectory:
        """Ground samples of all animals: positions `(N, 12, 3)`, facings `(N, 12)`, velocities `(N, 12, 3)`."""
        return self.samples.trajectory()

    def _trajectory_of(self, k: int) -> Trajectory:
        every = self.trajectory
        return Trajectory(every.times, every.positions[k], every.facings[k], every.velocities[k])

    def row(self, k: int, character: Character) -> State:
        """One animal's State."""
        return State(
            pose=Pose(character.skeleton, self.positions[k].astype(np.float32), self.rotations[k].astype(np.float32)),
            contacts=self.contacts[k],
            gait=self.gait_names[self.gait[k]],
            velocity_world=self.velocity_world[k],
            facing=float(self.facing[k]),
            trajectory=LazyTrajectory(partial(self._trajectory_of, k)),
            place=self.place[k],
            props=self.props.get(k, ()),
            events=tuple(name for name, mask in self.events.items() if mask[k]),
            telemetry=RowValues(self.telemetry, k),
        )


@runtime_checkable
class BatchController(Protocol):
    """N commands in, N poses out. The same seed and commands give the same frames.

    `reset` puts animals at the origin facing +Z: all, or those of the mask `who (N,)`. A controller is made with a
    Character and a count.
    """

    @property
    def frame_rate(self) -> float: ...

    @property
    def character(self) -> Character: ...

    @property
    def capabilities(self) -> Capabilities: ...

    @property
    def count(self) -> int: ...

    def reset(self, seed: int = 0, who: Bools | None = None) -> BatchState: ...

    def step(self, command: BatchCommand) -> BatchState: ...


B = TypeVar("B", bound=BatchController, covariant=True)


class Single(Generic[B]):
    """A `Controller` of a batch of one, which is `batch`."""

    def __init__(self, batch: B) -> None:
        if batch.count != 1:
            raise ValueError(f"one animal is a batch of one, not of {batch.count}")
        self.batch: B = batch

    @property
    def frame_rate(self) -> float:
        return self.batch.frame_rate

    @property
    def character(self) -> Character:
        return self.batch.character

    @property
    def capabilities(self) -> Capabilities:
        return self.batch.capabilities

    def reset(self, seed: int = 0) -> State:
        return self.batch.reset(seed).row(0, self.character)

    def step(self, command: Command) -> State:
        command, events = self.capabilities.admit(command)
        state = self.batch.step(BatchCommand.of([command], self.capabilities.actions)).row(0, self.character)
        if events:
            state = replace(state, events=tuple(dict.fromkeys((*events, *state.events))))
        return state

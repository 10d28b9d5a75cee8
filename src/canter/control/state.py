"""What a controller answers each frame: State, with the Trajectory on the ground and the Props in the scene.

The same for every method, so that the studio, the tables and the exporters need to know only this.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from canter.motion import Pose
from canter.motion.arrays import Bools, Floats

EVENTS: dict[str, str] = {
    "clamped": "a command lay outside the controller's range and the nearest possible value was taken",
    "unavailable": "the action asked for does not exist here; locomotion goes on",
    "started": "an action began in this frame",
    "finished": "an action, or the goal's, ended in this frame; not if another one has been asked for meanwhile",
    "arrived": "the goal's position was reached",
    "landed": "the feet met the ground after a flight that is no part of a gait (a jump)",
    "fallen": "trunk or head touched the ground, or the trunk tilted over 60°",
    "hit": "a prop touched the body",
    "caught": "a prop is held from now on",
    "released": "a prop flies from now on",
    "eased": "a network's pose had left its data and was pulled back towards it",
    "reset": "the controller put itself back after a failure",
}
"""The words that `State.events` uses; a method may add its own and says so in its page."""

TELEMETRY: dict[str, str] = {
    "cycle_phase": "float 0 to 1: how far through the stride",
    "playback": "float: clip seconds a second, 1 at the clip's own speed",
    "leg_phase": "(L,) 0 to 1 for each leg, 0 at its touchdown; NaN for a leg that does not step",
    "foothold": "(L, 3) the place where a foot is held, in world metres; NaN for a foot that is not held",
    "transition": "float 0 to 1 while one gait turns into another; NaN otherwise",
    "lead": "float: the side of the leading foreleg in a canter or gallop, 1 left, -1 right; NaN in other gaits",
    "expert": "(K,) the weights of a network's experts or primitives, summing to 1",
    "eased": "float: 1 while a network's pose is pulled back towards its data, 0 otherwise",
    "reward": "float, the reward of the step as the training counts it",
    "contact_force": "(L, 3) the force on each foot in newtons, world axes",
    "milliseconds": "float, what the step cost; filled by whoever measures, never by a controller",
}
"""Documented names of `State.telemetry` and what they hold; L legs in the anatomy's order."""


@dataclass(frozen=True, eq=False)
class Trajectory:
    """Ground samples around now: where the animal was, and where it means to be.

    `times (K,)` in seconds from now, `positions (..., K, 3)` on the ground, `facings (..., K)` yaw, `velocities
    (..., K, 3)`; K is 12 unless a controller has another window (see `control.trajectory`).
    """

    times: Floats
    positions: Floats
    facings: Floats
    velocities: Floats

    def __post_init__(self) -> None:
        n, facings = len(self.times), self.facings.shape
        shapes = (self.positions.shape, facings, self.velocities.shape)
        if facings[-1:] != (n,) or shapes != ((*facings, 3), facings, (*facings, 3)):
            raise ValueError(f"a trajectory of {n} samples needs shapes ({n}, 3), ({n},), ({n}, 3), not {shapes}")

    @property
    def now(self) -> int:
        """The sample nearest to the present."""
        return int(np.argmin(np.abs(self.times)))


class LazyTrajectory(Trajectory):
    """A trajectory that is computed when it is first looked at: a prediction costs as much as several frames' steering,
    and a rollout never asks for it."""

    def __init__(self, make: Callable[[], Trajectory]) -> None:
        object.__setattr__(self, "_make", make)

    def __getattr__(self, name: str) -> Any:
        if name not in Trajectory.__dataclass_fields__:
            raise AttributeError(name)
        made = self.__dict__["_make"]()
        for one in Trajectory.__dataclass_fields__:
            object.__setattr__(self, one, getattr(made, one))
        return self.__dict__[name]


class LazyValues(Mapping[str, Any]):
    """Values by name, each computed when it is first looked at: most frames are made by somebody who looks at few."""

    def __init__(self, makers: Mapping[str, Callable[[], Any]]) -> None:
        self._makers, self._made = makers, dict[str, Any]()

    def __getitem__(self, name: str) -> Any:
        if name not in self._made:
            self._made[name] = self._makers[name]()
        return self._made[name]

    def __contains__(self, name: object) -> bool:
        return name in self._makers

    def __iter__(self) -> Iterator[str]:
        return iter(self._makers)

    def __len__(self) -> int:
        return len(self._makers)

    def __repr__(self) -> str:
        return repr(dict(self))


class RowValues(Mapping[str, Any]):
    """One row of values by name that have a row for each animal."""

    def __init__(self, values: Mapping[str, Any], row: int) -> None:
        self._values, self._row = values, row

    def __getitem__(self, name: str) -> Any:
        return self._values[name][self._row]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return repr(dict(self))


@dataclass(frozen=True, eq=False)
class Prop:
    """A thing in the scene that is not the animal: a ball, a racket, a thrown box, a moving floor.

    `shape` is "sphere" (size: radius), "box" (size: full lengths along x, y, z), "capsule" or "cylinder" (size: radius,
    full length along y) or "plane"; `position (3,)` and `rotation (4,)` are in the world.
    """

    name: str
    shape: str
    size: tuple[float, ...]
    position: Floats
    rotation: Floats


@dataclass(frozen=True, eq=False)
class State:
    """The animal in one frame. Nobody writes to it afterwards, its maker included.

    `contacts (L,)` in the order of the anatomy's legs; `gait` names the gait or action; `velocity_world (3,)` is
    that of the ground track in metres a second, `facing` its yaw in radians, and `place (3,)` where it is on the ground
    (by default that of the trajectory).
    """

    pose: Pose
    contacts: Bools
    gait: str
    velocity_world: Floats
    facing: float
    trajectory: Trajectory
    props: tuple[Prop, ...] = ()
    events: tuple[str, ...] = ()
    telemetry: Mapping[str, Any] = field(default_factory=dict)
    place: Floats = None  # type: ignore[assignment]

    def __post_init__(self) -> None:
        if self.place is None:
            object.__setattr__(self, "place", self.trajectory.positions[self.trajectory.now])

    @property
    def speed(self) -> float:
        """Metres a second over ground."""
        return float(np.hypot(self.velocity_world[0], self.velocity_world[2]))

"""What the presets `sung` and `huang` share: one animal that is never at rest, as in the papers, and its gaits.

Neither paper has a stand, so the animal begins in its slowest gait and goes on in it at the least.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from canter.anatomy import Character
from canter.control.command import Command
from canter.control.contract import Capabilities
from canter.control.state import State
from canter.control.trajectory import Track, direction, predict, wrap
from canter.control.world import World
from canter.cycles.crowd import Crowd
from canter.cycles.cycle import Cycle
from canter.cycles.herd import since_touchdown
from canter.cycles.library import Library, fastest_joints, make_library
from canter.cycles.pack import gait_cycles
from canter.cycles.reach import world as places_of
from canter.motion import Pose
from canter.motion import rotations as rot
from canter.motion.arrays import Floats, Ints

QUICK, CALM = 1.45, np.radians(87)
"""Times the speed of a joint in its clips, and radians a second, that it may always have."""
HYSTERESIS = 0.05
"""By how much of its border a gait is kept beyond it."""

Range = tuple[float, float]


def steady_library(character: Character, common: Sequence[str], gaits: Sequence[str] | None) -> Library:
    """The cycles that go straight ahead, the slowest first: those named, or the `common` ones if there are two."""
    cycles, names = gait_cycles(character)
    ahead = [c for c in cycles if c.velocity[1] > 0.5 * c.speed > 0 and abs(c.turn) < 0.2]
    if gaits is not None:
        if missing := sorted(set(gaits) - {c.name for c in ahead}):
            raise ValueError(f"{character.name!r} does not go ahead in {', '.join(missing)}; it has {', '.join(names)}")
        ahead = [c for c in ahead if c.name in gaits]
    else:
        usual = [c for c in ahead if c.gait in common and c.name == c.gait]
        ahead = usual if len(usual) > 1 else ahead
    return make_library(character, sorted(ahead, key=lambda cycle: cycle.speed))


def complex_velocity(cycle: Cycle) -> complex:
    """The velocity of a cycle's track: ahead + 1j * left."""
    return complex(cycle.velocity[1], cycle.velocity[0])


def gait_for(ranges: Sequence[Range], speed: Floats, current: Ints) -> Ints:
    """The gaits `(N,)` whose ranges hold the speeds; the current one is kept a little beyond its border."""
    borders = np.array([high for _, high in ranges[:-1]])
    chosen: Ints = np.searchsorted(borders, speed)
    low = np.array([0.0, *borders])[current] * (1 - HYSTERESIS)
    high = np.array([*borders, np.inf])[current] * (1 + HYSTERESIS)
    return np.where((speed > low) & (speed < high), current, chosen)


def clocks_of(phases: Floats, touchdowns: Floats, duties: Floats) -> Floats:
    """Clocks of legs, 0 to 1 in stance and 1 to 2 in swing, that are at phases of a cycle."""
    since = (phases - touchdowns) % 1.0
    return clocks_since(since, duties)


def clocks_since(since: Floats, duties: Floats) -> Floats:
    """The same from the share of a stride that went by since the touchdown."""
    result: Floats = np.where(since < duties, since / duties, 1 + (since - duties) / (1 - duties))
    return result


def filtered(before: Floats, wanted: Floats, most: Floats) -> Floats:
    """Rotations `(..., J, 4)` on the way from those before to those wanted, by `most (J,)` radians at the farthest."""
    way = rot.log(rot.multiply(rot.conjugate(before), wanted))
    angle = np.linalg.norm(way, axis=-1, keepdims=True)
    share = np.minimum(most[..., None] / np.maximum(angle, 1e-9), 1.0)
    if share.min() >= 1:
        return wanted
    return np.where(share < 1, rot.multiply(before, rot.exp(way * share)), wanted)


class Paper:
    """One animal under the parts of a paper; a subclass makes the crowd and says how it begins and turns.

    The papers filter joints after the legs have been put in place; here no joint goes faster than `QUICK` times its
    fastest in the cycles that are being mixed, or `CALM`.
    """

    def __init__(self, crowd: Crowd, ranges: Sequence[Range], turn_rate: float, world: World | None) -> None:
        self._crowd, self._ranges, self._world = crowd, list(ranges), world or World()
        names = [cycle.name for cycle in crowd.library.cycles]
        self._fastest = np.stack([fastest_joints(cycle) for cycle in crowd.library.cycles])
        self._capabilities = Capabilities(
            speed_range=(self._ranges[0][0], self._ranges[-1][1]),
            gaits=dict(zip(names, self._ranges, strict=True)),
            honours=frozenset({"speed", "heading"}),
            turn_rate=turn_rate,
        )
        self.reset()

    @property
    def frame_rate(self) -> float:
        return self._crowd.frame_rate

    @property
    def character(self) -> Character:
        return self._crowd.library.character

    @property
    def capabilities(self) -> Capabilities:
        return self._capabilities

    @property
    def crowd(self) -> Crowd:
        """The engine, for whoever measures."""
        return self._crowd

    def reset(self, seed: int = 0) -> State:
        """At the origin, facing +Z, in the slowest gait. There is no chance in it: seeds do not differ."""
        self._crowd.reset()
        self._crowd.herd.contacts[:] = False
        self._begin()
        self._track = Track(self.frame_rate, np.zeros(3), 0.0)
        positions, rotations = self._crowd.pose()
        self._rotations = rotations
        return self._state(Command(), positions, rotations, ())

    def step(self, command: Command) -> State:
        command, events = self._capabilities.admit(command)
        herd = self._crowd.herd
        speed, off = np.array([command.speed]), np.array([wrap(command.heading - self._heading())])
        gait = gait_for(self._ranges, speed, herd.target)
        positions, rotations = self._crowd.step(speed.astype(complex), self._turn(off), gait)
        mixed = self._fastest[self._crowd.herd.weights[0] > 0].max(axis=0)
        self._rotations = filtered(self._rotations, rotations, np.maximum(QUICK * mixed, CALM) / self.frame_rate)
        if self._rotations is not rotations:
            self._clear(positions)
        rotations = self._rotations
        return self._state(command, positions, rotations, events)

    def _clear(self, positions: Floats) -> None:
        """Lifts animals whose filtered legs would go into the ground."""
        library = self._crowd.library
        feet = places_of(library, positions, self._rotations)[0][:, library.legs.foot]
        ground = self._world.height(feet[..., [0, 2]])
        positions[:, library.skeleton.parents < 0, 1] += np.maximum(ground - feet[..., 1], 0.0).max(axis=1)[:, None]

    def _begin(self) -> None:
        """Puts the herd into its slowest gait."""
        raise NotImplementedError

    def _heading(self) -> float:
        """The yaw that a command's heading is compared with."""
        return float(self._crowd.herd.yaw[0])

    def _turn(self, off: Floats) -> Floats:
        """The wished turn in radians a second if the heading is so many radians off."""
        raise NotImplementedError

    def _state(self, command: Command, positions: Floats, rotations: Floats, events: tuple[str, ...]) -> State:
        herd, library = self._crowd.herd, self._crowd.library
        yaw, velocity = float(herd.yaw[0]), complex(herd.velocity[0])
        way, speed = yaw + math.atan2(velocity.imag, velocity.real), abs(velocity)
        place = np.array([herd.place[0].imag, 0.0, herd.place[0].real])
        place[1] = self._world.height(place[[0, 2]])
        self._track.record(place, yaw)
        places, yaws, velocities = predict(place, way, speed, command.heading, self._capabilities.turn_rate)
        places[:, 1] = self._world.height(places[:, [0, 2]])
        share = float(herd.weights[0, herd.target[0]])
        return State(
            pose=Pose(library.skeleton, positions[0].astype(np.float32), rotations[0].astype(np.float32)),
            contacts=herd.contacts[0].copy(),
            gait=library.cycles[int(np.argmax(herd.weights[0]))].name,
            velocity_world=speed * direction(way),
            facing=wrap(yaw),
            trajectory=self._track.trajectory(places, yaws + (yaw - way), velocities),
            events=events,
            telemetry={
                "leg_phase": since_touchdown(herd.clocks, self._crowd.duty)[0],
                "transition": share if share < 1 else math.nan,
            },
        )

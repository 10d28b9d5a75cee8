"""What the presets `sung` and `huang` share: one animal that is never at rest, as in the papers, and its gaits.

Neither paper has a stand, so the animal begins in its slowest gait and goes on in it at the least.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from canter.anatomy import Character
from canter.control.command import Command
from canter.control.contract import Capabilities
from canter.control.state import State
from canter.control.trajectory import wrap
from canter.control.world import World
from canter.cycles.choice import Range, gait_for
from canter.cycles.crowd import Crowd
from canter.cycles.cycle import Cycle
from canter.cycles.library import Library, fastest_joints, make_library
from canter.cycles.pack import gait_cycles
from canter.cycles.reach import frames
from canter.cycles.telling import Teller
from canter.motion import rotations as rot
from canter.motion.arrays import Floats

QUICK, CALM = 1.45, np.radians(87)
"""Times the speed of a joint in its clips, and radians a second, that it may always have."""


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
        self._teller = Teller(crowd, self._world, turn_rate)
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
        self._teller.reset()
        positions, rotations = self._crowd.pose()
        self._rotations = rotations
        return self._teller.tell(0.0, positions, rotations, (), gait=self._gait)

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
        return self._teller.tell(command.heading, positions, self._rotations, events, gait=self._gait)

    @property
    def _gait(self) -> str:
        """What it goes in, by name."""
        return self._crowd.library.cycles[int(np.argmax(self._crowd.herd.weights[0]))].name

    def _clear(self, positions: Floats) -> None:
        """Lifts animals whose filtered legs would go into the ground."""
        library = self._crowd.library
        feet = frames(library, positions, self._rotations)[..., 3][:, library.tree.legs.foot]
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

"""What the presets `sung` and `huang` share: one animal, its gaits and jumps, and that it stands until told to go.

Neither paper has a stand; how the slowest gait begins and ends in one is ours (`paper_halt`).
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
from canter.cycles.build.cycle import Cycle
from canter.cycles.engine.engine import Crowd
from canter.cycles.engine.gait_graph import Range, make_graph
from canter.cycles.engine.joint_limits import allowed, filtered
from canter.cycles.engine.library import Library, fastest_joints, loose_joints, make_library
from canter.cycles.engine.reach import frames
from canter.cycles.engine.report import Teller
from canter.cycles.gaits.batch import gait_cycles
from canter.cycles.jumps.jump import Leap
from canter.cycles.papers.halt import Halt
from canter.cycles.papers.jump import PaperLeap, leaps_of, phase_of
from canter.motion.arrays import Floats, Ints


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


def standing_cycle(character: Character) -> Cycle:
    """How it stands."""
    return next(cycle for cycle in gait_cycles(character)[0] if cycle.stands)


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


class Paper:
    """One animal under the parts of a paper; a subclass makes the crowd and says how it begins and turns.

    The papers filter joints after the legs have been put in place; here no joint goes faster than is `allowed` by the
    cycles that are being mixed.
    """

    def __init__(self, crowd: Crowd, ranges: Sequence[Range], turn_rate: float, world: World | None) -> None:
        self._crowd, self._graph, self._world = crowd, make_graph(ranges), world or World()
        names = [cycle.name for cycle in crowd.library.cycles]
        self._leaps = leaps_of(crowd.library.character)
        self._jumps: dict[str, PaperLeap] = {}
        self._halt = Halt(crowd, standing_cycle(crowd.library.character), ranges[0][0], turn_rate)
        self._slowest, self._loose = ranges[0][0], loose_joints(crowd.library)
        self._fastest = np.stack([fastest_joints(cycle) for cycle in crowd.library.cycles])
        self._capabilities = Capabilities(
            speed_range=(0.0, ranges[-1][1]),
            gaits=dict(zip(names, ranges, strict=True)),
            actions=tuple(self._leaps),
            honours=frozenset({"speed", "heading", "action"} if self._leaps else {"speed", "heading"}),
            turn_rate=turn_rate,
        )
        self._teller = Teller(crowd, turn_rate)
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
        """At the origin, facing +Z, standing. There is no chance in it: seeds do not differ."""
        self._crowd.reset()
        self._teller.reset()
        self._performed: str | None = None
        self._leaping: PaperLeap | None = None
        self._halting = True
        positions, self._rotations = self._halt.reset()
        return self._teller.tell(0.0, positions, self._rotations, (), gait=self._halt.gait, crowd=self._halt.crowd)

    def step(self, command: Command) -> State:
        command, events = self._capabilities.admit(command)
        if 0 < command.speed < self._slowest:
            events = tuple(dict.fromkeys((*events, "clamped")))
        if command.action != self._performed:
            self._performed = None
        waits = None if self._performed is not None or self._leaping is not None else command.action
        goes = command.speed > 0 or waits is not None
        if not (goes or self._halting or self._leaping) and self._steady:
            self._halting = True
            self._halt.begin()
        if self._halting:
            return self._stand(command, goes, events)
        if waits is not None and self._ready(self._leaps[waits]):
            self._performed, self._leaping = waits, self._jump(waits)
            self._leaping.begin()
            events, waits = (*events, "started"), None
        if self._leaping is not None:
            return self._leap(self._leaping, command, events)
        herd = self._crowd.herd
        speed, off = np.array([command.speed]), np.array([wrap(command.heading - self._heading())])
        gait = self._graph.gait_for(speed, herd.target)
        if waits is not None:
            gait = self._approach(self._leaps[waits], gait)
        positions, rotations = self._crowd.step(speed.astype(complex), self._turn(off), gait)
        mixed = self._fastest[self._crowd.herd.weights[0] > 0].max(axis=0)
        self._calm(positions, rotations, mixed)
        return self._teller.tell(command.heading, positions, self._rotations, events, gait=self._gait)

    def _stand(self, command: Command, goes: bool, events: tuple[str, ...]) -> State:
        """One frame of stopping, standing or starting."""
        halt, usual = self._halt, self._crowd.library.cycles[0].speed
        speed = float(np.clip(command.speed, self._slowest, usual)) if goes else 0.0
        positions, rotations = halt.step(speed, command.heading)
        loose = self._loose  # legs hold on to the ground as in `gaits`, without a filter
        most = allowed(self._fastest[0][loose], self.frame_rate)
        rotations[:, loose] = filtered(self._rotations[:, loose], rotations[:, loose], most)
        self._rotations = rotations
        if halt.over:
            self._halting = False
            self._resume(int(self._crowd.herd.target[0]), phase_of(halt.crowd))
        return self._teller.tell(command.heading, positions, self._rotations, events, gait=halt.gait, crowd=halt.crowd)

    def _leap(self, leaping: PaperLeap, command: Command, events: tuple[str, ...]) -> State:
        """One frame of a jump."""
        landed = leaping.landed
        positions, rotations = leaping.step(command.speed, command.heading)
        self._calm(positions, rotations, np.maximum(self._fastest.max(axis=0), leaping.leap.fastest))
        if leaping.landed and not landed:
            events = (*events, "landed")
        gait = leaping.leap.name if leaping.share > 0.5 or not landed else self._gait
        if leaping.over:
            self._resume(int(self._crowd.herd.target[0]), phase_of(leaping.crowd))
            self._leaping = None
            events = (*events, "finished")
        return self._teller.tell(command.heading, positions, self._rotations, events, gait=gait)

    def _jump(self, name: str) -> PaperLeap:
        """The jump of that name; made when it is first asked for."""
        if name not in self._jumps:
            self._jumps[name] = self._make_jump(self._leaps[name])
        return self._jumps[name]

    def _calm(self, positions: Floats, rotations: Floats, fastest: Floats) -> None:
        """Lets no joint go faster than it may."""
        self._rotations = filtered(self._rotations, rotations, allowed(fastest, self.frame_rate))
        if self._rotations is not rotations:
            self._clear(positions)

    def _make_jump(self, leap: Leap) -> PaperLeap:
        """A jump as the paper blends it."""
        raise NotImplementedError

    def _approach(self, leap: Leap, gait: Ints) -> Ints:
        """The gait to go in before a jump, if another than the speed's."""
        return gait

    def _ready(self, leap: Leap) -> bool:
        """Whether a jump may begin in this frame."""
        raise NotImplementedError

    def _resume(self, gait: int, phase: float) -> None:
        """Goes on in a gait, from a phase of it, as the herd is after a jump or a stand."""
        raise NotImplementedError

    @property
    def _gait(self) -> str:
        """What it goes in, by name."""
        return self._crowd.library.cycles[int(np.argmax(self._crowd.herd.weights[0]))].name

    def _clear(self, positions: Floats) -> None:
        """Lifts animals whose filtered legs would go into the ground."""
        library = self._crowd.library
        feet = frames(library, positions, self._rotations)[..., :3, 3][:, library.tree.legs.foot]
        ground = self._world.height(feet[..., [0, 2]])
        positions[:, library.skeleton.parents < 0, 1] += np.maximum(ground - feet[..., 1], 0.0).max(axis=1)[:, None]

    @property
    def _steady(self) -> bool:
        """Whether it goes in its slowest gait and may be stopped in this frame."""
        raise NotImplementedError

    def _heading(self) -> float:
        """The yaw that a command's heading is compared with."""
        return float(self._crowd.herd.yaw[0])

    def _turn(self, off: Floats) -> Floats:
        """The wished turn in radians a second if the heading is so many radians off."""
        raise NotImplementedError

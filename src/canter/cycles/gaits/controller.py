"""The controller `gaits`: drives any animal from one cycle per gait, and takes the best of Sung's and Huang's.

It changes speed and heading on the next frame and goes from any gait to any other from any phase, also while turning.
Jumps are taken out of any gait into any gait; other actions (sit, lie) are entered from standing and left to it.
"""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from canter.anatomy import Action, Character
from canter.control.command import Command
from canter.control.contract import Capabilities, Style
from canter.control.state import State
from canter.control.world import World
from canter.cycles.engine.report import Teller
from canter.cycles.gaits.actions import Performance
from canter.cycles.gaits.batch import Pack
from canter.cycles.jumps.jump import is_leap, make_leap, mirrored
from canter.cycles.jumps.jumping import Leaping, goes_ahead
from canter.motion.arrays import Floats, Ints


class Gaits:
    """One animal of the preset `gaits`.

    `frame_rate` is that of its steps; the feet follow the terrain of the `world`. The styles are gaits that the
    animal has but does not take by itself: above one half it goes in them.
    """

    def __init__(self, character: Character, *, world: World | None = None, frame_rate: float = 60.0) -> None:
        if not (math.isfinite(frame_rate) and frame_rate >= 10):
            raise ValueError(f"frame_rate must be at least 10, not {frame_rate}")
        self._pack = Pack(character, 1, frame_rate=frame_rate, world=world)
        self._teller = Teller(self._pack.crowd, self._pack.turn_rate)
        self._jumps: dict[str, Leaping | None] = {}
        self._performance = Performance(self._pack)
        choice = self._pack.choice
        ranges = {choice.names[k]: choice.ranges[k] for k in (*choice.ahead, *choice.others)}
        self._capabilities = Capabilities(
            speed_range=(0.0, choice.fastest),
            actions=self._performance.names,
            gaits=ranges,
            honours=frozenset({"speed", "heading", "facing", "action", "style"}),
            turn_rate=self._pack.turn_rate,
            styles=tuple(Style(choice.names[k]) for k in choice.others),
        )
        self.reset()

    @property
    def frame_rate(self) -> float:
        return self._pack.crowd.frame_rate

    @property
    def character(self) -> Character:
        return self._pack.character

    @property
    def capabilities(self) -> Capabilities:
        return self._capabilities

    def reset(self, seed: int = 0) -> State:
        """At the origin, facing +Z, standing. There is no chance in it: seeds do not differ."""
        self._pack.reset()
        self._performance.reset()
        self._teller.reset()
        self._performed: str | None = None
        self._leaping: Leaping | None = None
        return self._state(Command(), *self._pack.stand(), ())

    def step(self, command: Command) -> State:
        command, events = self._capabilities.admit(command)
        show = self._performance
        if command.action != self._performed:
            self._performed = None
        free = self._performed is None and show.name is None and self._leaping is None
        if command.action is not None and free and self._begins(command.action):
            self._performed = command.action
            events = (*events, "started")
        if self._leaping is not None:
            return self._leap(self._leaping, command, events)
        if show.name is not None:
            positions, rotations, finished = show.step(command.action, command.action is None and command.speed > 0)
            return self._state(command, positions, rotations, (*events, "finished") if finished else events)
        halts = command.action is not None and self._performed is None
        speed = 0.0 if halts else command.speed
        facing = None if command.facing is None or halts else np.array([command.facing])
        if facing is not None and speed > self._pack.fastest_towards(command.heading - facing)[0] + 1e-9:
            events = tuple(dict.fromkeys((*events, "clamped")))
        step = partial(self._pack.step, np.array([speed]), np.array([command.heading]), facing, self._asked(command))
        positions, rotations = show.lead(step) if show.leads else step()
        return self._state(command, positions, rotations, events)

    def _begins(self, action: str) -> bool:
        """Begins an action if now is the time for it: a jump at once where the animal goes, else all when it rests."""
        jump = self._jump(action) if goes_ahead(self._pack) else None
        if jump is not None:
            jump.begin()
            self._leaping = jump
        elif self._pack.rests():
            self._performance.begin(action)
        else:
            return False
        return True

    def _jump(self, action: str) -> Leaping | None:
        """The action as a jump out of a gait; None if it is no jump. Made when it is first asked for."""
        if action not in self._jumps:
            self._jumps[action] = self._make_jump(self._performance.actions[action])
        return self._jumps[action]

    def _make_jump(self, action: Action) -> Leaping | None:
        pack, anatomy = self._pack, self.character.anatomy
        if not is_leap(action, anatomy):
            return None
        sides = [make_leap(self.character, side) for side in (action, mirrored(action, anatomy))]
        return Leaping(pack.crowd, sides, pack.choice.choose, pack.turn_rate)

    def _leap(self, leaping: Leaping, command: Command, events: tuple[str, ...]) -> State:
        """One frame of a jump out of a gait."""
        landed = leaping.landed
        step = partial(leaping.step, command.speed, command.heading)
        positions, rotations = self._performance.lead(step) if self._performance.leads else step()
        if leaping.landed and not landed:
            events = (*events, "landed")
        name = leaping.leap.name if leaping.share > 0.5 or not landed else None
        if leaping.over:
            self._leaping = None
            events = (*events, "finished")
        return self._state(command, positions, rotations, events, name)

    def _asked(self, command: Command) -> Ints | None:
        """The gait that a style asks for, if it can go at that speed."""
        choice = self._pack.choice
        for gait in choice.others:
            low, high = choice.ranges[gait]
            if command.style.get(choice.names[gait], 0.0) > 0.5 and low <= command.speed <= high:
                return np.array([gait])
        return None

    def _state(
        self,
        command: Command,
        positions: Floats,
        rotations: Floats,
        events: tuple[str, ...],
        action: str | None = None,
    ) -> State:
        pack, show = self._pack, self._performance
        show.watch(positions, rotations)
        return self._teller.tell(
            command.heading,
            positions,
            rotations,
            events,
            gait=action or show.name or pack.names[int(np.argmax(pack.crowd.herd.weights[0]))],
            telemetry={"leg_phase": pack.leg_phases()[0], "foothold": pack.footholds()[0]},
            velocity=show.velocity,
        )

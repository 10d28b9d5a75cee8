"""The controller `gaits`: drives any animal from one cycle per gait, and takes the best of Sung's and Huang's.

It changes speed and heading on the next frame and goes from any gait to any other from any phase, also while turning.
Actions of the character (sit, lie, jump) are entered from standing and left to it.
"""

from __future__ import annotations

import math

import numpy as np

from canter.anatomy import Character
from canter.control.command import Command
from canter.control.contract import Capabilities, Style
from canter.control.state import State
from canter.control.trajectory import Track, direction, predict, wrap
from canter.control.world import World
from canter.cycles.pack import Pack
from canter.cycles.performance import Performance
from canter.motion import Pose
from canter.motion.arrays import Floats


class Gaits:
    """One animal of the preset `gaits`.

    `frame_rate` is that of its steps; the feet follow the terrain of the `world`. The styles are gaits that the
    animal has but does not take by itself: above one half it goes in them.
    """

    def __init__(self, character: Character, *, world: World | None = None, frame_rate: float = 60.0) -> None:
        if not (math.isfinite(frame_rate) and frame_rate >= 10):
            raise ValueError(f"frame_rate must be at least 10, not {frame_rate}")
        self._pack = Pack(character, 1, frame_rate=frame_rate, world=world)
        self._world = world or World()
        self._performance = Performance(character, frame_rate, self._pack.standing_root())
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
        self._performed: str | None = None
        self._track = Track(self.frame_rate, np.zeros(3), 0.0)
        return self._state(Command(), *self._pack.stand(), ())

    def step(self, command: Command) -> State:
        command, events = self._capabilities.admit(command)
        herd, show = self._pack.crowd.herd, self._performance
        if command.action != self._performed:
            self._performed = None
        if show.name is None and command.action is not None and self._performed is None and self._pack.rests():
            self._performed = command.action
            show.begin(command.action, herd)
            events = (*events, "started")
        if show.name is not None:
            positions, rotations, finished = show.step(command.action, herd)
            if finished:
                self._pack.settle(positions, rotations)
                events = (*events, "finished")
            return self._state(command, positions, rotations, events)
        speed = 0.0 if command.action is not None else command.speed
        facing = math.nan if command.facing is None or command.action is not None else command.facing
        positions, rotations = self._pack.step(
            np.array([speed]), np.array([command.heading]), np.array([facing]), np.array([self._asked(command)])
        )
        show.soften(positions, rotations)
        return self._state(command, positions, rotations, events)

    def _asked(self, command: Command) -> int:
        """The gait that a style asks for, if it can go at that speed, or -1."""
        choice = self._pack.choice
        for gait in choice.others:
            low, high = choice.ranges[gait]
            if command.style.get(choice.names[gait], 0.0) > 0.5 and low <= command.speed <= high:
                return gait
        return -1

    def _state(self, command: Command, positions: Floats, rotations: Floats, events: tuple[str, ...]) -> State:
        pack, herd, show = self._pack, self._pack.crowd.herd, self._performance
        yaw, speed = float(herd.yaw[0]), abs(complex(herd.velocity[0]))
        way = yaw + (math.atan2(herd.velocity[0].imag, herd.velocity[0].real) if speed > 1e-3 else 0.0)
        place = np.array([herd.place[0].imag, 0.0, herd.place[0].real])
        place[1] = self._world.height(place[[0, 2]])
        self._track.record(place, yaw)
        places, yaws, velocities = predict(place, way, speed, command.heading, pack.turn_rate if speed > 0 else 0.0)
        places[:, 1] = self._world.height(places[:, [0, 2]])
        share = float(herd.weights[0, herd.target[0]])
        return State(
            pose=Pose(pack.character.skeleton, positions[0].astype(np.float32), rotations[0].astype(np.float32)),
            contacts=herd.contacts[0].copy() if show.name is None else show.contacts,
            gait=show.name or pack.names[int(np.argmax(herd.weights[0]))],
            velocity_world=speed * direction(way),
            facing=wrap(yaw),
            trajectory=self._track.trajectory(places, yaws + (yaw - way), velocities),
            events=events,
            telemetry={
                "leg_phase": pack.leg_phases()[0],
                "foothold": pack.footholds()[0],
                "transition": share if share < 1 else math.nan,
            },
        )

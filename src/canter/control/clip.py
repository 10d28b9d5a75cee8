"""The plainest controller: plays one loop of a character along a heading, faster or slower within reason.

It shows the contract and is the yardstick for the others. It freezes at speed zero, scales time between half and one
and a half times the clip's own speed, and turns the whole animal as a rigid body, so that feet slide in turns.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from canter.anatomy import Character, Clip
from canter.anatomy.ground import ground_track
from canter.control.command import Command
from canter.control.contract import Capabilities
from canter.control.state import State, Trajectory
from canter.control.trajectory import Track, direction, predict, turn_towards, wrap
from canter.control.world import World
from canter.motion import Motion, Pose
from canter.motion import rotations as rot
from canter.motion.arrays import Floats, Ints

SLOWEST, FASTEST = 0.5, 1.5
"""Between these multiples of its own speed a clip may be played."""

STILL = 0.02
"""Hip heights a second below which a loop does not travel."""


@dataclass(frozen=True, eq=False)
class Loop:
    """A clip with its travel taken out: what remains is periodic and moves along +Z at `speed` when put back.

    `positions (P + 1, J, 3)` and `rotations (P + 1, J, 4)` are local, the last frame equal to the first but for the
    clip's own seam; `facing` is the mean yaw of the body against the direction of travel (pi for a backward walk).
    """

    positions: Floats
    rotations: Floats
    roots: Ints
    frame_rate: float
    speed: float
    facing: float

    @property
    def period(self) -> int:
        return len(self.positions) - 1

    def sample(self, frame: float) -> tuple[Floats, Floats]:
        """Local positions and rotations at a fractional frame."""
        frame = frame % self.period
        i = int(frame)
        t = frame - i
        positions = (1 - t) * self.positions[i] + t * self.positions[i + 1]
        return positions, rot.slerp(self.rotations[i], self.rotations[i + 1], np.float64(t))


def make_loop(character: Character, clip: Clip) -> Loop:
    """Takes the steady travel and turn of one round out of a looping clip (a screw motion in the plane)."""
    motion = clip.motion
    if len(motion) < 3:
        raise ValueError(f"clip {clip.name!r} has {len(motion)} frames; a loop needs at least 3")
    places, facings = _ground(character, motion)
    turn = wrap(float(facings[-1] - facings[0]))
    turn = 0.0 if abs(turn) < math.radians(3) else turn
    period = len(motion) - 1
    yaws = turn * np.arange(period + 1) / period
    origins, velocity = _arc(places, yaws)
    heading = math.atan2(velocity[0], velocity[2]) if np.hypot(velocity[0], velocity[2]) > 0 else float(facings[0])
    speed = float(np.hypot(velocity[0], velocity[2])) * motion.frame_rate
    if speed < STILL * character.anatomy.hip_height:
        heading, speed = float(np.median(facings)), 0.0
    back = rot.yaw(-(yaws + heading))
    roots = np.flatnonzero(motion.skeleton.parents < 0)
    positions, rotations = motion.positions.astype(np.float64), motion.rotations.astype(np.float64)
    positions[:, roots] = rot.rotate(back[:, None], positions[:, roots] - origins[:, None])
    rotations[:, roots] = rot.multiply(back[:, None], rotations[:, roots])
    facing = float(np.angle(np.exp(1j * (facings - yaws - heading)).mean()))
    return Loop(positions, rotations, roots, motion.frame_rate, speed, facing)


def _ground(character: Character, motion: Motion) -> tuple[Floats, Floats]:
    """Where the trunk is over the ground `(T, 3)` and which way it points `(T,)`, unwrapped."""
    if len(character.anatomy.legs) in (2, 4):
        track = ground_track(motion, character.anatomy, smooth=False)
        flat, facings = track.positions, track.facings
    else:
        flat, facings = motion.position_world[:, 0][:, [0, 2]].astype(np.float64), np.zeros(len(motion))
    return np.stack([flat[:, 0], np.zeros(len(flat)), flat[:, 1]], -1), facings


def _arc(places: Floats, yaws: Floats) -> tuple[Floats, Floats]:
    """The path `(P + 1, 3)` of steady travel on an arc from the first to the last place, and its first step.

    A body that turns at the rate of `yaws` while moving by a constant step in its own frame ends where the clip ends.
    """
    span = complex(places[-1, 2] - places[0, 2], places[-1, 0] - places[0, 0])  # real ahead (+Z), imaginary left (+X)
    turns = np.exp(1j * (yaws[:-1] + yaws[1:]) / 2)
    step = span / turns.sum()
    path = complex(places[0, 2], places[0, 0]) + np.concatenate([[0], np.cumsum(step * turns)])
    return np.stack([path.imag, np.zeros(len(path)), path.real], -1), np.array([step.imag, 0.0, step.real])


class ClipController:
    """Plays the loop `clip` (the first that travels, if none is named) along the commanded heading.

    `turn_rate` bounds the turn in radians a second; the trunk follows the height of the `world`'s terrain.
    """

    def __init__(
        self,
        character: Character,
        clip: str | None = None,
        *,
        world: World | None = None,
        frame_rate: float = 60.0,
        turn_rate: float = math.radians(120),
    ) -> None:
        if not (math.isfinite(frame_rate) and frame_rate > 0 and math.isfinite(turn_rate) and turn_rate > 0):
            raise ValueError(f"frame_rate and turn_rate must be above zero, not {frame_rate} and {turn_rate}")
        self._character = character
        self._clip = character.clip(clip) if clip is not None else _first_loop(character)
        if not self._clip.footfalls.loop:
            raise ValueError(f"clip {self._clip.name!r} is no loop; {_loops(character)}")
        self._loop = make_loop(character, self._clip)
        self._world = world or World()
        self._frame_rate = float(frame_rate)
        speed = self._loop.speed
        self._capabilities = Capabilities(
            speed_range=(0.0, FASTEST * speed),
            gaits={self._clip.footfalls.gait: (SLOWEST * speed, FASTEST * speed)},
            honours=frozenset({"speed", "heading"}),
            turn_rate=turn_rate,
        )
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

    def reset(self, seed: int = 0) -> State:
        """At the origin, facing +Z, at the loop's first frame. There is no chance in it: seeds do not differ."""
        self._frame, self._yaw, self._place = 0.0, -self._loop.facing, np.zeros(3)
        self._track = Track(self._frame_rate, self._place, 0.0)
        return self._state(0.0, self._yaw, ())

    def step(self, command: Command) -> State:
        command, events = self._capabilities.admit(command)
        rate, clamped = self._rate(command.speed)
        if rate > 0 and self._loop.speed > 0:
            most = self._capabilities.turn_rate / self._frame_rate
            before = self._yaw
            self._yaw = turn_towards(self._yaw, command.heading, most)
            travel = rate * self._loop.speed / self._frame_rate
            self._place = self._place + travel * direction((before + self._yaw) / 2)
        self._frame = (self._frame + rate * self._loop.frame_rate / self._frame_rate) % self._loop.period
        if clamped and "clamped" not in events:
            events = (*events, "clamped")
        return self._state(rate, command.heading, events)

    def _rate(self, speed: float) -> tuple[float, bool]:
        """Clip seconds a second for a speed, and whether it had to be bent. A loop that stands just plays."""
        if self._loop.speed == 0:
            return 1.0, False
        if speed <= 0:
            return 0.0, False
        wanted = speed / self._loop.speed
        rate = min(max(wanted, SLOWEST), FASTEST)
        return rate, rate > wanted

    def _state(self, rate: float, heading: float, events: tuple[str, ...]) -> State:
        facing = wrap(self._yaw + self._loop.facing)
        ground = self._place.copy()
        ground[1] = self._world.height(self._place[[0, 2]])
        self._track.record(ground, facing)
        footfalls = self._clip.footfalls
        nearest = round(self._frame) % min(self._loop.period, len(footfalls.contacts))
        return State(
            pose=self._pose(ground),
            contacts=footfalls.contacts[nearest],
            gait=footfalls.gait,
            velocity_world=rate * self._loop.speed * direction(self._yaw),
            facing=facing,
            trajectory=self._trajectory(ground, rate, heading),
            events=events,
            telemetry={"cycle_phase": self._frame / self._loop.period, "playback": rate},
        )

    def _pose(self, ground: Floats) -> Pose:
        positions, rotations = self._loop.sample(self._frame)
        turn, roots = rot.yaw(np.float64(self._yaw)), self._loop.roots
        positions[roots] = ground + rot.rotate(turn, positions[roots])
        rotations[roots] = rot.multiply(turn, rotations[roots])
        return Pose(self._clip.motion.skeleton, positions.astype(np.float32), rotations.astype(np.float32))

    def _trajectory(self, ground: Floats, rate: float, heading: float) -> Trajectory:
        speed = rate * self._loop.speed
        turn_rate = self._capabilities.turn_rate if speed > 0 else 0.0
        places, yaws, velocities = predict(ground, self._yaw, speed, heading, turn_rate)
        places[:, 1] = self._world.height(places[:, [0, 2]])
        return self._track.trajectory(places, yaws + self._loop.facing, velocities)


def _first_loop(character: Character) -> Clip:
    loops = [clip for clip in character.clips if clip.footfalls.loop]
    travelling = [clip for clip in loops if clip.footfalls.speed > STILL * character.anatomy.hip_height]
    if not loops:
        raise ValueError(f"{character.name!r} has no looping clip to play; {_loops(character)}")
    return (travelling or loops)[0]


def _loops(character: Character) -> str:
    loops = [clip.name for clip in character.clips if clip.footfalls.loop]
    return f"loops: {', '.join(loops) or 'none'}; `canter clean IN OUT --cut-loops` cuts and closes one"

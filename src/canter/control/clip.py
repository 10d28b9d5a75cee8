"""The plainest controller: plays one loop of a character along a heading, faster or slower within reason.

It shows the contract and is the yardstick for the others. It freezes at speed zero, scales time between half and one
and a half times the clip's own speed, and turns the whole animal as a rigid body, so that feet slide in turns.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from canter.anatomy import Character, Clip
from canter.anatomy.ground import ground_track
from canter.control.batch import BatchCommand, BatchState
from canter.control.contract import Capabilities
from canter.control.steering import Root, SteeringLimits, Wish, advance, predict
from canter.control.trajectory import History, Prediction, on_plane, wrap, wrap_angles
from canter.control.world import World
from canter.motion import Motion
from canter.motion import rotations as rot
from canter.motion.arrays import Bools, Floats, Ints
from canter.motion.constants import GRAVITY

SLOWEST, FASTEST = 0.5, 1.5
"""Between these multiples of its own speed a clip may be played."""

RESPONSE = 3.0
"""Natural frequency of the springs of speed and yaw, in radians per pendulum time sqrt(h / g)."""

MAX_ACCELERATION_G = 0.8
"""The greatest acceleration, in g."""

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

    def sample(self, frame: Floats) -> tuple[Floats, Floats]:
        """Local positions `(N, J, 3)` and rotations `(N, J, 4)` at fractional frames `(N,)`."""
        frame = frame % self.period
        i = frame.astype(np.int64)
        t = (frame - i)[:, None]
        positions = (1 - t[..., None]) * self.positions[i] + t[..., None] * self.positions[i + 1]
        return positions, rot.slerp(self.rotations[i], self.rotations[i + 1], t)


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


class BatchClip:
    """N animals that play the loop `clip` (the first that travels, if none is named) along their headings.

    `turn_rate` bounds the turn in radians a second; the trunk follows the height of the `world`'s terrain.
    """

    def __init__(
        self,
        character: Character,
        count: int = 1,
        *,
        clip: str | None = None,
        world: World | None = None,
        frame_rate: float = 60.0,
        turn_rate: float = math.radians(120),
    ) -> None:
        if not (math.isfinite(frame_rate) and frame_rate > 0 and math.isfinite(turn_rate) and turn_rate > 0):
            raise ValueError(f"frame_rate and turn_rate must be above zero, not {frame_rate} and {turn_rate}")
        self._character, self._count = character, count
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
        self._limits = _limits(speed, turn_rate, character.anatomy.hip_height)
        self._history = History(count, self._frame_rate)
        self._frame, self._root = np.zeros(count), Root(count)
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
        """At the origin, facing +Z, at the loop's first frame. There is no chance in it: seeds do not differ."""
        mask = np.ones(self._count, bool) if who is None else who
        fresh, root = Root(self._count), self._root
        fresh.yaw -= self._loop.facing
        for name in ("place", "yaw", "velocity", "acceleration", "yaw_rate"):
            setattr(root, name, np.where(mask, getattr(fresh, name), getattr(root, name)))
        self._frame = np.where(mask, 0.0, self._frame)
        self._history.reset(who, self._on_ground(), root.yaw + self._loop.facing)
        command = BatchCommand.make(np.zeros(self._count), root.yaw)
        return self._state(command, {})

    def step(self, command: BatchCommand) -> BatchState:
        speed, clamped = self._played_speed(command.speed)
        command = replace(command, speed=speed, facing=np.full(self._count, np.nan))
        wish = Wish(speed, command.heading, command.facing)
        self._root = advance(self._root, wish, self._limits, 1 / self._frame_rate)
        rate = self._playback()
        self._frame = (self._frame + rate * self._loop.frame_rate / self._frame_rate) % self._loop.period
        self._history.record(self._on_ground(), self._root.yaw + self._loop.facing)
        return self._state(command, {"clamped": clamped} if clamped.any() else {})

    def _played_speed(self, speed: Floats) -> tuple[Floats, Bools]:
        """The speeds `(N,)` that the loop can be played at, and whose had to be changed. A loop that stands just
        plays."""
        own = self._loop.speed
        played = np.where(speed > 0, np.clip(speed, SLOWEST * own, FASTEST * own), 0.0)
        return played, played != speed

    def _playback(self) -> Floats:
        """Clip seconds a second `(N,)`."""
        own = self._loop.speed
        return np.abs(self._root.velocity) / own if own > 0 else np.ones(self._count)

    def _on_ground(self) -> Floats:
        """Where the animals are `(N, 3)`."""
        place = on_plane(self._root.place)
        place[:, 1] = self._world.height(place[:, [0, 2]])
        return place

    def _state(self, command: BatchCommand, events: dict[str, Bools]) -> BatchState:
        footfalls, ground, root = self._clip.footfalls, self._on_ground(), self._root
        nearest = np.rint(self._frame).astype(int) % min(self._loop.period, len(footfalls.contacts))
        facing, wish = self._loop.facing, Wish(command.speed, command.heading, command.facing)

        def predicted(times: Floats) -> Prediction:
            places, yaws, velocities = predict(root, wish, self._limits, times)
            return places, yaws + facing, velocities

        positions, rotations = self._loop.sample(self._frame)
        turn, roots = rot.yaw(root.yaw)[:, None], self._loop.roots
        positions[:, roots] = ground[:, None] + rot.rotate(turn, positions[:, roots])
        rotations[:, roots] = rot.multiply(turn, rotations[:, roots])
        velocity_world = on_plane(root.velocity * np.exp(1j * root.yaw))
        return BatchState(
            positions,
            rotations,
            footfalls.contacts[nearest],
            np.zeros(self._count, np.int64),
            (footfalls.gait,),
            velocity_world,
            wrap_angles(root.yaw + facing),
            ground,
            self._history.samples(velocity_world, predicted, self._world.height),
            events,
            {"cycle_phase": self._frame / self._loop.period, "playback": self._playback()},
        )


def _limits(speed: float, turn_rate: float, hip_height: float) -> SteeringLimits:
    """A loop answers within about a pendulum time of its animal, and turns at any speed."""
    frequency = RESPONSE * math.sqrt(GRAVITY / hip_height)
    return SteeringLimits(
        max_speed=FASTEST * speed,
        back_speed=FASTEST * speed,
        side_speed=FASTEST * speed,
        max_acceleration=MAX_ACCELERATION_G * GRAVITY,
        max_lateral_acceleration=math.inf,
        max_yaw_rate=turn_rate,
        yaw_frequency=frequency,
        speeds=np.zeros(1),
        frequencies=np.full(1, frequency),
    )


def _first_loop(character: Character) -> Clip:
    loops = [clip for clip in character.clips if clip.footfalls.loop]
    travelling = [clip for clip in loops if clip.footfalls.speed > STILL * character.anatomy.hip_height]
    if not loops:
        raise ValueError(f"{character.name!r} has no looping clip to play; {_loops(character)}")
    return (travelling or loops)[0]


def _loops(character: Character) -> str:
    loops = [clip.name for clip in character.clips if clip.footfalls.loop]
    return f"loops: {', '.join(loops) or 'none'}; `canter clean IN OUT --cut-loops` cuts and closes one"

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
from canter.control.batch import BatchCommand, BatchState
from canter.control.contract import Capabilities
from canter.control.trajectory import History, Prediction, arc, direction, on_plane, wrap, wrap_angles
from canter.control.world import World
from canter.motion import Motion
from canter.motion import rotations as rot
from canter.motion.arrays import Bools, Floats, Ints

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
        self._history = History(count, self._frame_rate)
        self._frame, self._yaw, self._place = np.zeros(count), np.zeros(count), np.zeros(count, complex)
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
        self._frame, self._place = np.where(mask, 0.0, self._frame), np.where(mask, 0, self._place)
        self._yaw = np.where(mask, -self._loop.facing, self._yaw)
        self._history.reset(who, self._on_ground(), self._yaw + self._loop.facing)
        return self._state(np.zeros(self._count), self._yaw, {})

    def step(self, command: BatchCommand) -> BatchState:
        speed = np.clip(command.speed, *self._capabilities.speed_range)
        rate, clamped = self._rate(speed)
        clamped = clamped | (speed != command.speed)
        goes = (rate > 0) & (self._loop.speed > 0)
        most = self._capabilities.turn_rate / self._frame_rate
        turn = np.clip(wrap_angles(command.heading - self._yaw), -most, most)
        yaw = np.where(goes, self._yaw + turn, self._yaw)
        travel = np.where(goes, rate * self._loop.speed / self._frame_rate, 0.0)
        self._place = self._place + travel * np.exp(1j * (self._yaw + yaw) / 2)
        self._yaw = yaw
        self._frame = (self._frame + rate * self._loop.frame_rate / self._frame_rate) % self._loop.period
        self._history.record(self._on_ground(), self._yaw + self._loop.facing)
        return self._state(rate, command.heading, {"clamped": clamped} if clamped.any() else {})

    def _rate(self, speed: Floats) -> tuple[Floats, Bools]:
        """Clip seconds a second `(N,)` for speeds, and whose had to be bent. A loop that stands just plays."""
        if self._loop.speed == 0:
            return np.ones(self._count), np.zeros(self._count, bool)
        wanted = speed / self._loop.speed
        rate = np.where(speed > 0, np.clip(wanted, SLOWEST, FASTEST), 0.0)
        return rate, rate > wanted

    def _on_ground(self) -> Floats:
        """Where the animals are `(N, 3)`."""
        place = on_plane(self._place)
        place[:, 1] = self._world.height(place[:, [0, 2]])
        return place

    def _state(self, rate: Floats, heading: Floats, events: dict[str, Bools]) -> BatchState:
        footfalls, ground = self._clip.footfalls, self._on_ground()
        nearest = np.rint(self._frame).astype(int) % min(self._loop.period, len(footfalls.contacts))
        place, yaw, speed, facing = self._place, self._yaw, rate * self._loop.speed, self._loop.facing
        turn_rate = self._capabilities.turn_rate

        def predict(times: Floats) -> Prediction:
            places, yaws, velocities = arc(place, yaw, speed, heading, turn_rate, times)
            return places, np.where(speed[:, None] > 0, yaws, yaw[:, None]) + facing, velocities

        positions, rotations = self._loop.sample(self._frame)
        turn, roots = rot.yaw(self._yaw)[:, None], self._loop.roots
        positions[:, roots] = ground[:, None] + rot.rotate(turn, positions[:, roots])
        rotations[:, roots] = rot.multiply(turn, rotations[:, roots])
        velocity_world = speed[:, None] * direction(self._yaw)
        return BatchState(
            positions,
            rotations,
            footfalls.contacts[nearest],
            np.zeros(self._count, np.int64),
            (footfalls.gait,),
            velocity_world,
            wrap_angles(self._yaw + facing),
            ground,
            self._history.samples(velocity_world, predict, self._world.height),
            events,
            {"cycle_phase": self._frame / self._loop.period, "playback": rate},
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

"""What a transition joins (Sung, section III.4): a motion as a strip of frames, of a cycle or of a clip that is none.

A cycle goes on at its first frame after its last, and travels steadily. A clip, as of an action, has two ends and
travels now slower, now faster: a transition into it must begin so many frames before its end as it lasts.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from canter.anatomy import Character
from canter.anatomy.ground import ground_track
from canter.cycles.engine.library import Library
from canter.motion import Motion
from canter.motion.arrays import Complexes, Floats, Ints
from canter.motion.edits import resample
from canter.motion.kinematics import forward

FRAME_RATE = 60.0
"""Frames a second of the paper's clips, in which its frames are counted."""


@dataclass(frozen=True, eq=False)
class Strip:
    """A motion seen from the ground track of the animal, in metres; it lasts `frames` frames.

    `places (T, J, 3)` are the joints at whole frames: `frames` of a cycle, one more of a clip, whose last frame is not
    its first. `feet (L, S, 3)` are the feet at evenly spaced moments from the first frame to the last. `travel (T,)` is
    how far the track goes until each frame from the one before; the ground is complex: ahead + 1j * left.
    """

    name: str
    frames: int
    cyclic: bool
    places: Floats
    feet: Floats
    travel: Complexes

    @cached_property
    def speed(self) -> float:
        """Metres that it travels in a frame, on average."""
        return float(np.abs(self.travel).mean())

    @cached_property
    def floor(self) -> Floats:
        """The least height of each foot `(L,)`."""
        result: Floats = self.feet[..., 1].min(axis=1)
        return result

    def starts(self, room: int) -> int:
        """How many frames, from the first on, have the next `room` frames to come: all of a cycle."""
        if self.cyclic:
            return self.frames
        if self.frames < room:
            raise ValueError(
                f"{self.name!r} lasts {self.frames} frames, too few for a transition of {room}; give it a smaller k"
            )
        return self.frames - room + 1

    def nearest(self, frames: Ints) -> Ints:
        """Combinations `(..., L)` with every frame counted to within half a cycle of the first leg's; those of a clip
        have one number only."""
        if not self.cyclic:
            return frames
        off = (frames - frames[..., :1]) / self.frames
        result: Ints = frames - self.frames * np.rint(off).astype(np.int64)
        return result

    def feet_at(self, legs: Ints, frames: Floats) -> tuple[Complexes, Floats]:
        """Where feet of legs `(K,)` are at frames `(K, T)`, and how high; a clip goes on beyond its ends as it did."""
        ground, way, height, rise = self._feet
        count = self.feet.shape[1] - 1
        phase = frames / self.frames
        at: Floats = count * (phase - np.floor(phase) if self.cyclic else phase)  # quicker than the remainder
        first = np.clip(at.astype(np.intp), 0, count - 1)
        share = at - first
        first += count * legs[:, None]
        return ground.take(first) + share * way.take(first), height.take(first) + share * rise.take(first)

    @cached_property
    def _feet(self) -> tuple[Complexes, Complexes, Floats, Floats]:
        """Feet over the ground and their heights at each moment but the last, each with the way to the next, flat."""
        ground = self.feet[..., 2] + 1j * self.feet[..., 0]
        height = self.feet[..., 1]
        return ground[:, :-1].ravel(), np.diff(ground).ravel(), height[:, :-1].ravel(), np.diff(height).ravel()

    def travel_at(self, frames: Ints) -> Complexes:
        """How far the track goes until whole frames `(...)` from the ones before."""
        result: Complexes = self.travel.take(frames, mode="wrap")
        return result


def cycle_strip(library: Library, which: int, frames: int) -> Strip:
    """A cycle of a library, by index, that lasts so many frames."""
    cycle = library.cycles[which]
    feet = library.feet[which].transpose(1, 0, 2)
    phases = np.tile(np.arange(frames)[:, None] / frames, (1, len(feet) + 1))
    positions, rotations, _ = library.sample(np.full(frames, which), phases)
    unit = rotations / np.linalg.norm(rotations, axis=-1, keepdims=True)
    step = complex(cycle.velocity[1], cycle.velocity[0]) * cycle.seconds / frames
    return Strip(
        cycle.name,
        frames,
        cyclic=True,
        places=forward(library.skeleton, positions, unit)[0],
        feet=np.concatenate([feet, feet[:, :1]], axis=1),
        travel=np.full(frames, step),
    )


def clip_strip(character: Character, name: str, motion: Motion) -> Strip:
    """A motion that does not repeat and goes along +Z, at the paper's frame rate. Its track goes from frame to frame as
    the animal does, as the paper's root does; smoothed it would be wrong near the ends."""
    motion = resample(motion, FRAME_RATE)
    track = ground_track(motion, character.anatomy, smooth=False).positions
    places: Floats = motion.position_world.astype(np.float64)
    places[..., [0, 2]] -= track[:, None]
    way: Complexes = np.diff(track[:, 1] + 1j * track[:, 0])
    return Strip(
        name,
        len(motion) - 1,
        cyclic=False,
        places=places,
        feet=places[:, character.anatomy.feet].transpose(1, 0, 2),
        travel=np.concatenate([way[:1], way]),
    )

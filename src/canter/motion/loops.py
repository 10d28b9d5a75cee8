"""Loops that travel: how far a cycle moves on the ground, repeating it with that travel, closing its seam.

A loop here is *closed*: its last frame shows the pose of its first again, one cycle further on the ground.
`with_seam` makes one from a loop whose last frame lies one step before the first. Travel is a turn about +Y and a
horizontal shift, taken from a ground track if one is given and from the root's horizontal displacement otherwise.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from canter.motion import rotations as rot
from canter.motion.arrays import ArrayLike, Floats
from canter.motion.edits import concatenate, sample, transform
from canter.motion.skeleton import Motion

Track = tuple[Floats, Floats]
"""Ground positions `(T, 2)` as x and z, or `(T, 3)` of which height does not count, and yaws `(T,)` in radians."""


class Travel(NamedTuple):
    """A move on the ground: turn by `yaw` about the vertical through the origin, then shift by `shift (3,)`."""

    yaw: float
    shift: Floats

    @property
    def rotation(self) -> Floats:
        return rot.yaw(self.yaw)

    def then(self, other: Travel) -> Travel:
        """This move, and `other` after it."""
        return Travel(self.yaw + other.yaw, rot.rotate(other.rotation, self.shift) + other.shift)

    def inverse(self) -> Travel:
        back = rot.yaw(-self.yaw)
        return Travel(-self.yaw, -rot.rotate(back, self.shift))

    def apply(self, motion: Motion) -> Motion:
        """The whole motion, moved."""
        return transform(motion, self.rotation, self.shift)


NO_TRAVEL = Travel(0.0, np.zeros(3))
"""That of a loop which stays in place."""


def cycle_travel(motion: Motion, track: Track | None = None) -> Travel:
    """The ground move that takes the first frame to the last: by `track`, or straight along with joint 0."""
    position, yaw = _track(motion, track)
    return move_between(position[0], yaw[0], position[-1], yaw[-1])


def _track(motion: Motion, track: Track | None) -> Track:
    """The track that is given or joint 0's, with heights."""
    if track is None:
        return motion.position_world[:, 0], np.zeros(len(motion))
    position, yaw = np.asarray(track[0]), np.asarray(track[1])
    if len(position) != len(motion) or len(yaw) != len(motion):
        raise ValueError(f"the track has {len(position)} places and {len(yaw)} yaws, the motion {len(motion)}")
    return (np.insert(position, 1, 0, axis=1) if position.shape[1] == 2 else position), yaw


def move_between(position: ArrayLike, yaw: float, new_position: ArrayLike, new_yaw: float) -> Travel:
    """The ground move that takes one place and direction to another; heights are left alone."""
    turn = float(new_yaw) - float(yaw)
    level = np.array([1.0, 0.0, 1.0])
    return Travel(turn, np.asarray(new_position) * level - rot.rotate(rot.yaw(turn), np.asarray(position) * level))


def loop(motion: Motion, cycles: int, travel: bool = True, track: Track | None = None) -> Motion:
    """`cycles` repetitions of a closed loop, `(T - 1) * cycles + 1` frames, each starting where the last one ended.

    Without `travel` every repetition stays where it is, which is right for clips that walk in place.
    """
    if cycles < 1:
        raise ValueError(f"a loop needs at least one cycle, not {cycles}")
    if len(motion) < 2:
        raise ValueError("a loop needs at least two frames, the last showing the pose of the first")
    step = cycle_travel(motion, track) if travel else NO_TRAVEL
    place, parts = NO_TRAVEL, [motion[:1]]
    for _ in range(cycles):
        parts.append(place.apply(motion[1:]))
        place = place.then(step)
    return concatenate(parts)


def with_seam(motion: Motion, track: Track | None = None) -> Motion:
    """A closed loop from an open one, whose next frame would be its first again: that frame, moved on, is added.

    The step over the seam is the average of the cycle's other steps, because the clip does not show it.
    """
    if len(motion) < 2:
        raise ValueError("an open loop needs at least two frames")
    position, yaw = _track(motion, track)
    steps = rot.rotate(rot.yaw(-yaw[:-1]), np.diff(position, axis=0))
    arrival = position[-1] + rot.rotate(rot.yaw(yaw[-1]), np.mean(steps, axis=0))
    turned = yaw[-1] + np.mean(np.diff(yaw))
    return concatenate([motion, move_between(position[0], yaw[0], arrival, turned).apply(motion[:1])])


def close_loop(motion: Motion, travel: bool = True, track: Track | None = None) -> Motion:
    """The loop with its seam closed: the gap between last and first pose, less the travel, is spread over the cycle.

    Every frame takes a share from -1/2 at the first to +1/2 at the last, so no pose moves by more than half the gap.
    """
    if len(motion) < 2:
        return motion
    step = cycle_travel(motion, track) if travel else NO_TRAVEL
    kind = motion.positions.dtype
    back = step.inverse().apply(motion[-1:])
    gap = motion.positions[0] - back.positions[0]
    turn = rot.log(rot.multiply(rot.conjugate(back.rotations[0]), motion.rotations[0]))
    along = np.linspace(0, 1, len(motion)).astype(kind)
    share = (along - kind.type(0.5))[:, None, None]
    shifts = share * gap
    roots = np.flatnonzero(motion.skeleton.parents < 0)
    heading = rot.yaw(along * kind.type(step.yaw))[:, None]
    shifts[:, roots] = rot.rotate(heading, shifts[:, roots])
    return replace(
        motion,
        positions=motion.positions + shifts,
        rotations=rot.multiply(motion.rotations, rot.exp(share * turn)),
    )


def resample_open_loop(motion: Motion, frame_rate: float, period: int) -> Motion:
    """A loop in place that repeats after `period` frames, but has no closing frame, at another frame rate.

    It still has none: the step over its seam becomes one of the new frames.
    """
    if period < len(motion):
        raise ValueError(f"a loop of {len(motion)} frames without a closing one cannot repeat after {period}")
    steps = max(round(period / motion.frame_rate * frame_rate), 1)
    at = np.interp(np.arange(steps) * period / steps, [*range(len(motion)), period], np.arange(len(motion) + 1))
    return replace(sample(concatenate([motion, motion[:1]]), at), frame_rate=frame_rate)

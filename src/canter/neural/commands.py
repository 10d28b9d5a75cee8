"""What an animal was told in every frame of a take: the commands, or those that its motion answers.

Nobody told a captured animal anything. A steering that is told where the animal will be a moment later, and how fast,
moves as it does: so that is what it is taken to have been told.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from canter.anatomy import Anatomy, ground_track
from canter.control.takes import Take
from canter.motion.arrays import Bools, Floats, Ints

LEAD_SECONDS = 0.3
"""How much later an animal of one metre at the hips does what it is told: the delay of the springs of its steering."""
SMOOTH_SECONDS = 0.35
"""Deviation of the Gaussian that takes the sway of strides out of a ground track, for such an animal."""


class Told(NamedTuple):
    """Speeds in m/s, headings and facings in the world `(T,)`; facings are NaN where they are along the heading."""

    speed: Floats
    heading: Floats
    facing: Floats


def told_in(take: Take, anatomy: Anatomy, goes: Bools, rest_speed: float) -> Told:
    """What was told in every frame of a take. `goes (T,)` are the frames in which it was not told to rest; an animal
    faster than `rest_speed` has set off."""
    commands = Told(*(take.commands[name].astype(np.float64) for name in Told._fields))
    known = len(goes) and np.isfinite(commands.speed).all() and np.isfinite(commands.heading).all()
    told = commands if known else answered(take, anatomy, goes, rest_speed)
    return Told(np.where(goes, told.speed, 0.0), told.heading, np.where(goes, told.facing, np.nan))


def answered(take: Take, anatomy: Anatomy, goes: Bools, rest_speed: float) -> Told:
    """The commands that the motion of a take answers: its own velocity and facing shortly after, without their sway.
    An animal that rests is told at once what it does when it has set off."""
    from scipy.ndimage import gaussian_filter1d

    track, rate, size = ground_track(take.motion, anatomy), take.motion.frame_rate, math.sqrt(anatomy.hip_height)
    place, yaw = track.positions[:, 1] + 1j * track.positions[:, 0], track.facings
    if len(place) < 2:
        return Told(np.zeros(len(place)), yaw, yaw)
    width = SMOOTH_SECONDS * size * rate
    velocity, facing = (gaussian_filter1d(x, width, mode="nearest") for x in (np.gradient(place) * rate, yaw))
    when = answering_frames(goes, np.abs(velocity) > rest_speed, round(LEAD_SECONDS * size * rate))
    return Told(np.abs(velocity[when]), np.angle(velocity[when]), facing[when])


def answering_frames(goes: Bools, moves: Bools, lead: int) -> Ints:
    """The frames `(T,)` in which what is told in each is done: `lead` frames later, and after a rest, once the animal
    `moves (T,)`."""
    when = np.arange(len(goes))
    for start in np.flatnonzero(goes & ~np.insert(goes[:-1], 0, True)):
        off = np.flatnonzero(moves[start:] | ~goes[start:])
        if len(off) and goes[start + off[0]]:
            when[start : start + off[0]] = start + off[0]
    return np.minimum(when + lead, len(goes) - 1)

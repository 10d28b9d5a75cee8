"""What an animal was told in every frame of a take: the commands, or those that its motion answers.

Nobody told a captured animal anything. A steering that is told what the animal does a moment later moves as it does: so
that is what it is taken to have been told. Told it earlier, as people would, a network learns to answer that late.
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
SET_OFF_SECONDS = 1.5
"""Within how many seconds such an animal that is told to go has set off at the latest."""
SMOOTH_SECONDS = 0.35
"""Deviation of the Gaussian that takes the sway of strides out of a ground track, for such an animal."""
SLOW_SHARE, TURN_RATE = 0.2, 0.5
"""Such an animal that is faster than this share of the greatest speed of a rest, or turns by so many rad/s, has set
off."""


class Told(NamedTuple):
    """Speeds in m/s, headings and facings in the world `(T,)`; facings are NaN where they are along the heading."""

    speed: Floats
    heading: Floats
    facing: Floats


def told_in(take: Take, anatomy: Anatomy, goes: Bools, rest_speed: float) -> Told:
    """What was told in every frame of a take. `goes (T,)` are the frames in which it was not told to rest, which nobody
    faster than `rest_speed` is."""
    commands = Told(*(take.commands[name].astype(np.float64) for name in Told._fields))
    known = np.isfinite(commands.speed).all() and np.isfinite(commands.heading).all()
    told = commands if known else answered(take, anatomy, goes, rest_speed)
    return Told(np.where(goes, told.speed, 0.0), told.heading, np.where(goes, told.facing, np.nan))


def answered(take: Take, anatomy: Anatomy, goes: Bools, rest_speed: float) -> Told:
    """The commands that the motion of a take answers: its own velocity and facing later, without their sway. Facings
    are always told: captured animals go a little aside, and told to face their way, a network would learn not to."""
    from scipy.ndimage import gaussian_filter1d

    track, rate, size = ground_track(take.motion, anatomy), take.motion.frame_rate, math.sqrt(anatomy.hip_height)
    place, yaw = track.positions[:, 1] + 1j * track.positions[:, 0], track.facings
    width = SMOOTH_SECONDS * size * rate
    velocity, facing = (gaussian_filter1d(x, width, mode="nearest") for x in (np.gradient(place) * rate, yaw))
    moves = (np.abs(velocity) > SLOW_SHARE * rest_speed) | (np.abs(np.gradient(facing)) * rate > TURN_RATE / size)
    lead, wait = (round(seconds * size * rate) for seconds in (LEAD_SECONDS, SET_OFF_SECONDS))
    when = np.minimum(set_off_frames(goes, moves, wait) + lead, len(place) - 1)
    velocity, facing = np.where(goes[when], velocity[when], 0.0), facing[when]
    return Told(np.abs(velocity), np.where(velocity == 0, facing, np.angle(velocity)), facing)


def set_off_frames(goes: Bools, moves: Bools, wait: int) -> Ints:
    """The frame in which an animal that was told to go after a rest `moves (T,)`, at most `wait` frames later; of all
    other frames themselves."""
    when: Ints = np.arange(len(goes))
    for start in np.flatnonzero(goes & ~np.insert(goes[:-1], 0, True)).tolist():
        off = np.flatnonzero(moves[start : start + wait] | ~goes[start : start + wait])
        later = start + (int(off[0]) if len(off) else wait)
        when[start:later] = min(later, len(goes) - 1)
    return when

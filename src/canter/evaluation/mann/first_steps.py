"""The first steps out of a stand and out of every held action: how long animals hang in the air, or on one end.

A network that is rushed into them hops off with legs in pairs, where its teacher puts one foot after another.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from canter.control.batch import NO_ACTION, BatchCommand, BatchController, BatchState
from canter.evaluation.mann.rides import Ride, drive
from canter.motion.arrays import Bools

HOLD_SECONDS, WATCH_SECONDS = 4.0, 2.0
"""How long animals rest before they are told to go, and how long they are watched from then on."""
TURNS = (-1.0, 0.0, 1.0)
"""Radians off their facing that they are told to go to."""
MOMENTS = (0.0, 0.5)
"""Seconds by which some rest for longer."""
STAND = "stand"


@dataclass(frozen=True)
class Start:
    """A start out of a rest (an action, or STAND) to a speed in m/s, a turn in radians, so many seconds later."""

    rest: str
    speed: float
    turn: float
    moment: float


def starts_of(rests: Sequence[str], speeds: Sequence[float]) -> list[Start]:
    """Starts out of every rest, to every speed and side."""
    return [Start(*one) for one in itertools.product((STAND, *rests), speeds, TURNS, MOMENTS)]


def ride_starts(batch: BatchController, starts: Sequence[Start]) -> list[Ride]:
    """Rides of starts, one an animal, from the frame on in which each is told to go."""
    rate, can = batch.frame_rate, batch.capabilities.actions
    number = np.array([NO_ACTION if start.rest == STAND else can.index(start.rest) for start in starts])
    speed, turn = (np.array([getattr(start, name) for start in starts]) for name in ("speed", "turn"))
    goes_at = np.array([round((HOLD_SECONDS + start.moment) * rate) for start in starts])
    watched = round(WATCH_SECONDS * rate)

    def told(frame: int, _: BatchState) -> BatchCommand:
        goes = frame >= goes_at
        return BatchCommand.make(
            np.where(goes, speed, 0.0), np.where(goes, turn, 0.0), action=np.where(goes, NO_ACTION, number)
        )

    rides = drive(batch, told, int(goes_at.max()) + watched)
    return [ride[int(first) : int(first) + watched] for ride, first in zip(rides, goes_at, strict=True)]


def first_steps(starts: Sequence[Start], rides: Sequence[Ride], hind: Bools) -> Mapping[str, tuple[float, float]]:
    """By rest, the shares of frames in which no foot stands, and in which only forelegs or only hind legs do; NaN where
    all animals were lost."""
    found = {}
    for rest in dict.fromkeys(start.rest for start in starts):
        stands = [r.contacts for start, r in zip(starts, rides, strict=True) if start.rest == rest and r.finite]
        found[rest] = np.nan, np.nan
        if stands:
            back, front = (~np.stack(stands)[..., legs].any(axis=-1) for legs in (hind, ~hind))
            found[rest] = float((back & front).mean()), float((back ^ front).mean())
    return found

"""Fixed command tracks: steady speeds and turns, which every controller is driven along.

A track goes at another speed first, so that a gait is entered and not started in, then settles, and is watched. Speeds
are shares of the range that a gait has in the data, so that the same table serves every animal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from canter.control.batch import BatchCommand, BatchController, BatchState
from canter.evaluation.mann.rides import Ride, drive

KINDS = ("walk", "trot", "canter", "turn")
LEAD_SECONDS, SETTLE_SECONDS, WATCH_SECONDS = 1.5, 3.5, 8.0
"""Seconds at the speed before, in which the track's own settles, and in which it is watched."""
LEAD_SHARES = (0.6, 1.4)
"""The speed before is drawn from these shares of the track's own."""


@dataclass(frozen=True)
class TrackRow:
    """A row of the table: what it counts as, in which gait, at which share of that gait's range of speeds, with which
    yaw rate in rad/s; the seed draws the speed before."""

    kind: str
    gait: str
    share: float
    yaw_rate: float
    seed: int


TRACKS = (
    *(TrackRow("walk", "walk", share, 0.0, seed) for seed, share in enumerate((0.3, 0.4, 0.5, 0.6, 0.7, 0.8))),
    *(TrackRow("trot", "trot", share, 0.0, seed) for seed, share in enumerate((0.3, 0.4, 0.5, 0.6, 0.7, 0.8))),
    *(TrackRow("canter", "canter", share, 0.0, seed) for seed, share in enumerate((0.3, 0.4, 0.5, 0.6, 0.7, 0.8))),
    TrackRow("turn", "walk", 0.4, 0.4, 0),
    TrackRow("turn", "walk", 0.4, -0.4, 1),
    TrackRow("turn", "walk", 0.7, 0.8, 2),
    TrackRow("turn", "walk", 0.7, -0.8, 3),
    TrackRow("turn", "trot", 0.4, 0.4, 4),
    TrackRow("turn", "trot", 0.4, -0.4, 5),
    TrackRow("turn", "trot", 0.6, 0.7, 6),
    TrackRow("turn", "trot", 0.6, -0.7, 7),
)


@dataclass(frozen=True)
class Track:
    """A steady speed in m/s and yaw rate in rad/s, after `lead` m/s."""

    kind: str
    gait: str
    speed: float
    yaw_rate: float = 0.0
    lead: float = 0.0


def tracks_of(ranges: Mapping[str, tuple[float, float]], rows: Sequence[TrackRow] = TRACKS) -> tuple[Track, ...]:
    """The tracks of an animal whose gaits have these ranges of speeds in m/s; gaits that it lacks are left out."""
    return tuple(
        steady(row.kind, row.gait, low + row.share * (high - low), row.yaw_rate, row.seed)
        for row in rows
        if row.gait in ranges
        for low, high in [ranges[row.gait]]
    )


def steady(kind: str, gait: str, speed: float, yaw_rate: float, seed: int) -> Track:
    """A track of that speed; the seed draws the speed before."""
    share = float(np.random.default_rng(seed).uniform(*LEAD_SHARES))
    return Track(kind, gait, speed, yaw_rate, share * speed)


def ride_tracks(batch: BatchController, tracks: Sequence[Track], seconds: float = WATCH_SECONDS) -> list[Ride]:
    """The rides of as many animals as there are tracks, without what comes before they are settled."""
    rate = batch.frame_rate
    speed, lead, yaw_rate = (np.array([getattr(t, name) for t in tracks]) for name in ("speed", "lead", "yaw_rate"))
    first = round((LEAD_SECONDS + SETTLE_SECONDS) * rate)

    def told(frame: int, _: BatchState) -> BatchCommand:
        time = frame / rate
        return BatchCommand.make(speed if time >= LEAD_SECONDS else lead, yaw_rate * max(time - LEAD_SECONDS, 0.0))

    return drive(batch, told, first + round(seconds * rate), first)

"""Which gaits come by speed alone: strides named by the detector, at steady speeds and while commands change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from canter.anatomy import Anatomy, Character
from canter.control.batch import BatchCommand, BatchController, BatchState
from canter.control.registry import make_batch
from canter.evaluation.mann.measures import strides_in
from canter.evaluation.mann.rides import Ride, drive
from canter.evaluation.mann.statistics import NOTHING, Estimate, ratio
from canter.evaluation.mann.tracks import Track
from canter.motion.arrays import Floats

SPEEDS = (0.8, 1.9, 3.0, 4.5)
"""Metres a second at which a dog of REFERENCE_HIP_HEIGHT is watched; other animals at the same Froude numbers."""
REFERENCE_HIP_HEIGHT = 0.5
CHANGING_SECONDS = 40.0
SPAN_SECONDS = (2.0, 4.0)
"""Seconds between two changes of the commanded speed."""
ANIMALS = 8
"""Animals whose speeds change for the tables of all columns."""
MANY_ANIMALS = 64
"""Those of the rows of shipped networks: some two hundred strides of a dog's rarest gait, within a few per cent."""
MIN_STRIDES = 30
"""A gait with fewer strides is not judged in those rows: its interval says nothing."""
BORDER = 0.1
"""Strides within this share of a border between two gaits are not judged while commands change."""
STEADY = 0.15
"""Nor are those within which the commanded speed changes."""

Ranges = Mapping[str, tuple[float, float]]


def gait_at(ranges: Ranges, speed: float, border: float = 0.0) -> str:
    """The gait that the data has at a speed in m/s; "" outside of all, or so near to a border."""
    for name, (low, high) in ranges.items():
        if low * (1 + border) <= speed < high * (1 - border):
            return name
    return ""


def own_gaits(character: Character) -> dict[str, tuple[float, float]]:
    """The speeds in m/s of each gait that `gaits` takes by itself."""
    can = make_batch("gaits", character, 1).capabilities
    asked_for = {style.name for style in can.styles}
    return {name: span for name, span in can.gaits.items() if name not in asked_for}


def watched_speeds(ranges: Ranges, hip_height: float) -> list[float]:
    """The speeds in m/s at which gaits are watched, as far as the animal goes."""
    scale = float(np.sqrt(hip_height / REFERENCE_HIP_HEIGHT))
    return [speed * scale for speed in SPEEDS if gait_at(ranges, speed * scale)]


def gait_tracks(ranges: Ranges, hip_height: float) -> list[Track]:
    """A straight track at each of the watched speeds."""
    return [Track("gait", gait_at(ranges, speed), speed, 0.0, speed) for speed in watched_speeds(ranges, hip_height)]


def steady_figures(tracks: Sequence[Track], rides: Sequence[Ride], anatomy: Anatomy) -> dict[str, Any]:
    """By the gait that the data has: the speed in m/s, how many strides there were, and the share of each gait."""
    found = {}
    for track, ride in zip(tracks, rides, strict=True):
        strides = strides_in(ride.motion, anatomy) if ride.finite else []
        names = [stride.gait for stride in strides]
        shares = {name: names.count(name) / len(names) for name in dict.fromkeys(names)}
        found[track.gait] = {"speed": track.speed, "strides": len(names), "shares": shares}
    return found


@dataclass(frozen=True)
class Changes:
    """Commanded speeds of one animal: from which second on which speed in m/s, drawn by a seed."""

    seed: int
    top: float

    def speeds(self, frames: int, rate: float) -> Floats:
        """The speed of every frame `(T,)`."""
        random = np.random.default_rng(self.seed)
        result = np.zeros(frames)
        frame = 0
        while frame < frames:
            length = round(random.uniform(*SPAN_SECONDS) * rate)
            result[frame : frame + length] = random.uniform(0.1, 1.0) * self.top
            frame += length
        return result


def speed_changes(ranges: Ranges, animals: int = ANIMALS) -> list[Changes]:
    """Commands of several animals up to the fastest gait but the last tenth of its range."""
    top = max(high for _, high in ranges.values())
    return [Changes(seed, 0.9 * top) for seed in range(animals)]


def ride_changes(batch: BatchController, rows: Sequence[Changes], seconds: float = CHANGING_SECONDS) -> list[Ride]:
    """Rides under changing speeds, straight on."""
    frames = round(seconds * batch.frame_rate)
    speeds = np.stack([row.speeds(frames, batch.frame_rate) for row in rows])

    def told(frame: int, _: BatchState) -> BatchCommand:
        return BatchCommand.make(speeds[:, frame])

    return drive(batch, told, frames)


def judged_strides(rides: Sequence[Ride], anatomy: Anatomy, ranges: Ranges) -> dict[str, list[list[bool]]]:
    """By the gait that the data has at a stride's own speed: of every ride, whether the detector names its strides so.
    Strides near borders, and those in which the command changes, are not judged."""
    found: dict[str, list[list[bool]]] = {name: [[] for _ in rides] for name in ranges}
    for k, ride in enumerate(rides):
        rate = ride.motion.frame_rate
        for seen in strides_in(ride.motion, anatomy) if ride.finite else ():
            first, last = (round(x * rate) for x in (seen.stride.start, seen.stride.start + seen.stride.seconds))
            wanted = gait_at(ranges, seen.speed, BORDER)
            told = ride.speed[first : last + 1]
            if wanted and len(told) and np.ptp(told) <= STEADY * told.max():
                found[wanted][k].append(seen.gait == wanted)
    return {name: strides for name, strides in found.items() if any(strides)}


def share_of(strides: Sequence[Sequence[bool]]) -> Estimate:
    """The share of strides `(N, ...)` of N rides that are named right, with the interval of drawing rides anew."""
    return ratio([[sum(one) for one in strides]], [[len(one) for one in strides]]) if any(strides) else NOTHING


def changing_figures(rides: Sequence[Ride], anatomy: Anatomy, ranges: Ranges) -> dict[str, Any]:
    """By gait: how many strides were judged while commands change, and the share of them that are named right."""
    found = judged_strides(rides, anatomy, ranges)
    return {name: {"strides": sum(map(len, one)), "share": share_of(one).value} for name, one in found.items()}

"""Captured takes of one animal from several folders and formats: each take once, joined on one skeleton.

What they show becomes ground truth: stretches of a gait, straight or turning, and tracks of the same speeds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from canter.anatomy import Anatomy, Character, ground_track
from canter.anatomy.canonical import understand
from canter.anatomy.folder import FOLDER_SUFFIXES
from canter.anatomy.join import join
from canter.control.takes import Take, Takes
from canter.evaluation.mann.tracks import Track, steady
from canter.formats import read
from canter.motion import Asset, Motion
from canter.motion.arrays import Bools, Floats

GAITS = {
    "walk": "walk",
    "amble": "walk",
    "pace": "walk",
    "trot": "trot",
    "canter": "canter",
    "gallop": "canter",
}
"""What each gait of a capture counts as."""
TURN_RATE = 0.35
"""Mean yaw rate in rad/s from which a stretch is a turn."""
MIN_SECONDS, MAX_SECONDS = 0.8, 4.0
"""Stretches last at least the first, and longer ones are cut into pieces of at most the second."""
MAX_TRACKS = 8
"""Tracks of a kind: the longest stretches."""


def take_files(folder: Path) -> list[Path]:
    """The motion files in a folder and below it, one for each name: takes that are there in two formats count once, so
    that none is both learned from and held back."""
    found = sorted(path for path in folder.rglob("*") if path.suffix.lower() in FOLDER_SUFFIXES)
    return list({path.stem: path for path in reversed(found)}.values())[::-1]


def joined_character(paths: Sequence[Path]) -> Character:
    """One character with all takes, whose skeletons may differ in the names of their end sites and in their unit."""
    if not paths:
        raise ValueError("there is no take to read")
    return understand(join([with_plain_ends(read(path)) for path in paths]))


def with_plain_ends(asset: Asset) -> Asset:
    """The same with end sites called `PARENT_end`: joints without children whose names go on from their parents'."""
    skeleton = asset.skeleton
    parents = skeleton.parents.tolist()
    names = list(skeleton.names)
    for joint, parent in enumerate(parents):
        if parent >= 0 and joint not in parents and names[joint].startswith(skeleton.names[parent]):
            names[joint] = f"{skeleton.names[parent]}_end"
    renamed = replace(skeleton, names=tuple(names))
    return replace(asset, skeleton=renamed, clips=tuple(replace(clip, skeleton=renamed) for clip in asset.clips))


@dataclass(frozen=True, eq=False)
class Stretch:
    """A stretch of one gait: its kind, gait, motion and contacts, and its mean speed in m/s and yaw rate in rad/s."""

    kind: str
    gait: str
    motion: Motion
    contacts: Bools
    speed: float
    yaw_rate: float


def stretches_of(takes: Takes, chosen: Bools | None = None) -> list[Stretch]:
    """The stretches of all takes, or of the `chosen (N,)` ones."""
    kept = np.ones(len(takes.takes), bool) if chosen is None else chosen
    anatomy = takes.character.anatomy
    return [s for take, own in zip(takes.takes, kept, strict=True) if own for s in _stretches(take, takes, anatomy)]


def _stretches(take: Take, takes: Takes, anatomy: Anatomy) -> Iterator[Stretch]:
    rate = take.motion.frame_rate
    track = ground_track(take.motion, anatomy)
    edges = np.flatnonzero(np.diff(take.gait)) + 1
    for span in np.split(np.arange(len(take.motion)), edges):
        gait = takes.gaits[take.gait[span[0]]] if takes.gaits else ""
        if gait not in GAITS:
            continue
        pieces = max(round(len(span) / rate / MAX_SECONDS), 1)
        for piece in np.array_split(span, pieces):
            if len(piece) >= MIN_SECONDS * rate:
                yield _stretch(take, gait, piece[0], piece[-1] + 1, track.positions, track.facings)


def _stretch(take: Take, gait: str, first: int, last: int, places: Floats, facings: Floats) -> Stretch:
    seconds = (last - 1 - first) / take.motion.frame_rate
    way = float(np.linalg.norm(np.diff(places[first:last], axis=0), axis=1).sum())
    yaw_rate = float(np.unwrap(facings[first:last])[-1] - facings[first]) / seconds
    kind = "turn" if abs(yaw_rate) > TURN_RATE else GAITS[gait]
    return Stretch(kind, gait, take.motion[first:last], take.contacts[first:last], way / seconds, yaw_rate)


def longest(stretches: Sequence[Stretch]) -> list[Stretch]:
    """The longest stretches of every kind, MAX_TRACKS at most of each."""
    kinds = (*dict.fromkeys(GAITS.values()), "turn")
    ordered = sorted(stretches, key=lambda stretch: -len(stretch.motion))
    return [one for kind in kinds for one in [s for s in ordered if s.kind == kind][:MAX_TRACKS]]


def tracks_like(stretches: Sequence[Stretch]) -> tuple[Track, ...]:
    """A track of the same speed and yaw rate for each stretch; straight ones do not turn at all."""
    return tuple(
        steady(s.kind, s.gait, s.speed, s.yaw_rate if s.kind == "turn" else 0.0, seed)
        for seed, s in enumerate(stretches)
    )

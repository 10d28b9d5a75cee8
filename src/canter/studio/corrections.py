"""Corrections that a person makes to an upload: where the legs are, which way it faces, which part of it is read, and
what its takes show from when to when."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from canter.anatomy import LEGS, Anatomy
from canter.control.command import number, vector
from canter.cycles.build.edit import Edit, read_edit
from canter.formats.labels import Label
from canter.motion import Asset, Skeleton
from canter.motion import rotations as rot
from canter.studio.limits import Refused

MAX_JOINTS = 64
MAX_NAME_LENGTH = 200
MAX_EDITS = 1000
MAX_SECONDS = 1e5
"""The latest end of a part of a clip, and of a label."""
MAX_TAKES, MAX_LABELS = 1000, 1000
"""Takes that have labels, and labels of one take."""
MAX_LABEL_LENGTH = 40
LEGS_AROUND = ("LF", "LH", "RH", "RF")
"""The legs counter-clockwise as seen from above: a quarter turn of the animal to the left gives each the next name."""


@dataclass(frozen=True)
class Corrections:
    """Joints by the name of their leg (one joint, or the chain from top to toe), a turn to the left in degrees, and the
    seconds of each clip from and to which it is read (None: all of it); changes of what was built; and labels by the
    name of their take, in seconds of what is read of it (none: as canter reads it)."""

    legs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    turn_deg: float = 0.0
    part: tuple[float, float] | None = None
    edits: tuple[Edit, ...] = ()
    labels: Mapping[str, tuple[Label, ...]] = field(default_factory=dict)

    def followed_by(self, more: Corrections) -> Corrections:
        """These corrections and then `more`. A turn in `more` changes the names of the legs in these; labels in it are
        all that their takes have, and another part has none."""
        before = dict(zip(_names_before_turn(more.turn_deg).values(), _names_before_turn(more.turn_deg), strict=True))
        legs = {before[name]: joints for name, joints in self.legs.items()}
        part, edits = more.part or self.part, self.edits + more.edits
        labels = {**(self.labels if more.part in (None, self.part) else {}), **more.labels}
        return Corrections({**legs, **more.legs}, self.turn_deg + more.turn_deg, part, edits, labels)

    def to_table(self) -> dict[str, Any]:
        legs = {name: list(joints) for name, joints in self.legs.items()}
        edits = [edit.to_table() for edit in self.edits]
        labels = {name: [[one.start, one.end, one.name] for one in rows] for name, rows in self.labels.items()}
        return {
            "legs": legs,
            "turn_deg": self.turn_deg,
            "part": self.part and list(self.part),
            "edits": edits,
            "labels": labels,
        }

    def shortened(self, asset: Asset) -> Asset:
        """The asset with this part of each clip; one that ends before it is left out, unless all do."""
        if self.part is None:
            return asset
        clips = []
        for clip in asset.clips:
            first, last = (round(seconds * clip.frame_rate) for seconds in self.part)
            if first + 1 < len(clip):
                clips.append(clip[first : last + 1])
        if not clips:
            raise ValueError(f"no clip is longer than {self.part[0]:g} s; begin the part earlier")
        return replace(asset, clips=tuple(clips))

    def overrides(self, anatomy: Anatomy, skeleton: Skeleton) -> dict[str, Any]:
        """The table that `canter.anatomy.overrides` reads, for an animal whose detected anatomy is `anatomy`."""
        table: dict[str, Any] = {}
        found = {leg.name: [skeleton.names[j] for j in leg.joints] for leg in anatomy.legs}
        turned = {name: found[was] for name, was in _names_before_turn(self.turn_deg).items() if was in found}
        if self.legs or turned != found:
            table["legs"] = {**turned, **_chains(self.legs, turned, skeleton)}
        if self.turn_deg:
            turn = rot.exp(math.radians(self.turn_deg) * np.asarray(anatomy.up, np.float64))
            table["forward"] = rot.rotate(turn, np.asarray(anatomy.forward, np.float64)).tolist()
        return table


def read_corrections(content: bytes | str) -> Corrections:
    """Corrections from JSON, checked; raises Refused with the reason."""
    try:
        table = json.loads(content)
    except (ValueError, RecursionError):
        raise Refused('corrections are JSON such as {"legs": {"LF": "hoof"}, "turn_deg": 90}') from None
    if not isinstance(table, dict) or set(table) - {"legs", "turn_deg", "part", "edits", "labels"}:
        raise Refused("corrections have `legs`, `turn_deg`, `part`, `edits` and `labels`, and nothing else")
    legs, edits = table.get("legs") or {}, table.get("edits") or []
    if not isinstance(edits, list) or len(edits) > MAX_EDITS or not all(isinstance(edit, dict) for edit in edits):
        raise Refused(f"`edits` must be a list of at most {MAX_EDITS} changes")
    if not isinstance(legs, dict) or set(legs) - set(LEGS):
        raise Refused(f"`legs` must be an object; the legs are {', '.join(LEGS)}")
    try:
        turn = number(table.get("turn_deg") or 0.0, "turn_deg")
        changes = tuple(read_edit(edit) for edit in edits)
        part = None if table.get("part") is None else vector(table["part"], "part", (2,))
    except ValueError as error:
        raise Refused(str(error)) from None
    if part is not None and not 0 <= part[0] < part[1] <= MAX_SECONDS:
        raise Refused("`part` must be the seconds from and to which each clip is read, such as [0, 30]")
    joints = {name: _joints(name, value) for name, value in legs.items()}
    seconds = None if part is None else (part[0], part[1])
    return Corrections(joints, math.remainder(turn, 360), seconds, changes, _labels(table.get("labels") or {}))


def _labels(table: Any) -> dict[str, tuple[Label, ...]]:
    if not isinstance(table, dict) or len(table) > MAX_TAKES or any(len(name) > MAX_NAME_LENGTH for name in table):
        raise Refused(f"`labels` must be an object of at most {MAX_TAKES} takes by name")
    for name, rows in table.items():
        if not isinstance(rows, list) or len(rows) > MAX_LABELS:
            raise Refused(f"labels of {name[:60]!r}: they must be a list of at most {MAX_LABELS}")
    return {name: tuple(_label(name, row) for row in rows) for name, rows in table.items()}


def _label(take: str, row: Any) -> Label:
    of = f"labels of {take[:60]!r}"
    try:
        start, end, name = row
        start, end = number(start, "a start"), number(end, "an end")
    except (ValueError, TypeError):
        raise Refused(f'{of}: one is a start and an end in seconds and a word: [1.5, 3.25, "sit"]') from None
    if not 0 <= start < end <= MAX_SECONDS:
        raise Refused(f"{of}: from {start:g} to {end:g} s is no time")
    if not isinstance(name, str) or not 0 < len(name.strip()) <= MAX_LABEL_LENGTH or not name.isprintable():
        raise Refused(f"{of}: a label has 1 to {MAX_LABEL_LENGTH} letters")
    return Label(start, end, name.strip())


def _joints(leg: str, value: Any) -> tuple[str, ...]:
    names = [value] if isinstance(value, str) else value
    fits = isinstance(names, list) and 0 < len(names) <= MAX_JOINTS
    if not fits or not all(isinstance(name, str) and 0 < len(name) <= MAX_NAME_LENGTH for name in names):
        raise Refused(f"legs.{leg} must be the name of a joint, or a list of them from top to toe")
    return tuple(names)


def _chains(
    legs: Mapping[str, tuple[str, ...]], found: Mapping[str, list[str]], skeleton: Skeleton
) -> dict[str, list[str]]:
    """The joints of every corrected leg from top to toe. A single joint stands for the chain from the root through it
    to its toe, without the joints that other legs share."""
    for leg, names in legs.items():
        for name in names:
            if name not in skeleton.names:
                raise Refused(f"legs.{leg}: no joint is called {name!r}")
    ends = {leg: _toe(skeleton, skeleton.index(names[-1])) for leg, names in legs.items()}
    others = {leg: skeleton.index(names[-1]) for leg, names in found.items()} | ends
    result = {}
    for leg, names in legs.items():
        if len(names) > 1:
            result[leg] = list(names)
            continue
        shared = {j for name, end in others.items() if name != leg for j in skeleton.chain(end)}
        chain = [j for j in skeleton.chain(ends[leg]) if j not in shared]
        if not chain:
            raise Refused(f"legs.{leg}: {names[0]} is part of another leg too")
        result[leg] = [skeleton.names[j] for j in chain]
    return result


def _names_before_turn(turn_deg: float) -> dict[str, str]:
    """The name that each leg had before a turn to the left, which is rounded to quarter turns."""
    quarters = round(turn_deg / 90) % 4
    return {name: LEGS_AROUND[(k + quarters) % 4] for k, name in enumerate(LEGS_AROUND)}


def _toe(skeleton: Skeleton, joint: int) -> int:
    """The end of the longest branch below a joint."""
    return max(skeleton.subtree(joint), key=lambda end: len(skeleton.chain(end)))

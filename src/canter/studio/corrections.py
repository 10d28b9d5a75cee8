"""What somebody at the page says about an animal that canter got wrong: where its legs are, and which way it faces."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from canter.anatomy import LEGS, Anatomy
from canter.control.command import number
from canter.motion import Skeleton
from canter.motion import rotations as rot
from canter.studio.limits import Refused

MOST_JOINTS = 64
LONGEST_NAME = 200
ROUND = ("LF", "LH", "RH", "RF")
"""The legs as they stand around the animal, to the left from the front: a quarter turn makes each the next."""


@dataclass(frozen=True)
class Corrections:
    """Joints by the name of their leg (one of them, or all from top to toe), and a turn to the left in degrees."""

    legs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    turn_deg: float = 0.0

    def and_then(self, more: Corrections) -> Corrections:
        """These, corrected once more: legs that were named before are called otherwise after a turn."""
        before = dict(zip(_turned(more.turn_deg).values(), _turned(more.turn_deg), strict=True))
        legs = {before[name]: joints for name, joints in self.legs.items()}
        return Corrections({**legs, **more.legs}, self.turn_deg + more.turn_deg)

    def to_table(self) -> dict[str, Any]:
        return {"legs": {name: list(joints) for name, joints in self.legs.items()}, "turn_deg": self.turn_deg}

    def overrides(self, anatomy: Anatomy, skeleton: Skeleton) -> dict[str, Any]:
        """As `canter.anatomy.overrides` reads them, for an animal in which `anatomy` was found."""
        table: dict[str, Any] = {}
        found = {leg.name: [skeleton.names[j] for j in leg.joints] for leg in anatomy.legs}
        turned = {name: found[was] for name, was in _turned(self.turn_deg).items() if was in found}
        if self.legs or turned != found:
            table["legs"] = {**turned, **_chains(self.legs, turned, skeleton)}
        if self.turn_deg:
            turn = rot.exp(math.radians(self.turn_deg) * np.asarray(anatomy.up, np.float64))
            table["forward"] = rot.rotate(turn, np.asarray(anatomy.forward, np.float64)).tolist()
        return table


def read_corrections(content: bytes | str) -> Corrections:
    """Corrections from JSON, checked; Refused in words."""
    try:
        table = json.loads(content)
    except (ValueError, RecursionError):
        raise Refused('corrections are JSON such as {"legs": {"LF": "hoof"}, "turn_deg": 90}') from None
    if not isinstance(table, dict) or set(table) - {"legs", "turn_deg"}:
        raise Refused("corrections have `legs` and `turn_deg`, and nothing else")
    legs = table.get("legs") or {}
    if not isinstance(legs, dict) or set(legs) - set(LEGS):
        raise Refused(f"`legs` must be an object; the legs are {', '.join(LEGS)}")
    try:
        turn = number(table.get("turn_deg") or 0.0, "turn_deg")
    except ValueError as error:
        raise Refused(str(error)) from None
    return Corrections({name: _joints(name, value) for name, value in legs.items()}, math.remainder(turn, 360))


def _joints(leg: str, value: Any) -> tuple[str, ...]:
    names = [value] if isinstance(value, str) else value
    fits = isinstance(names, list) and 0 < len(names) <= MOST_JOINTS
    if not fits or not all(isinstance(name, str) and 0 < len(name) <= LONGEST_NAME for name in names):
        raise Refused(f"legs.{leg} must be the name of a joint, or a list of them from top to toe")
    return tuple(names)


def _chains(
    legs: Mapping[str, tuple[str, ...]], found: Mapping[str, list[str]], skeleton: Skeleton
) -> dict[str, list[str]]:
    """Every leg that is named, from top to toe: one joint stands for the chain through it that no other leg has."""
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


def _turned(turn_deg: float) -> dict[str, str]:
    """What each leg was called before a turn to the left, to the nearest quarter."""
    quarters = round(turn_deg / 90) % 4
    return {name: ROUND[(k + quarters) % 4] for k, name in enumerate(ROUND)}


def _toe(skeleton: Skeleton, joint: int) -> int:
    """The last joint down from this one, along its longest branch."""
    return max(skeleton.subtree(joint), key=lambda end: len(skeleton.chain(end)))

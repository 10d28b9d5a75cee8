"""How soon animals answer: to another speed, another heading, the key of an action, and to go on after it.

Every case is told at several moments, a fraction of a stride apart, all in one batch.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from canter.anatomy import Character
from canter.control.batch import NO_ACTION, BatchCommand, BatchController, BatchState
from canter.evaluation.mann.hour import AIRBORNE_SECONDS, HOLD_RMS, Poses
from canter.evaluation.mann.measures import track_speed
from canter.evaluation.mann.rides import Ride, drive
from canter.motion.arrays import Bools, Floats

MOMENTS = (0.0, 0.15, 0.3, 0.45)
"""Seconds after SETTLE_SECONDS at which a command is told."""
SETTLE_SECONDS, WATCH_SECONDS = 4.0, 4.0
HOLD_SECONDS = 4.0
"""How long an action is told before the animal shall go on."""
DONE_SHARE = 0.7
"""The share of a change of speed or heading after which it counts as answered."""
START_SHARE, BEFORE_SECONDS = 0.75, 1.0
"""An action begins when the distance to its held poses falls for good below this share of its mean in so many seconds
before the key."""
SMOOTH_SECONDS = 0.2
"""Speeds are means over so many seconds, for strides sway."""
TURN = np.pi / 3


@dataclass(frozen=True)
class Case:
    """A change of command: from speed to speed in m/s, a turn in radians, an action by name (which ends with a speed
    to go on at), told so many seconds after the animal has settled."""

    name: str
    before: float
    after: float
    turn: float = 0.0
    action: str = ""
    moment: float = 0.0


def cases_of(paces: Mapping[str, float], actions: Sequence[str]) -> list[Case]:
    """Changes between neighbouring paces (m/s by name, slow to fast) both ways, turns at each, and every action out of
    each."""
    names = list(paces)
    found = []
    for moment in MOMENTS:
        for a, b in [(x, y) for k, x in enumerate(names) for y in names[k + 1 : k + 2]]:
            found.append(Case("speed", paces[a], paces[b], moment=moment))
            found.append(Case("speed", paces[b], paces[a], moment=moment))
        found.append(Case("speed", 0.0, paces[names[0]], moment=moment))
        for pace in names:
            found.append(Case("heading", paces[pace], paces[pace], TURN, moment=moment))
            found.append(Case("heading", paces[pace], paces[pace], -TURN, moment=moment))
        for action in actions:
            found += [Case(action, speed, paces[names[0]], 0.0, action, moment) for speed in (0.0, *paces.values())]
    return found


def answer(batch: BatchController, cases: Sequence[Case]) -> list[Ride]:
    """Rides of all cases from BEFORE_SECONDS before the command on."""
    rate, can = batch.frame_rate, batch.capabilities
    numbers = np.array([can.actions.index(c.action) if c.action in can.actions else NO_ACTION for c in cases])
    before, after, turn = (np.array([getattr(c, name) for c in cases]) for name in ("before", "after", "turn"))
    told_at = np.array([round((SETTLE_SECONDS + c.moment) * rate) for c in cases])
    acts = numbers != NO_ACTION
    frames = round((SETTLE_SECONDS + max(MOMENTS) + WATCH_SECONDS + HOLD_SECONDS * bool(acts.any())) * rate)
    leaves_at = told_at + round(HOLD_SECONDS * rate)

    def told(frame: int, _: BatchState) -> BatchCommand:
        new = frame >= told_at
        acting = acts & new & (frame < leaves_at)
        speed = np.where(new & ~acting, after, before)
        return BatchCommand.make(speed, np.where(new, turn, 0.0), action=np.where(acting, numbers, NO_ACTION))

    rides = drive(batch, told, frames)
    before_frames = round(BEFORE_SECONDS * rate)
    return [ride[int(first) - before_frames :] for ride, first in zip(rides, told_at, strict=True)]


def response_figures(
    cases: Sequence[Case], rides: Sequence[Ride], character: Character, poses: Poses, jumps: Sequence[str]
) -> dict[str, Any]:
    """Seconds by name, one number a case, None where it was not answered in time: `speed` and `heading` until 0.7 of
    the change; of each action `start`, `reached` (its held pose; of a jump: in the air) and `leave`, until 0.7 of the
    speed to go on at after its end."""
    found: dict[str, Any] = {}
    for case, whole in zip(cases, rides, strict=True):
        if not whole.finite:
            continue
        rate = whole.motion.frame_rate
        ride = whole[round(BEFORE_SECONDS * rate) :]
        if case.name == "speed":
            found.setdefault("speed", []).append(_speed_time(case, ride, character))
        elif case.name == "heading":
            turned = np.unwrap(ride.facing) - ride.facing[0]
            found.setdefault("heading", []).append(_first(turned / case.turn > DONE_SHARE, rate))
        else:
            entry = found.setdefault("actions", {}).setdefault(case.action, {"start": [], "reached": [], "leave": []})
            start, reached = _action_times(case, whole, character, poses, case.action in jumps)
            entry["start"].append(start)
            entry["reached"].append(reached)
            entry["leave"].append(_leave_time(case, ride, character))
    return found


def _first(done: Bools, rate: float) -> float | None:
    """Seconds until something is done `(T,)` for the first time."""
    at = np.flatnonzero(done)
    return float(at[0] / rate) if len(at) else None


def _smooth_speed(ride: Ride, character: Character) -> Floats:
    speed = track_speed(ride.motion, character.anatomy)
    width = max(round(SMOOTH_SECONDS * ride.motion.frame_rate), 1)
    return np.convolve(np.pad(speed, width, "edge"), np.ones(width) / width, "same")[width:-width]


def _speed_time(case: Case, ride: Ride, character: Character) -> float | None:
    share = (_smooth_speed(ride, character) - case.before) / (case.after - case.before)
    return _first(share > DONE_SHARE, ride.motion.frame_rate)


def _leave_time(case: Case, ride: Ride, character: Character) -> float | None:
    rate = ride.motion.frame_rate
    after = _smooth_speed(ride, character)[round(HOLD_SECONDS * rate) :]
    standing = np.flatnonzero(after < 0.5 * case.after)  # who jumped is under way and counts from its landing
    first = int(standing[0]) if len(standing) else 0
    found = _first(after[first:] > DONE_SHARE * case.after, rate)
    return None if found is None else found + first / rate


def _action_times(
    case: Case, ride: Ride, character: Character, poses: Poses, flies: bool
) -> tuple[float | None, float | None]:
    rate = ride.motion.frame_rate
    key = round(BEFORE_SECONDS * rate)
    told = ride[key : key + round(HOLD_SECONDS * rate)]
    if flies:
        off = ~told.contacts.any(axis=1)
        width = max(round(AIRBORNE_SECONDS * rate), 1)
        runs = np.convolve(off, np.ones(width), "valid") >= width - 0.5
        return _first(runs, rate), _first(runs, rate)
    if case.action not in poses.held:
        return None, None
    gap = poses.distance(poses.of(ride.motion, character), poses.held[case.action])
    usual, gap = float(gap[:key].mean()), gap[key : key + len(told.motion)]
    far = np.flatnonzero(gap[: int(gap.argmin())] > START_SHARE * usual)
    start = float((far[-1] + 1) / rate if len(far) else 0.0) if gap.min() < START_SHARE * usual else None
    return start, _first(gap < HOLD_RMS * character.anatomy.hip_height, rate)

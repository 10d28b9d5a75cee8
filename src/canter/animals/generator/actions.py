"""From a row of tracks and any standing animal to one action: trunk first, then legs, then neck, head and tail.

Trunk and bends follow their tracks; a foot that stands is reached for, one that is carried goes where its bends put
it, and in between it goes over smoothly. In flight the trunk is moved so that the centre of mass falls freely.
"""

from __future__ import annotations

import numpy as np

from canter.anatomy import Action
from canter.animals.generator.action_rows import ActionRow, Hum, LegMoves, Step, Track
from canter.animals.generator.curves import monotone, resting
from canter.animals.generator.reach import Reach, reach_of, solve
from canter.animals.generator.standing import Standing, respread, spread, turn_about
from canter.animals.generator.trunk import PELVIS_SHARE
from canter.animals.generator.waves import noise, points
from canter.motion import Motion
from canter.motion import rotations as rot
from canter.motion.arrays import Bools, Floats
from canter.motion.constants import GRAVITY
from canter.motion.easing import quintic_step
from canter.motion.kinematics import local

__all__ = ["Action", "Clock", "generate_action", "smooth_track"]

FINE = 240.0
"""Samples a second of a track while its corners are rounded."""
STEP_ROLL = 200.0
"""Degrees that a foot's heel leads its toe in the middle of a step, for each hip height that it is lifted."""
SOLE, TIP, FLAT = 0.145, 0.065, 0.12
"""How far a sole reaches behind and a paw before its toe joint, in hip heights, and how flat it is: a foot that turns
rolls onto its heel or its tip and lifts the joint, first slowly and then with the sine of the turn."""
CLEARANCE = 0.06
"""Hip heights above ground at which a carried foot begins to keep clear of it."""
OTHER_BENDS = {"aim", "scapula", "splay", "foot", "hang"}
"""What a leg can do besides bending its joints (see `LegMoves`)."""
TAIL_LAG = 0.05
"""Seconds by which each joint of the tail is behind the one before."""
SETTLE = 0.2
"""Seconds before and after a flight over which the trunk is led into and out of free fall, at 1 m of hip height."""


def generate_action(animal: Standing, row: ActionRow, frame_rate: float = 60.0) -> Action:
    """The action of a row, beginning and ending in the standing pose, at rest."""
    finer = 2 if row.flight else 1
    rate = frame_rate * finer
    clock = Clock(row, rate)
    fall = np.zeros((len(clock), 3))
    for _ in range(2 if row.flight else 0):
        turns, places = _posed(animal, clock, fall)
        fall = fall + _freely(animal, clock, places)
    turns, places = (x[::finer] for x in _posed(animal, clock, fall))
    positions, rotations = local(animal.skeleton, places, rot.multiply(turns, animal.turns))
    motion = Motion(animal.skeleton, frame_rate, positions, rot.positive(rotations), row.name)
    between = row.hold or row.flight or (0.0, row.seconds)
    first, last = (round(at * frame_rate) for at in between)
    contacts = np.stack([_stands(moves, clock) for moves in row.legs], axis=1)[::finer]
    hold = (first, last) if row.hold else None
    return Action(row.name, motion, (0, first), hold, (last, len(motion) - 1), contacts)


class Clock:
    """The moments of an action, and its tracks and hums read at them."""

    def __init__(self, row: ActionRow, rate: float) -> None:
        self.row, self.rate = row, rate
        self.time: Floats = np.arange(round(row.seconds * rate) + 1) / rate
        self._read: dict[tuple[Track, float], Floats] = {}

    def __len__(self) -> int:
        return len(self.time)

    def read(self, track: Track, lag: float = 0.0) -> Floats:
        """A track at all moments: monotone between its keys, its corners rounded; still before and after."""
        if not track:
            return np.zeros(len(self))
        if (track, lag) not in self._read:
            self._read[track, lag] = smooth_track(track, self.time - lag, self.row.soft)
        return self._read[track, lag]

    def channel(self, name: str, lag: float = 0.0) -> Floats:
        """A track of the trunk, neck or tail by name, with what hums on it."""
        result = self.read(getattr(self.row, name), lag)
        for seed, hum in enumerate(self.row.hums):
            if hum.channel == name:
                result = result + self._hum(hum, seed, self.time - lag)
        return result

    def _hum(self, hum: Hum, seed: int, time: Floats) -> Floats:
        """Noise that repeats with the hold, and is not there yet as the action begins and no more as it ends."""
        start, end = self.row.hold or (0.0, self.row.seconds)
        period, rest = end - start, self.row.seconds - end
        fade = quintic_step(time / max(start, 1e-9)) * quintic_step((self.row.seconds - time) / max(rest, 1e-9))
        first, last = (max(1, round(hertz * period)) for hertz in (hum.low, hum.high))
        result: Floats = hum.size * fade * noise(np.random.default_rng(seed), (time - start) / period, first, last)
        return result


def smooth_track(track: Track, time: Floats, soft: float) -> Floats:
    """A track at `time (T,)`: monotone between its keys, twice smooth, each corner rounded within `soft` seconds."""
    keys = points(track)
    at, values = np.array([t for t, _ in keys]), np.array([v for _, v in keys])
    if len(keys) == 1:
        return np.full(len(time), values[0])
    fine = np.arange(min(time[0], at[0]) - soft, max(time[-1], at[-1]) + soft + 1 / FINE, 1 / FINE)
    curve = monotone(at, values, np.clip(fine, at[0], at[-1]))
    box = np.ones(max(round(2 * soft * FINE / 3), 1))
    kernel = np.convolve(np.convolve(box, box), box) / box.sum() ** 3
    half = len(kernel) // 2
    padded = np.concatenate([np.full(half, curve[0]), curve, np.full(len(kernel) - 1 - half, curve[-1])])
    return resting(np.convolve(padded, kernel, "valid"), (time - fine[0]) / (fine[-1] - fine[0]))


# Trunk, neck and tail ----------------------------------------------------------------------------


def _posed(animal: Standing, clock: Clock, shift: Floats) -> tuple[Floats, Floats]:
    """Turns `(T, J, 4)` against standing and places `(T, J, 3)`, the trunk moved by `shift (T, 3)` off its tracks."""
    turns = np.tile(rot.IDENTITY, (len(clock), len(animal.skeleton), 1))
    root = np.tile(animal.places[animal.anatomy.spine[0]], (len(clock), 1)) + shift
    for axis, name in enumerate(("sway", "height", "forward")):
        root[:, axis] += clock.channel(name) * animal.height
    pitches = _move_spine(animal, clock, turns)
    places = spread(animal, turns, root)
    for leg, moves in enumerate(clock.row.legs):
        _move_leg(animal, leg, moves, clock, pitches[0 if leg < 2 else 1], turns, places)
    _move_neck(animal, clock, turns, places)
    _move_tail(animal, clock, turns, places)
    return turns, places


def _move_spine(animal: Standing, clock: Clock, turns: Floats) -> tuple[Floats, Floats]:
    """Turns of the spine; returns how far chest and pelvis are pitched nose up."""
    spine = list(animal.anatomy.spine)
    share = np.linspace(0, 1, len(spine)) ** 0.6
    pitch, flexion, bend, roll = (
        np.radians(clock.channel(name))[:, None] for name in ("pitch", "flexion", "bend", "roll")
    )
    up = pitch + flexion * (PELVIS_SHARE - share)
    aside = bend * (share - 0.5)
    turns[:, spine] = rot.multiply(
        turn_about(1, aside), rot.multiply(turn_about(0, -up), turn_about(2, np.repeat(-roll, len(spine), axis=1)))
    )
    return up[:, -1], up[:, 0]


def _move_neck(animal: Standing, clock: Clock, turns: Floats, places: Floats) -> None:
    """Neck and head are raised and turned against the world; the neck's lower joints still follow the chest."""
    anatomy = animal.anatomy
    if anatomy.head is None:
        return
    neck, chest = list(anatomy.neck), turns[:, anatomy.spine[-1]]
    look, tilt = np.radians(clock.channel("look")), np.radians(clock.channel("tilt"))
    raised, nod = np.radians(clock.channel("neck")), np.radians(clock.channel("head"))
    carried = rot.multiply(turn_about(1, look * 0.6), turn_about(0, -raised))
    for k, joint in enumerate(neck):
        turns[:, joint] = rot.slerp(chest, carried, np.full(len(clock), (k + 1) / len(neck)))
    turns[:, anatomy.head] = rot.multiply(turn_about(1, look), rot.multiply(turn_about(0, -nod), turn_about(2, tilt)))
    for ear in animal.ears:
        turns[:, ear] = rot.multiply(turns[:, anatomy.head], turn_about(0, -np.radians(clock.channel("ears"))))
    respread(animal, turns, places, [*neck, anatomy.head, *animal.ears])


def _move_tail(animal: Standing, clock: Clock, turns: Floats, places: Floats) -> None:
    """The tail is raised against the world and wags; each joint is later than the one before."""
    tail = list(animal.anatomy.tail)
    for k, joint in enumerate(tail):
        further = k / max(len(tail) - 1, 1)
        lift, curl, wag, wrap = (
            np.radians(clock.channel(name, TAIL_LAG * k)) for name in ("tail", "curl", "wag", "wrap")
        )
        aside = wag * (0.6 + 0.4 * further) + wrap * (0.3 + 0.7 * further)
        turns[:, joint] = rot.multiply(turn_about(1, aside), turn_about(0, lift + curl * further))
    if tail:
        respread(animal, turns, places, tail)


# Legs --------------------------------------------------------------------------------------------


def _move_leg(
    animal: Standing, leg: int, moves: LegMoves, clock: Clock, pitch: Floats, turns: Floats, places: Floats
) -> None:
    """One leg to its foothold, or where its bends carry it. `pitch` is that of the chest or the pelvis."""
    reach = reach_of(animal, leg)
    if unknown := sorted(set(moves.bends) - set(reach.bending) - OTHER_BENDS):
        known = ", ".join([*reach.bending, *sorted(OTHER_BENDS)])
        raise ValueError(f"{animal.anatomy.legs[leg].name} has no {', '.join(unknown)} to bend; there are {known}")
    tracks = {name: np.radians(clock.read(track)) for name, track in moves.bends.items()}
    still = np.zeros(len(clock))
    girdle = turns[:, animal.anatomy.spine[-1 if reach.first else 0]]
    top = places[:, reach.joints[0]]
    if reach.first:
        turns[:, reach.joints[0]] = rot.multiply(girdle, turn_about(0, -tracks.get("scapula", still)))
        top = top + rot.rotate(turns[:, reach.joints[0]], reach.bones[0])
    bends = reach.rest_bends + np.stack([tracks.get(role, still) for role in reach.bending], axis=1)
    carried = np.clip(clock.read(moves.carried), 0.0, 1.0)
    toe, foot = _stood(animal, leg, moves.steps, clock)
    foot = foot - tracks.get("foot", still)
    rolls = foot if reach.held < len(reach.bones) else _paw(reach, solve(reach, bends, toe - top))
    tip = 0.0 if animal.planar(leg).has_hoof else TIP
    toe[:, 1] += animal.height * _rolled(rolls, tip)
    if moves.carried:
        hung, hung_foot = _hung(reach, bends, tracks, pitch)
        hung += top
        sole = animal.height * _rolled(hung_foot, tip)
        hung[:, 1] = sole + _above_ground(hung[:, 1] - sole, CLEARANCE * animal.height)
        toe = toe + carried[:, None] * (hung - toe)
        foot = foot + carried * (hung_foot - foot)
    held = toe - reach.foot(foot)
    segments = solve(reach, bends, held - top)
    splay = tracks.get("splay", still) * (1 if leg % 2 == 0 else -1)
    around = rot.about(_unit(held - top), splay)
    turns[:, list(reach.joints[reach.first : reach.held])] = rot.multiply(around[:, None], segments)
    turns[:, list(reach.joints[reach.held :])] = turn_about(0, -foot)[:, None]
    if reach.held == len(reach.bones):
        turns[:, reach.joints[-1]] = turns[:, reach.joints[-2]]
    respread(animal, turns, places, list(reach.joints))


def _paw(reach: Reach, segments: Floats) -> Floats:
    """How far the last segment of a leg is turned toe forward `(T,)`, where its paw has no joint of its own."""
    bone = rot.rotate(segments[:, -1], reach.bones[-1])
    result: Floats = np.arctan2(bone[:, 2], -bone[:, 1]) - reach.angles[-1]
    return result


def _rolled(angle: Floats, tip: float) -> Floats:
    """How far a toe joint is lifted, in hip heights, by a foot that is turned toe forward and rolls over its edge."""
    rise = np.sin(np.clip(angle, -np.pi / 2, np.pi / 2))
    result: Floats = np.where(rise > 0, SOLE, tip) * rise**2 / (np.abs(rise) + FLAT)
    return result


def _above_ground(height: Floats, clearance: float) -> Floats:
    """Heights that come down to the ground softly and never below."""
    result: Floats = (height + np.sqrt(height**2 + clearance**2)) / 2
    return result


def _unit(x: Floats) -> Floats:
    result: Floats = x / np.maximum(np.linalg.norm(x, axis=-1, keepdims=True), 1e-9)
    return result


def _stood(animal: Standing, leg: int, steps: tuple[Step, ...], clock: Clock) -> tuple[Floats, Floats]:
    """The toe's footholds and the ways between them `(T, 3)`, and how the foot turns as it steps (toe forward)."""
    side = 1 if leg % 2 == 0 else -1
    toe = np.tile(animal.places[animal.anatomy.legs[leg].joints[-1]], (len(clock), 1))
    roll, here = np.zeros(len(clock)), np.zeros(3)
    for step in steps:
        there = np.array([side * step.out, 0.0, step.forward])
        share = np.clip((clock.time - step.lift) / max(step.land - step.lift, 1e-6), 0.0, 1.0)
        arc = 64 * (share * (1 - share)) ** 3
        toe += quintic_step(share)[:, None] * (there - here) * animal.height
        toe[:, 1] += step.height * arc * animal.height
        roll -= np.radians(STEP_ROLL) * step.height * arc
        here = there
    return toe, roll


def _stands(moves: LegMoves, clock: Clock) -> Bools:
    """When a foot stands `(T,)`: it is neither carried nor on its way to another foothold."""
    stands = clock.read(moves.carried) < 1e-2
    for step in moves.steps:
        stands &= (clock.time <= step.lift) | (clock.time >= step.land)
    return np.asarray(stands)


def _hung(reach: Reach, bends: Floats, tracks: dict[str, Floats], pitch: Floats) -> tuple[Floats, Floats]:
    """Where the toe of a carried leg is from the top of its first segment, and how its foot is turned."""
    still = np.zeros(len(bends))
    aim = reach.angles[reach.first] + pitch + tracks.get("aim", still)
    angles = reach.segments(bends) + aim[:, None]
    foot = angles[:, -1] - reach.angles[reach.held - 1] + tracks.get("hang", still)
    return reach.along(angles) + reach.foot(foot), foot


# Flight ------------------------------------------------------------------------------------------


def _freely(animal: Standing, clock: Clock, places: Floats) -> Floats:
    """How the trunk must be moved `(T, 3)` so that the centre of mass falls freely while no foot is down.

    Where it takes off and where it lands stay; before and after, the change of speed fades.
    """
    assert clock.row.flight is not None
    first, last = (round(at * clock.rate) for at in clock.row.flight)
    centre = animal.centre_of_mass(places)
    seconds = (last - first) / clock.rate
    share = np.linspace(0, 1, last - first + 1)[:, None]
    path = centre[first] + share * (centre[last] - centre[first])
    path[:, 1] += GRAVITY / 2 * seconds**2 * (share * (1 - share))[:, 0]
    shift = np.zeros_like(centre)
    shift[first : last + 1] = path - centre[first : last + 1]
    count = round(SETTLE * np.sqrt(animal.height) * clock.rate)
    before, after = max(first - count, 0), min(last + count, len(clock) - 1)
    inner = shift[first : last + 1] * clock.rate
    speed, push = inner[1] - inner[0], (inner[2] - 2 * inner[1] + inner[0]) * clock.rate
    shift[before : first + 1] = _faded(
        (first - before) / clock.rate, -speed + push / clock.rate / 2, push, first - before
    )[::-1]
    speed, push = inner[-1] - inner[-2], (inner[-1] - 2 * inner[-2] + inner[-3]) * clock.rate
    shift[last : after + 1] = _faded((after - last) / clock.rate, speed + push / clock.rate / 2, push, after - last)
    shift[:, 0] = 0.0
    return shift


def _faded(seconds: float, speed: Floats, push: Floats, count: int) -> Floats:
    """From nothing with a speed and an acceleration to rest at nothing, `(count + 1, 3)`."""
    x = np.linspace(0, 1, count + 1)[:, None]
    result: Floats = seconds * speed * (x - 6 * x**3 + 8 * x**4 - 3 * x**5)
    result += seconds**2 * push * (x**2 - 3 * x**3 + 3 * x**4 - x**5) / 2
    return result

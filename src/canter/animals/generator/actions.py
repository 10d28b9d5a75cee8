"""From an action row and any standing animal to one action: trunk first, then legs, then neck, head and tail.

Trunk and flexions follow their tracks. A standing foot is reached by inverse kinematics, a carried one goes where the
flexions put it, with a smooth transition in between. In flight the trunk is moved so that the centre of mass falls
freely.
"""

from __future__ import annotations

import numpy as np

from canter.anatomy import Action
from canter.animals.generator.action_rows import ActionRow, HoldNoise, LegMoves, Step, Track
from canter.animals.generator.curves import clamped_uniform_spline, monotone_cubic
from canter.animals.generator.reach import LegReach, leg_reach, solve_reach
from canter.animals.generator.standing import Standing, propagate, propagate_below, turn_about
from canter.animals.generator.trunk_neck_tail import PELVIS_FLEXION_SHARE
from canter.animals.generator.waves import noise, points
from canter.motion import Motion
from canter.motion import rotations as rot
from canter.motion.arrays import Bools, Floats
from canter.motion.constants import GRAVITY
from canter.motion.easing import quintic_step
from canter.motion.kinematics import local

__all__ = ["Action", "Clock", "generate_action", "smooth_track"]

TRACK_RATE_HZ = 240.0
"""Samples per second of a track while it is smoothed."""
STEP_ROLL_DEG = 200.0
"""Degrees by which a foot is pitched toe down in the middle of a step, for each hip height that it is lifted."""
SOLE_BEHIND_TOE, PAW_AHEAD_OF_TOE, ROLL_SOFTNESS = 0.145, 0.065, 0.12
"""How far a sole reaches behind its toe joint and a paw ahead of it, in hip heights, and the sine of the pitch within
which rolling is soft. A foot that pitches rolls onto its heel or its tip and lifts the toe joint."""
CLEARANCE_HIP_HEIGHTS = 0.06
"""Hip heights within which a carried foot keeps clear of the ground."""
EXTRA_BENDS = {"aim", "scapula", "splay", "foot", "hang"}
"""Tracks of a leg besides the flexions of its joints (see `LegMoves`)."""
TAIL_LAG_SECONDS = 0.05
"""Delay of each joint of the tail behind the one before."""
SETTLE_SECONDS = 0.2
"""Seconds before and after a flight over which the trunk is led into and out of free fall, at a hip height of 1 m."""


def generate_action(animal: Standing, row: ActionRow, frame_rate: float = 60.0) -> Action:
    """The action of a row; it begins and ends at rest in the standing pose."""
    finer = 2 if row.flight else 1
    rate = frame_rate * finer
    clock = Clock(row, rate)
    fall = np.zeros((len(clock), 3))
    for _ in range(2 if row.flight else 0):
        turns, places = _pose_body(animal, clock, fall)
        fall = fall + _free_fall_shift(animal, clock, places)
    turns, places = (x[::finer] for x in _pose_body(animal, clock, fall))
    positions, rotations = local(animal.skeleton, places, rot.multiply(turns, animal.turns))
    motion = Motion(animal.skeleton, frame_rate, positions, rot.positive(rotations), row.name)
    between = row.hold or row.flight or (0.0, row.seconds)
    first, last = (round(at * frame_rate) for at in between)
    contacts = np.stack([_contacts(moves, clock) for moves in row.legs], axis=1)[::finer]
    hold = (first, last) if row.hold else None
    return Action(row.name, motion, (0, first), hold, (last, len(motion) - 1), contacts)


class Clock:
    """The sample times of an action, and its tracks and noise sampled at them."""

    def __init__(self, row: ActionRow, rate: float) -> None:
        self.row, self.rate = row, rate
        self.time: Floats = np.arange(round(row.seconds * rate) + 1) / rate
        self._read: dict[tuple[Track, float], Floats] = {}

    def __len__(self) -> int:
        return len(self.time)

    def read(self, track: Track, lag: float = 0.0) -> Floats:
        """A track `(T,)` delayed by `lag` seconds: monotone between its keys, smoothed, constant outside them."""
        if not track:
            return np.zeros(len(self))
        if (track, lag) not in self._read:
            self._read[track, lag] = smooth_track(track, self.time - lag, self.row.soft)
        return self._read[track, lag]

    def channel(self, name: str, lag: float = 0.0) -> Floats:
        """A track `(T,)` of the trunk, neck or tail by name, with its noise, delayed by `lag` seconds."""
        result = self.read(getattr(self.row, name), lag)
        for seed, noise_row in enumerate(self.row.hold_noise):
            if noise_row.channel == name:
                result = result + self._hold_noise(noise_row, seed, self.time - lag)
        return result

    def _hold_noise(self, noise_row: HoldNoise, seed: int, time: Floats) -> Floats:
        """Noise with the period of the hold, faded in before the hold and out after it."""
        start, end = self.row.hold or (0.0, self.row.seconds)
        period, rest = end - start, self.row.seconds - end
        fade = quintic_step(time / max(start, 1e-9)) * quintic_step((self.row.seconds - time) / max(rest, 1e-9))
        first, last = (max(1, round(hertz * period)) for hertz in (noise_row.low, noise_row.high))
        result: Floats = (
            noise_row.size * fade * noise(np.random.default_rng(seed), (time - start) / period, first, last)
        )
        return result


def smooth_track(track: Track, time: Floats, soft: float) -> Floats:
    """A track at `time (T,)` in seconds: monotone between its keys, convolved with a kernel of half width `soft`.

    The second derivative is continuous.
    """
    keys = points(track)
    at, values = np.array([t for t, _ in keys]), np.array([v for _, v in keys])
    if len(keys) == 1:
        return np.full(len(time), values[0])
    fine = np.arange(min(time[0], at[0]) - soft, max(time[-1], at[-1]) + soft + 1 / TRACK_RATE_HZ, 1 / TRACK_RATE_HZ)
    curve = monotone_cubic(at, values, np.clip(fine, at[0], at[-1]))
    box = np.ones(max(round(2 * soft * TRACK_RATE_HZ / 3), 1))
    kernel = np.convolve(np.convolve(box, box), box) / box.sum() ** 3
    half = len(kernel) // 2
    padded = np.concatenate([np.full(half, curve[0]), curve, np.full(len(kernel) - 1 - half, curve[-1])])
    return clamped_uniform_spline(np.convolve(padded, kernel, "valid"), (time - fine[0]) / (fine[-1] - fine[0]))


# Trunk, neck and tail ----------------------------------------------------------------------------


def _pose_body(animal: Standing, clock: Clock, shift: Floats) -> tuple[Floats, Floats]:
    """Rotations `(T, J, 4)` relative to standing and positions `(T, J, 3)`; `shift (T, 3)` moves the trunk."""
    turns = np.tile(rot.IDENTITY, (len(clock), len(animal.skeleton), 1))
    root = np.tile(animal.places[animal.anatomy.spine[0]], (len(clock), 1)) + shift
    for axis, name in enumerate(("sway", "height", "forward")):
        root[:, axis] += clock.channel(name) * animal.height
    pitches = _move_spine(animal, clock, turns)
    places = propagate(animal, turns, root)
    for leg, moves in enumerate(clock.row.legs):
        _move_leg(animal, leg, moves, clock, pitches[0 if leg < 2 else 1], turns, places)
    _move_neck(animal, clock, turns, places)
    _move_tail(animal, clock, turns, places)
    return turns, places


def _move_spine(animal: Standing, clock: Clock, turns: Floats) -> tuple[Floats, Floats]:
    """Writes the spine into `turns`; returns the pitch (nose up) of chest and pelvis in radians, `(T,)` each."""
    spine = list(animal.anatomy.spine)
    share = np.linspace(0, 1, len(spine)) ** 0.6
    pitch, flexion, bend, roll = (
        np.radians(clock.channel(name))[:, None] for name in ("pitch", "flexion", "bend", "roll")
    )
    up = pitch + flexion * (PELVIS_FLEXION_SHARE - share)
    aside = bend * (share - 0.5)
    turns[:, spine] = rot.multiply(
        turn_about(1, aside), rot.multiply(turn_about(0, -up), turn_about(2, np.repeat(-roll, len(spine), axis=1)))
    )
    return up[:, -1], up[:, 0]


def _move_neck(animal: Standing, clock: Clock, turns: Floats, places: Floats) -> None:
    """Writes neck, head and ears: raised and turned relative to the world; the neck's lower joints follow the chest."""
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
    propagate_below(animal, turns, places, [*neck, anatomy.head, *animal.ears])


def _move_tail(animal: Standing, clock: Clock, turns: Floats, places: Floats) -> None:
    """Writes the tail: raised relative to the world, wagging; each joint is delayed against the one before."""
    tail = list(animal.anatomy.tail)
    for k, joint in enumerate(tail):
        further = k / max(len(tail) - 1, 1)
        lift, curl, wag, wrap = (
            np.radians(clock.channel(name, TAIL_LAG_SECONDS * k)) for name in ("tail", "curl", "wag", "wrap")
        )
        aside = wag * (0.6 + 0.4 * further) + wrap * (0.3 + 0.7 * further)
        turns[:, joint] = rot.multiply(turn_about(1, aside), turn_about(0, lift + curl * further))
    if tail:
        propagate_below(animal, turns, places, tail)


# Legs --------------------------------------------------------------------------------------------


def _move_leg(
    animal: Standing, leg: int, moves: LegMoves, clock: Clock, pitch: Floats, turns: Floats, places: Floats
) -> None:
    """Writes one leg: to its foothold, or carried by its flexions. `pitch (T,)` is that of the chest or the pelvis."""
    reach = leg_reach(animal, leg)
    if unknown := sorted(set(moves.bends) - set(reach.bending) - EXTRA_BENDS):
        known = ", ".join([*reach.bending, *sorted(EXTRA_BENDS)])
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
    toe, foot = _stepping_toe(animal, leg, moves.steps, clock)
    foot = foot - tracks.get("foot", still)
    rolls = foot if reach.held < len(reach.bones) else _paw_pitch(reach, solve_reach(reach, bends, toe - top))
    tip = 0.0 if animal.planar(leg).has_hoof else PAW_AHEAD_OF_TOE
    toe[:, 1] += animal.height * _roll_lift(rolls, tip)
    if moves.carried:
        hung, hung_foot = _carried_toe(reach, bends, tracks, pitch)
        hung += top
        sole = animal.height * _roll_lift(hung_foot, tip)
        hung[:, 1] = sole + _soft_floor(hung[:, 1] - sole, CLEARANCE_HIP_HEIGHTS * animal.height)
        toe = toe + carried[:, None] * (hung - toe)
        foot = foot + carried * (hung_foot - foot)
    held = toe - reach.foot(foot)
    segments = solve_reach(reach, bends, held - top)
    splay = tracks.get("splay", still) * (1 if leg % 2 == 0 else -1)
    around = rot.about(_unit(held - top), splay)
    turns[:, list(reach.joints[reach.first : reach.held])] = rot.multiply(around[:, None], segments)
    turns[:, list(reach.joints[reach.held :])] = turn_about(0, -foot)[:, None]
    if reach.held == len(reach.bones):
        turns[:, reach.joints[-1]] = turns[:, reach.joints[-2]]
    propagate_below(animal, turns, places, list(reach.joints))


def _paw_pitch(reach: LegReach, segments: Floats) -> Floats:
    """The pitch `(T,)` in radians, toe forward, of a paw without a joint of its own: that of the last segment."""
    bone = rot.rotate(segments[:, -1], reach.bones[-1])
    result: Floats = np.arctan2(bone[:, 2], -bone[:, 1]) - reach.angles[-1]
    return result


def _roll_lift(angle: Floats, tip: float) -> Floats:
    """Hip heights by which a toe joint is lifted by a foot that rolls over its edge, pitched by `angle` toe forward."""
    rise = np.sin(np.clip(angle, -np.pi / 2, np.pi / 2))
    result: Floats = np.where(rise > 0, SOLE_BEHIND_TOE, tip) * rise**2 / (np.abs(rise) + ROLL_SOFTNESS)
    return result


def _soft_floor(height: Floats, clearance: float) -> Floats:
    """Heights bent smoothly to stay above the ground, within about `clearance` of it."""
    result: Floats = (height + np.sqrt(height**2 + clearance**2)) / 2
    return result


def _unit(x: Floats) -> Floats:
    result: Floats = x / np.maximum(np.linalg.norm(x, axis=-1, keepdims=True), 1e-9)
    return result


def _stepping_toe(animal: Standing, leg: int, steps: tuple[Step, ...], clock: Clock) -> tuple[Floats, Floats]:
    """The toe's path `(T, 3)` over its footholds and steps, and the foot's pitch `(T,)` in radians, toe forward."""
    side = 1 if leg % 2 == 0 else -1
    toe = np.tile(animal.places[animal.anatomy.legs[leg].joints[-1]], (len(clock), 1))
    roll, here = np.zeros(len(clock)), np.zeros(3)
    for step in steps:
        there = np.array([side * step.out, 0.0, step.forward])
        share = np.clip((clock.time - step.lift) / max(step.land - step.lift, 1e-6), 0.0, 1.0)
        arc = 64 * (share * (1 - share)) ** 3
        toe += quintic_step(share)[:, None] * (there - here) * animal.height
        toe[:, 1] += step.height * arc * animal.height
        roll -= np.radians(STEP_ROLL_DEG) * step.height * arc
        here = there
    return toe, roll


def _contacts(moves: LegMoves, clock: Clock) -> Bools:
    """When a foot is down `(T,)`: neither carried nor stepping to another foothold."""
    stands = clock.read(moves.carried) < 1e-2
    for step in moves.steps:
        stands &= (clock.time <= step.lift) | (clock.time >= step.land)
    return np.asarray(stands)


def _carried_toe(reach: LegReach, bends: Floats, tracks: dict[str, Floats], pitch: Floats) -> tuple[Floats, Floats]:
    """A carried toe `(T, 3)` relative to the top of the leg's first segment, and the foot's pitch `(T,)` in radians."""
    still = np.zeros(len(bends))
    aim = reach.angles[reach.first] + pitch + tracks.get("aim", still)
    angles = reach.segments(bends) + aim[:, None]
    foot = angles[:, -1] - reach.angles[reach.held - 1] + tracks.get("hang", still)
    return reach.along(angles) + reach.foot(foot), foot


# Flight ------------------------------------------------------------------------------------------


def _free_fall_shift(animal: Standing, clock: Clock, places: Floats) -> Floats:
    """Displacements `(T, 3)` of the trunk with which the centre of mass falls freely while no foot is down.

    They are 0 at take-off and landing; before and after, velocity and acceleration fade to 0.
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
    count = round(SETTLE_SECONDS * np.sqrt(animal.height) * clock.rate)
    before, after = max(first - count, 0), min(last + count, len(clock) - 1)
    inner = shift[first : last + 1] * clock.rate
    speed, push = inner[1] - inner[0], (inner[2] - 2 * inner[1] + inner[0]) * clock.rate
    shift[before : first + 1] = _fade_to_rest(
        (first - before) / clock.rate, -speed + push / clock.rate / 2, push, first - before
    )[::-1]
    speed, push = inner[-1] - inner[-2], (inner[-1] - 2 * inner[-2] + inner[-3]) * clock.rate
    shift[last : after + 1] = _fade_to_rest(
        (after - last) / clock.rate, speed + push / clock.rate / 2, push, after - last
    )
    shift[:, 0] = 0.0
    return shift


def _fade_to_rest(seconds: float, speed: Floats, push: Floats, count: int) -> Floats:
    """Quintic `(count + 1, 3)` with f = 0, f' = `speed`, f'' = `push` at 0 and f = f' = f'' = 0 after `seconds`."""
    x = np.linspace(0, 1, count + 1)[:, None]
    result: Floats = seconds * speed * (x - 6 * x**3 + 8 * x**4 - 3 * x**5)
    result += seconds**2 * push * (x**2 - 3 * x**3 + 3 * x**4 - x**5) / 2
    return result

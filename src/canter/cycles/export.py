"""What an engine needs of an animal: every gait as a loop, and the ways from gait to gait, as named clips."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import numpy as np

from canter.anatomy import Character
from canter.cycles.cycle import GRID, Cycle
from canter.cycles.pack import Pack
from canter.motion import Asset, Motion, sample
from canter.motion import rotations as rot
from canter.motion.arrays import Bools, Complexes, Floats, Ints

FRAME_RATE = 60.0
STEADY = 4.0
"""Seconds, and strides, that an animal goes in a gait before its way into another begins."""
SETTLED = 0.01
"""Share of its speed by which an animal in a gait may be off."""
LONGEST = 12.0
"""Seconds after which a way begins or ends in any case."""

Progress = Callable[[int, int], None]


def export(character: Character, *, in_place: bool = False, progress: Progress = lambda *_: None) -> Asset:
    """Loops of all gaits at their usual speeds, and transitions such as `walk to trot` between neighbouring gaits.

    A transition begins and ends where the loops do, so that they can be put one after the other; only a stand is
    reached at any of its moments. With `in_place` the animal stays at the origin, and the engine moves it.
    """
    pack = Pack(character, frame_rate=FRAME_RATE)
    cycles = pack.crowd.library.cycles
    loops = [_loop(character, cycle, name, in_place) for cycle, name in zip(cycles, pack.names, strict=True)]
    ways = _transitions(character, neighbours(pack), in_place, progress)
    return Asset(character.skeleton, (*loops, *ways), character.skins, character.source, 1.0)


def neighbours(pack: Pack) -> list[tuple[int, int]]:
    """Ordered pairs of gaits between which there is a way: up and down the speeds, and aside and back from a stand."""
    choice = pack.choice
    pairs = list(pairwise((choice.stand, *choice.ahead)))
    pairs += [(choice.stand, k) for k in (choice.back, *(choice.aside or ())) if k is not None]
    return [way for a, b in pairs for way in ((a, b), (b, a))]


def _loop(character: Character, cycle: Cycle, name: str, in_place: bool) -> Motion:
    """One stride whose last frame is its first, further on."""
    frames = max(round(cycle.seconds * FRAME_RATE), 3)
    phase = np.linspace(0, 1, frames + 1)
    at = phase * GRID
    first, share = at.astype(int), (at - at.astype(int))[:, None, None]
    positions, rotations = (
        (1 - share) * x[first % GRID] + share * x[(first + 1) % GRID]
        for x in (cycle.positions, rot.continuous(cycle.rotations))
    )
    time = phase * cycle.seconds
    velocity = complex(cycle.velocity[1], cycle.velocity[0])
    places = velocity * ((np.exp(1j * cycle.turn * time) - 1) / (1j * cycle.turn) if cycle.turn else time)
    rate = frames / cycle.seconds
    motion = Motion(character.skeleton, rate, positions, rot.unit(rotations), name)
    return motion if in_place else _moved(motion, places, cycle.turn * time)


def _moved(motion: Motion, places: Complexes, yaws: Floats) -> Motion:
    """A motion that is seen from a track, put on it: frame by frame turned by a yaw and moved to a place."""
    roots = np.flatnonzero(motion.skeleton.parents < 0)
    turn = rot.yaw(yaws)[:, None]
    positions, rotations = motion.positions.astype(np.float64), motion.rotations.astype(np.float64)
    positions[:, roots] = rot.rotate(turn, positions[:, roots])
    positions[:, roots, 0] += places.imag[:, None]
    positions[:, roots, 2] += places.real[:, None]
    rotations[:, roots] = rot.multiply(turn, rotations[:, roots])
    return Motion(motion.skeleton, motion.frame_rate, positions, rotations, motion.name)


# From gait to gait -------------------------------------------------------------------------------


def _transitions(
    character: Character, pairs: list[tuple[int, int]], in_place: bool, progress: Progress
) -> list[Motion]:
    """All ways at once: every animal of a pack goes one of them, and each is cut out of what it did."""
    pack = Pack(character, len(pairs), frame_rate=FRAME_RATE)
    before, after = np.array(pairs).T
    steady = STEADY * FRAME_RATE * np.maximum(pack.crowd.seconds[before] * ~pack.crowd.laws.stands[before], 1.0)
    starts, ends = np.full(len(pairs), np.nan), np.full(len(pairs), np.nan)
    poses: list[tuple[Floats, Floats]] = []
    track: list[tuple[Complexes, Floats]] = []
    most = round(steady.max() + 2 * LONGEST * FRAME_RATE)
    phase: Floats = np.zeros(len(pairs))
    for frame in range(most + 2):
        waits = np.isnan(starts)
        gait = np.where(waits, before, after)
        last, phase = phase, _step(pack, gait, poses)
        track.append((pack.crowd.herd.place, pack.crowd.herd.yaw))
        settled, begins = _is_settled(pack, gait), phase < last
        at = frame - np.where(begins, phase / ((phase - last) % 1.0 + 1e-9), 0.0)
        stands = pack.crowd.laws.stands[gait]
        late = frame >= np.where(waits, steady, starts) + LONGEST * FRAME_RATE
        ends = np.where(~waits & np.isnan(ends) & ((settled & (begins | stands)) | late), at, ends)
        starts = np.where(waits & (frame > steady) & ((settled & begins) | late), at, starts)
        progress(frame, most)
        if not np.isnan(ends).any():
            break
    progress(most, most)
    positions, rotations = (np.stack(x) for x in zip(*poses, strict=True))
    places, yaws = (np.stack(x) for x in zip(*track, strict=True))
    ways = []
    for row, (a, b) in enumerate(pairs):
        name = f"{pack.names[a]} to {pack.names[b]}"
        motion = Motion(character.skeleton, FRAME_RATE, positions[:, row], rotations[:, row], name)
        ways.append(_cut(motion, places[:, row], yaws[:, row], (starts[row], ends[row]), in_place))
    return ways


def _step(pack: Pack, gait: Ints, poses: list[tuple[Floats, Floats]]) -> Floats:
    """One frame in the gaits `(N,)` at their usual speeds, kept; how far the bodies are in their strides `(N,)`."""
    wish = _velocities(pack)[gait]
    positions, rotations = pack.step(np.abs(wish), np.angle(wish), np.zeros(pack.count), gait)
    poses.append((positions, rotations))
    phase: Floats = pack.crowd.herd.body[np.arange(pack.count), gait] % 1.0
    return phase


def _velocities(pack: Pack) -> Complexes:
    """How the gaits go ahead and to the left `(S,)`; not at all where they stand."""
    velocities = np.array([complex(c.velocity[1], c.velocity[0]) for c in pack.crowd.library.cycles])
    return np.where(pack.crowd.laws.stands, 0, velocities)


def _is_settled(pack: Pack, gait: Ints) -> Bools:
    """Whether the animals `(N,)` are in these gaits altogether, at their speeds."""
    herd, wish = pack.crowd.herd, _velocities(pack)[gait]
    rows = np.arange(pack.count)
    alone = (herd.weights[rows, gait] > 0.995) & (herd.eased[rows, gait] > 0.99)
    still = pack.crowd.laws.stands[gait] & ~herd.contacts.all(axis=1)
    near = np.abs(herd.velocity - wish) <= np.maximum(SETTLED * np.abs(wish), 0.02)
    result: Bools = alone & near & ~still
    return result


def _cut(motion: Motion, places: Complexes, yaws: Floats, span: tuple[float, float], in_place: bool) -> Motion:
    """What lies between two moments in frames, from the origin, or seen from the track all along."""
    first, last = span
    count = max(round(last - first), 3)
    at = np.linspace(first, last, count + 1)
    rate = motion.frame_rate * count / (last - first)
    seen = replace(sample(_moved(motion, -places * np.exp(-1j * yaws), -yaws), at), frame_rate=rate)
    if in_place:
        return seen
    frames = np.arange(len(places))
    there = np.interp(at, frames, places.real) + 1j * np.interp(at, frames, places.imag)
    turned = np.interp(at, frames, yaws)
    return _moved(seen, (there - there[0]) * np.exp(-1j * turned[0]), turned - turned[0])

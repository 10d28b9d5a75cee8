"""What an engine needs of an animal: gaits as loops, ways from gait to gait, and actions, as named clips that meet.

Everything begins and ends in the first pose of a loop: a loop, a way and the next loop can be put one after the other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, permutations

import numpy as np

from canter.anatomy import Action, Anatomy, Character, actions_of
from canter.cycles.engine.cycle import GRID, Cycle
from canter.cycles.gaits.batch import BatchGaits
from canter.motion import Asset, Motion, forward, sample, solve_leg
from canter.motion import rotations as rot
from canter.motion.arrays import Bools, Complexes, Floats, Ints
from canter.motion.easing import cubic_step

FRAME_RATE = 60.0
STEADY = 4.0
"""Seconds, and strides, that an animal goes in a gait before its way into another begins."""
NEAR = 0.03
"""Share of its speed by which an animal may be off when it has reached a gait."""
OFF, LATE, ASTRAY = np.radians(4), 0.02, 0.06
"""How far off a gait that is reached may be: joints of the body, legs in cycles, in a stand feet in hip heights."""
SOFT = 0.4
"""Seconds over which what is left of that is taken out, at the beginning and at the end of a clip."""
LONGEST = 12.0
"""Seconds after which a way begins or ends in any case."""
TO = "_to_"

Progress = Callable[[int, int], None]


@dataclass(frozen=True, eq=False)
class Exported:
    """The clips for an engine, by what they are; `asset` has them all."""

    character: Character
    loops: tuple[Motion, ...]
    transitions: tuple[Motion, ...]
    actions: tuple[Motion, ...]

    @property
    def asset(self) -> Asset:
        clips = (*self.loops, *self.transitions, *self.actions)
        named = zip(clips, clean_names([clip.name for clip in clips]), strict=True)
        motions = tuple(replace(clip, name=name) for clip, name in named)
        return Asset(self.character.skeleton, motions, self.character.skins, self.character.source, 1.0)


def export(
    character: Character, *, in_place: bool = False, transitions: str = "all", progress: Progress = lambda *_: None
) -> Exported:
    """Loops of all gaits at their usual speeds, transitions such as `walk_to_trot`, and actions.

    `transitions` are "all", "neighbours", "none" or the names of some, with commas. An action with a hold comes in
    three: `sit_enter`, `sit_hold`, which loops, and `sit_leave`. With `in_place` the animal stays at the origin, and
    the engine moves it.
    """
    batch = BatchGaits(character, frame_rate=FRAME_RATE)
    names = clean_names(batch.names)
    cycles = batch.library.cycles
    loops = [_loop(character, cycle, name, in_place) for cycle, name in zip(cycles, names, strict=True)]
    pairs = ways(batch, transitions)
    between = _transitions(character, pairs, names, in_place, progress) if pairs else []
    stand = cycles[batch.choice.stand]
    acts = [part for act in actions_of(character).values() for part in _act(act, character.anatomy, stand, in_place)]
    return Exported(character, tuple(loops), tuple(between), tuple(acts))


def clean_names(names: Sequence[str]) -> list[str]:
    """Names of letters, digits and underscores as every engine takes them, each only once."""
    found: list[str] = []
    for name in names:
        clean = re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_") or "clip"
        count, told = 1, clean
        while told in found:
            count += 1
            told = f"{clean}_{count}"
        found.append(told)
    return found


# Which ways there are ----------------------------------------------------------------------------


def ways(batch: BatchGaits, transitions: str) -> list[tuple[int, int]]:
    """Ordered pairs of gaits that are asked for (see `export`)."""
    if transitions == "none":
        return []
    if transitions == "neighbours":
        return neighbours(batch)
    choice = batch.choice
    every = list(permutations((choice.stand, *choice.ahead, *choice.others), 2))
    every += [way for way in neighbours(batch) if way not in every]
    if transitions == "all":
        return every
    names = clean_names(batch.names)
    called = {f"{names[a]}{TO}{names[b]}": (a, b) for a, b in every}
    wanted = [word.strip() for word in transitions.split(",") if word.strip()]
    if unknown := [word for word in wanted if word not in called]:
        known = f"all, neighbours, none, or some of: {', '.join(called)}"
        raise ValueError(f"there is no transition {', '.join(unknown)}; there are {known}")
    return [called[word] for word in wanted]


def neighbours(batch: BatchGaits) -> list[tuple[int, int]]:
    """Pairs between which there is a way: up and down the speeds, and aside and back from a stand.

    A gait that is only taken when asked for lies between those that are slower and faster than it.
    """
    choice = batch.choice
    speeds = [cycle.speed for cycle in batch.library.cycles]
    ladder = (choice.stand, *choice.ahead)
    pairs = list(pairwise(ladder))
    for gait in choice.others:
        slower = max((k for k in ladder if speeds[k] <= speeds[gait]), key=lambda k: speeds[k])
        faster = min((k for k in ladder if speeds[k] > speeds[gait]), key=lambda k: speeds[k], default=slower)
        pairs += [(slower, gait), *([(gait, faster)] if faster != slower else [])]
    pairs += [(choice.stand, k) for k in (choice.back, *(choice.aside or ())) if k is not None]
    return [way for a, b in pairs for way in ((a, b), (b, a))]


# Loops -------------------------------------------------------------------------------------------


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


def _led(motion: Motion, anatomy: Anatomy, before: Cycle, after: Cycle) -> Motion:
    """A motion that is seen from its track with the first poses of two loops as its own first and last.

    What it was off by fades, of joints and of feet, so that nothing jumps and no foot enters the ground.
    """
    skeleton, last = motion.skeleton, len(motion) - 1
    soft = max(min(SOFT * motion.frame_rate, last / 2), 1.0)
    frames = np.arange(last + 1)
    positions: Floats = motion.positions.astype(np.float64)
    rotations: Floats = motion.rotations.astype(np.float64)
    feet = forward(skeleton, positions, rotations)[0][:, anatomy.feet]
    for cycle, frame, away in ((before, 0, frames), (after, last, last - frames)):
        left = (1 - cubic_step(away / soft))[:, None]
        there = rot.unit(cycle.rotations[0])
        turn = rot.positive(rot.multiply(rot.conjugate(rotations[frame]), there))
        shift = cycle.positions[0] - positions[frame]
        step = forward(skeleton, cycle.positions[0], there)[0][anatomy.feet] - feet[frame]
        rotations = rot.multiply(rotations, rot.slerp(rot.IDENTITY, turn, left))
        positions, feet = positions + left[..., None] * shift, feet + left[..., None] * step
    for number, leg in enumerate(anatomy.legs):
        kept = solve_leg(skeleton, positions, rotations, leg.chain, feet[:, number], foot_rotation="keep_world")
        positions, rotations = kept.positions, kept.rotations
    return replace(motion, positions=positions, rotations=rotations)


# From gait to gait -------------------------------------------------------------------------------


def _transitions(
    character: Character, pairs: list[tuple[int, int]], names: list[str], in_place: bool, progress: Progress
) -> list[Motion]:
    """All ways at once: every animal of a batch goes one of them, and each is cut out of what it did."""
    batch = BatchGaits(character, len(pairs), frame_rate=FRAME_RATE)
    before, after = np.array(pairs).T
    steady = STEADY * FRAME_RATE * np.maximum(batch.strides.seconds[before] * ~batch.strides.laws.stands[before], 1.0)
    starts, ends = np.full(len(pairs), np.nan), np.full(len(pairs), np.nan)
    poses: list[tuple[Floats, Floats]] = []
    track: list[tuple[Complexes, Floats]] = []
    most = round(steady.max() + 2 * LONGEST * FRAME_RATE)
    phase: Floats = np.zeros(len(pairs))
    for frame in range(most + 2):
        waits = np.isnan(starts)
        gait = np.where(waits, before, after)
        last, phase = phase, _step(batch, gait, poses)
        track.append((batch.root.place, batch.root.yaw))
        there, begins = _is_there(batch, gait, poses[-1][1]), phase < last
        at = frame - np.where(begins, phase / ((phase - last) % 1.0 + 1e-9), 0.0)
        stands = batch.strides.laws.stands[gait]
        late = frame >= np.where(waits, steady, starts) + LONGEST * FRAME_RATE
        ends = np.where(~waits & np.isnan(ends) & ((there & (begins | stands)) | late), at, ends)
        starts = np.where(waits & (frame > steady) & ((there & (begins | stands)) | late), at, starts)
        progress(frame, most)
        if not np.isnan(ends).any():
            break
    progress(most, most)
    positions, rotations = (np.stack(x) for x in zip(*poses, strict=True))
    places, yaws = (np.stack(x) for x in zip(*track, strict=True))
    cycles = batch.library.cycles
    found = []
    for row, (a, b) in enumerate(pairs):
        motion = Motion(
            character.skeleton, FRAME_RATE, positions[:, row], rotations[:, row], f"{names[a]}{TO}{names[b]}"
        )
        span = float(starts[row]), float(ends[row])
        found.append(
            _cut(motion, places[:, row], yaws[:, row], span, (cycles[a], cycles[b]), character.anatomy, in_place)
        )
    return found


def _step(batch: BatchGaits, gait: Ints, poses: list[tuple[Floats, Floats]]) -> Floats:
    """One frame in the gaits `(N,)` at their usual speeds, kept; how far the bodies are in their strides `(N,)`."""
    wish = _velocities(batch)[gait]
    state = batch.step(batch.asking(np.abs(wish), np.angle(wish), np.zeros(batch.count), gait))
    poses.append((state.positions, state.rotations))
    return _phase(batch, gait)


def _phase(batch: BatchGaits, gait: Ints) -> Floats:
    phase: Floats = batch.timing.body_phases[np.arange(batch.count), gait] % 1.0
    return phase


def _velocities(batch: BatchGaits) -> Complexes:
    """How the gaits go ahead and to the left `(S,)`; not at all where they stand."""
    velocities = np.array([complex(c.velocity[1], c.velocity[0]) for c in batch.library.cycles])
    return np.where(batch.strides.laws.stands, 0, velocities)


def _is_there(batch: BatchGaits, gait: Ints, rotations: Floats) -> Bools:
    """Whether the animals `(N,)` go in these gaits, about at their speeds and with their posture."""
    timing, lock, library, wish = batch.timing, batch.lock.state, batch.library, _velocities(batch)[gait]
    stands = batch.strides.laws.stands[gait]
    rows, legs = np.arange(batch.count), timing.legs
    near = np.abs(batch.root.velocity - wish) <= np.maximum(NEAR * np.abs(wish), 0.02)
    alone = (timing.weights[rows, gait] > 1 - NEAR) & (lock.contacts.all(axis=1) | ~stands)
    usual = library.sample(gait, np.repeat(_phase(batch, gait)[:, None], legs + 1, axis=1))[1]
    off = rot.difference(rotations, rot.unit(usual))
    body = (library.skeleton.parents >= 0) & (library.owner == legs)
    carried = off[:, body].max(axis=1, initial=0.0) < OFF
    late = np.abs((timing.phases[rows, gait] - timing.body_phases[rows, gait][:, None] + 0.5) % 1.0 - 0.5).max(axis=1)
    placed = np.where(stands, lock.stray.max(axis=1) < ASTRAY, late < LATE)
    result: Bools = alone & near & carried & placed
    return result


def _cut(
    motion: Motion,
    places: Complexes,
    yaws: Floats,
    span: tuple[float, float],
    loops: tuple[Cycle, Cycle],
    anatomy: Anatomy,
    in_place: bool,
) -> Motion:
    """What lies between two moments in frames, from the origin, or seen from the track all along."""
    first, last = span
    count = max(round(last - first), 3)
    at = np.linspace(first, last, count + 1)
    rate = motion.frame_rate * count / (last - first)
    seen = replace(sample(_moved(motion, -places * np.exp(-1j * yaws), -yaws), at), frame_rate=rate)
    seen = _led(seen, anatomy, *loops)
    if in_place:
        return seen
    frames = np.arange(len(places))
    there = np.interp(at, frames, places.real) + 1j * np.interp(at, frames, places.imag)
    turned = np.interp(at, frames, yaws)
    return _moved(seen, (there - there[0]) * np.exp(-1j * turned[0]), turned - turned[0])


# Actions -----------------------------------------------------------------------------------------


def _act(action: Action, anatomy: Anatomy, stand: Cycle, in_place: bool) -> list[Motion]:
    """An action from the first pose of a stand and back to it: whole, or in three if it can be held."""
    whole, gone = _on_the_spot(action.motion, stand)
    whole = _led(whole, anatomy, stand, stand)
    if not in_place:
        whole = _moved(whole, gone, np.zeros(len(whole)))
    if action.hold is None:
        return [replace(whole, name=action.name)]
    spans = {"enter": action.enter, "hold": action.hold, "leave": action.leave}
    return [replace(whole[a : b + 1], name=f"{action.name}_{part}") for part, (a, b) in spans.items()]


def _on_the_spot(motion: Motion, stand: Cycle) -> tuple[Motion, Complexes]:
    """An action where the stand is, without what it travels from its first frame to its last, and that `(T,)`."""
    root = motion.positions[:, 0].astype(np.float64)
    path = (root[:, 2] - root[0, 2]) + 1j * (root[:, 0] - root[0, 0])
    gone = np.zeros(len(path), complex)
    if abs(path[-1]) > 1e-3:
        gone = np.clip((path * path[-1].conjugate()).real / abs(path[-1]) ** 2, 0, 1) * path[-1]
    here = complex(stand.positions[0, 0, 2] - root[0, 2], stand.positions[0, 0, 0] - root[0, 0])
    return _moved(motion, here - gone, np.zeros(len(path))), gone

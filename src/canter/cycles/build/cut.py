"""Cycles from anything: the steadiest stride of every gait, out of loops, long takes and clips that walk in place.

A loop of one stride is taken as it is. Out of longer loops and takes comes the stride whose last pose is most like its
first, that turns least and keeps its speed; it is laid along a straight line and closed exactly. What was taken from
where, and what was skipped and why, is reported.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from canter.anatomy import Anatomy, Character, Clip, ground_track
from canter.anatomy.contacts import runs
from canter.anatomy.footfalls import read_footfalls, strides_of
from canter.anatomy.loose_joints import companions
from canter.anatomy.standing import sole_heights
from canter.cleaning.loop_cuts import STEADY_GAITS, seen_from_body
from canter.cycles.build.cycle import along_track
from canter.cycles.build.level import on_one_level
from canter.cycles.build.rows import Row, Taken, make_row
from canter.cycles.build.stand import stand_clips
from canter.cycles.engine.cycle import Cycle
from canter.motion import Motion, close_loop, loop, metrics, transform, velocity
from canter.motion.arrays import Floats
from canter.motion.loops import Track

MAX_STRAIGHT_TURN = np.radians(3)
"""A loop that turns by less than this goes straight ahead."""
CLOSED_GAP = 1e-3, 0.01
"""Centimetres and degrees below which the last pose of a loop is its first."""
MAX_STRETCH = 0.08
"""By how much of its length a stride may be made longer or shorter for the sake of its closing."""
TURN_COST, SPEED_CHANGE_COST, UNUSUAL_SPEED_COST = 0.3, 0.2, 0.05
"""The cost of a stride is the gap of its joints in hip heights, plus these: per radian that it turns by, per doubling
of the speed within it, and per natural logarithm of its speed over the usual speed of the take."""
BODY_GAP_WEIGHT = 0.25
"""The weight of the gaps of joints that are in no leg; those of the legs have one."""
MAX_STEADY_COST, MAX_COST = 0.2, 0.4
"""A stride of a greater cost is not steady, and only taken where there is no other; beyond the second it is none."""
MIN_SPEED_RATIO, MAX_SECOND_COST = 1.4, 0.1
"""A second stride of the same gait is kept if the speeds differ by this factor and it costs no more than that."""
TRIES = 12
"""Strides of a gait that are tried, the best first, until the footfalls of one say the same when it is closed."""
HOPPING = ("bound", "pronk", "irregular")
"""What the feet of a loop say that hops or bucks."""
GAIT_WORDS = (
    "walk",
    "amble",
    "pace",
    "trot",
    "jog",
    "rack",
    "tolt",
    "canter",
    "lope",
    "gallop",
    "run",
    "sprint",
    "bound",
    "pronk",
)
"""How the words begin by which people call a clip a gait."""
MAX_ACTION_SECONDS = 12.0
"""Seconds of clips without a gait that are kept as actions."""


@dataclass(frozen=True, eq=False)
class Cut:
    """The strides and stands of a character's clips with their cycles, the slowest first; and the clips that were
    skipped, with reasons."""

    rows: tuple[Row, ...]
    skipped: tuple[tuple[str, str], ...]

    @property
    def taken(self) -> tuple[Taken, ...]:
        return tuple(row.taken for row in self.rows)


@dataclass(frozen=True, eq=False)
class _Window:
    """A stretch of a motion that may be a stride of a gait; one that `is_whole` loops already."""

    clip: Clip
    motion: Motion
    gait: str
    first: int
    last: int
    speed: float
    cost: float
    how: str
    is_whole: bool = False


def cut_cycles(character: Character) -> tuple[Cycle, ...]:
    """A cycle of every gait that a character's clips show, and of how it stands, the slowest first."""
    return tuple(row.cycle for row in cut(character).rows)


def cut(character: Character) -> Cut:
    """The steadiest stride of every gait and the stands, and why other clips were skipped."""
    if character.anatomy.kind != "quadruped":
        raise ValueError(f"{character.name} has no four legs that canter understands; see canter inspect")
    windows = [window for clip in character.clips for window in _windows(clip, character.anatomy)]
    soles = sole_heights(character) if any(not w.is_whole for w in windows) else np.zeros(4)
    taken = _best(windows, character, soles, MAX_STEADY_COST) or _best(windows, character, soles, MAX_COST)
    taken = _levelled(taken, character)
    stands = [
        Taken(clip, source, (0, len(clip.motion) - 1), gap, 0.0, how)
        for clip, source, gap, how in stand_clips(character, [t.clip for t in taken])
    ]
    everything = _named([*stands, *taken])
    loose = companions(character)
    rows = sorted((make_row(character, t, loose) for t in everything), key=lambda row: row.cycle.speed)
    return Cut(tuple(rows), tuple(_skipped(character, windows, everything)))


def is_short_action(clip: Clip) -> bool:
    """Whether a clip is a jump, a fall or the like, worth keeping beside the cycles."""
    return clip.footfalls.gait == "action" and clip.motion.seconds <= MAX_ACTION_SECONDS


def with_hops_as_actions(character: Character) -> Character:
    """The character with loops that hop or buck as actions: all feet leave the ground together once, and nobody has
    called it a gait. An animal that shows no other gait goes so (a rabbit does)."""
    hops = [clip for clip in character.clips if _is_hop(clip)]
    gaits = [clip for clip in character.clips if clip.footfalls.gait in STEADY_GAITS and clip not in hops]
    if not hops or not gaits:
        return character
    return replace(character, clips=tuple(as_action(clip) if clip in hops else clip for clip in character.clips))


def _is_hop(clip: Clip) -> bool:
    feet = clip.footfalls
    words = re.split(r"[\W\d_]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", clip.name).casefold())
    if feet.gait not in HOPPING or not feet.loop or any(word.startswith(GAIT_WORDS) for word in words):
        return False
    aloft = np.asarray(~feet.contacts[:-1].any(axis=1))
    return len(runs(aloft, periodic=True)) == 1


def as_action(clip: Clip) -> Clip:
    """A clip whose footfalls count as those of an action; which gaits its strides show is kept in their shares."""
    feet = clip.footfalls
    return replace(clip, footfalls=replace(feet, gait="action", shares=feet.shares or {feet.gait: 1.0}))


# Where strides may be ----------------------------------------------------------------------------


def _windows(clip: Clip, anatomy: Anatomy) -> Iterator[_Window]:
    feet, motion = clip.footfalls, clip.motion
    if feet.gait in ("stand", "action", "unknown") or len(motion) < 4:
        return
    strides = round(motion.seconds / feet.stride_seconds) if np.isfinite(feet.stride_seconds) else 1
    if feet.loop and strides <= 1:
        gap = metrics.loop_closure(motion, track=_track(motion, anatomy)).position
        cost = gap / 100 / anatomy.hip_height
        yield _Window(clip, motion, feet.gait, 0, len(motion) - 1, feet.speed, cost, "the loop as it is", True)
    elif feet.loop:
        yield from _of_long_loop(clip, anatomy, strides)
    elif feet.in_place and motion.seconds < 1.6 * feet.stride_seconds:
        if feet.gait in STEADY_GAITS:
            how = "one stride, its seam closed"
            yield _Window(clip, motion, feet.gait, 0, len(motion) - 1, feet.speed, MAX_STEADY_COST, how)
    else:
        yield from _of_take(clip, anatomy)


def _of_long_loop(clip: Clip, anatomy: Anatomy, strides: int) -> Iterator[_Window]:
    """The best of all strides in a loop that holds several; it may run over the seam."""
    motion, gait = clip.motion, clip.footfalls.gait
    twice = loop(motion, 2, track=_track(motion, anatomy))
    whole = len(motion) - 1
    cost = _costs(twice, anatomy)
    lengths = {int(np.floor(whole / strides)), int(np.ceil(whole / strides))}
    found = [(float(c), first, first + n) for n in sorted(lengths) for first, c in enumerate(cost(0, whole, n))]
    best, first, last = min(found)
    yield _Window(clip, twice, gait, first, last, clip.footfalls.speed, best, f"one of {strides} strides of a loop")


def _of_take(clip: Clip, anatomy: Anatomy) -> Iterator[_Window]:
    """The best stretch around every stride of a take; its gait is that stride's."""
    motion, rate = clip.motion, clip.motion.frame_rate
    strides = [s for s in strides_of(motion, anatomy) if s.gait in STEADY_GAITS]
    usual = {g: float(np.median([s.speed for s in strides if s.gait == g])) for g in {s.gait for s in strides}}
    cost = _costs(motion, anatomy)
    for seen in strides:
        start, long = round(seen.stride.start * rate), seen.stride.seconds * rate
        lengths = range(max(3, int(np.ceil((1 - MAX_STRETCH) * long))), int((1 + MAX_STRETCH) * long) + 1)
        found = [
            (float(c), first, first + n)
            for n in lengths
            for first, c in enumerate(cost(max(start - n // 4, 0), start + n // 4, n), max(start - n // 4, 0))
        ]
        if found:
            best, first, last = min(found)
            best += UNUSUAL_SPEED_COST * abs(float(np.log(seen.speed / usual[seen.gait])))
            yield _Window(clip, motion, seen.gait, first, last, seen.speed, best, "a stride of a take")


def _costs(motion: Motion, anatomy: Anatomy) -> Callable[[int, int, int], Floats]:
    """A function that says what strides cost that begin in frames `first` to `end` and last `count` frames."""
    poses, places, facings = seen_from_body(motion, anatomy)
    legs = {joint for leg in anatomy.legs for joint in leg.joints}
    others = [joint for joint in range(len(motion.skeleton)) if joint not in legs | set(anatomy.ignored)]
    rest = seen_from_body(motion, anatomy, others)[0] / anatomy.hip_height
    poses = poses / anatomy.hip_height
    speeds = np.linalg.norm(velocity(places, motion.frame_rate), axis=-1)

    def cost(first: int, end: int, count: int) -> Floats:
        end = min(end, len(poses) - count)
        a, b = slice(first, max(end, first)), slice(first + count, max(end, first) + count)
        gaps = np.linalg.norm(poses[b] - poses[a], axis=-1).mean(axis=-1)
        if others:
            gaps = gaps + BODY_GAP_WEIGHT * np.linalg.norm(rest[b] - rest[a], axis=-1).mean(axis=-1)
        change = np.abs(np.log2(np.maximum(speeds[b], 1e-3) / np.maximum(speeds[a], 1e-3)))
        result: Floats = gaps + TURN_COST * np.abs(facings[b] - facings[a]) + SPEED_CHANGE_COST * change
        return result

    return cost


# The strides themselves --------------------------------------------------------------------------


def _best(windows: Sequence[_Window], character: Character, soles: Floats, worst: float) -> list[Taken]:
    """The steadiest stride of each gait, and more of other directions, or of speeds that are far from all before."""
    kept: list[tuple[str, int, float]] = []
    tries: dict[str, int] = {}
    result = []

    def is_there(gait: str, way: int, speed: float) -> bool:
        return any((gait, way) == (g, w) and max(s, speed) < MIN_SPEED_RATIO * min(s, speed) for g, w, s in kept)

    for window in sorted(windows, key=lambda w: (w.cost, w.clip.name)):
        way = _way(window.clip, character.anatomy) if window.is_whole else 0
        most = MAX_SECOND_COST if any(gait == window.gait for gait, _, _ in kept) else worst
        if is_there(window.gait, way, window.speed) or (window.cost > most and not window.is_whole):
            continue
        if tries.get(window.gait, 0) >= TRIES:
            continue
        tries[window.gait] = tries.get(window.gait, 0) + (not window.is_whole)
        made = _as_it_is(window, character.anatomy) if window.is_whole else _made(window, character, soles)
        if made is not None and not is_there(made.clip.footfalls.gait, way, window.speed):
            kept.append((made.clip.footfalls.gait, way, window.speed))
            result.append(made)
    return result


def _levelled(taken: list[Taken], character: Character) -> list[Taken]:
    """All strides as high as the animal stands."""
    if not taken:
        return taken
    strides = [t.clip for t in taken]
    reference, *_ = next(stand_clips(character, strides))
    clips = on_one_level(strides, character.anatomy, reference)
    return [
        t if clip.motion is t.clip.motion else replace(t, clip=clip, how=f"{t.how}, brought to the ground")
        for t, clip in zip(taken, clips, strict=True)
    ]


def _way(clip: Clip, anatomy: Anatomy) -> int:
    """Left or right for loops that go aside or turn, 0 for all others: -1, 0 or 1."""
    if clip.footfalls.gait not in ("side", "turn"):
        return 0
    track = ground_track(clip.motion, anatomy, smooth=False)
    moved = track.positions[-1, 0] - track.positions[0, 0]
    return int(np.sign(moved if clip.footfalls.gait == "side" else track.facings[-1] - track.facings[0]))


def _as_it_is(window: _Window, anatomy: Anatomy) -> Taken:
    track = _track(window.motion, anatomy)
    gap = metrics.loop_closure(window.motion, track=track)
    clip = window.clip
    if gap.position > CLOSED_GAP[0] or gap.angle > CLOSED_GAP[1]:
        clip = replace(clip, motion=close_loop(clip.motion, track=track))
    return Taken(clip, clip.name, (window.first, window.last), gap.position, window.cost, window.how)


def _made(window: _Window, character: Character, soles: Floats) -> Taken | None:
    """The stride laid straight, closed and put on the ground; None if its footfalls then tell no gait."""
    anatomy = character.anatomy
    part = along_track(window.motion[window.first : window.last + 1], anatomy)
    track = _track(part, anatomy)
    gap = metrics.loop_closure(part, track=track).position
    closed = close_loop(part, track=track)
    clip = read_footfalls(closed, anatomy)
    contacts = clip.footfalls.contacts
    gait = clip.footfalls.gait
    if gait not in STEADY_GAITS or not clip.footfalls.loop or len(clip.motion) != len(closed):
        return None
    if not contacts.any(axis=0).all() or contacts.all(axis=0).any():
        return None
    off = float(np.median((closed.position_world[:, anatomy.feet, 1] - soles)[contacts]))
    clip = replace(clip, motion=_called(transform(clip.motion, translation=[0.0, -off, 0.0]), gait))
    frames = (window.first, window.last)
    return Taken(clip, window.clip.name, frames, gap, window.cost, window.how)


def _track(motion: Motion, anatomy: Anatomy) -> Track:
    """The ground track of a loop, without a turn that is only its gap."""
    track = ground_track(motion, anatomy, smooth=False)
    turn = float(track.facings[-1] - track.facings[0])
    return track.positions, (np.zeros(len(motion)) if abs(turn) < MAX_STRAIGHT_TURN else track.facings)


# The report ---------------------------------------------------------------------------------------


def _named(taken: Sequence[Taken]) -> list[Taken]:
    """All under names of their own: the second walk is "walk 2"."""
    result: list[Taken] = []
    for one in taken:
        names = {t.clip.name for t in result}
        count, name = 1, one.clip.name
        while name in names:
            count += 1
            name = f"{one.clip.name} {count}"
        motion = one.clip.motion
        result.append(
            one if name == motion.name else replace(one, clip=replace(one.clip, motion=_called(motion, name)))
        )
    return result


def _called(motion: Motion, name: str) -> Motion:
    return replace(motion, name=name)


def _skipped(character: Character, windows: Sequence[_Window], taken: Sequence[Taken]) -> Iterator[tuple[str, str]]:
    used = {t.source for t in taken}
    for clip in character.clips:
        if clip.name in used:
            continue
        gait = clip.footfalls.gait
        ours = [w for w in windows if w.clip is clip]
        if gait == "stand":
            yield clip.name, "stands, and moves too far for a loop"
        elif gait in ("action", "unknown"):
            yield clip.name, "shows no gait"
        elif not ours:
            yield clip.name, f"shows no steady stride ({gait})"
        elif (best := min(ours, key=lambda w: w.cost)).gait in {t.clip.footfalls.gait for t in taken}:
            yield clip.name, f"another clip has a steadier {best.gait}"
        else:
            yield clip.name, f"none of its strides closes well ({best.gait})"

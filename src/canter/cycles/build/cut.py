"""Cycles from anything: the steadiest stride of every gait, out of loops, long takes and clips that walk in place.

A loop of one stride is taken as it is. Out of longer loops and of the spans of takes comes the stride whose last pose
is most like its first, that turns least and keeps its speed (`windows.py`); it is laid along a straight line and closed
exactly. What was taken from where, and what was skipped and why, is reported.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from canter.anatomy import Anatomy, Character, Clip, ground_track
from canter.anatomy.contacts import runs
from canter.anatomy.footfalls import read_footfalls
from canter.anatomy.loose_joints import companions
from canter.anatomy.standing import sole_heights
from canter.cleaning.loop_cuts import STEADY_GAITS
from canter.cycles.build.cycle import along_track
from canter.cycles.build.level import on_one_level
from canter.cycles.build.rows import Row, Taken, make_row
from canter.cycles.build.stand import stand_clips
from canter.cycles.build.windows import (
    GAIT_WORDS,
    MAX_STEADY_COST,
    MIN_SPEED_RATIO,
    Window,
    called_gait,
    find_windows,
    gap_of,
    track_of,
    with_agreed_gaits,
    with_usual_posture,
    words_of,
)
from canter.cycles.engine.cycle import Cycle
from canter.motion import Motion, close_loop, metrics, transform
from canter.motion.arrays import Floats

CLOSED_GAP = 1e-3, 0.01
"""Centimetres and degrees below which the last pose of a loop is its first."""
MAX_COST = 0.4
"""A stride that is not steady is only taken where there is no other, and none of a greater cost."""
MAX_SECOND_COST = 0.1
"""A second stride of the same gait is kept if its speed is another and it costs no more than that."""
TRIES = 12
"""Strides of a gait that are tried, the best first, until the footfalls of one say the same when it is closed."""
HOPPING = ("bound", "pronk", "irregular")
"""What the feet of a loop say that hops or bucks."""
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


def cut_cycles(character: Character) -> tuple[Cycle, ...]:
    """A cycle of every gait that a character's clips show, and of how it stands, the slowest first."""
    return tuple(row.cycle for row in cut(character).rows)


def cut(character: Character) -> Cut:
    """The steadiest stride of every gait and the stands, and why other clips were skipped."""
    if character.anatomy.kind != "quadruped":
        raise ValueError(f"{character.name} has no four legs that canter understands; see canter inspect")
    clips = with_agreed_gaits(character.clips)
    windows = with_usual_posture([window for clip in clips for window in find_windows(clip, character.anatomy)])
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
    called = any(word.startswith(GAIT_WORDS) for word in words_of(clip.name))
    if feet.gait not in HOPPING or not feet.loop or called:
        return False
    aloft = np.asarray(~feet.contacts[:-1].any(axis=1))
    return len(runs(aloft, periodic=True)) == 1


def as_action(clip: Clip) -> Clip:
    """A clip whose footfalls count as those of an action; which gaits its strides show is kept in their shares."""
    feet = clip.footfalls
    return replace(clip, footfalls=replace(feet, gait="action", shares=feet.shares or {feet.gait: 1.0}))


# The strides themselves --------------------------------------------------------------------------


def _best(windows: Sequence[Window], character: Character, soles: Floats, worst: float) -> list[Taken]:
    """The steadiest stride of each gait, and more of other directions, or of speeds that are far from all before. One
    whose feet say another gait than its span, once it is closed, is only taken where there is no other."""
    kept: list[tuple[str, int, float]] = []
    tries: dict[str, int] = {}
    doubtful: dict[str, Taken] = {}
    result = []

    def is_there(kind: str, way: int, speed: float) -> bool:
        return any((kind, way) == (k, w) and max(s, speed) < MIN_SPEED_RATIO * min(s, speed) for k, w, s in kept)

    for window in sorted(windows, key=lambda w: (w.cost + w.doubt, w.clip.name)):
        way = _way(window.clip, character.anatomy) if window.is_whole else 0
        most = MAX_SECOND_COST if any(kind == window.kind for kind, _, _ in kept) else worst
        if is_there(window.kind, way, window.speed) or (window.cost > most and not window.is_whole):
            continue
        if tries.get(window.kind, 0) >= TRIES:
            continue
        tries[window.kind] = tries.get(window.kind, 0) + (not window.is_whole)
        made = _as_it_is(window, character.anatomy) if window.is_whole else _made(window, character, soles)
        if made is None:
            continue
        if window.gait not in ("", made.clip.footfalls.gait):
            doubtful.setdefault(window.kind, _of_gait(made, window))
            continue
        kept.append((window.kind, way, window.speed))
        result.append(_of_gait(made, window))
    return [*result, *(made for kind, made in doubtful.items() if kind not in {kind for kind, _, _ in kept})]


def _of_gait(taken: Taken, window: Window) -> Taken:
    """A stride called as its window is, whatever its feet say."""
    clip = taken.clip
    gait = window.gait or clip.footfalls.gait
    name = window.name or (clip.name if window.is_whole else gait)
    return replace(taken, clip=Clip(_called(clip.motion, name), replace(clip.footfalls, gait=gait)))


def _levelled(taken: list[Taken], character: Character) -> list[Taken]:
    """All strides as high as the animal stands."""
    if not taken:
        return taken
    strides = [t.clip for t in taken]
    reference, *_ = next(stand_clips(character, strides))
    clips = on_one_level(strides, character, reference)
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


def _as_it_is(window: Window, anatomy: Anatomy) -> Taken:
    track = track_of(window.motion, anatomy)
    gap = metrics.loop_closure(window.motion, track=track)
    clip = replace(window.clip, footfalls=replace(window.clip.footfalls, gait=window.gait))
    if gap.position > CLOSED_GAP[0] or gap.angle > CLOSED_GAP[1]:
        clip = replace(clip, motion=close_loop(clip.motion, track=track))
    missed = gap_of(window.motion, anatomy)
    return Taken(clip, clip.name, (window.first, window.last), missed, window.cost, window.how)


def _made(window: Window, character: Character, soles: Floats) -> Taken | None:
    """The stride laid straight, closed and put on the ground; None if its footfalls then tell no gait."""
    anatomy = character.anatomy
    part = along_track(window.motion[window.first : window.last + 1], anatomy)
    track = track_of(part, anatomy)
    closed = close_loop(part, track=track)
    clip = read_footfalls(closed, anatomy)
    contacts = clip.footfalls.contacts
    if clip.footfalls.gait not in STEADY_GAITS or not clip.footfalls.loop or len(clip.motion) != len(closed):
        return None
    if not contacts.any(axis=0).all() or contacts.all(axis=0).any():
        return None
    off = float(np.median((closed.position_world[:, anatomy.feet, 1] - soles)[contacts]))
    clip = replace(clip, motion=transform(clip.motion, translation=[0.0, -off, 0.0]))
    return Taken(clip, window.clip.name, (window.first, window.last), gap_of(part, anatomy), window.cost, window.how)


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


def _skipped(character: Character, windows: Sequence[Window], taken: Sequence[Taken]) -> Iterator[tuple[str, str]]:
    used = {t.source for t in taken}
    for clip in character.clips:
        if clip.name in used:
            continue
        gait = clip.footfalls.gait
        ours = [w for w in windows if w.clip.motion is clip.motion]
        if not ours and gait == "stand":
            yield clip.name, "stands, and moves too far for a loop"
        elif not ours and gait in ("action", "unknown"):
            yield clip.name, "shows no gait"
        elif not ours:
            labels = ", ".join(dict.fromkeys(s.label for s in clip.footfalls.spans if called_gait(s.label) is None))
            yield clip.name, f"shows no steady stride ({labels or gait})"
        elif (best := min(ours, key=lambda w: w.cost)).kind in {t.clip.footfalls.gait for t in taken}:
            yield clip.name, f"another clip has a steadier {best.kind}"
        else:
            yield clip.name, f"none of its strides closes well ({best.kind})"

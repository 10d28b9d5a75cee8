"""Where strides are in a character's clips: whole loops, and the stretches of takes that may be made into one.

A take is looked at span by span (`anatomy/spans.py`): what a span is called, by its footfalls or by a person's label
beside the file, is the gait of the strides in it, and a span that is no gait gives none. What a stretch costs says how
far it is from a steady stride that closes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from canter.anatomy import Anatomy, Clip, ground_track
from canter.anatomy.character import TakeSpan
from canter.anatomy.footfalls import GaitStride, strides_of
from canter.cleaning.loop_cuts import STEADY_GAITS, seen_from_body
from canter.motion import Motion, loop, metrics, velocity
from canter.motion.arrays import Floats
from canter.motion.loops import Track

NO_GAITS = ("stand", "action", "unknown")
"""What the footfalls of a clip without strides are called."""
MAX_STRAIGHT_TURN = np.radians(3)
"""A loop that turns by less than this goes straight ahead."""
MIN_SPEED_RATIO = 1.4
"""Speeds that differ by less than this factor are about the same."""
MAX_STRETCH = 0.08
"""By how much of its length a stride may be made longer or shorter for the sake of its closing."""
MAX_OUTSIDE = 0.1
"""Shares of a stride by which it may reach beyond its span at either end."""
TURN_COST, SPEED_CHANGE_COST, UNUSUAL_SPEED_COST = 0.3, 0.2, 0.05
"""The cost of a stride is the gap of its joints in hip heights, plus these: per radian that it turns by, per doubling
of the speed within it, and per natural logarithm of its speed over the usual speed of the gait in the take."""
SPAN_DOUBT, STRIDE_DOUBT = 0.1, 0.05
"""What makes a stride come after others of its gait, as if it cost so much more: per share of the strides in its span
that show another gait, and if it shows another gait itself."""
BODY_GAP_WEIGHT = 0.25
"""The weight of the gaps of joints that are in no leg; those of the legs have one."""
MAX_HEAD_GAP = 0.2
"""Hip heights by which a joint of head or trunk may miss its first place; what is more counts besides the mean gap."""
MAX_USUAL_OFF, POSTURE_COST, MIN_USUAL = 0.15, 2.0, 8
"""Hip heights by which the body may be held otherwise than usual, and what each one more costs: nobody wants to drive a
dog that sniffs at the ground. What is usual is told by so many steady strides at least."""
MAX_STEADY_COST = 0.2
"""A stride of a greater cost is not steady."""
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
    "back",
)
"""How the words begin by which people call a clip or a part of it a gait."""


@dataclass(frozen=True, eq=False)
class Window:
    """A stretch of a motion that may be a stride of a gait; one that `is_whole` loops already.

    `cost` says how far it is from a steady stride that closes, `doubt` how uncertain its gait is, both in hip heights.
    `gait` is empty where the feet shall say it when the stride is closed; `name` is what a person called it, if that is
    not simply the gait. `posture (B, 3)` is where the joints of the body are on average as seen from its place on the
    ground, in hip heights; None if that does not matter.
    """

    clip: Clip
    motion: Motion
    gait: str
    first: int
    last: int
    speed: float
    cost: float
    how: str
    is_whole: bool = False
    name: str = ""
    doubt: float = 0.0
    posture: Floats | None = None

    @property
    def kind(self) -> str:
        """What it is one of: strides of one kind are compared with each other."""
        return self.name or self.gait


def find_windows(clip: Clip, anatomy: Anatomy) -> Iterator[Window]:
    """The stretches of a clip that may be strides."""
    feet, motion = clip.footfalls, clip.motion
    if len(motion) < 4:
        return
    if not (feet.loop or feet.in_place) and (feet.spans or feet.gait not in NO_GAITS):
        yield from _of_take(clip, anatomy)
        return
    named = _named_as_a_whole(clip)
    if named is None or feet.gait in NO_GAITS:
        return
    strides = round(motion.seconds / feet.stride_seconds) if np.isfinite(feet.stride_seconds) else 1
    if feet.loop and strides <= 1:
        gap = gap_of(motion, anatomy)
        found = Window(clip, motion, "", 0, len(motion) - 1, feet.speed, gap / 100 / anatomy.hip_height, "", True)
        yield replace(found, gait=named[0], name=named[1], how="the loop as it is")
    elif feet.loop:
        yield _of_long_loop(clip, anatomy, strides, *named)
    elif motion.seconds < 1.6 * feet.stride_seconds:
        if named[0] in STEADY_GAITS:
            found = Window(clip, motion, named[0], 0, len(motion) - 1, feet.speed, MAX_STEADY_COST, "", name=named[1])
            yield replace(found, how="one stride, its seam closed")
    else:
        yield from _of_take(clip, anatomy)


def with_agreed_gaits(clips: Sequence[Clip]) -> list[Clip]:
    """The clips with one name for each gait: a span that might as well be its runner-up is that, if the takes together
    show the other for longer at about its speed."""
    spans = [span for clip in clips for span in clip.footfalls.spans]

    def seconds(label: str, speed: float) -> float:
        near = (s for s in spans if s.label == label and max(s.speed, speed) < MIN_SPEED_RATIO * min(s.speed, speed))
        return sum(span.seconds for span in near)

    def agreed(span: TakeSpan) -> TakeSpan:
        other = span.runner_up
        if not other or seconds(other, span.speed) <= seconds(span.label, span.speed):
            return span
        return replace(span, label=other, runner_up=span.label)

    return [
        replace(clip, footfalls=replace(clip.footfalls, spans=tuple(map(agreed, clip.footfalls.spans))))
        if any(agreed(span) is not span for span in clip.footfalls.spans)
        else clip
        for clip in clips
    ]


def with_usual_posture(windows: Sequence[Window]) -> list[Window]:
    """The windows, at a greater cost where the body is held otherwise than in most steady strides."""
    seen = [w.posture for w in windows if w.posture is not None and w.cost <= MAX_STEADY_COST]
    if len(seen) < MIN_USUAL:
        return list(windows)
    usual = np.median(np.stack(seen), axis=0)

    def cost(posture: Floats) -> float:
        off = float(np.linalg.norm(posture - usual, axis=-1).mean())
        return POSTURE_COST * max(off - MAX_USUAL_OFF, 0.0)

    return [w if w.posture is None else replace(w, cost=w.cost + cost(w.posture)) for w in windows]


def words_of(name: str) -> list[str]:
    """The words of a name like `WalkSlow_2`, in small letters."""
    return re.split(r"[\W\d_]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).casefold())


def called_gait(label: str) -> tuple[str, str] | None:
    """The gait that a label speaks of, and the label if it says more than that ("lame trot"); the gait is empty if feet
    must say it ("lope"). None if it speaks of no gait."""
    words = words_of(label)
    if not any(word.startswith(GAIT_WORDS) for word in words):
        return None
    gait = next((gait for gait in STEADY_GAITS if gait in words), "")
    return gait, "" if label == gait else label


def _named_as_a_whole(clip: Clip) -> tuple[str, str] | None:
    """Gait and name of a loop: by the label that covers most of it, if there is one that says other than its feet."""
    feet = clip.footfalls
    longest = max(feet.spans, key=lambda span: span.seconds, default=None)
    if longest is None or longest.label == feet.gait:
        return feet.gait, ""
    called = called_gait(longest.label)
    return called if called is None else (called[0] or feet.gait, called[1])


def _of_long_loop(clip: Clip, anatomy: Anatomy, strides: int, gait: str, name: str) -> Window:
    """The best of all strides in a loop that holds several; it may run over the seam."""
    motion = clip.motion
    twice = loop(motion, 2, track=track_of(motion, anatomy))
    whole = len(motion) - 1
    cost = _costs(twice, anatomy)
    lengths = {int(np.floor(whole / strides)), int(np.ceil(whole / strides))}
    found = [(float(c), first, first + n) for n in sorted(lengths) for first, c in enumerate(cost(0, whole, n))]
    best, first, last = min(found)
    how = f"one of {strides} strides of a loop"
    return Window(clip, twice, gait, first, last, clip.footfalls.speed, best, how, name=name)


# Takes -------------------------------------------------------------------------------------------


def _of_take(clip: Clip, anatomy: Anatomy) -> Iterator[Window]:
    """The best stretch around every stride of a take, inside of its span."""
    motion, rate = clip.motion, clip.motion.frame_rate
    strides = list(_strides_in_spans(clip, anatomy))
    if not strides:
        return
    speeds: dict[str, list[float]] = {}
    for seen, span in strides:
        speeds.setdefault(span.label, []).append(seen.speed)
    cost, places = _costs(motion, anatomy), seen_from_body(motion, anatomy, _body(anatomy, len(motion.skeleton)))[0]
    places = places[:, : places.shape[1] // 2] / anatomy.hip_height
    for seen, span in strides:
        start, long = round(seen.stride.start * rate), seen.stride.seconds * rate
        lengths = range(max(3, int(np.ceil((1 - MAX_STRETCH) * long))), int((1 + MAX_STRETCH) * long) + 1)
        found = []
        for n in lengths:
            beyond = MAX_OUTSIDE * n
            first = max(start - n // 4, round(span.start * rate - beyond), 0)
            end = min(start + n // 4, round(span.end * rate + beyond) - n)
            found += [(float(c), at, at + n) for at, c in enumerate(cost(first, end, n), first)]
        if not found:
            continue
        best, first, last = min(found)
        called = called_gait(span.label)
        gait, name = called if called is not None else (span.label, "")
        best += UNUSUAL_SPEED_COST * abs(float(np.log(seen.speed / np.median(speeds[span.label]))))
        doubt = SPAN_DOUBT * (1 - span.confidence) + STRIDE_DOUBT * (gait not in ("", seen.gait))
        how = "a stride of a take"
        window = Window(clip, motion, gait, first, last, seen.speed, best, how, name=name, doubt=doubt)
        yield replace(window, posture=places[first:last].mean(axis=0))


def _strides_in_spans(clip: Clip, anatomy: Anatomy) -> Iterator[tuple[GaitStride, TakeSpan]]:
    """Strides that go on, each with the span of a gait that most of it is in. Where no spans were read, every steady
    stride is of the gait that it shows."""
    spans, end = clip.footfalls.spans, clip.motion.seconds
    for seen in strides_of(clip.motion, anatomy):
        if not spans:
            if seen.gait in STEADY_GAITS:
                yield seen, TakeSpan(0.0, end, seen.gait)
            continue
        middle = seen.stride.start + seen.stride.seconds / 2
        span = next((span for span in spans if span.start <= middle < span.end), None)
        if span is not None and seen.speed > 0 and called_gait(span.label) is not None:
            yield seen, span


def _body(anatomy: Anatomy, joints: int) -> list[int]:
    """The joints of the animal that are in no leg."""
    legs = {joint for leg in anatomy.legs for joint in leg.joints}
    return [joint for joint in range(joints) if joint not in legs | set(anatomy.ignored)]


def _costs(motion: Motion, anatomy: Anatomy) -> Callable[[int, int, int], Floats]:
    """A function that says what strides cost that begin in frames `first` to `end` and last `count` frames."""
    poses, places, facings = seen_from_body(motion, anatomy)
    others = _body(anatomy, len(motion.skeleton))
    firm = [k for k, joint in enumerate(others) if joint not in anatomy.tail]
    rest = seen_from_body(motion, anatomy, others)[0] / anatomy.hip_height
    poses = poses / anatomy.hip_height
    speeds = np.linalg.norm(velocity(places, motion.frame_rate), axis=-1)

    def cost(first: int, end: int, count: int) -> Floats:
        end = min(end, len(poses) - count)
        a, b = slice(first, max(end, first)), slice(first + count, max(end, first) + count)
        gaps = np.linalg.norm(poses[b] - poses[a], axis=-1).mean(axis=-1)
        if others:
            body = np.linalg.norm(rest[b] - rest[a], axis=-1)
            swings = np.maximum(body[:, firm].max(axis=-1, initial=0.0) - MAX_HEAD_GAP, 0.0)
            gaps = gaps + BODY_GAP_WEIGHT * (body.mean(axis=-1) + swings)
        change = np.abs(np.log2(np.maximum(speeds[b], 1e-3) / np.maximum(speeds[a], 1e-3)))
        result: Floats = gaps + TURN_COST * np.abs(facings[b] - facings[a]) + SPEED_CHANGE_COST * change
        return result

    return cost


def gap_of(motion: Motion, anatomy: Anatomy) -> float:
    """Centimetres by which the last pose of a stride misses its first, at the worst joint of the animal."""
    ours = [joint for joint in range(len(motion.skeleton)) if joint not in anatomy.ignored]
    return metrics.loop_closure(motion, track=track_of(motion, anatomy), joints=ours).position


def track_of(motion: Motion, anatomy: Anatomy) -> Track:
    """The ground track of a loop, without a turn that is only its gap."""
    track = ground_track(motion, anatomy, smooth=False)
    turn = float(track.facings[-1] - track.facings[0])
    return track.positions, (np.zeros(len(motion)) if abs(turn) < MAX_STRAIGHT_TURN else track.facings)

"""Made-up takes as studios capture them: an animal stands, walks off, speeds up, turns, backs, jumps, sits, lies down.

A take is a list of parts. Between parts speed, yaw rate, rhythm and the order of footfalls change smoothly, every foot
on a clock of its own; feet never slide. What is done when is known exactly.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from canter.motion.arrays import Bools, Floats
from canter.motion.constants import GRAVITY
from canter.motion.easing import cubic_step
from canter.synthetic import body_motion as body
from canter.synthetic.gaits import Stride, hump
from canter.synthetic.proportions import Animal

EASE_SECONDS, POSTURE_SECONDS = 0.5, 0.9
"""How long changes of speed and of posture take, for hips at one metre; less for the square root of a lower height."""
LAST_LIFT, LAST_LANDING = 0.05, 0.35
"""Strides before a halt in which no foot is lifted any more, and strides after it until the last foot is down."""
MIN_SWING_STRIDES = 0.2
"""The shortest swing, in strides."""
CLOCK_DUTY = 0.6
"""The share of a foot's clock in which it stands, whatever the gait."""
FORE_FIRST_SECONDS = 0.06
"""By how much forefeet leave the ground and land before hind feet in a jump."""
JUMP_MARGIN_SECONDS = 0.08
"""What counts as part of a jump before the first foot leaves the ground and after the last is down."""
SWAY = 2.5
"""Radians a second in which the body of an animal that shuffles moves to and fro."""
SHUFFLE_STEP = 0.06
"""How far a foot is put elsewhere in a shuffle, in hip heights (standard deviation)."""
JUMP_PARTS = ("stand", "jump", "stand")
SITTING, LYING, CROUCHING = (0.55, 0.0), (0.62, 0.6), (0.15, 0.15)
"""By how many hip heights pelvis and chest are lower."""


@dataclass(frozen=True)
class Part:
    """One part of a take: what it is called, how long it lasts, the stride of one with steps, its speed ahead in m/s
    and its yaw rate; `flight` in seconds and `leap` in metres of a jump.

    An animal that stands may put a foot elsewhere so often (`shuffles`), and its body moves to and fro by some metres
    (`sway`). `unevenness` of the steps is beyond that of the whole take.
    """

    label: str
    seconds: float
    stride: Stride | None = None
    speed: float = 0.0
    yaw_rate: float = 0.0
    flight: float = 0.0
    leap: float = 0.0
    shuffles: int = 0
    sway: float = 0.0
    unevenness: float = 0.0


@dataclass(frozen=True)
class SpanTruth:
    """What an animal does from `start` to `end` seconds; `speed` in hip heights a second. Between two postures nothing
    is certain: the label is empty. A gait of uneven steps is not `steady`."""

    start: float
    end: float
    label: str
    speed: float = 0.0
    steady: bool = True


@dataclass(frozen=True, eq=False)
class Capture:
    """A take of one animal, made of parts: a `Performance`."""

    name: str
    frame_rate: float
    animal: Animal
    parts: tuple[Part, ...]
    unevenness: float = 0.0
    """How much steps differ: their times by this share of a stride, their places by this many hip heights."""
    bind_first: bool = False
    swings: dict[int, list[tuple[float, float, float]]] = field(init=False)
    """For each leg when it is lifted, when it lands, and how high it is lifted."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "swings", {leg: self._swings(leg) for leg in range(4)})

    @cached_property
    def edges(self) -> Floats:
        """Where parts begin and end `(P + 1,)`, in seconds."""
        return np.cumsum([0.0, *(part.seconds for part in self.parts)])

    @cached_property
    def times(self) -> Floats:
        return np.arange(round(self.edges[-1] * self.frame_rate)) / self.frame_rate

    @property
    def _ease(self) -> float:
        return EASE_SECONDS * float(np.sqrt(self.animal.hip))

    def _weights(self, seconds: float) -> Floats:
        """How much each part counts in each frame `(T, P)`, changing over so many seconds."""
        steps = cubic_step(np.clip((self.times[:, None] - self.edges[1:-1]) / seconds + 0.5, 0, 1))
        begun = np.concatenate([np.ones((len(steps), 1)), steps, np.zeros((len(steps), 1))], axis=1)
        result: Floats = begun[:, :-1] - begun[:, 1:]
        return result

    # The track -----------------------------------------------------------------------------------

    @cached_property
    def track(self) -> tuple[Floats, Floats]:
        """Ground points `(T, 3)` and headings `(T,)`."""
        weights = self._weights(self._ease)
        speed = weights @ np.array([part.speed for part in self.parts])
        for k, part in enumerate(self.parts):
            if part.flight:
                lift, land = self._flight(k)
                speed = speed + part.leap / part.flight * ((self.times >= lift) & (self.times < land))
            if part.sway:
                speed = speed + weights[:, k] * part.sway * SWAY * np.cos(SWAY * self.times)
        heading = np.cumsum(weights @ np.array([part.yaw_rate for part in self.parts])) / self.frame_rate
        ahead = np.stack([np.sin(heading), 0 * heading, np.cos(heading)], axis=-1)
        return np.cumsum(speed[:, None] * ahead, axis=0) / self.frame_rate, heading

    def _flight(self, part: int) -> tuple[float, float]:
        """When the hind feet leave the ground and when the forefeet land in a jump, in seconds."""
        lift = self.edges[part] + (self.parts[part].seconds - self.parts[part].flight) / 2
        return float(lift), float(lift + self.parts[part].flight)

    # The feet ------------------------------------------------------------------------------------

    def _runs(self) -> list[list[int]]:
        """Parts with steps that follow each other without a halt; going back begins and ends with a halt."""
        runs: list[list[int]] = []
        for k, part in enumerate(self.parts):
            if part.stride is None:
                continue
            goes_on = bool(runs) and runs[-1][-1] == k - 1 and part.speed * self.parts[k - 1].speed >= 0
            runs[-1].append(k) if goes_on else runs.append([k])
        return runs

    @cached_property
    def clock(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Strides since the start `(T,)`, at each frame the phase of each leg in it `(T, 4)` and its duty factor
        `(T,)`, and by how many strides the clock is ahead of each part's own `(P,)`."""
        count = len(self.times)
        frequency, duty, phases = np.zeros(count), np.full(count, CLOCK_DUTY), np.zeros((count, 4))
        ahead = np.zeros(len(self.parts))
        for run in self._runs():
            strides = [part.stride for k in run if (part := self.parts[k]).stride is not None]
            first, last = self.edges[run[0]], self.edges[run[-1] + 1] + strides[-1].seconds
            inside = (self.times >= first) & (self.times < last)
            offsets = _aligned([np.array(stride.phases) for stride in strides])
            ahead[run] = [offset[2] for offset in offsets]  # LH has phase 0 in every stride
            mixed = np.zeros((count, len(run)))
            mixed[:, 0] = 1.0
            for j, stride in enumerate(strides[1:], start=1):
                wide = 1.2 * max(stride.seconds, strides[j - 1].seconds)
                begun = cubic_step(np.clip((self.times - self.edges[run[j]]) / wide + 0.5, 0, 1))
                mixed[:, j - 1] -= begun
                mixed[:, j] += begun
            frequency[inside] = (mixed @ np.array([1 / s.seconds for s in strides]))[inside]
            duty[inside] = (mixed @ np.array([s.duty for s in strides]))[inside]
            phases[inside] = (mixed @ np.array(offsets))[inside]
        strides_done = np.cumsum(frequency) / self.frame_rate
        for run in self._runs():  # each run begins with the lift of a hind foot
            starter = self.parts[run[0]].stride
            begin = int(self.edges[run[0]] * self.frame_rate)
            if starter is not None and begin < count:
                strides_done[begin:] += starter.duty - strides_done[begin] % 1.0
        return strides_done, phases, duty, ahead

    def _swings(self, leg: int) -> list[tuple[float, float, float]]:
        strides_done, phases, duty, _ = self.clock
        found: list[tuple[float, float, float]] = []
        for run in self._runs():
            stride = self.parts[run[-1]].stride
            assert stride is not None
            first, end = int(self.edges[run[0]] * self.frame_rate), float(self.edges[run[-1] + 1])
            last = min(int((end + stride.seconds) * self.frame_rate), len(self.times))
            swings = ((strides_done - phases[:, leg]) % 1.0 >= duty)[first:last]
            swings[0] = False  # a foot that would be in the air already is lifted at once
            edges = np.flatnonzero(np.diff(swings.astype(int))) + 1
            lifts = [int(e) for e in edges if swings[e]]
            for lift in lifts:
                up = self.times[first + lift]
                downs = [int(e) for e in edges if e > lift]
                down = self.times[first + downs[0]] if downs else end + stride.seconds
                down = max(down, up + MIN_SWING_STRIDES * stride.seconds)
                if up <= end - LAST_LIFT * stride.seconds:
                    part = self._part_at(up)
                    high = part.stride.lift if part.stride is not None else stride.lift
                    found.append((float(up), float(min(down, end + LAST_LANDING * stride.seconds)), high))
        for k, part in enumerate(self.parts):
            if part.flight:
                takes_off, lands = self._flight(k)
                fore = FORE_FIRST_SECONDS * (leg < 2)
                high = 0.25 * self.animal.hip + _height(part)
                found.append((takes_off - fore, lands + FORE_FIRST_SECONDS - fore, high))
            found += self._shuffles(k, leg)
        return self._uneven(sorted(found), leg)

    def _shuffles(self, part: int, leg: int) -> list[tuple[float, float, float]]:
        """The steps of one leg of an animal that stands: one leg at a time, in turns that are drawn for all of them."""
        count = self.parts[part].shuffles
        rng = np.random.default_rng([zlib.crc32(self.name.encode()), 8 + part])
        legs, share = rng.integers(4, size=count), rng.uniform(0.2, 0.5, count)
        between = self.parts[part].seconds / (count + 1)
        starts = self.edges[part] + between * (np.arange(count) + rng.uniform(0.3, 1.0, count))
        seconds = np.minimum(share * float(np.sqrt(self.animal.hip)), 0.6 * between)
        return [
            (float(up), float(up + swing), 0.08 * self.animal.hip)
            for up, swing, own in zip(starts, seconds, legs, strict=True)
            if own == leg
        ]

    def _uneven(self, swings: list[tuple[float, float, float]], leg: int) -> list[tuple[float, float, float]]:
        """Swings that begin and end a little sooner or later, as those of animals do."""
        rng = np.random.default_rng([zlib.crc32(self.name.encode()), leg])
        result: list[tuple[float, float, float]] = []
        for k, (up, down, high) in enumerate(swings):
            frame = min(int(up * self.frame_rate), len(self.times) - 1)
            uneven = self.unevenness + self._part_at(up).unevenness
            scale = uneven / max(self._frequency(frame), 1.0)
            following = swings[k + 1][0] if k + 1 < len(swings) else float(self.edges[-1])
            first = max(up + scale * rng.normal(), result[-1][1] + 0.02 if result else 0.0)
            last = min(down + scale * rng.normal(), following - 0.02)
            result.append((first, max(last, first + 0.05), high * float(np.exp(5 * self.unevenness * rng.normal()))))
        return result

    def _part_at(self, when: float) -> Part:
        return self.parts[min(int(np.searchsorted(self.edges, when, side="right")) - 1, len(self.parts) - 1)]

    @property
    def down(self) -> Bools:
        """Which feet are on the ground `(T, 4)`."""
        result = np.ones((len(self.times), 4), bool)
        for leg, swings in self.swings.items():
            for up, down, _ in swings:
                result[(self.times >= up) & (self.times < down), leg] = False
        return result

    def steps(self, animal: Animal, leg: int) -> body.Steps:
        swings = self.swings[leg]
        starts, ends = [0.0, *(s[1] for s in swings)], [*(s[0] for s in swings), float(self.edges[-1])]
        prints = [self._footprint(leg, a, b) for a, b in zip(starts, ends, strict=True)]
        rng = np.random.default_rng([zlib.crc32(self.name.encode()), 4 + leg])
        amounts = [
            self.unevenness + SHUFFLE_STEP * (k > 0 and self._part_at(a).shuffles > 0) for k, a in enumerate(starts)
        ]
        moved = [amount * animal.hip * rng.normal(size=3) * np.array([1.0, 0.0, 1.0]) for amount in amounts]
        prints = [place + by for place, by in zip(prints, moved, strict=True)]
        toe, phase = np.zeros((len(self.times), 3)), np.zeros(len(self.times))
        for k, (a, b) in enumerate(zip(starts, ends, strict=True)):
            inside = (self.times >= a - 1e-9) & (self.times <= b + 1e-9)
            toe[inside] = prints[k]
            half = min(0.3, (b - a) / 2)  # seconds in which a stance begins and in which it ends
            begun, ending = (self.times[inside] - a) / max(half, 1e-9), (self.times[inside] - b) / max(half, 1e-9) + 1
            phase[inside] = k + CLOCK_DUTY * 0.5 * (np.clip(begun, 0, 1) + np.clip(ending, 0, 1))
        for k, (up, down, high) in enumerate(swings):
            inside = (self.times >= up) & (self.times < down)
            share = (self.times[inside] - up) / max(down - up, 1e-9)
            toe[inside] = prints[k] + (prints[k + 1] - prints[k]) * cubic_step(share)[:, None]
            toe[inside, 1] += high * hump(share, body.PEAKS[leg])
            phase[inside] = k + CLOCK_DUTY + (1 - CLOCK_DUTY) * share
        lift = max((s[2] for s in swings), default=0.0)
        return body.Steps(toe, phase, CLOCK_DUTY, self.down[:, leg], lift, bool(swings))

    def _footprint(self, leg: int, start: float, end: float) -> Floats:
        """Where a foot stands from `start` to `end`: under the body in the middle of it, and not later than half of a
        usual stance after it was put down."""
        points, headings = self.track
        k = min(int(start * self.frame_rate), len(self.times) - 1)
        stance = float(np.clip(self.clock[2][k] / max(self._frequency(k), 1e-9), 0.05, 0.8))
        middle = min((start + end) / 2, start + 0.6 * stance) if start > 0 else max(0.0, end - 0.6 * stance) * 0.5
        at = min(round(middle * self.frame_rate), len(self.times) - 1)
        x, y, z = body.neutral(self.animal, leg)
        sine, cosine = np.sin(headings[at]), np.cos(headings[at])
        place: Floats = points[at] + np.array([cosine * x + sine * z, y, cosine * z - sine * x])
        return place

    def _frequency(self, frame: int) -> float:
        strides_done = self.clock[0]
        near = strides_done[max(frame - 2, 0) : frame + 3]
        return float(np.median(np.diff(near)) * self.frame_rate) if len(near) > 2 else 0.0

    # The trunk -----------------------------------------------------------------------------------

    def trunk(self, animal: Animal) -> body.TrunkMotion:
        points, headings = self.track
        weights, (strides_done, _, _, ahead) = self._weights(self._ease), self.clock
        names = ("lift", "tilt", "sway", "arch", "nod", "wag")
        total: dict[str, Any] = {name: np.zeros(len(self.times)) for name in names}
        for k, part in enumerate(self.parts):
            phase = self.times / body.STILL.seconds if part.stride is None else strides_done - ahead[k]
            one = body.stride_motion(part.stride or body.STILL, points, headings, phase)
            for name in names:
                total[name] += weights[:, k] * getattr(one, name)
        pelvis, chest = self._postures()
        total["lift"] -= (pelvis + chest) / 2
        total["tilt"] += np.arcsin(np.clip((pelvis - chest) / animal.trunk, -0.8, 0.8))
        for k, part in enumerate(self.parts):
            if part.flight:
                share = np.clip((self.times - self._flight(k)[0]) / part.flight, 0, 1)
                total["lift"] += 4 * _height(part) * share * (1 - share)
        return body.TrunkMotion(points, headings, strides_done, **total)

    def _postures(self) -> tuple[Floats, Floats]:
        """By how much pelvis and chest are lower `(T,)`, in metres."""
        depths = {"sit": SITTING, "lie": LYING}
        weights = self._weights(POSTURE_SECONDS * float(np.sqrt(self.animal.hip)))
        drops = weights @ np.array([depths.get(part.label, (0.0, 0.0)) for part in self.parts])
        for k, part in enumerate(self.parts):
            if part.flight:
                for moment in self._flight(k):
                    near = np.exp(-(((self.times - moment) / 0.08) ** 2))
                    drops = drops + near[:, None] * np.array(CROUCHING) * 0.6
        pelvis, chest = drops.T * self.animal.hip
        return pelvis, chest

    # The truth -----------------------------------------------------------------------------------

    def spans(self) -> list[SpanTruth]:
        """What the animal does when."""
        found: list[SpanTruth] = []
        for k, part in enumerate(self.parts):
            start, end = (float(x) for x in self.edges[k : k + 2])
            if part.flight:
                lift, land = self._flight(k)
                first = lift - FORE_FIRST_SECONDS - JUMP_MARGIN_SECONDS
                last = land + FORE_FIRST_SECONDS + JUMP_MARGIN_SECONDS
                found += [
                    SpanTruth(start, first, "stand"),
                    SpanTruth(first, last, "jump"),
                    SpanTruth(last, end, "stand"),
                ]
            else:
                steady = part.unevenness == 0.0
                found.append(SpanTruth(start, end, part.label, abs(part.speed) / self.animal.hip, steady))
        return _uncertain(found, POSTURE_SECONDS * float(np.sqrt(self.animal.hip)))


def _height(part: Part) -> float:
    """Metres by which the body rises in the flight of a jump."""
    return GRAVITY * part.flight**2 / 8


def _aligned(phases: Sequence[Floats]) -> list[Floats]:
    """Phases of the legs `(4,)` in each of some gaits that follow each other, each shifted as a whole so that the legs
    are nearest to where they were, and continued without a jump."""
    found = [phases[0].astype(float)]
    shifts = np.linspace(0, 1, 48, endpoint=False)
    for wanted in phases[1:]:
        off = wanted + shifts[:, None] - found[-1]
        off -= np.rint(off)
        best = off[np.argmin(np.sum(off**2, axis=1))]
        found.append(found[-1] + best)
    return found


def _uncertain(spans: list[SpanTruth], seconds: float) -> list[SpanTruth]:
    """Spans with a stretch of no label between two postures."""
    found: list[SpanTruth] = []
    for span in spans:
        if found and {span.label, found[-1].label} & {"sit", "lie"}:
            last, middle = found.pop(), span.start
            found.append(SpanTruth(last.start, middle - seconds / 2, last.label, last.speed))
            found.append(SpanTruth(middle - seconds / 2, middle + seconds / 2, ""))
            span = SpanTruth(middle + seconds / 2, span.end, span.label, span.speed)
        found.append(span)
    return found

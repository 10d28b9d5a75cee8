"""A take as spans: what the animal does from when to when, such as stand, walk, trot, turn, jump, sit.

Every leg's strides vote for their gait; the sequence of gaits that agrees best with all votes and changes seldom wins.
What no stride covers is told by the height of the girdles, the speed of the body and the feet in the air.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from canter.anatomy.character import Anatomy, Clip, Footfalls, TakeSpan
from canter.anatomy.contacts import FineContacts, runs, travelling_contacts
from canter.anatomy.footfalls import (
    MIN_STRIDE_HIP_HEIGHTS,
    SPECIAL,
    STRIDE_SECONDS,
    TURN_ANGLE,
    GaitStride,
    classify_over_ground,
    read_footfalls,
)
from canter.anatomy.gaits import FootfallPattern, circular_mean, find_strides, name_gait, runner_up
from canter.anatomy.ground import GroundTrack, ground_track
from canter.formats.labels import Label
from canter.motion import Motion
from canter.motion.arrays import Bools, Floats, Ints
from canter.motion.constants import GRAVITY

STILL_LABELS = ("stand", "sit", "lie")
OTHER_LABELS = ("jump", "transition", "other")
NO_GAITS = ("stand", "action", "irregular", "unknown")
"""What the footfalls of a clip without a gait are called."""
LOW_GIRDLE = 0.72
"""The share of its standing height below which a girdle is down: sitting if it is the hind one, lying if both are."""
FLIGHT_SECONDS = 0.24, 1.6
"""How long no foot touches the ground in a jump, at least and at most, for hips at one metre; others by the root of
their height. The flights of a gallop are half as long."""
JUMP_MARGIN_SECONDS, MAX_PUSH_SECONDS = 0.08, 0.3
"""What counts as part of a jump before its first foot leaves the ground and after its last is down; and how long before
and after the flight these may be."""
MIN_CLEARANCE = 0.06
"""Hip heights over the ground that every foot reaches at the same time in a jump."""
MIN_FALL = 0.4
"""How far a body must rise and sink between two footfalls to have flown, as a share of free fall: captured jumps do by
0.8. What is above the ground for longer and does not fall stands on something that was not captured, like a table."""
MIN_RAISED_SECONDS = 0.6
"""How long it stands there at least, for hips at one metre: longer than a gallop flies."""
CHANGE_COST = 1.2
"""What a change of gait costs, in strides of one leg that vote for another one."""
RUNNER_UP_VOTE = 0.5
"""What a stride's second best gait counts."""
HALF_SPEED = 0.5
"""The share of its usual speed below which a gait has not begun yet, or is over."""
MIN_SPEED, MIN_YAW_RATE = 0.15, 0.25
"""Metres and radians a second below which an animal of one metre at the hips stands; the first grows with the root of
the hip height, the second falls with it (dynamic similarity)."""
MAX_RESTING_SHARE = 0.25
"""The share of a stride in which the animal may stand: between two walks a leg takes no stride."""
MAX_HALT_SHARE, MAX_DETOUR = 0.1, 1.1
"""The share of a loop in which an animal may be slow, and by how much its way may be longer than it gets."""
PAUSE_SECONDS = 0.6
"""How long all feet are down between two steps of one walk at most, for hips at one metre; less by the root of the
height."""
MAX_LEAN_SPEED, MAX_SHUFFLE_SPEED = 0.5, 0.6
"""Hip heights a second: the speed of a body that only leans over its feet, and that of one that shuffles."""
MAX_WALK_FROUDE, MAX_WALK_RISE, MIN_WALK_SECONDS = 0.25, 0.3, 1.0
"""Steps without a rhythm are a walk up to this Froude number, if no girdle rises or sinks by more hip heights meanwhile
and they last so long at least, for hips at one metre; others by the root of their height."""
MAX_TURN_HIP_HEIGHTS = 0.6
"""How far the body goes at most while it turns by up to four times `TURN_ANGLE` on the spot; as much more as it turns
further."""
SLOW_DUTY, SYMMETRICAL = 0.7, ("walk", "amble", "pace", "trot", "rack")
"""The duty factor above which all symmetrical gaits are a walk."""
MIN_FRAMES = 8
"""A take of fewer frames shows nothing in particular."""
MIN_SPAN_SECONDS = 0.12
"""Shorter stretches are joined to what is beside them."""


def read_clip(motion: Motion, anatomy: Anatomy, labels: Sequence[Label] = ()) -> Clip:
    """A canonical motion as a clip with footfalls and spans; `labels` correct the spans.

    A take that shows a gait in some of its spans, whatever else it shows, is a clip of the gait that it shows longest.
    """
    clip = read_footfalls(motion, anatomy)
    feet = clip.footfalls
    whole = replace(clip, footfalls=replace(feet, spans=_corrected((_whole(clip),), labels)))
    halts, bends = _halts_and_bends(motion, anatomy) if feet.loop and feet.gait not in NO_GAITS else (False, False)
    one_gait = feet.gait not in NO_GAITS and (feet.in_place or (feet.loop and not halts and not bends))
    if one_gait or len(anatomy.legs) != 4 or len(motion) < MIN_FRAMES:
        return whole
    spans, contacts = _Reader(motion, anatomy).read()
    if feet.gait not in NO_GAITS and _told_by_nothing_else(spans):
        return whole  # a stride or two, which touch the ends of the clip
    feet = replace(feet, contacts=contacts, spans=_corrected(spans, labels), loop=feet.loop and not halts)
    return Clip(motion, _summary(feet, anatomy))


def _halts_and_bends(motion: Motion, anatomy: Anatomy) -> tuple[bool, bool]:
    """Whether the animal halts somewhere in a clip, and whether its way bends. A take that begins and ends in the same
    pose repeats itself, but it is no stride or two of one gait."""
    track = ground_track(motion, anatomy)
    speed = np.linalg.norm(np.gradient(track.positions, axis=0), axis=-1)
    slow = float(np.mean(speed < HALF_SPEED * np.median(speed)))
    length, moved = float(speed[1:].sum()), float(np.linalg.norm(track.positions[-1] - track.positions[0]))
    return slow >= MAX_HALT_SHARE, length >= MAX_DETOUR * moved


def _told_by_nothing_else(spans: Sequence[TakeSpan]) -> bool:
    """Whether spans show no gait, and jumps and postures for less than half of the time."""
    certain = sum(span.seconds for span in spans if span.label == "jump" or span.label in STILL_LABELS)
    total = sum(span.seconds for span in spans)
    return not any(is_gait(span.label) for span in spans) and certain < 0.5 * total


def _whole(clip: Clip) -> TakeSpan:
    """One span for a clip that shows one gait throughout."""
    feet = clip.footfalls
    return TakeSpan(
        0.0,
        clip.motion.seconds,
        feet.gait,
        feet.speed,
        runner_up=feet.runner_up,
        stride_seconds=feet.stride_seconds,
        duty=feet.duty,
        phases=feet.phases,
    )


def _corrected(spans: tuple[TakeSpan, ...], labels: Sequence[Label]) -> tuple[TakeSpan, ...]:
    """Spans with what labels say in place of what was read there; a later label counts before an earlier one."""
    for label in labels:
        kept: list[TakeSpan] = []
        for span in spans:
            if span.start < label.start:
                kept.append(replace(span, end=min(span.end, label.start)))
            if span.end > label.end:
                kept.append(replace(span, start=max(span.start, label.end)))
        inside = [s for s in spans if s.start < label.end and s.end > label.start]
        if not inside:
            continue
        like = max(inside, key=lambda s: (s.label == label.name, min(s.end, label.end) - max(s.start, label.start)))
        start, end = max(label.start, spans[0].start), min(label.end, spans[-1].end)
        kept.append(replace(like, start=start, end=end, label=label.name, runner_up="", confidence=1.0))
        spans = tuple(sorted(kept, key=lambda s: s.start))
    return spans


def is_gait(label: str) -> bool:
    """Whether a span of that label has strides."""
    return label not in STILL_LABELS and label not in OTHER_LABELS


def _summary(feet: Footfalls, anatomy: Anatomy) -> Footfalls:
    """Footfalls with the gait that the spans show longest; special ones count where there is no other."""
    lengths: dict[str, float] = {}
    for span in feet.spans:
        if is_gait(span.label) and np.isfinite(span.stride_seconds):
            lengths[span.label] = lengths.get(span.label, 0.0) + span.seconds
    if not lengths:
        still = all(span.label in STILL_LABELS for span in feet.spans)
        return replace(feet, gait="stand" if still else "action", speed=0.0 if still else feet.speed)
    best = max(lengths, key=lambda name: (name not in SPECIAL, lengths[name]))
    longest = max((s for s in feet.spans if s.label == best and np.isfinite(s.stride_seconds)), key=lambda s: s.seconds)
    total = sum(lengths.values())
    return replace(
        feet,
        gait=best,
        runner_up=longest.runner_up,
        speed=longest.speed,
        stride_seconds=longest.stride_seconds,
        stride_length=longest.speed * longest.stride_seconds,
        duty=longest.duty,
        phases=longest.phases,
        froude=longest.speed**2 / (GRAVITY * anatomy.hip_height),
        shares={name: seconds / total for name, seconds in sorted(lengths.items(), key=lambda x: -x[1])},
    )


class _Reader:
    """Reads one take that is not a gait in place."""

    def __init__(self, motion: Motion, anatomy: Anatomy) -> None:
        self.anatomy, self.rate, self.count = anatomy, motion.frame_rate, len(motion)
        self.height = anatomy.hip_height
        self.pace = float(np.sqrt(self.height))
        world = motion.position_world.astype(np.float64)
        heights = world[:, anatomy.feet, 1]
        self.feet_heights = heights - np.percentile(heights, 10, axis=0)
        self.track: GroundTrack = ground_track(motion, anatomy)
        self.steps: FineContacts = travelling_contacts(
            world[:, anatomy.feet], self.track.positions, self.rate, self.height
        )
        self.contacts = self.steps.at_frames(self.count, self.rate)
        self.speed = np.linalg.norm(np.gradient(self.track.positions, axis=0), axis=-1) * self.rate
        self.yaw_rate = np.gradient(self.track.facings) * self.rate
        slow = self.speed < MIN_SPEED * self.pace
        self.rests: Bools = slow & (np.abs(self.yaw_rate) < MIN_YAW_RATE / self.pace)
        self.girdles = np.stack(
            [world[:, [leg.hip for leg in anatomy.legs[k : k + 2]], 1].mean(axis=1) for k in (0, 2)], axis=1
        )

    def read(self) -> tuple[tuple[TakeSpan, ...], Bools]:
        """The spans, and which feet are down in each frame `(T, L)`."""
        jumps, raised = self._jumps(), self._raised()
        strides = [s for s in self._strides() if not self._inside([*jumps, *raised], s)]
        labels = self._above_ground(self._gaits(strides), jumps, raised)
        labels = self._still(self._whole_strides(labels, strides))
        labels = self._above_ground(labels, jumps, raised)
        spans = self._spans(_without_short(labels, MIN_SPAN_SECONDS * self.rate), strides)
        return tuple(spans), self.contacts

    # Jumps and postures --------------------------------------------------------------------------

    def _jumps(self) -> list[tuple[int, int]]:
        """First and last frame of every jump."""
        most, margin = round(MAX_PUSH_SECONDS * self.rate), round(JUMP_MARGIN_SECONDS * self.rate)
        found = []
        for start, end in runs(np.asarray(~self.contacts.any(axis=1))):
            shortest, longest = (x * self.pace * self.rate for x in FLIGHT_SECONDS)
            if not shortest <= end - start <= longest:
                continue
            if not self._clear_of_ground(start, end) or not self._falls(start, end):
                continue
            before, after = self.contacts[max(start - most, 0) : start], self.contacts[end : end + most]
            stood = np.flatnonzero(before.all(axis=1))
            landed = np.flatnonzero(after.all(axis=1))
            first = start - (len(before) - 1 - int(stood[-1])) if len(stood) else start
            last = end + int(landed[0]) if len(landed) else end
            found.append((max(first - margin, 0), min(last + margin, self.count)))
        return found

    def _raised(self) -> list[tuple[int, int]]:
        """First and last frame of stretches on something that was not captured."""
        shortest = MIN_RAISED_SECONDS * self.pace * self.rate
        flights = runs(np.asarray(~self.contacts.any(axis=1)))
        return [
            (start, end)
            for start, end in flights
            if end - start >= shortest and self._clear_of_ground(start, end) and not self._falls(start, end)
        ]

    def _falls(self, start: int, end: int) -> bool:
        """Whether the body rises and sinks between two frames as it does in free fall."""
        height = self.girdles[max(start - 1, 0) : end + 1].mean(axis=1)
        seconds = (len(height) - 1) / self.rate
        rise = float((height - np.linspace(height[0], height[-1], len(height))).mean())
        return rise > MIN_FALL * GRAVITY * seconds**2 / 12

    @staticmethod
    def _above_ground(labels: np.ndarray, jumps: list[tuple[int, int]], raised: list[tuple[int, int]]) -> np.ndarray:
        """The labels with those of jumps, and of stretches on something that was not captured, over them."""
        result = labels.copy()
        for name, found in (("jump", jumps), ("other", raised)):
            for start, end in found:
                result[start:end] = name
        return result

    def _clear_of_ground(self, start: int, end: int) -> bool:
        """Whether all feet are well above where they stand at some time between two frames."""
        rise = self.feet_heights[start:end].min(axis=1).max()
        return bool(rise > MIN_CLEARANCE * self.height)

    def _inside(self, jumps: Iterable[tuple[int, int]], seen: GaitStride) -> bool:
        first, last = seen.stride.start * self.rate, (seen.stride.start + seen.stride.seconds) * self.rate
        return any(first < end and last > start for start, end in jumps)

    def _still(self, labels: np.ndarray) -> np.ndarray:
        """Frames without a gait: what the animal does there by its height and speed."""
        result = labels.copy()
        usual = np.array([np.percentile(self.girdles[:, 0], 75), self.height])
        down = self.girdles < LOW_GIRDLE * usual
        free = result == ""
        result[free] = "transition"
        result[free & (self.rests | self._stands_firm())] = "stand"
        for start, end in self._stepping(free):
            if name := self._of_steps(start, end):
                result[start:end] = name
        result[down[:, 1] & ~down[:, 0] & (self.speed < 0.5 * self.height)] = "sit"
        result[down.all(axis=1) & (self.speed < 0.5 * self.height)] = "lie"
        return result

    # Steps without a rhythm ----------------------------------------------------------------------

    def _stands_firm(self) -> Bools:
        """The frames with all feet down in which the body only leans, and neither rises nor sinks."""
        heights = self.girdles.mean(axis=1)
        changes = np.abs(np.gradient(heights)) * self.rate if self.count > 1 else np.zeros(self.count)
        leans = (self.speed < MAX_LEAN_SPEED * self.height) & (changes < MAX_LEAN_SPEED / 2 * self.height)
        return np.asarray(self.contacts.all(axis=1) & leans)

    def _stepping(self, free: Bools) -> list[tuple[int, int]]:
        """The stretches of free frames in which one foot after the other is lifted, with short pauses at most."""
        steps = np.asarray(~self.contacts.all(axis=1))
        longest = PAUSE_SECONDS * self.pace * self.rate
        for start, end in runs(~steps):
            if end - start < longest and start > 0 and end < self.count:
                steps[start:end] = True
        return runs(steps & free)

    def _of_steps(self, start: int, end: int) -> str:
        """What some steps are: a slow walk, a turn or the like once every foot has made one and they lead somewhere;
        part of standing where they lead nowhere; nothing certain in between."""
        steps, ahead_of_body = np.diff(self.track.positions[start:end], axis=0), self.track.directions[start : end - 1]
        ahead = float(np.sum(steps * ahead_of_body))
        aside = float(np.sum(steps[:, 0] * ahead_of_body[:, 1] - steps[:, 1] * ahead_of_body[:, 0]))
        turned = abs(float(self.track.facings[end - 1] - self.track.facings[start]))
        length = float(np.hypot(ahead, aside)) / self.height
        leads = length >= MIN_STRIDE_HIP_HEIGHTS or turned > TURN_ANGLE
        if not leads:
            return "stand" if np.median(self.speed[start:end]) < MAX_SHUFFLE_SPEED * self.height else ""
        every_foot = all(np.any(np.diff(self.contacts[start:end, leg].astype(int)) > 0) for leg in range(4))
        seconds = (end - start) / self.rate
        slow = (length * self.height / seconds) ** 2 < MAX_WALK_FROUDE * GRAVITY * self.height
        level = np.ptp(self.girdles[start:end], axis=0).max() < MAX_WALK_RISE * self.height
        if not every_foot or not slow or not level or seconds < MIN_WALK_SECONDS * self.pace:
            return ""
        if turned > TURN_ANGLE and length < MAX_TURN_HIP_HEIGHTS * max(1.0, turned / TURN_ANGLE / 4):
            return "turn"
        share = ahead / max(length * self.height, 1e-9)
        return "walk" if share > 0.5 else "backward" if share < -0.5 else "side"

    # Gaits ---------------------------------------------------------------------------------------

    def _strides(self) -> list[GaitStride]:
        """The strides of every leg, in the order of their beginnings."""
        found = [s for leg in range(4) for s in find_strides(self.steps, leg, *STRIDE_SECONDS)]
        seen = [_slow_as_walk(classify_over_ground(s, self.track, self.rate, self.anatomy)) for s in found]
        goes = [s for s in seen if np.mean(self.rests[self._frames(s)]) < MAX_RESTING_SHARE]
        return sorted(goes, key=lambda s: s.stride.start)

    def _frames(self, seen: GaitStride) -> slice:
        first = round(seen.stride.start * self.rate)
        return slice(first, max(round((seen.stride.start + seen.stride.seconds) * self.rate), first + 1))

    def _gaits(self, strides: Sequence[GaitStride]) -> np.ndarray:
        """The gait in each frame `(T,)`, empty where there is none."""
        names = sorted({s.gait for s in strides} - {"irregular"})
        result = np.full(self.count, "", dtype=object)
        if not names:
            return result
        votes = np.zeros((self.count, len(names)))
        for s in strides:
            at, length = self._frames(s), s.stride.seconds * self.rate
            if s.gait == "irregular":
                continue
            votes[at, names.index(s.gait)] += 1 / length
            second = runner_up(s.pattern, s.gait) if s.pattern and s.gait not in SPECIAL else ""
            if second in names:
                votes[at, names.index(second)] += RUNNER_UP_VOTE / length
        covered = votes.sum(axis=1) > 0
        best = _likeliest(votes, CHANGE_COST)
        for start, end in runs(np.asarray(covered)):
            result[start:end] = np.array(names, dtype=object)[best[start:end]]
        return self._trimmed(result)

    def _trimmed(self, labels: np.ndarray) -> np.ndarray:
        """Gaits begin and end where the animal has half of their speed: strides reach further, or not as far."""
        result = labels.copy()
        for start, end, name in _stretches(labels):
            if name == "":
                continue
            measure = np.abs(self.yaw_rate) if name == "turn" else self.speed
            half = HALF_SPEED * float(np.median(measure[start:end]))
            first, last = start, end
            if start == 0 or labels[start - 1] == "":
                while first < end and measure[first] < half:
                    first += 1
                while first == start and first > 0 and labels[first - 1] == "" and measure[first - 1] >= half:
                    first, start = first - 1, start - 1
            if end == self.count or labels[end] == "":
                while last > first and measure[last - 1] < half:
                    last -= 1
                while last == end and last < self.count and labels[last] == "" and measure[last] >= half:
                    last, end = last + 1, end + 1
            result[min(start, first) : max(end, last)] = ""
            result[first:last] = name
        return result

    # Spans ---------------------------------------------------------------------------------------

    def _spans(self, labels: np.ndarray, strides: Sequence[GaitStride]) -> list[TakeSpan]:
        found = []
        for start, end, name in _stretches(labels):
            inside = [s for s in strides if start <= (self._frames(s).start + self._frames(s).stop) / 2 < end]
            found.append(self._span(start, end, str(name), inside))
        return found

    def _whole_strides(self, labels: np.ndarray, strides: Sequence[GaitStride]) -> np.ndarray:
        """Labels without gaits that last less than a stride."""
        result = labels.copy()
        for start, end, name in _stretches(labels):
            if name in ("", "jump"):
                continue
            own = [s.stride.seconds for s in strides if s.gait == name and start <= self._frames(s).start < end]
            if not own or (end - start) / self.rate < min(own):
                result[start:end] = ""
        return result

    def _span(self, start: int, end: int, name: str, strides: Sequence[GaitStride]) -> TakeSpan:
        last = min(end, self.count - 1)
        seconds = max((last - start) / self.rate, 1e-9)
        moved = self.track.positions[last] - self.track.positions[start]
        length = float(np.sum(self.speed[start:end]) / self.rate)
        plain = TakeSpan(
            start / self.rate,
            end / self.rate,
            name,
            length / seconds if name not in STILL_LABELS else float(np.linalg.norm(moved)) / seconds,
            float(self.track.facings[last] - self.track.facings[start]) / seconds,
        )
        own = [s for s in strides if s.gait == name]
        if not own:
            return plain
        return self._of_gait(plain, own, strides)

    def _of_gait(self, span: TakeSpan, own: Sequence[GaitStride], strides: Sequence[GaitStride]) -> TakeSpan:
        """A span of a gait with the figures of its strides, whose phases count from the touchdown of LH."""
        legs = [leg.name for leg in self.anatomy.legs]
        shifted = [[(p - s.stride.phases[2]) % 1.0 for p in s.stride.phases] for s in own]
        phases = [circular_mean([row[k] for row in shifted]) for k in range(len(legs))]
        duty = np.median([s.stride.duty for s in own], axis=0)
        speed = float(np.median([s.speed for s in own]))
        result = replace(
            span,
            speed=speed,
            stride_seconds=float(np.median([s.stride.seconds for s in own])),
            duty=dict(zip(legs, (float(d) for d in duty), strict=True)),
            phases=dict(zip(legs, phases, strict=True)),
        )
        if span.label in SPECIAL:
            return replace(result, confidence=len(own) / len(strides))
        pattern = FootfallPattern.of(phases, list(duty), speed, self.height)
        name = name_gait(pattern)
        name = span.label if name == "irregular" or pattern.duty > SLOW_DUTY else name
        second = runner_up(pattern, name) or (span.label if name != span.label else "")
        share = np.mean([s.gait in (name, second) for s in strides])
        return replace(result, label=name, runner_up=second, confidence=float(share))


def _slow_as_walk(seen: GaitStride) -> GaitStride:
    """A stride in which mostly three feet or more are down as one of a walk: at leisure feet come down in any order."""
    slow = seen.pattern is not None and seen.pattern.duty > SLOW_DUTY and seen.gait in SYMMETRICAL
    return replace(seen, gait="walk") if slow else seen


def _stretches(labels: np.ndarray) -> list[tuple[int, int, str]]:
    """Start, end and label of the stretches of equal labels `(T,)`."""
    edges = np.concatenate([[0], np.flatnonzero(labels[1:] != labels[:-1]) + 1, [len(labels)]])
    return [(int(a), int(b), str(labels[a])) for a, b in pairwise(edges)]


def _without_short(labels: np.ndarray, shortest: float) -> np.ndarray:
    """Labels without stretches of fewer frames than `shortest`, which join what is beside them."""
    result = labels.copy()
    for start, end, _ in _stretches(labels):
        if end - start < min(shortest, len(labels)):
            result[start:end] = result[start - 1] if start > 0 else result[min(end, len(labels) - 1)]
    return result


def _likeliest(votes: Floats, change: float) -> Ints:
    """The sequence `(T,)` of columns of `votes (T, S)` with the largest sum, less `change` for every change."""
    best, before = votes[0].copy(), np.zeros(votes.shape, np.int64)
    columns = np.arange(votes.shape[1])
    for k in range(1, len(votes)):
        top = int(np.argmax(best))
        stays = best >= best[top] - change
        before[k] = np.where(stays, columns, top)
        best = np.where(stays, best, best[top] - change) + votes[k]
    result = np.zeros(len(votes), np.int64)
    result[-1] = int(np.argmax(best))
    for k in range(len(votes) - 1, 0, -1):
        result[k - 1] = before[k, result[k]]
    return result

"""What the feet of a canonical clip do: contacts, speed over ground, strides, and the gait that this is."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from canter.anatomy.character import Anatomy, Clip, Footfalls
from canter.anatomy.contacts import FineContacts, InPlace, in_place_contacts, travelling_contacts
from canter.anatomy.gaits import FootfallPattern, Stride, circular_mean, find_strides, name_gait, runner_up, sequence
from canter.anatomy.ground import GroundTrack, ground_track
from canter.anatomy.loop_detection import Span, cut_cycle, find_span
from canter.motion import Motion
from canter.motion import rotations as rot
from canter.motion.arrays import Bools, Floats
from canter.motion.constants import GRAVITY
from canter.motion.edits import blend, concatenate
from canter.motion.loops import Travel, move_between
from canter.motion.metrics import foot_skating

IN_PLACE_SHARE = 0.45
"""A clip that travels less than this share of its feet's fore-aft sweep walks in place."""
STANDING_SWEEP_HIP_HEIGHTS = 0.12
"""Feet that sweep less than this stand."""
LEAP_HIP_HEIGHTS = 0.15
"""An animal with all feet higher than this above the ground at once leaps."""
SPECIAL = ("backward", "side", "turn", "irregular")
"""Gaits that are named by where the body goes, not by the order of footfalls."""
STRIDE_SECONDS = (0.08, 6.0)
"""From a running lizard's stride to a tortoise's."""
TURN_ANGLE = np.radians(20)
"""A stride that turns further than this in place is a turn; a clip that turns twice as far is not in place."""
MIN_STRIDE_HIP_HEIGHTS = 0.35
"""Shorter strides are shuffles and not a gait."""
MIN_SPEED_HIP_HEIGHTS = 0.15
"""Hip heights a second; what is slower is not locomotion."""


def read_footfalls(motion: Motion, anatomy: Anatomy) -> Clip:
    """The clip with its footfalls; it travels over ground also where the file walks in place, and loops are closed."""
    if len(anatomy.legs) < 2 or len(motion) < 3:
        return Clip(motion, Footfalls(np.zeros((len(motion), len(anatomy.legs)), bool), "unknown", 0.0, True))
    feet = motion.position_world[:, anatomy.feet].astype(np.float64)
    track = ground_track(motion, anatomy)
    sweep = _sweep(feet, track)
    travels = _travel(track) >= IN_PLACE_SHARE * sweep and _travel(track) > 0.3 * anatomy.hip_height
    if travels or abs(track.facings[-1] - track.facings[0]) > 2 * TURN_ANGLE:
        return _read_travelling(motion, anatomy, feet, track)
    return _read_in_place(motion, anatomy, feet, sweep)


def _sweep(feet: Floats, track: GroundTrack) -> float:
    """How far the feet go fore and aft of the body, the mean over feet."""
    ahead = np.sum((feet[..., [0, 2]] - track.positions[:, None]) * track.directions[:, None], axis=-1)
    return float(np.mean(np.percentile(ahead, 97, axis=0) - np.percentile(ahead, 3, axis=0)))


def _travel(track: GroundTrack) -> float:
    return float(np.max(np.linalg.norm(track.positions - track.positions[0], axis=-1)))


# Clips that travel -------------------------------------------------------------------------------


def _read_travelling(motion: Motion, anatomy: Anatomy, feet: Floats, track: GroundTrack) -> Clip:
    steps, loop = _steps(motion, anatomy, feet, track)
    seen = _seen(steps, motion, anatomy, track)
    footfalls = _summary(seen, steps.at_frames(len(motion), motion.frame_rate), anatomy, False, bool(loop and seen))
    if footfalls.gait == "stand":
        speed = _mean_speed(track, motion.frame_rate)
        name = "stand" if speed < MIN_SPEED_HIP_HEIGHTS * anatomy.hip_height else "action"
        footfalls = replace(footfalls, gait=name, speed=speed)
    return Clip(motion, _with_skating(motion, anatomy, footfalls))


def strides_of(motion: Motion, anatomy: Anatomy) -> list[GaitStride]:
    """Every stride of a canonical clip that covers ground, with its speed and gait."""
    feet = motion.position_world[:, anatomy.feet].astype(np.float64)
    track = ground_track(motion, anatomy)
    return _seen(_steps(motion, anatomy, feet, track)[0], motion, anatomy, track)


def _steps(motion: Motion, anatomy: Anatomy, feet: Floats, track: GroundTrack) -> tuple[FineContacts, bool]:
    """The contacts of a clip that travels, and whether it is a loop."""
    around = _loop_contacts(motion, feet, anatomy)
    return around or travelling_contacts(
        feet, track.positions, motion.frame_rate, anatomy.hip_height
    ), around is not None


def _seen(steps: FineContacts, motion: Motion, anatomy: Anatomy, track: GroundTrack) -> list[GaitStride]:
    strides = find_strides(steps, _reference(anatomy), *STRIDE_SECONDS)
    loop = steps.period is not None
    track = ground_track(motion, anatomy, smooth=False) if loop else track
    return [classify_over_ground(stride, track, motion.frame_rate, anatomy, loop) for stride in strides]


def _reference(anatomy: Anatomy) -> int:
    """The leg whose touchdown begins a stride: the left hind, a person's left."""
    return 2 if len(anatomy.legs) == 4 else 0


def _loop_contacts(motion: Motion, feet: Floats, anatomy: Anatomy) -> FineContacts | None:
    """The contacts of a loop that travels and may turn, read off three repetitions of it; None for other clips."""
    raw = ground_track(motion, anatomy, smooth=False)
    period = find_span(_about_body(feet, raw)).period
    if period != len(feet) - 1:
        return None
    trunk = np.insert(raw.positions, 1, 0.0, axis=1)
    on = move_between(trunk[0], raw.facings[0], trunk[-1], raw.facings[-1])
    rounds = [np.concatenate([_moved(on.inverse(), x), x[:-1], _moved(on, x)]) for x in (feet, trunk)]
    steps = travelling_contacts(rounds[0], rounds[1][:, [0, 2]], motion.frame_rate, anatomy.hip_height, period)
    count = round(period / motion.frame_rate * steps.rate)
    return FineContacts(steps.contacts[count : 2 * count], steps.rate, period / motion.frame_rate)


def _moved(travel: Travel, x: Floats) -> Floats:
    """Points of one repetition of a loop moved to the next or the one before, without the closing frame."""
    result: Floats = rot.rotate(travel.rotation, x[:-1]) + travel.shift
    return result


def _about_body(feet: Floats, track: GroundTrack) -> Floats:
    """Foot paths seen from the body: (left, up, forward) of its place on the ground."""
    flat = feet[..., [0, 2]] - track.positions[:, None]
    forward = track.directions[:, None]
    left = np.stack([forward[..., 1], -forward[..., 0]], axis=-1)
    return np.stack([np.sum(flat * left, -1), feet[..., 1], np.sum(flat * forward, -1)], axis=-1)


def _mean_speed(track: GroundTrack, frame_rate: float) -> float:
    return float(
        np.linalg.norm(track.positions[-1] - track.positions[0]) * frame_rate / max(len(track.positions) - 1, 1)
    )


@dataclass(frozen=True)
class GaitStride:
    """A stride with its speed over ground and its gait."""

    stride: Stride
    speed: float
    gait: str
    pattern: FootfallPattern | None


def classify_over_ground(
    stride: Stride, track: GroundTrack, frame_rate: float, anatomy: Anatomy, loop: bool = False
) -> GaitStride:
    """A stride seen over ground; one of a loop may begin anywhere in it and has the velocity of all its strides."""
    end = len(track.positions) - 1
    edges = [int(stride.start * frame_rate), min(round((stride.start + stride.seconds) * frame_rate), end)]
    if loop:
        count = max(round(end / frame_rate / stride.seconds), 1)
        edges = [round(k * end / count) for k in range(count + 1)]
    seconds = max((edges[-1] - edges[0]) / frame_rate, 1e-9)
    moved = np.sum([_moved_in_own_axes(track, *between) for between in pairwise(edges)], axis=0)
    seen = classify_stride(stride, moved / seconds, np.array([0.0, 1.0]), anatomy)
    turned = float(np.abs(np.diff(track.facings[edges])).sum()) * stride.seconds / seconds
    in_place = seen.speed * stride.seconds < 0.6 * anatomy.hip_height
    return replace(seen, gait="turn") if turned > TURN_ANGLE and in_place and len(anatomy.legs) == 4 else seen


def _moved_in_own_axes(track: GroundTrack, first: int, last: int) -> Floats:
    """How far the body goes to its left and ahead between two frames, in axes that turn as evenly as it turns from the
    one to the other: along a curve the way counts, not the chord."""
    facings = track.facings[first : last + 1]
    even = np.linspace(-0.5, 0.5, 2 * (last - first) + 1)[1::2] * (facings[-1] - facings[0])
    yaw = facings.mean() + even
    x, z = np.diff(track.positions[first : last + 1], axis=0).T
    sine, cosine = np.sin(yaw), np.cos(yaw)
    return np.array([np.sum(x * cosine - z * sine), np.sum(x * sine + z * cosine)])


def classify_stride(stride: Stride, velocity: Floats, facing: Floats, anatomy: Anatomy) -> GaitStride:
    """The gait of one stride at a velocity over ground."""
    speed, ahead = float(np.linalg.norm(velocity)), float(velocity @ facing)
    heights = speed / anatomy.hip_height
    if len(anatomy.legs) == 2:
        gait = "run" if np.mean(stride.duty) < 0.5 else "walk"
        gait = gait if heights > MIN_SPEED_HIP_HEIGHTS else "stand"
        return GaitStride(stride, speed, "backward" if ahead < -0.5 * speed and gait != "stand" else gait, None)
    pattern = FootfallPattern.of(stride.phases, stride.duty, speed, anatomy.hip_height)
    if heights < MIN_SPEED_HIP_HEIGHTS or heights * stride.seconds < MIN_STRIDE_HIP_HEIGHTS:
        return GaitStride(stride, speed, "irregular", pattern)
    if ahead < 0.5 * speed:
        return GaitStride(stride, speed, "backward" if ahead < -0.5 * speed else "side", pattern)
    return GaitStride(stride, speed, name_gait(pattern), pattern)


def _summary(seen: list[GaitStride], contacts: Bools, anatomy: Anatomy, in_place: bool, loop: bool) -> Footfalls:
    """The gait that most of the stride time shows, irregular strides counting less, and its mean figures."""
    shares: dict[str, float] = {}
    for s in seen:
        shares[s.gait] = shares.get(s.gait, 0.0) + s.stride.seconds
    if not shares:
        return Footfalls(contacts, "stand", 0.0, in_place, loop=loop)
    gait = max(shares, key=lambda g: shares[g] * (0.3 if g == "irregular" else 1.0))
    chosen = [s for s in seen if s.gait == gait]
    total = sum(shares.values())
    speed = float(np.median([s.speed for s in chosen]))
    seconds = float(np.median([s.stride.seconds for s in chosen]))
    names = [leg.name for leg in anatomy.legs]
    duty = np.median([s.stride.duty for s in chosen], axis=0)
    phases = [circular_mean([s.stride.phases[k] for s in chosen]) for k in range(len(names))]
    pattern = (
        FootfallPattern.of(phases, list(duty), speed, anatomy.hip_height)
        if len(names) == 4 and gait not in SPECIAL
        else None
    )
    return Footfalls(
        contacts,
        gait,
        speed,
        in_place,
        runner_up(pattern, gait) if pattern else "",
        sequence(pattern, gait) if pattern else "",
        seconds,
        speed * seconds,
        dict(zip(names, (float(d) for d in duty), strict=True)),
        dict(zip(names, phases, strict=True)),
        speed**2 / (GRAVITY * anatomy.hip_height),
        loop=loop,
        shares={g: t / total for g, t in sorted(shares.items(), key=lambda x: -x[1])},
    )


def _with_skating(motion: Motion, anatomy: Anatomy, footfalls: Footfalls) -> Footfalls:
    feet = motion.position_world[:, anatomy.feet]
    return replace(footfalls, skating_cm=float(np.mean(foot_skating(feet, motion.frame_rate))))


# Clips in place ----------------------------------------------------------------------------------


def _read_in_place(motion: Motion, anatomy: Anatomy, feet: Floats, sweep: float) -> Clip:
    height = anatomy.hip_height
    span = find_span(feet)
    if sweep < STANDING_SWEEP_HIP_HEIGHTS * height:
        if np.any(np.all(feet[..., 1] > feet[..., 1].min(axis=0) + LEAP_HIP_HEIGHTS * height, axis=1)):
            return Clip(motion, _action(motion, anatomy, feet))
        standing = np.ones((len(motion), len(anatomy.legs)), bool)
        still = Footfalls(standing, "stand", 0.0, True, loop=bool(span.period))
        return Clip(motion, _with_skating(motion, anatomy, still))
    clip = _read_span(motion, anatomy, feet, span)
    if clip.footfalls.gait == "stand" and not span.period:
        clip = _read_open(motion, anatomy, feet, span) or clip
    if clip.footfalls.gait in ("bound", "pronk") and _resting(feet, motion.frame_rate, height) > 0.1:
        return Clip(motion, _action(motion, anatomy, feet))  # a jump
    return clip


def _read_open(motion: Motion, anatomy: Anatomy, feet: Floats, span: Span) -> Clip | None:
    """A clip of about one stride that does not close: a clean cycle cut out of it, else the whole, its seam spread."""
    part = feet[span.start : span.end]
    if cut := cut_cycle(part):
        return _read_span(motion, anatomy, feet, Span(span.start + cut.start, span.start + cut.end, cut.period))
    if len(part) / motion.frame_rate > 3.0:
        return None
    gap = part[0] - part[-1] - (part[-1] - part[-2])
    closed = feet.copy()
    closed[span.start : span.end] += np.linspace(-0.5, 0.5, len(part))[:, None, None] * gap
    clip = _read_span(motion, anatomy, closed, Span(span.start, span.end, len(part)))
    if clip.footfalls.gait in ("stand", "action"):
        return None
    doubt = "the clip does not close: its seam was spread over it"
    return replace(clip, footfalls=replace(clip.footfalls, loop=False, doubts=(*clip.footfalls.doubts, doubt)))


def _read_span(motion: Motion, anatomy: Anatomy, feet: Floats, span: Span) -> Clip:
    """What the feet do in one stretch of a clip in place, which is cut out and made to travel."""
    part = feet[span.start : span.end]
    hips = motion.position_world[:, anatomy.hips, 1].mean(axis=0).astype(np.float64)
    spot = in_place_contacts(part, hips, motion.frame_rate, anatomy.hip_height, span.period)
    if _is_action(spot, part, motion.frame_rate, anatomy.hip_height):
        return Clip(motion, _action(motion, anatomy, feet))
    strides = find_strides(spot.steps, _reference(anatomy), *STRIDE_SECONDS)
    strides = [_evened(s, part, span.period) for s in strides] if span.period and len(strides) == 1 else strides
    facing = np.array([0.0, 1.0])
    seen = [classify_stride(s, spot.velocity, facing, anatomy) for s in strides]
    moved = _travelled(_closed(motion[span.start : span.end], span), spot.velocity)
    footfalls = _summary(seen, spot.steps.at_frames(len(moved), motion.frame_rate), anatomy, True, bool(span.period))
    doubts = (f"the feet disagree about the speed by {100 * spot.spread:.0f} %",) if spot.spread > 0.25 else ()
    return Clip(moved, _with_skating(moved, anatomy, replace(footfalls, doubts=doubts)))


def _closed(motion: Motion, span: Span) -> Motion:
    """A loop whose last frame repeats its first; missing closing frames are added."""
    if not span.period or span.period < len(motion):
        return motion
    last, first = motion[-1:], motion[:1]
    missing = span.period - len(motion)
    between = [blend(last, first, k / (missing + 1)) for k in range(1, missing + 1)]
    return concatenate([motion, *between, first])


def _travelled(motion: Motion, velocity: Floats) -> Motion:
    """Root motion added: every root moves on at `velocity` (x, z)."""
    shift = np.arange(len(motion))[:, None] / motion.frame_rate * np.array([velocity[0], 0.0, velocity[1]])
    positions = motion.positions.copy()
    roots = np.flatnonzero(motion.skeleton.parents < 0)
    positions[:, roots] += shift[:, None].astype(positions.dtype)
    return replace(motion, positions=positions)


def _action(motion: Motion, anatomy: Anatomy, feet: Floats) -> Footfalls:
    """The footfalls of a clip without a gait: feet are down where they are low and slow over ground that is at rest."""
    steps = travelling_contacts(feet, ground_track(motion, anatomy).positions, motion.frame_rate, anatomy.hip_height)
    contacts = steps.at_frames(len(motion), motion.frame_rate)
    return _with_skating(motion, anatomy, Footfalls(contacts, "action", 0.0, True))


def _is_action(spot: InPlace, feet: Floats, frame_rate: float, height: float) -> bool:
    """Whether a clip shows a fall or a shake instead of a gait: a foot never stands, all feet rest, or no travel."""
    if (
        not np.all(spot.steps.contacts.any(axis=0))
        or float(np.linalg.norm(spot.velocity)) < MIN_SPEED_HIP_HEIGHTS * height
    ):
        return True
    return _resting(feet, frame_rate, height) > 0.06 + 1.5 / len(feet)


def _resting(feet: Floats, frame_rate: float, height: float) -> float:
    """The share of frames with all feet low and still."""
    speed = np.linalg.norm(np.gradient(feet, axis=0), axis=-1) * frame_rate
    low = feet[..., 1] < feet[..., 1].min(axis=0) + 0.1 * height
    return float(np.mean(np.all(low & (speed < 0.25 * height), axis=1)))


def _evened(stride: Stride, feet: Floats, period: int | None) -> Stride:
    """The only stride of a loop, left and right averaged where their paths are the same but for a lag: one touchdown
    is uncertain."""
    phases, duty = list(stride.phases), list(stride.duty)
    for left in range(0, len(phases), 2):
        lag, likeness = _lag(feet[:period, left], feet[:period, left + 1])
        if likeness > 0.85:
            base = circular_mean([phases[left], phases[left + 1] - lag])
            phases[left], phases[left + 1] = base, (base + lag) % 1.0
            duty[left] = duty[left + 1] = (duty[left] + duty[left + 1]) / 2
    reference = phases[2 if len(phases) == 4 else 0]
    return replace(stride, phases=tuple((p - reference) % 1.0 for p in phases), duty=tuple(duty))


def _lag(left: Floats, right: Floats) -> tuple[float, float]:
    """By what share of the loop the right foot repeats the left, and how well, by circular correlation."""
    a, b = (np.stack([x[:, 2], x[:, 1]], axis=-1) for x in (left, right))
    a, b = a - a.mean(axis=0), b - b.mean(axis=0)
    product = np.fft.irfft(np.conj(np.fft.rfft(a, axis=0)) * np.fft.rfft(b, axis=0), n=len(a), axis=0).sum(axis=1)
    norm = float(np.linalg.norm(a) * np.linalg.norm(b))
    best = int(np.argmax(product))
    beside = product[[(best - 1) % len(product), best, (best + 1) % len(product)]]
    bend = beside[0] - 2 * beside[1] + beside[2]
    shift = 0.5 * (beside[0] - beside[2]) / bend if bend < 0 else 0.0
    return float(((best + shift) / len(a)) % 1.0), float(product[best] / norm) if norm > 0 else 0.0

"""When each foot is on the ground, in clips that travel and in clips that walk in place.

Works on canonical foot paths `(T, L, 3)` (metres, +Y up, ground at 0). Thresholds are in hip heights `h`, so that a pug
and an elephant share them; they are the measured ones of a captured dog put into that unit.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from canter.anatomy.loop_detection import strides_in
from canter.motion.arrays import Bools, Floats
from canter.motion.feet import stances

TOUCHDOWN_SPEED, LIFTOFF_SPEED = (0.79, 0.30), (1.18, 0.45)
"""Foot speeds at which a contact begins and ends: hip heights a second, plus a share of the trunk's speed."""
CAPTURED_STANCE_SPEED = 0.07
"""25th percentile of foot speed in stance in captures, as a share of the speed limit."""
MIN_LIMIT_SHARE = (0.25, 0.15)
"""To which share the speed limits are lowered at most where feet stand perfectly still: in open clips, in loops."""
LOW_SHARE, LOW_HIP_HEIGHTS = 0.5, (0.03, 0.09)
"""A foot is low below this share of its own height range, and the limit is kept within these hip heights."""
MIN_LIFT = 0.045
"""Hip heights that a foot is lifted in swing at least; smaller ranges of height are noise."""
CALM_SPEED, CALM_HEIGHT, CALM_SECONDS = 0.15, 0.2, 0.3
"""Hip heights a second, hip heights and seconds: a foot that is slower and lower than that for so long stands, also
where it is higher than in a stride, as the ankle of an animal that sits is."""
SAMPLES_PER_SECOND, SAMPLES_PER_LOOP = 120.0, 240
"""Foot paths are resampled at least this finely before contacts are read off them."""
MIN_SECONDS, MIN_LOOP_SHARES = (0.04, 0.06), (0.07, 0.1)
"""How long a gap between contacts and a contact last at least; in a loop such a share of it is enough."""
MAX_TREMOR, STEADY_SECONDS = 0.12, 0.06
"""Feet that tremble faster than this, in hip heights a second, are averaged over so much time before contacts are read
off their paths."""
MAX_UPSAMPLING = 24
"""New samples for one frame at most: a clip of one frame a second shows no steps, however fine the spline."""


@dataclass(frozen=True, eq=False)
class FineContacts:
    """Contacts on a fine grid of times: `contacts (N, L)` at `rate` a second; `period` in seconds for a loop."""

    contacts: Bools
    rate: float
    period: float | None = None

    def at_frames(self, frames: int, frame_rate: float, start: int = 0) -> Bools:
        """The contacts at the frames of the clip; `start` is the frame at which the fine grid begins."""
        index = np.round((np.arange(frames) - start) / frame_rate * self.rate).astype(int)
        index = index % len(self.contacts) if self.period else np.clip(index, 0, len(self.contacts) - 1)
        return np.asarray(self.contacts[index])


def hysteresis(on: Bools, off: Bools, periodic: bool = False) -> Bools:
    """True from where `on` holds until `off` holds, along the first axis of `(N, L)`."""
    decided = np.where(on | off, np.arange(len(on))[:, None], -1)
    last = np.maximum.accumulate(decided, axis=0)  # the latest sample with on or off
    if periodic:
        last = np.where(last < 0, last[-1:], last)
    return np.asarray((last >= 0) & np.take_along_axis(on, np.maximum(last, 0), axis=0))


def debounced(contacts: Bools, rate: float, min_gap: float, min_contact: float, periodic: bool = False) -> Bools:
    """Gaps under `min_gap` seconds closed, then contacts under `min_contact` seconds dropped."""
    result = contacts.copy()
    for foot in range(contacts.shape[1]):
        for value, limit in ((False, min_gap), (True, min_contact)):
            for start, end in runs(result[:, foot] == value, periodic):
                inside = periodic or (start > 0 and end < len(result))
                if (end - start) / rate < limit and (inside or value):
                    result[np.arange(start, end) % len(result), foot] = not value
    return result


def runs(flags: Bools, periodic: bool = False) -> list[tuple[int, int]]:
    """Start and end (exclusive) of the stretches where `flags` holds; in a loop the last may run past the end."""
    if flags.all():
        return [(0, len(flags))]
    found = stances(flags)
    if periodic and len(found) > 1 and found[0][0] == 0 and found[-1][1] == len(flags):
        found = [*found[1:-1], (found[-1][0], len(flags) + found[0][1])]
    return found


def travelling_contacts(
    feet: Floats, trunk: Floats, frame_rate: float, height: float, loop: int | None = None
) -> FineContacts:
    """Contacts of a clip that covers ground: low and slow, both with hysteresis.

    `trunk (T, 2)` is the ground track; feet may move faster when it does (speed limits grow with it). `loop` is the
    period in frames of a clip that repeats itself: it is sampled more finely, and short strides have short stances.
    """
    rate, gap, shortest = _sampling(frame_rate, loop)
    if loop is None and tremor(feet, frame_rate) > MAX_TREMOR * height:
        feet = steadied(feet, round(STEADY_SECONDS * frame_rate))
    feet, trunk = _resampled(feet, frame_rate, rate), _resampled(trunk, frame_rate, rate)
    level = np.percentile(feet[..., 1], 2, axis=0)
    span = np.percentile(feet[..., 1], 95, axis=0) - level
    low = np.clip(LOW_SHARE * span, LOW_HIP_HEIGHTS[0] * height, LOW_HIP_HEIGHTS[1] * height)
    above = feet[..., 1] - level
    speed = np.linalg.norm(_gradient(feet[..., [0, 2]], rate), axis=-1)
    pace = _moving_average(np.linalg.norm(_gradient(trunk, rate), axis=-1), max(int(0.5 * rate), 1))[:, None]
    moving, min_share = (pace > 0.5 * height, MIN_LIMIT_SHARE[0]) if loop is None else (pace >= 0, MIN_LIMIT_SHARE[1])
    slow, fast = (fixed * height + relative * pace for fixed, relative in (TOUCHDOWN_SPEED, LIFTOFF_SPEED))
    share = _limit_share(speed / slow, (above < low) & moving, min_share)
    on = (above < low) & (speed < share * slow)
    high = np.where(span > MIN_LIFT * height, np.minimum(1.5 * low, 0.75 * span), 1.5 * low)
    off = (above > high) | (speed > share * fast)
    down = hysteresis(on, off)
    if loop is None:
        down |= debounced((speed < CALM_SPEED * height) & (above < CALM_HEIGHT * height), rate, 0.0, CALM_SECONDS)
    return FineContacts(debounced(down, rate, gap, shortest), rate)


def _sampling(frame_rate: float, loop: int | None) -> tuple[float, float, float]:
    """The sampling rate at which contacts are read, and how many seconds a gap and a contact last at least."""
    if loop is not None:
        seconds = loop / frame_rate
        finer = int(np.clip(np.ceil(SAMPLES_PER_LOOP / loop), 1, MAX_UPSAMPLING))
        return (
            frame_rate * finer,
            min(MIN_SECONDS[0], MIN_LOOP_SHARES[0] * seconds),
            min(MIN_SECONDS[1], MIN_LOOP_SHARES[1] * seconds),
        )
    return frame_rate * _upsampling(
        frame_rate
    ) if frame_rate < 0.9 * SAMPLES_PER_SECOND / 2 else frame_rate, *MIN_SECONDS


def _limit_share(speed: Floats, low: Bools, min_share: float) -> Floats:
    """The share `(L,)` of the speed limits that suits a clip: 1 where standing feet tremble, as in captures, less where
    they were keyed to stand still, `min_share` at least. `speed (N, L)` is in units of the limit."""
    quiet = [np.percentile(speed[low[:, k], k], 25) if low[:, k].any() else 1.0 for k in range(speed.shape[1])]
    return np.clip(np.array(quiet) / CAPTURED_STANCE_SPEED, min_share, 1.0)


def _upsampling(frame_rate: float) -> int:
    """How many samples a frame is divided into, so that there are enough a second."""
    return int(np.clip(np.ceil(SAMPLES_PER_SECOND / frame_rate), 1, MAX_UPSAMPLING))


def _gradient(x: Floats, rate: float) -> Floats:
    if len(x) < 2:
        return np.zeros_like(x)
    result: Floats = np.gradient(x, axis=0) * rate
    return result


def _moving_average(x: Floats, width: int) -> Floats:
    width = min(width, len(x))
    padded = np.pad(x, (width // 2, width - 1 - width // 2), mode="edge")
    result: Floats = np.convolve(padded, np.ones(width) / width, mode="valid")
    return result


def tremor(paths: Floats, rate: float) -> float:
    """The usual speed of a trembling that `paths (T, L, 3)` show from frame to frame, in metres a second.

    Noise bends paths in all frames, swings only in some: so it is told by the tenth of the frames that bend least.
    """
    if len(paths) < 5:
        return 0.0
    bends = np.linalg.norm(np.diff(paths, 3, axis=0), axis=-1)
    least, usual = 0.764, 1.193  # 10th and 30th percentile of the size of noise of deviation 1 in three dimensions
    noise = np.percentile(bends, 10) / np.sqrt(20)  # a third difference of noise is sqrt(20) times it
    return float(usual / least * noise * rate)


def steadied(x: Floats, width: int) -> Floats:
    """`x (T, ...)` averaged with a window of Hann over about `width` samples to either side."""
    if width < 1 or len(x) <= 2 * width:
        return x
    window = np.hanning(2 * width + 3)[1:-1]
    window /= window.sum()
    padded = np.concatenate([np.repeat(x[:1], width, axis=0), x, np.repeat(x[-1:], width, axis=0)])
    return sum((share * padded[k : k + len(x)] for k, share in enumerate(window)), np.zeros_like(x))


def _resampled(x: Floats, frame_rate: float, rate: float) -> Floats:
    """`x (T, ...)` at a higher rate, by a cubic spline."""
    if rate <= frame_rate or len(x) < 4:
        return np.repeat(x, max(round(rate / frame_rate), 1), axis=0) if rate > frame_rate else x
    from scipy.interpolate import CubicSpline

    times = np.arange(len(x)) / frame_rate
    result: Floats = CubicSpline(times, x, axis=0)(np.arange(int(times[-1] * rate) + 1) / rate)
    return result


@dataclass(frozen=True, eq=False)
class InPlace:
    """A clip that walks in place: its contacts, and the velocity (x, z) at which it would travel."""

    steps: FineContacts
    velocity: Floats
    spread: float
    """How far the feet disagree about that speed, as a share of it."""


def in_place_contacts(feet: Floats, hips: Floats, frame_rate: float, height: float, loop: int | None) -> InPlace:
    """Contacts and belt speed of a clip whose ground moves.

    `feet (T, L, 3)`, `hips (L,)` heights of the hips; `loop` is the period in frames, or None. Each stance foot goes
    back with the belt; a joint above the sole is slower, as the leg turns about the ground like a strut, so its
    speed is multiplied by hip / (hip - joint height), unless the foot keeps one height throughout. The 60th percentile
    over all stance samples is the belt's.
    """
    paths, rate = _fine_paths(feet, frame_rate, loop)
    flat = _gradient(paths[..., [0, 2]], rate) if loop is None else _circular_gradient(paths[..., [0, 2]], rate)
    above = paths[..., 1]
    strut = hips / np.maximum(hips - np.clip(above, 0, None), 0.3 * hips)
    flat = flat * np.where(_keyed_flat(above, height), 1.0, strut)[..., None]
    low, span = above.min(axis=0), np.ptp(above, axis=0)
    share = (above - low) / np.maximum(span, 1e-9)
    direction = _belt_direction(flat, share)
    backward = -(flat @ direction)
    speed = _first_speed(backward, share)
    contacts = np.zeros_like(share, bool)
    for _ in range(3):
        contacts = _stances(above, share, backward, speed, height, loop is not None)
        contacts = debounced(contacts, rate, 0.03, 0.04, loop is not None)
        if loop is not None:
            contacts = once_a_stride(contacts, share, strides_in(paths[..., [0, 2]] @ direction))
        if not contacts.any():
            break
        speed = float(np.percentile(backward[contacts], 60))
    each = [float(np.percentile(backward[contacts[:, k], k], 60)) for k in range(feet.shape[1]) if contacts[:, k].any()]
    spread = float(np.std(each) / max(abs(speed), 1e-9)) if each else float("nan")
    steps = FineContacts(contacts, rate, loop / frame_rate if loop else None)
    return InPlace(steps, direction * max(speed, 0.0), spread)


def once_a_stride(contacts: Bools, share: Floats, strides: int) -> Bools:
    """The contacts of a loop with one contact of each foot a stride: gaps in which it stays low are closed, and short
    contacts dropped. `share (N, L)` is the height of each foot within its range."""
    result = contacts.copy()
    count = len(result)
    for foot in range(result.shape[1]):
        while len(down := runs(result[:, foot], True)) > strides:
            gaps = runs(~result[:, foot], True)
            start, end = min(gaps, key=lambda gap: gap[1] - gap[0])
            inside = np.arange(start, end) % count
            first, last = min(down, key=lambda stance: stance[1] - stance[0])
            if share[inside, foot].max() < 0.62 and end - start < 2 * (last - first):
                result[inside, foot] = True
            else:
                result[np.arange(first, last) % count, foot] = False
    return result


def _fine_paths(feet: Floats, frame_rate: float, loop: int | None) -> tuple[Floats, float]:
    """Foot paths on a fine grid: cubic on the ground plane, PCHIP for height, which does not ring at the floor."""
    from scipy.interpolate import CubicSpline, PchipInterpolator

    if loop is None:
        if len(feet) < 4:
            return feet, frame_rate
        times, count = np.arange(len(feet)) / frame_rate, len(feet) * _upsampling(frame_rate)
        grid = np.linspace(0, times[-1], count)
        flat, height = CubicSpline(times, feet[..., [0, 2]], axis=0)(grid), PchipInterpolator(times, feet[..., 1])(grid)
        rate = (count - 1) / times[-1]
    else:
        feet = feet[:loop]
        count = max(SAMPLES_PER_LOOP, 4 * loop)
        times, grid = np.arange(len(feet)) / frame_rate, np.arange(count) * loop / frame_rate / count
        closed = np.append(times, loop / frame_rate)
        flat = CubicSpline(closed, np.concatenate([feet, feet[:1]])[..., [0, 2]], axis=0, bc_type="periodic")(grid)
        around = np.concatenate([times[-3:] - closed[-1], times, times[:3] + closed[-1]])
        height = PchipInterpolator(around, np.concatenate([feet[-3:], feet, feet[:3]])[..., 1])(grid)
        rate = count * frame_rate / loop
    return np.stack([flat[..., 0], height, flat[..., 1]], axis=-1), float(rate)


def _circular_gradient(x: Floats, rate: float) -> Floats:
    result: Floats = (np.roll(x, -1, axis=0) - np.roll(x, 1, axis=0)) * rate / 2
    return result


def _belt_direction(flat: Floats, share: Floats) -> Floats:
    """The direction (x, z) in which the animal would travel: against the mean velocity of its low feet."""
    low = share < 0.35
    mean = -flat[low].mean(axis=0) if low.any() else np.array([0.0, 1.0])
    length = float(np.linalg.norm(mean))
    ahead = np.array([0.0, 1.0])
    if length < 1e-9:
        return ahead
    direction: Floats = mean / length
    straight = np.sign(direction[1] or 1) * ahead
    return straight if abs(direction[1]) > 0.9 else direction


def _first_speed(backward: Floats, share: Floats) -> float:
    """A first estimate of the belt's speed, from all feet that are low and go backward."""
    going_back = backward[(share < 0.45) & (backward > 0)]
    return float(np.percentile(going_back, 60)) if going_back.size else 0.0


def _keyed_flat(above: Floats, height: float) -> Bools:
    """Whether feet were keyed exactly onto one height: they slide with the belt and do not roll over the ground."""
    return np.asarray(np.mean(above < above.min(axis=0) + 0.0015 * height, axis=0) > 0.14)


def _stances(above: Floats, share: Floats, backward: Floats, speed: float, height: float, periodic: bool) -> Bools:
    """Contacts by one of three rules, chosen for each foot by how long it stays lowest: keyed flat, flat with noise,
    rounded (docs/anatomy.md lists the thresholds)."""
    on, off = np.zeros_like(share, bool), np.zeros_like(share, bool)
    for k in range(share.shape[1]):
        y, s, v = above[:, k], share[:, k], backward[:, k]
        if _keyed_flat(y, height):
            on[:, k], off[:, k] = s < 0.05, s > 0.08
        elif np.mean(s < 0.05) > 0.22:
            on[:, k], off[:, k] = (s < 0.25) & (v > 0.3 * speed), (s > 0.35) | (v < -0.1 * speed)
        else:
            on[:, k], off[:, k] = (s < 0.45) & (v > 0.3 * speed), (s > 0.62) | (v < 0.1 * speed)
    return hysteresis(on, off, periodic)

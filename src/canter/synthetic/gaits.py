"""When and where the feet of a synthetic animal go: gait rows, the track of the body, and footprints on the ground.

Everything here is canonical: metres, +Y up, +Z forward, +X left. Phases are fractions of a stride after the touchdown
of the left hind foot, in the order LF, RF, LH, RH (Hildebrand 1989).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from canter.anatomy.character import LEGS
from canter.motion.arrays import ArrayLike, Bools, Floats
from canter.motion.easing import cubic_step

TAU = 2 * np.pi
Range = tuple[float, float]


@dataclass(frozen=True)
class GaitRow:
    """One gait with room to draw from. Lengths are in hip heights, angles in degrees.

    `lag` is how much later the fore feet of a symmetrical gait come than the hind foot of their side; asymmetrical ones
    give all four `phases`. `period` times the root of the hip height in metres is the stride in seconds.
    `rock` is 1 where the trunk moves once a stride (canter) and 2 where it moves with every step.
    """

    name: str
    style: str
    duty: Range
    sweep: Range
    period: Range
    lift: Range
    bob: float
    pitch: float
    rock: int
    lag: Range | None = None
    phases: tuple[float, float, float, float] | None = None


GAITS = {
    #                     style         duty          sweep        period        lift          bob   pitch rock
    "walk": GaitRow("walk", "", (0.60, 0.68), (0.70, 1.00), (1.0, 1.5), (0.06, 0.20), 0.020, 1.8, 2, (0.21, 0.29)),
    "diagonal walk": GaitRow(
        "walk", "", (0.60, 0.68), (0.70, 1.00), (1.0, 1.5), (0.06, 0.20), 0.020, 1.8, 2, (0.38, 0.50)
    ),
    "amble": GaitRow("amble", "", (0.56, 0.64), (0.70, 1.00), (0.9, 1.3), (0.07, 0.19), 0.018, 1.5, 2, (0.12, 0.17)),
    "pace": GaitRow("pace", "", (0.48, 0.58), (0.70, 1.00), (0.75, 1.1), (0.08, 0.18), 0.020, 1.2, 2, (0.00, 0.06)),
    "trot": GaitRow("trot", "", (0.40, 0.50), (0.70, 1.05), (0.65, 0.9), (0.08, 0.24), 0.040, 0.8, 2, (0.44, 0.52)),
    "canter": GaitRow(
        "canter",
        "transverse",
        (0.33, 0.40),
        (0.85, 1.15),
        (0.6, 0.75),
        (0.2, 0.4),
        0.07,
        6,
        1,
        None,
        (0.23, 0.48, 0, 0.2),
    ),
    "rotary canter": GaitRow(
        "canter", "rotary", (0.33, 0.40), (0.85, 1.15), (0.6, 0.75), (0.2, 0.4), 0.07, 6, 1, None, (0.48, 0.24, 0, 0.19)
    ),
    "gallop": GaitRow(
        "gallop",
        "transverse",
        (0.22, 0.30),
        (0.95, 1.2),
        (0.5, 0.7),
        (0.25, 0.45),
        0.07,
        7,
        1,
        None,
        (0.39, 0.52, 0, 0.13),
    ),
    "rotary gallop": GaitRow(
        "gallop", "rotary", (0.22, 0.30), (0.95, 1.2), (0.5, 0.7), (0.25, 0.45), 0.07, 8, 1, None, (0.52, 0.37, 0, 0.14)
    ),
    "bound": GaitRow(
        "bound", "", (0.25, 0.34), (0.9, 1.2), (0.55, 0.75), (0.25, 0.45), 0.08, 9, 1, None, (0.45, 0.46, 0, 0.01)
    ),
}


@dataclass(frozen=True)
class Stride:
    """One gait of one animal, all drawn: `speed` in m/s, `seconds` a stride, lengths in metres, angles in radians."""

    gait: str
    style: str
    seconds: float
    speed: float
    duty: float
    phases: tuple[float, float, float, float]
    lift: float
    bob: float
    pitch: float
    rock: int
    bend: float
    nod: float
    wag: float


def mirrored(phases: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
    """The same gait on the other lead, again counted from LH."""
    lf, rf, lh, rh = phases[1], phases[0], phases[3], phases[2]
    return ((lf - lh) % 1.0, (rf - lh) % 1.0, 0.0, (rh - lh) % 1.0)


def draw_stride(rng: np.random.Generator, key: str, hip: float, reach: float = 1.0, bend: float = 0.12) -> Stride:
    """A stride of gait `key` for hip height `hip`; `reach` stretches or shrinks the step."""
    row = GAITS[key]
    duty, sweep, period = (float(rng.uniform(*r)) for r in (row.duty, row.sweep, row.period))
    seconds = period * np.sqrt(hip)
    phases = row.phases
    if phases is None:
        lag = float(rng.uniform(*(row.lag or (0.0, 0.0))))
        phases = (lag % 1.0, (lag + 0.5) % 1.0, 0.0, 0.5)
    if rng.random() < 0.5:
        phases = mirrored(phases)
    return Stride(
        row.name,
        row.style,
        float(seconds),
        float(sweep * reach * hip / (duty * seconds)),
        duty,
        phases,
        float(rng.uniform(*row.lift)) * hip,
        row.bob * hip * float(rng.uniform(0.5, 1.2)),
        float(np.radians(row.pitch) * rng.uniform(0.5, 1.2)),
        row.rock,
        float(bend * rng.uniform(0.6, 1.3) * (1.0 if row.rock == 2 else 0.3)),
        float(rng.uniform(0.02, 0.10) * (1.5 if row.rock == 1 else 1.0)),
        float(rng.uniform(0.1, 0.4)),
    )


def hump(u: Floats, peak: float) -> Floats:
    """0 at both ends, 1 at `peak`, with soft ends: how high a swinging foot is."""
    a, b = 4 * peak, 4 * (1 - peak)
    x = np.clip(u, 0, 1)
    result: Floats = x**a * (1 - x) ** b / (peak**a * (1 - peak) ** b)
    return result


def keyed(phase: Floats, keys: list[tuple[float, float]]) -> Floats:
    """A periodic curve through `keys` (phase, value), at rest at each of them."""
    times = np.array([t for t, _ in keys] + [keys[0][0] + 1.0])
    values = np.array([v for _, v in keys] + [keys[0][1]])
    x = (phase - times[0]) % 1.0 + times[0]
    i = np.clip(np.searchsorted(times, x, side="right") - 1, 0, len(keys) - 1)
    u = (x - times[i]) / (times[i + 1] - times[i])
    result: Floats = values[i] + (values[i + 1] - values[i]) * u * u * (3 - 2 * u)
    return result


@dataclass(frozen=True)
class Track:
    """Where the body is over ground: along a circle of `turn` radians a metre from `heading`, straight for 0."""

    speed: float
    turn: float = 0.0
    heading: float = 0.0

    def at(self, seconds: ArrayLike) -> tuple[Floats, Floats]:
        """Ground points `(..., 3)` and headings `(...)` at those times."""
        s = self.speed * np.asarray(seconds, float)
        turned = self.turn * s
        chord, middle = s * np.sinc(turned / TAU), self.heading + turned / 2
        point = np.stack([chord * np.sin(middle), np.zeros_like(s), chord * np.cos(middle)], axis=-1)
        return point, self.heading + turned


def leg_phase(stride: Stride, leg: int, seconds: Floats) -> Floats:
    """Strides since the first touchdown of that leg."""
    result: Floats = seconds / stride.seconds - stride.phases[leg]
    return result


def contacts(stride: Stride, seconds: Floats) -> Bools:
    """Which feet are down `(T, 4)`."""
    down = [leg_phase(stride, leg, seconds) % 1.0 < stride.duty for leg in range(len(LEGS))]
    return np.stack(down, axis=-1)


def footprints(stride: Stride, track: Track, leg: int, neutral: Floats, seconds: Floats, peak: float) -> Floats:
    """World positions `(T, 3)` of one foot: planted in stance, lifted and eased forward in swing.

    `neutral (3,)` is where the foot stands below the body at the middle of its stance, relative to the track.
    """
    phase = leg_phase(stride, leg, seconds)
    count = np.floor(phase)
    swing = np.clip((phase - count - stride.duty) / max(1 - stride.duty, 1e-9), 0, 1)
    middle = (count + stride.phases[leg] + stride.duty / 2) * stride.seconds

    def print_at(when: Floats) -> Floats:
        point, heading = track.at(when)
        sine, cosine = np.sin(heading), np.cos(heading)
        x = point[..., 0] + cosine * neutral[0] + sine * neutral[2]
        z = point[..., 2] - sine * neutral[0] + cosine * neutral[2]
        return np.stack([x, np.full_like(x, neutral[1]), z], axis=-1)

    here, there = print_at(middle), print_at(middle + stride.seconds)
    foot = here + (there - here) * cubic_step(swing)[:, None]
    foot[:, 1] += stride.lift * hump(swing, peak)
    return foot

"""Legs in the plane of travel: stance in foot space, swing in joint space, and a correction for clearance.

A leg is a chain of segments in its own plane, each with an angle from straight down, forward positive. In stance the
foot is given and one number scales the flexions until the leg reaches it; in swing the limb's angle follows a velocity
profile, the flexions come from the row, and offsets that fade keep every joint smooth over lift-off and touchdown.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from canter.animals.rows import LegRow
from canter.animals.waves import profile, smoothstep
from canter.motion.arrays import Bools, Floats

SIGNS = {"elbow": 1.0, "carpus": -1.0, "stifle": -1.0, "hock": 1.0, "fetlock": 1.0, "toes": 1.0}
"""Whether bending a joint swings the segment below it forward (+) or backward."""
GIVING = {"elbow": 1.0, "carpus": 0.7, "stifle": 1.0, "hock": 1.0}
"""How much a joint gives when the leg must be longer or shorter; the fetlock gives to load only."""
LIFT_SCALES = (0.7, 2.0)
"""How far the flexions of a swinging leg may be changed for the sake of clearance."""
COFFIN = 12.0
"""Degrees that a hoof flexes against its pastern in mid swing."""
UPRIGHT = 3.0
"""The limb angle in degrees at which the scapula is at rest."""


@dataclass(frozen=True, eq=False)
class PlanarLeg:
    """A leg at rest in its plane: `roles` name its joints from the top, `lengths` and `angles` (radians) its segments.

    A foreleg begins with the scapula. `foot` is the index of the joint that is held on the ground by a foot segment
    below it (a hoof), or the last point where there is none.
    """

    roles: tuple[str, ...]
    lengths: Floats
    angles: Floats
    has_hoof: bool

    @property
    def has_scapula(self) -> bool:
        return self.roles[0] == "scapula"

    @property
    def aimed(self) -> int:
        """The segment that the aim turns: below the shoulder, or below the hip."""
        return 1 if self.has_scapula else 0

    @property
    def free(self) -> int:
        """The number of segments down to the held joint."""
        return len(self.lengths) - (1 if self.has_hoof else 0)

    def rest_flexions(self) -> dict[int, float]:
        """Signed flexion of each inner joint, by the segment below it."""
        return {
            k: SIGNS[self.roles[k]] * float(self.angles[k] - self.angles[k - 1])
            for k in range(self.aimed + 1, self.free)
        }


@dataclass(frozen=True, eq=False)
class Track:
    """What a leg does over the phase grid: segment `angles (G, K)` in the plane, the held joint's place relative to
    the pivot as (down, forward), and the scale `s` of its flexions."""

    angles: Floats
    scale: Floats
    stance: Bools


def _vector(lengths: Floats, angles: Floats) -> tuple[Floats, Floats]:
    """Down and forward extent of segments `(..., K)`."""
    return (lengths * np.cos(angles)).sum(axis=-1), (lengths * np.sin(angles)).sum(axis=-1)


def _shape(leg: PlanarLeg, flexions: Floats) -> Floats:
    """Segment angles `(G, free - aimed)` of the lower leg with its first segment straight down."""
    signs = np.array([SIGNS[r] for r in leg.roles[leg.aimed + 1 : leg.free]])
    return np.concatenate([np.zeros((len(flexions), 1)), np.cumsum(signs * flexions, axis=1)], axis=1)


def _reach(leg: PlanarLeg, flexions: Floats) -> tuple[Floats, Floats]:
    """Length and angle of the line from the aimed joint to the held joint."""
    down, forward = _vector(leg.lengths[leg.aimed : leg.free], _shape(leg, flexions))
    return np.hypot(down, forward), np.arctan2(forward, down)


def _given(leg: PlanarLeg, flexions: Floats, scale: Floats) -> Floats:
    """Flexions with the giving joints scaled."""
    gives = np.array([GIVING.get(r, 0.0) for r in leg.roles[leg.aimed + 1 : leg.free]])
    result: Floats = flexions * (1 + gives * (scale[:, None] - 1))
    return result


def solve_scale(leg: PlanarLeg, flexions: Floats, wanted: Floats, low: float = 0.03, high: float = 2.2) -> Floats:
    """The scale of the flexions at which the leg is as long as `wanted (G,)`, by false position (Illinois)."""

    def excess(scale: Floats) -> Floats:
        result: Floats = _reach(leg, _given(leg, flexions, scale))[0] - wanted
        return result

    a, b = np.full(len(wanted), low), np.full(len(wanted), high)
    too_long, too_short = excess(a), excess(b)
    never, always = too_long <= 0, too_short >= 0  # out of reach, or still too long when folded
    for _ in range(9):
        middle = np.where(never | always, a, (a * too_short - b * too_long) / (too_short - too_long - 1e-15))
        found = excess(middle)
        longer = found > 0
        too_short = np.where(longer, too_short * 0.5, found)
        too_long = np.where(longer, found, too_long * 0.5)
        a, b = np.where(longer, middle, a), np.where(longer, b, middle)
    return np.where(never, low, np.where(always, high, middle))


def _shoulder(leg: PlanarLeg, limb: Floats, gain: float) -> tuple[Floats, Floats, Floats]:
    """The scapula's angle for a limb angle, and where that puts the shoulder (down, forward)."""
    if not leg.has_scapula:
        zero = np.zeros_like(limb)
        return zero, zero, zero
    angle = leg.angles[0] + gain * (limb - np.radians(UPRIGHT))
    return angle, leg.lengths[0] * np.cos(angle), leg.lengths[0] * np.sin(angle)


def limb_rest_angle(leg: PlanarLeg) -> float:
    """The angle of the line from pivot to held joint at rest."""
    down, forward = _vector(leg.lengths[: leg.free], leg.angles[: leg.free])
    return float(np.arctan2(forward, down))


def _pose(leg: PlanarLeg, limb: Floats, flexions: Floats, gain: float) -> tuple[Floats, Floats, Floats]:
    """Segment angles `(G, free)` for a limb angle and flexions, and the held joint's place (down, forward)."""
    scapula, down, forward = _shoulder(leg, limb, gain)
    length, own = _reach(leg, flexions)
    # The held joint lies on the ray at `limb` from the pivot, at `length` from the shoulder.
    along = down * np.cos(limb) + forward * np.sin(limb)
    aside = forward * np.cos(limb) - down * np.sin(limb)
    radius = along + np.sqrt(np.maximum(length**2 - aside**2, 1e-9))
    held = radius * np.cos(limb), radius * np.sin(limb)
    aim = np.arctan2(held[1] - forward, held[0] - down) - own
    lower = _shape(leg, flexions) + aim[:, None]
    angles = np.concatenate([scapula[:, None], lower], axis=1) if leg.has_scapula else lower
    return angles, held[0], held[1]


def _limb_in_swing(limb: Floats, stance: Bools, touchdown: int, count: int, seconds: float) -> Floats:
    """The limb's angle through swing: it trails on at lift-off, is thrown forward, and draws back before it lands."""
    size = len(limb)
    lift = (touchdown + count) % size
    swing = size - count
    rate = size / seconds
    before, after = limb[(lift - 1) % size], limb[(lift - 2) % size]
    start, start_rate = before, (before - after) * rate
    land, land_rate = limb[touchdown], (limb[(touchdown + 1) % size] - limb[touchdown]) * rate
    w = np.linspace(0, 1, swing + 2)
    time = (swing + 1) / rate
    fade_out = 1 - smoothstep(w / 0.18)
    fade_in = smoothstep((w - 0.87) / 0.13)
    bump = smoothstep(w / 0.35) * smoothstep((1 - w) / 0.35)
    step = time / (swing + 1)

    def area(x: Floats) -> float:
        return float(((x[1:] + x[:-1]) / 2).sum() * step)

    size_of_bump = (land - start - start_rate * area(fade_out) - land_rate * area(fade_in)) / area(bump)
    speed = start_rate * fade_out + land_rate * fade_in + size_of_bump * bump
    path = start + np.concatenate([[0], np.cumsum((speed[1:] + speed[:-1]) / 2 * step)])
    result = limb.copy()
    result[(lift + np.arange(swing)) % size] = path[1:-1]
    return result


def _faded_offsets(table: Floats, actual: Floats, touchdown: int, count: int, window: float) -> Floats:
    """The row's flexions through swing, with the difference to the stance solution faded in and out smoothly."""
    size = len(table)
    lift, swing = (touchdown + count) % size, size - count
    offset = actual - table
    at_lift, slope_lift = offset[(lift - 1) % size], offset[(lift - 1) % size] - offset[(lift - 2) % size]
    at_land, slope_land = offset[touchdown], offset[(touchdown + 1) % size] - offset[touchdown]
    w = (np.arange(swing) + 1) / (swing + 1)
    result = actual.copy()
    out = _hermite(w / window, at_lift, slope_lift * window * (swing + 1))
    back = _hermite((1 - w) / window, at_land, -slope_land * window * (swing + 1))
    result[(lift + np.arange(swing)) % size] = table[(lift + np.arange(swing)) % size] + out + back
    return result


def _hermite(x: Floats, value: Floats, slope: Floats) -> Floats:
    """From `value` with `slope` at 0 to nothing at 1, and nothing beyond."""
    x = np.clip(x, 0, 1)[:, None]
    slope = np.clip(slope, -4 * np.abs(value) - 1.2, 4 * np.abs(value) + 1.2)
    result: Floats = (1 + 2 * x) * (1 - x) ** 2 * value + x * (1 - x) ** 2 * slope
    return result


@dataclass(frozen=True, eq=False)
class Stride:
    """One leg's part of a stride on the phase grid: when it stands, and where its held joint and toe are then."""

    touchdown: float
    duty: float
    phase: Floats
    seconds: float

    @property
    def local(self) -> Floats:
        return (self.phase - self.touchdown) % 1.0

    @property
    def stance(self) -> Bools:
        return np.asarray(self.local < self.duty)

    @property
    def first(self) -> int:
        """The first grid index of the stance."""
        return int(np.argmin(np.where(self.stance, self.local, 9.0)))

    @property
    def count(self) -> int:
        return int(self.stance.sum())


def solve_leg_track(
    leg: PlanarLeg, row: LegRow, stride: Stride, held: tuple[Floats, Floats], height: Floats, hips: float, gain: float
) -> Track:
    """A leg over one stride. `held` is the place of the held joint from the pivot (down, forward), used in stance;
    `height (G,)` is the pivot's height over ground and `hips` the hip height, for clearance in swing."""
    roles = leg.roles[leg.aimed + 1 : leg.free]
    table = np.stack([_bend(leg, row, role, stride) for role in roles], axis=1)
    limb = np.arctan2(held[1], held[0])
    _, down, forward = _shoulder(leg, limb, gain)
    wanted = np.hypot(held[0] - down, held[1] - forward)
    scale = solve_scale(leg, table, wanted)
    flexions = _given(leg, table, scale)
    limb = _limb_in_swing(limb, stride.stance, stride.first, stride.count, stride.seconds)
    flexions = _faded_offsets(table, flexions, stride.first, stride.count, 0.3)
    flexions = _lifted(leg, row, stride, limb, flexions, height, hips, gain)
    angles, *_ = _pose(leg, limb, flexions, gain)
    return Track(angles, scale, stride.stance)


def _bend(leg: PlanarLeg, row: LegRow, role: str, stride: Stride) -> Floats:
    if role not in row.bends:
        index = leg.roles.index(role)
        return np.full(len(stride.phase), leg.rest_flexions()[index])
    stance, swing = row.bends[role]
    return np.radians(profile(stance, swing, stride.touchdown, stride.duty, stride.phase))


def hoof_follows(leg: PlanarLeg, pastern: Floats, stride: Stride) -> Floats:
    """The angle of a hoof that hangs from its pastern in swing, against standing: a little flexed in mid swing."""
    swing = np.clip((stride.local - stride.duty) / (1 - stride.duty), 0, 1)
    result: Floats = pastern - leg.angles[leg.free - 1] - np.radians(COFFIN) * np.sin(np.pi * swing)
    return result


def hangs(stride: Stride) -> Floats:
    """How much a hoof hangs from its leg: not at all in stance, wholly in mid swing."""
    swing = np.clip((stride.local - stride.duty) / (1 - stride.duty), 0, 1)
    return np.where(stride.stance, 0.0, smoothstep(swing / 0.3) * smoothstep((1 - swing) / 0.3))


def _toe_below(leg: PlanarLeg, row: LegRow, angles: Floats, stride: Stride) -> Floats:
    """How far the toe is below the held joint in swing: rolled over at first, flat at the end, hanging in between."""
    if not leg.has_hoof:
        return np.zeros(len(angles))
    swing = np.clip((stride.local - stride.duty) / (1 - stride.duty), 0, 1)
    carried = -np.radians(row.roll_pitch) * (1 - smoothstep(swing / 0.5))
    share = hangs(stride)
    hoof = leg.angles[-1] + carried * (1 - share) + hoof_follows(leg, angles[:, -1], stride) * share
    result: Floats = leg.lengths[-1] * np.cos(hoof)
    return result


def _lifted(
    leg: PlanarLeg,
    row: LegRow,
    stride: Stride,
    limb: Floats,
    flexions: Floats,
    height: Floats,
    hips: float,
    gain: float,
) -> Floats:
    """Flexions changed in mid swing so that the toe clears the ground as the row says."""
    swing = (stride.local - stride.duty) / (1 - stride.duty)
    window, guard = (
        np.where(stride.stance, 0.0, smoothstep(swing / edge) * smoothstep((1 - swing) / edge)) for edge in (0.22, 0.04)
    )
    lift = hips * np.maximum(
        profile(((0.0, 0.0), (0.5, 0.0), (1.0, 0.0)), row.lift, stride.touchdown, stride.duty, stride.phase), 0.0
    )

    def toe_height(bends: Floats) -> tuple[Floats, Floats]:
        angles, down, _ = _pose(leg, limb, bends, gain)
        return height - down - _toe_below(leg, row, angles, stride), down

    free, down = toe_height(flexions)
    aim = np.maximum(free + window * (lift - free), free * (1 - guard))
    toe, result = free, flexions
    _, shoulder_down, shoulder_forward = _shoulder(leg, limb, gain)
    for _ in range(4):
        lower = down + toe - aim
        wanted = np.hypot(lower - shoulder_down, lower * np.tan(limb) - shoulder_forward)
        scale = _bounded(solve_scale(leg, flexions, wanted))
        result = _given(leg, flexions, np.where(stride.stance, 1.0, scale))
        toe, down = toe_height(result)
    return result


def _bounded(scale: Floats) -> Floats:
    """Scales eased into their bounds, so that reaching one does not jerk the leg."""
    low, high = 1 - LIFT_SCALES[0], LIFT_SCALES[1] - 1
    change = scale - 1
    result: Floats = 1 + np.where(change < 0, low * np.tanh(change / low), high * np.tanh(change / high))
    return result


def hold_leg_track(leg: PlanarLeg, held: tuple[Floats, Floats], gain: float) -> Track:
    """A leg that keeps its foot where it is while the body moves over it: the resting bends, scaled to fit."""
    bends = leg.rest_flexions()
    table = np.tile([bends[k] for k in range(leg.aimed + 1, leg.free)], (len(held[0]), 1))
    limb = np.arctan2(held[1], held[0])
    _, down, forward = _shoulder(leg, limb, gain)
    scale = solve_scale(leg, table, np.hypot(held[0] - down, held[1] - forward))
    angles, *_ = _pose(leg, limb, _given(leg, table, scale), gain)
    return Track(angles, scale, np.ones(len(limb), bool))

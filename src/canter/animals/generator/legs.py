"""Upright legs through a stride, in the sagittal plane: stance in foot space, swing in joint space, toe clearance.

A leg is a chain of segments in its own plane, each with an angle from straight down, forward positive. In stance the
foot's position is given, and one number scales the flexions until the leg reaches it. In swing the limb angle follows a
velocity profile and the flexions come from the gait row; offsets that fade make every joint angle continuous up to the
second derivative at lift-off and touchdown.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from canter.animals.generator.gait_rows import LegRow
from canter.animals.generator.step_timing import StepTiming, bridge_swing, curve_ends
from canter.animals.generator.waves import fade, profile
from canter.motion.arrays import Floats
from canter.motion.easing import quintic_step

FLEXION_SIGNS = {"elbow": 1.0, "carpus": -1.0, "stifle": -1.0, "hock": 1.0, "fetlock": 1.0}
"""+1 where flexing a joint swings the segment below it forward, -1 where backward."""
COMPLIANCE = {"elbow": 1.0, "carpus": 0.7, "stifle": 1.0, "hock": 1.0}
"""The share of a flexion scale that a joint takes when the leg must be longer or shorter; the fetlock takes none."""
REACH_SCALE_LIMITS = (0.03, 2.2)
"""Smallest and largest factor on the flexions of a leg that must reach a length."""
CLEARANCE_SCALE_LIMITS = (0.7, 2.0)
"""Smallest and largest factor on the flexions of a swinging leg for toe clearance."""
MIN_SWING_FLEXION_DEG = 12.0
"""Degrees of flexion that joints with full compliance keep in swing."""
HOOF_FLEXION_DEG = 12.0
"""Degrees by which a hoof is flexed relative to its pastern in mid-swing."""
SCAPULA_REST_LIMB_DEG = 3.0
"""The limb angle in degrees at which the scapula has its standing angle."""
TRAIL_SHARE, THROW_SHARE, DRAW_BACK_SHARE = 0.24, 0.35, 0.2
"""Fractions of swing in which a limb still trails, is accelerated or decelerated, and draws back before touchdown."""
HOOF_OVERSHOOT_RAD = np.radians(20)
"""Radians that a hoof which rolls over its toe goes on after lift-off before it turns back."""
FLEXION_FADE_SHARE, LIFT_EDGE_SHARE, HOOF_HANG_SHARE = 0.4, 0.25, 0.3
"""Fractions of swing over which flexions leave those of stance, clearance sets in, and a hoof comes to hang."""


@dataclass(frozen=True, eq=False)
class PlanarLeg:
    """A standing leg in its plane: `roles` of its joints from the top; `lengths` (m) and `angles` (rad) of its
    segments.

    A foreleg may begin with a scapula. The held joint is the one whose position is given in stance: the joint above the
    last segment if that is a hoof, else the toe.
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
        """The index of the first segment of the limb proper: below the shoulder, or below the hip."""
        return 1 if self.has_scapula else 0

    @property
    def free(self) -> int:
        """The number of segments down to the held joint."""
        return len(self.lengths) - (1 if self.has_hoof else 0)

    def rest_flexions(self) -> dict[int, float]:
        """Standing flexions in radians of the limb's inner joints, by the index of the segment below."""
        return {
            k: FLEXION_SIGNS[self.roles[k]] * float(self.angles[k] - self.angles[k - 1])
            for k in range(self.aimed + 1, self.free)
        }


def _extent(lengths: Floats, angles: Floats) -> tuple[Floats, Floats]:
    """The sum of segments `(..., K)` as (down, forward)."""
    return (lengths * np.cos(angles)).sum(axis=-1), (lengths * np.sin(angles)).sum(axis=-1)


def _segment_angles(leg: PlanarLeg, flexions: Floats) -> Floats:
    """Segment angles `(..., free - aimed)` of the limb for its flexions, with its first segment straight down."""
    signs = np.array([FLEXION_SIGNS[r] for r in leg.roles[leg.aimed + 1 : leg.free]])
    return np.concatenate([np.zeros_like(flexions[..., :1]), np.cumsum(signs * flexions, axis=-1)], axis=-1)


def _limb_line(leg: PlanarLeg, flexions: Floats) -> tuple[Floats, Floats]:
    """Length and angle of the line from the top of the limb to the held joint, with the first segment straight down."""
    down, forward = _extent(leg.lengths[leg.aimed : leg.free], _segment_angles(leg, flexions))
    return np.hypot(down, forward), np.arctan2(forward, down)


def _scaled_flexions(leg: PlanarLeg, flexions: Floats, scale: Floats) -> Floats:
    """Flexions `(..., K)` with those of the compliant joints multiplied by `scale (...)`, weighted by compliance."""
    gives = np.array([COMPLIANCE.get(r, 0.0) for r in leg.roles[leg.aimed + 1 : leg.free]])
    result: Floats = flexions * (1 + gives * (scale[..., None] - 1))
    return result


def solve_flexion_scale(leg: PlanarLeg, flexions: Floats, wanted: Floats) -> Floats:
    """The factor on the flexions `(..., K)` at which the limb is `wanted (...)` metres long.

    Newton's method inside `REACH_SCALE_LIMITS`; the limit itself where the length cannot be reached.
    """
    fixed = _segment_angles(leg, _scaled_flexions(leg, flexions, np.zeros_like(wanted)))
    scaled = _segment_angles(leg, flexions) - fixed  # segment angles are linear in the scale
    lengths = leg.lengths[leg.aimed : leg.free]

    def excess(scale: Floats) -> tuple[Floats, Floats]:
        bones = lengths * np.exp(1j * (fixed + scaled * scale[..., None]))
        reach = bones.sum(axis=-1)
        length = np.abs(reach)
        slope = -(np.conj(reach) * (bones * scaled).sum(axis=-1)).imag / np.maximum(length, 1e-9)
        return length - wanted, slope

    low, high = REACH_SCALE_LIMITS
    a, b = np.full(wanted.shape, low), np.full(wanted.shape, high)
    never, always = excess(a)[0] <= 0, excess(b)[0] >= 0  # out of reach, or still too long when folded
    scale = np.ones_like(wanted)
    for _ in range(6):
        found, slope = excess(scale)
        a, b = np.where(found > 0, scale, a), np.where(found > 0, b, scale)
        newton = scale - found / np.where(np.abs(slope) < 1e-6, -1e-6, slope)
        scale = np.where((newton >= a) & (newton <= b), newton, (a + b) / 2)
    return np.where(never, low, np.where(always, high, scale))


def _shoulder(leg: PlanarLeg, limb: Floats, gain: float) -> tuple[Floats, Floats, Floats]:
    """The scapula's angle for a limb angle, and the shoulder's position (down, forward) from the scapula's top."""
    if not leg.has_scapula:
        zero = np.zeros_like(limb)
        return zero, zero, zero
    angle = leg.angles[0] + gain * (limb - np.radians(SCAPULA_REST_LIMB_DEG))
    return angle, leg.lengths[0] * np.cos(angle), leg.lengths[0] * np.sin(angle)


def _leg_pose(leg: PlanarLeg, limb: Floats, flexions: Floats, gain: float) -> tuple[Floats, Floats, Floats]:
    """Segment angles `(..., free)` for a limb angle and flexions, and the held joint's position (down, forward)."""
    scapula, down, forward = _shoulder(leg, limb, gain)
    length, own = _limb_line(leg, flexions)
    # The held joint lies on the ray at `limb` from the pivot, at `length` from the shoulder.
    along = down * np.cos(limb) + forward * np.sin(limb)
    aside = forward * np.cos(limb) - down * np.sin(limb)
    radius = along + np.sqrt(np.maximum(length**2 - aside**2, 1e-9))
    held = radius * np.cos(limb), radius * np.sin(limb)
    aim = np.arctan2(held[1] - forward, held[0] - down) - own
    lower = _segment_angles(leg, flexions) + aim[..., None]
    angles = np.concatenate([scapula[..., None], lower], axis=-1) if leg.has_scapula else lower
    return angles, held[0], held[1]


def _limb_in_swing(limb: Floats, steps: StepTiming) -> Floats:
    """The limb angle by step with its swing: trailing at lift-off, thrown forward, drawn back to land."""
    (a, a1, a2), (b, b1, b2) = curve_ends(limb, steps)
    w, length = np.linspace(0, 1, steps.swing_points + 1), steps.swing_points
    a1, a2, b1, b2 = (x[:, None] for x in (a1, a2, b1, b2))
    speed = fade(w / TRAIL_SHARE, a1, a2 * length * TRAIL_SHARE, 0 * a1)
    speed = speed + fade((1 - w) / DRAW_BACK_SHARE, b1, -b2 * length * DRAW_BACK_SHARE, 0 * b1)
    bump = quintic_step(w / THROW_SHARE) * quintic_step((1 - w) / THROW_SHARE)
    missing = b - a - ((speed[:, 1:] + speed[:, :-1]) / 2).sum(axis=1)
    speed += (missing / bump.sum())[:, None] * bump
    result = limb.copy()
    result[:, steps.stance_points :] = a[:, None] + np.cumsum((speed[:, 1:] + speed[:, :-1]) / 2, axis=1)[:, :-1]
    return result


@dataclass(frozen=True, eq=False)
class Ground:
    """The ground as seen from a leg's plane, in metres and radians.

    `pivot` is the height of the leg's first joint, `tilt` the sideways tilt of the plane relative to standing, `aside`
    how far the held joint is to the left of the plane through the pivot.
    """

    pivot: Floats
    tilt: Floats
    aside: float

    def height(self, down: Floats) -> Floats:
        """The height of a held joint that is `down` metres below the pivot in the leg's plane."""
        result: Floats = self.pivot - down * np.cos(self.tilt) + self.aside * np.sin(self.tilt)
        return result


def leg_angles(
    leg: PlanarLeg,
    row: LegRow,
    steps: StepTiming,
    held: tuple[Floats, Floats],
    ground: Ground,
    hips: float,
    gain: float,
    swing_scale: Floats,
) -> Floats:
    """Segment angles `(strides, size, free)` of a leg.

    `held` is the position of the held joint from the pivot (down, forward) in metres, used in stance. `ground` and the
    hip height `hips` in metres serve the clearance in swing. `gain` is the row's `scapula_gain`; `swing_scale` scales
    the row's lift, and by half as much its flexions.
    """
    roles = leg.roles[leg.aimed + 1 : leg.free]
    table = np.stack([_row_flexion(leg, row, role, steps) for role in roles], axis=1)
    table = table * (1 + (swing_scale[..., None] - 1) / 2)
    limb = np.arctan2(held[1], held[0])
    _, down, forward = _shoulder(leg, limb, gain)
    scale = solve_flexion_scale(leg, table, np.hypot(held[0] - down, held[1] - forward))
    limb = _limb_in_swing(limb, steps)
    flexions = _keep_bent(
        leg, bridge_swing(_scaled_flexions(leg, table, scale), steps, table, FLEXION_FADE_SHARE), steps
    )
    flexions = _with_clearance(leg, row, steps, limb, flexions, ground, hips * swing_scale, gain)
    return _leg_pose(leg, limb, flexions, gain)[0]


def _keep_bent(leg: PlanarLeg, flexions: Floats, steps: StepTiming) -> Floats:
    """Flexions with those of fully compliant joints kept above a minimum in swing, or 0.7 of that at landing."""
    soft = np.radians(1.2)
    result = flexions.copy()
    for k, role in enumerate(leg.roles[leg.aimed + 1 : leg.free]):
        if COMPLIANCE.get(role) == 1.0:
            bend = flexions[..., k]
            ends = np.minimum(bend[:, steps.stance_points - 1], np.roll(bend[:, 0], -1))
            least = np.minimum(np.radians(MIN_SWING_FLEXION_DEG), 0.7 * ends)[:, None]
            kept = least + soft * np.logaddexp(0, (bend - least) / soft)
            result[..., k] = np.where(steps.stance, bend, kept)
    return result


def _row_flexion(leg: PlanarLeg, row: LegRow, role: str, steps: StepTiming) -> Floats:
    """The row's flexion of a joint over a step `(size,)` in radians; that of standing where the row has none."""
    if role not in row.bends:
        return np.full(steps.size, leg.rest_flexions()[leg.roles.index(role)])
    stance, swing = row.bends[role]
    return np.radians(profile(stance, swing, steps.stance_points / steps.size, steps.size))


def hanging_hoof_angle(leg: PlanarLeg, pastern: Floats, steps: StepTiming) -> Floats:
    """The angle in radians, relative to standing, of a hoof that hangs from its pastern, flexed in mid-swing."""
    result: Floats = (
        pastern - leg.angles[leg.free - 1] - np.radians(HOOF_FLEXION_DEG) * np.sin(np.pi * steps.swing_share)
    )
    return result


def hoof_angle(leg: PlanarLeg, rolled: Floats, pastern: Floats, steps: StepTiming) -> Floats:
    """The angle in radians of a hoof relative to standing, toe up: `rolled` in stance, hanging in swing."""
    result: Floats = rolled + (hanging_hoof_angle(leg, pastern, steps) - rolled) * steps.swing_window(HOOF_HANG_SHARE)
    return result


def rolling_hoof_angle(row: LegRow, steps: StepTiming) -> Floats:
    """The angle `(1, size)` of a hoof that does not hang: flat, then rolling over its toe, flat again in swing."""
    return bridge_swing(-stance_roll(row, steps)[None], replace(steps, strides=1), overshoot=HOOF_OVERSHOOT_RAD)


def stance_roll(row: LegRow, steps: StepTiming) -> Floats:
    """How far the foot has rolled over its toe `(size,)` in radians."""
    x = np.clip((steps.stance_share - row.roll_start) / (1 - row.roll_start), 0, 1)
    result: Floats = np.radians(row.roll_pitch) * x**3 * (3 - 2 * x)
    return result


def _with_clearance(
    leg: PlanarLeg,
    row: LegRow,
    steps: StepTiming,
    limb: Floats,
    flexions: Floats,
    ground: Ground,
    hips: Floats,
    gain: float,
) -> Floats:
    """Flexions scaled in swing until the toe is as high as the row's lift."""
    window, guard, rolled = (
        steps.swing_window(LIFT_EDGE_SHARE),
        steps.swing_window(0.08),
        rolling_hoof_angle(row, steps),
    )
    lift = hips * np.maximum(
        profile(((0.0, 0.0), (0.5, 0.0), (1.0, 0.0)), row.lift, steps.stance_points / steps.size, steps.size), 0.0
    )

    def toe_height(bends: Floats) -> tuple[Floats, Floats]:
        angles, down, _ = _leg_pose(leg, limb, bends, gain)
        held = ground.height(down)
        if not leg.has_hoof:
            return held, down
        hoof = leg.angles[-1] + hoof_angle(leg, rolled, angles[..., -1], steps)
        return held - leg.lengths[-1] * np.cos(hoof), down

    free, down = toe_height(flexions)
    aim = free + window * (lift - free)
    aim = (aim + np.hypot(aim, 0.01 * hips * guard)) / 2  # above the ground, without a kink
    toe, result = free, flexions
    _, shoulder_down, shoulder_forward = _shoulder(leg, limb, gain)
    for _ in range(4):
        lower = down + (toe - aim) / np.cos(ground.tilt)
        wanted = np.hypot(lower - shoulder_down, lower * np.tan(limb) - shoulder_forward)
        scale = _eased_scale(solve_flexion_scale(leg, flexions, wanted))
        result = _scaled_flexions(leg, flexions, np.where(steps.stance, 1.0, scale))
        toe, down = toe_height(result)
    return result


def _eased_scale(scale: Floats) -> Floats:
    """Factors eased into `CLEARANCE_SCALE_LIMITS`, so that reaching a limit does not jerk the leg."""
    low, high = 1 - CLEARANCE_SCALE_LIMITS[0], CLEARANCE_SCALE_LIMITS[1] - 1
    change = scale - 1
    result: Floats = 1 + np.where(change < 0, low * np.tanh(change / low), high * np.tanh(change / high))
    return result


def planted_leg_angles(leg: PlanarLeg, held: tuple[Floats, Floats], gain: float) -> Floats:
    """Segment angles `(T, free)` of a leg whose foot stays in place while the body moves: standing flexions, scaled."""
    bends = leg.rest_flexions()
    table = np.tile([bends[k] for k in range(leg.aimed + 1, leg.free)], (len(held[0]), 1))
    limb = np.arctan2(held[1], held[0])
    _, down, forward = _shoulder(leg, limb, gain)
    scale = solve_flexion_scale(leg, table, np.hypot(held[0] - down, held[1] - forward))
    angles, *_ = _leg_pose(leg, limb, _scaled_flexions(leg, table, scale), gain)
    return angles

"""Legs in the plane of travel: stance in foot space, swing in joint space, and a correction for clearance.

A leg is a chain of segments in its own plane, each with an angle from straight down, forward positive. In stance the
foot is given and one number scales the flexions until the leg reaches it; in swing the limb's angle follows a velocity
profile, the flexions come from the row, and offsets that fade keep every joint smooth over lift-off and touchdown.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from canter.animals.generator.gait_rows import LegRow
from canter.animals.generator.waves import fade, profile
from canter.motion.arrays import Bools, Floats
from canter.motion.easing import quintic_step

SIGNS = {"elbow": 1.0, "carpus": -1.0, "stifle": -1.0, "hock": 1.0, "fetlock": 1.0, "toes": 1.0}
"""Whether bending a joint swings the segment below it forward (+) or backward."""
GIVING = {"elbow": 1.0, "carpus": 0.7, "stifle": 1.0, "hock": 1.0}
"""How much a joint gives when the leg must be longer or shorter; the fetlock gives to load only."""
LIFT_SCALES = (0.7, 2.0)
"""How far the flexions of a swinging leg may be changed for the sake of clearance."""
STRAIGHTEST = 12.0
"""Degrees of bend that a giving joint keeps in swing."""
COFFIN = 12.0
"""Degrees that a hoof flexes against its pastern in mid swing."""
UPRIGHT = 3.0
"""The limb angle in degrees at which the scapula is at rest."""
TRAILING, THROW, DRAWING_BACK = 0.24, 0.35, 0.2
"""Shares of swing in which a limb trails on, is speeded up or slowed down, and draws back before it lands."""
OVERSHOOT = np.radians(4)
"""How far a joint that moves when its foot leaves the ground goes on before it turns back."""
FLICK = np.radians(20)
"""The same of a hoof that rolls over its toe."""
FADING, LIFTING, HANGING = 0.4, 0.25, 0.3
"""Shares of swing in which bends leave those of stance, clearance sets in, and a hoof comes to hang from its leg."""


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


def _vector(lengths: Floats, angles: Floats) -> tuple[Floats, Floats]:
    """Down and forward extent of segments `(..., K)`."""
    return (lengths * np.cos(angles)).sum(axis=-1), (lengths * np.sin(angles)).sum(axis=-1)


def _shape(leg: PlanarLeg, flexions: Floats) -> Floats:
    """Segment angles `(..., free - aimed)` of the lower leg with its first segment straight down."""
    signs = np.array([SIGNS[r] for r in leg.roles[leg.aimed + 1 : leg.free]])
    return np.concatenate([np.zeros_like(flexions[..., :1]), np.cumsum(signs * flexions, axis=-1)], axis=-1)


def _reach(leg: PlanarLeg, flexions: Floats) -> tuple[Floats, Floats]:
    """Length and angle of the line from the aimed joint to the held joint."""
    down, forward = _vector(leg.lengths[leg.aimed : leg.free], _shape(leg, flexions))
    return np.hypot(down, forward), np.arctan2(forward, down)


def _given(leg: PlanarLeg, flexions: Floats, scale: Floats) -> Floats:
    """Flexions with the giving joints scaled."""
    gives = np.array([GIVING.get(r, 0.0) for r in leg.roles[leg.aimed + 1 : leg.free]])
    result: Floats = flexions * (1 + gives * (scale[..., None] - 1))
    return result


def solve_scale(leg: PlanarLeg, flexions: Floats, wanted: Floats, low: float = 0.03, high: float = 2.2) -> Floats:
    """The scale of the flexions at which the leg is as long as `wanted`, by Newton's method inside a bracket."""
    fixed = _shape(leg, _given(leg, flexions, np.zeros_like(wanted)))
    scaled = _shape(leg, flexions) - fixed  # segment angles are linear in the scale
    lengths = leg.lengths[leg.aimed : leg.free]

    def excess(scale: Floats) -> tuple[Floats, Floats]:
        bones = lengths * np.exp(1j * (fixed + scaled * scale[..., None]))
        reach = bones.sum(axis=-1)
        length = np.abs(reach)
        slope = -(np.conj(reach) * (bones * scaled).sum(axis=-1)).imag / np.maximum(length, 1e-9)
        return length - wanted, slope

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
    """Segment angles `(..., free)` for a limb angle and flexions, and the held joint's place (down, forward)."""
    scapula, down, forward = _shoulder(leg, limb, gain)
    length, own = _reach(leg, flexions)
    # The held joint lies on the ray at `limb` from the pivot, at `length` from the shoulder.
    along = down * np.cos(limb) + forward * np.sin(limb)
    aside = forward * np.cos(limb) - down * np.sin(limb)
    radius = along + np.sqrt(np.maximum(length**2 - aside**2, 1e-9))
    held = radius * np.cos(limb), radius * np.sin(limb)
    aim = np.arctan2(held[1] - forward, held[0] - down) - own
    lower = _shape(leg, flexions) + aim[..., None]
    angles = np.concatenate([scapula[..., None], lower], axis=-1) if leg.has_scapula else lower
    return angles, held[0], held[1]


@dataclass(frozen=True)
class Steps:
    """When one leg stands and when it swings: `strides` of `size` grid points and `seconds` each; a step begins at the
    grid point `touchdown` of every stride, and `count` points of it are stance.

    A leg's own curves have the shape `(strides, size, ...)`, each row beginning at a touchdown.
    """

    size: int
    strides: int
    touchdown: int
    count: int

    def own(self, x: Floats) -> Floats:
        """A curve `(strides * size, ...)` of the whole animal, by steps."""
        return np.roll(x, -self.touchdown, axis=0).reshape(self.strides, self.size, *x.shape[1:])

    def common(self, x: Floats) -> Floats:
        """A curve by steps, in the time of the whole animal."""
        return np.roll(x.reshape(self.strides * self.size, *x.shape[2:]), self.touchdown, axis=0)

    @property
    def stance(self) -> Bools:
        return np.arange(self.size) < self.count

    @property
    def share(self) -> Floats:
        """How far stance is, from 0 at touchdown to 1 at lift-off, and on."""
        return np.arange(self.size) / self.count

    @property
    def swing(self) -> Floats:
        """How far swing is, from 0 at the last point of stance to 1 at the next touchdown."""
        return np.clip((np.arange(self.size) - self.count + 1) / self.swing_length, 0, 1)

    @property
    def swing_length(self) -> int:
        """Grid points from the last of stance to the next touchdown."""
        return self.size - self.count + 1

    def between(self, x: Floats) -> Floats:
        """One number a step `(strides,)` as a curve that goes over to the next in swing."""
        result: Floats = x[:, None] + (np.roll(x, -1) - x)[:, None] * quintic_step(self.swing)
        return result

    def hump(self, edge: float) -> Floats:
        """A window over swing: 0 in stance, 1 but for smooth edges of the given share of swing."""
        return quintic_step(self.swing / edge) * quintic_step((1 - self.swing) / edge)


Ends = tuple[Floats, Floats, Floats]
"""Value, slope and curvature of a curve at a point, by grid points."""


_NEAR = np.arange(6)
_SLOPES = np.linalg.pinv(np.stack([_NEAR**0, _NEAR, _NEAR**2 / 2, _NEAR**3 / 6], axis=1))[1:3]
"""Slope and curvature at the first of six points, by the cubic through them."""


def _ends(x: Floats, steps: Steps) -> tuple[Ends, Ends]:
    """A curve `(strides, size, ...)` where its stance ends and where the next begins."""
    begin = np.einsum("kp,np...->kn...", _SLOPES, x[:, : len(_NEAR)])
    end = np.einsum("kp,np...->kn...", _SLOPES, x[:, steps.count - len(_NEAR) : steps.count][:, ::-1])
    following = np.roll(begin, -1, axis=1)
    return (x[:, steps.count - 1], -end[0], end[1]), (np.roll(x[:, 0], -1, axis=0), following[0], following[1])


def across_swing(
    x: Floats, steps: Steps, base: Floats | float = 0.0, window: float = 1.0, overshoot: float = OVERSHOOT
) -> Floats:
    """A curve kept in stance; in swing it is `base`, and the difference fades over a `window` of swing at both ends.

    Value, slope and curvature are continuous; a curve that moves at an end goes on by about `overshoot`.
    """
    leaving, landing = _ends(x - base, steps)
    after = np.arange(1.0, steps.size - steps.count + 1)
    length = steps.swing_length * window
    result: Floats = np.array(np.broadcast_to(base, x.shape), np.float64)
    result[:, : steps.count] = x[:, : steps.count]
    result[:, steps.count :] += _faded(after, leaving, length, overshoot)
    value, slope, curvature = landing
    result[:, steps.count :] += _faded(steps.swing_length - after, (value, -slope, curvature), length, overshoot)
    return result


def _faded(points: Floats, ends: Ends, length: float, overshoot: float) -> Floats:
    """What is left of an end so many grid points away; the quicker it moves the sooner it is stopped."""
    value, slope, curvature = (x[:, None] for x in ends)
    points = points.reshape(-1, *[1] * (value.ndim - 2))
    stop = np.minimum(overshoot / (0.2 * np.abs(slope) + 1e-9), np.sqrt(overshoot / (0.017 * np.abs(curvature) + 1e-9)))
    stop = np.clip(stop, 10, length)
    most = 2 * overshoot  # of a leg at the end of its reach, whose joints snap
    slope, curvature = (
        np.clip(x, -most / size, most / size) for x, size in ((slope, 0.2 * stop), (curvature, 0.017 * stop**2))
    )
    rest = fade(points / length, value, 0 * value, 0 * value)
    return rest + fade(points / stop, 0 * value, slope * stop, curvature * stop**2)


def _limb_in_swing(limb: Floats, steps: Steps) -> Floats:
    """The limb's angle through swing: it trails on at lift-off, is thrown forward, and draws back before it lands."""
    (a, a1, a2), (b, b1, b2) = _ends(limb, steps)
    w, length = np.linspace(0, 1, steps.swing_length + 1), steps.swing_length
    a1, a2, b1, b2 = (x[:, None] for x in (a1, a2, b1, b2))
    speed = fade(w / TRAILING, a1, a2 * length * TRAILING, 0 * a1)
    speed = speed + fade((1 - w) / DRAWING_BACK, b1, -b2 * length * DRAWING_BACK, 0 * b1)
    bump = quintic_step(w / THROW) * quintic_step((1 - w) / THROW)
    missing = b - a - ((speed[:, 1:] + speed[:, :-1]) / 2).sum(axis=1)
    speed += (missing / bump.sum())[:, None] * bump
    result = limb.copy()
    result[:, steps.count :] = a[:, None] + np.cumsum((speed[:, 1:] + speed[:, :-1]) / 2, axis=1)[:, :-1]
    return result


@dataclass(frozen=True, eq=False)
class Ground:
    """Where the ground is to a leg: its `pivot`'s height, how far its plane's `tilt` is from standing, and the `aside`
    of its held joint in that plane."""

    pivot: Floats
    tilt: Floats
    aside: float

    def height(self, down: Floats) -> Floats:
        """The height of a held joint that is so far down from the pivot in the leg's plane."""
        result: Floats = self.pivot - down * np.cos(self.tilt) + self.aside * np.sin(self.tilt)
        return result


def solve_leg_track(
    leg: PlanarLeg,
    row: LegRow,
    steps: Steps,
    held: tuple[Floats, Floats],
    ground: Ground,
    hips: float,
    gain: float,
    vigour: Floats,
) -> Floats:
    """Segment angles `(strides, size, free)` of a leg. `held` is the place of the held joint from the pivot (down,
    forward), used in stance; `ground` and the hip height `hips` are for clearance in swing, and `vigour`
    scales what the row says of swing."""
    roles = leg.roles[leg.aimed + 1 : leg.free]
    table = np.stack([_bend(leg, row, role, steps) for role in roles], axis=1)
    table = table * (1 + (vigour[..., None] - 1) / 2)
    limb = np.arctan2(held[1], held[0])
    _, down, forward = _shoulder(leg, limb, gain)
    scale = solve_scale(leg, table, np.hypot(held[0] - down, held[1] - forward))
    limb = _limb_in_swing(limb, steps)
    flexions = _never_straight(leg, across_swing(_given(leg, table, scale), steps, table, FADING), steps)
    flexions = _lifted(leg, row, steps, limb, flexions, ground, hips * vigour, gain)
    return _pose(leg, limb, flexions, gain)[0]


def _never_straight(leg: PlanarLeg, flexions: Floats, steps: Steps) -> Floats:
    """Joints that give keep a bend in swing, or what is left of it where the foot leaves the ground or lands."""
    soft = np.radians(1.2)
    result = flexions.copy()
    for k, role in enumerate(leg.roles[leg.aimed + 1 : leg.free]):
        if GIVING.get(role) == 1.0:
            bend = flexions[..., k]
            ends = np.minimum(bend[:, steps.count - 1], np.roll(bend[:, 0], -1))
            least = np.minimum(np.radians(STRAIGHTEST), 0.7 * ends)[:, None]
            kept = least + soft * np.logaddexp(0, (bend - least) / soft)
            result[..., k] = np.where(steps.stance, bend, kept)
    return result


def _bend(leg: PlanarLeg, row: LegRow, role: str, steps: Steps) -> Floats:
    if role not in row.bends:
        return np.full(steps.size, leg.rest_flexions()[leg.roles.index(role)])
    stance, swing = row.bends[role]
    return np.radians(profile(stance, swing, steps.count / steps.size, steps.size))


def hoof_follows(leg: PlanarLeg, pastern: Floats, steps: Steps) -> Floats:
    """The angle of a hoof that hangs from its pastern in swing, against standing: a little flexed in mid swing."""
    result: Floats = pastern - leg.angles[leg.free - 1] - np.radians(COFFIN) * np.sin(np.pi * steps.swing)
    return result


def hoof_angle(leg: PlanarLeg, rolled: Floats, pastern: Floats, steps: Steps) -> Floats:
    """The angle of a hoof against standing, nose up: `rolled` over its toe in stance, in swing it hangs."""
    result: Floats = rolled + (hoof_follows(leg, pastern, steps) - rolled) * steps.hump(HANGING)
    return result


def rolled_hoof(row: LegRow, steps: Steps) -> Floats:
    """The angle of a hoof that does not hang `(1, size)`: flat, then rolling over its toe, and in swing back again."""
    return across_swing(-hoof_roll(row, steps)[None], replace(steps, strides=1), overshoot=FLICK)


def hoof_roll(row: LegRow, steps: Steps) -> Floats:
    """How far the foot has rolled over its toe in stance `(size,)`, in radians."""
    x = np.clip((steps.share - row.roll_start) / (1 - row.roll_start), 0, 1)
    result: Floats = np.radians(row.roll_pitch) * x**3 * (3 - 2 * x)
    return result


def _lifted(
    leg: PlanarLeg, row: LegRow, steps: Steps, limb: Floats, flexions: Floats, ground: Ground, hips: Floats, gain: float
) -> Floats:
    """Flexions changed in mid swing so that the toe clears the ground as the row says."""
    window, guard, rolled = steps.hump(LIFTING), steps.hump(0.08), rolled_hoof(row, steps)
    lift = hips * np.maximum(
        profile(((0.0, 0.0), (0.5, 0.0), (1.0, 0.0)), row.lift, steps.count / steps.size, steps.size), 0.0
    )

    def toe_height(bends: Floats) -> tuple[Floats, Floats]:
        angles, down, _ = _pose(leg, limb, bends, gain)
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
        scale = _bounded(solve_scale(leg, flexions, wanted))
        result = _given(leg, flexions, np.where(steps.stance, 1.0, scale))
        toe, down = toe_height(result)
    return result


def _bounded(scale: Floats) -> Floats:
    """Scales eased into their bounds, so that reaching one does not jerk the leg."""
    low, high = 1 - LIFT_SCALES[0], LIFT_SCALES[1] - 1
    change = scale - 1
    result: Floats = 1 + np.where(change < 0, low * np.tanh(change / low), high * np.tanh(change / high))
    return result


def hold_leg_track(leg: PlanarLeg, held: tuple[Floats, Floats], gain: float) -> Floats:
    """Segment angles of a leg that keeps its foot while the body moves over it: its resting bends, scaled to fit."""
    bends = leg.rest_flexions()
    table = np.tile([bends[k] for k in range(leg.aimed + 1, leg.free)], (len(held[0]), 1))
    limb = np.arctan2(held[1], held[0])
    _, down, forward = _shoulder(leg, limb, gain)
    scale = solve_scale(leg, table, np.hypot(held[0] - down, held[1] - forward))
    angles, *_ = _pose(leg, limb, _given(leg, table, scale), gain)
    return angles

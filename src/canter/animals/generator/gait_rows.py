"""The table format of gaits: one row of numbers per gait, from which `generator.gaits` makes the motion.

Lengths are in hip heights, angles in degrees, phases in cycles after the touchdown of the left hind foot (of the
trailing hind foot in canter and gallop). A biologist can correct a number in a table and see the change.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from canter.animals.generator.waves import Points, Wave, points
from canter.motion.arrays import Bools, Floats

READ_AS = {"back": "backward"}
"""Names of rows that footfall recognition calls otherwise."""


@dataclass(frozen=True)
class LegRow:
    """How the fore or the hind legs move.

    `duty` is the fraction of the stride that a foot is down. In mid-stance the toe is `centre` hip heights ahead of the
    leg's first joint and `width` beside the midline. `bends` maps a joint's role to its flexion in degrees at fractions
    of stance and of swing; in stance only ratio and timing count, because the leg must reach the ground. `lift` is the
    height of the toe in hip heights at fractions of swing. From the fraction `roll_start` of stance on, the foot rolls
    over its toe, by `roll_pitch` degrees at lift-off.
    """

    duty: float
    centre: float
    width: float
    bends: dict[str, tuple[Points, Points]]
    lift: Points
    roll_start: float = 0.78
    roll_pitch: float = 47.0
    leading_centre: float = 0.0
    """Hip heights by which the leading leg of canter and gallop stands further forward than the trailing one."""


@dataclass(frozen=True)
class GaitRow:
    """One gait of one animal at its usual speed.

    `speed` is in m/s, negative for backward, and may be varied inside `speeds`; `frequency` is in strides per second;
    `touchdowns` are phases in the order LF, RF, LH, RH. The root is lowered by `drop` hip heights against standing.
    Waves (amplitude, harmonic, phase of the maximum): `sacrum` and `withers` heights, `sway` to the left and `surge`
    forward in hip heights; `flexion` (back rounded), lateral `bend` to the left, `pelvis_roll`, `thorax_roll` and `yaw`
    of the spine in degrees; `nod` of the neck in degrees, nose up. `neck`, `head`, `tail_lift` and `ears` are constant
    angles in degrees; positive raises neck, head and tail and turns the ears back. `neck_spring` is (natural frequency
    in Hz at a hip height of 1.17 m, damping ratio, gain); `scapula_gain` is how far the scapula turns for each radian
    of the limb.
    """

    name: str
    speed: float
    speeds: tuple[float, float]
    frequency: float
    touchdowns: tuple[float, float, float, float]
    fore: LegRow
    hind: LegRow
    drop: float
    sacrum: Wave
    withers: Wave
    flexion: Wave
    bend: Wave
    pelvis_roll: Wave
    thorax_roll: Wave
    yaw: Wave = ()
    sway: Wave = ()
    surge: Wave = ()
    scapula_gain: float = 0.42
    neck: float = 0.0
    head: float = 0.0
    neck_spring: tuple[float, float, float] = (1.4, 0.4, 0.5)
    nod: Wave = ()
    look: float = 0.0
    """Degrees by which the head is turned to the left."""
    tail_lift: float = 8.0
    ears: float = 0.0
    sideways: float = 0.0
    """Speed to the left in m/s."""
    turn: float = 0.0
    """Yaw rate in degrees per second, positive to the left."""
    frequency_exponent: float = 0.4
    """Stride frequency is proportional to speed to this power."""
    contact_exponent: float = -0.8
    """The duration of a contact is proportional to speed to this power."""

    def leg(self, leg: int) -> LegRow:
        """The row of a leg in the order LF, RF, LH, RH."""
        return self.fore if leg < 2 else self.hind

    def stance_centre(self, leg: int) -> float:
        """`LegRow.centre` of a leg; of an uneven pair the one that lands later leads and stands further forward."""
        part, gap = self.leg(leg), (self.touchdowns[leg] - self.touchdowns[leg ^ 1]) % 1.0
        return part.centre + (part.leading_centre if 0 < gap < 0.4 else 0.0)

    def is_down(self, leg: int, phase: Floats) -> Bools:
        """Whether a foot is down at `phase (...)` in cycles."""
        return np.asarray((phase - self.touchdowns[leg]) % 1.0 < self.leg(leg).duty)


def bends(**joints: str) -> dict[str, tuple[Points, Points]]:
    """Flexions in degrees by the joint's role, each written as "stance points | swing points"."""
    found = {}
    for joint, text in joints.items():
        stance, swing = text.split("|")
        found[joint] = points(stance), points(swing)
    return found


@dataclass(frozen=True)
class Ruler:
    """Converts centimetres, as animals are measured, to hip heights."""

    hip_height_cm: float

    def lift(self, text: str) -> Points:
        """Heights of the toe in cm at fractions of swing, as "fraction:height ...", in hip heights."""
        return tuple((at, value / self.hip_height_cm) for at, value in points(text))

    def wave(self, *terms: tuple[float, int, float]) -> Wave:
        """Harmonics with amplitudes in cm, in hip heights."""
        return tuple((amplitude / self.hip_height_cm, harmonic, peak) for amplitude, harmonic, peak in terms)


def footfall_name(gait: str) -> str:
    """What footfall recognition calls the gait of a row: "slow walk" is a "walk"."""
    return READ_AS.get(gait, gait.split()[-1])


def similar(row: GaitRow, from_height: float, to_height: float) -> GaitRow:
    """The row of an animal of another hip height at the same Froude number; its lengths are in hip heights already."""
    root = float(np.sqrt(to_height / from_height))
    low, high = row.speeds
    return replace(
        row,
        speed=row.speed * root,
        speeds=(low * root, high * root),
        frequency=row.frequency / root,
        sideways=row.sideways * root,
        turn=row.turn / root,
    )


def at_speed(row: GaitRow, speed: float) -> GaitRow:
    """The row at another speed in m/s: frequency and contact time follow its power laws, swing keeps about its time.

    Captured dogs and horses do the same. Lift grows a little with speed, and the trunk drops as far as legs that stand
    further apart need.
    """
    if speed == row.speed:
        return row
    ratio = speed / row.speed
    quicker, shorter = ratio**row.frequency_exponent, ratio**row.contact_exponent
    fore, hind = (
        replace(
            leg,
            duty=float(np.clip(leg.duty * quicker * shorter, 0.15, 0.85)),
            lift=tuple((at, value * ratio**0.3) for at, value in leg.lift),
        )
        for leg in (row.fore, row.hind)
    )
    drop = row.drop * (ratio * shorter) ** 2
    return replace(row, speed=speed, frequency=row.frequency * quicker, fore=fore, hind=hind, drop=drop)

"""What a gait is: one row of numbers, from which the generator makes the motion.

Lengths are in hip heights, angles in degrees, phases in cycles after the touchdown of the left hind (of the trailing
hind in canter and gallop). A biologist can correct a number here and see the change.
"""

from __future__ import annotations

from dataclasses import dataclass

from canter.animals.generator.waves import Points, Wave, points


@dataclass(frozen=True)
class LegRow:
    """How one pair of legs moves: bends in stance and swing by joint, and how high the toe is lifted in swing.

    `bends` maps a joint's role to its flexion at fractions of stance and of swing; in stance only their ratio and
    timing count, because the leg must reach the ground.
    """

    duty: float
    centre: float
    width: float
    bends: dict[str, tuple[Points, Points]]
    lift: Points
    roll_start: float = 0.78
    roll_pitch: float = 47.0
    leading_centre: float = 0.0
    """How much further forward the leading leg of an uneven gait stands."""


@dataclass(frozen=True)
class GaitRow:
    """One gait of one animal at its usual speed; a negative speed goes backward."""

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
    """Degrees that the head looks to the left."""
    tail_lift: float = 8.0
    ears: float = 0.0
    sideways: float = 0.0
    """Speed to the left, m/s."""
    turn: float = 0.0
    """Degrees a second to the left."""
    frequency_exponent: float = 0.4
    """Stride frequency goes with speed to this power inside the gait's range."""
    contact_exponent: float = -0.8
    """The time that a foot stands goes with speed to this power."""


def bends(**joints: str) -> dict[str, tuple[Points, Points]]:
    """Flexions in degrees by joint, each written as "stance points | swing points"."""
    found = {}
    for joint, text in joints.items():
        stance, swing = text.split("|")
        found[joint] = points(stance), points(swing)
    return found


@dataclass(frozen=True)
class Ruler:
    """Writes centimetres of an animal with the given hip height in hip heights, so that tables read as measured."""

    hips: float

    def lift(self, text: str) -> Points:
        """Lift of the toe in cm at fractions of swing."""
        return tuple((at, value / self.hips) for at, value in points(text))

    def wave(self, *terms: tuple[float, int, float]) -> Wave:
        """Harmonics with amplitudes in cm."""
        return tuple((amplitude / self.hips, harmonic, peak) for amplitude, harmonic, peak in terms)

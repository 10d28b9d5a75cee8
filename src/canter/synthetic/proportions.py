"""Proportions of synthetic animals, one row a kind, and the drawing of one animal from its row."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from canter.synthetic.dice import Dice
from canter.synthetic.gaits import Range

TAIL_DRAGS_PROBABILITY, TAIL_HANGS_PROBABILITY = 0.04, 0.12
"""Probabilities of a tail that hangs lower than the feet, and of one that hangs down to the hocks."""


@dataclass(frozen=True)
class BodyRow:
    """Proportions of a kind of animal. Lengths are in hip heights, the hip height in metres, angles in degrees.

    `rise` is the height of the shoulders over that of the hips. `crouch` is how much longer a leg is than its longest
    reach: 1.03 is a column, 1.3 a stalking cat. `flat` is how far the foot slopes forward from the vertical in stance,
    `step` stretches the gait's step, `splay` is the track's width in girdle widths (in hip heights beyond the girdle
    for sprawlers), `bend` how far the spine swings sideways (radians), `share` how often the kind is drawn.
    """

    hip: Range
    trunk: Range
    width: Range
    rise: Range
    neck: Range
    neck_angle: Range
    head: Range
    tail: Range
    tail_angle: Range
    crouch: Range
    pastern: Range
    flat: float
    step: Range
    splay: float
    bend: float
    share: float
    gaits: tuple[str, ...]
    sprawl: bool = False


_RUNNERS = ("walk", "trot", "amble", "pace", "canter", "rotary canter", "rotary gallop", "bound")
_HORSES = ("walk", "trot", "amble", "pace", "canter", "gallop")

# fmt: off
BODIES = {
    # hip, trunk, width, rise, neck, neck_angle, head, tail,
    # tail_angle, crouch, pastern, flat, step, splay, bend, share,
    # gaits
    "dog": BodyRow(
        (0.35, 0.60), (1.1, 1.4), (0.25, 0.35), (0.98, 1.10), (0.5, 0.7), (30, 55), (0.30, 0.45), (0.6, 1.0),
        (-35, 30), (1.06, 1.15), (0.10, 0.16), 1.15, (0.95, 1.10), 0.7, 0.10, 0.20,
        _RUNNERS,
    ),
    "dachshund": BodyRow(
        (0.14, 0.22), (2.0, 2.5), (0.50, 0.60), (0.98, 1.05), (0.7, 0.9), (35, 55), (0.60, 0.80), (1.0, 1.4),
        (-20, 20), (1.06, 1.12), (0.14, 0.20), 1.10, (0.90, 1.00), 0.8, 0.10, 0.08,
        ("walk", "trot", "amble"),
    ),
    "cat": BodyRow(
        (0.22, 0.85), (1.3, 1.6), (0.22, 0.32), (0.95, 1.05), (0.35, 0.55), (5, 35), (0.28, 0.36), (1.0, 1.4),
        (-40, 10), (1.10, 1.22), (0.12, 0.18), 1.20, (0.95, 1.10), 0.7, 0.12, 0.12,
        ("walk", "trot", "amble", "rotary gallop", "bound"),
    ),
    "horse": BodyRow(
        (1.00, 1.40), (1.0, 1.2), (0.25, 0.35), (1.00, 1.08), (0.65, 0.85), (30, 55), (0.42, 0.5), (0.5, 0.8),
        (-75, -50), (1.04, 1.10), (0.12, 0.17), 0.80, (0.85, 1.00), 0.8, 0.04, 0.18,
        _HORSES,
    ),
    "cow": BodyRow(
        (1.00, 1.40), (1.1, 1.3), (0.35, 0.45), (0.95, 1.05), (0.45, 0.6), (0, 25), (0.40, 0.50), (0.7, 0.9),
        (-85, -70), (1.04, 1.08), (0.10, 0.14), 0.80, (0.80, 0.95), 0.8, 0.05, 0.10,
        ("walk", "trot", "canter"),
    ),
    "giraffe": BodyRow(
        (1.50, 2.00), (0.75, 0.9), (0.20, 0.28), (1.20, 1.35), (1.2, 1.5), (50, 70), (0.30, 0.36), (0.5, 0.6),
        (-85, -70), (1.04, 1.08), (0.08, 0.12), 0.70, (0.75, 0.90), 0.9, 0.03, 0.07,
        ("walk", "amble", "gallop"),
    ),
    "elephant": BodyRow(
        (1.50, 2.20), (1.0, 1.25), (0.40, 0.50), (1.05, 1.20), (0.25, 0.4), (5, 30), (0.30, 0.45), (0.5, 0.8),
        (-85, -70), (1.03, 1.05), (0.06, 0.10), 0.35, (0.65, 0.85), 0.8, 0.03, 0.08,
        ("walk", "amble"),
    ),
    "bear": BodyRow(
        (0.60, 0.90), (1.2, 1.5), (0.40, 0.50), (0.95, 1.10), (0.4, 0.5), (-5, 25), (0.35, 0.45), (0.1, 0.2),
        (-60, -20), (1.05, 1.12), (0.12, 0.18), 1.20, (0.85, 1.00), 0.7, 0.08, 0.07,
        ("walk", "amble", "pace", "rotary gallop"),
    ),
    "lizard": BodyRow(
        (0.05, 0.16), (3.2, 4.5), (0.90, 1.20), (0.90, 1.05), (0.7, 1.1), (5, 25), (0.80, 1.10), (3.5, 5.5),
        (-9, -5), (1.12, 1.25), (0.25, 0.40), 1.20, (1.20, 1.60), 1.3, 0.30, 0.06,
        ("walk", "trot"), True,
    ),
    "turtle": BodyRow(
        (0.08, 0.25), (2.2, 2.8), (1.50, 1.90), (0.95, 1.10), (0.6, 0.9), (15, 35), (0.40, 0.55), (0.4, 0.8),
        (-25, -10), (1.10, 1.20), (0.15, 0.25), 1.10, (0.90, 1.20), 0.85, 0.02, 0.04,
        ("walk", "trot"), True,
    ),
    # Those below are only drawn by `synthetic_stranger`.
    "deer": BodyRow(
        (0.70, 1.30), (0.95, 1.15), (0.18, 0.26), (0.95, 1.05), (0.7, 0.95), (45, 75), (0.28, 0.36), (0.15, 0.3),
        (-60, 0), (1.04, 1.12), (0.12, 0.16), 0.80, (0.90, 1.10), 0.8, 0.04, 0.0,
        ("walk", "trot", "canter", "gallop", "bound"),
    ),
    "pig": BodyRow(
        (0.30, 0.60), (1.5, 1.9), (0.55, 0.70), (0.95, 1.05), (0.25, 0.4), (-10, 20), (0.45, 0.65), (0.2, 0.4),
        (-60, 10), (1.04, 1.10), (0.10, 0.15), 0.70, (0.75, 0.95), 0.8, 0.05, 0.0,
        ("walk", "trot", "gallop"),
    ),
    "rabbit": BodyRow(
        (0.12, 0.25), (1.1, 1.5), (0.35, 0.45), (0.70, 0.85), (0.3, 0.45), (20, 55), (0.40, 0.55), (0.1, 0.25),
        (0, 50), (1.20, 1.40), (0.22, 0.35), 1.30, (1.00, 1.25), 0.8, 0.03, 0.0,
        ("walk", "bound"),
    ),
    "camel": BodyRow(
        (1.20, 1.60), (0.75, 0.95), (0.20, 0.28), (1.00, 1.10), (0.8, 1.1), (10, 65), (0.26, 0.34), (0.3, 0.5),
        (-85, -60), (1.03, 1.07), (0.08, 0.12), 0.60, (0.80, 1.00), 0.7, 0.03, 0.0,
        ("walk", "pace", "gallop"),
    ),
    "rodent": BodyRow(
        (0.04, 0.10), (1.9, 2.6), (0.50, 0.70), (0.85, 1.00), (0.3, 0.5), (0, 30), (0.60, 0.85), (1.5, 2.6),
        (-15, 20), (1.20, 1.35), (0.25, 0.35), 1.30, (0.90, 1.15), 0.9, 0.12, 0.0,
        ("walk", "trot", "bound"),
    ),
    "crocodile": BodyRow(
        (0.15, 0.40), (3.0, 4.0), (0.70, 1.00), (0.85, 1.00), (0.6, 0.9), (0, 10), (1.00, 1.50), (3.5, 5.0),
        (-10, -4), (1.10, 1.22), (0.25, 0.35), 1.20, (1.00, 1.30), 0.8, 0.20, 0.0,
        ("walk", "trot"), True,
    ),
    "sauropod": BodyRow(
        (1.50, 2.50), (1.2, 1.5), (0.35, 0.50), (0.85, 1.15), (1.8, 2.6), (15, 55), (0.20, 0.30), (1.8, 2.8),
        (-20, 10), (1.03, 1.06), (0.06, 0.10), 0.40, (0.65, 0.85), 0.8, 0.04, 0.0,
        ("walk", "amble"),
    ),
    "hyena": BodyRow(
        (0.55, 0.75), (1.1, 1.3), (0.25, 0.35), (1.12, 1.28), (0.6, 0.8), (20, 50), (0.35, 0.45), (0.4, 0.6),
        (-70, -20), (1.08, 1.18), (0.10, 0.15), 1.10, (0.90, 1.05), 0.7, 0.06, 0.0,
        ("walk", "trot", "amble", "rotary canter", "rotary gallop"),
    ),
    "rhinoceros": BodyRow(
        (0.90, 1.40), (1.5, 1.9), (0.50, 0.65), (0.95, 1.10), (0.3, 0.45), (-25, 5), (0.45, 0.65), (0.3, 0.5),
        (-80, -50), (1.03, 1.06), (0.08, 0.12), 0.40, (0.70, 0.90), 0.8, 0.03, 0.0,
        ("walk", "trot", "gallop"),
    ),
}
# fmt: on


@dataclass(frozen=True)
class Animal:
    """One drawn animal, lengths in metres, angles in radians; fields as in `BodyRow`, and how many bones it has."""

    kind: str
    hip: float
    trunk: float
    width: float
    rise: float
    neck: float
    neck_angle: float
    head: float
    tail: float
    tail_angle: float
    crouch: float
    pastern: float
    flat: float
    step: float
    splay: float
    sprawl: bool
    bend: float
    spine_bones: int
    neck_bones: int
    tail_bones: int
    scapula: bool
    cannon: bool
    """Whether legs have the third long bone, between hock or carpus and the foot."""
    sole: float
    """How high the lowest foot joint stays above the ground in stance."""


def draw_animal(rng: np.random.Generator, kind: str) -> Animal:
    """Proportions within the row of that kind, and as many bones as a rigger would give it."""
    row = BODIES[kind]
    hip = float(rng.uniform(*row.hip))

    def length(bounds: Range) -> float:
        return float(rng.uniform(*bounds)) * hip

    def angle(bounds: Range) -> float:
        return float(np.radians(rng.uniform(*bounds)))

    return Animal(
        kind=kind,
        hip=hip,
        trunk=length(row.trunk),
        width=length(row.width),
        rise=length(row.rise),
        neck=length(row.neck),
        neck_angle=angle(row.neck_angle),
        head=length(row.head),
        tail=length(row.tail),
        tail_angle=angle(row.tail_angle),
        crouch=float(rng.uniform(*row.crouch)),
        pastern=length(row.pastern),
        flat=row.flat,
        step=float(rng.uniform(*row.step)),
        splay=row.splay,
        sprawl=row.sprawl,
        bend=row.bend,
        spine_bones=int(rng.integers(3, 7)),
        neck_bones=int(rng.integers(1, 5)),
        tail_bones=int(rng.integers(1, 7)) if rng.random() < 0.85 else 0,
        scapula=bool(rng.random() < 0.6) and not row.sprawl,
        cannon=bool(rng.random() < 0.8) and not row.sprawl,
        sole=float(rng.uniform(0, 0.03)) * hip * float(rng.random() < 0.5),
    )


def draw_tail(dice: Dice, animal: Animal) -> Animal:
    """The animal, in some cases with a tail that drags on the ground, or hangs down to the hocks."""
    if dice.chance("tail_drags", TAIL_DRAGS_PROBABILITY):
        return replace(animal, tail=1.3 * animal.hip, tail_angle=float(np.radians(-80)), tail_bones=5)
    if dice.chance("tail_hangs", TAIL_HANGS_PROBABILITY):
        length = float(dice.stream("tail length").uniform(0.65, 0.85)) * animal.hip
        return replace(animal, tail=length, tail_angle=float(np.radians(-80)), tail_bones=max(animal.tail_bones, 3))
    return animal

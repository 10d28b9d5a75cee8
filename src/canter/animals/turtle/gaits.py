"""The turtle's gaits: a lateral sequence in diagonal couplets with long stances, slow and less slow.

Footfalls and duty follow what Jayes and Alexander (1980, "The gaits of chelonians") describe: each forefoot is set down
a good third of a stride after the hind foot of its side, and where a fore and a hind foot are in the air together the
shell sinks toward them, because slow muscles cannot hold it level. Sizes were set by eye. The shell does not bend, so
pelvis and thorax roll as one. Centimetres are divided by the hip height of 20 cm.
"""

from __future__ import annotations

from dataclasses import replace

from canter.animals.generator.gait_rows import GaitRow, LegRow, Ruler

CM = Ruler(20)

ROLL, QUICK_ROLL = ((2.4, 1, 0.12),), ((3.0, 1, 0.12),)

SLOW_WALK = GaitRow(
    "slow walk",
    speed=0.08,
    speeds=(0.05, 0.13),
    frequency=0.36,
    touchdowns=(0.36, 0.86, 0.0, 0.5),
    fore=LegRow(
        duty=0.80,
        centre=0.26,
        width=0.86,
        bends={},
        lift=CM.lift(".25:1.7 .55:2.7 .8:1.4"),
        roll_start=0.72,
        roll_pitch=38.0,
    ),
    hind=LegRow(
        duty=0.81,
        centre=0.10,
        width=0.82,
        bends={},
        lift=CM.lift(".25:1.5 .55:2.2 .8:1.1"),
        roll_start=0.70,
        roll_pitch=34.0,
    ),
    drop=0.03,
    sacrum=CM.wave((0.16, 1, 0.45), (0.28, 2, 0.23)),
    withers=CM.wave((0.20, 1, 0.95), (0.42, 2, 0.48)),
    flexion=(),
    bend=(),
    pelvis_roll=ROLL,
    thorax_roll=ROLL,
    yaw=((1.6, 1, 0.84),),
    sway=CM.wave((0.45, 1, 0.58)),
    surge=CM.wave((0.35, 2, 0.10)),
    nod=((2.4, 2, 0.40), (1.5, 1, 0.20)),
    neck_spring=(1.0, 0.6, 0.3),
    tail_lift=0.0,
    frequency_exponent=0.6,
)

FAST_WALK = replace(
    SLOW_WALK,
    name="fast walk",
    speed=0.25,
    speeds=(0.14, 0.34),
    frequency=0.85,
    touchdowns=(0.38, 0.88, 0.0, 0.5),
    fore=replace(SLOW_WALK.fore, duty=0.70, centre=0.24, lift=CM.lift(".25:2.1 .55:3.4 .8:1.9"), roll_pitch=44.0),
    hind=replace(SLOW_WALK.hind, duty=0.71, centre=0.08, lift=CM.lift(".25:1.9 .55:2.9 .8:1.5"), roll_pitch=40.0),
    drop=0.01,
    sacrum=CM.wave((0.18, 1, 0.45), (0.40, 2, 0.25)),
    withers=CM.wave((0.22, 1, 0.95), (0.60, 2, 0.50)),
    pelvis_roll=QUICK_ROLL,
    thorax_roll=QUICK_ROLL,
    yaw=((2.2, 1, 0.84),),
    sway=CM.wave((0.55, 1, 0.58)),
    surge=CM.wave((0.5, 2, 0.10)),
    neck=4.0,
    head=-2.0,
    nod=((3.0, 2, 0.42), (1.5, 1, 0.20)),
)

GAITS = (SLOW_WALK, FAST_WALK)

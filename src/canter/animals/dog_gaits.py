"""The dog's gaits. Speeds, footfalls, duty factors, trunk harmonics and joint ranges are measured from the captured
dog behind MANN (University of Edinburgh, 38 takes), scaled to our hip height by dynamic similarity; bends were set by
eye within those ranges. Lengths of the measured dog are divided by its hip height of 38 cm.
"""

from __future__ import annotations

from dataclasses import replace

from canter.animals.rows import GaitRow, LegRow, Ruler, bends

CM = Ruler(38)


_SLOW_FORE = bends(
    elbow="0:58 .2:64 .6:64 .9:52 | 0:52 .25:74 .5:84 .75:70 .95:58",
    carpus="0:-4 .25:-22 .5:-24 .8:-20 | 0:0 .25:48 .5:62 .75:26 .93:0",
)
_SLOW_HIND = bends(
    stifle="0:60 .2:72 .5:74 .85:72 | 0:76 .35:98 .6:92 .9:60",
    hock="0:34 .25:44 .5:44 .85:30 | 0:30 .35:54 .6:50 .9:32",
)

WALK = GaitRow(
    "walk",
    speed=0.85,
    speeds=(0.4, 1.2),
    frequency=1.12,
    touchdowns=(0.24, 0.74, 0.0, 0.5),
    fore=LegRow(0.60, 0.06, 0.11, _SLOW_FORE, CM.lift(".15:4 .35:7 .55:7.5 .75:6 .9:3")),
    hind=LegRow(0.64, 0.02, 0.10, _SLOW_HIND, CM.lift(".1:3.4 .28:5.2 .5:4.2 .75:3.2 .9:1.8")),
    drop=0.025,
    sacrum=CM.wave((0.5, 1, 0.60), (0.7, 2, 0.36)),
    withers=CM.wave((0.4, 1, 0.89), (0.6, 2, 0.05)),
    flexion=((5.5, 2, 0.05),),
    bend=((13.0, 1, 0.85),),
    pelvis_roll=((3.5, 1, 0.30),),
    thorax_roll=((4.0, 1, 0.55),),
    yaw=((1.5, 1, 0.10),),
    sway=CM.wave((0.8, 1, 0.30)),
    scapula_gain=0.80,
    neck=-10.0,
    neck_spring=(2.0, 0.35, 0.4),
    nod=((4.0, 2, 0.10), (2.0, 1, 0.0)),
    tail_lift=4.0,
)

TROT = GaitRow(
    "trot",
    speed=2.2,
    speeds=(1.5, 3.2),
    frequency=1.8,
    touchdowns=(0.45, 0.95, 0.0, 0.5),
    fore=LegRow(
        0.46,
        0.03,
        0.09,
        bends(
            elbow="0:58 .2:64 .5:62 .85:46 | 0:44 .25:74 .48:90 .75:70 .95:56",
            carpus="0:-6 .25:-34 .5:-40 .8:-26 | 0:0 .22:58 .46:80 .72:36 .92:0",
        ),
        CM.lift(".15:5.5 .35:9 .6:9.5 .8:6.5 .92:3"),
    ),
    hind=LegRow(
        0.42,
        0.0,
        0.085,
        bends(
            stifle="0:56 .2:74 .5:80 .85:68 | 0:70 .38:112 .62:100 .9:54",
            hock="0:36 .25:58 .5:60 .85:34 | 0:34 .36:70 .6:64 .9:36",
        ),
        CM.lift(".1:4.5 .25:6.9 .5:5.6 .75:4 .9:2.2"),
    ),
    drop=0.055,
    sacrum=CM.wave((0.4, 1, 0.39), (1.7, 2, 0.43)),
    withers=CM.wave((0.4, 1, 0.86), (1.5, 2, 0.44)),
    flexion=((4.0, 2, 0.20),),
    bend=((10.0, 1, 0.84),),
    pelvis_roll=((3.5, 1, 0.30),),
    thorax_roll=((3.5, 1, 0.80),),
    yaw=((1.2, 1, 0.10),),
    sway=CM.wave((0.5, 1, 0.30)),
    scapula_gain=0.85,
    neck_spring=(2.0, 0.4, 0.6),
    nod=((1.0, 1, 0.20),),
    tail_lift=14.0,
)

AMBLE = replace(
    WALK,
    name="amble",
    speed=0.95,
    speeds=(0.5, 1.4),
    frequency=1.15,
    touchdowns=(0.14, 0.64, 0.0, 0.5),
    fore=replace(WALK.fore, duty=0.58, centre=0.04),
    hind=replace(WALK.hind, duty=0.62),
    sacrum=CM.wave((0.4, 1, 0.57), (0.4, 2, 0.32)),
    withers=CM.wave((0.5, 1, 0.55), (0.5, 2, 0.04)),
)

PACE = replace(
    WALK,
    name="pace",
    speed=1.25,
    speeds=(0.9, 1.9),
    frequency=1.42,
    touchdowns=(0.03, 0.52, 0.0, 0.49),
    fore=replace(WALK.fore, duty=0.59, centre=0.015, width=0.08),
    hind=replace(WALK.hind, duty=0.57, width=0.07),
    drop=0.04,
    sacrum=CM.wave((0.4, 1, 0.53), (0.3, 2, 0.44)),
    withers=CM.wave((0.3, 1, 0.82), (0.9, 2, 0.02)),
    bend=((10.0, 1, 0.80),),
    sway=CM.wave((1.2, 1, 0.22)),
    neck=-4.0,
    nod=((2.5, 2, 0.04),),
    tail_lift=8.0,
)

_FAST_FORE = bends(
    elbow="0:54 .2:60 .5:60 .85:42 | 0:38 .25:78 .5:94 .78:68 .95:52",
    carpus="0:-8 .25:-38 .5:-44 .8:-28 | 0:0 .2:60 .46:80 .72:44 .92:0",
)
_FAST_HIND = bends(
    stifle="0:64 .2:76 .5:80 .85:66 | 0:64 .35:112 .6:108 .9:68",
    hock="0:44 .25:66 .5:68 .85:30 | 0:24 .34:72 .6:70 .9:46",
)

CANTER = GaitRow(
    "canter",
    speed=3.3,
    speeds=(2.7, 3.9),
    frequency=1.95,
    touchdowns=(0.48, 0.24, 0.0, 0.19),
    fore=LegRow(0.38, -0.03, 0.06, _FAST_FORE, CM.lift(".15:9 .35:15 .58:16.5 .8:11 .92:5"), leading_centre=0.12),
    hind=LegRow(0.35, 0.02, 0.06, _FAST_HIND, CM.lift(".12:8 .35:14 .55:12 .78:8 .92:4"), leading_centre=0.08),
    drop=0.07,
    sacrum=CM.wave((4.2, 1, 0.73), (0.8, 2, 0.43)),
    withers=CM.wave((1.6, 1, 0.98), (0.5, 2, 0.05)),
    flexion=((3.0, 0, 0.0), (12.0, 1, 0.92), (2.0, 2, 0.90)),
    bend=((5.5, 1, 0.10),),
    pelvis_roll=((3.0, 1, 0.10),),
    thorax_roll=((3.5, 1, 0.35),),
    yaw=((1.0, 1, 0.10), (-2.0, 0, 0.0)),
    sway=CM.wave((0.4, 1, 0.10)),
    surge=CM.wave((0.8, 1, 0.0)),
    scapula_gain=0.80,
    neck_spring=(2.6, 0.5, 0.3),
    nod=((7.0, 1, 0.0),),
    tail_lift=18.0,
)

GALLOP = replace(
    CANTER,
    name="gallop",
    speed=4.6,
    speeds=(3.9, 7.0),
    frequency=2.12,
    touchdowns=(0.52, 0.34, 0.0, 0.15),
    fore=replace(
        CANTER.fore, duty=0.30, centre=-0.07, leading_centre=0.16, lift=CM.lift(".15:11 .35:18 .58:20 .8:13 .92:6")
    ),
    hind=replace(CANTER.hind, duty=0.29, lift=CM.lift(".12:9 .35:17 .55:15 .78:10 .92:5")),
    sacrum=CM.wave((4.4, 1, 0.71), (1.0, 2, 0.41)),
    withers=CM.wave((1.4, 1, 0.07), (0.6, 2, 0.36)),
    flexion=((4.0, 0, 0.0), (18.0, 1, 0.92), (4.0, 2, 0.90)),
    nod=((9.0, 1, 0.02),),
    neck=-12.0,
    head=8.0,
    tail_lift=22.0,
)

BACK = replace(
    WALK,
    name="back",
    speed=-1.1,
    speeds=(-1.4, -0.4),
    frequency=1.9,
    touchdowns=(0.56, 0.10, 0.0, 0.5),
    fore=replace(WALK.fore, duty=0.60, centre=0.10, lift=CM.lift(".15:4 .35:5.6 .6:5.6 .84:3.6 .94:2")),
    hind=replace(WALK.hind, duty=0.60, centre=0.10, width=0.13, lift=CM.lift(".12:2 .34:2.8 .6:2.9 .84:2.2 .94:1.2")),
    sacrum=CM.wave((0.55, 1, 0.56), (0.18, 2, 0.14)),
    withers=CM.wave((0.3, 1, 0.95), (0.75, 2, 0.47)),
    flexion=((3.0, 2, 0.05),),
    bend=((14.0, 1, 0.35),),
    neck=14.0,
    head=-8.0,
    nod=((2.0, 2, 0.2),),
    tail_lift=12.0,
)

SIDE = replace(
    BACK,
    name="side",
    speed=0.0,
    speeds=(0.0, 0.0),
    sideways=0.30,
    frequency=1.3,
    touchdowns=(0.25, 0.75, 0.5, 0.0),
    fore=replace(BACK.fore, duty=0.66, centre=0.06, width=0.15),
    hind=replace(BACK.hind, duty=0.66, centre=0.03, width=0.15),
    sacrum=CM.wave((0.3, 1, 0.5), (0.3, 2, 0.2)),
    withers=CM.wave((0.3, 1, 0.9), (0.3, 2, 0.4)),
    flexion=(),
    bend=(),
    yaw=(),
    sway=(),
    neck=0.0,
    head=0.0,
)

TURN = replace(
    SIDE,
    name="turn",
    sideways=-0.40,
    turn=90.0,
    touchdowns=(0.27, 0.77, 0.0, 0.5),
    bend=((16.0, 0, 0.0),),
)

GAITS = (WALK, AMBLE, PACE, TROT, CANTER, GALLOP, BACK, SIDE, TURN)

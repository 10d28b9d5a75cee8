"""The horse's gaits. Timing, trunk harmonics and footfalls of walk and trot are measured (Vienna Horse Data
Collection, one horse on a treadmill); canter and gallop follow the literature; bends were set by eye within the
ranges of the literature (see docs/animals.md). Centimetres are divided by the hip height of 117 cm.
"""

from __future__ import annotations

from dataclasses import replace

from canter.animals.rows import GaitRow, LegRow, Ruler, bends

CM = Ruler(117)


WALK = GaitRow(
    "walk",
    speed=1.6,
    speeds=(0.8, 2.1),
    frequency=0.93,
    touchdowns=(0.24, 0.74, 0.0, 0.5),
    fore=LegRow(
        duty=0.61,
        centre=0.09,
        width=0.105,
        bends=bends(
            elbow="0:38 .2:46 .6:44 .9:36 | 0:38 .25:50 .52:62 .76:52 .95:38",
            carpus="0:0 .5:-2 .88:0 | 0:10 .2:38 .44:54 .66:30 .88:4",
            fetlock="0:18 .2:30 .5:42 .72:45 .9:24 | 0:-4 .2:-36 .45:-34 .7:-10 .87:14",
        ),
        lift=CM.lift(".1:4.8 .3:7.5 .5:6.2 .7:5.2 .88:3.6"),
        roll_start=0.80,
    ),
    hind=LegRow(
        duty=0.62,
        centre=0.03,
        width=0.13,
        bends=bends(
            stifle="0:42 .15:50 .5:46 .8:44 | 0:54 .35:72 .6:66 .88:38",
            hock="0:30 .15:37 .5:32 .85:26 | 0:36 .35:58 .6:52 .9:28",
            fetlock="0:15 .2:30 .5:40 .75:42 .92:20 | 0:-4 .2:-34 .46:-32 .7:-10 .88:10",
        ),
        lift=CM.lift(".12:3 .3:5 .52:5.5 .7:5 .86:3"),
        roll_start=0.80,
    ),
    drop=0.017,
    sacrum=CM.wave((1.0, 1, 0.07), (3.6, 2, 0.30)),
    withers=CM.wave((0.5, 1, 0.97), (1.3, 2, 0.40)),
    flexion=((1.5, 2, 0.05),),
    bend=((4.0, 1, 0.85),),
    pelvis_roll=((3.0, 1, 0.30),),
    thorax_roll=((2.5, 1, 0.55),),
    yaw=((1.3, 1, 0.10),),
    sway=CM.wave((1.8, 1, 0.30)),
    surge=CM.wave((1.0, 2, 0.0)),
    neck=-12.0,
    head=2.0,
    neck_spring=(1.3, 0.35, 0.3),
    nod=((5.5, 2, 0.245), (1.4, 1, 0.60)),
    tail_lift=6.0,
)

TROT = GaitRow(
    "trot",
    speed=2.9,
    speeds=(2.1, 5.5),
    frequency=1.44,
    touchdowns=(0.46, 0.96, 0.0, 0.5),
    fore=LegRow(
        duty=0.46,
        centre=0.11,
        width=0.095,
        bends=bends(
            elbow="0:36 .2:46 .5:48 .85:36 | 0:36 .25:53 .5:70 .75:55 .95:36",
            carpus="0:0 .5:-3 .9:0 | 0:12 .2:50 .44:82 .66:48 .88:5",
            fetlock="0:18 .25:44 .5:58 .72:48 .9:22 | 0:-4 .2:-46 .46:-42 .7:-14 .88:14",
        ),
        lift=CM.lift(".1:7.4 .3:11.5 .55:8.2 .75:6.4 .9:4.2"),
    ),
    hind=LegRow(
        duty=0.43,
        centre=0.01,
        width=0.11,
        bends=bends(
            stifle="0:40 .2:52 .5:52 .85:40 | 0:48 .4:74 .64:68 .9:38",
            hock="0:30 .2:42 .5:42 .85:24 | 0:32 .38:74 .62:66 .9:32",
            fetlock="0:15 .25:42 .5:54 .72:46 .9:20 | 0:-4 .2:-42 .46:-40 .7:-14 .88:10",
        ),
        lift=CM.lift(".1:5 .3:6.8 .55:6 .75:5.6 .9:4"),
    ),
    drop=0.032,
    sacrum=CM.wave((0.3, 1, 0.90), (2.9, 2, 0.445)),
    withers=CM.wave((0.3, 1, 0.89), (3.1, 2, 0.445)),
    flexion=((1.2, 2, 0.20),),
    bend=((2.5, 1, 0.85),),
    pelvis_roll=((2.5, 1, 0.30),),
    thorax_roll=((1.8, 1, 0.80),),
    yaw=((1.2, 1, 0.10),),
    sway=CM.wave((1.2, 1, 0.30)),
    surge=CM.wave((0.8, 2, 0.0)),
    neck_spring=(1.4, 0.4, 1.0),
    nod=((0.5, 1, 0.60),),
    tail_lift=10.0,
)

CANTER = GaitRow(
    "canter",
    speed=5.2,
    speeds=(4.2, 6.9),
    frequency=1.65,
    touchdowns=(0.26, 0.47, 0.0, 0.24),
    fore=LegRow(
        duty=0.37,
        centre=0.09,
        leading_centre=0.06,
        width=0.075,
        bends=bends(
            elbow="0:38 .25:46 .5:46 .85:36 | 0:36 .25:64 .5:84 .76:60 .95:36",
            carpus="0:0 .5:-3 .9:0 | 0:12 .2:58 .44:94 .66:58 .86:8 .95:2",
            fetlock="0:18 .25:50 .5:64 .72:52 .9:22 | 0:-4 .2:-48 .46:-44 .7:-16 .88:12",
        ),
        lift=CM.lift(".12:11 .32:22 .54:17 .74:11 .89:5"),
        roll_start=0.75,
    ),
    hind=LegRow(
        duty=0.38,
        centre=-0.02,
        leading_centre=0.09,
        width=0.085,
        bends=bends(
            stifle="0:46 .2:56 .5:54 .85:42 | 0:44 .12:48 .4:80 .64:74 .9:44",
            hock="0:34 .2:46 .5:44 .85:26 | 0:28 .12:34 .38:78 .62:70 .9:36",
            fetlock="0:15 .25:48 .5:60 .72:50 .9:20 | 0:-4 .2:-46 .46:-44 .7:-16 .88:10",
        ),
        lift=CM.lift(".12:8 .32:14 .54:11 .74:9 .89:5"),
        roll_start=0.75,
    ),
    drop=0.038,
    sacrum=CM.wave((4.8, 1, 0.80), (0.9, 2, 0.42), (0.6, 3, 0.24)),
    withers=CM.wave((5.5, 1, 0.0), (0.9, 2, 0.42), (0.6, 3, 0.24)),
    flexion=((2.0, 0, 0.0), (5.0, 1, 0.92), (1.0, 2, 0.90)),
    bend=((1.5, 1, 0.10),),
    pelvis_roll=((2.5, 1, 0.10),),
    thorax_roll=((2.5, 1, 0.35),),
    yaw=((1.0, 1, 0.10), (-2.0, 0, 0.0)),
    sway=CM.wave((0.8, 1, 0.10)),
    surge=CM.wave((1.5, 1, 0.0)),
    neck=2.0,
    head=-4.0,
    neck_spring=(2.2, 0.5, 0.2),
    nod=((4.0, 1, 0.98),),
    tail_lift=16.0,
    ears=-8.0,
)

GALLOP = GaitRow(
    "gallop",
    speed=11.0,
    speeds=(9.0, 17.0),
    frequency=2.2,
    touchdowns=(0.33, 0.495, 0.0, 0.12),
    fore=LegRow(
        duty=0.235,
        centre=0.09,
        leading_centre=0.04,
        width=0.075,
        bends=bends(
            elbow="0:44 .25:44 .5:38 .85:38 | 0:38 .28:78 .54:88 .78:58 .95:36",
            carpus="0:0 .5:-4 .9:0 | 0:14 .2:72 .44:112 .66:76 .84:16 .94:2",
            fetlock="0:18 .25:58 .5:74 .72:60 .9:22 | 0:-6 .18:-52 .46:-50 .7:-24 .9:8",
        ),
        lift=CM.lift(".12:18 .33:38 .54:30 .72:19 .88:10"),
        roll_start=0.75,
    ),
    hind=LegRow(
        duty=0.235,
        centre=-0.03,
        leading_centre=0.04,
        width=0.085,
        bends=bends(
            stifle="0:54 .25:60 .5:56 .85:46 | 0:40 .12:46 .38:80 .62:78 .9:50",
            hock="0:40 .25:48 .5:44 .85:28 | 0:24 .12:34 .38:88 .62:82 .9:40",
            fetlock="0:15 .25:54 .5:68 .72:56 .9:20 | 0:-6 .2:-54 .48:-52 .72:-22 .9:6",
        ),
        lift=CM.lift(".10:13 .3:19 .54:14 .72:11 .88:7"),
        roll_start=0.75,
    ),
    drop=0.043,
    sacrum=CM.wave((5.0, 1, 0.76), (1.9, 2, 0.41), (0.5, 3, 0.08)),
    withers=CM.wave((5.2, 1, 0.98), (1.9, 2, 0.41), (0.5, 3, 0.08)),
    flexion=((2.0, 0, 0.0), (9.0, 1, 0.92), (2.0, 2, 0.90)),
    bend=((1.5, 1, 0.10),),
    pelvis_roll=((2.5, 1, 0.10),),
    thorax_roll=((2.5, 1, 0.35),),
    yaw=((1.0, 1, 0.10), (-2.0, 0, 0.0)),
    sway=CM.wave((0.8, 1, 0.10)),
    surge=CM.wave((1.5, 1, 0.0)),
    scapula_gain=0.48,
    neck=-20.0,
    head=14.0,
    neck_spring=(2.2, 0.5, 0.2),
    nod=((6.0, 1, 0.95),),
    tail_lift=30.0,
    ears=-25.0,
)

AMBLE = replace(
    WALK,
    name="amble",
    speed=2.6,
    speeds=(1.9, 3.2),
    frequency=1.3,
    touchdowns=(0.14, 0.64, 0.0, 0.5),
    fore=replace(WALK.fore, duty=0.54, lift=CM.lift(".12:6 .3:9.5 .5:8 .7:6 .86:3.5")),
    hind=replace(WALK.hind, duty=0.54, lift=CM.lift(".12:4 .3:6 .52:6 .7:5.5 .86:3.2")),
    drop=0.032,
    sacrum=CM.wave((0.8, 1, 0.57), (1.2, 2, 0.32)),
    withers=CM.wave((0.8, 1, 0.55), (1.0, 2, 0.10)),
    neck=-4.0,
    nod=((2.5, 2, 0.2),),
    tail_lift=9.0,
)

RACK = replace(
    TROT,
    name="rack",
    speed=4.6,
    speeds=(3.7, 6.8),
    frequency=1.9,
    touchdowns=(0.25, 0.75, 0.0, 0.5),
    fore=replace(TROT.fore, duty=0.42, lift=CM.lift(".12:11 .32:20 .55:15 .75:9 .89:4.5")),
    hind=replace(TROT.hind, duty=0.42),
    drop=0.045,
    sacrum=CM.wave((0.5, 1, 0.60), (1.0, 2, 0.30)),
    withers=CM.wave((0.5, 1, 0.90), (0.9, 2, 0.40)),
    neck=8.0,
    head=-6.0,
    nod=((1.2, 2, 0.3),),
    neck_spring=(1.6, 0.4, 0.5),
)

BACK = replace(
    WALK,
    name="back",
    speed=-0.8,
    speeds=(-1.2, -0.3),
    frequency=0.85,
    touchdowns=(0.56, 0.06, 0.0, 0.5),
    fore=replace(
        WALK.fore, duty=0.60, centre=0.10, roll_pitch=16.0, lift=CM.lift(".12:4.4 .34:6.6 .6:6.6 .84:5 .94:2.6")
    ),
    hind=replace(
        WALK.hind, duty=0.60, centre=0.04, roll_pitch=16.0, lift=CM.lift(".12:3.6 .34:5.4 .6:5.6 .84:4.6 .94:2.6")
    ),
    drop=0.02,
    sacrum=CM.wave((0.5, 1, 0.5), (1.2, 2, 0.2)),
    withers=CM.wave((0.4, 1, 0.9), (0.8, 2, 0.4)),
    bend=((2.0, 1, 0.35),),
    neck=6.0,
    head=-4.0,
    nod=((1.5, 2, 0.2),),
)

SIDE = replace(
    BACK,
    name="side",
    speed=0.0,
    speeds=(0.0, 0.0),
    sideways=0.45,
    frequency=0.8,
    touchdowns=(0.25, 0.75, 0.5, 0.0),
    fore=replace(BACK.fore, duty=0.66, width=0.13, roll_pitch=26.0),
    hind=replace(BACK.hind, duty=0.66, width=0.15, roll_pitch=26.0),
    bend=(),
    sway=(),
)

TURN = replace(
    SIDE,
    name="turn",
    sideways=-0.36,
    turn=40.0,
    touchdowns=(0.27, 0.77, 0.0, 0.5),
    bend=((8.0, 0, 0.0),),
)

GAITS = (WALK, AMBLE, TROT, RACK, CANTER, GALLOP, BACK, SIDE, TURN)

"""The dog's actions. Postures and times are measured from the captured dog behind MANN (University of Edinburgh),
scaled to our hip height by dynamic similarity: lengths by the hip height, times by its root. The ways between the
postures were set by eye.
"""

from __future__ import annotations

from canter.animals.action_rows import ActionRow, Hum, LegMoves, Step

_CALM = (
    Hum("look", 9.0),
    Hum("neck", 2.5),
    Hum("head", 3.0, 0.1, 0.6),
    Hum("tilt", 2.5),
    Hum("pitch", 0.25, 0.4, 0.5),
    Hum("wag", 9.0, 0.8, 1.8),
)

_SIT_FORE = LegMoves(
    steps=(Step(0.42, 0.70, -0.20, height=0.06), Step(5.10, 5.46, 0.56)),
    bends={"scapula": "0:0 .2:0 1.1:-14 4.7:-14 5.5:0", "elbow": "0:0 .2:0 1.1:14 4.7:14 5.5:0"},
)
_SIT_HIND = LegMoves(
    steps=(Step(0.14, 0.46, 0.56, 0.05, height=0.14), Step(5.20, 5.44, 0.56, height=0.05)),
    bends={
        "stifle": "0:0 .2:0 1.0:90 4.7:90 5.4:0",
        "foot": "0:0 .45:0 1.0:-52 4.7:-52 5.2:0",
        "splay": "0:0 .3:0 1.1:16 4.7:16 5.4:0",
    },
)

SIT = ActionRow(
    "sit",
    seconds=6.1,
    hold=(1.5, 4.6),
    legs=(_SIT_FORE, _SIT_FORE.later(0.18), _SIT_HIND.later(0.20), _SIT_HIND),
    height="0:0 .1:0 .25:.015 .5:-.12 1.15:-.86 1.38:-.85 4.75:-.85 5.45:.01 5.75:0",
    forward="0:0 .1:0 .3:.06 1.1:-.02 1.35:0 4.72:0 5.5:.575 5.85:.56",
    pitch="0:0 .2:0 .5:9 1.15:46 1.35:45 4.75:45 5.45:-2 5.85:0",
    flexion="0:0 .2:0 1.1:12 4.75:12 5.4:0",
    neck="0:0 .1:0 .35:8 1.1:20 4.7:20 4.95:6 5.6:0",
    head="0:0 .1:0 .4:-6 1.1:6 4.7:6 4.95:-3 5.6:0",
    tail="0:0 .2:0 1.1:45 4.75:45 5.5:0",
    curl="0:0 .2:0 1.1:14 4.75:14 5.5:0",
    hums=_CALM,
)

ACTIONS = (SIT,)

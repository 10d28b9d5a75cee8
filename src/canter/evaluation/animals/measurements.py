"""Measurements of real animals as tables, which the topic `animals` compares with.

Dog: one dog of the University of Edinburgh (Zhang, Starke, Komura and Saito 2018, the capture behind MANN), 240 steady
strides of 38 takes; backing up, which it was not asked to do, is one Labrador's (Tencent Robotics X, 7 strides). Horse:
one horse on a treadmill with seven markers (Vienna Horse Data Collection), 176 strides; where it was not measured,
figures of the literature, which are approximate. A cell is the median, the 10th and the 90th percentile over strides; a
joint's cell is its range over the stride, then its least and its greatest angle (medians).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

Cell = tuple[float, ...]
Band = tuple[float, float]

MARKER_OVER_HIP = 0.20
"""Metres by which the marker on the horse's sacrum is above its hip joint (literature, about)."""

# frequency in Hz, stride in hip heights; duty, touchdowns and the phases at1, at2 of a harmonic's maximum in cycles
# after the left hind touches down, or the trailing hind; lift is the highest toe in hip heights.
# A1, A2: harmonics of height in cm; head: how far it rises and falls over the stride, in cm.
# lateral, sagittal: range in degrees of the spine between pelvis and thorax.
DOG = """
gait          | walk           | amble           | pace            | trot           | canter          | gallop
strides       | 8              | 30              | 129             | 29             | 15              | 29
height        | .362           | .379            | .376            | .376           | .388            | .394
froude        | .132 .103 .346 | .135 .054 .249  | .272 .188 .441  | .998 .788 1.33 | 2.22 1.35 2.75  | 2.69 1.9 4.77
frequency     | 1.18 1.06 1.34 | 1.15 1 1.4      | 1.5 1.28 1.72   | 2 1.82 2.22    | 2.22 2.06 2.31  | 2.14 2.06 2.33
stride        | 1.75 1.4 2.33  | 1.63 1.18 2.11  | 1.81 1.62 2.05  | 2.53 2.31 2.73 | 3.42 2.64 3.64  | 3.81 3.24 4.83
fore duty     | .566 .474 .686 | .584 .5 .712    | .607 .558 .655  | .483 .426 .53  | .365 .333 .419  | .327 .25 .36
hind duty     | .62 .543 .684  | .637 .562 .714  | .578 .529 .617  | .4 .378 .433   | .327 .29 .392   | .304 .248 .34
LF            | .303 .24 .369  | .146 .092 .251  | .026 -.005 .077 | .448 .402 .481 | -               | -
RF            | .729 .686 .812 | .645 .567 .668  | .513 .476 .575  | .931 .852 .973 | -               | -
RH            | .532 .453 .556 | .51 .449 .558   | .489 .464 .525  | .5 .481 .532   | -               | -
leading hind  | -              | -               | -               | -              | .185 .131 .222  | .154 .119 .195
trailing fore | -              | -               | -               | -              | .235 .186 .285  | .333 .299 .424
leading fore  | -              | -               | -               | -              | .481 .462 .511  | .518 .481 .58
fore lift     | .215 .176 .339 | .193 .137 .249  | .172 .14 .233   | .251 .199 .306 | .453 .344 .516  | .512 .458 .592
hind lift     | .147 .136 .339 | .138 .124 .155  | .132 .122 .143  | .182 .161 .21  | .417 .339 .484  | .479 .39 .543
hips A1       | .498 .277 1.2  | .404 .106 .731  | .398 .2 .665    | .432 .094 .802 | 4.64 4.14 5.14  | 4.57 3.35 5.6
hips at1      | .596 .269 .73  | .57 .286 .751   | .53 .347 .651   | .388 .129 .666 | .734 .693 .779  | .711 .628 .751
hips A2       | .717 .444 1.6  | .41 .177 .736   | .333 .128 .743  | 1.89 1.64 2.29 | .806 .206 1.03  | .979 .715 1.32
hips at2      | .36 .327 .39   | .322 .248 .387  | .44 .316 .493   | .421 .401 .448 | .433 .371 .477  | .411 .371 .445
withers A1    | .697 .274 1.02 | .615 .215 1.06  | .347 .104 .717  | .37 .123 .76   | 2.94 .892 3.89  | 3.29 1.87 4.76
withers at1   | .893 .63 1.23  | .554 .28 .871   | .816 .495 1.2   | .859 .65 1.11  | .977 .904 1.07  | .069 -.013 .281
withers A2    | .987 .479 1.12 | .506 .251 1.24  | 1.17 .738 1.45  | 1.49 1.19 1.75 | .523 .192 .766  | .566 .301 1.44
withers at2   | .054 -.02 .167 | .043 -.028 .147 | .018 -.015 .045 | .44 .405 .464  | .045 -.071 .186 | .358 .273 .446
head          | 4 1.8 5.6      | 3.2 1.7 6.7     | 2.8 1.8 4.2     | 3.1 2.5 4.4    | 11.7 8.7 13.3   | 14 11.8 14.5
lateral       | 34.2 21.8 44.6 | 33.2 22.5 41    | 30.5 24.3 35.5  | 34.4 29 39.1   | 9.81 5.96 13.1  | 9.38 6.33 12.8
sagittal      | 13.1 10.4 15   | 10.9 6.82 14.1  | 11.6 8.13 15.4  | 7.04 5.58 15.5 | 32.8 24.8 39.4  | 44.2 36.6 58.8
scapula       | 39 22 65       | 31 27 60        | 39 26 65        | 43 24 66       | 40 21 62        | 43 21 63
shoulder      | 34 86 120      | 33 82 118       | 31 86 116       | 25 90 114      | 42 83 125       | 51 80 133
elbow         | 45 86 134      | 53 86 137       | 51 86 137       | 67 76 146      | 77 72 149       | 82 73 154
carpus        | 85 118 206     | 86 119 205      | 97 110 207      | 123 100 223    | 124 102 225     | 128 99 227
fore limb     | 54 -19 35      | 59 -24 35       | 60 -25 35       | 67 -26 41      | 84 -30 52       | 89 -32 56
hip           | 49 20 71       | 47 21 69        | 51 22 73        | 53 23 76       | 60 14 74        | 65 14 78
stifle        | 40 73 119      | 36 84 121       | 42 81 123       | 65 65 131      | 61 63 123       | 66 59 123
hock          | 31 115 149     | 27 126 152      | 29 125 153      | 40 110 149     | 52 107 158      | 58 104 160
hind limb     | 56 -32 25      | 52 -28 24       | 54 -30 24       | 55 -34 20      | 67 -38 29       | 72 -41 31
"""

LABRADOR = """
gait          | back
strides       | 7
height        | .533
froude        | .261 .196 .317
frequency     | 1.85 1.72 2.13
stride        | 1.14 1.1 1.18
fore duty     | .595 .548 .624
hind duty     | .601 .551 .616
LF            | .554 .546 .656
RF            | .123 .061 .176
RH            | .508 .48 .526
fore lift     | .16 .149 .176
hind lift     | .07 .058 .084
hips A1       | .776 .423 1
hips at1      | .559 .208 .606
hips A2       | .251 .121 .465
hips at2      | .138 .033 .199
withers A1    | .435 .281 .486
withers at1   | .95 .641 1.08
withers A2    | 1.08 .904 1.27
withers at2   | .47 .459 .539
head          | 3.2 2.4 3.6
lateral       | 31.5 25.8 45.1
sagittal      | 6.38 4.98 10.6
elbow         | 55 131 186
carpus        | 58 163 220
fore limb     | 37 -10 27
hip           | 29 58 88
stifle        | 42 102 143
hock          | 22 94 115
hind limb     | 35 -8 28
"""

# Heights here are those of the marker on the sacrum.
HORSE = """
gait          | walk           | trot
strides       | 71             | 105
height        | 1.3            | 1.31
froude        | .197 .18 .222  | .651 .608 .681
frequency     | .938 .909 1.03 | 1.46 1.43 1.5
stride        | 1.29 1.21 1.34 | 1.51 1.45 1.58
fore duty     | .61 .591 .626  | .476 .464 .491
hind duty     | .62 .608 .631  | .433 .417 .444
LF            | .242 .227 .294 | .463 .439 .475
RF            | .739 .723 .78  | .954 .95 .976
RH            | .508 .481 .528 | .494 .481 .506
fore lift     | .049 .042 .059 | .079 .065 .091
hind lift     | .042 .035 .049 | .044 .035 .051
hips A1       | 1.11 .449 2.23 | .442 .169 .977
hips at1      | .073 -.131 .24 | .899 .587 1.11
hips A2       | 4.03 3.41 4.63 | 2.78 2.51 2.98
hips at2      | .303 .293 .329 | .44 .426 .449
withers A1    | .619 .252 .986 | .43 .197 .896
withers at1   | .97 .873 1.14  | .891 .633 1.15
withers A2    | 1.16 .827 1.56 | 3.05 2.9 3.31
withers at2   | .402 .362 .442 | .436 .42 .447
head          | 11.6 6.9 16.2  | 5.1 4.2 6.7
"""

LABRADOR_SPINE: dict[str, dict[str, Band]] = {
    "pace": {"lateral": (15.8, 31.9), "sagittal": (5.4, 9.4)},
    "trot": {"lateral": (15.4, 28.6), "sagittal": (8.6, 20.6)},
    "canter": {"lateral": (14.5, 22.7), "sagittal": (20.2, 33.7)},
    "gallop": {"lateral": (14.5, 22.7), "sagittal": (20.2, 33.7)},
}
"""The spine of a second dog: the two disagree, and a shepherd's may lie anywhere between them."""

STRIDE_LAWS: dict[str, Band] = {"dog": (2.675, 0.29), "horse": (1.613, 0.14)}
"""(a, b) of stride length over height = a Fr^b, fitted over all gaits, with the measured animal's own height."""

SKATING_CM: dict[str, dict[str, float]] = {
    "dog": {"walk": 0.14, "amble": 0.16, "pace": 0.19, "trot": 0.21, "canter": 0.27, "gallop": 0.21, "back": 0.21},
    "horse": {"walk": 0.15, "trot": 0.25},
}
"""MANN's measure of skating with H = 2.5 cm, in cm a frame over all frames, of the real animals' feet."""


@dataclass(frozen=True)
class Literature:
    """Figures of the literature for one gait of the horse, each as (low, high)."""

    frequency: Band
    duty: Band
    lag: Band | None = None
    """Hildebrand's phase: by how much of a stride a fore follows the hind of its side; none in uneven gaits."""
    length: Band | None = None
    joints: dict[str, Band] | None = None
    """Ranges of motion in degrees."""
    fetlock: Band | None = None
    """Greatest angle of the fetlock in stance; 180 is straight."""
    sagittal: Band | None = None


LITERATURE: dict[str, Literature] = {
    "walk": Literature(
        (0.8, 1.0),
        (0.60, 0.65),
        (0.22, 0.28),
        (1.5, 1.9),
        {
            "fetlock": (60, 75),
            "carpus": (55, 65),
            "elbow": (45, 50),
            "shoulder": (12, 18),
            "hip": (20, 25),
            "stifle": (38, 45),
            "hock": (35, 42),
        },
        (225, 225),
        (3, 8),
    ),
    "amble": Literature((1.2, 1.6), (0.50, 0.60), (0.10, 0.20)),
    "rack": Literature((1.6, 2.4), (0.40, 0.55), (0.25, 0.25), (2.0, 4.0)),
    "trot": Literature(
        (1.3, 1.6),
        (0.35, 0.50),
        (0.50, 0.50),
        (1.8, 3.0),
        {
            "fetlock": (80, 100),
            "carpus": (80, 95),
            "elbow": (50, 60),
            "shoulder": (15, 25),
            "hip": (22, 30),
            "stifle": (42, 52),
            "hock": (42, 55),
        },
        (235, 240),
        (3, 8),
    ),
    "canter": Literature((1.6, 1.8), (0.30, 0.45), length=(2.0, 4.0)),
    "gallop": Literature((2.0, 2.5), (0.18, 0.28), length=(5.0, 7.0), fetlock=(250, 260), sagittal=(0, 20)),
}
"""Horses at their usual speeds."""

SEQUENCES = {"horse": "transverse", "dog": "rotary"}
"""The sequence of footfalls in canter and gallop."""

JOINTS = ("scapula", "shoulder", "elbow", "carpus", "fore limb", "hip", "stifle", "hock", "hind limb")


@dataclass(frozen=True)
class Facts:
    """One measured gait. Lengths were divided by `height`; `hips` is the height of the hip joints; both in metres."""

    gait: str
    source: str
    strides: int
    height: float
    hips: float
    cells: dict[str, Cell]

    @property
    def froude(self) -> float:
        """The Froude number by the height of the hip joints."""
        return self.cells["froude"][0] * self.height / self.hips


@cache
def measured(animal: str) -> dict[str, Facts]:
    """The measured gaits of an animal by name."""
    if animal == "dog":
        return _facts(DOG, "captured dog", 0.0) | _facts(LABRADOR, "captured Labrador", 0.0)
    return _facts(HORSE, "captured horse", MARKER_OVER_HIP) if animal == "horse" else {}


def _facts(table: str, source: str, marker: float) -> dict[str, Facts]:
    lines = [[cell.strip() for cell in line.split("|")] for line in table.strip().splitlines()]
    rows = {name: cells for name, *cells in lines}
    found = {}
    for column, gait in enumerate(rows.pop("gait")):
        cells = {name: _cell(row[column]) for name, row in rows.items() if row[column] != "-"}
        (strides,), (height,) = cells.pop("strides"), cells.pop("height")
        found[gait] = Facts(gait, source, int(strides), height, height - marker, cells)
    return found


def _cell(text: str) -> Cell:
    return tuple(float(number) for number in text.split())

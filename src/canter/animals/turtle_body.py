"""The turtle's body: a domed shell of horn with dark seams, a pale plastron, and a scaly animal inside it.

Three closed surfaces that move together. Carapace and plastron hang on the shell alone, so they cannot bend; legs, neck
and tail come out between them and slide under the rim. Radii in hip heights, set by eye.
"""

from __future__ import annotations

import numpy as np

from canter.animals.turtle import HIP_HEIGHT
from canter.body.parts import Bend, Body, Capsule, Ellipsoid, Paint, Spot

SEAM, HORN, AMBER, EDGE = "#3a2a18", "#8a6430", "#c79a4e", "#6d4d26"
PLASTRON, SMUDGE, HOLLOW = "#d0ad6c", "#7a5a30", "#2b2219"
SKIN, PALE, DUSK, BEAK, CLAW, EYE = "#7b7355", "#a1976f", "#5a5440", "#4b4434", "#d9cda5", "#0d0b09"

# The carapace ------------------------------------------------------------------------------------

CENTRE, RADII, RIM = (0.0, 1.04, 0.70), (1.00, 0.98, 1.42), 1.08
"""The dome before its scutes rise from it, and the height at which it ends."""

VERTEBRALS = tuple((0.0, up, 0.37, 0.060) for up in (26.0, 57.0, 90.0, 123.0, 154.0))
COSTALS = ((37.0, 33.0, 0.42, 0.055), (71.0, 40.0, 0.46, 0.060), (109.0, 40.0, 0.46, 0.060), (143.0, 33.0, 0.42, 0.055))
"""Scutes: degrees around from the nose and up from the rim's plane, half the width, and how far they rise."""
MARGINALS = tuple(8.2 + 16.36 * k for k in range(11))


def _on_dome(around: float, up: float, deep: float) -> Spot:
    """The place `deep` under the dome's surface, as an offset from the shell's joint."""
    a, e = np.radians(around), np.radians(up)
    unit = np.array([np.cos(e) * np.sin(a), np.sin(e), np.cos(e) * np.cos(a)])
    normal = unit / np.array(RADII)
    x, y, z = np.array(CENTRE) + np.array(RADII) * unit - deep * normal / np.linalg.norm(normal)
    return ("Shell", float(round(x, 4)), float(round(y - 1.20, 4)), float(round(z, 4)))


def _scute(around: float, up: float, half: float, rise: float) -> Ellipsoid:
    """A cap of horn: a ball that rises from the dome inside a circle of radius `half`."""
    radius = 1 / (2 * rise / half**2 + 1 / 1.15)
    return Ellipsoid("Shell", _on_dome(around, up, radius - rise), (radius,) * 3, SEAM, blend=0.012)


def _growth(around: float, up: float, half: float, rise: float) -> tuple[Paint, Paint]:
    """The colours of a scute: horn over its width, and amber where it began to grow."""
    spot = _on_dome(around, up, -0.6 * rise)
    return (
        Paint(spot, (0.76 * half,) * 3, HORN, 0.30),
        Paint(spot, (0.42 * half,) * 3, AMBER, 0.75),
    )


CARAPACE = Body(
    unit=HIP_HEIGHT,
    parts=(
        Ellipsoid("Shell", ("Shell", CENTRE[0], CENTRE[1] - 1.20, CENTRE[2]), RADII, SEAM),
        *(_scute(*row) for row in (*VERTEBRALS, *COSTALS)),
        *(
            Ellipsoid("Shell", _on_dome(around, 6.0, -0.01), (0.16, 0.135, 0.16), EDGE, blend=0.02)
            for around in MARGINALS
        ),
    ),
    paints=(
        *(paint for row in (*VERTEBRALS, *COSTALS) for paint in _growth(*row)),
        *(Paint(_on_dome(around, 6.0, -0.13), (0.13, 0.13, 0.13), AMBER, 0.9) for around in MARGINALS),
    ),
    cell=0.018,
    triangles=5600,
    floor=RIM,
    name="turtle",
)

# The plastron ------------------------------------------------------------------------------------

PLASTRON_BODY = Body(
    unit=HIP_HEIGHT,
    parts=(
        Ellipsoid("Shell", ("Shell", 0, -0.42, 0.78), (0.60, 0.30, 1.16), PLASTRON),
        Ellipsoid("Shell", ("Shell", 0, -0.26, 0.72), (0.97, 0.40, 0.52), PLASTRON, blend=0.15),
    ),
    paints=(
        Paint(("Shell", 0.70, -0.20, 0.72), (0.45, 0.22, 0.50), SMUDGE, 0.8),
        Paint(("Shell", 0.25, -0.66, 1.15), (0.24, 0.20, 0.24), SMUDGE, 0.8),
        Paint(("Shell", 0.25, -0.66, 0.35), (0.24, 0.20, 0.24), SMUDGE, 0.8),
    ),
    cell=0.025,
    triangles=1000,
    floor=0.56,
    name="turtle",
)

# The animal inside -------------------------------------------------------------------------------

TRUNK = (Ellipsoid("Shell", ("Shell", 0, -0.28, 0.76), (0.60, 0.20, 1.10), DUSK, soft=0.10),)

NECK = (
    Capsule("Nape", "Nape", "Neck1", 0.26, 0.21, DUSK, blend=0.08, group="neck", soft=0.10),
    Capsule("Neck1", "Neck1", "Neck2", 0.21, 0.17, SKIN, 1.05, 0.06, "neck", 0.08),
    Capsule("Neck2", "Neck2", ("Head", 0, -0.02, 0.02), 0.17, 0.17, SKIN, 1.05, 0.06, "neck", 0.07),
)

HEAD = (
    Ellipsoid("Head", ("Head", 0, 0.03, 0.14), (0.19, 0.17, 0.24), SKIN, 6, 0.06, "head", 0.05),
    Ellipsoid("Head", ("Head", 0, -0.05, 0.20), (0.17, 0.12, 0.22), PALE, 8, 0.05, "head", 0.05),
    Capsule("Head", ("Head", 0, 0.00, 0.26), ("Beak", 0, 0.04, -0.09), 0.13, 0.085, SKIN, 1.0, 0.05, "head"),
    Capsule("Head", ("Beak", 0, 0.02, -0.08), ("Beak", 0, -0.05, -0.03), 0.065, 0.030, BEAK, 1.0, 0.03, "head"),
    Ellipsoid("Head", ("Head", 0.125, 0.085, 0.255), (0.050, 0.050, 0.056), EYE, apart=True),
    Ellipsoid("Head", ("Head", 0.115, 0.120, 0.240), (0.060, 0.045, 0.090), PALE, 4, 0.03, "head", 0.04),
)

TAIL = (
    Capsule("Tail1", ("Tail1", 0, 0.02, 0.10), "Tail2", 0.15, 0.10, DUSK, 0.9, 0.06, "tail", 0.06),
    Capsule("Tail2", "Tail2", "TailTip", 0.10, 0.035, SKIN, 0.9, 0.04, "tail", 0.05),
)

SHOULDER, ELBOW, WRIST = "LeftShoulder", "LeftElbow", "LeftWrist"
FORE = (
    Capsule(SHOULDER, SHOULDER, ELBOW, 0.20, 0.20, DUSK, 1.0, 0.08, "LeftFore", 0.09),
    Capsule(
        ELBOW, (ELBOW, -0.01, 0.0, 0.0), (ELBOW, 0.0, -0.34, 0.085), 0.205, 0.185, SKIN, 1.0, 0.06, "LeftFore", 0.09
    ),
    Capsule(ELBOW, (ELBOW, 0.0, -0.34, 0.085), WRIST, 0.185, 0.165, SKIN, 1.0, 0.05, "LeftFore", 0.07),
    Capsule(WRIST, WRIST, (WRIST, 0, -0.10, 0.03), 0.165, 0.185, SKIN, 1.0, 0.04, "LeftFore", 0.05),
    Ellipsoid(WRIST, (WRIST, 0, -0.13, 0.07), (0.185, 0.12, 0.16), SKIN, 0, 0.04, "LeftFore", 0.05),
    *(
        Capsule(
            WRIST,
            (WRIST, x, -0.14, 0.16 - 0.8 * x * x),
            (WRIST, 1.25 * x, -0.19, 0.27 - 1.8 * x * x),
            0.042,
            0.022,
            CLAW,
            1.0,
            0.015,
            "LeftFore",
            0.05,
        )
        for x in (-0.14, -0.05, 0.05, 0.14)
    ),
    *(
        Ellipsoid(ELBOW, (ELBOW, x, y, z), (0.075, 0.085, 0.05), PALE, -12, 0.015, "LeftFore", 0.09)
        for x, y, z in (
            (-0.08, -0.16, 0.205),
            (0.08, -0.16, 0.205),
            (0.0, -0.28, 0.245),
            (-0.1, -0.37, 0.23),
            (0.1, -0.37, 0.23),
            (0.0, -0.46, 0.28),
            (0.15, -0.26, 0.14),
            (0.16, -0.44, 0.17),
        )
    ),
)

HIP, KNEE, ANKLE = "LeftHip", "LeftKnee", "LeftAnkle"
HIND = (
    Capsule(HIP, HIP, KNEE, 0.20, 0.21, DUSK, 1.0, 0.08, "LeftHind", 0.09),
    Capsule(KNEE, (KNEE, -0.01, 0.0, 0.0), (KNEE, -0.01, -0.34, -0.11), 0.21, 0.19, SKIN, 1.0, 0.06, "LeftHind", 0.09),
    Capsule(KNEE, (KNEE, -0.01, -0.34, -0.11), ANKLE, 0.19, 0.175, SKIN, 1.0, 0.05, "LeftHind", 0.07),
    Capsule(ANKLE, ANKLE, (ANKLE, 0, -0.10, 0.02), 0.175, 0.19, SKIN, 1.0, 0.04, "LeftHind", 0.05),
    Ellipsoid(ANKLE, (ANKLE, 0, -0.13, 0.06), (0.19, 0.12, 0.18), SKIN, 0, 0.04, "LeftHind", 0.05),
    *(
        Capsule(
            ANKLE,
            (ANKLE, x, -0.15, 0.17 - 0.8 * x * x),
            (ANKLE, 1.2 * x, -0.20, 0.26 - 1.8 * x * x),
            0.042,
            0.024,
            CLAW,
            1.0,
            0.015,
            "LeftHind",
            0.05,
        )
        for x in (-0.13, -0.045, 0.045, 0.13)
    ),
)

SOFT = Body(
    unit=HIP_HEIGHT,
    parts=(*TRUNK, *NECK, *HEAD, *TAIL, *FORE, *HIND),
    groups={"trunk": 0.0, "neck": 0.08, "head": 0.05, "tail": 0.05, "LeftFore": 0.10, "LeftHind": 0.10},
    paints=(
        Paint(("Beak", 0, -0.015, -0.10), (0.16, 0.014, 0.16), DUSK, 0.6, 8, "head"),
        Paint(("Beak", 0, 0.0, 0.0), (0.10, 0.10, 0.07), BEAK, 0.6, group="head"),
        Paint(("Head", 0, 0.20, 0.10), (0.14, 0.08, 0.22), PALE, 0.8, group="head"),
        Paint((WRIST, 0, -0.22, 0.0), (0.3, 0.10, 0.3), DUSK, 0.6, group="LeftFore"),
        Paint((ANKLE, 0, -0.22, 0.0), (0.3, 0.10, 0.3), DUSK, 0.6, group="LeftHind"),
    ),
    bends=(
        Bend(SHOULDER, -40, 40, "y"),
        Bend(ELBOW, -25, 25),
        Bend(WRIST, -30, 45),
        Bend(HIP, -40, 40, "y"),
        Bend(KNEE, -25, 25),
        Bend(ANKLE, -30, 45),
        Bend("Neck1", -15, 15),
        Bend("Neck1", -15, 15, "y"),
        Bend("Head", -20, 20),
        Bend("Head", -20, 20, "y"),
        Bend("Tail1", -15, 15),
        Bend("Tail1", -15, 15, "y"),
    ),
    cell=0.016,
    triangles=7200,
    name="turtle",
)

BODIES = (CARAPACE, PLASTRON_BODY, SOFT)

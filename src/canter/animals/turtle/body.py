"""The turtle's body: a domed shell of horn with dark seams, a pale plastron, and a scaly animal inside it.

Three closed surfaces that move together. Carapace and plastron hang on the shell alone, so they cannot bend; legs, neck
and tail come out between them and slide under the rim. Radii in hip heights, set by eye.
"""

from __future__ import annotations

import numpy as np

from canter.animals.turtle.skeleton import HIP_HEIGHT
from canter.body.parts import Bend, Body, Capsule, Ellipsoid, Paint, Part, Spot

SEAM, HORN, AMBER, EDGE = "#3a2a18", "#8a6430", "#c79a4e", "#6d4d26"
PLASTRON, SMUDGE = "#d0ad6c", "#7a5a30"
SKIN, PALE, DUSK, BEAK, CLAW, EYE = "#7b7355", "#a1976f", "#5a5440", "#4b4434", "#d9cda5", "#0d0b09"

# The carapace ------------------------------------------------------------------------------------

CENTRE, RADII, RIM = (0.0, 1.04, 0.70), (1.00, 0.98, 1.42), 1.10
"""The dome before its scutes rise from it, and the height at which it ends."""

VERTEBRALS = (
    (0.0, 25.0, 0.40, 0.050),
    (0.0, 57.0, 0.42, 0.065),
    (0.0, 90.0, 0.43, 0.070),
    (0.0, 123.0, 0.42, 0.065),
    (0.0, 155.0, 0.40, 0.050),
)
COSTALS = ((36.0, 31.0, 0.44, 0.055), (70.0, 38.0, 0.50, 0.065), (110.0, 38.0, 0.50, 0.065), (144.0, 31.0, 0.44, 0.055))
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
    return Ellipsoid("Shell", _on_dome(around, up, radius - rise), (radius,) * 3, HORN, blend=0.010)


SEAMS = (
    *(((0.0, 1.60, z), (0.48, 0.80, 0.07), pitch) for z, pitch in ((1.62, 40), (1.06, 14), (0.34, -14), (-0.22, -40))),
    *(((0.72, 1.50, z), (0.42, 0.60, 0.07), pitch) for z, pitch in ((1.38, 8), (0.70, 0), (0.02, -8))),
    ((0.41, 1.50, 0.70), (0.07, 0.85, 1.60), 0),
    ((0.0, 1.30, 0.70), (1.50, 0.05, 2.00), 0),
)
"""Thin plates where scutes meet: centre, radii and pitch. Across the back, across the sides, along them and below."""

CARAPACE = Body(
    unit=HIP_HEIGHT,
    parts=(
        Ellipsoid("Shell", ("Shell", CENTRE[0], CENTRE[1] - 1.20, CENTRE[2]), RADII, HORN),
        *(_scute(*row) for row in (*VERTEBRALS, *COSTALS)),
        *(
            Ellipsoid("Shell", _on_dome(around, 8.5, 0.05), (0.20, 0.11, 0.22), EDGE, blend=0.04)
            for around in MARGINALS
        ),
    ),
    paints=(
        *(
            Paint(_on_dome(around, up, -0.6 * rise), (0.62 * half,) * 3, AMBER, 0.85)
            for around, up, half, rise in (*VERTEBRALS, *COSTALS)
        ),
        *(Paint(_on_dome(around, 8.5, -0.15), (0.15, 0.13, 0.15), AMBER, 0.8) for around in MARGINALS),
        *(Paint(("Shell", x, y - 1.20, z), radii, SEAM, 0.75, pitch) for (x, y, z), radii, pitch in SEAMS),
    ),
    cell=0.015,
    triangles=6200,
    floor=RIM,
    name="turtle",
)

# The plastron ------------------------------------------------------------------------------------

PLASTRON_BODY = Body(
    unit=HIP_HEIGHT,
    parts=(
        Ellipsoid("Shell", ("Shell", 0, -0.48, 0.78), (0.62, 0.34, 1.16), PLASTRON),
        Ellipsoid("Shell", ("Shell", 0, -0.30, 0.72), (0.97, 0.48, 0.50), PLASTRON, blend=0.15),
    ),
    paints=(
        Paint(("Shell", 0.70, -0.20, 0.72), (0.45, 0.22, 0.50), SMUDGE, 0.8),
        Paint(("Shell", 0.25, -0.75, 1.15), (0.24, 0.20, 0.24), SMUDGE, 0.8),
        Paint(("Shell", 0.25, -0.75, 0.35), (0.24, 0.20, 0.24), SMUDGE, 0.8),
    ),
    cell=0.025,
    triangles=1300,
    floor=0.47,
    name="turtle",
)

# The animal inside -------------------------------------------------------------------------------

SCALES = (
    *((-25.0, -0.10), (25.0, -0.10), (0.0, -0.20), (55.0, -0.20)),
    *((-28.0, -0.29), (28.0, -0.29), (0.0, -0.39), (62.0, -0.37)),
)
"""The large scales of a forearm: degrees outward from its front, and how far below the elbow."""


def _scale(joint: str, around: float, down: float, group: str) -> Ellipsoid:
    """A scale on the front of a forearm that slopes forward."""
    a = np.radians(around)
    spot = (joint, 0.205 * float(np.sin(a)), down, 0.205 * float(np.cos(a)) - 0.30 * down)
    return Ellipsoid(joint, spot, (0.080, 0.085, 0.055), PALE, -17, 0.012, group, 0.09)


def _claw(joint: str, aside: float, group: str) -> Capsule:
    """One of the blunt claws around the front of a foot."""
    start = (joint, aside, -0.15, 0.21 - 1.6 * aside**2)
    end = (joint, 1.2 * aside, -0.20, 0.29 - 2.2 * aside**2)
    return Capsule(joint, start, end, 0.045, 0.026, CLAW, 1.0, 0.012, group, 0.05)


TRUNK = (Ellipsoid("Shell", ("Shell", 0, -0.28, 0.76), (0.60, 0.20, 1.10), DUSK, soft=0.10),)

NECK = (
    Capsule("Nape", "Nape", "Neck1", 0.26, 0.21, DUSK, blend=0.08, group="neck", soft=0.10),
    Capsule("Neck1", "Neck1", "Neck2", 0.21, 0.17, SKIN, 1.05, 0.06, "neck", 0.08),
    Capsule("Neck2", "Neck2", ("Head", 0, -0.02, 0.02), 0.17, 0.17, SKIN, 1.05, 0.06, "neck", 0.07),
)

HEAD = (
    Ellipsoid("Head", ("Head", 0, 0.04, 0.14), (0.225, 0.20, 0.27), SKIN, 6, 0.06, "head", 0.05),
    Ellipsoid("Head", ("Head", 0, -0.07, 0.20), (0.20, 0.13, 0.25), PALE, 8, 0.05, "head", 0.05),
    Capsule("Head", ("Head", 0, 0.00, 0.28), ("Beak", 0, 0.04, -0.09), 0.155, 0.105, SKIN, 1.0, 0.05, "head"),
    Capsule("Head", ("Beak", 0, 0.02, -0.08), ("Beak", 0, -0.06, -0.055), 0.085, 0.050, BEAK, 0.8, 0.05, "head"),
    Ellipsoid("Head", ("Head", 0.165, 0.095, 0.285), (0.056, 0.062, 0.066), EYE, apart=True),
    Ellipsoid("Head", ("Head", 0.140, 0.150, 0.250), (0.070, 0.045, 0.110), PALE, 6, 0.03, "head", 0.04),
)

TAIL = (
    Capsule("Tail1", ("Tail1", 0, 0.02, 0.10), "Tail2", 0.15, 0.095, DUSK, 0.9, 0.06, "tail", 0.06),
    Capsule("Tail2", "Tail2", "TailTip", 0.095, 0.035, SKIN, 0.9, 0.04, "tail", 0.05),
)

SHOULDER, ELBOW, WRIST = "LeftShoulder", "LeftElbow", "LeftWrist"
FORE: tuple[Part, ...] = (
    Capsule(SHOULDER, SHOULDER, ELBOW, 0.19, 0.20, DUSK, 1.0, 0.08, "LeftFore", 0.09),
    Capsule(ELBOW, ELBOW, (ELBOW, -0.01, -0.28, 0.085), 0.215, 0.215, SKIN, 1.0, 0.06, "LeftFore", 0.09),
    Capsule(ELBOW, (ELBOW, -0.01, -0.28, 0.085), WRIST, 0.215, 0.195, SKIN, 1.0, 0.05, "LeftFore", 0.07),
    Capsule(WRIST, WRIST, (WRIST, 0, -0.10, 0.03), 0.195, 0.215, SKIN, 1.0, 0.04, "LeftFore", 0.05),
    Ellipsoid(WRIST, (WRIST, 0, -0.13, 0.07), (0.215, 0.13, 0.18), SKIN, 0, 0.04, "LeftFore", 0.05),
    *(_claw(WRIST, aside, "LeftFore") for aside in (-0.16, -0.055, 0.055, 0.16)),
    *(_scale(ELBOW, around, down, "LeftFore") for around, down in SCALES),
)

HIP, KNEE, ANKLE = "LeftHip", "LeftKnee", "LeftAnkle"
HIND: tuple[Part, ...] = (
    Capsule(HIP, HIP, KNEE, 0.20, 0.21, DUSK, 1.0, 0.08, "LeftHind", 0.09),
    Capsule(KNEE, KNEE, (KNEE, -0.02, -0.28, -0.11), 0.230, 0.225, SKIN, 1.0, 0.06, "LeftHind", 0.09),
    Capsule(KNEE, (KNEE, -0.02, -0.28, -0.11), ANKLE, 0.225, 0.205, SKIN, 1.0, 0.05, "LeftHind", 0.07),
    Capsule(ANKLE, ANKLE, (ANKLE, 0, -0.10, 0.02), 0.205, 0.22, SKIN, 1.0, 0.04, "LeftHind", 0.05),
    Ellipsoid(ANKLE, (ANKLE, 0, -0.13, 0.06), (0.22, 0.13, 0.20), SKIN, 0, 0.04, "LeftHind", 0.05),
    *(_claw(ANKLE, aside, "LeftHind") for aside in (-0.15, -0.05, 0.05, 0.15)),
)

SOFT = Body(
    unit=HIP_HEIGHT,
    parts=(*TRUNK, *NECK, *HEAD, *TAIL, *FORE, *HIND),
    groups={"trunk": 0.0, "neck": 0.08, "head": 0.05, "tail": 0.05, "LeftFore": 0.10, "LeftHind": 0.10},
    paints=(
        Paint(("Beak", 0, -0.02, -0.14), (0.24, 0.026, 0.24), BEAK, 0.8, 6, "head"),
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
    triangles=6600,
    name="turtle",
)

BODIES = (CARAPACE, PLASTRON_BODY, SOFT)

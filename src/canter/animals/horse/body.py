"""The horse's body: a bay with black points. Radii in hip heights, set by eye; rows run from trunk to hoof.

What makes it a horse: a deep girth with a tucked flank, the ridge of the withers, a neck half again as deep as wide,
jowl and tapering face, the point of the hock, and dark mane, tail, muzzle and lower legs.
"""

from __future__ import annotations

from canter.animals.horse.skeleton import HIP_HEIGHT
from canter.body.parts import Bend, Body, Capsule, Ellipsoid, Paint

COAT, LIGHT, DEEP = "#8a4821", "#97542a", "#6a3516"
BLACK, DARK, HOOF, EYE = "#1d1715", "#33231c", "#4a4440", "#0b0908"

TRUNK = (
    Ellipsoid("Chest", ("Chest", 0.0, -0.11, 0.04), (0.190, 0.285, 0.31), COAT),
    Ellipsoid("Back", ("Back", 0.0, -0.14, 0.10), (0.225, 0.265, 0.34), COAT),
    Ellipsoid("Loin", ("Loin", 0.0, -0.14, 0.16), (0.215, 0.230, 0.29), COAT),
    Ellipsoid("Loin", ("Loin", 0.0, -0.10, -0.03), (0.195, 0.190, 0.27), COAT),
    Ellipsoid("Root", ("Root", 0.0, -0.05, -0.06), (0.205, 0.180, 0.25), COAT),
    Ellipsoid("Chest", ("Neck1", 0.0, -0.08, -0.02), (0.155, 0.205, 0.165), COAT),
    Capsule("Chest", ("Chest", 0.0, 0.125, -0.06), ("Chest", 0.0, 0.115, 0.16), 0.060, 0.070, COAT, blend=0.08),
)

NECK = (
    Capsule("Neck1", ("Neck1", 0, 0.0, -0.02), "Neck2", 0.215, 0.165, COAT, thin=1.6, blend=0.08, soft=0.05),
    Capsule("Neck2", "Neck2", "Neck3", 0.165, 0.130, COAT, thin=1.6, blend=0.05, soft=0.05),
    Capsule("Neck3", "Neck3", ("Head", 0, -0.025, -0.005), 0.130, 0.098, COAT, thin=1.5, blend=0.05, soft=0.03),
)

HEAD = (
    Capsule("Head", "Head", ("Head", 0, -0.14, 0.115), 0.075, 0.100, COAT, thin=1.30, group="head", soft=0.03),
    Capsule("Head", ("Head", 0, -0.14, 0.115), ("Head", 0, -0.31, 0.27), 0.098, 0.062, COAT, thin=1.28, group="head"),
    Capsule("Head", ("Head", 0, -0.31, 0.27), "Muzzle", 0.062, 0.056, DARK, thin=1.05, blend=0.03, group="head"),
    Ellipsoid("Head", ("Head", 0, -0.165, 0.055), (0.072, 0.105, 0.085), COAT, pitch=20, blend=0.03, group="head"),
    Ellipsoid("Head", ("Muzzle", 0, -0.03, -0.035), (0.036, 0.030, 0.040), DARK, blend=0.03, group="head"),
    Ellipsoid("Head", ("Muzzle", 0.034, 0.016, 0.016), (0.013, 0.019, 0.014), EYE, pitch=35, apart=True),
    Ellipsoid("Head", ("LeftEar", 0.014, -0.118, 0.122), (0.023, 0.022, 0.025), EYE, apart=True),
    Ellipsoid("Head", ("LeftEar", 0.002, -0.090, 0.120), (0.026, 0.016, 0.034), COAT, blend=0.020, group="head"),
)

MANE = (
    Capsule("Chest", ("Neck1", 0, 0.25, -0.10), ("Neck1", 0, 0.235, 0.00), 0.028, 0.05, BLACK, thin=1.5, group="mane"),
    Capsule("Neck1", ("Neck1", 0, 0.235, 0.00), ("Neck2", 0, 0.120, -0.105), 0.05, 0.06, BLACK, thin=1.5, group="mane"),
    Capsule("Neck2", ("Neck2", 0, 0.120, -0.105), ("Neck3", 0, 0.085, -0.100), 0.06, 0.06, BLACK, 1.5, group="mane"),
    Capsule("Neck3", ("Neck3", 0, 0.085, -0.100), ("Head", 0, 0.060, -0.050), 0.06, 0.045, BLACK, 1.5, group="mane"),
    Capsule("Head", ("Head", 0, 0.065, -0.030), ("Head", 0, -0.035, 0.150), 0.042, 0.024, BLACK, 0.8, group="mane"),
)

EARS = (
    Capsule("LeftEar", ("LeftEar", 0, -0.03, 0), ("LeftEarTip", 0, 0.02, 0), 0.034, 0.011, COAT, 0.9, 0.02, "LeftEar"),
)

TAIL = (
    Capsule("Tail1", ("Tail1", 0, 0.01, 0.04), "Tail2", 0.040, 0.052, BLACK, group="tail", soft=0.03),
    Capsule("Tail2", "Tail2", "Tail3", 0.052, 0.066, BLACK, thin=1.2, group="tail", soft=0.03),
    Capsule("Tail3", "Tail3", ("TailTip", 0, -0.02, 0), 0.066, 0.020, BLACK, thin=1.2, group="tail", soft=0.03),
)

SHOULDER = "LeftShoulder"
FORE = (
    Capsule("LeftScapula", "LeftScapula", SHOULDER, 0.077, 0.094, COAT, 1.6, 0.06, "LeftFore", soft=0.055),
    Capsule(
        SHOULDER,
        ("LeftScapula", 0.005, -0.12, -0.02),
        ("LeftElbow", 0, 0.03, -0.01),
        0.100,
        0.082,
        COAT,
        1.5,
        0.05,
        "LeftFore",
        soft=0.05,
    ),
    Capsule(SHOULDER, SHOULDER, "LeftElbow", 0.082, 0.078, COAT, 1.2, 0.04, "LeftFore", soft=0.05),
    Capsule("LeftElbow", "LeftElbow", ("LeftElbow", -0.004, -0.18, 0.008), 0.076, 0.058, COAT, 1.15, 0.025, "LeftFore"),
    Capsule("LeftElbow", ("LeftElbow", -0.004, -0.18, 0.008), "LeftCarpus", 0.058, 0.041, COAT, 1.1, 0.02, "LeftFore"),
    Ellipsoid("LeftCarpus", ("LeftCarpus", 0, 0, 0.006), (0.041, 0.050, 0.044), DARK, 0, 0.02, "LeftFore", 0.016),
    Capsule("LeftCarpus", "LeftCarpus", "LeftForeFetlock", 0.036, 0.031, BLACK, 1.2, 0.02, "LeftFore", soft=0.016),
    Ellipsoid(
        "LeftForeFetlock", ("LeftForeFetlock", 0, 0, -0.006), (0.034, 0.040, 0.041), BLACK, 0, 0.015, "LeftFore", 0.016
    ),
    Capsule("LeftForeFetlock", "LeftForeFetlock", "LeftForeHoof", 0.031, 0.036, BLACK, 1.05, 0.015, "LeftFore"),
    Capsule(
        "LeftForeHoof",
        ("LeftForeHoof", 0, -0.005, 0),
        ("LeftForeHoof", 0, -0.060, 0.018),
        0.040,
        0.057,
        HOOF,
        1.05,
        0.010,
        "LeftFore",
        soft=0.012,
    ),
)

HIND = (
    Capsule("LeftHip", ("LeftHip", -0.01, 0, 0), "LeftStifle", 0.160, 0.100, COAT, 1.45, 0.05, "LeftHind", soft=0.05),
    Capsule(
        "LeftHip",
        ("LeftHip", -0.015, 0.04, -0.12),
        ("LeftStifle", 0, -0.06, -0.10),
        0.100,
        0.062,
        COAT,
        1.35,
        0.05,
        "LeftHind",
        soft=0.03,
    ),
    Capsule(
        "LeftStifle", "LeftStifle", ("LeftStifle", -0.004, -0.12, -0.075), 0.084, 0.070, COAT, 1.25, 0.03, "LeftHind"
    ),
    Capsule("LeftStifle", ("LeftStifle", -0.004, -0.12, -0.075), "LeftHock", 0.070, 0.042, COAT, 1.2, 0.02, "LeftHind"),
    Capsule(
        "LeftStifle",
        ("LeftStifle", 0, -0.11, -0.13),
        ("LeftHock", 0, 0.055, -0.045),
        0.034,
        0.024,
        COAT,
        1.2,
        0.025,
        "LeftHind",
    ),
    Capsule(
        "LeftHock",
        ("LeftHock", 0, 0.055, -0.045),
        ("LeftHock", 0, -0.07, -0.015),
        0.027,
        0.030,
        DARK,
        1.1,
        0.02,
        "LeftHind",
    ),
    Ellipsoid("LeftHock", "LeftHock", (0.041, 0.052, 0.046), DARK, 0, 0.02, "LeftHind", 0.016),
    Capsule("LeftHock", "LeftHock", "LeftHindFetlock", 0.040, 0.032, BLACK, 1.2, 0.02, "LeftHind", soft=0.016),
    Ellipsoid(
        "LeftHindFetlock", ("LeftHindFetlock", 0, 0, -0.006), (0.035, 0.041, 0.042), BLACK, 0, 0.015, "LeftHind", 0.016
    ),
    Capsule("LeftHindFetlock", "LeftHindFetlock", "LeftHindHoof", 0.032, 0.036, BLACK, 1.05, 0.015, "LeftHind"),
    Capsule(
        "LeftHindHoof",
        ("LeftHindHoof", 0, -0.005, 0),
        ("LeftHindHoof", 0, -0.060, 0.018),
        0.040,
        0.056,
        HOOF,
        1.05,
        0.010,
        "LeftHind",
        soft=0.012,
    ),
)

PAINTS = (
    Paint(("Back", 0, 0.20, 0.00), (0.26, 0.14, 0.75), DEEP, 0.8, group="trunk"),
    Paint(("Back", 0, -0.42, 0.00), (0.20, 0.13, 0.45), LIGHT, 0.8, group="trunk"),
    Paint(("LeftElbow", -0.06, 0.02, -0.06), (0.08, 0.12, 0.12), LIGHT, 0.9),
    Paint(("LeftStifle", 0.0, 0.06, 0.10), (0.14, 0.14, 0.10), LIGHT, 0.9),
    Paint(("Muzzle", 0, 0.02, -0.03), (0.10, 0.11, 0.11), BLACK, 0.5, group="head"),
)

BENDS = (
    Bend("LeftScapula", -15, 15),
    Bend("LeftShoulder", -35, 35),
    Bend("LeftElbow", -45, 9),
    Bend("LeftCarpus", -3, 109),
    Bend("LeftForeFetlock", -39, 89),
    Bend("LeftForeHoof", -20, 25),
    Bend("LeftHip", -35, 35),
    Bend("LeftStifle", -14, 28),
    Bend("LeftHock", -52, 12),
    Bend("LeftHindFetlock", -39, 89),
    Bend("LeftHindHoof", -20, 25),
    Bend("Loin", -10, 10),
    Bend("Back", -10, 10),
    Bend("Chest", -10, 10),
    Bend("Back", -8, 8, "y"),
    Bend("Neck1", -25, 25),
    Bend("Neck2", -15, 15),
    Bend("Neck1", -20, 20, "y"),
    Bend("Head", -20, 20),
    Bend("Tail1", -10, 45),
    Bend("Tail1", -15, 15, "z"),
    Bend("LeftEar", -30, 10),
)

BODY = Body(
    unit=HIP_HEIGHT,
    parts=(*TRUNK, *NECK, *HEAD, *MANE, *EARS, *TAIL, *FORE, *HIND),
    groups={
        "trunk": 0.0,
        "LeftFore": 0.06,
        "LeftHind": 0.06,
        "head": 0.03,
        "LeftEar": 0.01,
        "mane": 0.015,
        "tail": 0.015,
    },
    paints=PAINTS,
    bends=BENDS,
    name="horse",
)

"""The dog's body: a shepherd, tan with a black saddle and a dark mask. Radii in hip heights, set by eye.

What makes it a shepherd: a deep narrow chest with a tucked belly, a ruff, a wedge of a head with a stop and upright
ears, long low hocks, a bushy tail that hangs, and paws.
"""

from __future__ import annotations

from canter.animals.dog.skeleton import HIP_HEIGHT
from canter.body.parts import Bend, Body, Capsule, Ellipsoid, Paint

TAN, PALE, BLACK = "#b07a40", "#cfa066", "#241d1a"
SADDLE, MASK, NOSE, EYE = "#2b231f", "#3a2a20", "#100d0c", "#0c0a09"

TRUNK = (
    Ellipsoid("Spine1", ("Spine1", 0, -0.155, 0.22), (0.180, 0.315, 0.33), TAN),
    Ellipsoid("Spine1", ("Spine1", 0, -0.115, 0.00), (0.180, 0.250, 0.33), TAN),
    Ellipsoid("Spine", ("Spine", 0, -0.070, 0.18), (0.160, 0.190, 0.30), TAN),
    Ellipsoid("Spine", ("Spine", 0, -0.030, -0.02), (0.145, 0.150, 0.25), TAN),
    Ellipsoid("Hips", ("Hips", 0, -0.040, -0.06), (0.150, 0.150, 0.22), TAN),
    Ellipsoid("Spine1", ("Neck", 0, -0.170, 0.00), (0.130, 0.180, 0.150), TAN),
    Capsule("Spine1", ("Spine1", 0, 0.08, 0.18), ("Spine1", 0, 0.085, 0.34), 0.060, 0.075, TAN, blend=0.08),
)

NECK = (
    Capsule("Neck", ("Neck", 0, -0.02, -0.04), ("Neck", 0, 0.15, 0.14), 0.225, 0.175, TAN, 1.25, 0.08, soft=0.06),
    Capsule("Neck", ("Neck", 0, 0.15, 0.14), ("Head", 0, -0.02, 0.00), 0.175, 0.130, TAN, 1.15, 0.06, soft=0.04),
)

HEAD = (
    Ellipsoid("Head", ("Head", 0, 0.020, 0.060), (0.118, 0.115, 0.135), TAN, 12, 0.04, "head", 0.03),
    Capsule("Head", ("Head", 0, -0.015, 0.13), ("HeadTip", 0, 0.012, -0.030), 0.084, 0.050, TAN, 1.10, 0.04, "head"),
    Capsule("Head", ("Head", 0, -0.075, 0.10), ("HeadTip", 0, -0.035, -0.075), 0.055, 0.030, TAN, 1.1, 0.03, "head"),
    Ellipsoid("Head", ("HeadTip", 0, 0.030, -0.008), (0.027, 0.022, 0.022), NOSE, 0, 0.010, "head", 0.02),
    Ellipsoid("Head", ("Head", 0.066, 0.052, 0.158), (0.020, 0.020, 0.020), EYE, apart=True),
    Ellipsoid("Head", ("Head", 0.060, 0.080, 0.138), (0.030, 0.020, 0.030), TAN, 0, 0.02, "head", 0.02),
    Ellipsoid("Head", ("Head", 0.085, -0.050, 0.030), (0.050, 0.080, 0.070), TAN, 0, 0.05, "head", 0.03),
)
EARS = (
    Capsule(
        "Head", ("Head", 0.072, 0.105, 0.010), ("Head", 0.095, 0.265, 0.020), 0.046, 0.018, BLACK, 0.75, 0.01, "LeftEar"
    ),
)

TAIL = (
    Capsule("Tail", ("Tail", 0, 0.01, 0.04), "Tail1", 0.058, 0.090, TAN, group="tail", soft=0.04),
    Capsule("Tail1", "Tail1", ("TailTip", 0, 0.03, 0.02), 0.090, 0.034, BLACK, group="tail", soft=0.04),
)

ARM, FOREARM, HAND = "LeftArm", "LeftForeArm", "LeftHand"
FORE = (
    Capsule("LeftShoulder", "LeftShoulder", ARM, 0.080, 0.095, TAN, 1.6, 0.06, "LeftFore", 0.055),
    Capsule(
        ARM,
        ("LeftShoulder", 0.01, -0.14, -0.02),
        (FOREARM, 0, 0.03, -0.01),
        0.100,
        0.078,
        TAN,
        1.5,
        0.05,
        "LeftFore",
        0.05,
    ),
    Capsule(ARM, ARM, FOREARM, 0.085, 0.072, TAN, 1.3, 0.04, "LeftFore", 0.05),
    Capsule(FOREARM, FOREARM, (FOREARM, 0, -0.20, 0.012), 0.072, 0.055, TAN, 1.2, 0.03, "LeftFore", 0.03),
    Capsule(FOREARM, (FOREARM, 0, -0.20, 0.012), HAND, 0.055, 0.044, TAN, 1.15, 0.02, "LeftFore"),
    Ellipsoid(HAND, (HAND, 0, 0, 0.004), (0.043, 0.050, 0.048), PALE, 0, 0.02, "LeftFore", 0.02),
    Capsule(HAND, HAND, (HAND, 0, -0.205, 0.030), 0.040, 0.044, PALE, 1.0, 0.02, "LeftFore"),
    Ellipsoid(HAND, ("LeftHandTip", 0, 0.035, -0.020), (0.058, 0.044, 0.085), PALE, 4, 0.02, "LeftFore", 0.02),
    Ellipsoid(HAND, ("LeftHandTip", 0.022, 0.030, 0.040), (0.026, 0.032, 0.040), PALE, 8, 0.012, "LeftFore", 0.02),
    Ellipsoid(HAND, ("LeftHandTip", -0.022, 0.030, 0.040), (0.026, 0.032, 0.040), PALE, 8, 0.012, "LeftFore", 0.02),
)

HIP, SHANK, FOOT = "LeftUpLeg", "LeftLeg", "LeftFoot"
HIND = (
    Capsule(HIP, (HIP, -0.01, 0.02, 0.0), SHANK, 0.155, 0.095, TAN, 1.6, 0.05, "LeftHind", 0.05),
    Capsule(HIP, (HIP, -0.01, 0.03, -0.09), (SHANK, 0, 0.01, -0.095), 0.095, 0.055, TAN, 1.4, 0.05, "LeftHind", 0.04),
    Capsule(SHANK, SHANK, (SHANK, -0.008, -0.14, -0.13), 0.082, 0.060, TAN, 1.3, 0.03, "LeftHind", 0.035),
    Capsule(SHANK, (SHANK, -0.008, -0.14, -0.13), FOOT, 0.060, 0.040, TAN, 1.2, 0.02, "LeftHind"),
    Capsule(SHANK, (SHANK, -0.006, -0.13, -0.19), (FOOT, 0, 0.035, -0.045), 0.030, 0.022, TAN, 1.2, 0.025, "LeftHind"),
    Capsule(FOOT, (FOOT, 0, 0.035, -0.045), (FOOT, 0, -0.09, 0.00), 0.026, 0.030, TAN, 1.1, 0.02, "LeftHind"),
    Ellipsoid(FOOT, FOOT, (0.040, 0.046, 0.044), TAN, 0, 0.02, "LeftHind", 0.02),
    Capsule(FOOT, FOOT, (FOOT, 0, -0.305, 0.060), 0.040, 0.040, PALE, 1.1, 0.02, "LeftHind"),
    Ellipsoid(FOOT, ("LeftFootTip", 0, 0.035, -0.045), (0.054, 0.044, 0.095), PALE, 2, 0.02, "LeftHind", 0.02),
    Ellipsoid(FOOT, ("LeftFootTip", 0.021, 0.030, 0.025), (0.025, 0.032, 0.040), PALE, 8, 0.012, "LeftHind", 0.02),
    Ellipsoid(FOOT, ("LeftFootTip", -0.021, 0.030, 0.025), (0.025, 0.032, 0.040), PALE, 8, 0.012, "LeftHind", 0.02),
)

PAINTS = (
    Paint(("Spine1", 0, 0.16, -0.02), (0.40, 0.30, 0.58), SADDLE, 0.22),
    Paint(("Spine1", 0, 0.16, 0.24), (0.40, 0.26, 0.26), SADDLE, 0.22),
    Paint(("Hips", 0, 0.13, 0.22), (0.34, 0.25, 0.44), SADDLE, 0.25),
    Paint(("Neck", 0, 0.20, 0.02), (0.13, 0.12, 0.20), SADDLE, 0.6, pitch=-45),
    Paint(("Tail", 0, 0.06, -0.10), (0.10, 0.14, 0.26), SADDLE, 0.5, pitch=-35, group="tail"),
    Paint(("Neck", 0, -0.12, 0.16), (0.10, 0.20, 0.10), PALE, 0.8, pitch=-30),
    Paint(("Spine1", 0, -0.40, 0.10), (0.16, 0.12, 0.45), PALE, 0.5, group="trunk"),
    Paint(("Head", 0.066, 0.052, 0.155), (0.05, 0.045, 0.05), MASK, 0.6, group="head"),
    Paint(("HeadTip", 0, 0.00, -0.06), (0.12, 0.10, 0.17), MASK, 0.5, group="head"),
    Paint(("HeadTip", 0, 0.03, 0.00), (0.035, 0.03, 0.04), NOSE, 0.3, group="head"),
)

BENDS = (
    Bend("LeftShoulder", -15, 15),
    Bend("LeftArm", -35, 35),
    Bend("LeftForeArm", -60, 20),
    Bend("LeftHand", -40, 80),
    Bend("LeftUpLeg", -65, 35),
    Bend("LeftLeg", -25, 65),
    Bend("LeftFoot", -60, 30),
    Bend("Spine", -20, 20),
    Bend("Spine1", -12, 12),
    Bend("Spine", -10, 10, "y"),
    Bend("Neck", -25, 25),
    Bend("Neck", -20, 20, "y"),
    Bend("Head", -20, 20),
    Bend("Tail", -20, 60),
    Bend("Tail", -20, 20, "z"),
    Bend("Tail1", -15, 25),
)

BODY = Body(
    unit=HIP_HEIGHT,
    parts=(*TRUNK, *NECK, *HEAD, *EARS, *TAIL, *FORE, *HIND),
    groups={"trunk": 0.0, "LeftFore": 0.05, "LeftHind": 0.06, "head": 0.04, "LeftEar": 0.015, "tail": 0.03},
    paints=PAINTS,
    bends=BENDS,
    name="dog",
)

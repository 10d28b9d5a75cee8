"""The dog: a shepherd of 0.60 m at the withers, hips at 0.50 m, 27 bones in the structure of MANN's capture."""

from __future__ import annotations

from canter.animals.generator.plan import Joint, Plan

HIP_HEIGHT = 0.50

JOINTS = (
    Joint("Hips", "", (0.0, 1.15, 0.08), 6),
    Joint("Spine", "Hips", (0.0, 1.17, 0.30), 3),
    Joint("Spine1", "Spine", (0.0, 1.16, 0.78), 3),
    Joint("Neck", "Spine1", (0.0, 1.12, 1.22), 3),
    Joint("Head", "Neck", (0.0, 1.42, 1.50), 3),
    Joint("HeadTip", "Head", (0.0, 1.33, 1.90)),
    Joint("Tail", "Hips", (0.0, 1.12, -0.14), 2),
    Joint("Tail1", "Tail", (0.0, 0.93, -0.36), 2),
    Joint("TailTip", "Tail1", (0.0, 0.68, -0.52)),
    Joint("LeftShoulder", "Spine1", (0.11, 1.10, 1.05), 2),
    Joint("LeftArm", "LeftShoulder", (0.14, 0.86, 1.23), 3),
    Joint("LeftForeArm", "LeftArm", (0.14, 0.70, 0.98), 1),
    Joint("LeftHand", "LeftForeArm", (0.125, 0.27, 1.02), 2),
    Joint("LeftHandTip", "LeftHand", (0.125, 0.0, 1.09)),
    Joint("LeftUpLeg", "Hips", (0.11, 1.00, 0.0), 3),
    Joint("LeftLeg", "LeftUpLeg", (0.14, 0.67, 0.12), 1),
    Joint("LeftFoot", "LeftLeg", (0.125, 0.37, -0.16), 1),
    Joint("LeftFootTip", "LeftFoot", (0.125, 0.0, 0.03)),
)

DOG = Plan(
    "dog",
    JOINTS,
    HIP_HEIGHT,
    fore=("Shoulder", "Arm", "ForeArm", "Hand", "HandTip"),
    fore_roles=("scapula", "shoulder", "elbow", "carpus"),
    hind=("UpLeg", "Leg", "Foot", "FootTip"),
    hind_roles=("hip", "stifle", "hock"),
    spine=("Hips", "Spine", "Spine1"),
    neck=("Neck",),
    head="Head",
    tail=("Tail", "Tail1"),
)

"""The horse: a riding horse of 1.60 m at the withers, hips at 1.17 m, 35 joints with 61 degrees of freedom.

The counts are those of Huang et al. (2013, section 3); proportions were set by eye between anatomical drawings and
the measured horse of the Vienna Horse Data Collection. Places are (left, up, forward) in hip heights.
"""

from __future__ import annotations

from canter.animals.generator.plan import Joint, Plan

HIP_HEIGHT = 1.17

JOINTS = (
    Joint("Root", "", (0.0, 1.20, 0.09), 6),
    Joint("Loin", "Root", (0.0, 1.22, 0.27), 3),
    Joint("Back", "Loin", (0.0, 1.20, 0.52), 3),
    Joint("Chest", "Back", (0.0, 1.17, 0.80), 3),
    Joint("Neck1", "Chest", (0.0, 1.04, 1.05), 2),
    Joint("Neck2", "Neck1", (0.0, 1.23, 1.25), 2),
    Joint("Neck3", "Neck2", (0.0, 1.44, 1.40), 1),
    Joint("Head", "Neck3", (0.0, 1.61, 1.50), 3),
    Joint("Muzzle", "Head", (0.0, 1.21, 1.85)),
    Joint("Tail1", "Root", (0.0, 1.22, -0.15), 2),
    Joint("Tail2", "Tail1", (0.0, 1.05, -0.27), 2),
    Joint("Tail3", "Tail2", (0.0, 0.80, -0.31), 2),
    Joint("TailTip", "Tail3", (0.0, 0.53, -0.29)),
    Joint("LeftEar", "Head", (0.05, 1.645, 1.475), 2),
    Joint("LeftEarTip", "LeftEar", (0.07, 1.76, 1.49)),
    Joint("LeftScapula", "Chest", (0.11, 1.21, 0.92), 2),
    Joint("LeftShoulder", "LeftScapula", (0.125, 0.91, 1.09), 2),
    Joint("LeftElbow", "LeftShoulder", (0.12, 0.74, 0.92), 1),
    Joint("LeftCarpus", "LeftElbow", (0.11, 0.39, 0.93), 1),
    Joint("LeftForeFetlock", "LeftCarpus", (0.105, 0.16, 0.92), 1),
    Joint("LeftForeHoof", "LeftForeFetlock", (0.105, 0.073, 0.986), 1),
    Joint("LeftForeToe", "LeftForeHoof", (0.105, 0.0, 1.05)),
    Joint("LeftHip", "Root", (0.11, 1.00, 0.0), 2),
    Joint("LeftStifle", "LeftHip", (0.14, 0.71, 0.09), 1),
    Joint("LeftHock", "LeftStifle", (0.13, 0.46, -0.09), 1),
    Joint("LeftHindFetlock", "LeftHock", (0.125, 0.17, -0.08), 1),
    Joint("LeftHindHoof", "LeftHindFetlock", (0.125, 0.073, -0.014), 1),
    Joint("LeftHindToe", "LeftHindHoof", (0.125, 0.0, 0.05)),
)

HORSE = Plan(
    "horse",
    JOINTS,
    HIP_HEIGHT,
    fore=("Scapula", "Shoulder", "Elbow", "Carpus", "ForeFetlock", "ForeHoof", "ForeToe"),
    fore_roles=("scapula", "shoulder", "elbow", "carpus", "fetlock", "hoof"),
    hind=("Hip", "Stifle", "Hock", "HindFetlock", "HindHoof", "HindToe"),
    hind_roles=("hip", "stifle", "hock", "fetlock", "hoof"),
    spine=("Root", "Loin", "Back", "Chest"),
    neck=("Neck1", "Neck2", "Neck3"),
    head="Head",
    tail=("Tail1", "Tail2", "Tail3"),
    ears=("Ear",),
)

"""The turtle: a land tortoise with a shell of 0.58 m, hips at 0.20 m, 19 joints with 44 degrees of freedom.

Its trunk is one piece, its upper limbs stick out sideways, and it stands on the flat of its feet. Proportions were set
by eye between photographs of the African spurred tortoise and drawings of its bones. Places are (left, up, forward) in
hip heights; the legs and the neck hang on the shell itself.
"""

from __future__ import annotations

from canter.animals.generator.plan import Joint, Plan

HIP_HEIGHT = 0.20

JOINTS = (
    Joint("Shell", "", (0.0, 1.20, 0.0), 6),
    Joint("Nape", "Shell", (0.0, 1.00, 1.55), 2),
    Joint("Neck1", "Nape", (0.0, 0.92, 1.80), 3),
    Joint("Neck2", "Neck1", (0.0, 0.98, 2.10), 2),
    Joint("Head", "Neck2", (0.0, 1.20, 2.36), 3),
    Joint("Beak", "Head", (0.0, 1.13, 2.84)),
    Joint("Tail1", "Shell", (0.0, 0.84, -0.52), 2),
    Joint("Tail2", "Tail1", (0.0, 0.72, -0.72), 2),
    Joint("TailTip", "Tail2", (0.0, 0.54, -0.84)),
    Joint("LeftShoulder", "Shell", (0.30, 0.88, 1.46), 3),
    Joint("LeftElbow", "LeftShoulder", (0.88, 0.75, 1.42), 1),
    Joint("LeftWrist", "LeftElbow", (0.86, 0.22, 1.58), 2),
    Joint("LeftForeToe", "LeftWrist", (0.86, 0.0, 1.78)),
    Joint("LeftHip", "Shell", (0.26, 1.00, 0.0), 3),
    Joint("LeftKnee", "LeftHip", (0.84, 0.76, 0.16), 1),
    Joint("LeftAnkle", "LeftKnee", (0.80, 0.22, -0.04), 2),
    Joint("LeftHindToe", "LeftAnkle", (0.82, 0.0, 0.16)),
)

TURTLE = Plan(
    "turtle",
    JOINTS,
    HIP_HEIGHT,
    fore=("Shoulder", "Elbow", "Wrist", "ForeToe"),
    fore_roles=("shoulder", "elbow", "wrist"),
    hind=("Hip", "Knee", "Ankle", "HindToe"),
    hind_roles=("hip", "knee", "ankle"),
    spine=("Shell", "Nape"),
    neck=("Neck1", "Neck2"),
    head="Head",
    tail=("Tail1", "Tail2"),
    sprawls=True,
)

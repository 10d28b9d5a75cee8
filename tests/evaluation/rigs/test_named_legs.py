"""Leg names from bone names."""

from __future__ import annotations

import numpy as np
import pytest

from canter.anatomy import Leg
from canter.evaluation.rigs.named_legs import named_feet
from canter.motion import Skeleton


@pytest.mark.parametrize(
    ("bones", "name"),
    [
        (("LeftShoulder", "LeftArm", "LeftForeArm", "LeftHand"), "LF"),
        (("RightUpLeg", "RightLeg", "RightFoot"), "RH"),
        (("b_LeftLeg01_015", "b_LeftFoot01_016"), "LH"),
        (("Front.L", "Shin.L"), "LF"),
        (("BackLeg_R", "BackFoot_R"), "RH"),
        (("l_scapula", "l_wrist"), "LF"),
        (("hind_r", "thigh_r"), "RH"),
        (("bone1", "bone2"), None),
        (("LeftBone", "LeftTip"), None),
    ],
)
def test_bone_names_name_the_leg(bones: tuple[str, ...], name: str | None) -> None:
    skeleton = Skeleton.make(list(bones), range(-1, len(bones) - 1), np.zeros((len(bones), 3)))
    joints = tuple(range(len(bones)))
    assert named_feet(skeleton)(Leg("", joints, 0, joints[-1])) == name

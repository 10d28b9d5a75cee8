"""Legs end at their feet, also those of an animal whose paws are not its lowest joints."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from canter.anatomy import Anatomy, detect
from canter.motion import Asset
from canter.motion import rotations as rot

from .animals import example, with_clips


def bent(joint: int, angle: float) -> tuple[Asset, Anatomy]:
    """The example walking with this joint of both forelegs bent all the time, and its true anatomy."""
    motion, truth = example().clip("walk")[:60], detect(example())
    rotations = motion.rotations.copy()
    for leg in truth.legs[:2]:
        rotations[:, leg.joints[joint]] = rot.multiply(
            rotations[:, leg.joints[joint]], rot.about(np.array([1.0, 0.0, 0.0]), angle)
        )
    return with_clips(example(), replace(motion, rotations=rotations)), truth


def test_paws_above_wrists_are_still_feet() -> None:
    for angle in (-1.5, 1.0, 2.0):
        asset, truth = bent(-3, angle)
        assert [leg.foot for leg in detect(asset).legs] == [leg.foot for leg in truth.legs]


def test_short_ends_that_never_stand_are_no_feet() -> None:
    asset, truth = bent(-2, -1.5)
    assert [leg.foot for leg in detect(asset).legs[:2]] == [leg.joints[-2] for leg in truth.legs[:2]]

"""Skeletons, clips and the mathematics on them: pure functions and frozen dataclasses, no files."""

from canter.motion.edits import (
    blend,
    concatenate,
    crossfade,
    resample,
    sample,
    transform,
    transform_skeleton,
    with_world,
)
from canter.motion.feet import foot_targets
from canter.motion.inverse import bend_and_aim, leg_flexion, solve_leg
from canter.motion.kinematics import angular_velocity, forward, forward_of, local, velocity
from canter.motion.loops import Track, Travel, close_loop, cycle_travel, loop, move_between, with_seam
from canter.motion.mirroring import mirror
from canter.motion.planting import plant_feet, solve_legs
from canter.motion.skeleton import Asset, Motion, Pose, Skeleton, Skin

__all__ = [
    "Asset",
    "Motion",
    "Pose",
    "Skeleton",
    "Skin",
    "Track",
    "Travel",
    "angular_velocity",
    "bend_and_aim",
    "blend",
    "close_loop",
    "concatenate",
    "crossfade",
    "cycle_travel",
    "foot_targets",
    "forward",
    "forward_of",
    "leg_flexion",
    "local",
    "loop",
    "mirror",
    "move_between",
    "plant_feet",
    "resample",
    "sample",
    "solve_leg",
    "solve_legs",
    "transform",
    "transform_skeleton",
    "velocity",
    "with_seam",
    "with_world",
]

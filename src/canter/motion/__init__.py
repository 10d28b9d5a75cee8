"""Motion itself: skeletons, clips and the mathematics on them. Pure functions and frozen nouns, no files."""

from canter.motion.skeleton import Asset, Motion, Pose, Skeleton, Skin

__all__ = ["Asset", "Motion", "Pose", "Skeleton", "Skin"]

"""A body for every skeleton: one table of radii gives the skin."""

from canter.body.estimate import estimate_body
from canter.body.parts import Bend, Body, Capsule, Ellipsoid, Paint
from canter.body.poses import trial_poses
from canter.body.quality import folded_share, volume
from canter.body.skin import make_skin, skin_character
from canter.body.stance import bind_pose

__all__ = [
    "Bend",
    "Body",
    "Capsule",
    "Ellipsoid",
    "Paint",
    "bind_pose",
    "estimate_body",
    "folded_share",
    "make_skin",
    "skin_character",
    "trial_poses",
    "volume",
]

"""Skins for skeletons: from a table of rounded parts, or estimated from a character's bones, to a weighted mesh."""

from canter.body.estimate import estimate_body
from canter.body.measures import bind_pose
from canter.body.parts import Bend, Body, Capsule, Ellipsoid, Paint
from canter.body.poses import trial_poses
from canter.body.quality import folded_share, volume
from canter.body.skin import make_skin, skin_character

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

"""Feet on the ground for any controller: leg tree, closed-form reach, foot lock, body drop, slope under the feet."""

from canter.footing.footing import Footed, Footing
from canter.footing.ground import Ground, ground_of
from canter.footing.leg_tree import LegTree, make_leg_tree
from canter.footing.lock import FootLock, Limits, Strain

__all__ = ["FootLock", "Footed", "Footing", "Ground", "LegTree", "Limits", "Strain", "ground_of", "make_leg_tree"]

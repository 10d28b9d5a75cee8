"""A body for every skeleton: one table of radii gives the skin."""

from canter.body.parts import Bend, Body, Capsule, Ellipsoid, Paint
from canter.body.skin import make_skin

__all__ = ["Bend", "Body", "Capsule", "Ellipsoid", "Paint", "make_skin"]

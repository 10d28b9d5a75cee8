"""Leg names from bone names: an independent check of the detector, which does not read names."""

from __future__ import annotations

import re
from collections.abc import Callable

from canter.anatomy import Leg
from canter.motion import Skeleton

LEFT, RIGHT = re.compile(r"left|(^|[^a-z])l([^a-z]|$)"), re.compile(r"right|(^|[^a-z])r([^a-z]|$)")
FORE = re.compile(r"front|fore(?!arm)|arm|hand|shou|wrist|clavicle|scapula")
HIND = re.compile(r"back|hind|rear|thigh|up_?leg|femur|shin|calf|foot|pelvi")


def named_feet(skeleton: Skeleton) -> Callable[[Leg], str | None]:
    """A function from a leg to its name by the names of its bones ("LF"), or None where they do not tell."""

    def name(leg: Leg) -> str | None:
        words = [skeleton.names[j].lower() for j in leg.joints]
        left, right = (sum(bool(p.search(w)) for w in words) for p in (LEFT, RIGHT))
        fore, hind = (sum(bool(p.search(w)) for w in words) for p in (FORE, HIND))
        plainly = {"front", "fore", "hind", "back"}
        for word in words:
            for plain in plainly:
                if plain in word and "forearm" not in word:
                    fore, hind = (9, 0) if plain in ("front", "fore") else (0, 9)
        if left == right or fore == hind:
            return None
        return ("L" if left > right else "R") + ("F" if fore > hind else "H")

    return name

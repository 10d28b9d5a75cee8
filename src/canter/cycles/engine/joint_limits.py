"""How fast joints may turn: a little faster than in the cycles that they come from, and never slower than calmly."""

from __future__ import annotations

import numpy as np

from canter.motion import rotations as rot
from canter.motion.arrays import Floats

QUICK, CALM = 1.45, np.radians(87)
"""Times the speed of a joint in its clips, and radians a second, that it may always have."""


def allowed(fastest: Floats, frame_rate: float) -> Floats:
    """Radians that joints may turn by in a frame, from their fastest in the clips in radians a second `(..., J)`."""
    result: Floats = np.maximum(QUICK * fastest, CALM) / frame_rate
    return result


def filtered(before: Floats, wanted: Floats, most: Floats) -> Floats:
    """Rotations `(..., J, 4)` on the way from those before to those wanted, by `most (J,)` radians at the farthest."""
    way = rot.log(rot.multiply(rot.conjugate(before), wanted))
    angle = np.linalg.norm(way, axis=-1, keepdims=True)
    share = np.minimum(most[..., None] / np.maximum(angle, 1e-9), 1.0)
    if share.min() >= 1:
        return wanted
    return np.where(share < 1, rot.multiply(before, rot.exp(way * share)), wanted)
